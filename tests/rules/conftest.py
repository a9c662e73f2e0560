"""One way to judge a few lines of a site: laid over the standard minimal site, as the pages' examples are."""

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

import pytest

from genvalues import extends, facts, judge, model, shape
from genvalues.finding import Hit, format_route
from genvalues.plan import resolve
from genvalues.rules.rule import Case, Rule

BASE = Path(__file__).parents[1] / "pages_base.yaml"
FACTS = facts.load()

Judged = Callable[..., list[tuple[str, Hit]]]


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """Lines over the minimal site, and the rules that look at it -> code and hit of each finding."""

    def run(text: str, rules: Iterable[Rule], today: date = date(2026, 11, 30)) -> list[tuple[str, Hit]]:
        (tmp_path / "base.yaml").write_text(BASE.read_text("utf-8"), "utf-8")
        head = "apiVersion: genvalues/v1\nkind: Site\nname: test\nextends: [base.yaml]\n"
        (tmp_path / "site.yaml").write_text(head + text, "utf-8")
        loaded = extends.load(str(tmp_path / "site.yaml"), allow_outside=False)
        assert loaded.tree is not None
        assert [*loaded.findings, *shape.check(loaded.tree, list(loaded.findings))] == []
        site = model.build(loaded.tree.data)
        case = Case(site, resolve(site, FACTS), FACTS, today)
        return [(rule.code, hit) for rule, hit in judge.site(case, rules)]

    return run


@pytest.fixture
def said(judged: Judged) -> Callable[..., list[str]]:
    """As `judged`, but each finding as its code and the route it stands at: "GV501 driver.version"."""

    def run(text: str, rules: Iterable[Rule], today: date = date(2026, 11, 30)) -> list[str]:
        return [f"{code} {format_route(hit.route)}" for code, hit in judged(text, rules, today)]

    return run
