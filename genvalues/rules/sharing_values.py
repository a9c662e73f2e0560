"""Rules about the values by which the operator's device plugin gets its config: names, defaults, environment."""

import re
from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.product import is_label
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.rules.rule import Body, Rule
from genvalues.wording import listed, quoted

_LIST_STRATEGIES = ("envvar", "volume-mounts", "cdi-annotations", "cdi-cri")

# Volumes of the pods that mount the ConfigMap; the operator calls its volume like the ConfigMap (assets of v24.9 to v26.7).
_VOLUMES = frozenset(
    (
        "config",
        "device-plugin",
        "host-root",
        "mps-root",
        "mps-shm",
        "cdi-root",
        "run-nvidia-validations",
        "driver-install-dir",
        "nvidia-device-plugin-entrypoint",
        "output-dir",
        "host-sys",
        "run-nvidia",
    )
)


def volume_name_fault(name: str, taken: frozenset[str] = frozenset()) -> tuple[str, str] | None:
    """Why no ConfigMap of that name can be mounted, since the operator calls the volume like it; and another name."""
    if not re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", name):
        better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:63].rstrip("-")
        return (
            "a volume's name has lower-case letters, digits and '-' only, at most 63",
            better or "device-plugin-config",
        )
    if name in taken:
        return "the pod has a volume of that name already", f"nvidia-{name}"
    return None


def _block(body: Body, *steps: str) -> tuple[Route, Json]:
    """The node below the settings of the operator, in values or in a ClusterPolicy."""
    route: Route = (*(("spec",) if body.kind == "cluster-policy" else ()), *steps)
    return route, node_at(body.data, route)


def _no_volume(body: Body, _: Facts) -> Iterator[Hit]:
    route, name = _block(body, "devicePlugin", "config", "name")
    fault = volume_name_fault(name, _VOLUMES) if isinstance(name, str) and name else None
    if fault is not None:
        text = f"the operator calls the pods' volume like the ConfigMap, and {quoted(str(name))} cannot be: {fault[0]}"
        yield Hit(route, text, f"name: {fault[1]}, for the ConfigMap too")


NO_VOLUME = Rule(
    "GV330",
    "error",
    "Device-plugin ConfigMap that cannot be mounted",
    "0.1.0",
    files={"values": _no_volume, "cluster-policy": _no_volume},
)


def _without_default(body: Body, _: Facts) -> Iterator[Hit]:
    route, config = _block(body, "devicePlugin", "config")
    # Charts before 26.3 print the empty default as null, which the contract says (GV904).
    refused = body.kind == "values" and body.chart is not None and same_or_newer(body.chart.version, "26.3") is False
    if not refused and isinstance(config, Mapping) and config.get("name") and not config.get("default"):
        data = config.get("data")
        example = next(iter(data), "any") if isinstance(data, Mapping) else "any"
        yield Hit(
            (*route, "name"),
            "without a default, nodes that have no label nvidia.com/device-plugin.config share nothing: a key called default "
            "is none under the operator",
            f"default: {example}, a key of the ConfigMap",
        )


WITHOUT_DEFAULT = Rule(
    "GV331",
    "warning",
    "Device-plugin ConfigMap without a default",
    "0.1.0",
    files={"values": _without_default, "cluster-policy": _without_default},
    needs="whole",
)


def _inline(body: Body, _: Facts) -> Iterator[Hit]:
    route, config = _block(body, "devicePlugin", "config")
    data = config.get("data") if isinstance(config, Mapping) and config.get("create") is True else None
    if not isinstance(data, Mapping) or not data:
        return
    default = config.get("default")
    if isinstance(default, str) and default and default not in data:
        yield Hit(
            (*route, "default"),
            f"{quoted(default)} is no key of the ConfigMap, so that no device plugin starts: there are "
            f"{listed(map(str, data), 'and')}",
            f"default: {next(iter(data))}",
        )
    for name in data:
        if not is_label(str(name)) or not name:
            yield Hit(
                (*route, "data", name),
                f"no node can ask for {quoted(str(name))}: it is no value of the label nvidia.com/device-plugin.config",
                "letters, digits, '-', '_' and '.', at most 63, a letter or digit at both ends",
                at="key",
            )


INLINE = Rule(
    "GV332",
    "error",
    "Key of the device-plugin ConfigMap that is not there, or cannot be named",
    "0.1.0",
    files={"values": _inline},
)


def _list_strategy(body: Body, _: Facts) -> Iterator[Hit]:
    route, env = _block(body, "devicePlugin", "env")
    for index, item in enumerate(env if isinstance(env, list) else ()):
        if not isinstance(item, Mapping) or item.get("name") != "DEVICE_LIST_STRATEGY":
            continue
        value = item.get("value")
        parts = value.split(",") if isinstance(value, str) else []
        wrong = [part for part in parts if part not in _LIST_STRATEGIES]
        if wrong:
            fitting = [part.strip() for part in parts if part.strip() in _LIST_STRATEGIES]
            yield Hit(
                (*route, index, "value"),
                f"{quoted(wrong[0])} is no strategy: they are {listed(_LIST_STRATEGIES, 'and')}, with commas and no blanks",
                f"value: {','.join(fitting) or 'envvar'}",
            )


LIST_STRATEGY = Rule(
    "GV334",
    "error",
    "Device list strategy that the plugin does not know",
    "0.1.0",
    files={"values": _list_strategy, "cluster-policy": _list_strategy},
)

RULES: tuple[Rule, ...] = (NO_VOLUME, WITHOUT_DEFAULT, INLINE, LIST_STRATEGY)
