"""Rules about hand-written mig-parted configs: what its parser takes, and no node ever comes to.

Its parser checks neither indices nor filters nor counts that a GPU cannot show again (NVIDIA/mig-parted, api/spec/v1;
vectors in tests). Nor does it say anything where an entry matches no GPU.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts
from genvalues.facts.product import is_label
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.plan.sharing import MIG_OFF
from genvalues.rules.mig_parted import COMPUTE_INSTANCE, FILTER, NVIDIA, entries
from genvalues.rules.rule import Body, Rule
from genvalues.wording import key, listed, quoted, shown

OPERATORS_OWN = {
    "default-mig-parted-config": "migManager.config.name",
    "default-gpu-clients": "migManager.gpuClientsConfig.name",
}
"""ConfigMaps that the operator writes itself, and the value that names another one (NVIDIA/gpu-operator#384)."""


def _no_gpu(body: Body, _: Facts) -> Iterator[Hit]:
    for item in entries(body.data):
        entry = node_at(body.data, item.route)
        devices = entry.get("devices")
        if devices == []:
            yield Hit((*item.route, "devices"), "devices is empty: the entry is for no GPU", "devices: all")
        yield from _indices(devices, (*item.route, "devices")) if isinstance(devices, list) else ()
        for route, text in _filters(entry.get("device-filter"), (*item.route, "device-filter")):
            if (wrong := filter_fault(text)) is not None:
                yield Hit(route, f"{wrong[0]}: the entry is for no GPU, and mig-parted does not say so", wrong[1])


def _indices(devices: Sequence[Json], route: Route) -> Iterator[Hit]:
    first: dict[Json, int] = {}
    for position, index in enumerate(devices):
        if not isinstance(index, int) or isinstance(index, bool):
            continue
        if index < 0:
            yield Hit((*route, position), f"no GPU has the index {index}", "indices count from 0")
        elif first.setdefault(index, position) != position:
            yield Hit((*route, position), f"GPU {index} stands here twice", "remove one of them")


def filter_fault(text: str) -> tuple[str, str] | None:
    """What is wrong with a device-filter, and the fix; None where nothing is."""
    matched = re.fullmatch(FILTER, text)
    if matched is None:
        return f"{quoted(text)} is no PCI id", 'device-filter: "0x233010DE", device before vendor, as in lspci -n'
    device, vendor = matched.group(1).upper(), matched.group(2).upper()
    if device == NVIDIA and vendor != NVIDIA:
        return f"{text} has the vendor before the device", f'device-filter: "0x{vendor}{device}"'
    if vendor != NVIDIA:
        return f"{text} is no PCI id of NVIDIA, which ends in {NVIDIA}", f'device-filter: "0x{device}{NVIDIA}"'
    return None


def _filters(value: Json, route: Route) -> Iterator[tuple[Route, str]]:
    if isinstance(value, str):
        yield route, value
    for position, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, str):
            yield (*route, position), item


NO_GPU = Rule("GV420", "error", "Entry of a MIG config that is for no GPU", "0.1.0", files={"mig-parted": _no_gpu})


def _uncovered(body: Body, _: Facts) -> Iterator[Hit]:
    """Only what the entries themselves tell: a gap below the highest index."""
    configs: dict[str, tuple[set[int], Route] | None] = {}
    for item in entries(body.data):
        known = configs.setdefault(item.config, (set(), item.route[:2]))
        if item.gpus is None or item.filters:
            configs[item.config] = None
        elif known is not None:
            known[0].update(item.gpus)
    for found in configs.values():
        covered, route = found if found is not None else (set(), ())
        missing = [str(index) for index in range(max(covered, default=0)) if index not in covered]
        if missing:
            yield Hit(
                route,
                f"GPU {listed(missing, 'and')} is in no entry: mig-manager never finds the node in this state, and applies "
                "it again and again",
                f"- {{devices: [{', '.join(missing)}], mig-enabled: false}}",
            )


UNCOVERED = Rule("GV421", "warning", "MIG config that leaves GPUs out", "0.1.0", files={"mig-parted": _uncovered})


def _never_reached(body: Body, _: Facts) -> Iterator[Hit]:
    for item in entries(body.data):
        devices = node_at(body.data, item.route).get("mig-devices")
        if not item.enabled or not isinstance(devices, Mapping):
            continue
        for name, count in devices.items():
            route = (*item.route, "mig-devices", name)
            if re.fullmatch(COMPUTE_INSTANCE, str(name)):
                text = (
                    f"{name} is a part of a MIG device; mig-parted makes it, and then never finds its layout on the GPU"
                )
                yield Hit(route, text, f"{key(str(name).partition('.')[2])}: {shown(count)}", at="key")
            elif count == 0 and not isinstance(count, bool) and item.counts:
                text = f"0 x {name}: mig-parted takes it, and then never finds its layout on the GPU"
                yield Hit(route, text, f"remove {name}")


NEVER_REACHED = Rule(
    "GV422", "error", "MIG layout that a GPU never shows", "0.1.0", files={"mig-parted": _never_reached}
)


def _unlabelled(body: Body, _: Facts) -> Iterator[Hit]:
    configs = body.data.get("mig-configs") if isinstance(body.data, Mapping) else None
    for name in configs if isinstance(configs, Mapping) else ():
        if not is_label(str(name)) or not name:
            yield Hit(
                ("mig-configs", name),
                f"no node can ask for {quoted(str(name))}: it is no value of the label nvidia.com/mig.config",
                "letters, digits, '-', '_' and '.', at most 63, a letter or digit at both ends",
                at="key",
            )


UNLABELLED = Rule(
    "GV423", "error", "MIG config that no node label can name", "0.1.0", files={"mig-parted": _unlabelled}
)


def _without_off(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """The operator labels every MIG node that has no label with the default; the ConfigMap must have it."""
    for values in bodies:
        config = node_at(values.data, ("migManager", "config")) if values.kind == "values" else None
        if not isinstance(config, Mapping) or config.get("default", MIG_OFF) != MIG_OFF:
            continue
        for body in bodies:
            configs = node_at(body.data, ("mig-configs",)) if body.kind == "mig-parted" else None
            named = _holder(body, bodies)
            if isinstance(configs, Mapping) and named == config.get("name") and named and MIG_OFF not in configs:
                yield (
                    body,
                    Hit(
                        ("mig-configs",),
                        f"{MIG_OFF} is missing, which the operator asks for on nodes without the label",
                        f"{MIG_OFF}: [{{devices: all, mig-enabled: false}}]",
                    ),
                )


def _holder(body: Body, bodies: Sequence[Body]) -> Json:
    """The name of the ConfigMap that a body stands in; None where several documents of its file have such a key."""
    within = [one for one in bodies if one.kind == "config-map" and one.file == body.file and body.base]
    found = [
        one for one in within if (*one.base, "data") == body.base[:-1] and node_at(one.data, body.base[-2:]) is not None
    ]
    return node_at(found[0].data, ("metadata", "name")) if len(found) == 1 else None


WITHOUT_OFF = Rule("GV425", "error", "MIG ConfigMap without all-disabled", "0.1.0", across=_without_off)


def _operators_own(body: Body, _: Facts) -> Iterator[Hit]:
    name = node_at(body.data, ("metadata", "name"))
    if isinstance(name, str) and name in OPERATORS_OWN:
        yield Hit(
            ("metadata", "name"),
            f"the operator owns ConfigMap {name}, and undoes every change to it",
            f"another name, and {OPERATORS_OWN[name]} set to it",
        )


def _created_again(body: Body, _: Facts) -> Iterator[Hit]:
    config = node_at(body.data, ("migManager", "config"))
    if not isinstance(config, Mapping) or config.get("create") is not True:
        return
    if isinstance(config.get("name"), str) and config["name"] in OPERATORS_OWN:
        yield Hit(
            ("migManager", "config", "name"),
            f"the operator owns ConfigMap {config['name']}, and undoes every change to it",
            "name: mig-parted-config",
        )


OPERATORS = Rule(
    "GV426",
    "error",
    "ConfigMap that the operator owns",
    "0.1.0",
    files={"config-map": _operators_own, "values": _created_again},
)


def _no_config_yaml(body: Body, _: Facts) -> Iterator[Hit]:
    data = node_at(body.data, ("migManager", "config", "data"))
    created = node_at(body.data, ("migManager", "config", "create")) is True
    if created and isinstance(data, Mapping) and data and "config.yaml" not in data:
        yield Hit(
            ("migManager", "config", "data"),
            f"mig-manager reads config.yaml, and here {listed([str(one) for one in data], 'and')} stands",
            "config.yaml: |, with the MIG configs below",
        )


NO_CONFIG_YAML = Rule("GV427", "error", "MIG ConfigMap without config.yaml", "0.1.0", files={"values": _no_config_yaml})


RULES: tuple[Rule, ...] = (
    NO_GPU,
    UNCOVERED,
    NEVER_REACHED,
    UNLABELLED,
    WITHOUT_OFF,
    OPERATORS,
    NO_CONFIG_YAML,
)
