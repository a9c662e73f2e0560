"""The pages of the contract's verdicts: what they show is what the contract says, whatever front end comes in between."""

import pytest

from genvalues import contracts, source
from genvalues.place import locate_route
from genvalues.rules import page
from genvalues.rules.page import Example

PAGES = {code: page.read(code) for code, _ in contracts.VERDICT_CODES.values()}
EXAMPLES = [
    pytest.param(code, example, id=f"{code}-{example.verdict}-{example.line}")
    for code, found in PAGES.items()
    if found
    for example in found.examples
]


def test_every_verdict_has_a_page_with_examples() -> None:
    """Six codes, each with at least one Bad and one Good block."""
    shown = {code: {example.verdict for example in found.examples} for code, found in PAGES.items() if found}

    assert shown == {code: {"bad", "good"} for code in ("GV901", "GV902", "GV903", "GV904", "GV905", "GV906")}


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_example_has_hits_on_exactly_the_marked_lines(code: str, example: Example) -> None:
    """A Bad block is hit on the lines marked with its code and nowhere else by it; a Good block has no errors."""
    tree = source.read(example.text, "page").tree
    assert tree is not None
    name, _, version = example.chart.partition("@")
    contract = contracts.load(name, version)
    assert contract is not None
    hits = [(contracts.VERDICT_CODES[hit.verdict or "refused"], hit) for hit in contract.check(tree.data, lambda route: tree.raw(route) if route in tree.origin else None)]
    lines = sorted({locate_route(tree, hit.route, key=hit.at == "key").line for (mine, _), hit in hits if mine == code})
    marked = [number for number, line in enumerate(example.text.split("\n"), 1) if f"# expect: {code}" in line]

    assert lines == marked
    if example.verdict == "good":
        assert [hit.message for (_, severity), hit in hits if severity == "error"] == []
