"""Rules about the ConfigMaps that driver pods mount in hand-written values: names, and keys that are read."""

from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts
from genvalues.finding import Hit, Route, node_at
from genvalues.rules.rule import Body, Rule
from genvalues.rules.sharing_values import volume_name_fault
from genvalues.wording import listed, quoted

# Where driver settings name a ConfigMap, below `driver` in values and below `spec` in an NVIDIADriver.
_NAMES: Mapping[str, tuple[Route, ...]] = {
    "values": (
        ("driver", "repoConfig", "configMapName"),
        ("driver", "certConfig", "name"),
        ("driver", "kernelModuleConfig", "name"),
    ),
    "nvidia-driver": (
        ("spec", "repoConfig", "name"),
        ("spec", "certConfig", "name"),
        ("spec", "kernelModuleConfig", "name"),
    ),
}

_SOURCES = (".list", ".sources", ".repo")
_BUNDLE = "tls-ca-bundle.pem"
_CERTIFICATES = (".crt", _BUNDLE)


def _stated(body: Body) -> Iterator[tuple[Route, str]]:
    for route in _NAMES[body.kind]:
        name = node_at(body.data, route)
        if isinstance(name, str) and name:
            yield route, name


def _mounted(body: Body, _: Facts) -> Iterator[Hit]:
    first: dict[str, Route] = {}
    for route, name in _stated(body):
        fault = volume_name_fault(name)
        earlier = first.setdefault(name, route)
        if fault is not None:
            text = f"the operator calls the pod's volume like the ConfigMap, and {quoted(name)} cannot be: {fault[0]}"
            yield Hit(route, text, f"{route[-1]}: {fault[1]}, for the ConfigMap too")
        elif earlier != route:
            yield Hit(
                route,
                f"{name} is the ConfigMap of {'.'.join(map(str, earlier[:-1]))}, too: a pod cannot have two volumes of one "
                "name",
                f"{route[-1]}: {name}-{str(route[-2]).removesuffix('Config').lower()}, with the keys that it is for",
                ((earlier, "the other one"),),
            )


MOUNTED = Rule(
    "GV583",
    "error",
    "ConfigMap of the driver that cannot be mounted",
    "0.1.0",
    files={"values": _mounted, "nvidia-driver": _mounted},
)


def _unread(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Keys are mounted as files; what no package manager or trust store reads by that name has no effect."""
    named: dict[str, str] = {}
    for body in bodies:
        for route, name in _stated(body) if body.kind in _NAMES else ():
            named.setdefault(name, str(route[-2]))
    for body in bodies:
        keys = node_at(body.data, ("data",)) if body.kind == "config-map" else None
        what = named.get(str(node_at(body.data, ("metadata", "name"))))
        suffixes = {"repoConfig": _SOURCES, "certConfig": _CERTIFICATES}.get(what or "")
        for name in keys if isinstance(keys, Mapping) and suffixes is not None else ():
            if suffixes is not None and not str(name).endswith(suffixes):
                where = "a package manager" if what == "repoConfig" else "a trust store"
                fix = f"{str(name).partition('.')[0]}{suffixes[0]}" + (
                    f", or {_BUNDLE} on RHEL" if what == "certConfig" else ""
                )
                yield (
                    body,
                    Hit(
                        ("data", name),
                        f"{name} becomes a file that {where} does not read: they end in {listed(suffixes)}",
                        fix,
                        at="key",
                    ),
                )


UNREAD = Rule("GV584", "error", "File of a driver ConfigMap that nothing reads", "0.1.0", across=_unread)


RULES: tuple[Rule, ...] = (MOUNTED, UNREAD)
