"""Rules about names in scheduler configurations: plugins that exist, configurations that name one, Kubespray's variables."""

from collections.abc import Iterable, Iterator

from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route
from genvalues.rules import scheduler_profiles as profiles
from genvalues.rules.rule import Body, Rule
from genvalues.rules.scheduler_profiles import FIT, items, mapping
from genvalues.structure import schema
from genvalues.wording import distance, quoted

# Plugins that kube-scheduler had, and what to write today (apis/config, v1beta1 to v1beta3).
_REMOVED = {
    "NodeResourcesLeastAllocated": f"name: {FIT}, with scoringStrategy {{type: LeastAllocated}} under pluginConfig",
    "NodeResourcesMostAllocated": f"name: {FIT}, with scoringStrategy {{type: MostAllocated}} under pluginConfig",
    "RequestedToCapacityRatio": f"name: {FIT}, with scoringStrategy {{type: RequestedToCapacityRatio}} under pluginConfig",
    "NodeLabel": "name: NodeAffinity, with addedAffinity under pluginConfig",
    "NodePreferAvoidPods": "remove the entry",
    "SelectorSpread": "name: PodTopologySpread",
    "ServiceAffinity": "name: PodTopologySpread",
    **dict.fromkeys(
        ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits", "NonCSILimits"), "name: NodeVolumeLimits"
    ),
}


def _known() -> tuple[str, ...]:
    """The plugins that kube-scheduler is built with, v1.34 and v1.35."""
    return tuple(schema("kube-scheduler-configuration")["definitions"]["pluginName"]["enum"])


def _named(body: Body) -> Iterator[tuple[Route, str]]:
    """Every place where a profile names a plugin that kube-scheduler does not have."""
    known = frozenset(_known())
    for profile in profiles.of(body):
        plugins = mapping(profile.data.get("plugins"))
        lists: list[tuple[Route, Json]] = []
        for point, entries in plugins.items():
            lists += [(("plugins", point, key), mapping(entries).get(key)) for key in ("enabled", "disabled")]
        lists.append((("pluginConfig",), profile.data.get("pluginConfig")))
        for route, entries in lists:
            for position, one in enumerate(items(entries)):
                name = mapping(one).get("name")
                if isinstance(name, str) and name not in known and name != "*":
                    yield (*profile.route, *route, position, "name"), name


def meant(name: str) -> str | None:
    """What to write for a name that was a plugin's once, or is one but for a slip; None where it may be another scheduler's."""
    if name in _REMOVED:
        return _REMOVED[name]
    bare = name.removesuffix("Args")
    if bare in _known():
        return f"name: {bare}"
    near = _slip(name, _known())
    return f"name: {near}" if near is not None else None


def _slip(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that differs in two letters at most; names here share so much that more would mean little."""
    slips, near = min((distance(name.lower(), one.lower()), one) for one in names)
    return near if slips <= 2 else None


def _no_plugin(body: Body, _: Facts) -> Iterator[Hit]:
    for route, name in _named(body):
        if (fix := meant(name)) is None:
            continue
        configured = route[-3] == "pluginConfig"
        if name.endswith("Args"):
            what = "is the kind of a plugin's arguments and no plugin: the scheduler does not start"
        elif configured:
            what = "is no plugin of kube-scheduler, which takes these arguments without a word and uses its own"
        else:
            what = (
                "is no plugin of kube-scheduler" + (" any more" if name in _REMOVED else "") + ", which does not start"
            )
        yield Hit(route, f"{name} {what}", fix)


def _foreign_plugin(body: Body, _: Facts) -> Iterator[Hit]:
    """Each plugin once, where it is named first."""
    seen: set[str] = set()
    for route, name in _named(body):
        if name not in seen and meant(name) is None:
            seen.add(name)
            yield Hit(
                route,
                f"kube-scheduler has no plugin {name}: this file is for a scheduler that was built with it, and keeps "
                "Kubernetes' own from starting",
                "remove the entry, or accept that this file is for another scheduler",
            )


def _nameless(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in profiles.of(body):
        for position, one in enumerate(items(profile.data.get("pluginConfig"))):
            if isinstance(one, dict) and "name" not in one:
                fit = "scoringStrategy" in mapping(one.get("args"))
                yield Hit(
                    (*profile.route, "pluginConfig", position),
                    "these arguments name no plugin: the scheduler takes them without a word and uses its own",
                    f"name: {FIT}" if fit else "name: the plugin that they are for",
                )


def _old_driver(body: Body, _: Facts) -> Iterator[Hit]:
    value = mapping(body.data).get("nvidia_accelerator_enabled")
    if value is True or (isinstance(value, str) and value.lower() in ("true", "yes")):
        yield Hit(
            ("nvidia_accelerator_enabled",),
            f"nvidia_accelerator_enabled {quoted(value) if isinstance(value, str) else 'true'} makes Kubespray install a "
            "driver of branch 390 and an old device plugin, beside those of the GPU Operator",
            "nvidia_accelerator_enabled: false",
        )


def _misspelt_variable(body: Body, _: Facts) -> Iterator[Hit]:
    known = tuple(schema("kubespray-scheduler")["properties"])
    for name in mapping(body.data):
        if not isinstance(name, str) or name in known:
            continue
        near = _slip(name, known)
        if near is not None:
            message = f"Kubespray has no variable {name}, and passes over it without a word"
            yield Hit((name,), message, f"{near}:", at="key")


OLD_DRIVER = Rule(
    "GV816", "error", "Kubespray's own GPU driver beside the operator's", "0.1.0", files={"kubespray": _old_driver}
)
NO_PLUGIN = Rule("GV817", "error", "Scheduler plugin that does not exist", "0.1.0", files=profiles.both(_no_plugin))
FOREIGN = Rule("GV818", "warning", "Plugin of another scheduler", "0.1.0", files=profiles.both(_foreign_plugin))
NAMELESS = Rule("GV819", "error", "Plugin arguments without a plugin", "0.1.0", files=profiles.both(_nameless))
MISSPELT = Rule("GV820", "warning", "Misspelt variable of Kubespray", "0.1.0", files={"kubespray": _misspelt_variable})

RULES: tuple[Rule, ...] = (OLD_DRIVER, NO_PLUGIN, FOREIGN, NAMELESS, MISSPELT)
