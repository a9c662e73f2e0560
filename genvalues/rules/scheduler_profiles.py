"""What a scheduler profile of a hand-written file comes to: whom it is for, what it weighs, and how much.

Everything here holds for any JSON: what has not the shape that kube-scheduler wants is left out, and GV912 speaks of it.
"""

from collections.abc import Iterator, Mapping

from genvalues.document import Kind
from genvalues.finding import Json, Route
from genvalues.record import NamedTuple
from genvalues.rules.rule import Body, FileCheck

FIT, SPREAD = "NodeResourcesFit", "PodTopologySpread"

# Weights where nobody says (kube-scheduler, apis/config/v1/default_plugins.go); 0 is read as 1.
_DEFAULT_WEIGHTS = {FIT: 1, SPREAD: 2}

PACKING = ("MostAllocated", "RequestedToCapacityRatio")


class Weighed(NamedTuple):
    """A resource of a scoring strategy, with its route."""

    route: Route
    name: str
    weight: Json


class Profile(NamedTuple):
    """One profile. `strategy` is the route of NodeResourcesFit's strategy type, `kind` its value, None: the default."""

    route: Route
    data: Json
    name: str | None
    strategy: Route
    kind: str | None
    weighed: tuple[Weighed, ...]

    @property
    def packs(self) -> bool:
        """Whether it prefers nodes that are full already."""
        return self.kind in PACKING

    def weight(self, plugin: str) -> int:
        """How much a plugin's score counts; 0 where it is disabled."""
        plugins = mapping(self.data.get("plugins"))
        for point in ("score", "multiPoint"):
            entries = mapping(plugins.get(point))
            for one in items(entries.get("enabled")):
                if mapping(one).get("name") == plugin:
                    stated = one.get("weight")
                    return stated if isinstance(stated, int) and stated > 0 else 1
            if any(mapping(one).get("name") in (plugin, "*") for one in items(entries.get("disabled"))):
                return 0
        return _DEFAULT_WEIGHTS[plugin]

    def args(self, plugin: str) -> tuple[Route, Json] | None:
        """The arguments of a plugin, with their route; None where it has none."""
        for position, one in enumerate(items(self.data.get("pluginConfig"))):
            if mapping(one).get("name") == plugin and isinstance(one.get("args"), dict):
                return (*self.route, "pluginConfig", position, "args"), one["args"]
        return None


def both(check: FileCheck) -> Mapping[Kind, FileCheck]:
    """A check for KubeSchedulerConfigurations and for Kubespray's variables, which hold the same profiles."""
    return {"scheduler": check, "kubespray": check}


def lists(body: Body) -> Iterator[tuple[Route, Json]]:
    """The list of profiles of a KubeSchedulerConfiguration, or of Kubespray's variables."""
    key = "profiles" if body.kind == "scheduler" else "kube_scheduler_profiles"
    data = mapping(body.data)
    if isinstance(data.get(key), list):
        yield (key,), data[key]


def of(body: Body) -> Iterator[Profile]:
    """The profiles of a file."""
    for base, profiles in lists(body):
        for position, data in enumerate(profiles):
            if isinstance(data, dict):
                yield _profile((*base, position), data)


def _profile(route: Route, data: Json) -> Profile:
    name = data.get("schedulerName")
    plain = Profile(route, data, name if isinstance(name, str) else None, route, None, ())
    found = plain.args(FIT)
    if found is None:
        return plain
    base: Route = (*found[0], "scoringStrategy")
    strategy = mapping(found[1].get("scoringStrategy"))
    kind = strategy.get("type")
    weighed = tuple(
        Weighed((*base, "resources", position), one["name"], one.get("weight"))
        for position, one in enumerate(items(strategy.get("resources")))
        if isinstance(one, dict) and isinstance(one.get("name"), str)
    )
    return plain._replace(strategy=(*base, "type"), kind=kind if isinstance(kind, str) else None, weighed=weighed)


def mapping(value: Json) -> Json:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Json) -> Json:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []
