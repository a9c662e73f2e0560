"""One fault gives one finding: the examples of the pages hold one each, and no other rule has an error about them."""

from pathlib import Path

import judging
import pytest

from genvalues import rules
from genvalues.rules import page
from genvalues.rules.page import Example

BAD = [
    pytest.param(code, block, id=f"{code}-{block.front_end}-{block.line}")
    for code in sorted(rules.by_code())
    if (found := page.read(code)) is not None
    for block in found.examples
    if block.verdict == "bad"
]

BESIDE = {
    ("GV193", "GV540"): "the page is about an acceptance, and the error that it cannot take away stays where it is",
}
"""Code of a page and of an error beside it, with the reason why two findings are right."""


@pytest.mark.parametrize(("code", "block"), BAD)
def test_no_other_error_is_in_a_bad_block(code: str, block: Example, tmp_path: Path) -> None:
    """Neither on the marked line nor on another one."""
    errors = {finding.code for finding in judging.example(block, tmp_path) if finding.severity == "error"}

    assert {other for other in errors - {code} if (code, other) not in BESIDE} == set()


@pytest.mark.parametrize(("code", "other"), BESIDE)
def test_every_exception_is_needed(code: str, other: str, tmp_path: Path) -> None:
    """An error that no block of the page has any more needs no reason."""
    found = page.read(code)
    blocks = [block for block in found.examples if block.verdict == "bad"] if found is not None else []

    assert other in {finding.code for block in blocks for finding in judging.example(block, tmp_path)}
