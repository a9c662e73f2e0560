"""The pods that show that a GPU can be used: one for each resource that a pool exposes."""

from collections.abc import Iterator

from genvalues.document import Decided
from genvalues.facts.version import same_or_newer
from genvalues.finding import node_at
from genvalues.model import Site
from genvalues.plan.kinds import ChartPlan, PoolPlan, Resource, Toolkit, VerifyPod
from genvalues.plan.reasons import because

# Their containerd is configured by a file of their own, and nvidia does not become its default runtime
# (NVIDIA/gpu-operator#473; k0s documentation on NVIDIA GPUs).
_OWN_CONTAINERD = ("k3s", "k0s", "microk8s", "rke2")

_CDI_BY_DEFAULT = "v25.10.0"
_RUNTIME_CLASS = "nvidia"


def pods(site: Site, pools: tuple[PoolPlan, ...], operator: ChartPlan, toolkit: Toolkit) -> Iterator[VerifyPod]:
    """One pod for each resource of each pool."""
    runtime = _runtime_class(site, operator, toolkit)
    for pool in pools:
        resources = pool.sharing.resources
        for resource in resources:
            stem = pool.name if len(resources) == 1 else f"{pool.name}-{_short(resource)}"
            name = "verify-" + stem.replace(".", "-")
            yield VerifyPod(name, f"verify/{stem}.yaml", pool, resource, runtime)


def _short(resource: Resource) -> str:
    return resource.name.rpartition("/")[2]


def _runtime_class(site: Site, operator: ChartPlan, toolkit: Toolkit) -> Decided[str] | None:
    """The runtime class that a GPU pod must name here. With CDI the device plugin's answer is enough."""
    distribution = site.cluster.distribution
    if distribution not in _OWN_CONTAINERD or not toolkit.by_operator.value:
        return None
    overrides = site.overrides.get("gpuOperator", {})
    cdi = node_at(overrides, ("cdi", "enabled"))
    if cdi is None:
        cdi = same_or_newer(operator.chart.version, _CDI_BY_DEFAULT)
    if cdi is not False:
        return None
    name = node_at(overrides, ("operator", "runtimeClass")) or _RUNTIME_CLASS
    routes = (("cluster", "distribution"), ("charts", "gpuOperator"))
    return because(str(name), routes, f"without CDI the default runtime of {distribution} gives pods no GPU")
