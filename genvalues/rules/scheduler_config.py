"""Rules about scheduler configurations in files, for what no schema can say: two places compared, and what pulls apart.

Fields, types and ranges are held against schemas/bodies (GV912). Verdicts are kube-scheduler's own, v1.34 and v1.35.
"""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route
from genvalues.rules import scheduler_plugins
from genvalues.rules import scheduler_profiles as profiles
from genvalues.rules.rule import Body, Rule
from genvalues.rules.scheduler_profiles import FIT, SPREAD, items, mapping
from genvalues.wording import inline

_DEFAULT = "default-scheduler"


def no_kubeconfig(body: Body, _: Facts) -> Iterator[Hit]:
    """Of a file only: a configuration inside a ConfigMap is for a scheduler in a pod with an account of its own."""
    connection = mapping(mapping(body.data).get("clientConnection"))
    if not connection.get("kubeconfig") and body.base == ():
        where: Route = ("clientConnection",) if connection else ()
        yield Hit(
            where,
            "with --config the scheduler ignores --kubeconfig, and this file names none: on a control plane it reaches no "
            "API server",
            "clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}",
        )


def _names_twice(body: Body, _: Facts) -> Iterator[Hit]:
    first: dict[str, profiles.Profile] = {}
    for profile in profiles.of(body):
        name = profile.name if "schedulerName" in profile.data else _DEFAULT
        if name is None or not name:
            continue
        known = first.setdefault(name, profile)
        if known is not profile and "schedulerName" in profile.data:  # a missing name is for the schema
            yield Hit(
                (*profile.route, "schedulerName"),
                f"two profiles are called {name}, and the scheduler does not start",
                f"schedulerName: {name}-2",
                (((*known.route, "schedulerName") if "schedulerName" in known.data else known.route, "the first one"),),
            )


def _queue_sort(body: Body, _: Facts) -> Iterator[Hit]:
    every = list(profiles.of(body))
    for profile in every[1:]:
        mine, first = (mapping(mapping(one.data.get("plugins")).get("queueSort")) for one in (profile, every[0]))
        if _plugin_set(mine) != _plugin_set(first):
            yield Hit(
                (*profile.route, "plugins", "queueSort") if mine else profile.route,
                "all profiles share one queue, so queueSort has to be the same in all of them, letter by letter: the "
                "scheduler does not start",
                f"queueSort: {inline(first)}" if first else "remove queueSort",
                (((*every[0].route, "plugins", "queueSort") if first else every[0].route, "the first profile"),),
            )


def _plugin_set(entries: Json) -> list[Json]:
    """What the scheduler compares: names and weights, in order."""
    return [
        [(mapping(one).get("name"), mapping(one).get("weight") or 0) for one in items(entries.get(key))]
        for key in ("enabled", "disabled")
    ]


def _configured_twice(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in profiles.of(body):
        first: dict[str, int] = {}
        for position, one in enumerate(items(profile.data.get("pluginConfig"))):
            name = mapping(one).get("name")
            if not isinstance(name, str):
                continue
            earlier = first.setdefault(name, position)
            if earlier != position:
                route: Route = (*profile.route, "pluginConfig")
                yield Hit(
                    (*route, position, "name"),
                    f"{name} is configured twice in one profile, and the scheduler does not start",
                    "merge the args into the first entry, and remove this one",
                    (((*route, earlier, "name"), "the first entry"),),
                )


def _shape_falls(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in profiles.of(body):
        for plugin, steps in ((FIT, ("scoringStrategy", "requestedToCapacityRatio")), ("VolumeBinding", ())):
            route, node = profile.args(plugin) or ((), {})
            for step in steps:
                route, node = (*route, step), mapping(node).get(step)
            points = items(mapping(node).get("shape"))
            yield from _falls(points, (*route, "shape"))


def _falls(points: list[Json], base: Route) -> Iterator[Hit]:
    before: int | None = None
    for position, point in enumerate(points):
        value = mapping(point).get("utilization")
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        if before is not None and value <= before:
            yield Hit(
                (*base, position, "utilization"),
                f"utilization {value} does not come after {before}: the points of a shape have to rise, and the scheduler "
                "does not start",
                "sort the points by utilization, each once",
            )
        before = value


def _weighed_twice(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in profiles.of(body):
        first: dict[str, profiles.Weighed] = {}
        for one in profile.weighed:
            known = first.setdefault(one.name, one)
            if known is not one:
                yield Hit(
                    (*one.route, "name"),
                    f"{one.name} is weighed twice, and both weights count",
                    "remove one of them",
                    (((*known.route, "name"), "the first one"),),
                )


def _pulled_apart(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in profiles.of(body):
        spread = mapping((profile.args(SPREAD) or ((), {}))[1])
        fit, against = profile.weight(FIT), profile.weight(SPREAD)
        silenced = spread.get("defaultingType") == "List" and not items(spread.get("defaultConstraints"))
        if not profile.packs or silenced or against < fit or not against:
            continue
        yield Hit(
            profile.strategy,
            f"{profile.kind} packs with weight {fit}, and {SPREAD} spreads the pods of every Deployment and StatefulSet over "
            f"nodes and zones with weight {against}: they are spread",
            f"multiPoint: {{enabled: [{{name: {FIT}, weight: 10}}]}} under plugins, and under pluginConfig "
            f"{{name: {SPREAD}, args: {{defaultingType: List, defaultConstraints: []}}}}",
        )


NAMES_TWICE = Rule("GV810", "error", "Two scheduler profiles of one name", "0.1.0", files=profiles.both(_names_twice))
QUEUE_SORT = Rule(
    "GV811", "error", "Scheduler profiles with different queues", "0.1.0", files=profiles.both(_queue_sort)
)
CONFIGURED_TWICE = Rule("GV812", "error", "Plugin configured twice", "0.1.0", files=profiles.both(_configured_twice))
SHAPE_FALLS = Rule("GV813", "error", "Scoring shape that does not rise", "0.1.0", files=profiles.both(_shape_falls))
WEIGHED_TWICE = Rule("GV814", "warning", "Resource weighed twice", "0.1.0", files=profiles.both(_weighed_twice))
PULLED_APART = Rule("GV815", "warning", "Packing that spreading outweighs", "0.1.0", files=profiles.both(_pulled_apart))
RULES: tuple[Rule, ...] = (
    NAMES_TWICE,
    QUEUE_SORT,
    CONFIGURED_TWICE,
    SHAPE_FALLS,
    WEIGHED_TWICE,
    PULLED_APART,
    *scheduler_plugins.RULES,
)
