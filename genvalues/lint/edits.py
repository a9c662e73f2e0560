"""Changes to values as edits of the text that they stand in, so that comments and layout stay.

An edit is made at the origin of a node. What a line holds besides the node decides whether it can be made: a node in a
flow collection goes with its comma, one on lines of its own goes with those lines, anything else stays.
"""

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy

from genvalues.finding import Json, Route, at_route
from genvalues.lint.part import Part
from genvalues.record import NamedTuple
from genvalues.wording import inline, key

_BEFORE_COMMA = re.compile(r"\s*,[ \t]*\Z")
_AFTER_COMMA = re.compile(r"[ \t]*,[ \t]*")


class Change(NamedTuple):
    """One change to the values of a part: `value` at `route`, under the key `name`; without a name the node goes."""

    route: Route
    name: str = ""
    value: Json = None


class Edit(NamedTuple):
    """Text to put in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


def edits(part: Part, changes: Sequence[Change]) -> list[Edit] | None:
    """The edits that make the changes; None where one of them cannot be made."""
    found: list[Edit] = []
    for change in [*(one for one in changes if one.name), *_lifted(part.body.data, changes)]:
        made = _edits(part, change)
        if made is None:
            return None
        found += made
    return found


def apply(text: str, edits_: Iterable[Edit]) -> str | None:
    """The text with the edits made; None where two of them overlap."""
    start = len(text)
    for edit in sorted(set(edits_), reverse=True):
        if edit.end > start:
            return None
        text = text[: edit.start] + edit.text + text[edit.end :]
        start = edit.start
    return text


def changed(data: Json, changes: Sequence[Change]) -> Json:
    """The values after the changes; maps that lose their last key go with it."""
    new = deepcopy(data)
    for change in changes:
        if change.name:
            node = at_route(new, change.route[:-1])
            step = change.route[-1]
            if isinstance(node, list) and isinstance(step, int):
                node[step] = change.value
            else:
                renamed = {
                    change.name if name == step else name: change.value if name == step else value
                    for name, value in node.items()
                }
                node.clear()
                node.update(renamed)
    for gone in _lifted(data, changes):
        del at_route(new, gone.route[:-1])[gone.route[-1]]
    return new


def _lifted(data: Json, changes: Sequence[Change]) -> list[Change]:
    """What goes: of maps of which everything goes, the map, as far up as there is a key for it."""
    gone = {change.route for change in changes if not change.name}
    while True:
        empty = {
            route[:-1]
            for route in gone
            if len(route) > 1
            and isinstance(route[-2], str)
            and all((*route[:-1], name) in gone for name in at_route(data, route[:-1]))
        }
        if not empty - gone:
            break
        gone |= empty
    return [
        Change(route)
        for route in sorted(gone, key=str)
        if not any(route[:length] in gone for length in range(len(route)))
    ]


def _edits(part: Part, change: Change) -> list[Edit] | None:
    route = (*part.inside, *change.route)
    origin, whole = part.tree.origin[route], part.tree.origin[part.inside]
    if origin[:3] == whole[:3]:
        return None  # a text in a folded or quoted scalar: its nodes have no places of their own
    text = part.tree.texts[origin.file]
    if change.name:
        typed = inline(change.value)
        edits_ = [] if isinstance(change.value, (dict, list)) else [Edit(origin.start, origin.end, typed)]
        if text[origin.start : origin.start + 1] in "|>&*!" or origin.start == origin.end:
            return None
        renames = isinstance(change.route[-1], str) and change.name != change.route[-1]
        return [*([Edit(origin.key_start, origin.key_end, key(change.name))] if renames else []), *edits_]
    return _removal(text, origin.key_start, origin.end)


def _removal(text: str, start: int, end: int) -> list[Edit] | None:
    """The removal of an entry of a mapping."""
    first = text.rfind("\n", 0, start) + 1
    newline = text.find("\n", end)
    last = len(text) if newline < 0 else newline + 1
    rest = text[end:last].strip()
    if not text[first:start].strip() and end > start and text[end - 1] == "\n":
        return [Edit(first, end, "")]  # a block scalar ends with its last line
    if not text[first:start].strip() and (not rest or rest.startswith("#")):
        return [Edit(first, last, "")]
    if comma := _AFTER_COMMA.match(text, end):
        return [Edit(start, comma.end(), "")]
    if comma := _BEFORE_COMMA.search(text, 0, start):
        return [Edit(comma.start(), end, "")]
    return None
