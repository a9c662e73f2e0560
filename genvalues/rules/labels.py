"""Rules about labels: of the pools of a site, and of NodeFeatureRules.

A label that NFD drops is missed only by those who select on it: nothing says so but nfd-master's log.
"""

from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.kinds import NfdFeature
from genvalues.finding import Hit, Route
from genvalues.plan.kinds import PoolPlan
from genvalues.plan.labels import INSTANCE_TYPE, ROLE, is_closed
from genvalues.record import NamedTuple
from genvalues.rules import label_owners, label_products, label_publication, nfd_catalogue
from genvalues.rules.label_form import key_fault, split, tidied, tidied_key, value_fault
from genvalues.rules.nfd_publish import OWN
from genvalues.rules.node_feature import all_labels, rules, texts
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import key as typed
from genvalues.wording import quoted

# Roles that make something else of a node; kubeadm gives the first two to control planes.
_CONTROL_PLANES = ("control-plane", "master", "etcd")


class Stated(NamedTuple):
    """A label of a pool's own, with the place of its value."""

    pool: PoolPlan
    route: Route
    key: str
    value: str


def stated(case: Case) -> Iterator[Stated]:
    """The labels that the site writes out for its pools, the instance type among them."""
    for pool in case.plan.pools:
        if pool.pool.instance_type is not None:
            yield Stated(pool, pool.pool.at.route("instanceType"), INSTANCE_TYPE, pool.pool.instance_type)
        yield from own(pool)


def own(pool: PoolPlan) -> Iterator[Stated]:
    """The labels under `labels` of a pool."""
    for key, value in pool.pool.labels.items():
        yield Stated(pool, pool.pool.at.route("labels", key), key, value)


def _keys_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    for found in all_labels(body):
        wrong = key_fault(found.key)
        if wrong is not None:
            text = f"{quoted(found.key)} is no key of a label: {wrong}"
            yield Hit(found.route, text, f"{typed(tidied_key(found.key))}: ...", at="key")


@rule("GV600", "error", "Label key that Kubernetes refuses", files={KIND: _keys_in_file})
def label_keys(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        for label in own(pool):
            wrong = key_fault(label.key)
            if wrong is not None:
                yield Hit(
                    label.route,
                    f"{quoted(label.key)} is no key of a label: {wrong}",
                    f"{typed(tidied_key(label.key))}: {quoted(label.value)}",
                    at="key",
                    pools=(pool.name,),
                )


def label_value_fault(key: str, value: str) -> tuple[str, str] | None:
    """Why the value of a label does not come to the node, and what to write; None where it does, or is a reference."""
    wrong = value_fault(value)
    if wrong is None or value.startswith("@") or key_fault(key) is not None:
        return None
    namespace, _ = split(key)
    then = (
        f"NFD does not look at values in namespace {namespace}, and the API server refuses the patch with all labels of "
        "the node"
        if is_closed(namespace)
        else "NFD drops the label"
    )
    if "{{" in value:
        return f"{quoted(value)} is no value of a label, and NFD expands no templates here: {then}", (
            "labelsTemplate in a NodeFeatureRule of your own"
        )
    return f"{quoted(value)} is no value of a label: {wrong}; {then}", quoted(tidied(value))


def _values_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    for found in all_labels(body):
        wrong = label_value_fault(found.key, found.value) if found.value is not None else None
        if wrong is not None:
            yield Hit(found.route, wrong[0], f"{typed(found.key)}: {wrong[1]}")


@rule("GV601", "error", "Label value that Kubernetes refuses", files={KIND: _values_in_file})
def label_values(case: Case) -> Iterator[Hit]:
    for label in stated(case):
        wrong = label_value_fault(label.key, label.value)
        if wrong is not None:
            name = "instanceType" if label.route[-1] == "instanceType" else typed(label.key)
            yield Hit(label.route, wrong[0], f"{name}: {wrong[1]}", pools=(label.pool.name,))


def _references_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    for node_rule in rules(body.data):
        for field in ("labels", "extendedResources"):
            for key, value in texts(node_rule.data.get(field)):
                wrong = nfd_catalogue.reference_fault(value, known, facts) if value.startswith("@") else None
                if wrong is not None:
                    yield Hit((*node_rule.route, field, key), *wrong)


@rule("GV602", "error", "Reference that NFD cannot resolve", files={KIND: _references_in_file})
def references(case: Case) -> Iterator[Hit]:
    known = nfd_catalogue.features(case.plan.nfd.chart, case.facts)
    for label in stated(case):
        wrong = nfd_catalogue.reference_fault(label.value, known, case.facts) if label.value.startswith("@") else None
        if wrong is not None:
            yield Hit(label.route, *wrong, pools=(label.pool.name,))


def loose_reference(value: str, known: Mapping[str, NfdFeature]) -> str | None:
    """The feature whose text a reference takes, where that text is free: a vendor's words, with blanks in them."""
    name = ".".join(value.removeprefix("@").split(".")[:2])
    return name if value.startswith("@") and name == "system.dmiid" and name in known else None


_LOOSE_TEXT = (
    "what the board's maker wrote there, such as PowerEdge XE9680, often holds blanks, which no label value may: NFD then "
    "drops the label on these nodes"
)
_LOOSE_FIX = "labelsTemplate with replace, in a NodeFeatureRule of your own (NFD 0.18 or newer)"


def _loose_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    for found in all_labels(body):
        if found.value is not None and _is_loose(found.value, known, facts):
            yield Hit(found.route, _LOOSE_TEXT, _LOOSE_FIX)


@rule("GV603", "warning", "Reference to a text that may be no label value", files={KIND: _loose_in_file})
def loose_references(case: Case) -> Iterator[Hit]:
    known = nfd_catalogue.features(case.plan.nfd.chart, case.facts)
    for label in stated(case):
        if _is_loose(label.value, known, case.facts):
            yield Hit(label.route, _LOOSE_TEXT, _LOOSE_FIX, pools=(label.pool.name,))


def _is_loose(value: str, known: Mapping[str, NfdFeature], facts: Facts) -> bool:
    return loose_reference(value, known) is not None and nfd_catalogue.reference_fault(value, known, facts) is None


def _unprefixed_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    for found in all_labels(body):
        if "/" not in found.key and key_fault(found.key) is None:
            yield Hit(found.route, _bare_text(found.key), f"{OWN}/{found.key}: ...", at="key")


def _bare_text(key: str) -> str:
    return (
        f"{key} has no namespace: nodes get it as {OWN}/{key}, which is what selectors must say, unless NFD's feature gate "
        "DisableAutoPrefix is on"
    )


@rule("GV608", "warning", "Label key without a namespace", files={KIND: _unprefixed_in_file})
def unprefixed(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        for label in own(pool):
            if "/" not in label.key and key_fault(label.key) is None:
                yield Hit(
                    label.route,
                    _bare_text(label.key),
                    f"{OWN}/{label.key}: {quoted(label.value)}",
                    at="key",
                    pools=(pool.name,),
                )


@rule("GV611", "warning", "Role of a control plane on GPU nodes")
def control_plane_role(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        roles = {pool.pool.role: pool.pool.at.route("role")} if pool.pool.role is not None else {}
        roles |= {label.key.removeprefix(ROLE): label.route for label in own(pool) if label.key.startswith(ROLE)}
        for role, route in roles.items():
            if role in _CONTROL_PLANES:
                yield Hit(
                    route,
                    f"{ROLE}{role} says that a node is a control plane: load balancers leave it out, and the pods of operators "
                    "prefer it",
                    "role: gpu",
                    pools=(pool.name,),
                )


RULES: tuple[Rule, ...] = (
    label_keys,
    label_values,
    references,
    loose_references,
    *label_publication.RULES,
    *label_owners.RULES,
    unprefixed,
    control_plane_role,
    *label_products.RULES,
)
