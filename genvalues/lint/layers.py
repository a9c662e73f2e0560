"""Values in layers: several mappings, and single values as on helm's command line, merged as Helm merges them.

Every node keeps the place and the path that it has in the file.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from genvalues.finding import Json, Origin, Route
from genvalues.lint.part import Part, Raw
from genvalues.place import Tree
from genvalues.record import NamedTuple
from genvalues.rules.rule import Body


class Layer(NamedTuple):
    """One mapping of values: at `inside` of `tree`, at `base` of the file's document."""

    data: Json
    tree: Tree
    inside: Route
    base: Route
    raw: Raw


class Setting(NamedTuple):
    """One value of a command line: where it goes, what it is, and the routes of the document that give value and path."""

    path: str
    value: Json
    route: Route
    named: Route
    as_text: bool


_Paths = dict[Route, Route]


class _Merged:
    def __init__(self, document: Tree, start: Origin) -> None:
        self.document = document
        self.data: dict[str, Json] = {}
        self.origin: dict[Route, Origin] = {(): start}
        self.paths: _Paths = {}
        self.raws: dict[Route, tuple[Raw, Route]] = {}

    def lay(self, layer: Layer, data: Json, route: Route, into: dict[str, Json]) -> None:
        """Lay a mapping over what is there."""
        for key, value in data.items():
            below = (*route, key)
            if isinstance(value, dict) and isinstance(into.get(key), dict):
                self._mark(layer, below)
                self.lay(layer, value, below, into[key])
                continue
            self._forget(below)
            into[key] = self._copy(layer, value, below)

    def _copy(self, layer: Layer, value: Json, route: Route) -> Json:
        self._mark(layer, route)
        if isinstance(value, dict):
            return {key: self._copy(layer, child, (*route, key)) for key, child in value.items()}
        if isinstance(value, list):
            return [self._copy(layer, child, (*route, index)) for index, child in enumerate(value)]
        return value

    def _mark(self, layer: Layer, route: Route) -> None:
        self.origin[route] = layer.tree.at((*layer.inside, *route))
        self.paths[route] = (*layer.base, *route)
        self.raws[route] = (layer.raw, route)

    def set(self, setting: Setting) -> None:
        """Set a single value; a path that runs into a list or a scalar replaces it, as helm does."""
        steps = steps_of(setting.path)
        node: Json = self.data
        value, named = self.document.at(setting.route), self.document.at(setting.named)
        start, end = (named.key_start, named.key_end) if setting.named == setting.route else (named.start, named.end)
        origin = Origin(value.file, value.start, value.end, start, end)
        for index, (step, following) in enumerate(pairwise(steps)):
            node = _child(node, step, [] if isinstance(following, int) else {})
            self.origin.setdefault(steps[: index + 1], origin)
            self.paths.setdefault(steps[: index + 1], setting.route)
        self._forget(steps)
        _put(node, steps[-1], setting.value if setting.as_text else typed(setting.value))
        self.origin[steps] = origin
        self.paths[steps] = setting.route

    def _forget(self, route: Route) -> None:
        for record in (self.origin, self.paths, self.raws):
            for known in [one for one in record if one[: len(route)] == route]:
                del record[known]

    def raw(self, route: Route) -> str | None:
        """A scalar as typed; None where a setting gave it."""
        known = self.raws.get(route)
        return known[0](known[1]) if known else None


def part(layers: Sequence[Layer], settings: Iterable[Setting], document: Tree) -> Part | None:
    """The values of one release; None where the document holds none. `settings` have routes of `document`."""
    settings = tuple(settings)
    file = document.origin[()].file
    if len(layers) == 1 and not settings:
        layer = layers[0]
        body = Body("values", layer.data, file, layer.base)
        return Part(body, layer.tree, layer.inside, layer.raw)
    if not layers and not settings:
        return None
    merged = _Merged(document, layers[0].tree.at(layers[0].inside) if layers else document.at(settings[0].route))
    for layer in layers:
        merged.lay(layer, layer.data, (), merged.data)
    for setting in settings:
        if steps_of(setting.path):
            merged.set(setting)
    tree = Tree(merged.data, merged.origin, document.texts)
    return Part(Body("values", merged.data, file), tree, (), merged.raw, merged.paths)


def steps_of(path: str) -> Route:
    r"""The route of a `--set` path: `a.b\.c[0].d` is ("a", "b.c", 0, "d"); empty where it is none."""
    steps: list[str | int] = []
    for name in re.split(r"(?<!\\)\.", path):
        match = re.fullmatch(r"(.*?)((?:\[\d{1,4}\])*)", name)
        if match is None or not match[1]:
            return ()
        steps.append(match[1].replace("\\.", "."))
        steps += [int(index) for index in re.findall(r"\d+", match[2])]
    return tuple(steps)


def typed(value: Json) -> Json:
    """What helm makes of a value behind `--set` (strvals): words, and whole numbers without a leading zero; else text."""
    if not isinstance(value, str):
        return value
    words: dict[str, Json] = {"true": True, "false": False, "null": None}
    if value.lower() in words:
        return words[value.lower()]
    return int(value) if re.fullmatch(r"0|-?[1-9]\d{0,17}", value) else value


def _child(node: Json, step: str | int, empty: Json) -> Json:
    """The collection at a step, of the kind of `empty`; made where there is none."""
    present = (
        node.get(step) if isinstance(node, dict) else node[step] if isinstance(step, int) and step < len(node) else None
    )
    if type(present) is not type(empty):
        _put(node, step, empty)
        return empty
    return present


def _put(node: Json, step: str | int, value: Json) -> None:
    if isinstance(node, list) and isinstance(step, int):
        node.extend([None] * (step + 1 - len(node)))
    node[step] = value


def below(part_: Part, route: Route) -> Part:
    """The part of an umbrella chart's values that a subchart gets."""
    body = Body("values", part_.value(route), part_.body.file, (*part_.body.base, *route))
    paths = {known[len(route) :]: path for known, path in part_.paths.items() if known[: len(route)] == route}

    def raw(inner: Route) -> str | None:
        return part_.raw((*route, *inner))

    return Part(body, part_.tree, (*part_.inside, *route), raw, paths, below=True, partial=part_.partial)
