"""The packing profile of kube-scheduler, and the file that points a distribution's scheduler at it.

All of these are files of control-plane nodes: no GitOps tool can deliver them. The scheduler decodes strictly and stops at
a field that it does not know, so nothing is written here that is not needed (kube-scheduler v1.34.1, verdicts of its
loader).
"""

from collections.abc import Callable, Iterator, Mapping

from genvalues.document import Builder, Decided, Doc
from genvalues.finding import Json, Route
from genvalues.plan import Plan
from genvalues.plan.kinds import DEFAULT_SCHEDULER, SchedulerPlan
from genvalues.plan.reasons import by_default

CONFIGURATION = "scheduler/kube-scheduler-configuration.yaml"

_FIT, _BALANCED, _SPREAD = "NodeResourcesFit", "NodeResourcesBalancedAllocation", "PodTopologySpread"

_FIT_WEIGHT = by_default(
    10, "outweighs what is left of spreading: PodTopologySpread and InterPodAffinity weigh 2, ImageLocality 1"
)
_UNBALANCED = by_default(
    _BALANCED,
    "would take points from a fuller node whose cpu and memory are used unevenly, and scores otherwise from 1.36 on",
)
_NO_SPREADING: Decided[list[Json]] = by_default(
    [],
    "without this list, replicas are spread over nodes and zones by default; constraints of the pods' own still count",
)
# Empty nodes get nothing, full ones the ten that the scale ends with.
_SHAPE = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]


def render(plan: Plan) -> Iterator[Doc]:
    """Nothing where the site asks for no packing."""
    if plan.scheduler is None:
        return
    yield _configuration(plan.scheduler)
    if (wired := _WIRING.get(plan.scheduler.distribution)) is not None:
        yield from wired(plan)


def _configuration(scheduler: SchedulerPlan) -> Doc:
    builder = Builder(CONFIGURATION, "scheduler", intro=_where(scheduler))
    builder.fixed(("apiVersion",), "kubescheduler.config.k8s.io/v1")
    builder.fixed(("kind",), "KubeSchedulerConfiguration")
    if scheduler.kubeconfig is not None:
        text = "has to stand here: the scheduler ignores --kubeconfig once it is given a file"
        builder.put(("clientConnection", "kubeconfig"), by_default(scheduler.kubeconfig, text))
    builder.fixed(("leaderElection", "leaderElect"), value=True)
    _profiles(builder, ("profiles",), scheduler)
    return builder.doc()


def _where(scheduler: SchedulerPlan) -> tuple[str, ...]:
    if scheduler.config_path is not None:
        return (f"Belongs on every control plane, as {scheduler.config_path}.",)
    return (
        f"Belongs on every control plane. Where the scheduler of {scheduler.distribution} looks for it, and for its own",
        "kubeconfig, is not known here: add clientConnection.kubeconfig, without which it reaches no API server.",
    )


def _profiles(builder: Builder, base: Route, scheduler: SchedulerPlan) -> None:
    position = 0
    if not scheduler.replaces_default:
        stock = by_default(DEFAULT_SCHEDULER, "pods that name no scheduler are placed as before")
        builder.put((*base, position, "schedulerName"), stock)
        position = 1
    profile = (*base, position)
    builder.put((*profile, "schedulerName"), _name(scheduler))
    if scheduler.percentage is not None:
        builder.put((*profile, "percentageOfNodesToScore"), scheduler.percentage)
    points = (*profile, "plugins", "multiPoint")
    builder.fixed((*points, "enabled", 0, "name"), _FIT)
    builder.put((*points, "enabled", 0, "weight"), _FIT_WEIGHT)
    builder.put((*points, "disabled", 0, "name"), _UNBALANCED)
    _scoring(builder, (*profile, "pluginConfig", 0), scheduler)
    spread = (*profile, "pluginConfig", 1)
    builder.fixed((*spread, "name"), _SPREAD)
    builder.fixed((*spread, "args", "defaultingType"), "List")
    builder.put((*spread, "args", "defaultConstraints"), _NO_SPREADING)


def _name(scheduler: SchedulerPlan) -> Decided[str]:
    text = f"pods ask for it with schedulerName: {scheduler.name.value}"
    if scheduler.replaces_default:
        text = f"every pod that names no other scheduler is packed; {scheduler.bystanders}"
    return scheduler.name._replace(why=scheduler.name.why._replace(text=text))


def _scoring(builder: Builder, config: Route, scheduler: SchedulerPlan) -> None:
    builder.fixed((*config, "name"), _FIT)
    strategy = (*config, "args", "scoringStrategy")
    builder.put((*strategy, "type"), scheduler.strategy)
    for position, (name, weight) in enumerate(scheduler.weights):
        resource = {"name": name, "weight": weight.value}
        builder.put((*strategy, "resources", position), Decided(resource, weight.why))
    if scheduler.strategy.value == "RequestedToCapacityRatio":
        shape = by_default(_SHAPE, "the fuller, the better")
        builder.put((*strategy, "requestedToCapacityRatio", "shape"), shape)


def _kubespray(plan: Plan) -> Iterator[Doc]:
    if (scheduler := plan.scheduler) is None:
        return
    intro = (
        "Belongs into the inventory, as group_vars/k8s_cluster/kube-scheduler.yml. Kubespray writes the scheduler's",
        "configuration from it, but restarts no scheduler that already runs: README.md has the command.",
    )
    builder = Builder("scheduler/kubespray.yaml", "kubespray", intro=intro)
    _profiles(builder, ("kube_scheduler_profiles",), scheduler)
    yield builder.doc()


def _kubeadm(plan: Plan) -> Iterator[Doc]:
    if (scheduler := plan.scheduler) is None or (path := scheduler.config_path) is None:
        return
    intro = (
        "A part of the ClusterConfiguration: merge it into the one that the cluster has (ConfigMap kubeadm-config in",
        "kube-system), then on every control plane: kubeadm init phase control-plane scheduler --config FILE",
    )
    builder = Builder("scheduler/kubeadm.yaml", "kubeadm", intro=intro)
    builder.fixed(("apiVersion",), scheduler.kubeadm_api)
    builder.fixed(("kind",), "ClusterConfiguration")
    listed = scheduler.kubeadm_api == "kubeadm.k8s.io/v1beta4"
    arguments: Json = [{"name": "config", "value": path}] if listed else {"config": path}
    builder.fixed(("scheduler", "extraArgs"), arguments)
    mount = {
        "name": "kubescheduler-config",
        "hostPath": path,
        "mountPath": path,
        "readOnly": True,
        "pathType": "File",
    }
    text = "without the mount the static pod does not see the file (kubernetes/kubeadm#518)"
    builder.put(("scheduler", "extraVolumes"), by_default([mount], text))
    yield builder.doc()


def _rancher(plan: Plan) -> Iterator[Doc]:
    """RKE2 mounts a file that an argument names by itself, k3s runs the scheduler in its own process."""
    if (scheduler := plan.scheduler) is None or scheduler.wiring is None:
        return
    intro = (
        f"Belongs on every server, as {scheduler.wiring}; first the file that it names, then this one, then a restart.",
        "Where another file sets kube-scheduler-arg too, the later one counts alone unless its key ends in a plus sign.",
    )
    path = "scheduler/" + "/".join(scheduler.wiring.split("/")[-2:])
    builder = Builder(path, "rke2-config", intro=intro)
    builder.fixed(("kube-scheduler-arg",), [f"config={scheduler.config_path}"])
    yield builder.doc()


_WIRING: Mapping[str, Callable[[Plan], Iterator[Doc]]] = {
    "kubespray": _kubespray,
    "kubeadm": _kubeadm,
    "rke2": _rancher,
    "k3s": _rancher,
}
