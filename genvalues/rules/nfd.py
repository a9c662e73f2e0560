"""Rules about the settings of Node Feature Discovery, in its own chart's values or under an operator's.

What its chart or its daemons refuse or ignore is the contract's to say; here is what works and does harm.
"""

from collections.abc import Iterator, Mapping, Sequence

from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.plan.kinds import PoolPlan
from genvalues.plan.labels import POOL
from genvalues.rules import nfd_pci, nfd_sources, nfd_values
from genvalues.rules.node_feature import all_labels
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import nearest, quoted

VALUES: Kind = "values"

_SINCE = "0.1.0"

# Feature gates by the version that has them first (pkg/features/features.go).
_GATES = {"NodeFeatureAPI": "0.16", "NodeFeatureGroupAPI": "0.16", "DisableAutoPrefix": "0.16"}

_GPU_TAINT = "nvidia.com/gpu"
_DAEMONSETS: Route = ("daemonsets", "tolerations")
_WORKER: Route = ("worker", "tolerations")


def _two(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """NFD on in more than one of the charts of the set: the bundled ones are the ones too many."""
    keep = nfd_values.governing(bodies)
    for one in nfd_values.every(bodies):
        if keep is None or one.body is keep.body or not one.base or one.body.chart is None or keep.body.chart is None:
            continue
        other = f"by the chart {keep.body.chart.name}" if keep.base else "by itself"
        yield (
            one.body,
            Hit(
                ("nfd", "enabled"),
                f"the chart {one.body.chart.name} installs an NFD of its own, and {keep.body.file} installs one {other}: two "
                "masters read the same rules and write the same labels, each by its own settings",
                "nfd: {enabled: false}",
            ),
        )


def _overwrite(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    said = found.stated("master", "config", "restrictions", "allowOverwrite") if found is not None else None
    if found is not None and said is not None and said[1] is False and found.since("0.17.0"):
        yield Hit(
            said[0],
            "allowOverwrite: false does the opposite of what its name says: NFD still replaces labels that it did not "
            "make, and no longer updates its own",
            "remove allowOverwrite",
        )


def _others_labels(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    if found is None or not found.since("0.17.0"):
        return
    denied = found.stated("master", "config", "restrictions", "denyNodeFeatureLabels")
    if denied is not None and denied[1] is True:
        yield Hit(
            denied[0],
            "NFD drops the labels of NodeFeature objects of others, and GPU feature discovery publishes by one from GPU "
            "Operator 25.10 on: nvidia.com/gpu.product and its like would be gone",
            "remove denyNodeFeatureLabels",
        )
    selector = found.stated("master", "config", "restrictions", "nodeFeatureNamespaceSelector")
    if selector is not None and selector[1]:
        yield Hit(
            selector[0],
            "NFD reads NodeFeature objects only in namespaces that this selects; GPU feature discovery's are in the "
            "operator's namespace",
            "remove nodeFeatureNamespaceSelector, or let it select the operator's namespace too",
        )


def _gates(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    said = found.stated("featureGates") if found is not None else None
    if found is None or said is None or not found.since("0.16.0"):
        return
    for gate in said[1] if isinstance(said[1], Mapping) else ():
        if gate not in _GATES:
            close = nearest(gate, _GATES)
            yield Hit(
                (*said[0], gate),
                f"NFD has no feature gate {gate}: its daemons refuse the flag, and do not start",
                f"{close}: ..." if close else f"remove {gate}",
                at="key",
            )


def _priority_twice(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    if found is None or not found.since("0.16.0"):
        return
    both, worker = found.get("priorityClassName"), found.get("worker", "priorityClassName")
    if both and worker:
        yield Hit(
            found.at("priorityClassName"),
            f"priorityClassName ({both}) and worker.priorityClassName ({worker}) both go into the worker's pods, where the key "
            "then stands twice: strict readers of YAML, such as Flux and kustomize, refuse it",
            "remove priorityClassName, or remove worker.priorityClassName",
            at="key",
        )


def tolerates(toleration: Json, key: str, value: str, effect: str) -> bool:
    """Whether a toleration covers a taint (k8s.io/api/core/v1, Toleration.ToleratesTaint)."""
    if not isinstance(toleration, Mapping):
        return False
    if toleration.get("effect") not in (None, "", effect):
        return False
    wanted, operator = toleration.get("key") or "", toleration.get("operator") or "Equal"
    if operator == "Exists":
        return wanted in ("", key)
    return operator == "Equal" and wanted == key and (toleration.get("value") or "") == value


@rule("GV636", "error", "Taint that an override no longer tolerates")
def uncovered_taint(case: Case) -> Iterator[Hit]:
    """Helm replaces lists: tolerations of the overrides take the place of those that the site has worked out."""
    for chart, route, who in (
        ("nodeFeatureDiscovery", _WORKER, "NFD's worker does not run there, and the nodes get no labels"),
        ("gpuOperator", _DAEMONSETS, "the operator's pods do not run there"),
    ):
        tolerations = node_at(case.site.overrides.get(chart), route)
        if isinstance(tolerations, list):
            yield from _uncovered(case.plan.pools, tolerations, ("overrides", chart, *route), who)


def _uncovered(pools: Sequence[PoolPlan], tolerations: list[Json], at: Route, who: str) -> Iterator[Hit]:
    for pool in pools:
        for position, taint in enumerate(pool.pool.taints):
            covered = any(tolerates(one, taint.key, taint.value or "", taint.effect) for one in tolerations)
            if taint.effect == "PreferNoSchedule" or covered:
                continue
            yield Hit(
                at,
                f"nodes of pool {pool.name} carry the taint {taint.key}, which none of these tolerates: {who}",
                f"- {{key: {taint.key}, operator: Exists, effect: {taint.effect}}}",
                (((*pool.pool.at.route("taints"), position), "the taint"),),
                pools=(pool.name,),
            )


def _one_value(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Tolerations of the GPU taint that hold for one of its values only.

    Not in what is rendered for a site, which knows the taints of its nodes (GV636): its rules set the pools' label.
    """
    if any(label.key == POOL for body in bodies if body.kind == KIND for label in all_labels(body)):
        return
    for body in bodies:
        found = nfd_values.nfd(body)
        if found is not None and (said := found.stated(*map(str, _WORKER))) is not None:
            yield from ((body, hit) for hit in _by_value(said[1], said[0]))
        if body.kind == "values" and body.chart is not None and body.chart.name == "gpu-operator":
            yield from ((body, hit) for hit in _by_value(node_at(body.data, _DAEMONSETS), _DAEMONSETS))


def _by_value(tolerations: Json, route: Route) -> Iterator[Hit]:
    entries = tolerations if isinstance(tolerations, list) else []
    for index, one in enumerate(entries):
        equal = isinstance(one, Mapping) and one.get("key") == _GPU_TAINT and one.get("operator") in (None, "", "Equal")
        if not equal or sum(_is_gpu(other) for other in entries) > 1 or any(_is_all(other) for other in entries):
            continue
        value = one.get("value") or ""
        yield Hit(
            (*route, index),
            f"this tolerates {_GPU_TAINT} with the value {quoted(value)} alone: on nodes with another one no pod starts, and "
            "nothing says so",
            f"- {{key: {_GPU_TAINT}, operator: Exists, effect: {one.get('effect') or 'NoSchedule'}}}",
        )


def _is_gpu(toleration: Json) -> bool:
    return isinstance(toleration, Mapping) and toleration.get("key") == _GPU_TAINT


def _is_all(toleration: Json) -> bool:
    return tolerates(toleration, _GPU_TAINT, "any", "NoSchedule")


RULES: tuple[Rule, ...] = (
    Rule("GV616", "error", "Two NFDs in one cluster", _SINCE, across=_two),
    Rule("GV620", "error", "allowOverwrite that does the opposite", _SINCE, files={VALUES: _overwrite}),
    Rule("GV621", "warning", "NodeFeature objects that NFD passes over", _SINCE, files={VALUES: _others_labels}),
    *nfd_pci.RULES,
    *nfd_sources.RULES,
    Rule("GV632", "error", "Feature gate that NFD does not have", _SINCE, files={VALUES: _gates}),
    Rule("GV634", "error", "Priority class that is set twice", _SINCE, files={VALUES: _priority_twice}),
    uncovered_taint,
    Rule("GV637", "warning", "Toleration for one value of the GPU taint", _SINCE, across=_one_value),
)
