"""How chart versions spell one concept: under which key, in which encoding, since when and until when.

A concept is named by the key that the newest chart has for it. Only those that differ between versions stand here; any
other is spelt as its key, where the version has it. Sources: `data/contracts/*/history.json`, and the contracts.
"""

from collections.abc import Mapping

from genvalues.contracts.contract import Contract
from genvalues.contracts.effects import numbers
from genvalues.finding import Json, Route
from genvalues.record import NamedTuple


class Spelling(NamedTuple):
    """One key of a concept. `since` and `until` are versions, `until` with all its patches; None: no bound.

    `values` translates: (what the concept says, what to write); a value that is not among them cannot be said. None:
    as it is.
    """

    route: Route
    since: str | None = None
    until: str | None = None
    values: tuple[tuple[Json, Json], ...] | None = None


_MIG_CONFIG: Route = ("migManager", "config", "name")

CONCEPTS: Mapping[str, Mapping[str, tuple[Spelling, ...]]] = {
    "gpu-operator": {
        # 24.9 has a switch; what it does when off depends on the driver, so auto cannot be said there.
        "driver.kernelModuleType": (
            Spelling(("driver", "useOpenKernelModules"), until="25.2", values=(("open", True), ("proprietary", False))),
            Spelling(("driver", "kernelModuleType"), since="25.3"),
        ),
        # The mode of the runtime: a key of its own while CDI was an addition, then a consequence of cdi.enabled.
        "cdi.default": (Spelling(("cdi", "default"), until="25.9"),),
        "driver.licensingConfig.secretName": (Spelling(("driver", "licensingConfig", "secretName"), since="25.10"),),
        # To 25.10 the chart prints a name without testing it, and the CRD has the operator's own ConfigMap as default.
        "migManager.config.name": (
            Spelling(_MIG_CONFIG, until="25.10", values=(("", "default-mig-parted-config"),)),
            Spelling(_MIG_CONFIG),
        ),
    },
    "node-feature-discovery": {
        "priorityClassName": (
            Spelling(("worker", "priorityClassName"), until="0.15"),
            Spelling(("priorityClassName",), since="0.16"),
        ),
        **{
            f"{daemon}.port": (
                Spelling((daemon, "metricsPort"), until="0.17"),
                Spelling((daemon, "port"), since="0.18"),
            )
            for daemon in ("master", "worker", "gc", "topologyUpdater")
        },
        # Always on from 0.17: the gate is locked, and the key at the top is read by nothing.
        "featureGates.NodeFeatureAPI": (
            Spelling(("enableNodeFeatureApi",), until="0.15"),
            Spelling(("featureGates", "NodeFeatureAPI"), since="0.16", until="0.16"),
        ),
    },
}


def spell(contract: Contract, concept: str, value: Json) -> tuple[tuple[Route, Json], ...]:
    """Keys and values by which a chart version says `value` of a concept; empty where it has no key for it.

    `concept` is one of CONCEPTS, or any key in dots.
    """
    spellings = CONCEPTS.get(contract.chart, {}).get(concept)
    if spellings is None:
        route: Route = tuple(concept.split("."))
        entry = contract.at(route)
        return () if entry is None or entry.read == "never" else ((route, value),)
    now = numbers(contract.version)
    for spelling in spellings:
        if _holds(spelling, now):
            if spelling.values is None:
                return ((spelling.route, value),)
            if said := tuple((spelling.route, new) for old, new in spelling.values if old == value):
                return said
    return ()


def _holds(spelling: Spelling, now: tuple[int, ...]) -> bool:
    until = numbers(spelling.until) if spelling.until else None
    return (until is None or now[: len(until)] <= until) and (spelling.since is None or numbers(spelling.since) <= now)
