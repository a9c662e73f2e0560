"""The parts of a file's documents that can be judged: objects, values and what carries them, texts inside texts."""

from collections.abc import Iterator, Mapping
from typing import cast

from genvalues.document import Chart, Kind
from genvalues.finding import Finding, Json, Route
from genvalues.lint import block, carriers, charts, detect, layers, umbrella
from genvalues.lint.part import Part, raw_of
from genvalues.lint.textual import braces, counting
from genvalues.place import Tree, locate_route
from genvalues.record import NamedTuple
from genvalues.rules.linting import ASSUMED
from genvalues.rules.rule import Body

_OF_OPERATOR: frozenset[Kind] = frozenset(("cluster-policy", "nvidia-driver"))


class Asked(NamedTuple):
    """What the user says of the files: kind, chart, version; "" where nothing. `extra` are folders of contracts."""

    kind: str = ""
    chart: str = ""
    version: str = ""
    extra: tuple[str, ...] = ()

    def known(self, chart: str = "") -> Chart | None:
        """The chart version that the user names, if it is of that chart (any, if "")."""
        if not self.chart or chart not in ("", self.chart) or self.chart not in charts.known(self.extra):
            return None
        return charts.version(self.chart, self.version, self.extra).chart


class Collector:
    """Collects the parts of one file's documents, with findings about how it is taken and what is skipped."""

    def __init__(
        self,
        file: str,
        asked: Asked,
        sources: Mapping[tuple[str, str], tuple[str, str]],
        dependencies: Mapping[str, tuple[str, str]],
        *,
        several: bool,
    ) -> None:
        self.file = file
        self.asked = asked
        self.sources = sources
        self.dependencies = dependencies
        self.several = several
        self.parts: list[Part] = []
        self.findings: list[Finding] = []
        self.skipped: list[tuple[str, str]] = []

    def document(self, tree: Tree) -> list[Part]:
        """Read one document: its parts."""
        before = len(self.parts)
        data = tree.data
        if isinstance(data, dict) and data.get("kind") == "List" and isinstance(data.get("items"), list):
            for index, item in enumerate(data["items"]):
                self._object(tree, ("items", index), item)
        elif data is not None:
            self._object(tree, (), data)
        return self.parts[before:]

    def _object(self, tree: Tree, route: Route, data: Json) -> None:
        """Read one document, or one item of a List."""
        before, skipped = len(self.parts), len(self.skipped)
        kind = self._kind(data)
        taken: frozenset[Route] = frozenset()
        whole = Part(Body("manifest", data, self.file, route), tree, route, raw_of(tree, route))
        if kind in _OF_OPERATOR:
            self._add(whole._replace(body=whole.body._replace(kind=kind)), "gpu-operator", "", tree, route)
        elif kind is not None:
            self.parts.append(whole._replace(body=whole.body._replace(kind=kind, chart=self.asked.known())))
        elif carriers.is_carrier(data):
            taken = self._carried(whole)
        elif isinstance(data, dict) and (not {"apiVersion", "kind"} & data.keys() or self.asked.kind == "values"):
            self._values(whole, "")
        own = next((part.body.chart for part in self.parts[before:] if part.body.kind == "values"), self.asked.known())
        self._texts(tree, route, route, data, own, taken)
        if len(self.parts) == before and len(self.skipped) == skipped and carriers.source_of(data) is None:
            self._skip(whole, self._reason(data))

    def _kind(self, data: Json) -> Kind | None:
        """The kind of an object or body; what it says of itself goes before what the user says, and that before its looks."""
        if (kind := detect.object_kind(data)) is not None or carriers.is_carrier(data):
            return kind
        if self.asked.kind not in ("", "values"):
            return cast("Kind", self.asked.kind)
        return None if self.asked.kind else detect.body_kind(data)

    def _reason(self, data: Json) -> str:
        if carriers.is_carrier(data) and "kind" in data and data["kind"] != "Kustomization":
            return f"{data['kind']} that holds no Helm values"
        return detect.reason(data, charts.recognised(data, self.asked.extra))

    def _skip(self, part: Part, reason: str) -> None:
        where = f"the document at line {self._line(part, ())}: " if self.several or part.body.base else ""
        self.skipped.append((self.file, where + reason))

    def _line(self, part: Part, route: Route) -> int:
        return locate_route(part.tree, (*part.inside, *route)).line

    # Values.

    def _values(self, part: Part, chart: str, version: str = "", at: tuple[Tree, Route] | None = None) -> bool:
        """Values of a chart ("": to be found out), or of an umbrella chart; whether they are of one that we know."""
        extra = self.asked.extra
        chart = umbrella.by_name(chart, extra) or chart
        known = chart in charts.known(extra)
        below = [] if known else umbrella.subcharts(part.body.data, self.dependencies, extra)
        if not chart and not below:
            chart = self._recognised(part.body.data)
        if chart in charts.known(extra):
            self._add(
                part._replace(body=part.body._replace(kind="values")), chart, version, *(at or (part.tree, part.inside))
            )
            return True
        for route, name, typed in below:
            inner = layers.below(part, route)
            self._add(inner, name, typed, inner.tree, inner.inside)
        return bool(below)

    def _recognised(self, data: Json) -> str:
        """The chart of values that nothing names: by their keys, by the user's word where they leave it open."""
        found = charts.recognised(data, self.asked.extra)
        if self.asked.chart and (self.asked.kind == "values" or not found or self.asked.chart in found):
            return self.asked.chart
        return found[0] if len(found) == 1 else ""

    def _add(self, part: Part, chart: str, typed: str, tree: Tree, at: Route) -> None:
        """Add a part of a chart, with the version to judge by: the user's, else the file's, else one that is said."""
        asked = self.asked.known(chart)
        named = self.asked.version if asked is not None else typed or _generated_for(part, chart)
        chosen = charts.version(chart, named, self.asked.extra)
        self.parts.append(part._replace(body=part.body._replace(chart=chosen.chart), assumed=bool(chosen.remark)))
        if chosen.remark:
            where = locate_route(tree, at, key=True)
            path = at if tree is not part.tree or at != part.inside else part.body.base
            finding = Finding(ASSUMED.code, ASSUMED.severity, chosen.remark, f"{chosen.fix} {self.file}", where, path)
            if all((known.message, known.place) != (finding.message, where) for known in self.findings):
                self.findings.append(finding)

    def _carried(self, whole: Part) -> frozenset[Route]:
        """The values that a document carries; the routes that they were read from."""
        taken: set[Route] = set()
        for release in carriers.releases(whole.body.data):
            held = [layer for route in release.values for layer in self._layers(whole, route)]
            chart, version = self.sources.get(release.refers, (release.chart, release.version))
            route, before = whole.inside, len(self.parts)
            settings = [
                layers.Setting(one.path, one.value, (*route, *one.at), (*route, *one.named), one.as_text)
                for one in release.sets
            ]
            part = layers.part(held, settings, whole.tree)
            if part is not None:
                body = part.body._replace(namespace=release.namespace, distribution=release.distribution)
                part = part._replace(body=body, partial=bool(release.elsewhere))
            if part is None:
                whose = f"the values of {chart}" if chart else "its values"
                where = f"{whose} are elsewhere ({release.elsewhere})" if release.elsewhere else "it holds no values"
                self._skip(whole, f"{release.what}: {where}")
            elif not self._values(part, chart, version, (whole.tree, (*route, *release.at))):
                unknown = f"genvalues knows no chart {chart}" if chart else detect.reason(part.body.data)
                self._skip(whole, f"{release.what}: {unknown}")
            other = Chart(chart, version) if chart else None
            own = next((one.body.chart for one in self.parts[before:]), other)
            for layer in held:
                self._texts(layer.tree, layer.inside, layer.base, layer.data, own)
            taken |= {(*route, *place) for place in release.values}
        return frozenset(taken)

    def _layers(self, whole: Part, route: Route) -> Iterator[layers.Layer]:
        """The mapping of values at a route, read where it is a text."""
        value, base = whole.value(route), (*whole.body.base, *route)
        inside = (*whole.inside, *route)
        if isinstance(value, dict):
            yield layers.Layer(value, whole.tree, inside, base, raw_of(whole.tree, inside))
        elif isinstance(value, str):
            for inner in self._inner(whole.tree, inside, value):
                if inner.tree is not None and isinstance(inner.tree.data, dict):
                    yield layers.Layer(inner.tree.data, inner.tree, (), base, inner.raw)

    def _inner(self, tree: Tree, inside: Route, text: str) -> Iterator[block.Inner]:
        """The documents of a text in a scalar; its faults are findings, unless it is a template."""
        documents = block.documents(tree, inside, text)
        faulty = any(one.tree is None or any(map(braces, one.findings)) for one in documents)
        if faulty and (why := detect.template(text)):
            line = locate_route(tree, inside).line
            self.skipped.append((self.file, f"the text at line {line}: {why}"))
            return
        for one in documents:
            self.findings += one.findings if one.tree is None else counting(one.findings)
            yield one

    # Texts.

    def _texts(
        self,
        tree: Tree,
        inside: Route,
        base: Route,
        data: Json,
        chart: Chart | None,
        taken: frozenset[Route] = frozenset(),
    ) -> None:
        """Bodies in the texts of a document: entries of ConfigMaps, of charts' values, of any other object."""
        if isinstance(data, (dict, list)):
            for step, value in data.items() if isinstance(data, dict) else enumerate(data):
                if (*inside, step) not in taken:
                    self._texts(tree, (*inside, step), (*base, step), value, chart, taken)
            return
        if not isinstance(data, str) or "\n" not in data:
            return
        kind = detect.text_kind(data)
        if kind == "dcgm-csv":
            inner = block.csv(tree, inside, data)
            if inner.tree is not None:
                self.parts.append(Part(Body(kind, inner.tree.data, self.file, base, chart), inner.tree, (), inner.raw))
        elif kind is not None:
            for one in self._inner(tree, inside, data):
                self._text(one, base, chart)
        elif base[-2:-1] == ("data",) and str(base[-1]).endswith((".yaml", ".yml")):
            self._values_in_text(tree, inside, base, data)

    def _text(self, inner: block.Inner, base: Route, chart: Chart | None) -> None:
        data = inner.tree.data if inner.tree else None
        kind = detect.object_kind(data) or detect.body_kind(data)
        if inner.tree is not None and kind in ("device-plugin", "mig-parted", "scheduler"):
            self.parts.append(Part(Body(kind, data, self.file, base, chart), inner.tree, (), inner.raw))

    def _values_in_text(self, tree: Tree, inside: Route, base: Route, text: str) -> None:
        """Helm values in an entry of a ConfigMap, as Flux's valuesFrom reads them: only where their keys leave no doubt."""
        documents = block.documents(tree, inside, text)
        data = documents[0].tree.data if len(documents) == 1 and documents[0].tree else None
        if len(charts.recognised(data, self.asked.extra)) == 1 and documents[0].tree is not None:
            self.findings += counting(documents[0].findings)
            body = Body("values", data, self.file, base)
            self._values(Part(body, documents[0].tree, (), documents[0].raw), "")
            self._texts(documents[0].tree, (), base, data, self.parts[-1].body.chart)


def _generated_for(part: Part, chart: str) -> str:
    """The version that the header of a file of ours names."""
    text = next(iter(part.tree.texts.values()))
    first = text[: text.find("\n") + 1]
    head, _, version = first.rstrip(".\n").partition(f" for {chart} ")
    return version if head.startswith("# Generated by genvalues from ") else ""
