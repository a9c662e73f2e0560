"""Words that every layer shares: routes, origins, hits and findings.

A *route* says where something is in data; an *origin* says where it is in a text. Rules speak in routes (`Hit`);
`place.py` turns a hit into a `Finding` with file, line and column, and `report/` prints findings.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from genvalues.record import NamedTuple

Json = Any
"""Plain data: None, bool, int, float, str, list or dict (keys are str)."""

Route = tuple[str | int, ...]
"""Keys and list indices from the root of a document: ("hardware", "pools", 0, "gpu", "model")."""

Severity = Literal["error", "warning", "info"]

Verdict = Literal["ignored", "inert", "pruned", "refused", "mistyped", "undocumented"]
"""What becomes of a chart value: no template reads it; switched off by another setting; dropped by the CRD;
rejected by the API server or the component; of a type that Go reads otherwise; works, but upstream does not say so."""

At = Literal["value", "key"]


class Origin(NamedTuple):
    """Where a node stands in its text: offsets in code points, `start` included and `end` excluded.

    For a mapping entry `key_start`/`key_end` delimit the key; elsewhere they repeat the value's own.
    """

    file: str
    start: int
    end: int
    key_start: int
    key_end: int


class Hit(NamedTuple):
    """What a rule says: the route at fault, what is wrong with the values in it, and a fix that one can type.

    `pools` names the pools that the fault is about, where its route does not tell (a line that several pools share).
    `rendered` is the file of the rendering, and the route in it, that the fault shows in, where it shows in one.
    """

    route: Route
    message: str
    fix: str
    related: tuple[tuple[Route, str], ...] = ()
    at: At = "value"
    verdict: Verdict | None = None
    pools: tuple[str, ...] = ()
    rendered: tuple[str, Route] | None = None


class Place(NamedTuple):
    """A spot in a text, as editors count: line and column from 1, columns in code points; `excerpt` is its line."""

    file: str
    line: int
    column: int
    end_column: int
    excerpt: str


class Related(NamedTuple):
    """A second place that belongs to a finding, with what it has to do with it."""

    place: Place
    message: str


class Finding(NamedTuple):
    """A rule's verdict with a place. `path` is the route in the file that `place` names."""

    code: str
    severity: Severity
    message: str
    fix: str
    place: Place
    path: Route
    related: tuple[Related, ...] = ()
    verdict: Verdict | None = None


def at_route(data: Json, route: Route) -> Json:
    """The node at `route`; KeyError or IndexError where there is none."""
    for step in route:
        data = data[step]
    return data


def exists(data: Json, route: Route) -> bool:
    """Whether `data` has a node at `route`."""
    try:
        at_route(data, route)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def node_at(data: Json, route: Route) -> Json:
    """The node at `route`; None where there is none."""
    for step in route:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def format_route(route: Route) -> str:
    """The public spelling of a route: `pools[0].labels["example.com/row"]`; the document itself is the empty string."""
    text = ""
    for step in route:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _plain(step):
            text += f".{step}" if text else step
        else:
            escaped = step.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{escaped}"]'
    return text


def parse_route(text: str) -> Route:
    """The route that `format_route` spells as `text`; ValueError where it spells none."""
    route: list[str | int] = []
    position = 0
    while position < len(text):
        if text[position] == "[":
            step, position = _bracket(text, position)
        else:
            if text[position] == "." and route:
                position += 1
            end = position
            while end < len(text) and text[end] not in ".[":
                end += 1
            if end == position:
                raise ValueError(f"empty step at character {position + 1} of {text!r}")
            step, position = text[position:end], end
        route.append(step)
    return tuple(route)


def count_by_severity(findings: Sequence[Finding]) -> Mapping[Severity, int]:
    """How many findings there are of each severity, worst first."""
    counts: dict[Severity, int] = {"error": 0, "warning": 0, "info": 0}
    for finding in findings:
        counts[finding.severity] += 1
    return counts


def _plain(step: str) -> bool:
    return bool(step) and all(c.isascii() and (c.isalnum() or c in "_-") for c in step)


def _bracket(text: str, start: int) -> tuple[str | int, int]:
    if text[start + 1 : start + 2] != '"':
        end = text.find("]", start)
        digits = text[start + 1 : end] if end > 0 else ""
        if not digits.isdecimal():
            raise ValueError(f"no list index at character {start + 1} of {text!r}")
        return int(digits), end + 1
    step, position = "", start + 2
    while position < len(text) and text[position] != '"':
        position += text[position] == "\\"
        step += text[position : position + 1]
        position += 1
    if text[position : position + 2] != '"]':
        raise ValueError(f"unclosed bracket at character {start + 1} of {text!r}")
    return step, position + 2
