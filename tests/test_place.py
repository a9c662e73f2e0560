"""From routes to lines and columns."""

import pytest

from genvalues.finding import Hit, Origin, Place, Related
from genvalues.place import Tree, locate, place
from genvalues.source import read

TEXT = """\
a: 1
gpu:
  model: t4     # the model
  list: [x, {y: z}]
empty:
pools:
- name: p
  text: |
    one
    two
"""


def tree() -> Tree:
    found = read(TEXT, "site.yaml").tree
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("hit", "line", "column", "end"),
    [
        (Hit(("gpu", "model"), "", ""), 3, 10, 12),
        (Hit(("gpu", "model"), "", "", at="key"), 3, 3, 8),
        (Hit(("gpu", "list", 1, "y"), "", ""), 4, 17, 18),
        (Hit(("gpu", "list", 1), "", ""), 4, 13, 19),
        (Hit(("gpu",), "", ""), 2, 1, 4),                      # its value starts on a later line
        (Hit(("gpu", "none", 3), "", ""), 2, 1, 4),            # the nearest ancestor's key
        (Hit(("gpu", "list", 7), "", ""), 4, 3, 7),
        (Hit(("empty",), "", ""), 5, 1, 6),                    # no value to point at
        (Hit(("pools", 0), "", ""), 7, 3, 10),
        (Hit(("pools", 0, "none"), "", ""), 7, 3, 10),
        (Hit(("pools", 0, "text"), "", ""), 8, 9, 10),
        (Hit((), "", ""), 1, 1, 5),
        (Hit(("none",), "", ""), 1, 1, 5),
    ],
)
def test_hits_become_places(hit: Hit, line: int, column: int, end: int) -> None:
    """Line and column from 1, the end excluded, and never beyond the line."""
    found = place(hit, "GV999", "error", tree()).place

    assert Place("site.yaml", line, column, end, TEXT.split("\n")[line - 1]) == found


def test_a_finding_has_all_that_the_hit_says() -> None:
    """Code, severity, words, route and verdict, and the related places."""
    hit = Hit(("a",), "message", "fix", ((("gpu", "model"), "see"),), verdict="inert")
    found = place(hit, "GV999", "warning", tree())

    assert ("GV999", "warning", "message", "fix", ("a",), "inert") == (
        found.code, found.severity, found.message, found.fix, found.path, found.verdict,
    )  # fmt: skip
    assert (Related(Place("site.yaml", 3, 10, 12, "  model: t4     # the model"), "see"),) == found.related


def test_paths_are_those_of_the_file() -> None:
    """A pool that was merged from another index keeps the index of the file that the finding is in."""
    origin = Origin("base.yaml", 0, 1, 0, 1)
    route = ("hardware", "pools", 2)
    merged = Tree({}, {(): origin, route: origin}, {"base.yaml": "x"}, {(2, "base.yaml"): 0})

    assert ("hardware", "pools", 0, "gpu") == place(Hit((*route, "gpu"), "", ""), "GV999", "error", merged).path
    assert ("hardware", "pools", 2) == merged.in_file(route, "site.yaml")
    assert ("hardware", "pools") == merged.in_file(("hardware", "pools"), "base.yaml")


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("", 0, 0, (1, 1, 2, "")),
        ("abc", 1, 2, (1, 2, 3, "abc")),
        ("abc", 3, 3, (1, 4, 5, "abc")),
        ("a\n\nbc\n", 3, 5, (3, 1, 3, "bc")),
        ("a\r\nbc\r\n", 3, 7, (2, 1, 3, "bc")),
        ("😀x\u2028y\n", 3, 4, (1, 4, 5, "😀x\u2028y")),
        ("a\n", 2, 2, (2, 1, 2, "")),
    ],
)
def test_offsets_become_lines_and_columns(text: str, start: int, end: int, expected: tuple[int, int, int, str]) -> None:
    """Lines end at line feeds alone; a place is at least one column wide."""
    assert Place("f", *expected) == locate("f", text, start, end)


def test_an_endless_line_is_cut_in_the_excerpt() -> None:
    """A line of a megabyte is not repeated in a report."""
    assert (600_000, 500) == (locate("f", "x" * 1_000_000, 599_999, 600_000).column, len(locate("f", "x" * 9999, 0, 1).excerpt))
