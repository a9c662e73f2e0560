"""One chart version's contract: looking paths up, and handing values to the judge."""

import json
import os.path
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any

from genvalues import paths
from genvalues.contracts import entries
from genvalues.contracts.conditions import alternatives, failing, route_of
from genvalues.contracts.effects import Effects, Need, Remarks, effects, remarks
from genvalues.contracts.entry import Entry, Gate, Image, Replaced
from genvalues.contracts.walk import OPEN, ROOT, Record, Spot, join, match, over, step_end
from genvalues.finding import Hit, Json, Route, Severity, Verdict, node_at
from genvalues.record import NamedTuple

VERDICT_CODES: Mapping[Verdict, tuple[str, Severity]] = {
    "ignored": ("GV901", "error"),
    "inert": ("GV902", "error"),
    "pruned": ("GV903", "error"),
    "refused": ("GV904", "error"),
    "mistyped": ("GV905", "error"),
    "undocumented": ("GV906", "info"),
}
"""The rule that a verdict on a chart value belongs to, and its severity."""

Raw = Callable[[Route], str | None]
Loader = Callable[[str, str], "Contract | None"]


class Subchart(NamedTuple):
    """A subchart with a contract of its own, its defaults overlaid with the parent's, and the parent's condition on it."""

    contract: "Contract"
    gate: Gate


class Contract:
    """What one version of a chart accepts. Routes are routes of a values file of that chart."""

    def __init__(self, data: Mapping[str, Any], folder: str, version: str, loader: Loader) -> None:
        self.chart: str = data["chart"]
        self.version = version
        self.paths: Mapping[str, Record] = data["paths"]
        self.shapes: Mapping[str, Mapping[str, Record]] = data["shapes"]
        self._guards = data["guards"]
        self._subcharts = data["subcharts"]
        self._folder = folder
        self._loader = loader
        self._gates: dict[str, Gate] = {}
        self._overlay: Json = None

    @property
    def is_overlaid(self) -> bool:
        """Whether a parent chart's values lie over the defaults."""
        return self._overlay is not None

    @classmethod
    def read(cls, file: str, version: str, loader: Loader) -> "Contract":
        """The contract in a file (values.json), spoken of as `version`."""
        folder, name = os.path.split(file)
        return cls(_read(folder, name), folder, version, loader)

    def at(self, route: Route) -> Entry | None:
        """What is known of the node at `route`; None where the chart does not know the path.

        Below a block that goes out whole every path that the receiving kind knows has an entry, and any path where its
        fields are not known.
        """
        if route and (sub := self.subcharts.get(str(route[0]))) is not None and len(route) > 1:
            entry = sub.contract.at(route[1:])
            return None if entry is None else entries.inside(entry, str(route[0]), sub.gate)
        if len(route) == 1 and route[0] in self.subcharts:
            return Entry(str(route[0]), "container", "object", self.default(route))
        spot = self._spot(route)
        if spot.key:
            return entries.named(self, spot.key)
        for block, field in reversed(spot.blocks):
            if field is not None:
                return entries.passed(self, block, field, route)
        globals_ = (sub.contract.at(route) for sub in self.subcharts.values()) if route[:1] == ("global",) else ()
        return next((entry for entry in globals_ if entry is not None), None)

    def default(self, route: Route) -> Json:
        """The chart's own value at `route` (lists and maps whole); None where it has none."""
        if route and (sub := self.subcharts.get(str(route[0]))) is not None:
            return sub.contract.default(route[1:])
        own = self._default(route)
        return own if self._overlay is None else over(own, node_at(self._overlay, route))

    def _default(self, route: Route) -> Json:
        for length in range(len(route), -1, -1):
            if any(isinstance(step, int) for step in route[:length]):
                continue
            key = join(route[:length])
            if "default" in self.paths.get(key, ()):
                return node_at(self.paths[key]["default"], route[length:])
        if route[:1] == ("global",) and "global" not in self.paths:
            return next((sub.contract.default(route) for sub in self.subcharts.values()), None)
        return self._assembled(join(route))

    def check(self, values: Json, raw: Raw | None = None) -> Iterator[Hit]:
        """What becomes of values that do not work as their author expects, each with its verdict.

        `values` is what the user wrote, not yet merged with the defaults. `raw` gives a scalar's text as typed,
        quotes included, so that it is judged as Go reads it.
        """
        from genvalues.contracts.judge import judge  # noqa: PLC0415  (the judge knows contracts, not the other way round)

        return judge(self, values, raw)

    def images(self) -> tuple[Image, ...]:
        """The images of the chart version, each with the values paths that set it; those of subcharts included."""
        beside = os.path.isfile(os.path.join(self._folder, "images.json"))
        found = [entries.image(self, data) for data in _read(self._folder, "images.json")["images"]] if beside else []
        for name, sub in self.subcharts.items():
            switch = format(".".join(str(step) for step in sub.gate.any_of[0][0].path))
            for image in sub.contract.images():
                values = {part: f"{name}.{path}" for part, path in image.values.items()}
                mine = {part: self.default(route_of(path)) for part, path in values.items()}
                found.append(
                    image._replace(
                        component=".".join(filter(None, (name, image.component))),
                        repository=mine.get("repository") or image.repository,
                        tag=mine.get("version") or image.tag,
                        values=values,
                        enabled_by=image.enabled_by or switch,
                    )
                )
        return tuple(found)

    def kind(self, name: str) -> Mapping[str, Record] | None:
        """The fields of a kind as the chart's own CRD has them, by path ("spec.driver.env[].name"); None where it has none.

        A field is a map: type, and where given enum, pattern, minimum, maximum, default, required.
        """
        beside = os.path.isfile(os.path.join(self._folder, "crds.json"))
        found = _read(self._folder, "crds.json")["kinds"].get(name) if beside else None
        return None if found is None else dict(found["fields"])

    def effective(self, route: Route, values: Json) -> Gate | None:
        """The gate that keeps the key at `route` from acting under `values`; None where it acts (or is unknown)."""
        look = self.look(values)
        return next((gate for gate in self._gates_at(route) if failing(gate, look) is not None), None)

    def _gates_at(self, route: Route) -> tuple[Gate, ...]:
        """`when` of the entry at `route`, without the rest of it: a plan asks this of every image."""
        inside = bool(route) and str(route[0]) in self.subcharts
        key = None if inside else self._spot(route).key
        if key:
            return entries.gates(self, key, self.paths[key])
        entry = self.at(route)
        return () if entry is None else entry.when

    def moved(self, route: Route) -> tuple[Route, Replaced] | None:
        """What took the place of a key, with how much of `route` it is about: the key itself or one above it."""
        for length in range(len(route), 0, -1):
            if (found := self.remarks.moved.get(join(route[:length]))) is not None:
                return route[:length], found
        return None

    # What the judge works with.

    def step(self, spot: Spot, step: str | int) -> Spot:
        """One step down from a spot."""
        key = None if spot.key is None else match(self.paths, spot.key, step)
        blocks = tuple((block, self._field(block, field, step)) for block, field in spot.blocks)
        if key is not None and "block" in self.paths[key]:
            blocks += ((key, ""),)
        return Spot(key, blocks)

    def _spot(self, route: Route) -> Spot:
        spot = ROOT
        for step in route:
            spot = self.step(spot, step)
        return spot

    def fields(self, block: str) -> Mapping[str, Record] | None:
        """The fields that the receiver of a block knows, by their paths below it; None where they are not known."""
        shape = self.paths[block].get("shape")
        return self.shapes[shape] if shape else self.effects.below.get(block)

    def gate(self, record: Record, key: str) -> Gate:
        """The template condition under a key of a record: "" is always, "=" is the one under `when`."""
        when = record.get(key, "")
        when = record.get("when", "") if when == "=" else when
        if when not in self._gates:
            self._gates[when] = Gate(alternatives(when))
        return self._gates[when]

    def look(self, values: Json) -> Callable[[Route], Json]:
        """Values in force: the user's over the chart's. A null removes; a map is as full as both together make it."""

        def at(route: Route) -> Json:
            mine = values
            for step in route:
                if not isinstance(mine, dict) or step not in mine:
                    return self.default(route)
                mine = mine[step]
            return over(self.default(route), mine) if isinstance(mine, dict) else mine

        return at

    @cached_property
    def effects(self) -> Effects:
        """What is written by hand about how this version acts."""
        return effects(self._by_hand, self.version)

    @cached_property
    def remarks(self) -> Remarks:
        """What is written by hand about this version for its readers."""
        return remarks(self._by_hand, self.version)

    @property
    def _by_hand(self) -> str:
        """The folder of what is written by hand about the chart: beside the versions, else the package's own."""
        beside = os.path.dirname(self._folder)
        own = os.path.join(paths.data(), "contracts", self.chart)
        return beside if os.path.isfile(os.path.join(beside, "remarks.json")) else own

    @cached_property
    def guards(self) -> tuple[tuple[Gate, str], ...]:
        """Conditions under which the chart itself stops the render, with its message."""
        return tuple((Gate(alternatives(guard["when"])), guard["message"]) for guard in self._guards)

    @cached_property
    def subcharts(self) -> Mapping[str, Subchart]:
        """Subcharts that have a contract of their own, by their key in values."""
        found: dict[str, Subchart] = {}
        for key, data in self._subcharts.items():
            contract = self._loader(data["chart"], data["version"])
            if contract is None:
                raise LookupError(f"{self.chart} {self.version} needs the contract of {data['chart']} {data['version']}")
            found[key] = Subchart(contract.overlaid(data["defaults"]), Gate(alternatives(data["if"])))
        return found

    def overlaid(self, defaults: Json) -> "Contract":
        """This contract with a parent chart's values as defaults above its own."""
        other = Contract.__new__(Contract)
        other.__dict__.update(self.__dict__)
        other._overlay = defaults  # noqa: SLF001  (its own kind)
        return other

    def needs(self, key: str) -> Iterator[Need]:
        """What the operator asks for besides the templates, for a path and all above it."""
        known = self.effects.needs
        end = 0
        while end < len(key):
            end = step_end(key, end)
            for need in known.get(key[:end], ()):
                if not need.names and not any(key == but or key.startswith((f"{but}.", f"{but}[")) for but in need.but):
                    yield need

    def life(self, key: str) -> tuple[str | None, str | None]:
        """The first and the last chart version that reads a path, where they are not the ends of what we know."""
        since, until = self._history.get(key, (None, None))
        return since, until

    @cached_property
    def _history(self) -> Mapping[str, tuple[str | None, str | None]]:
        known = os.path.isfile(os.path.join(self._by_hand, "history.json"))
        keys: Mapping[str, tuple[str | None, str | None]] = _read(self._by_hand, "history.json")["keys"] if known else {}
        return keys

    def _field(self, block: str, field: str | None, step: str | int) -> str | None:
        if field is None or field == OPEN:
            return field
        fields = self.fields(block)
        if fields is None or (field and fields[field]["type"] == "any"):
            return OPEN
        if isinstance(step, str) and block in self.effects.below:
            # The daemons read their files into Go structs, for which the case of a key does not matter.
            wanted = (f"{field}.{step}" if field else step).lower()
            step = next((path[len(field) :].removeprefix(".") for path in fields if path.lower() == wanted), step)
        return match(fields, field, step)

    def _assembled(self, key: str) -> Json:
        """A map of defaults put together from what lies below it."""
        start = f"{key}." if key else ""
        found: dict[str, Json] = {}
        for path, record in self.paths.items():
            if path.startswith(start) and "default" in record:
                node = found
                *above, last = route_of(path[len(start) :])
                for step in above:
                    node = node.setdefault(str(step), {})
                node[str(last)] = record["default"]
        for name, sub in self.subcharts.items() if not key else ():
            found[name] = sub.contract.default(())
        shipped = self.paths.get(key, {}).get("shipped", True) and key in self.paths
        return found or ({} if shipped else None)


@cache
def _read(folder: str, name: str) -> dict[str, Any]:
    with open(os.path.join(folder, name), "rb") as stream:
        data: dict[str, Any] = json.load(stream)
    return data
