"""The pages of reading, extending and shape: what they show is what is found."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from genvalues import attachments, compose, extends, faults, mismatch, syntax
from genvalues.extends import load
from genvalues.finding import Finding
from genvalues.rules import page
from genvalues.rules.page import Example, Page
from genvalues.rules.reading import RULES
from genvalues.rules.rule import Rule
from genvalues.shape import check


def _page(rule: Rule) -> Page:
    found = page.read(rule.code)
    assert found is not None, f"{rule.code} has no page"
    return found


def _reader(text: str) -> Callable[[str], bytes]:
    def content(path: str) -> bytes:
        if path != "/r/site.yaml":
            raise FileNotFoundError(2, "No such file or directory")
        return text.encode()

    return content


def _findings(text: str) -> list[Finding]:
    loaded = load("/r/site.yaml", read=_reader(text), root="/r")
    return [*loaded.findings, *(check(loaded.tree, loaded.findings) if loaded.tree else ())]


EXAMPLES = [(rule.code, example) for rule in RULES for example in _page(rule).examples]


@pytest.mark.parametrize(("code", "example"), EXAMPLES, ids=[f"{code}-{e.verdict}" for code, e in EXAMPLES])
def test_examples_are_found_where_they_say(code: str, example: Example) -> None:
    """Each line with `expect` has that one finding and no other line has any; a good example has none."""
    expected = [
        (number, match[1])
        for number, line in enumerate(example.text.split("\n"), 1)
        if (match := re.search(r"# expect: (GV\d{3})$", line))
    ]

    assert expected == [(f.place.line, f.code) for f in _findings(example.text)]
    assert (example.verdict == "bad") == (code in {c for _, c in expected})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_pages_have_their_parts(rule: Rule) -> None:
    """Title and facts as in the code, Why and Source, and a pair of examples or the reason why there is none."""
    found = _page(rule)

    assert (rule.title, f"{rule.severity} · since {rule.since} · site") == (found.title, found.meta)
    assert {"Why", "Source"} <= found.sections.keys()
    assert ({"bad", "good"} == {e.verdict for e in found.examples}) != ("\nNo example: " in found.text)


MODULES = (attachments, compose, extends, faults, mismatch, syntax)


def test_every_code_that_can_be_found_is_listed() -> None:
    """Codes in the modules that make these findings are those of the tuples, in order and once."""
    sources = "".join(Path(module.__file__ or "").read_text() for module in MODULES)
    codes = [rule.code for rule in RULES]

    assert sorted(set(re.findall(r'"(GV\d{3})"', sources))) == codes
