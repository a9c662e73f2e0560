"""The packing profile of kube-scheduler: every GPU resource that the site exposes is weighed."""

from genvalues.document import Decided
from genvalues.facts import Facts
from genvalues.facts.version import same_or_newer
from genvalues.finding import Route
from genvalues.model import Site
from genvalues.plan.kinds import PoolPlan, SchedulerPlan
from genvalues.plan.reasons import because, by_default, said
from genvalues.plan.sharing import GPU

PACKING: Route = ("scheduler", "packing")
DEFAULT_WEIGHTS = {"cpu": 1, "memory": 1, GPU: 5}


def scheduler(site: Site, pools: tuple[PoolPlan, ...], facts: Facts) -> SchedulerPlan | None:
    """The packing profile, or None where the site asks for none."""
    packing = site.packing
    if packing is None:
        return None
    distribution = facts.distribution(site.cluster.distribution)
    files = distribution.scheduler if distribution else None
    return SchedulerPlan(
        name=said(packing.scheduler_name, (*PACKING, "schedulerName"), "the name that pods ask for")
        if packing.scheduler_name
        else by_default("gpu-binpack", "a profile of its own; the default scheduler stays as it is"),
        strategy=said(packing.strategy, (*PACKING, "strategy"), "how nodes are scored")
        if packing.strategy
        else by_default("MostAllocated", "the fullest node that fits comes first"),
        weights=tuple(_weights(site, pools).items()),
        percentage=said(
            packing.percentage_of_nodes_to_score, (*PACKING, "percentageOfNodesToScore"), "how many nodes are scored"
        )
        if packing.percentage_of_nodes_to_score is not None
        else None,
        config_path=files.config if files else None,
        kubeconfig=files.kubeconfig if files else None,
        wiring=files.wiring if files else None,
        distribution=site.cluster.distribution,
        kubeadm_api=_kubeadm_api(site.cluster.kubernetes),
        bystanders=_bystanders(pools),
    )


def _bystanders(pools: tuple[PoolPlan, ...]) -> str:
    """MostAllocated scores pods without GPUs by cpu and memory alone, which fills GPU nodes that nothing closes to them."""
    open_to_all = [
        pool.name for pool in pools if not any(taint.effect != "PreferNoSchedule" for taint in pool.pool.taints)
    ]
    if not open_to_all:
        return "taints keep pods without GPUs off the GPU nodes"
    return f"nothing keeps pods without GPUs off the nodes of {', '.join(open_to_all)}: no taint there forbids them"


def _kubeadm_api(kubernetes: str) -> str:
    """v1beta4 from kubeadm 1.31 on (kubernetes/kubernetes, CHANGELOG-1.31); extraArgs are a list only there."""
    return "kubeadm.k8s.io/v1beta4" if same_or_newer(kubernetes, "1.31") is not False else "kubeadm.k8s.io/v1beta3"


def _weights(site: Site, pools: tuple[PoolPlan, ...]) -> dict[str, Decided[int]]:
    """The site's weights; that of nvidia.com/gpu stands for every GPU resource that has none of its own."""
    stated = site.packing.weights if site.packing else {}
    if stated:
        weights = {
            name: said(weight, (*PACKING, "weights", name), "weight of the site") for name, weight in stated.items()
        }
    else:
        weights = {name: by_default(weight, "the usual weight") for name, weight in DEFAULT_WEIGHTS.items()}
    gpu = weights.get(GPU)
    exposed = {resource.name: pool for pool in pools for resource in pool.sharing.resources}
    if gpu is not None:
        for name, pool in sorted(exposed.items()):
            if name not in weights:
                routes = (*gpu.why.routes, *pool.sharing.name.why.routes)
                weights[name] = because(gpu.value, routes, f"pool {pool.name} exposes it; it weighs as much as {GPU}")
    if GPU not in exposed and gpu is not None and len(weights) > 1:
        del weights[GPU]
    return weights
