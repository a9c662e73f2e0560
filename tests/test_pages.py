"""Every rule's page is its documentation and its first test: Bad fires on the marked line, Good is silent."""

from pathlib import Path

import pytest
from judging import example as judge

from genvalues import rules
from genvalues.rules import page
from genvalues.rules.page import Example

CODES = sorted(rules.by_code())
PAGES = {code: page.read(code) for code in CODES}
EXAMPLES = [
    pytest.param(code, example, id=f"{code}-{example.verdict}-{example.front_end}-{example.line}")
    for code, found in PAGES.items()
    if found
    for example in found.examples
]


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    """The tuples of rules and the folder of pages hold the same codes."""
    pages = sorted(path.stem for path in Path(page.FOLDER).glob("*.md"))

    assert pages == CODES


@pytest.mark.parametrize("code", CODES)
def test_page_says_what_the_rule_says(code: str) -> None:
    """Title, severity and version of the page are the rule's; all sections are there."""
    rule, found = rules.by_code()[code], PAGES[code]
    assert found is not None
    severity, since, _ = found.meta.split(" · ")

    assert (found.title, severity, since) == (rule.title, rule.severity, f"since {rule.since}")
    assert "Why" in found.sections
    assert "Source" in found.sections
    assert any(example.verdict == "bad" for example in found.examples) or "No example:" in found.text


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_example_is_judged_as_its_page_says(code: str, example: Example, tmp_path: Path) -> None:
    """A Bad block gives the page's code on exactly the marked lines; a Good block gives neither that code nor errors."""
    findings = judge(example, tmp_path)
    marked = [n for n, line in enumerate(example.text.split("\n"), 1) if f"# expect: {code}" in line]
    lines = sorted({finding.place.line for finding in findings if finding.code == code})

    assert lines == marked, [f"{f.place.line}: {f.code} {f.message}" for f in findings]
    if example.verdict == "good":
        assert [f"{f.code} {f.message}" for f in findings if f.severity == "error"] == []
    else:
        assert marked


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_finding_of_an_example_can_be_acted_on(code: str, example: Example, tmp_path: Path) -> None:
    """Each finding says something, and gives a fix."""
    findings = [finding for finding in judge(example, tmp_path) if finding.code == code]

    assert all(finding.message and finding.fix for finding in findings)
