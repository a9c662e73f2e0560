"""What becomes of values under a contract: every key that does not do what its author expects, with its verdict.

One pass over what the user wrote. A key is unknown (ignored), or known and switched off (inert), or its value is looked
at: by the templates that print it (`record`), or by the kind that receives the block it lies in (`field`).
"""

from collections.abc import Iterator

from genvalues.contracts import say, typed
from genvalues.contracts.conditions import failing
from genvalues.contracts.contract import Contract, Raw, Subchart
from genvalues.contracts.entry import Gate
from genvalues.contracts.scalars import typed as as_helm
from genvalues.contracts.walk import OPEN, ROOT, Record, Spot, join
from genvalues.document import leaves
from genvalues.finding import Hit, Json, Route
from genvalues.record import NamedTuple
from genvalues.wording import shown


def judge(contract: Contract, values: Json, raw: Raw | None = None) -> Iterator[Hit]:
    """The hits of one values document; none where it is no mapping."""
    if isinstance(values, dict):
        yield from _Judge(contract, values, raw).all()


class _Seen(NamedTuple):
    """A node on the way: where, what, and whether a key above it has been reported as undocumented."""

    route: Route
    value: Json
    spot: Spot
    reported: bool


class _Judge:
    def __init__(self, contract: Contract, values: dict[str, Json], raw: Raw | None, outer: say.Sayer | None = None, key: str = "") -> None:
        self.contract = contract
        self.values = values
        self.raw = raw
        self.look = contract.look(values)
        self.say = say.Sayer(contract, values, outer, key)
        self.stopped: set[Route] = set()

    def all(self) -> Iterator[Hit]:
        for gate, message in self.contract.guards:
            if failing(gate, self.look) is None:
                self.stopped |= {test.path for group in gate.any_of for test in group}
                yield self.say.stopped(gate, message)
        yield from self.below(_Seen((), self.values, ROOT, reported=False))

    def below(self, seen: _Seen) -> Iterator[Hit]:
        """The children of a map or list."""
        value = seen.value
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for step, child in pairs:
            route = (*seen.route, step)
            if len(route) == 1 and (sub := self.contract.subcharts.get(str(step))) is not None:
                yield from self.subchart(sub, route, child)
                continue
            here = _Seen(route, self.as_read(child, route), self.contract.step(seen.spot, step), seen.reported)
            if here.spot.key is not None:
                yield from self.named(here, self.contract.paths[here.spot.key])
            elif len(route) == 1 and step == "global" and isinstance(child, dict):
                yield from self.globals(child)
            else:
                yield from self.passed(here)

    def as_read(self, value: Json, route: Route) -> Json:
        return value if self.raw is None else as_helm(value, self.raw((*self.say.base, *route)))

    # Keys that the chart names.

    def named(self, seen: _Seen, record: Record) -> Iterator[Hit]:
        key = seen.spot.key or ""
        if record.get("read") == "never" or (key in self.contract.effects.broken and self.differs(seen)):
            yield self.say.ignored(seen.route, key)
            return
        if seen.value is None:
            yield from self.null(seen, record)
            return
        if record.get("lost"):
            yield self.say.lost(seen.route, key)
            return
        whole = not isinstance(seen.value, dict) or ("map" not in record and record.get("read") != "container")
        if whole and (shut := self.shut(key, record)) is not None:
            if self.differs(seen) and seen.route not in self.stopped:
                yield self.say.inert(seen.route, shut)
            return
        if not seen.reported and not record.get("shipped", True) and self.needed(key) is None:
            seen = seen._replace(reported=True)
            yield self.say.undocumented(seen.route, key)
        yield from self.acting(seen, key, record) if whole else self.below(seen)

    def acting(self, seen: _Seen, key: str, record: Record) -> Iterator[Hit]:
        """A value that is in force: its type, and what lies below it."""
        faults = (*self.stops(seen, key), *typed.named(seen.value, record, self.met, self.text(seen)))
        for block, field in self.live(seen.spot) if not faults else ():
            if field not in (None, OPEN, ""):
                faults += tuple(typed.passed(seen.value, field, self.contract.fields(block) or {}, self.text(seen)))
        if faults:
            yield from (self.say.fault(seen.route, fault) for fault in faults[:1])
            return
        yield from self.lists(seen, key)
        if "block" in record or f"{key}[]" in self.contract.paths or f"{key}.*" in self.contract.paths:
            yield from self.below(seen)

    def stops(self, seen: _Seen, key: str) -> Iterator[typed.Fault]:
        """What the component that reads the value does not stand."""
        refused = self.contract.effects.refused.get(join(seen.route))
        if refused is not None and (refused.any_value or seen.value is refused.value):
            missing = failing(refused.unless, self.look) if refused.unless else None
            if missing is not None:
                yield typed.Fault("refused", f"needs {self.say.name(missing.path)}: {refused.why}", fix=self.say.opened(missing))
            elif refused.unless is None:
                yield typed.Fault("refused", f"is {shown(seen.value)}: {refused.why}", fix=f"remove {self.say.name(seen.route)}")
        if key in self.contract.effects.below and not isinstance(seen.value, dict):
            yield typed.Fault("refused", f"is {shown(seen.value)} where a map is wanted: the daemon cannot read the file", "{}")

    def differs(self, seen: _Seen) -> bool:
        """Whether a value asks for something that the default does not do. To switch off what is off anyway asks nothing."""
        for route, value in leaves(seen.value):
            nothing = value is False or value is None or value in ("", {}, [])
            if not nothing and value != self.contract.default((*seen.route, *route)):
                return True
        return False

    def null(self, seen: _Seen, record: Record) -> Iterator[Hit]:
        """What a null does: Helm removes the chart's default with it, and passes it on where there is none."""
        default = self.contract.default(seen.route)
        outcome = typed.null(record, self.met)
        if default is None:
            if any(field not in (None, OPEN, "") for _, field in self.live(seen.spot)):
                yield self.say.null(seen.route, None, "refused")
        elif outcome == "fails" or self.shut(seen.spot.key or "", record) is None:
            yield self.say.null(seen.route, default, outcome)

    def lists(self, seen: _Seen, key: str) -> Iterator[Hit]:
        """A list replaces the chart's: entries whose loss or whose name matters."""
        if not isinstance(seen.value, list):
            return
        names = [item.get("name") if isinstance(item, dict) else None for item in seen.value]
        for lost in self.contract.effects.lists.get(key, ()):
            if lost.name not in names:
                yield self.say.list_entry_lost(seen.route, lost)
        for need in self.contract.effects.needs.get(key, ()):
            mine = [item for item in seen.value if item not in (self.contract.default(seen.route) or ())]
            for index, name in enumerate(names):
                if isinstance(name, str) and name in need.names and seen.value[index] in mine and failing(need.gate, self.look) is not None:
                    yield self.say.inert((*seen.route, index), need.gate, name)

    # What lies below a block that goes out whole.

    def passed(self, seen: _Seen) -> Iterator[Hit]:
        blocks = seen.spot.blocks
        live = self.live(seen.spot)
        if not live:
            known = [(block, field) for block, field in blocks if field is not None]
            if not known:
                yield self.say.ignored(seen.route, "")
            elif self.differs(seen):
                block = known[-1][0]
                yield self.say.inert(seen.route, self.contract.gate(self.contract.paths[block], "block"))
            return
        block = live[-1][0]
        if (shut := self.needed(join(seen.route))) is not None:
            if self.differs(seen):
                yield self.say.inert(seen.route, shut)
            return
        fields = [field for _, field in live if field is not None]
        if not fields:
            yield self.say.pruned(seen.route, block)
        elif OPEN not in fields:
            yield from self.field(seen, block, fields[-1])

    def field(self, seen: _Seen, block: str, field: str) -> Iterator[Hit]:
        known = self.contract.fields(block) or {}
        if seen.value is None:
            if known[field]["type"] != "any" and self.contract.default(seen.route) is None and "why" not in known[field]:
                yield self.say.null(seen.route, None, "refused")
            return
        if faults := tuple(typed.passed(seen.value, field, known, self.text(seen))):
            yield from (self.say.fault(seen.route, fault) for fault in faults)
            return
        yield from self.below(seen)

    def live(self, spot: Spot) -> list[tuple[str, str | None]]:
        """The blocks above a spot that go out under these values."""
        return [(block, field) for block, field in spot.blocks if self.met(self.contract.paths[block], "block")]

    # Other parts of the chart.

    def subchart(self, sub: Subchart, route: Route, value: Json) -> Iterator[Hit]:
        if not isinstance(value, dict):
            return
        inside = _Judge(sub.contract, value, self.raw, self.say, str(route[0]))
        if failing(sub.gate, self.look) is None:
            yield from inside.all()
            return
        if not _holds(self.contract.default(route), value):
            yield self.say.inert(route, sub.gate)
        yield from (hit for hit in inside.all() if hit.verdict == "ignored")

    def globals(self, value: dict[str, Json]) -> Iterator[Hit]:
        """Keys below `global`, which Helm hands to subcharts: known if one of them reads it."""
        for key, child in value.items():
            for sub in self.contract.subcharts.values():
                if f"global.{key}" in sub.contract.paths:
                    inside = _Judge(sub.contract, {"global": {key: child}}, self.raw, self.say)
                    if failing(sub.gate, self.look) is None:
                        yield from inside.all()
                    else:
                        yield self.say.inert(("global", key), sub.gate)
                    break
            else:
                yield self.say.ignored(("global", key), f"global.{key}")

    # Conditions.

    def met(self, record: Record, key: str) -> bool:
        """Whether the template condition under a key of a record holds."""
        return not record.get(key) or failing(self.contract.gate(record, key), self.look) is None

    def shut(self, key: str, record: Record) -> Gate | None:
        """The gate that keeps a key from acting, the operator's first: they are what a reader knows."""
        if (gate := self.needed(key)) is not None:
            return gate
        return None if self.met(record, "when") else self.contract.gate(record, "when")

    def needed(self, key: str) -> Gate | None:
        return next((need.gate for need in self.contract.needs(key) if failing(need.gate, self.look) is not None), None)

    def text(self, seen: _Seen) -> str | None:
        """A scalar as typed, where that is known."""
        return None if self.raw is None else self.raw((*self.say.base, *seen.route))


def _holds(default: Json, value: Json) -> bool:
    """Whether all that a map sets is what the default has already."""
    if isinstance(value, dict) and isinstance(default, dict):
        return all(_holds(default.get(key), child) for key, child in value.items())
    return value == default or (not value and not default)
