"""What a chart's own files do not tell, written by hand from the sources of operators and daemons.

effects.json, read by every check:

    needs    below `path` nothing acts unless `when` holds (null: ever); `names` limits it to entries of an env list
    broken   a key that a template reads, to no good
    lists    an entry of a default list that is lost, to bad effect, when the list is replaced
    refused  a value (any, if the line names none) that is not stood, unless a condition holds
    below    keys that a daemon knows in a file that the chart only passes on

remarks.json, read only where there is something to say:

    moved    what took the place of a key, and how its values translate
    notes    what to know about a key
    images   what images.json cannot tell: what switches an image on, whether the operator appends an OS tag

Each line has `since` and `until` where it holds only for some versions, and its `source`.
"""

import json
import os.path
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from genvalues.contracts.conditions import alternatives
from genvalues.contracts.entry import Gate, Replaced
from genvalues.record import NamedTuple

Line = Mapping[str, Any]


class Need(NamedTuple):
    """A gate for a path and all below it, but for the paths in `but`. `names`: only env entries of these names."""

    gate: Gate
    but: tuple[str, ...]
    names: frozenset[str]


class Lost(NamedTuple):
    """A default list entry {name, value} whose loss makes the component fall back to `then`."""

    name: str
    value: str
    then: str


class Refused(NamedTuple):
    """A value (true or false; `any_value`: whatever it is) that is not stood, and why. `unless`: where it is after all."""

    value: Any
    any_value: bool
    unless: Gate | None
    why: str
    source: str


class Effects(NamedTuple):
    """The lines of effects.json that hold for one chart version, by path (a pattern of the contract, see Entry)."""

    needs: Mapping[str, tuple[Need, ...]]
    broken: Mapping[str, str]
    lists: Mapping[str, tuple[Lost, ...]]
    refused: Mapping[str, Refused]
    below: Mapping[str, Mapping[str, Line]]


class Remarks(NamedTuple):
    """The lines of remarks.json that hold for one chart version, by path; images by component."""

    moved: Mapping[str, Replaced]
    notes: Mapping[str, str]
    images: Mapping[str, Line]


def effects(folder: str, version: str) -> Effects:
    """The effects of one version of the chart whose contracts lie in `folder`."""
    lines = _lines(folder, "effects.json", Effects._fields, version)
    needs: dict[str, tuple[Need, ...]] = {}
    for line in lines["needs"]:
        any_of = () if line["when"] is None else alternatives(line["when"])
        gate = Gate(any_of, "operator", line["why"], line["source"])
        need = Need(gate, tuple(line.get("but", ())), frozenset(line.get("names", ())))
        for path in _paths(line):
            needs[path] = (*needs.get(path, ()), need)
    lists: dict[str, tuple[Lost, ...]] = {}
    for line in lines["lists"]:
        for path in _paths(line):
            lists[path] = (*lists.get(path, ()), Lost(line["name"], line["value"], line["then"]))
    broken = {path: line["why"] for line in lines["broken"] for path in _paths(line)}
    refused = {path: _refused(line) for line in lines["refused"] for path in _paths(line)}
    below = {path: line["fields"] for line in lines["below"] for path in _paths(line)}
    return Effects(needs, broken, lists, refused, below)


def remarks(folder: str, version: str) -> Remarks:
    """The remarks on one version of the chart whose contracts lie in `folder`."""
    lines = _lines(folder, "remarks.json", Remarks._fields, version)
    return Remarks(
        {path: _replaced(line) for line in lines["moved"] for path in _paths(line)},
        {path: line["note"] for line in lines["notes"] for path in _paths(line)},
        {line["component"]: line for line in lines["images"]},
    )


def _lines(folder: str, name: str, sections: Sequence[str], version: str) -> dict[str, list[Line]]:
    data = _read(os.path.join(folder, name))
    now = numbers(version)
    return {section: [line for line in data.get(section, ()) if _holds(line, now)] for section in sections}


@cache
def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers, for comparison: (25, 10, 1)."""
    return tuple(int(part) for part in version.removeprefix("v").partition("-")[0].split(".") if part.isdecimal())


def _holds(line: Line, version: tuple[int, ...]) -> bool:
    """Whether a line is for a version. `until` includes all patches of what it names."""
    until = numbers(line["until"]) if "until" in line else None
    return (until is None or version[: len(until)] <= until) and numbers(line.get("since", "")) <= version


def _paths(line: Line) -> Sequence[str]:
    path: str | Sequence[str] = line["path"]
    return [path] if isinstance(path, str) else path


def _refused(line: Line) -> Refused:
    unless = Gate(alternatives(line["unless"])) if "unless" in line else None
    return Refused(line.get("value"), "value" not in line, unless, line["why"], line["source"])


def _replaced(line: Line) -> Replaced:
    values = line.get("values")
    translated = None if values is None else tuple((old, new) for old, new in values)
    return Replaced(line["to"], translated, line.get("note", ""))


@cache
def _read(file: str) -> Mapping[str, Sequence[Line]]:
    if not os.path.isfile(file):
        return {}
    with open(file, "rb") as stream:
        data: Mapping[str, Sequence[Line]] = json.load(stream)
    return data
