"""Rules about labels that are another's to set: the kubelet's, a controller's, GPU feature discovery's, our own."""

import re
from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.finding import Hit
from genvalues.plan.kinds import Label, PoolPlan
from genvalues.plan.labels import DEVICE_PLUGIN_CONFIG, MIG_CONFIG
from genvalues.rules.nfd_publish import OWN
from genvalues.rules.node_feature import NodeLabel, all_labels, labels, rules
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import quoted

# Labels that the kubelet writes and keeps (kubelet_node_status.go, updateDefaultLabels).
_KUBELET = frozenset(
    (
        "kubernetes.io/hostname",
        "kubernetes.io/os",
        "kubernetes.io/arch",
        "beta.kubernetes.io/os",
        "beta.kubernetes.io/arch",
    )
)

# Labels that controllers of a cloud or of the cluster set or act on, with what they do there.
_CONTROLLERS = {
    "topology.kubernetes.io/zone": "volumes and spread constraints follow it",
    "topology.kubernetes.io/region": "volumes and spread constraints follow it",
    "failure-domain.beta.kubernetes.io/zone": "it is the old name of topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "it is the old name of topology.kubernetes.io/region",
    "beta.kubernetes.io/instance-type": "it is the old name of node.kubernetes.io/instance-type",
    "node.kubernetes.io/exclude-from-external-load-balancers": "load balancers leave such nodes out, whatever its value",
    "node.kubernetes.io/windows-build": "it is the kubelet's, on Windows",
}

# What GPU feature discovery publishes (k8s-device-plugin, internal/lm), and the operator's and MIG manager's own.
_DISCOVERED = (
    r"nvidia\.com/(?:"
    r"gpu\.(?:product|count|memory|family|machine|replicas|mode|multiprocessors|sharing-strategy|present|"
    r"compute\.(?:major|minor)|(?:slices|engines)\..+)"
    r"|cuda\..+|gfd\.timestamp|mps\.capable|vgpu\..+|mig\.(?:capable|strategy|config\.state)|mig-.+"
    r"|gpu-driver-upgrade-state)"
)


def owner_fault(key: str) -> str | None:
    """That the kubelet keeps a label; None where it does not."""
    return f"{key} is the kubelet's: it writes it back, and pods and volumes rely on it" if key in _KUBELET else None


def _kubelet_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    yield from (_hit(label, fault) for label in all_labels(body) if (fault := owner_fault(label.key)))


@rule("GV605", "error", "Label that the kubelet keeps", files={KIND: _kubelet_in_file})
def kubelet(case: Case) -> Iterator[Hit]:
    yield from (_site(pool, key, fault) for pool, key in _own(case) if (fault := owner_fault(key)))


def controller_fault(key: str) -> str | None:
    """That a controller sets a label, or acts on it; None where none does."""
    does = _CONTROLLERS.get(key)
    if does is None:
        return None
    return f"{key} means something to controllers of the cluster ({does}), and NFD takes it away when the rule no longer matches"


def _controllers_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    yield from (_hit(label, fault) for label in all_labels(body) if (fault := controller_fault(label.key)))


@rule("GV606", "warning", "Label that controllers of the cluster act on", files={KIND: _controllers_in_file})
def controllers(case: Case) -> Iterator[Hit]:
    yield from (_site(pool, key, fault) for pool, key in _own(case) if (fault := controller_fault(key)))


def discovery_fault(key: str) -> str | None:
    """That the GPU stack sets a label itself; None where it does not."""
    if re.fullmatch(_DISCOVERED, key) is None:
        return None
    return f"{key} is set by the GPU Operator's own pods: a rule that sets it too makes it say what no GPU reports"


def _discovered_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    yield from (_hit(label, fault) for label in all_labels(body) if (fault := discovery_fault(label.key)))


@rule("GV607", "error", "Label that the GPU Operator sets", files={KIND: _discovered_in_file})
def discovered(case: Case) -> Iterator[Hit]:
    yield from (_site(pool, key, fault) for pool, key in _own(case) if (fault := discovery_fault(key)))


def _twice_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    """Keys of one rule that become one label: with NFD's namespace written out, and without it."""
    for node_rule in rules(body.data):
        keys: dict[str, str] = {}
        for label in labels(node_rule):
            earlier = keys.setdefault(_full(label.key), label.key)
            if earlier != label.key:
                text = f"{label.key} and {earlier} are one label, {_full(label.key)}, and either value may win"
                yield Hit(label.route, text, f"remove {label.key}", at="key")


@rule("GV609", "error", "Label that is set twice", files={KIND: _twice_in_file})
def twice(case: Case) -> Iterator[Hit]:
    """A pool's own labels against those that follow from its other keys: the last one written wins, in silence."""
    for pool in case.plan.pools:
        tools = {_full(label.key): label for label in _derived(pool)}
        seen: dict[str, str] = {}
        for key in pool.pool.labels:
            other = tools.get(_full(key))
            earlier = seen.setdefault(_full(key), key)
            if other is not None:
                yield Hit(
                    pool.pool.at.route("labels", key),
                    f"{key} follows from another line of the pool already, as {quoted(other.value.value)}",
                    f"remove {key}",
                    tuple((route, f"{other.key} follows from here") for route in other.value.why.routes[:1]),
                    at="key",
                    pools=(pool.name,),
                )
            elif earlier != key:
                yield Hit(
                    pool.pool.at.route("labels", key),
                    f"{key} and {earlier} are one label, {_full(key)}",
                    f"remove {key}",
                    ((pool.pool.at.route("labels", earlier), "the first"),),
                    at="key",
                    pools=(pool.name,),
                )


@rule("GV610", "warning", "Label that takes a decision from the site")
def decided_by_label(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        shared = {label.key for label in _derived(pool)}
        for key in (DEVICE_PLUGIN_CONFIG, MIG_CONFIG):
            if key in pool.pool.labels and key not in shared:
                yield Hit(
                    pool.pool.at.route("labels", key),
                    f"{key} decides how the GPUs are shared, past the site: neither resources nor scheduler weights nor "
                    "verification pods know of it",
                    "sharing: <name>, of a config under sharing.configs",
                    at="key",
                    pools=(pool.name,),
                )


def _derived(pool: PoolPlan) -> Iterator[Label]:
    """The labels of a pool that do not stand under its `labels`."""
    for label in pool.labels:
        if pool.pool.at.route("labels", label.key) not in label.value.why.routes:
            yield label


def _full(key: str) -> str:
    return key if "/" in key else f"{OWN}/{key}"


def _own(case: Case) -> Iterator[tuple[PoolPlan, str]]:
    return ((pool, key) for pool in case.plan.pools for key in pool.pool.labels)


def _site(pool: PoolPlan, key: str, fault: str) -> Hit:
    fix = (
        "instanceType: ..." if key == "beta.kubernetes.io/instance-type" else f"remove {key}, or use a name of your own"
    )
    return Hit(pool.pool.at.route("labels", key), fault, fix, at="key", pools=(pool.name,))


def _hit(label: NodeLabel, fault: str) -> Hit:
    return Hit(
        label.route,
        fault,
        f"example.internal/{label.key.rpartition('/')[2]}: ..., with a domain of your own",
        at="key",
    )


RULES: tuple[Rule, ...] = (kubelet, controllers, discovered, twice, decided_by_label)
