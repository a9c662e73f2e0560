"""The pass over libyaml's events that makes data and origins: what the YAML specification calls composing.

An alias stands where it is written, and what is below it where it was written once, at the anchor: that is the text to
correct. The same goes for keys that a merge key (`<<`) brings. Both are copied, so they count against the limits.

Scalars that readers disagree on keep the value that Helm reads, and have a finding: what judges the data later need not
speak at such a place again.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn

from genvalues import faults, libyaml
from genvalues.faults import Fault
from genvalues.finding import Finding, Json, Origin, Place, Related, Route
from genvalues.place import Tree, locate
from genvalues.record import NamedTuple
from genvalues.scalar import Misread, resolve

MAX_DEPTH = 64
"""Collections in one another; libyaml takes time that grows with the square of the depth."""
MAX_NODES = 50_000
"""Of a document, with what its aliases stand for."""
MAX_FINDINGS = 500
"""Of a text; nobody reads more, and a megabyte holds half a million."""

_PROPERTIES = r"(?:[!&]\S*\s+)+"      # tag and anchor before a node
_TAG = "tag:yaml.org,2002:"
_JSON_TAGS = {_TAG + "int": int, _TAG + "float": float, _TAG + "bool": bool, _TAG + "null": type(None)}


def documents(text: str, file: str) -> Iterator[tuple[Tree | None, tuple[Finding, ...]]]:
    """Every document of a text with its findings. A fault that ends the reading comes last, without a tree."""
    return _Composer(text, file).documents()


def finding(fault: Fault, place: Place, route: Route = (), related: tuple[Related, ...] = ()) -> Finding:
    """The finding that a fault of the text becomes."""
    return Finding(fault.code, "error", fault.message, fault.fix, place, route, related)


class _EndedError(Exception):
    """The reading has ended with a finding."""


class _Anchor(NamedTuple):
    """A node that aliases can repeat: how many nodes it is, itself included, and how many levels are below it."""

    data: Json
    route: Route
    nodes: int
    height: int


class _Composer:
    """One pass over the events of a text. Methods follow the grammar; the state is that of one document."""

    def __init__(self, text: str, file: str, hidden: str | None = None) -> None:
        self._text = text
        self._file = file
        self._hidden = hidden  # the text with signs that libyaml does not take hidden: see `libyaml.masked`
        self._start_document()

    def _start_document(self) -> None:
        self._origin: dict[Route, Origin] = {}
        self._findings: list[Finding] = []
        self._anchors: dict[str, _Anchor | None] = {}      # None: still open
        self._nodes = 0
        self._deepest = 0
        self._last = 0                                      # offset behind the last scalar, alias or bracket

    def documents(self) -> Iterator[tuple[Tree | None, tuple[Finding, ...]]]:
        made = 0
        try:
            parser = libyaml.Parser(self._hidden or self._text)
            self._next = parser.get_event if self._hidden is None else lambda: libyaml.unmasked(parser.get_event())
            while parser.check_event():
                if type(self._next()) is libyaml.DocumentStart:
                    self._start_document()
                    data = self._node(self._next(), (), None, 1)
                    yield Tree(data, self._origin, {self._file: self._text}), tuple(self._findings)
                    self._findings = []
                    made += 1
        except _EndedError:
            yield None, tuple(self._findings)
        except (*libyaml.SyntaxErrors, *libyaml.CharacterErrors) as error:
            hidden = libyaml.masked(self._text, error) if self._hidden is None else None
            if hidden is not None:
                yield from islice(_Composer(self._text, self._file, hidden).documents(), made, None)
                return
            from genvalues.syntax import explain  # noqa: PLC0415  only faulty texts need the words

            yield None, (*self._findings, explain(error, self._file, self._text))

    def _node(self, event: Any, route: Route, key: tuple[int, int] | None, depth: int) -> Json:
        """The node that starts with `event`, and its origin; `key` are the offsets of its key in a mapping."""
        start = event.start_mark.index
        kind = type(event)
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._end(faults.too_many_nodes(MAX_NODES), start, event.end_mark.index)
        if kind is libyaml.Alias:
            self._last = event.end_mark.index
            data = self._alias(event.anchor, route, start, depth)
        elif event.anchor is not None:
            start = self._behind_properties(event)
            data = self._anchored(event, route, start, depth)
        else:
            if event.tag is not None:
                start = self._behind_properties(event)
            data = self._plain_node(event, route, start, depth)
        key_start, key_end = key or (start, self._last)
        self._origin[route] = Origin(self._file, start, self._last, key_start, key_end)
        return data

    def _plain_node(self, event: Any, route: Route, start: int, depth: int) -> Json:
        kind = type(event)
        if kind is libyaml.Scalar:
            self._last = event.end_mark.index
            return self._scalar(event, route, start)
        if depth > self._deepest:
            self._check_depth(depth, start, event.end_mark.index)
        if event.tag is not None and event.tag != _TAG + ("map" if kind is libyaml.MappingStart else "seq"):
            self._refuse_tag(event, route)
        return self._mapping(route, depth) if kind is libyaml.MappingStart else self._sequence(route, depth)

    def _sequence(self, route: Route, depth: int) -> list[Json]:
        data: list[Json] = []
        event = self._next()
        while type(event) is not libyaml.SequenceEnd:
            data.append(self._node(event, (*route, len(data)), None, depth + 1))
            event = self._next()
        self._close(event)
        return data

    def _mapping(self, route: Route, depth: int) -> dict[str, Json]:
        data: dict[str, Json] = {}
        merges = False
        event = self._next()
        while type(event) is not libyaml.MappingEnd:
            start = event.start_mark.index
            name = self._key(event, route, depth)
            key = (start, self._last)
            below = (*route, name)
            if below in self._origin:
                self._repeat(below, key)
            merges = merges or (name == "<<" and self._text[start] == "<")
            data[name] = self._node(self._next(), below, key, depth + 1)
            event = self._next()
        self._close(event)
        if merges:
            self._merge(data, data.pop("<<"), route)
        return data

    def _close(self, event: Any) -> None:
        """A flow collection ends behind its bracket, a block collection with the last node in it.

        For the end of the latter libyaml gives the start of the next token.
        """
        if event.end_mark.index > event.start_mark.index:
            self._last = event.end_mark.index

    def _key(self, event: Any, route: Route, depth: int) -> str:
        """The key that starts with `event`; one that is no text keeps its spelling."""
        start = event.start_mark.index
        if type(event) is libyaml.Scalar and event.tag is None and event.anchor is None:
            self._last = event.end_mark.index
            name: str = event.value
            value = resolve(name) if event.implicit[0] else name
        else:
            value = self._node(event, (*route, "?"), None, depth + 1)
            name = value if isinstance(value, str) else self._text[start : self._last]
        if type(value) is Misread and value.is_word:
            self._report(faults.misread_key(name), start, self._last, (*route, name))
        elif not isinstance(value, str):
            self._report(faults.key_not_text(name, value), start, self._last, (*route, name))
        return name

    def _scalar(self, event: Any, route: Route, start: int) -> Json:
        text: str = event.value
        if event.tag is not None:
            return self._tagged(event, route)
        if not event.implicit[0]:
            return text
        value = resolve(text)
        if type(value) is Misread:
            self._report(faults.misread(text, route, value.is_word), start, self._last, route)
            return value.value
        return value

    def _tagged(self, event: Any, route: Route) -> Json:
        """A scalar with a tag: `!!str` makes it text, the tags of JSON's other types must say what it is anyway."""
        if event.tag in {"!", _TAG + "str"}:
            return event.value
        value = resolve(event.value) if not event.style else event.value
        if _JSON_TAGS.get(event.tag) is not type(value):
            self._refuse_tag(event, route)
        return value.value if isinstance(value, Misread) else value

    def _anchored(self, event: Any, route: Route, start: int, depth: int) -> Json:
        nodes, deepest = self._nodes, self._deepest
        self._anchors[event.anchor] = None
        self._deepest = depth
        data = self._plain_node(event, route, start, depth)
        self._anchors[event.anchor] = _Anchor(data, route, self._nodes - nodes + 1, self._deepest - depth)
        self._deepest = max(deepest, self._deepest)
        return data

    def _alias(self, name: str, route: Route, start: int, depth: int) -> Json:
        if name not in self._anchors:
            self._report(faults.no_anchor(name, list(self._anchors)), start, self._last, route)
            return None
        anchor = self._anchors[name]
        if anchor is None:
            self._end(faults.alias_in_itself(name), start, self._last, route)
        self._check_depth(depth + anchor.height, start, self._last)
        self._nodes += anchor.nodes
        if self._nodes > MAX_NODES:
            self._end(faults.too_much_repeated(name, MAX_NODES), start, self._last, route)
        self._copy(anchor.data, anchor.route, route)
        return anchor.data

    def _merge(self, data: dict[str, Json], merged: Json, route: Route) -> None:
        """What `<<` means: the keys of other mappings, of the first of them first, where the mapping has none itself."""
        listed = isinstance(merged, list)
        for index, source in enumerate(merged if listed else [merged]):
            below: Route = (*route, "<<", index) if listed else (*route, "<<")
            if not isinstance(source, dict):
                origin = self._origin[below]
                typed = self._text[origin.start : origin.end]
                self._report(faults.merges_no_mapping(typed), origin.start, origin.end, below)
                continue
            for name in [name for name in source if name not in data]:
                data[name] = source[name]
                self._origin[(*route, name)] = self._origin[(*below, name)]
                self._copy(source[name], (*below, name), (*route, name))

    def _copy(self, data: Json, old: Route, new: Route) -> None:
        """Give every node below `new` the origin of its double below `old`."""
        for step, value in children(data):
            self._origin[(*new, step)] = self._origin[(*old, step)]
            self._copy(value, (*old, step), (*new, step))

    def _repeat(self, route: Route, key: tuple[int, int]) -> None:
        first = self._origin[route]
        place = locate(self._file, self._text, first.key_start, first.key_end)
        self._report(faults.repeated(str(route[-1])), *key, route, (Related(place, "it stands here first"),))

    def _refuse_tag(self, event: Any, route: Route) -> None:
        start = self._text.index("!", event.start_mark.index)
        typed = re.split(r"[\s,\]}]", self._text[start : start + 200], maxsplit=1)[0]
        self._report(faults.tag_refused(typed), start, start + len(typed), route)

    def _behind_properties(self, event: Any) -> int:
        """Where the node itself starts, behind its tag and anchor; libyaml counts these in."""
        start, end = event.start_mark.index, event.end_mark.index
        match = re.compile(_PROPERTIES).match(self._text, start)
        behind: int = match.end() if match else end
        return min(behind, end) if type(event) is libyaml.Scalar else behind

    def _check_depth(self, depth: int, start: int, end: int) -> None:
        self._deepest = max(self._deepest, depth)
        if depth > MAX_DEPTH:
            self._end(faults.too_deep(MAX_DEPTH), start, end)

    def _report(
        self, fault: Fault, start: int, end: int, route: Route = (), related: tuple[Related, ...] = ()
    ) -> None:
        self._findings.append(finding(fault, locate(self._file, self._text, start, end), route, related))
        if len(self._findings) == MAX_FINDINGS:
            self._end(faults.too_many_faults(MAX_FINDINGS), start, end)

    def _end(self, fault: Fault, start: int, end: int, route: Route = ()) -> NoReturn:
        self._report(fault, start, end, route)
        raise _EndedError


def children(data: Json) -> Sequence[tuple[str | int, Json]]:
    """The nodes right below one, each with its step; none below a scalar."""
    if isinstance(data, dict):
        return tuple(data.items())
    return tuple(enumerate(data)) if isinstance(data, list) else ()
