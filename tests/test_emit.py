"""Our YAML and CSV text, held against readers that are not ours: PyYAML (1.1), ruamel (1.2), and Helm's where at hand."""

import base64
import csv as stdlib_csv
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from genvalues.document import Builder, Decided, Doc, Why
from genvalues.emit import WIDTH, Emitted, csv, emit, scalar, yaml
from genvalues.finding import Json, Route, at_route


def doc(body: Json, why: dict[Route, Why] | None = None, **more: Any) -> Doc:
    return Doc("values.yaml", more.pop("kind", "manifest"), body, why or {}, more.pop("embedded", {}), **more)


def why(sentence: str) -> Why:
    return Why((), sentence)


def ruamel_1_2(source: str) -> Json:
    return YAML(typ="safe", pure=True).load(source)


# What YAML 1.1 readers, Go's among them, make of it when it stands unquoted: the table of the NFD and Helm trials, the
# examples of the YAML 1.1 type repository (bool, int, float, null, merge, value, timestamp), and what starts syntax.
TRAPS = """
0680 0801 08 09 22e8 20e5 1e09 1e5 y 0o17 1e04 1e07 1e30 2e12 02 0300 0302 0200
Y n N yes Yes YES no No NO on On ON off Off OFF true True TRUE false False FALSE
~ null Null NULL .inf .Inf .INF -.inf +.inf .nan .NaN .NAN
685_230 +685_230 02472256 0x_0A_74_AE 0b1010_0111_0100_1010_1110 190:20:30 12:30:45 1_000 0 -1 +12
6.8523015e+5 685.230_15e+03 685_230.15 190:20:30.15 580.10 1. .5 1e+16 -0.0 0x1p-2
2026-01-01 2001-12-14t21:59:43.10-05:00 2001-12-15T02:59:43.1Z 2002-1-1
= << - ? : -- --- ... -a, ?b :c a: [ ] { } , # & * ! | > ' " % @ ` [a] {a:b} &a *a !a !!str |- >- %YAML @a `a` "a" 'a' #a
""".split()  # noqa: SIM905  # a table of words is read more easily than their list
AWKWARD = [
    "", " ", "  a", "a ", "a: b", "a :", "a #b", "\ta", "a\tb", "a\n", "\na", "a\nb", "a\nb\n", "a\nb\n\n", "\n", "\n\n",
    " a\nb\n", "\n a\nb", "a \nb\n", "a\n \nb\n", "a\r\nb\r\n", "a\tb\nc\n", "a\n\tb\n", "# a\nb: c\n", "---\na\n", "...\n",
    "- a\n- b\n", "\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "a\x85b", "\xa0", "a\u2028b", "a\u2029b\n", "\ufeff", "\ufeffa\nb",
    "\u202eabc", "Größe", "Größe\nÄ\n", "日本", "😀", "\U0010ffff", "\ufffe", "a\\b", 'a "b" c', "a\\nb", "it's",
    "2001-12-14 21:59:43.10 -5", "0 1", "12 e 3", "1,000", "no ", "\\", "${VAR}", "$(VAR)", "{{ .Values.x }}", "a, b", "a]b",
    "!a b", "%a\nb\n", "key:", "http://a:1", "::", "a::b", "a:\tb",
]  # fmt: skip
PLAIN = [
    "gpu-operator", "nvidia.com/gpu", "NoSchedule", "/dev/nvidia0", "v25.10.1", "^gn-", "8xh100-ib", "1g.10gb", "64Gi",
    "15s", "100m", "_a", "--verbose", "yess", "registry.example.internal:5000/nvidia", "a#b", "e1", "x",
    "http://proxy.example.internal:3128", "two words, a comma",
]  # fmt: skip


def test_traps_are_quoted() -> None:
    """Every string that some reader takes for a number, a word, a date or syntax stands in double quotes."""
    assert [trap for trap in TRAPS if not scalar(trap).startswith('"')] == []


def test_plain_strings_stay_plain() -> None:
    """Names, paths, quantities and addresses that no reader can mistake need no quotes."""
    assert [scalar(word) for word in PLAIN] == PLAIN


@pytest.mark.parametrize("value", [*TRAPS, *AWKWARD, *PLAIN])
def test_string_reads_back(value: str) -> None:
    """As a value, as a key, in a list, nested in a list and below a comment, both readers see the string itself."""
    body = {"v": value, value: 1, "l": [value, [value, [value]], {value: {"k": value}}], "last": value}
    reasons = {("l",): why("a"), ("l", 1): why("b"), ("l", 2, value): why("c"), ("last",): why("d")}

    source = yaml(doc(body, reasons), ("header",))

    assert [pyyaml.safe_load(source), ruamel_1_2(source)] == [body, body]


@pytest.mark.parametrize(
    ("value", "spelt"),
    [
        ("on", '"on"'),
        ("0302", '"0302"'),
        ("580.10", '"580.10"'),
        ('a "b"\t\\', '"a \\"b\\"\\t\\\\"'),
        ("a\x85\u2028\U000e0001", '"a\\x85\\u2028\\U000e0001"'),
        ("Größe", '"Größe"'),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-7, "-7"),
        (0.5, "0.5"),
        (1e16, "1.0e+16"),
        (1e-7, "1.0e-07"),
        (1.5e300, "1.5e+300"),
        (float("inf"), ".inf"),
        (float("-inf"), "-.inf"),
        (float("nan"), ".nan"),
    ],
)
def test_scalar_is_spelt(value: Json, spelt: str) -> None:
    """One spelling per scalar: double quotes, JSON's words, and floats with the point that YAML 1.1 wants."""
    assert scalar(value) == spelt


def test_style() -> None:
    """Block style, two blanks, list items below their key, literal blocks, empty collections in brackets."""
    body = {
        "apiVersion": "v1",
        "data": {"any": "a: 1\nb: 2\n", "cut": "a\nb", "lead": "  a\nb\n", "tail": "a\n\n"},
        "list": [{"name": "a", "args": ["--x", "1"]}, [], ["a", ["b"]], {"k": {"m": {}}}, {"t": "x\ny\n"}],
    }

    assert yaml(doc(body)) == (
        "apiVersion: v1\n"
        "data:\n"
        "  any: |\n"
        "    a: 1\n"
        "    b: 2\n"
        "  cut: |-\n"
        "    a\n"
        "    b\n"
        "  lead: |2\n"
        "      a\n"
        "    b\n"
        '  tail: "a\\n\\n"\n'
        "list:\n"
        "  - name: a\n"
        "    args:\n"
        "      - --x\n"
        '      - "1"\n'
        "  - []\n"
        "  - - a\n"
        "    - - b\n"
        "  - k:\n"
        "      m: {}\n"
        "  - t: |\n"
        "      x\n"
        "      y\n"
    )


@pytest.mark.parametrize(("body", "expected"), [({}, "{}\n"), ([], "[]\n"), ("a\nb", '"a\\nb"\n'), ([1], "- 1\n")])
def test_document_that_is_no_map(body: Json, expected: str) -> None:
    """An empty map, a list and a scalar are documents too."""
    assert yaml(doc(body)) == expected


def test_comments_stand_above_nodes_with_a_reason_of_their_own() -> None:
    """A run of siblings, and a key that comes again, say the same sentence once; a child without reason says nothing."""
    body = {
        "driver": {"enabled": False, "version": "580.95.05", "repository": "r/nvidia"},
        "toolkit": {"repository": "r/nvidia", "env": [{"name": "A"}, {"name": "B"}, {"name": "C"}]},
        "last": 1,
    }
    mirror, host = why("mirror of nvcr.io"), why("driver on the host")
    reasons = {
        ("driver",): host,
        ("driver", "enabled"): host,
        ("driver", "version"): host,
        ("driver", "repository"): mirror,
        ("toolkit", "repository"): mirror,
        ("toolkit", "env", 0): why("first two"),
        ("toolkit", "env", 1): why("first two"),
        ("toolkit", "env", 2): why("item"),
        ("toolkit", "env", 2, "name"): why("first key"),
    }

    assert yaml(doc(body, reasons)) == (
        "# driver on the host\n"
        "driver:\n"
        "  # driver on the host\n"
        "  enabled: false\n"
        "  version: 580.95.05\n".replace("580.95.05", '"580.95.05"') +
        "  # mirror of nvcr.io\n"
        "  repository: r/nvidia\n"
        "toolkit:\n"
        "  repository: r/nvidia\n"
        "  env:\n"
        "    # first two\n"
        "    - name: A\n"
        "    - name: B\n"
        "    # item\n"
        "    # first key\n"
        "    - name: C\n"
        "last: 1\n"
    )  # fmt: skip


def test_comment_wraps_and_cannot_be_left() -> None:
    """Lines end at 110 columns, indent included; newlines and controls in a sentence stay inside its comment."""
    words = "\n".join(["evil: true", *(["word"] * 60), "\x1b[2Jend\u2028evil: true"])
    source = yaml(doc({"a": {"b": 1}}, {("a", "b"): why(words)}))

    comment = [line for line in source.split("\n") if line.startswith("  # ")]
    assert (
        ruamel_1_2(source),
        max(map(len, comment)) <= WIDTH,
        len(comment[0]) > WIDTH - len(" word"),
        " ".join(line[4:] for line in comment),
    ) == ({"a": {"b": 1}}, True, True, " ".join(["evil: true", *(["word"] * 60), "\\x1b[2Jend evil: true"]))


def test_header_and_intro() -> None:
    """Header, then the file's own intro, then a blank line; chart values get air between their parts."""
    body = {"a": {"x": 1}, "b": 2, "c": 3, "d": {"z": 4}, "e": 5}
    values = doc(body, {("c",): why("reason")}, kind="values", intro=("Intro.",))

    assert yaml(values, ("Generated.", "Do not edit.")) == (
        "# Generated.\n# Do not edit.\n#\n# Intro.\n\na:\n  x: 1\n\nb: 2\n\n# reason\nc: 3\n\nd:\n  z: 4\n\ne: 5\n"
    )


def embedded() -> Doc:
    inner = Doc(
        "any",
        "device-plugin",
        {"version": "v1", "sharing": {"replicas": 4}},
        {("sharing",): why("r")},
        {},
        None,
        ("In.",),
    )
    rows = Doc("m", "dcgm-csv", {"rows": [["A", "gauge", "a"], ["B", "gauge", "b"]]}, {("rows", 0): why("p")}, {})
    return doc({"data": {"any": "", "m.csv": ""}, "z": [1]}, embedded={("data", "any"): inner, ("data", "m.csv"): rows})


def test_embedded_documents_become_literal_blocks() -> None:
    """The text of an inner document, its intro and comments with it, is the value of the outer node."""
    source = yaml(embedded(), ("H",))

    assert source == (
        "# H\n\ndata:\n  any: |\n    # In.\n    version: v1\n    # r\n    sharing:\n      replicas: 4\n"
        "  m.csv: |\n    # p\n    A, gauge, a\n    B, gauge, b\nz:\n  - 1\n"
    )
    assert ruamel_1_2(source)["data"]["any"] == "# In.\nversion: v1\n# r\nsharing:\n  replicas: 4\n"


def test_lines_of_nodes() -> None:
    """Every node knows its line, those of embedded documents included; a route without a node has its parent's."""
    emitted = emit(embedded(), ("H",))

    assert dict(emitted.lines) == {
        (): 3,
        ("data",): 3,
        ("data", "any"): 4,
        ("data", "any", "version"): 6,
        ("data", "any", "sharing"): 8,
        ("data", "any", "sharing", "replicas"): 9,
        ("data", "m.csv"): 10,
        ("data", "m.csv", "rows"): 11,
        ("data", "m.csv", "rows", 0): 12,
        ("data", "m.csv", "rows", 1): 13,
        ("z",): 14,
        ("z", 0): 15,
    }
    assert emitted.place("out/x.yaml", ("z", 0, "none")) == ("out/x.yaml", 15, 3, 6, "  - 1")
    assert Emitted("", {}).line(("a",)) == 1


def test_long_strings_stay_on_one_line() -> None:
    """Nothing is folded, and as values long strings are read back whole."""
    body = {"a": "x" * 5000, "b": ["ä " * 5000], "k" * 1000: 1}
    source = yaml(doc(body))

    assert (pyyaml.safe_load(source), ruamel_1_2(source), source.count("\n")) == (body, body, 4)


@pytest.mark.parametrize(
    ("body", "error"),
    [({"a": "\ud800"}, ValueError), ({"k" * 1001: 1}, ValueError), ({1: 2}, TypeError), ({"a": object()}, TypeError)],
)
def test_what_yaml_cannot_hold_is_refused(body: Json, error: type[Exception]) -> None:
    """Half a character, a key that readers give up on, and data that is not JSON never become a file."""
    with pytest.raises(error):
        yaml(doc(body))


strings = st.one_of(
    st.sampled_from([*TRAPS, *AWKWARD, *PLAIN]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text(st.sampled_from(" \t\r\n:#-?|>'\"[]{},&*!%@`~=0123456789.eE_+xoaynf\x85\u2028"), max_size=14),
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False), strings
)  # fmt: skip
data = st.recursive(
    scalars,
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(strings, below, max_size=4)),
    max_leaves=25,
)


def routes(node: Json, route: Route = ()) -> list[Route]:
    steps = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    return [route, *(found for step, value in steps for found in routes(value, (*route, step)))]


@settings(max_examples=300, deadline=None)
@given(body=data, sentence=st.text(max_size=20), kind=st.sampled_from(["values", "manifest"]))
def test_any_data_reads_back(body: Json, sentence: str, kind: Any) -> None:
    """Any JSON-like data under any comments is the same to PyYAML and ruamel, and each line is the node's own."""
    reasons = {route: why(f"{sentence}{number % 3}") for number, route in enumerate(routes(body))}
    emitted = emit(doc(body, reasons, kind=kind), ("header",))

    assert [pyyaml.safe_load(emitted.text), ruamel_1_2(emitted.text)] == [body, body]
    assert set(emitted.lines) == set(routes(body))
    for route, line in emitted.lines.items():
        rest = emitted.text.split("\n")[line - 1]
        if route and isinstance(route[-1], str):
            assert f"{scalar(route[-1])}:" in rest
        elif route:
            assert "- " in rest or rest.endswith("-")


@settings(max_examples=50, deadline=None)
@given(body=st.dictionaries(strings, scalars, max_size=5))
def test_embedded_data_reads_back(body: dict[str, Json]) -> None:
    """A document inside a document is the same after reading twice."""
    outer = doc({"data": {"key": ""}, "after": 1}, embedded={("data", "key"): doc(body)})

    assert pyyaml.safe_load(pyyaml.safe_load(yaml(outer))["data"]["key"]) == body


@pytest.mark.skipif(shutil.which("helm") is None, reason="no helm on PATH: Go's own reading of our YAML is not tested")
def test_go_reads_the_same(tmp_path: Path) -> None:
    """Helm (sigs.k8s.io/yaml) sees every trap and awkward string as we meant it, as a value and as a key."""
    words = [*TRAPS, *AWKWARD, *PLAIN]
    body = {
        "data": {"list": words, "keys": {word: index for index, word in enumerate(words)}, "n": [0.5, 1e16, True, None]}
    }
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: echo\nversion: 1.0.0\n")
    (chart / "templates" / "echo.yaml").write_text("echo: {{ toJson .Values.data | b64enc }}\n")
    (tmp_path / "values.yaml").write_text(yaml(doc(body, kind="values")), encoding="utf-8", newline="")

    run = subprocess.run(
        ["helm", "template", "x", str(chart), "-f", str(tmp_path / "values.yaml")],
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(base64.b64decode(run.stdout.split("echo: ")[1])) == body["data"]


# dcgm-exporter: Go's encoding/csv with '#' in column 0 as comment, exactly three fields, U+0020 trimmed around each.
def dcgm_rows(source: str) -> list[list[str]]:
    lines = [line for line in source.split("\n") if line and not line.startswith("#")]
    assert [line for line in lines if not re.match(r"[A-Z_]+(, [a-z]+,( [^\",]+)?|,[a-z]+,\".*\")$", line)] == []
    return [[cell.strip(" ") for cell in row] for row in stdlib_csv.reader(lines)]


def rows(*body: Sequence[str], reasons: dict[Route, Why] | None = None, **more: Any) -> Doc:
    return doc({"rows": [list(row) for row in body]}, reasons, kind="dcgm-csv", **more)


def test_csv_sections_are_the_reasons_of_their_rows() -> None:
    """Rows of one reason stand under one comment at column 0, a later run of the same reason under its own."""
    clock, ecc = why("preset default"), why("preset ecc: größer\n\x07")
    body = [
        ["DCGM_FI_DEV_SM_CLOCK", "gauge", "SM clock (in MHz)."],
        ["DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "counter", ""],
        ["X", "label", "x"],
    ]
    source = csv(
        rows(*body, reasons={("rows", 0): clock, ("rows", 1): ecc, ("rows", 2): clock}, intro=("Intro.",)), ("Header.",)
    )

    assert source == (
        "# Header.\n#\n# Intro.\n\n# preset default\nDCGM_FI_DEV_SM_CLOCK, gauge, SM clock (in MHz).\n"
        "# preset ecc: gr\\xf6\\xdfer \\x07\nDCGM_FI_DEV_ECC_DBE_VOL_TOTAL, counter,\n# preset default\nX, label, x\n"
    )
    assert dcgm_rows(source) == body


def test_csv_quotes_help_with_commas_without_a_blank() -> None:
    """Go calls a quote after a blank a bare quote, and the exporter stops: such rows have no blanks."""
    body = ["DCGM_FI_DEV_XID_ERRORS", "gauge", 'Last XID, "raw"']

    source = csv(rows(body))

    assert (source, dcgm_rows(source)) == ('DCGM_FI_DEV_XID_ERRORS,gauge,"Last XID, ""raw"""\n', [body])


@pytest.mark.parametrize(
    "row",
    [["A", "gauge"], ["A", "gauge", "b", "c"], ["A", "gauge", "a\tb"], ["A", "gauge", "a\nb"], ["A", "gauge", "ä"],
     ["A\xa0", "gauge", "b"], ["#A", "gauge", "b"], ["A,B", "gauge", "b"], ["A", 'g"', "b"], ["", "gauge", "b"], [" ", "gauge", "b"]],
)  # fmt: skip
def test_csv_refuses_what_would_stop_the_exporter(row: list[str]) -> None:
    """One fatal line loses all metrics, so none is written."""
    with pytest.raises(ValueError, match="row"):
        csv(rows(row))


def test_csv_without_rows_is_empty() -> None:
    """No row, no line; embedded it is the empty string."""
    outer = doc({"data": {"k": ""}, "z": 1}, embedded={("data", "k"): rows()})

    assert (csv(rows()), pyyaml.safe_load(yaml(outer))) == ("", {"data": {"k": ""}, "z": 1})


def test_same_document_same_text_from_the_builder() -> None:
    """What the builder collects comes out in the order in which it was put."""
    builder = Builder("values.yaml", "values")
    builder.fixed(("b", "x"), "1")
    builder.put(("a",), Decided(("p", "q"), why("r")))

    built = builder.doc()

    assert yaml(built) == 'b:\n  x: "1"\n\n# r\na:\n  - p\n  - q\n'
    assert at_route(built.body, ("a", 1)) == "q"
