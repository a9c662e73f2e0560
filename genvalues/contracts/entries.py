"""Entries from a contract's records, as `Contract.at` and `Contract.images` hand them out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from genvalues.contracts.conditions import route_of
from genvalues.contracts.entry import Condition, Entry, Gate, Image
from genvalues.contracts.walk import OPEN, Record, join, kind
from genvalues.finding import Route

if TYPE_CHECKING:      # contracts make entries, so that an import would go round in a circle
    from genvalues.contracts.contract import Contract

MODES: Mapping[str, Mapping[str, bool]] = {
    "clusterPolicy": {"clusterPolicy.deployCR": True, "gpuCluster.deployCR": False, "driver.nvidiaDriverCRD.enabled": False},
    "clusterPolicy+nvidiaDriverCRD": {
        "clusterPolicy.deployCR": True, "gpuCluster.deployCR": False, "driver.nvidiaDriverCRD.enabled": True,
    },
    "gpuCluster": {"clusterPolicy.deployCR": False, "gpuCluster.deployCR": True, "driver.nvidiaDriverCRD.enabled": True},
}  # fmt: skip
"""The modes of GPU Operator from v26.7.0 on, by the settings that make them (templates/validations.yaml)."""


def named(contract: "Contract", key: str) -> Entry:
    """The entry of a path that the chart names."""
    record = contract.paths[key]
    broken = contract.effects.broken.get(key, "")
    since, until = contract.life(key)
    return Entry(
        path=key,
        read="broken" if broken else "passthrough" if "block" in record else record.get("read", "yes"),
        type=record["type"],
        default=record.get("default") if not contract.is_overlaid or "*" in key else contract.default(route_of(key)),
        enum=tuple(record.get("enum", ())),
        pattern=record.get("pattern"),
        items=_items(contract, key, record),
        when=gates(contract, key, record),
        modes=_modes(contract, record),
        targets=tuple(_target(key, target) for target in record.get("to", ())),
        note=broken or contract.remarks.notes.get(key, ""),
        since=since,
        until=until,
        documented=record.get("shipped", True),
    )


def passed(contract: "Contract", block: str, field: str, route: Route) -> Entry:
    """The entry of something below a block that goes out whole."""
    default = contract.default(route)
    record = (contract.fields(block) or {}).get(field) or {"type": kind(default)}
    below = contract.paths[block]
    path = f"{block}{field if field[:1] == '[' else f'.{field}'}" if field != OPEN else f"{block}.*"
    return Entry(
        path=path,
        read="passthrough",
        type=record["type"],
        default=default,
        enum=tuple(record.get("enum", ())),
        pattern=record.get("pattern"),
        when=(*((contract.gate(below, "block"),) if below["block"] else ()), *(need.gate for need in contract.needs(path))),
        modes=_modes(contract, below),
        targets=tuple(_target(block, target) + path[len(block) :] for target in below.get("to", ())),
    )


def _items(contract: "Contract", key: str, record: Record) -> str | None:
    items = (contract.fields(key) or {}).get("[]") if "block" in record else contract.paths.get(f"{key}[]")
    return items["type"] if items and items["type"] not in ("object", "any") else None


def gates(contract: "Contract", key: str, record: Record) -> tuple[Gate, ...]:
    """All that must hold for a path that the chart names to act."""
    own = (contract.gate(record, "when"),) if record.get("when") else ()
    return (*own, *(need.gate for need in contract.needs(key)))


def _modes(contract: "Contract", record: Record) -> tuple[str, ...]:
    """The operator modes in which a path can act: those whose settings do not contradict its conditions."""
    if "gpuCluster.deployCR" not in contract.paths:
        return ()
    gate = contract.gate(record, "when")
    return tuple(mode for mode, fixed in MODES.items() if any(_fits(group, fixed) for group in gate.any_of))


def image(contract: "Contract", data: Record) -> Image:
    """An image, from what images.json says and what is written by hand."""
    known = contract.remarks.images.get(data["component"], {})
    tag = f"v{contract.version.removeprefix('v')}" if data.get("app") else data["tag"]
    return Image(
        data["component"], data["repository"], data["image"], tag, data["values"], known.get("enabledBy"),
        known.get("osSuffix", False), known.get("note", ""),
    )  # fmt: skip


def inside(entry: Entry, key: str, gate: Gate) -> Entry:
    """An entry of a subchart, as its parent speaks of it: below `key`, under the parent's own condition."""
    whens = tuple(
        shut._replace(
            any_of=tuple(tuple(one._replace(path=(key, *one.path)) for one in group) for group in shut.any_of)
        )
        for shut in entry.when
    )
    return entry._replace(path=f"{key}.{entry.path}", when=(gate, *whens))


def _fits(group: tuple[Condition, ...], fixed: Mapping[str, bool]) -> bool:
    names = {join(test.path): test.op for test in group}
    return all(fixed.get(name) is not (op != "set") for name, op in names.items() if name in fixed)


def _target(key: str, target: str) -> str:
    return f"ClusterPolicy:spec.{key}" if target == "=" else target
