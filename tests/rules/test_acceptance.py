"""Acceptances, beyond what their pages show."""

from collections.abc import Callable
from datetime import date

import pytest

from genvalues.finding import Hit
from genvalues.model import Acceptance, Site
from genvalues.rules import acceptance
from genvalues.rules.acceptance import Found
from genvalues.rules.rule import Rule

TODAY = date(2026, 11, 30)
Accepting = Callable[[str], Site]


@pytest.fixture
def accepting() -> Accepting:
    """A site that accepts a code, and of which nothing else matters."""

    def of(code: str) -> Site:
        fields: dict[str, object] = dict.fromkeys(Site._fields)
        accept = (Acceptance(0, code, None, "kept for now", "2027-03-01"),)
        return Site(**{**fields, "pools": (), "accept": accept})  # type: ignore[arg-type]

    return of


def found(code: str, severity: str = "error") -> Found:
    return Rule(code, severity, "A rule", "0.1.0"), Hit(("charts",), "said", "done")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "others", "said"),
    [
        ("GV548", [], ["GV191"]),
        ("GV548", [found("GV500")], ["GV191"]),
        ("GV548", [found("GV540")], []),  # that rule has no release to judge
        ("GV571", [found("GV541")], []),
        ("GV901", [], ["GV191"]),
        ("GV901", [found("GV500")], []),  # files are not judged where the site has errors
        ("GV901", [found("GV505", "info")], ["GV191"]),
    ],
)
def test_unused_is_said_only_of_rules_that_could_speak(
    accepting: Accepting, code: str, others: list[Found], said: list[str]
) -> None:
    """An acceptance whose rule an error has silenced may still be needed."""
    remaining, _ = acceptance.apply(accepting(code), others, TODAY, ["GV548", "GV571", "GV901"])

    assert [rule.code for rule, _ in remaining[len(others) :]] == said
