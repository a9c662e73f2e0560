"""The words of a contract's verdicts: what a key does in this version, since or until when, and what to type instead."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from genvalues.contracts.conditions import failing
from genvalues.contracts.contract import Contract
from genvalues.contracts.effects import Lost
from genvalues.contracts.entry import Condition, Gate, Replaced
from genvalues.contracts.typed import Fault
from genvalues.contracts.walk import join
from genvalues.finding import Hit, Json, Route, exists, format_route
from genvalues.wording import entry, inline, nearest, shown


class Sayer:
    """Makes hits about the values of one chart; `base` is where they lie in the document.

    For a subchart `outer` speaks for the chart around it, and `key` is the subchart's in values.
    """

    def __init__(self, contract: Contract, values: Json, outer: "Sayer | None" = None, key: str = "") -> None:
        self.contract = contract
        self.values = values
        self.outer = outer
        self.base: Route = (*(outer.base if outer else ()), *((key,) if key else ()))
        self.chart = f"{contract.chart} {contract.version}"

    def ignored(self, route: Route, key: str) -> Hit:
        """No template reads it."""
        path = self.name(route)
        moved = self.moved(route)
        why = self.contract.effects.broken.get(key) or self._why(route, key)
        if moved is None:
            close = None if key in self.contract.paths else self.near(route)
            fix = f"remove {path}" if close is None else f"write {self.name(close)}"
            return self._hit(route, f"{path} does nothing: {why}", fix, at="key", verdict="ignored")
        target, to = moved
        text = f"{path} does nothing: {why}" + ("" if target is None else f"; {format_route(target)} is the key to use")
        text += f" ({to.note})" if to.note else ""
        return self._hit(route, text, self._instead(route, target, to), at="key", verdict="ignored")

    def inert(self, route: Route, gate: Gate, name: str = "") -> Hit:
        """Another setting switches it off."""
        path = self.name(route) + (f" ({name})" if name else "")
        where = f" ({gate.why})" if gate.why else ""
        look = self.contract.look(self.values)
        test = failing(gate, look) or Condition((), "open")
        if not test.path:
            text = f"{path} does nothing in {self.chart}: {gate.why}"
            return self._hit(route, text, f"remove {self.name(route)}", at="key", verdict="inert")
        other = self.name(test.path)
        state = f"{other} {_state(test, look(test.path))}"
        mine = exists(self.values, test.path)
        text = f"{path} does nothing while {state}{'' if mine else ', the default'}{where}"
        related = (((*self.base, *test.path), f"{state} here"),) if mine else ()
        fix = f"{self.opened(test)}, or remove {self.name(route)}"
        return self._hit(route, text, fix, at="key", verdict="inert", related=related)

    def pruned(self, route: Route, block: str) -> Hit:
        """Its block is passed on, but the kind that gets it has no such field."""
        path = self.name(route)
        fields = self.contract.fields(block) or {}
        moved, close = self.moved(route), self._sibling(route, block)
        target = (self.contract.paths[block].get("to") or [""])[0]
        kind = "ClusterPolicy" if target == "=" else target.partition(":")[0]
        who = f"{kind} has no such field" if kind and kind != "ConfigMap" else "nothing that reads it knows the key"
        text = f"{path} is passed on and then dropped: {who} (strict validation refuses it)"
        if not fields or kind == "ConfigMap":
            text = f"{path} is passed on and then dropped: {who}"
        if moved is not None:
            target, to = moved
            text += f"; {to.note}" if to.note else ""
            return self._hit(route, text, self._instead(route, target, to), at="key", verdict="pruned")
        fix = f"remove {path}" if close is None else f"write {self.name(close)}"
        return self._hit(route, text, fix, at="key", verdict="pruned")

    def lost(self, route: Route, key: str) -> Hit:
        """A template prints it into a field that the CRD does not have."""
        target = (self.contract.paths[key].get("to") or ["="])[0]
        kind, field = ("ClusterPolicy", f"spec.{key}") if target == "=" else target.split(":", 1)
        text = f"{self.name(route)} is printed as {field} and then dropped: the CRD of {kind} has no such field"
        return self._hit(route, text, f"remove {self.name(route)}", at="key", verdict="pruned")

    def undocumented(self, route: Route, key: str) -> Hit:
        """It works, and values.yaml does not show it."""
        note = self.contract.remarks.notes.get(key, "")
        text = f"{self.name(route)} works in {self.chart}, though its values.yaml does not show it"
        text += f": {note}" if note else ""
        return self._hit(route, text, "keep it, and check it again when the chart changes", at="key", verdict="undocumented")

    def fault(self, route: Route, fault: Fault) -> Hit:
        """A value of the wrong type, or one that is not allowed."""
        fix = fault.fix or (entry(route, fault.typed) if fault.typed else f"correct {self.name(route)}")
        return self._hit(route, f"{self.name(route)} {fault.text}", fix, verdict=fault.verdict)

    def null(self, route: Route, default: Json, outcome: str) -> Hit:
        """A null removes the chart's default."""
        path = self.name(route)
        text = f"{path} is null, which removes the chart's default, {shown(default)}"
        fix = "remove the line"
        if default is None:
            text = f"{path} is null, and is passed on as it is"
        elif not isinstance(default, (dict, list)) or not default:
            fix += f", or write {entry(route, inline(default))}"
        if outcome == "fails":
            text += "; a template goes below it, so that helm stops with a nil pointer"
        elif outcome == "refused":
            text += "; the object then has a null, which the API server refuses"
        else:
            text += "; the component's own default then applies"
        return self._hit(route, text, fix, verdict="mistyped" if outcome == "gone" else "refused")

    def list_entry_lost(self, route: Route, lost: Lost) -> Hit:
        """Setting a list replaces the chart's, and an entry that mattered goes with it."""
        path = self.name(route)
        text = f"{path} replaces the chart's list, and {lost.name}={lost.value} goes with it: the component then takes {lost.then}"
        fix = f"- {{name: {lost.name}, value: {inline(lost.value)}}}"
        return self._hit(route, text, fix, at="key", verdict="mistyped")

    def stopped(self, gate: Gate, message: str) -> Hit:
        """The chart itself refuses the combination."""
        group = next(one for one in gate.any_of if failing(gate._replace(any_of=(one,)), self.contract.look(self.values)) is None)
        mine = [test.path for test in group if exists(self.values, test.path)]
        look = self.contract.look(self.values)
        states = " and ".join(f"{self.name(test.path)} {_now(look(test.path))}" for test in group)
        related = tuple(((*self.base, *path), "together with this") for path in mine[:-1])
        first = mine[-1] if mine else ()
        text = f"the chart stops the render: {message} ({states})"
        return self._hit(first, text, f"change {self.name(group[0].path)} or {self.name(group[-1].path)}", verdict="refused", related=related)

    # Names.

    def opened(self, test: Condition) -> str:
        """What to type for a test to be met."""
        return _opened(self.name(test.path), test)

    def moved(self, route: Route) -> tuple[Route | None, Replaced] | None:
        """What took a key's place, as a route of the document (None: nothing did), by this chart or the one around it."""
        if (found := self.contract.moved(route)) is None:
            return None if self.outer is None else self.outer.moved((*self.base[len(self.outer.base) :], *route))
        about, to = found
        if to.path is None:
            return None, to
        return (*self.base, *_route(to.path), *(route[len(about) :] if to.values is None else ())), to

    def name(self, route: Route) -> str:
        """A route of the document as text."""
        return format_route((*self.base, *route))

    def near(self, route: Route) -> Route | None:
        """The path that an unknown one was probably meant to be: a sibling, the same tail elsewhere, the name elsewhere."""
        return self._sibling(route, None) or self._elsewhere(route)

    def _sibling(self, route: Route, block: str | None) -> Route | None:
        above, last = route[:-1], route[-1]
        names = self._children(join(above), block)
        close = nearest(str(last), names) if names else None
        return None if close is None else (*above, close)

    def _children(self, above: str, block: str | None) -> list[str]:
        tables: list[tuple[Mapping[str, object], str]] = [(self.contract.paths, above)]
        if block is not None:
            tables.append((self.contract.fields(block) or {}, above[len(block) :].removeprefix(".")))
        found: dict[str, None] = {}
        for table, start in tables:
            prefix = f"{start}." if start else ""
            for path in table:
                rest = path[len(prefix) :]
                if path.startswith(prefix) and rest and "." not in rest and "[" not in rest and rest != "*":
                    found[rest] = None
        return list(found)

    def _elsewhere(self, route: Route) -> Route | None:
        tail = join(route)
        ends = [path for path in self._live if path.endswith(f".{tail}")]
        if len(ends) == 1:
            return _route(ends[0])
        last = [path for path in self._live if path.rpartition(".")[2].lower() == str(route[-1]).lower()]
        return _route(last[0]) if len(last) == 1 else None

    @cached_property
    def _live(self) -> tuple[str, ...]:
        return tuple(path for path, record in self.contract.paths.items() if record.get("read") not in ("never", "container"))

    def _why(self, route: Route, key: str) -> str:
        if self.contract.paths.get(key, {}).get("read") == "never":
            return f"values.yaml of {self.chart} has it, but no template reads it"
        since, until = next(self._lives(route), (None, None))
        why = f"no template of {self.chart} reads it"
        if until is not None:
            return f"{why} ({until} was the last that did)"
        return f"{why} ({since} is the first that does)" if since is not None else why

    def _lives(self, route: Route) -> Iterator[tuple[str | None, str | None]]:
        for length in range(len(route), 0, -1):
            path = join(route[:length])
            if any(self.contract.life(path)) and (length == len(route) or path not in self.contract.paths):
                yield self.contract.life(path)

    def _instead(self, route: Route, target: Route | None, to: Replaced) -> str:
        if target is None:
            return f"remove {self.name(route)}"
        where = format_route(target)
        try:
            value: Json = self.values
            for step in route:
                value = value[step]
        except (KeyError, IndexError, TypeError):
            return f"write {where}"
        if to.values:
            value = next((new for old, new in to.values if old == value), None)
        if isinstance(value, (dict, list)) or value is None or to.values == ():
            return f"write {where}"
        return f"{where}: {inline(value)}"

    def _hit(self, route: Route, message: str, fix: str, **more: object) -> Hit:
        return Hit((*self.base, *route), message, fix, **more)  # type: ignore[arg-type]


def _route(path: str) -> Route:
    return tuple(path.split("."))


def _now(value: Json) -> str:
    return "is not set" if value is None or value in ("", [], {}) else f"is {inline(value)}"


def _state(test: Condition, value: Json) -> str:
    if test.op == "is":
        return f"{_now(value)} and not {inline(test.value)}"
    return "is set" if test.op == "unset" and isinstance(value, (dict, list)) else _now(value)


def _opened(name: str, test: Condition) -> str:
    if test.op == "set":
        return f"{name}: true" if name.rpartition(".")[2] in _SWITCHES else f"give {name} a value"
    if test.op == "unset":
        return f"{name}: false" if name.rpartition(".")[2] in _SWITCHES else f"remove {name}"
    return f"{name}: {inline(test.value)}" if test.op == "is" else f"change {name}"


_SWITCHES = frozenset(
    ("enabled", "enable", "deployCR", "deployDefaultCR", "create", "autoUpgrade", "usePrecompiled", "useHostMofed")
)
