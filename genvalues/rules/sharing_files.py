"""Rules about hand-written device-plugin configs: what is taken, and then dropped or overruled.

The plugin's parser drops unknown keys without a word, and some known ones with a warning in its log
(k8s-device-plugin api/config/v1; vectors in tests). Under the GPU Operator environment variables win over the file.
"""

from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.rules.rule import Body, Rule
from genvalues.structure import problems
from genvalues.wording import quoted

_WAYS = ("timeSlicing", "mps")

# What the plugin drops with a warning, and what to do instead.
_DROPPED = {
    "rename": (
        "shared resources can only be called <name>.shared",
        "remove rename; renameByDefault: true beside resources",
    ),
    "devices": ("all GPUs of a node are shared", "remove devices"),
    "resources": ("resource names cannot be chosen", "remove resources, and what is below"),
}

# Set by the operator as environment variables (gpu-operator, assets/state-device-plugin, controllers/object_controls.go).
_OPERATORS: Mapping[Route, str] = {
    ("flags", "migStrategy"): "mig.strategy in the chart's values (empty there, this file decides)",
    ("flags", "failOnInitError"): "FAIL_ON_INIT_ERROR in devicePlugin.env",
    ("flags", "mpsRoot"): "devicePlugin.mps.root of the ClusterPolicy",
    ("flags", "plugin", "passDeviceSpecs"): "PASS_DEVICE_SPECS in devicePlugin.env",
    ("flags", "plugin", "deviceListStrategy"): "DEVICE_LIST_STRATEGY in devicePlugin.env",
    ("flags", "plugin", "deviceIDStrategy"): "DEVICE_ID_STRATEGY in devicePlugin.env",
}


def shared_resources(data: Json) -> Iterator[tuple[Route, str]]:
    """The named entries of a body's sharing blocks, each with its route; keys in any case, as the plugin reads them."""
    for way in _WAYS:
        found: Json = data
        route: Route = ()
        for step in ("sharing", way, "resources"):
            name, found = _in_any_case(found, step)
            route = (*route, name)
        for index, item in enumerate(found if isinstance(found, list) else ()):
            if isinstance(item, Mapping) and isinstance(item.get("name"), str):
                yield (*route, index), item["name"]


def _in_any_case(node: Json, step: str) -> tuple[str, Json]:
    """The key of a mapping that is `step` but for its case, and what it holds."""
    if not isinstance(node, Mapping):
        return step, None
    name = next((one for one in node if isinstance(one, str) and one.lower() == step.lower()), step)
    return name, node.get(name)


def _dropped(body: Body, _: Facts) -> Iterator[Hit]:
    for problem in problems(body.data, "device-plugin", any_case=True) if isinstance(body.data, Mapping) else ():
        if problem.keyword != "additionalProperties" or wrong_devices(body.data, problem.route):
            continue
        name = str(problem.route[-1])
        known = _DROPPED.get(name) if len(problem.route) == 1 or name != "resources" else None
        home = None if known else _home(name, problem.route)
        why, fix = known or (f"there is no such key here{home[0] if home else ''}", home[1] if home else problem.fix)
        yield Hit(problem.route, f"the device plugin drops {quoted(name)}: {why}", fix, at="key")


def wrong_devices(data: Json, route: Route) -> bool:
    """Whether the node at `route` is a `devices` that even the plugin's parser refuses."""
    if route[-1] != "devices" or "resources" not in route:
        return False
    value = node_at(data, route)
    if isinstance(value, bool):
        return True
    return (
        value < 1
        if isinstance(value, int)
        else value != "all"
        if isinstance(value, str)
        else not isinstance(value, list)
    )


def _home(name: str, route: Route) -> tuple[str, str] | None:
    """Where a key that is not known here has its place (k8s-device-plugin#1433)."""
    if name in ("renameByDefault", "failRequestsGreaterThanOne"):
        way = "mps" if "mps" in route else "timeSlicing"
        return f"; its place is sharing.{way}", f"sharing: {{{way}: {{{name}: ..., resources: [...]}}}}"
    place = next((known for known in _OPERATORS if known[-1] == name), None)
    return (
        None if place is None else (f"; its place is {'.'.join(map(str, place[:-1]))}", f"{'.'.join(map(str, place))}")
    )


DROPPED = Rule(
    "GV320", "error", "Key of a device-plugin config that is dropped", "0.1.0", files={"device-plugin": _dropped}
)


def _overruled(body: Body, _: Facts) -> Iterator[Hit]:
    if body.chart is not None and body.chart.name != "gpu-operator":
        return
    for route, instead in _OPERATORS.items():
        node = node_at(body.data, route)
        if node is not None:
            yield Hit(
                route,
                f"under the GPU Operator {'.'.join(map(str, route))} has no effect: the operator sets it in the environment, "
                "which wins over the file",
                f"remove it; what counts is {instead}",
                at="key",
            )


OVERRULED = Rule("GV321", "warning", "Flag that the operator sets itself", "0.1.0", files={"device-plugin": _overruled})


def _twice(body: Body, _: Facts) -> Iterator[Hit]:
    first: dict[tuple[Route, str], Route] = {}
    for route, name in shared_resources(body.data):
        full = name if "/" in name else f"nvidia.com/{name}"
        earlier = first.setdefault((route[:-1], full), route)
        if earlier != route:
            yield Hit(
                (*route, "name"),
                f"{full} stands here twice: the larger number of replicas is used for both",
                "remove one of them",
                (((*earlier, "name"), "the first"),),
            )


TWICE = Rule("GV322", "error", "Resource that is shared twice", "0.1.0", files={"device-plugin": _twice})


def _forced(body: Body, facts: Facts) -> Iterator[Hit]:
    release = body.release(facts)
    plugin = release.components.get("device_plugin") if release is not None else None
    route: Route = ("sharing", "mps", "failRequestsGreaterThanOne")
    node = node_at(body.data, route)
    if node is False and (plugin is None or same_or_newer(plugin, "0.20.0") is False):
        here = f", and here it is {plugin}" if plugin else ""
        yield Hit(
            route,
            f"under MPS the device plugin refuses requests for more than one before 0.20.0{here}",
            "remove it, and ask for one replica in each pod",
        )


FORCED = Rule(
    "GV323", "warning", "MPS that refuses larger requests all the same", "0.1.0", files={"device-plugin": _forced}
)


RULES: tuple[Rule, ...] = (
    DROPPED,
    OVERRULED,
    TWICE,
    FORCED,
)
