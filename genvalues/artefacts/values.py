"""A chart's values under construction, held against what the chart has by default."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from genvalues import contracts
from genvalues.contracts.contract import Contract
from genvalues.contracts.spelling import spell
from genvalues.document import Builder, Decided, Doc, Why, plain
from genvalues.finding import Json, Route
from genvalues.plan.kinds import ChartPlan, Toleration

T = TypeVar("T")

REPEATS = "also the chart's default"


class ChartValues:
    """Collects the values of one chart. A value that repeats the chart's default says so in its comment.

    A chart version without a contract has no defaults here; a rule refuses such a version before anything is rendered.
    """

    def __init__(self, chart: ChartPlan, path: str, intro: Iterable[str] = ()) -> None:
        self.contract = contracts.load(chart.chart.name, chart.chart.version)
        self._builder = Builder(path, "values", chart.chart, intro)

    def default(self, route: Route) -> Json:
        """The chart's own value at `route`; None where it has none."""
        return self.contract.default(route) if self.contract else None

    def put(self, route: Route, decided: Decided[T]) -> None:
        """Set the value at `route`."""
        why = decided.why
        if self.default(route) == plain(decided.value):
            why = why._replace(text=f"{why.text}; {REPEATS}" if why.text else REPEATS)
        self._builder.put(route, Decided(decided.value, why))

    def put_items(self, route: Route, items: Sequence[Decided[Json]]) -> None:
        """Set a list whose items have reasons of their own, which together are the list's."""
        routes = tuple(dict.fromkeys(cause for item in items for cause in item.why.routes))
        self.put(route, Decided([item.value for item in items], Why(routes, "")))
        for index, item in enumerate(items):
            self._builder.put((*route, index), item)

    def put_env(self, route: Route, variables: Sequence[tuple[str, Decided[str]]], *, without: str = "") -> None:
        """Add variables to a component's `env`; nothing happens where there are none.

        Helm replaces lists, so the list starts with what the chart has in it, but for the variable `without`.
        """
        if not variables:
            return
        given = dict(variables)
        chart = [entry for entry in self.default(route) or [] if entry["name"] not in (*given, without)]
        kept = Why((), "the chart's own entry, which a list of ours would replace")
        items = [Decided(entry, kept) for entry in chart]
        items += [Decided({"name": name, "value": value.value}, value.why) for name, value in variables]
        self.put_items(route, items)

    def lay(self, overlay: Json, route: Route) -> None:
        """Lay the site's own values, which stand at `route` of the site, over everything."""
        self._builder.lay((), overlay, Why((route,), "an override of the site"))

    def doc(self) -> Doc:
        """The finished document."""
        return self._builder.doc()


def toleration(tolerated: Toleration) -> dict[str, str]:
    """A toleration as Kubernetes writes it; a key needs no value with Exists, and no key tolerates everything."""
    spelt = {"key": tolerated.key, "operator": "Exists", "effect": tolerated.effect}
    return {name: value for name, value in spelt.items() if value is not None}


def module_type(contract: Contract | None, decided: Decided[str]) -> tuple[Route, Decided[Json]] | None:
    """The chart's key for the kind of kernel modules, and its value; None where the chart's default says it already.

    `auto` is that default where the site does not say it, and cannot be said where the key is a switch.
    """
    if contract is None or (decided.value == "auto" and not decided.why.routes):
        return None
    spelt = spell(contract, "driver.kernelModuleType", decided.value)
    return next(((route, Decided(value, decided.why)) for route, value in spelt), None)


def module_env(contract: Contract | None, decided: Decided[str]) -> list[tuple[str, Decided[str]]]:
    """The variable beside the switch of charts before v25.3, which driver containers no longer read.

    Those from 535.247.01, 550.163.01 and 570.133.20 on choose by it alone (GPU Operator 24.9, life cycle policy).
    """
    spelt = module_type(contract, decided)
    if spelt is None or spelt[0][-1] != "useOpenKernelModules":
        return []
    why = Why(decided.why.routes, "newer driver containers read this, and the switch above no longer")
    return [("KERNEL_MODULE_TYPE", Decided(decided.value, why))]
