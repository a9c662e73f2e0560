"""One NodeFeatureRule for the site: a rule for each pool, which labels the pool's nodes.

NFD runs the rules in their order, and a later one overwrites labels of an earlier one: pools stand as in the site.
"""

from collections.abc import Iterator

from genvalues.artefacts.objects import begin
from genvalues.document import Builder, Decided, Doc, Why
from genvalues.finding import Json, Route
from genvalues.plan import Plan
from genvalues.plan.kinds import Matcher, PciMatch, PoolPlan

_INTRO = (
    "NFD sets these labels on the nodes that match, and removes them again from nodes that no longer do.",
    "A label that does not appear: nfd-master's log says why (look for 'ignoring label').",
)


def render(plan: Plan) -> Iterator[Doc]:
    """The rules of all pools in one object."""
    name = Decided(plan.site, Why((("name",),), "the site's name"))
    builder = begin(
        "manifests/node-feature-rules.yaml",
        "node-feature-rule",
        "nfd.k8s-sigs.io/v1alpha1",
        "NodeFeatureRule",
        name,
        plan.nfd.chart,
        _INTRO,
    )
    for position, pool in enumerate(plan.pools):
        _rule(builder, ("spec", "rules", position), pool)
    yield builder.doc()


def _rule(builder: Builder, at: Route, pool: PoolPlan) -> None:
    route: Route = ("hardware", "pools", pool.pool.position, "name")
    builder.put((*at, "name"), Decided(pool.name, Why((route,), "one rule for each pool")))
    for label in pool.labels:
        builder.put((*at, "labels", label.key), label.value)
    _match(builder, at, pool.matcher)


def _match(builder: Builder, at: Route, matcher: Matcher) -> None:
    """All of matchFeatures and one of matchAny must hold; several kinds of PCI device are alternatives."""
    gpus = [_gpu(gpu) for gpu in matcher.gpus.value]
    terms: list[Decided[Json]] = []
    if len(gpus) == 1:
        terms.append(Decided(gpus[0], matcher.gpus.why))
    else:
        builder.put((*at, "matchAny"), Decided([{"matchFeatures": [gpu]} for gpu in gpus], matcher.gpus.why))
    if matcher.name_pattern is not None:
        pattern = matcher.name_pattern
        name = {"feature": "system.name", "matchExpressions": {"nodename": _is("InRegexp", pattern.value)}}
        terms.append(Decided(name, pattern.why))
    for index, term in enumerate(terms):
        builder.put((*at, "matchFeatures", index), term)


def _gpu(gpu: PciMatch) -> Json:
    """One PCI device on which all of this holds; NFD compares lower-case hex strings."""
    wanted = {
        "vendor": (gpu.vendor,),
        "class": gpu.classes,
        "device": gpu.devices,
        "subsystem_device": gpu.subsystems,
    }
    expressions = {attribute: _is("In", *values) for attribute, values in wanted.items() if values}
    return {"feature": "pci.device", "matchExpressions": expressions}


def _is(op: str, *values: str) -> Json:
    return {"op": op, "value": list(values)}
