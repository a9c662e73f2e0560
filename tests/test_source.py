"""Text to data, with the place of every node, and what is wrong with a text."""

import string
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from genvalues import source
from genvalues.finding import Finding, Json, Route
from genvalues.source import MAX_BYTES, Tree, decode, read, read_all, read_bytes, read_file


def faults(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of each finding."""
    return [(f.code, f.place.line, f.place.column) for f in read(text, "f.yaml").findings]


def only(text: str) -> Finding:
    (finding,) = read(text, "f.yaml").findings
    return finding


def tree(text: str) -> Tree:
    result = read(text, "f.yaml")
    assert () == result.findings
    assert result.tree is not None
    return result.tree


# ---- data and places


def test_data_is_what_yaml_says() -> None:
    """Mappings, lists, block and flow, texts of every style; integers, floats, booleans, null and dates."""
    text = (
        "a: 8\nb: 1.5\nc: [true, ~, x, 'y', \"z\\n\"]\nd:\n- {e: 2027-03-01}\n- - 1\nf: |\n  one\n  two\ng: >-\n  one\n  two\n"
        "h:\ni: {}\nj: []\n"
    )

    assert {
        "a": 8, "b": 1.5, "c": [True, None, "x", "y", "z\n"], "d": [{"e": "2027-03-01"}, [1]], "f": "one\ntwo\n",
        "g": "one two", "h": None, "i": {}, "j": [],
    } == tree(text).data  # fmt: skip


def test_every_node_has_its_text() -> None:
    """The origin of a value is its text with the quotes, that of a key its own; blocks end with their last node."""
    text = "a:\n  b: 'x'   # c\n  c: [1, {d: e}]\n\n\n# end\n"
    read_tree = tree(text)
    raw = {route: read_tree.raw(route) for route in read_tree.origin}
    keys = {r: text[o.key_start : o.key_end] for r, o in read_tree.origin.items() if r and isinstance(r[-1], str)}

    assert {
        (): text[: text.index("\n\n")],
        ("a",): "b: 'x'   # c\n  c: [1, {d: e}]",
        ("a", "b"): "'x'",
        ("a", "c"): "[1, {d: e}]",
        ("a", "c", 0): "1",
        ("a", "c", 1): "{d: e}",
        ("a", "c", 1, "d"): "e",
    } == raw
    assert {("a",): "a", ("a", "b"): "b", ("a", "c"): "c", ("a", "c", 1, "d"): "d"} == keys


def test_places_count_code_points_and_line_feeds() -> None:
    """Characters beyond U+FFFF count once, U+2028 ends no line, CRLF is one end of a line, a byte-order mark is none."""
    found = read_bytes("\ufeffa: '😀\u2028 x'\r\n\U0001f600: 'ü' # \r\n😀b: 0302\r\n".encode(), "f").findings

    assert [("GV010", 3, 5, "😀b: 0302")] == [(f.code, f.place.line, f.place.column, f.place.excerpt) for f in found]


def test_an_ancestor_stands_in_for_a_missing_route() -> None:
    """`at` answers for routes without a node with the nearest node above."""
    read_tree = tree("a: {b: 1}\n")

    assert read_tree.origin[("a",)] == read_tree.at(("a", "c", 3))
    assert read_tree.origin[()] == read_tree.at(("x",))


def test_anchors_and_tags_are_no_part_of_a_value() -> None:
    """`raw` starts behind them; !!str makes a text of anything."""
    read_tree = tree("a: &x !!str 5\nb: !!int 5\nc: ! 6\nd: *x\ne: &y\nf: !!map {g: 1}\nh: !!null\n")

    assert {"a": "5", "b": 5, "c": "6", "d": "5", "e": None, "f": {"g": 1}, "h": None} == read_tree.data
    assert ["5", "5", "6", "*x"] == [read_tree.raw((key,)) for key in "abcd"]


def test_below_an_alias_the_anchor_is_the_place() -> None:
    """The alias stands where it is written, what is in it where it was written once."""
    read_tree = tree("a: &x {b: {c: 1}}\nd: *x\n")

    assert {"b": {"c": 1}} == read_tree.data["d"]
    assert "*x" == read_tree.raw(("d",))
    assert read_tree.origin[("a", "b", "c")] == read_tree.origin[("d", "b", "c")]


def test_merge_keys_lie_below_a_mapping_s_own() -> None:
    """Own keys win wherever `<<` stands, the first of several merged mappings wins over the next."""
    read_tree = tree("x: &x {a: 1, b: {c: 2}}\nz: &z {a: 9, d: 4}\nm: {b: 5, <<: [*x, *z]}\np:\n  <<: *x\n  a: 3\no: {'<<': 1}\n")

    assert {"b": 5, "a": 1, "d": 4} == read_tree.data["m"]
    assert {"a": 3, "b": {"c": 2}} == read_tree.data["p"]
    assert {"<<": 1} == read_tree.data["o"]
    assert read_tree.origin[("x", "b", "c")] == read_tree.origin[("p", "b", "c")]


def test_several_documents_are_read_one_by_one() -> None:
    """Each has its own tree, findings and anchors, whatever its root; a fault ends the reading."""
    sources = read_all("a: 1\n---\n- on\n---\n---\nb: [\n", "f")

    assert [{"a": 1}, [True], None, None] == [s.tree and s.tree.data for s in sources]
    assert [[], ["GV011"], [], ["GV001"]] == [[f.code for f in s.findings] for s in sources]


# ---- faults

SYNTAX = [
    ("a:\n\tb: 1\n", 2, 1, "a tab stands here"),
    ("a:\n  b: 1\n \tc: 2\n", 3, 2, "a tab stands here"),
    ('a: 1\nb: "x\nc: 1\n', 2, 4, 'this " is never closed'),
    ("a: 'x\n", 1, 4, "this ' is never closed"),
    ("a: [1, 2\nb: 1\n", 1, 4, "this `[` is never closed"),
    ("a: 1\nb: {c: [1]\n# ]\n", 2, 4, "this `{` is never closed"),
    ("a: {b: 1 c: 2}\n", 1, 11, "`,` or `}` is missing before this"),
    ("a: @x\n", 1, 4, "a text that starts with @ stands in quotes"),
    ("a: %x # y\n", 1, 4, "a text that starts with % stands in quotes"),
    ("a: *.example.com\n", 1, 4, "a text that starts with * stands in quotes"),
    ("a: b: c\n", 1, 5, "a second `: ` in one line"),
    ("gpu:\n  model:h100\n  count: 8\n", 2, 8, "`model:h100` is one word"),
    ("a: 1\n  b: 2\n", 2, 3, "no key can stand here"),
    ("a: 1\nb\nc: 2\n", 2, 1, "`b` is followed by no `:`"),
    ("a:\n- 1\n-2\n", 3, 1, "a space is missing behind the `-`"),
    ("a:\n  b: 2\n c: 3\n", 3, 2, "the indentation here (1 space) fits neither"),
    ("a: 1\n- b\n", 2, 1, "a list item stands here"),
    ("- b\na: 1\n", 2, 1, "a key stands here"),
    ("a: - b\n", 1, 4, "a list item cannot start on the line of its key"),
    ('a: "\\d"\n', 1, 5, "`\\d` here means nothing"),
    ("a: 'x' y\n", 1, 8, "this cannot follow"),
    ("{{- if x }}\na: 1\n", 1, 1, "`{{` here is the start of a template"),
    ("a: |x\n  y\n", 1, 5, "a text after `|` or `>`"),
    ("a: [,]\n", 1, 5, "a value is missing"),
    ("  a: 1\nb: 2\n", 2, 1, "the document ends before this line"),
    ("a: 1\n... b\n", 2, 5, "text after the end of the document"),
    ("a: 1\n\ufeffb: 2\n", 2, 1, "a byte-order mark"),
    ("a: 1\n:\n", 2, 1, "no key stands before this colon"),
    ("a" * 2000 + ": 1\n", 1, 1, "a key is at most 1024 characters"),
    ("a: !x!y z\n", 1, 4, "this is no YAML"),
    ("%YAML 3.0\n---\na: 1\n", 1, 1, "this is no YAML"),
    ("a: ]\n", 1, 4, "a value is missing before `]`"),
    ("a:\n  b: 2\n c: 3\n", 3, 2, "the indentation here (1 space)"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), SYNTAX)
def test_syntax_errors_are_placed_where_they_begin(text: str, line: int, column: int, message: str) -> None:
    """One finding, at the place to change, in words that name no token of a grammar."""
    finding = [f for f in read(text, "f").findings if f.code == "GV001"]

    assert [(line, column)] == [(f.place.line, f.place.column) for f in finding]
    assert finding[0].message.startswith(message)
    assert read(text, "f").tree is None


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("a: @x # y\n", '"@x"'),
        ("a: b: c\n", 'a: "b: c"'),
        ("gpu:\n  model:h100\n  count: 8\n", "model: h100"),
        ("a: 1\nb\nc: 2\n", "b:"),
        ("v: 580.10\n", 'v: "580.10" (as a number: v: 580.1)'),
        ("- 0302\n", '- "0302"'),
        ("a: on\n", 'a: "on" (as a boolean: a: true)'),
        ("on: 1\n", '"on":'),
        ("1: 1\n", '"1":'),
        ("a/b: 1e30\n", 'a/b: "1e30"'),
        ("a: &foo 1\nb: *fo\n", "did you mean *foo?"),
        ("a: .inf\n", 'a: ".inf"'),
        ("a: " + "9" * 101 + "\n", "put it between double quotes"),
    ],
)
def test_fixes_can_be_typed(text: str, fix: str) -> None:
    """The fix is the text to put there."""
    assert fix == read_all(text, "f")[0].findings[0].fix


def test_messages_say_what_each_reader_makes_of_a_scalar() -> None:
    """The values are in the message, grouped by who reads them."""
    assert [
        "`0302` is the number 194 to Helm, kubectl and Ansible, the number 302 to YAML 1.2 readers",
        "`1e30` is the number 1e+30 to Helm, kubectl and YAML 1.2 readers, the text 1e30 to Ansible",
        "`580.10` is the number 580.1 to every YAML reader",
        "`22:22` is the text 22:22 to Helm, kubectl and YAML 1.2 readers, the number 1342 to Ansible",
        "`y` is true to Helm and kubectl, the text y to Ansible and YAML 1.2 readers",
    ] == [f.message for f in read("- 0302\n- 1e30\n- 580.10\n- 22:22\n- y\n", "f").findings[:5]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("GV004", 1, 1)]),
        ("# nothing\n\n", [("GV004", 1, 1)]),
        ("---\n", [("GV004", 1, 1)]),
        ("- a\n", [("GV004", 1, 1)]),
        ("\nhello\n", [("GV004", 2, 1)]),
        ("a: 1\nb:\n  c: 1\n  'c': 2\n", [("GV005", 4, 3)]),
        ("a: [*x]\n", [("GV007", 1, 5)]),
        ("a: &x [*x]\n", [("GV007", 1, 8)]),
        ("a: 1\n---\nb: 2\n", [("GV008", 3, 1)]),
        ("a: 1\n---\n", []),
        ("a: !vault x\n", [("GV009", 1, 4)]),
        ("a: &x !!python/object:os.system [x]\n", [("GV009", 1, 7)]),
        ("a: !!int x\n", [("GV009", 1, 4)]),
        ("a: !!map x\n", [("GV009", 1, 4)]),
        ("a: 580.10\nb: [0302]\nc: {d: 1_0}\n", [("GV010", 1, 4), ("GV010", 2, 5), ("GV010", 3, 8)]),
        ("a: [on, 'on', true]\nno: 1\n", [("GV011", 1, 5), ("GV011", 2, 1)]),
        ("1: a\ntrue: b\n~: c\n? [d]\n: e\n", [("GV014", 1, 1), ("GV014", 2, 1), ("GV014", 3, 1), ("GV014", 4, 3)]),
        ("a: {{ .Values.x }}\n", [("GV014", 1, 5)]),
        ("a:\n  <<: 5\n", [("GV015", 2, 7)]),
        ("a: \x01\n", [("GV003", 1, 4)]),
        ("é: ü\x7f\n", [("GV003", 1, 5)]),
        ("a: \ud800\n", [("GV003", 1, 4)]),
    ],
)
def test_faults_have_codes_and_places(text: str, found: list[tuple[str, int, int]]) -> None:
    """Each fault once, at the key where the key is at fault."""
    assert found == faults(text)


def test_a_repeated_key_names_the_first() -> None:
    """The finding is at the second key, and a related place at the first."""
    finding = only("a: 1\nb: 2\na: 3\n")

    assert (3, ("a",)) == (finding.place.line, finding.path)
    assert [(1, 1)] == [(r.place.line, r.place.column) for r in finding.related]


def test_questioned_scalars_keep_the_value_that_helm_reads() -> None:
    """So that what judges chart values judges the real ones."""
    result = read("a: 0302\nb: on\nc: 12:30:45\nd: 1e400\n1: x\n", "f")

    assert result.tree is not None
    assert {"a": 194, "b": True, "c": "12:30:45", "d": "1e400", "1": "x"} == result.tree.data


# ---- limits


def _bomb() -> str:
    lines = ["a0: &a0 [" + ", ".join("x" * 10) + "]"]
    lines += [f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 10) + "]" for i in range(1, 10)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 100_000, "GV006"),
        ("{a: " * 100_000, "GV006"),
        ("".join(" " * i + "a:\n" for i in range(1000)), "GV006"),
        ("- a\n" * 60_000, "GV006"),
        ("x" * (MAX_BYTES + 1), "GV006"),
        (_bomb(), "GV007"),
        ("a: &a {" + ", ".join(f"k{i}: 1" for i in range(900)) + "}\n" + "".join(f"m{i}: {{<<: *a}}\n" for i in range(99)),
         "GV007"),
        ("a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 100)), "GV006"),
    ],
    ids=["brackets", "braces", "indentation", "nodes", "bytes", "alias bomb", "merge bomb", "deep aliases"],
)  # fmt: skip
def test_bombs_end_in_one_finding(text: str, code: str) -> None:
    """Limits on depth, nodes and bytes, with what aliases stand for counted in; no tree comes of it."""
    result = read(text, "f")

    assert [code] == [f.code for f in result.findings]
    assert result.tree is None


def test_fifty_levels_and_a_long_text_are_fine() -> None:
    """Limits are far from what people write."""
    deep = "a: " + "{b: " * 50 + "1" + "}" * 50 + "\n"

    assert () == read(deep, "f").findings
    assert {"a": "x" * 1_000_000} == tree("a: " + "x" * 1_000_000 + "\n").data


def test_endless_faults_are_cut_off() -> None:
    """After 500 findings one says that there are more."""
    found = read("- on\n" * 10_000, "f").findings

    assert (501, "GV006") == (len(found), found[-1].code)


# ---- bytes and files


@pytest.mark.parametrize(
    ("raw", "place", "message"),
    [
        (b"\x7fELF\x02\x00\x00", (1, 6), "byte 0x00 here: the file is binary, no text"),
        (b"a: 1\nb: caf\xe9\n", (2, 7), "byte 0xe9 here is no UTF-8"),
        ("a: 1\n".encode("utf-16"), (1, 1), "the file is UTF-16, where UTF-8 is expected"),
        ("é: 1\n".encode("utf-16-be"), (1, 1), "byte 0x00 here: the file is binary, no text"),
        (b"\x89PNG\r\n\x1a\n\x00", (1, 1), "byte 0x89 here: the file is binary, no text"),
    ],
)
def test_what_is_no_text_is_said_so(raw: bytes, place: tuple[int, int], message: str) -> None:
    """One GV003, at the first byte that is none."""
    (finding,) = read_bytes(raw, "f").findings

    assert ("GV003", place, message) == (finding.code, (finding.place.line, finding.place.column), finding.message)


def test_files_are_read_with_their_name(tmp_path: Path) -> None:
    """A file's findings name it as it was given."""
    file = tmp_path / "site.yaml"
    file.write_bytes(b"a: on\r\n")

    assert [str(file)] == [f.place.file for f in read_file(str(file)).findings]
    assert "a: 1\n" == decode(b"\xef\xbb\xbfa: 1\n", "f")


def test_unreadable_files_are_findings(tmp_path: Path) -> None:
    """A missing file, a folder, and a file where a folder should be."""
    (tmp_path / "file").write_text("")
    found = [read_file(str(tmp_path / name)).findings[0] for name in ("none.yaml", ".", "file/x.yaml")]

    assert ["GV002"] * 3 == [f.code for f in found]
    assert ["there is no such file", "this is a folder", "a part of the path before the last is no folder"] == [
        f.message.partition(": ")[2] for f in found
    ]


def test_an_endless_file_is_too_large() -> None:
    """At most one byte more than the limit is read."""
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero on this system")

    assert ["GV006"] == [f.code for f in read_file("/dev/zero").findings]


# ---- properties

_SPECIAL = ["[", "]", "{", "}", ":", ": ", ",", "- ", "#", "&a ", "*a", "!x ", "|", ">", "'", '"', "%", "@", "\t", "\n",
            "\n  ", "\\", "? ", "<<: *a", "on", "0302", "null", "---\n", "...\n", "\r", "\u2028", "\x00", "😀", "\ufeff"]  # fmt: skip
_TEXTS = st.lists(st.one_of(st.sampled_from(_SPECIAL), st.text(string.ascii_lowercase, max_size=3)), max_size=40).map("".join)


def _routes(data: Json, route: Route = ()) -> list[Route]:
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [route, *(deeper for step, value in below for deeper in _routes(value, (*route, step)))]


@settings(max_examples=400, deadline=None)
@given(_TEXTS)
def test_any_text_is_data_or_a_finding(text: str) -> None:
    """Nothing raises; every node has an origin within the text; every finding has a place in it, a message and a fix."""
    result = read(text, "f")

    assert result.tree is not None or result.findings
    for route in _routes(result.tree.data) if result.tree else []:
        origin = result.tree.origin[route] if result.tree else None
        assert origin is not None
        assert 0 <= origin.start <= origin.end <= len(text)
    for finding in result.findings:
        lines = text.lstrip("\ufeff").split("\n")
        assert finding.message
        assert finding.fix
        assert lines[finding.place.line - 1].rstrip("\r") == finding.place.excerpt
        assert 1 <= finding.place.column < finding.place.end_column


_PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-999, 999), st.text(max_size=8)),
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(st.text(max_size=4), below, max_size=3)),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=4), _PLAIN, max_size=4), st.booleans())
def test_what_another_yaml_library_writes_is_read_back(data: dict[str, Any], flow: bool) -> None:
    """PyYAML's output, block or flow, is the same data here; keys it would misread it puts into quotes."""
    text = yaml.safe_dump(data, default_flow_style=flow)
    found = read(text, "f")
    # PyYAML leaves bare what YAML 1.1 does not know: y, n, 1e5, 0o7, 08
    questioned = {f.code for f in found.findings}

    assert questioned <= {"GV010", "GV011", "GV014"}
    if not questioned:
        assert found.tree is not None
        assert data == found.tree.data


def test_the_public_names_are_there() -> None:
    """What other modules import from here."""
    assert set(source.__all__) <= set(dir(source))
