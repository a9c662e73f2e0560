"""Rules about files that people write, and that a rendering of ours cannot break; and what `lint` says of itself."""

from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.finding import Hit, Json
from genvalues.rules.rule import Body, Rule

_SOCKETS = ("CONTAINERD_SOCKET", "RUNTIME_SOCKET")
_CONFIGS = ("CONTAINERD_CONFIG", "RUNTIME_CONFIG")
_DEFAULTS = ("CONTAINERD_SET_AS_DEFAULT", "NVIDIA_RUNTIME_SET_AS_DEFAULT")
_RANCHER = ("/var/lib/rancher/", "/run/k3s/")


def _without_socket(body: Body, facts: Facts) -> Iterator[Hit]:
    """Values that a k3s or RKE2 cluster installs, with a toolkit that looks for containerd where others have it."""
    known = facts.distribution(body.distribution) if body.distribution else None
    if known is None or body.chart is None or body.chart.name != "gpu-operator":
        return
    toolkit, cdi = _map(body.data, "toolkit"), _map(body.data, "cdi")
    if (
        toolkit.get("enabled") is False
        or cdi.get("nriPluginEnabled") is True
        or any(name in _SOCKETS for _, name, _ in _env(toolkit))
    ):
        return
    socket = known.toolkit_env[0][1]["CONTAINERD_SOCKET"]
    said = f"k3s and RKE2 have containerd's socket at {socket}, and the toolkit looks for it where others have it: its pods wait for ever"
    route = ("toolkit",) if "toolkit" in body.data else ()
    yield Hit(route, said, f"toolkit: {{env: [{{name: CONTAINERD_SOCKET, value: {socket}}}]}}", at="key")


def _default_runtime(body: Body, _: Facts) -> Iterator[Hit]:
    """A default runtime that k3s and RKE2 do not keep."""
    above = _map(body.data, "spec") if body.kind == "cluster-policy" else body.data
    entries = list(_env(_map(above, "toolkit")))
    if not any(name in (*_SOCKETS, *_CONFIGS) and str(value).startswith(_RANCHER) for _, name, value in entries):
        return
    for index, name, value in entries:
        if name in _DEFAULTS and value == "true":
            base = ("spec", "toolkit", "env") if body.kind == "cluster-policy" else ("toolkit", "env")
            said = f"{name} is lost on k3s and RKE2, which write containerd's configuration anew at each start"
            yield Hit((*base, index), said, "runtimeClassName: nvidia in the pods, and this entry removed")


def _map(data: Json, key: str) -> Mapping[str, Json]:
    value = data.get(key) if isinstance(data, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _env(component: Mapping[str, Json]) -> Iterator[tuple[int, str, Json]]:
    env = component.get("env")
    for index, entry in enumerate(env if isinstance(env, list) else ()):
        if isinstance(entry, Mapping) and isinstance(entry.get("name"), str):
            yield index, entry["name"], entry.get("value")


WITHOUT_SOCKET = Rule(
    "GV558", "error", "Toolkit that looks for containerd in the wrong place", "0.1.0", files={"values": _without_socket}, needs="whole"
)
DEFAULT_RUNTIME = Rule(
    "GV559",
    "warning",
    "Default runtime that the distribution does not keep",
    "0.1.0",
    files={"values": _default_runtime, "cluster-policy": _default_runtime},
)
ASSUMED = Rule("GV920", "info", "A chart version that the file does not name", "0.1.0")

RULES = (WITHOUT_SOCKET, DEFAULT_RUNTIME, ASSUMED)
