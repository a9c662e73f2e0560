"""Nothing that is defined is forgotten: rules stand in the tuples, pages name the front ends and show one of each."""

import pkgutil
from collections import Counter
from importlib import import_module

import pytest

from genvalues import rules
from genvalues.rules import page
from genvalues.rules.rule import Rule

MODULES = [import_module(f"{rules.__name__}.{found.name}") for found in pkgutil.iter_modules(rules.__path__)]
DEFINED = {rule.code: module.__name__ for module in MODULES for rule in vars(module).values() if isinstance(rule, Rule)}
UNSHOWN = {"GV708": "a file of 129 rows, which test_dcgm.py writes"}
"""Rules of which a page cannot show one of the front ends, with the reason."""

LOOKING = [rule for rule in rules.ALL if rule.site or rule.files or rule.across]


def test_every_rule_that_is_defined_runs() -> None:
    """A rule of a module stands in its `RULES`, and these in `rules.ALL`."""
    codes = {rule.code for rule in rules.ALL}

    assert {code: module for code, module in DEFINED.items() if code not in codes} == {}


def test_every_module_of_rules_is_in_use() -> None:
    """What a module lists in `RULES` stands in `rules.ALL`, as the very same rule."""
    listed = {id(rule) for rule in rules.ALL}
    lost = [rule.code for module in MODULES for rule in getattr(module, "RULES", ()) if id(rule) not in listed]

    assert lost == []


def test_no_two_rules_have_one_code() -> None:
    """Codes are for ever: a new rule takes one that no other has."""
    assert [code for code, times in Counter(rule.code for rule in rules.ALL).items() if times > 1] == []


@pytest.mark.parametrize("rule", LOOKING, ids=lambda rule: str(rule.code))
def test_page_names_the_front_ends_of_the_rule(rule: Rule) -> None:
    """`site` and the kinds of files; more only where the page shows it (an override in a site), or several files are judged."""
    found = page.read(rule.code)
    assert found is not None
    named = set(found.meta.split(" · ")[2].replace(",", " ").replace(" and ", " ").split())
    own = {*(["site"] if rule.site else []), *rule.files}
    shown = {one.front_end for one in found.examples}

    assert own - named == set()
    assert rule.across is not None or named - own - shown == set()


@pytest.mark.parametrize("rule", LOOKING, ids=lambda rule: str(rule.code))
def test_page_shows_a_site_and_a_file(rule: Rule) -> None:
    """A rule of both has a Bad and a Good block of each; of several kinds of files that one function judges, one will do."""
    found = page.read(rule.code)
    assert found is not None
    ends = {*(["site"] if rule.site else []), *(["file"] if rule.files else [])}
    shown = {(one.verdict, "site" if one.front_end == "site" else "file") for one in found.examples}
    missing = {(verdict, end) for verdict in ("bad", "good") for end in ends} - shown

    assert missing == set() or "No example:" in found.text or rule.code in UNSHOWN
