"""Text inside text: a YAML or CSV body in a scalar of a file, read so that its nodes stand at places of the file.

In a literal block (`|`) every line of the inner text is the end of a line of the outer one, so that each inner offset has
an outer one. In folded and quoted scalars it has none: there everything stands where the scalar does.
"""

from bisect import bisect_right

from genvalues import source
from genvalues.finding import Finding, Origin, Place, Related, Route
from genvalues.lint import rows
from genvalues.lint.part import Raw, raw_of
from genvalues.place import Tree, locate
from genvalues.record import NamedTuple


class Inner(NamedTuple):
    """One document of an inner text: its tree with origins in the outer text, its scalars as typed, faults of the text.

    `exact` says whether its places are its own, or all that of the scalar. `tree` is None where the text is no YAML.
    """

    tree: Tree | None
    raw: Raw
    findings: tuple[Finding, ...]
    exact: bool


class Window(NamedTuple):
    """Where the inner lines start: in the inner text, and in the outer one."""

    inner: tuple[int, ...]
    outer: tuple[int, ...]

    def out(self, offset: int) -> int:
        """The outer offset of an inner one."""
        line = bisect_right(self.inner, offset) - 1
        return self.outer[line] + offset - self.inner[line]


def documents(tree: Tree, route: Route, text: str) -> list[Inner]:
    """The YAML documents of the text `text`, which the scalar at `route` of `tree` holds."""
    origin = tree.at(route)
    view = window(tree.texts[origin.file], origin, text)
    found = []
    for document in source.read_all(text, origin.file):
        faults = tuple(_moved(finding, tree, origin, view) for finding in document.findings)
        if document.tree is None:
            found.append(Inner(None, lambda _: None, faults, view is not None))
            continue
        moved = _outside(document.tree, tree, origin, view)
        found.append(Inner(moved, raw_of(document.tree), faults, view is not None))
    return found


def csv(tree: Tree, route: Route, text: str) -> Inner:
    """The DCGM CSV `text`, which the scalar at `route` of `tree` holds."""
    origin = tree.at(route)
    view = window(tree.texts[origin.file], origin, text)
    inner = rows.read(text, origin.file)
    return Inner(_outside(inner, tree, origin, view), raw_of(inner), (), view is not None)


def window(outer: str, origin: Origin, text: str) -> Window | None:
    """How the lines of `text` lie in the literal block at `origin`; None where the scalar is written another way."""
    if outer[origin.start : origin.start + 1] != "|":
        return None
    position = outer.find("\n", origin.start) + 1
    lines = text.removesuffix("\n").split("\n")
    inner, starts, offset = [], [], 0
    for line in lines:
        if position <= 0:
            return None
        newline = outer.find("\n", position)
        end = len(outer) if newline < 0 else newline
        shown = outer[position:end].removesuffix("\r")
        if not shown.endswith(line) or shown[: len(shown) - len(line)].strip(" "):
            return None
        inner.append(offset)
        starts.append(position + len(shown) - len(line))
        offset += len(line) + 1
        position = newline + 1
    return Window(tuple(inner), tuple(starts))


def _outside(inner: Tree, tree: Tree, origin: Origin, view: Window | None) -> Tree:
    """A tree of the inner text with places in the outer one."""
    origins = {route: _out(place, origin, view) for route, place in inner.origin.items()}
    return Tree(inner.data, origins, tree.texts)


def _out(inner: Origin, scalar: Origin, view: Window | None) -> Origin:
    if view is None:
        return scalar
    start, end = view.out(inner.start), view.out(inner.end)
    return Origin(scalar.file, start, max(start, end), view.out(inner.key_start), view.out(inner.key_end))


def _moved(finding: Finding, tree: Tree, origin: Origin, view: Window | None) -> Finding:
    """A fault of the inner text at its place in the outer one."""
    related = tuple(Related(_place(other.place, tree, origin, view), other.message) for other in finding.related)
    return finding._replace(place=_place(finding.place, tree, origin, view), related=related)


def _place(place: Place, tree: Tree, origin: Origin, view: Window | None) -> Place:
    outer = tree.texts[origin.file]
    if view is None:
        return locate(origin.file, outer, origin.start, origin.end)
    line = min(place.line, len(view.inner)) - 1
    start = view.outer[line] + place.column - 1
    return locate(origin.file, outer, start, start + place.end_column - place.column)
