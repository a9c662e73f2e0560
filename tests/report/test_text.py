import re

import pytest

from genvalues import report
from genvalues.finding import Finding, Place
from genvalues.report import RuleMeta


def at(excerpt: str, column: int, end: int, line: int = 1) -> Finding:
    return Finding("GV001", "error", "m", "", Place("f", line, column, end, excerpt), ())


def excerpt(finding: Finding, width: int = 0) -> list[str]:
    return [line for line in report.render("text", [finding], width=width, quiet=True).split("\n") if "|" in line]


def test_finding_in_full(version: Finding) -> None:
    """Place, severity, code and message; the line with a caret; the fix; the other place; where to read on."""
    assert report.render("text", [version], quiet=True) == (
        "profiles/dc1.yaml:12:12: error GV041: driver.version is read as the number 580.1\n"
        "   12 |   version: 580.10\n"
        "      |            ^^^^^^\n"
        '  fix: version: "580.10"\n'
        "  note: out/dc1/gpu-operator/values.yaml:7:3: rendered here\n"
        "  explain: genvalues explain GV041\n"
    )


def test_fix_of_several_lines_and_finding_without_excerpt(taint: Finding, dead: Finding) -> None:
    """A fix keeps its lines below one another; a place without a line shows none; a blank line parts findings."""
    assert report.render("text", [taint, dead], quiet=True) == (
        "a, b:c%.yaml:1:1: info GV902: no template of gpu-operator v25.10.1 reads devicePlugin.mps.root\n"
        "  explain: genvalues explain GV902\n"
        "\n"
        "profiles/dc1.yaml:3:1: warning GV821: pool h100 has a taint that nothing tolerates\n"
        "    3 | pools:\n"
        "      | ^^^^^\n"
        "  fix: tolerations:\n"
        "         - key: nvidia.com/gpu\n"
        "           operator: Exists\n"
        "  explain: genvalues explain GV821\n"
    )


def test_nothing_from_a_file_reaches_the_terminal(nasty: Finding) -> None:
    """Escapes in names, messages, fixes and source lines are spelt out, and a message stays on its line."""
    assert report.render("text", [nasty], quiet=True) == (
        'x\\n.yaml:1:4: error GV600: label \\x1b[2J\\u202e<&"> 100% ]]>\\n::error::x\n'
        "    1 | \\x1b]0;t\\x07\u4f60: 1\n"
        "      |       ^^\n"
        "  fix: a\\tb\n"
        "       ::error::y\n"
        "  explain: genvalues explain GV600\n"
    )


def test_carets_below_tabs_and_wide_characters() -> None:
    """A tab takes four columns, a Chinese character two, a combining accent none."""
    assert [excerpt(at("\ta: b", 5, 6)), excerpt(at("\u4f60\u597d: e\u0301x", 7, 8))] == [
        ["    1 |     a: b", "      |        ^"],
        ["    1 | \u4f60\u597d: e\u0301x", "      |        ^"],
    ]


@pytest.mark.parametrize(
    ("column", "end", "expected"),
    [
        (1, 3, ["    1 | aaaaaaaaaaaaaaaaaaaaaaaaaa...", "      | ^^"]),
        (50, 53, ["    1 | ...aaaaaaaabbbaaaaaaaaaaaaaaa...", "      |            ^^^"]),
        (98, 101, ["    1 | ...aaaaaaaaaaaaaaaaaaaaaaaaaa", "      | " + 26 * " " + "^^^"]),
        (50, 101, ["    1 | ...aaaaaaaabbbaaaaaaaaaaaaaaa...", "      |            " + 18 * "^"]),
        (400, 402, ["    1 | ...aaaaaaaaaaaaaaaaaaaaaaaaaa", "      | " + 29 * " " + "^"]),
    ],
)
def test_long_lines_are_cut_around_the_caret(column: int, end: int, expected: list[str]) -> None:
    """Dots where something is left out; the caret stays below what it means; 40 columns in all."""
    line = "a" * 49 + "bbb" + "a" * 48

    assert excerpt(at(line, column, end), width=40) == expected


def test_minified_file_is_cut_by_itself() -> None:
    """Without a width, 120 columns are enough of any line."""
    lines = excerpt(at('{"a":' * 5000, 1000, 1003))

    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize(
    ("line", "column", "end", "expected"),
    [
        ("", 1, 2, []),
        ("   ", 1, 2, []),
        ("a:", 3, 4, ["    1 | a:", "      |   ^"]),
        ("a: b  ", 4, 99, ["    1 | a: b", "      |    ^^^"]),
        ("a", 1, 1, ["    1 | a", "      | ^"]),
    ],
)
def test_excerpt_at_the_edges(line: str, column: int, end: int, expected: list[str]) -> None:
    """Empty lines, the place behind the last character, an end beyond the line, an empty range."""
    assert excerpt(at(line, column, end)) == expected


def test_summary_counts(samples: list[Finding], version: Finding) -> None:
    """Severities that occur, and in how many files; skipped files with their reason."""
    text = report.render("text", [*samples, version], [("b\n.yaml", "is empty")])

    assert text.split("\n")[-3:] == ["skipped b\\n.yaml: is empty", "3 errors, 1 warning, 1 remark in 3 files", ""]


def test_summary_without_findings() -> None:
    """Nothing to say is nothing said; skipped files are."""
    assert (report.render("text", []), report.render("text", [], [("a", "r")])) == ("", "skipped a: r\n")


def test_many_findings_have_a_table_of_codes(version: Finding, taint: Finding) -> None:
    """From twenty on, each code with its number and title comes before the total."""
    text = report.render("text", [version] * 19 + [taint], rules={"GV041": RuleMeta("scalar that readers disagree on")})

    assert text.split("\n")[-4:] == [
        "   19 x GV041  scalar that readers disagree on",
        "    1 x GV821",
        "19 errors, 1 warning in 1 file",
        "",
    ]


def test_colour_changes_no_text(samples: list[Finding]) -> None:
    """Without its escapes the coloured report is the plain one."""
    coloured = report.render("text", samples, colour=True)

    assert "\x1b[31m error GV041:\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9]+m", "", coloured) == report.render("text", samples)
