"""Rules about the packing profile of a site: what it weighs, whom it packs, and whether the scheduler can be given it."""

import re
from collections.abc import Iterable, Iterator

from genvalues.facts import Facts
from genvalues.facts.version import numbers
from genvalues.finding import Hit, Route
from genvalues.plan.kinds import PoolPlan
from genvalues.plan.scheduling import PACKING
from genvalues.plan.sharing import GPU
from genvalues.rules import scheduler_config, scheduler_profiles
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.rules.scheduler_profiles import Weighed
from genvalues.wording import listed, nearest, quoted

_WEIGHTS: Route = (*PACKING, "weights")

# Resources of every node (kubernetes, core/v1 ResourceName); hugepages- goes on with a size.
_NATIVE = frozenset({"cpu", "memory", "ephemeral-storage", "pods"})

# What NVIDIA's device plugin calls the devices that it hands out (k8s-device-plugin, internal/resource).
_GPU_NAME = r"nvidia\.com/(?:gpu|mig-[1-9][0-9]*g\.[0-9]+gb(?:\.[a-z.]+)?)(?:\.shared)?"
_LIKE_GPU = r"(?i)(?:nvidia\.com/)?(?:gpu|mig)|nvidia/"

# Nodes from which on kube-scheduler stops looking once it has found enough (minFeasibleNodesToFind), and how it reckons.
_ALL_SCORED = 100


def impossible(name: str) -> bool:
    """Whether no node can have a resource of that name: none of Kubernetes' own, and no device of NVIDIA's plugin."""
    if "/" not in name:
        return name not in _NATIVE and not name.startswith("hugepages-")
    return re.match(_LIKE_GPU, name) is not None and re.fullmatch(_GPU_NAME, name) is None


def _meant(name: str, devices: Iterable[str]) -> str | None:
    """The resource that a name was probably meant for; what looks like a GPU (`gpu`, one slip from `cpu`) is one."""
    return nearest(name, devices if re.match(_LIKE_GPU, name) else [*sorted(_NATIVE), *devices])


def _weights_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in scheduler_profiles.of(body):
        for one in profile.weighed:
            if impossible(one.name):
                near = _meant(one.name, [GPU]) or GPU
                message = f"no node has a resource {quoted(one.name)}, so this weight does nothing"
                yield Hit((*one.route, "name"), message, f"name: {near}")


@rule("GV800", "error", "Weight of a resource that no node has", files=scheduler_profiles.both(_weights_in_file))
def weight_of_nothing(case: Case) -> Iterator[Hit]:
    """Resources of other device plugins are not known here: only names of GPUs, and names that nothing can have."""
    exposed = _exposed(case)
    stated = case.site.packing.weights if case.site.packing is not None else {}
    for name, weight in stated.items():
        stands_in = name == GPU and any(one not in stated for one in exposed)
        is_gpu = re.match(_LIKE_GPU, name) is not None
        if name in exposed or stands_in or not (impossible(name) or is_gpu) or not _all_known(case):
            continue
        others = [one for one in exposed if one not in stated]
        near = _meant(name, others or exposed) or (others or [*exposed, GPU])[0]
        yield Hit(
            (*_WEIGHTS, name),
            f"no pool exposes {name}; there {'are' if len(exposed) > 1 else 'is'} {listed(exposed, 'and')}",
            f"{near}: {weight}" if near not in stated else "remove the line",
            tuple(
                (pool.sharing.name.why.routes[0], f"pool {pool.name} exposes {one}")
                for one, pool in exposed.items()
                if pool.sharing.name.why.routes
            ),
            at="key",
        )


def _exposed(case: Case) -> dict[str, PoolPlan]:
    """GPU resources of the site with the first pool that exposes each."""
    found: dict[str, PoolPlan] = {}
    for pool in case.plan.pools:
        for resource in pool.sharing.resources:
            found.setdefault(resource.name, pool)
    return found


def _all_known(case: Case) -> bool:
    """Whether every pool is known to expose something; if not, another rule says why."""
    return all(pool.sharing.known and pool.sharing.resources for pool in case.plan.pools)


def _unweighed_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    for profile in scheduler_profiles.of(body):
        meant = "gpu" in (profile.name or "").lower()
        if profile.packs and meant and not any(_is_gpu_like(one) for one in profile.weighed):
            yield Hit(
                profile.strategy,
                f"the profile {profile.name} packs by {listed([one.name for one in profile.weighed] or ['cpu', 'memory'], 'and')} "
                "alone: how many GPUs of a node are taken does not count",
                f"- {{name: {GPU}, weight: 5}}",
            )


def _is_gpu_like(one: Weighed) -> bool:
    return "gpu" in one.name.lower() or one.name.startswith("nvidia.com/")


@rule(
    "GV801",
    "warning",
    "GPU resource without a weight",
    files=scheduler_profiles.both(_unweighed_in_file),
)
def resource_without_weight(case: Case) -> Iterator[Hit]:
    stated = case.site.packing.weights if case.site.packing is not None else {}
    exposed = _exposed(case)
    lost = {name: pool for name, pool in exposed.items() if name not in stated}
    misnamed = any(re.match(_LIKE_GPU, name) is not None for name in stated if name not in exposed)  # GV800 speaks
    if not stated or GPU in stated or misnamed or not lost:
        return
    names = listed(lost, "and")
    yield Hit(
        _WEIGHTS,
        f"pods that ask for {names} are placed by {listed(stated, 'and')} alone: nothing weighs {names}",
        f"{GPU}: 5, which weighs every GPU resource that has no weight of its own",
        pools=tuple(pool.name for pool in lost.values()),
    )


@rule("GV802", "warning", "Packing that fills GPU nodes with other pods")
def packs_bystanders(case: Case) -> Iterator[Hit]:
    scheduler = case.plan.scheduler
    if scheduler is None or not scheduler.replaces_default:
        return
    counted = [name for name, _ in scheduler.weights if name in ("cpu", "memory")]
    pools = [pool for pool in case.plan.pools if not any(one.effect != "PreferNoSchedule" for one in pool.pool.taints)]
    if not counted or not pools:
        return
    yield Hit(
        (*PACKING, "schedulerName"),
        f"this packs pods without GPUs too, by {listed(counted, 'and')}: nodes of {listed([p.name for p in pools], 'and')} "
        "carry no taint that keeps such pods off, and the fuller a GPU node is, the more of them it draws",
        "schedulerName: gpu-binpack, which only pods that ask for it get, or on the nodes and in the pool "
        "taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]",
        tuple((pool.pool.at.route("taints"), f"pool {pool.name} is open to every pod") for pool in pools),
        pools=tuple(pool.name for pool in pools),
    )


def scored(nodes: int) -> int:
    """How many feasible nodes kube-scheduler looks for before it scores, where nobody says (schedule_one.go)."""
    if nodes < _ALL_SCORED:
        return nodes
    return max(_ALL_SCORED, nodes * max(5, 50 - nodes // 125) // 100)


@rule("GV803", "warning", "Packing over a part of the nodes")
def packs_a_part(case: Case) -> Iterator[Hit]:
    scheduler = case.plan.scheduler
    counts = [pool.pool.node_count or 0 for pool in case.plan.pools]
    nodes = sum(counts)
    if scheduler is None or (scheduler.percentage is not None and scheduler.percentage.value) or scored(nodes) == nodes:
        return
    yield Hit(
        (*PACKING, "percentageOfNodesToScore") if scheduler.percentage is not None else PACKING,
        f"the site has {nodes} GPU nodes, and kube-scheduler stops looking at {scored(nodes)} that fit: the fullest one may "
        "not be among them",
        "percentageOfNodesToScore: 100",
    )


@rule("GV804", "error", "Kubernetes without this scheduler configuration")
def scheduler_too_old(case: Case) -> Iterator[Hit]:
    known = numbers(case.site.cluster.kubernetes)
    if case.plan.scheduler is not None and known is not None and known[:2] < (1, 25):
        yield Hit(
            PACKING,
            f"the scheduler of Kubernetes {case.site.cluster.kubernetes} does not read kubescheduler.config.k8s.io/v1, which "
            "came with 1.25, and would not start",
            "remove scheduler.packing, or a Kubernetes from 1.25 on",
            ((("cluster", "kubernetes"), "the cluster's version"),),
        )


@rule(
    "GV805",
    "warning",
    "Scheduler configuration without a kubeconfig",
    files={"scheduler": scheduler_config.no_kubeconfig},
)
def unknown_delivery(case: Case) -> Iterator[Hit]:
    scheduler = case.plan.scheduler
    if scheduler is not None and scheduler.kubeconfig is None:
        yield Hit(
            PACKING,
            f"how the scheduler of {scheduler.distribution} is given its configuration is not known here: the file that is "
            "rendered lacks clientConnection.kubeconfig, without which the scheduler reaches no API server",
            "accept GV805 with a reason, once you know how to complete and deliver it",
            ((("cluster", "distribution"), "the distribution"),),
        )


RULES: tuple[Rule, ...] = (
    weight_of_nothing,
    resource_without_weight,
    packs_bystanders,
    packs_a_part,
    scheduler_too_old,
    unknown_delivery,
    *scheduler_config.RULES,
)
