"""Signs inside plain scalars of flow collections, which libyaml refuses and Helm reads (tried with helm template 4.0)."""

from typing import Any

import pytest

from genvalues import source


def _data(text: str) -> Any:
    trees = [document.tree for document in source.read_all(text, "f")]
    assert None not in trees
    return [tree.data for tree in trees if tree is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: {url: https://host/path, image: x:1}", {"a": {"url": "https://host/path", "image": "x:1"}}),
        ("a: [x:1, y::z, 12:30]", {"a": ["x:1", "y::z", "12:30"]}),
        ("a: {b:1}", {"a": {"b:1": None}}),
        ('a: {"b":"c:d", e: f:g} # h:i', {"a": {"b": "c:d", "e": "f:g"}}),
        ("a: {b:, c: d:}", {"a": {"b:": None, "c": "d:"}}),
        ("a: {b: c?d}", {"a": {"b": "c?d"}}),
        ("a: {b: c:d}\nt: |\n  e:f {g:h}\n", {"a": {"b": "c:d"}, "t": "e:f {g:h}\n"}),
    ],
)
def test_signs_inside_plain_scalars_are_text(text: str, expected: Any) -> None:
    """A colon or question mark between other characters belongs to the scalar, as Go reads it."""
    assert [expected] == _data(text)


def test_places_do_not_move() -> None:
    """Offsets are those of the text as it stands."""
    text = "a: {url: https://host, id: 0302}\n"
    [document] = source.read_all(text, "f")

    assert document.tree is not None
    assert "https://host" == document.tree.raw(("a", "url"))
    assert [("GV010", 1, text.index("0302") + 1)] == [(f.code, f.place.line, f.place.column) for f in document.findings]


def test_documents_before_come_once() -> None:
    """Documents that were read before the sign came up are not read again."""
    assert [{"a": 1}, {"b": {"c": "d:e"}}, {"f": 2}] == _data("a: 1\n---\nb: {c: d:e}\n---\nf: 2\n")


def test_other_faults_stay() -> None:
    """A text that no reader takes is reported, at its own place."""
    findings = [finding for document in source.read_all("a: {b: c:d}\ne: [f\n", "f") for finding in document.findings]

    assert ["GV001"] == [finding.code for finding in findings]
