"""Ways through values: patterns of paths, and where a walk from the root stands in a contract."""

from collections.abc import Mapping
from typing import Any

from genvalues.finding import Json, Route
from genvalues.record import NamedTuple

Record = Mapping[str, Any]
"""What a contract's file says about one path, or about one field below a block; see tools/contract_build.py."""

OPEN = "?"
"""In a `Spot`: below a block of which no fields are known, so that anything goes."""


class Spot(NamedTuple):
    """Where a walk from the root of values has come to.

    `key` is the path's pattern, None below what the chart names. `blocks` are the blocks that go out whole and hold this
    spot: the block's pattern, and the pattern of the field below it, OPEN, or None where its kind has no such field.
    """

    key: str | None
    blocks: tuple[tuple[str, str | None], ...]


ROOT = Spot("", ())


def match(table: Mapping[str, Record], key: str, step: str | int) -> str | None:
    """The pattern one step below `key` in a table of patterns: the name itself, or any element."""
    if isinstance(step, int):
        item = f"{key}[]"
        return item if item in table else None
    name = step.replace(".", "\\.")
    named = f"{key}.{name}" if key else name
    if named in table and "[" not in name:
        return named
    element = f"{key}.*" if key else "*"
    return element if element in table else None


def join(route: Route) -> str:
    """The pattern of a route without elements of maps."""
    text = ""
    for step in route:
        name = "[]" if isinstance(step, int) else step.replace(".", "\\.")
        text += name if name == "[]" else f".{name}" if text else name
    return text


def over(lower: Json, upper: Json) -> Json:
    """Values merged as Helm merges them: maps key by key, anything else replaced, null removes."""
    if upper is None:
        return lower
    if not isinstance(lower, dict) or not isinstance(upper, dict):
        return upper
    merged = dict(lower)
    for key, value in upper.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = over(merged.get(key), value)
    return merged


def kind(value: Json) -> str:
    """The type of a value, as entries name it; "any" for null."""
    for python, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, python):
            return name
    return "any"


def step_end(key: str, start: int) -> int:
    """Where the step of a pattern that begins at `start` ends."""
    end = start + 1
    while end < len(key) and not (key[end] in ".[" and key[end - 1] != "\\"):
        end += 1
    return end
