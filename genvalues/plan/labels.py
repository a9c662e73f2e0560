"""Labels that the pools' rules set, how the rules recognise nodes, and what NFD must be told for both."""

from collections.abc import Iterator

from genvalues.document import Decided
from genvalues.facts.kinds import Gpu
from genvalues.finding import Route
from genvalues.model import Pool, Taint
from genvalues.plan.kinds import Label, Matcher, NfdWorker, PciMatch, PoolPlan, Sharing, Toleration
from genvalues.plan.reasons import because, by_default, said

POOL = "feature.node.kubernetes.io/pool"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
ROLE = "node-role.kubernetes.io/"
DEVICE_PLUGIN_CONFIG = "nvidia.com/device-plugin.config"
MIG_CONFIG = "nvidia.com/mig.config"

# What GPU Operator and NVIDIA's charts put on and tolerate by default.
GPU_TAINT = "nvidia.com/gpu"

# Display and 3D controllers: what NVIDIA's kernel module binds (open-gpu-kernel-modules, nv-pci-table.c).
NVIDIA = "10de"
GPU_CLASSES = ("0300", "0302")


def labels(pool: Pool, sharing: Sharing) -> Iterator[Label]:
    """Every label of the pool, the tool's own first; a later one of the same key would overwrite it."""
    yield Label(POOL, said(pool.name, ("hardware", "pools", pool.position, "name"), "every pool carries its name"))
    if pool.role is not None:
        yield Label(ROLE + pool.role, said("true", pool.at.route("role"), f"the pool's role is {pool.role}"))
    if pool.instance_type is not None:
        yield Label(INSTANCE_TYPE, said(pool.instance_type, pool.at.route("instanceType"), "the pool's instance type"))
    for key, value in pool.labels.items():
        yield Label(key, said(value, pool.at.route("labels", key), "a label of the pool's own"))
    config = sharing.config
    if config is not None and (config.time_slicing is not None or config.mps is not None):
        yield Label(DEVICE_PLUGIN_CONFIG, Decided(config.name, sharing.name.why))
    if config is not None and config.mig is not None:
        yield Label(MIG_CONFIG, Decided(config.name, sharing.name.why))


def is_closed(namespace: str) -> bool:
    """Whether NFD refuses labels in this namespace unless extraLabelNs names it.

    NFD v0.15 to v0.19, pkg/apis/nfd/validate: kubernetes.io and everything under it, but for
    feature.node.kubernetes.io and profile.node.kubernetes.io with what is under them.
    """
    if namespace != "kubernetes.io" and not namespace.endswith(".kubernetes.io"):
        return False
    opened = ("feature.node.kubernetes.io", "profile.node.kubernetes.io")
    return not any(namespace == name or namespace.endswith("." + name) for name in opened)


def extra_label_namespaces(pools: tuple[PoolPlan, ...]) -> Decided[tuple[str, ...]]:
    """The closed namespaces in which the pools' rules set labels, so that NFD lets them through."""
    routes: dict[str, list[Route]] = {}
    for pool in pools:
        for label in pool.labels:
            if is_closed(label.namespace):
                routes.setdefault(label.namespace, []).extend(label.value.why.routes)
    unique = tuple(dict.fromkeys(route for found in routes.values() for route in found))
    text = "NFD drops labels in namespaces under kubernetes.io in silence unless they are listed here"
    return because(tuple(sorted(routes)), unique, text)


def device_classes(pools: tuple[PoolPlan, ...]) -> Decided[tuple[str, ...]]:
    """PCI classes that get a label: displays and 3D controllers, and network adapters where the site has any."""
    networks = tuple(pool.pool.at.route("nics") for pool in pools if pool.pool.nics)
    direct = tuple(pool.rdma.gpu_direct.why.routes for pool in pools if pool.rdma.gpu_direct.value != "none")
    if not networks and not direct:
        return by_default(("03",), "display and 3D controllers; an entry matches every class that begins with it")
    routes = networks or direct[0]
    text = (
        "network adapters (02), and display and 3D controllers (03); an entry matches every class that begins with it"
    )
    return because(("02", "03"), tuple(dict.fromkeys(routes)), text)


def matcher(pool: Pool, gpu: Gpu | None) -> Matcher:
    """How the pool's rule recognises its nodes: the GPU's PCI ids, and the name where the site gives a pattern."""
    pattern = pool.name_pattern
    named = None
    if pattern is not None:
        route: Route = ("hardware", "pools", pool.position, "nodes", "namePattern")
        named = said(pattern, route, "node names of the pool")
    if gpu is None or not gpu.pci_ids:
        any_gpu = (PciMatch(NVIDIA, GPU_CLASSES, (), ()),)
        return Matcher(by_default(any_gpu, "any NVIDIA GPU: the PCI ids of this model are not known"), named)
    found = tuple(_pci_matches(gpu))
    return Matcher(because(found, (pool.at.route("gpu", "model"),), f"the PCI ids of {gpu.display}"), named)


def _pci_matches(gpu: Gpu) -> Iterator[PciMatch]:
    """The ids that tell the GPU by themselves together, then each that tells it only with its subsystems."""
    alone = tuple(pci.device for pci in gpu.pci_ids if not pci.needs_subsystem)
    if alone:
        yield PciMatch(NVIDIA, GPU_CLASSES, alone, ())
    for pci in gpu.pci_ids:
        if pci.needs_subsystem:
            boards = tuple(subsystem.partition(":")[2] for subsystem in pci.subsystems)
            yield PciMatch(NVIDIA, GPU_CLASSES, (pci.device,), boards)


def nfd_worker() -> NfdWorker:
    """Where NFD's worker runs: everywhere, and before other pods."""
    return NfdWorker(
        tolerations=by_default((Toleration(None, None),), "the worker must run on every node, whatever its taints"),
        priority_class=by_default(
            "system-node-critical", "a full node must still take the worker, as in GPU Operator's bundled NFD"
        ),
    )


def tolerations(pools: tuple[PoolPlan, ...]) -> tuple[tuple[Toleration, Decided[str]], ...]:
    """What the operands must tolerate: the chart's default entry (helm replaces lists) and every taint of the pools."""
    found: dict[Toleration, Decided[str]] = {
        Toleration(GPU_TAINT, "NoSchedule"): by_default(
            "", "the chart's own toleration, which a list of ours would replace"
        )
    }
    for pool in pools:
        for position, taint in enumerate(pool.pool.taints):
            key = Toleration(taint.key, taint.effect)
            if key not in found or not found[key].why.routes:
                found[key] = said("", pool.pool.at.route("taints", position), f"nodes carry {spelt(taint)}")
    return tuple(found.items())


def spelt(taint: Taint) -> str:
    """A taint as kubectl writes it: key=value:effect."""
    return f"{taint.key}={taint.value}:{taint.effect}" if taint.value else f"{taint.key}:{taint.effect}"
