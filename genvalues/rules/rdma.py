"""Rules about GPUDirect RDMA, the network driver that it needs, and the Network Operator."""

from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts
from genvalues.facts.kinds import OperatorRelease
from genvalues.facts.version import chart as chart_version
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Route, format_route, node_at
from genvalues.plan.kinds import PoolPlan
from genvalues.rules import rdma_modules, rdma_unused
from genvalues.rules.driver_support import model_route, version_route
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed

_SINCE = "0.1.0"

_MELLANOX = "15b3"
_OLDEST_KERNEL = (5, 12)
_CUDA = "11.7"
_BEFORE_TURING = ("maxwell", "pascal", "volta")

Missing = tuple[str, str, Route]
"""What DMA-BUF lacks: what it needs, what there is instead, and where that is said."""


@rule("GV660", "error", "DMA-BUF without what it needs")
def dmabuf(case: Case) -> Iterator[Hit]:
    """The table of gpu-operator-rdma.rst: open modules, Linux 5.12, CUDA 11.7, Turing or newer."""
    for pool in _asking(case, "dmabuf"):
        if pool.gpu is not None and pool.gpu.gpudirect_rdma is False:
            continue  # GV661
        missing = list(_missing_for_dmabuf(case, pool))
        if missing:
            needs = listed([f"{need} ({instead})" for need, instead, _ in missing], "and")
            yield Hit(
                pool.rdma.gpu_direct.why.routes[0],
                f"GPUDirect RDMA by DMA-BUF needs {needs}",
                _instead_of_dmabuf(missing, pool.pool.driver.at.route("kernelModuleType")),
                tuple((route, instead) for _, instead, route in missing),
                pools=(pool.name,),
            )


def old_kernel(kernel: str) -> bool:
    """Whether a kernel release ("5.4.0-200-generic") is older than Linux 5.12; False where it does not tell."""
    parsed = chart_version(".".join(kernel.partition("-")[0].split(".")[:2]))
    return parsed is not None and len(parsed) == 2 and parsed < _OLDEST_KERNEL


def _missing_for_dmabuf(case: Case, pool: PoolPlan) -> Iterator[Missing]:
    gpu, driver = pool.gpu, pool.driver
    if gpu is not None and gpu.architecture in _BEFORE_TURING:
        yield "a GPU of Turing or newer", f"{gpu.display} here", model_route(pool)
    elif driver.modules.value == "proprietary" and (gpu is None or gpu.open_kernel_modules != "required"):
        routes = driver.modules.why.routes
        place = routes[0] if routes else pool.pool.driver.at.route("kernelModuleType")
        yield "the open kernel modules", "proprietary ones here", place
    old = next((index for index, kernel in enumerate(pool.pool.os.kernels) if old_kernel(kernel)), None)
    if old is not None:
        yield "Linux 5.12 or newer", f"{pool.pool.os.kernels[old]} here", (*pool.pool.at.route("os", "kernels"), old)
    toolkit, version = case.facts.cuda_toolkit(_CUDA), driver.version.value
    oldest = toolkit.toolkit_driver if toolkit is not None else None
    if oldest is not None and version is not None and same_or_newer(f"{version}.999", oldest) is False:
        yield f"CUDA {_CUDA}, which comes with driver {oldest}", f"{version} here", version_route(pool)


def _instead_of_dmabuf(missing: Sequence[Missing], modules: Route) -> str:
    if len(missing) == 1 and missing[0][1].startswith("proprietary"):
        return f"{format_route(modules)}: open"
    newer = "a newer kernel on the nodes, " if missing[0][0].startswith("Linux") else ""
    return f"{newer}gpuDirect: peermem with ofed: host and DOCA OFED on the nodes, or gpuDirect: none"


@rule("GV661", "error", "GPU without GPUDirect")
def no_gpudirect(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        gpu, rdma = pool.gpu, pool.rdma
        if gpu is None:
            continue
        asked = (
            ("gpuDirect", "GPUDirect RDMA", rdma.gpu_direct.value != "none", "gpuDirect: none"),
            ("gdrcopy", "GDRCopy", rdma.gdrcopy.value, "gdrcopy: false"),
        )
        for key, name, wanted, fix in asked:
            if wanted and gpu.gpudirect_rdma is False:
                yield Hit(
                    pool.pool.rdma.at.route(key),
                    f"{gpu.display} has no {name}: it is for data center and RTX cards",
                    f"rdma: {{{fix}}} for this pool",
                    ((model_route(pool), f"{gpu.display} here"),),
                    pools=(pool.name,),
                )


def _waits_across(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """nvidia-peermem on, and a NicClusterPolicy of the same set that brings no network driver."""
    policies = [body for body in bodies if body.kind == "nic-cluster-policy"]
    if not policies or any(node_at(body.data, ("spec", "ofedDriver")) for body in policies):
        return
    for body in bodies:
        base = {"values": ("driver",), "cluster-policy": ("spec", "driver"), "nvidia-driver": ("spec",)}.get(body.kind)
        driver = node_at(body.data, base) if base is not None else None
        if base is None or not isinstance(driver, Mapping) or driver.get("enabled") is False:
            continue
        if node_at(driver, ("rdma", "enabled")) is True and node_at(driver, ("rdma", "useHostMofed")) is not True:
            why = f"{_WAITS}, and the NicClusterPolicy beside has no ofedDriver"
            fix = "useHostMofed: true with DOCA OFED on the nodes, or enabled: false"
            yield body, Hit((*base, "rdma", "enabled"), why, fix)


_WAITS = "nvidia-peermem needs NVIDIA's network driver: without it the driver pod waits for mlx5_core for ever"


@rule("GV662", "error", "nvidia-peermem without NVIDIA's network driver", across=_waits_across)
def peermem_needs_ofed(case: Case) -> Iterator[Hit]:
    for pool in _asking(case, "peermem"):
        if pool.rdma.ofed.value != "inbox" or _has_other_nics(pool) or _refused(pool):
            continue
        stated = pool.rdma.ofed.why.routes
        waits = _WAITS if pool.driver.in_cluster else "nvidia-peermem does not load without NVIDIA's network driver"
        yield Hit(
            stated[0] if stated else pool.rdma.gpu_direct.why.routes[0],
            f"{waits}, and here it is the distribution's own"
            + ("" if stated else ", since the site does not say otherwise by rdma.ofed"),
            "ofed: host, with DOCA OFED on the nodes, or gpuDirect: dmabuf, which needs none",
            ((pool.rdma.gpu_direct.why.routes[0], "asked for here"),) if stated else (),
            pools=(pool.name,),
        )


@rule("GV663", "info", "Network driver that nothing here installs")
def ofed_container(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool in case.plan.pools:
        if pool.rdma.ofed.value != "container":
            continue
        then = (
            "; until its driver pod is up, the GPU driver's waits"
            if pool.rdma.peermem_by_operator
            else "; nvidia-peermem does not load on the nodes before"
            if pool.rdma.gpu_direct.value == "peermem"
            else ""
        )
        yield Hit(
            pool.rdma.ofed.why.routes[0],
            f"the network driver in a container comes from the Network Operator, which this rendering does not install{then}",
            f"install the Network Operator {_pairs(release)}with nfd.enabled: false, and a NicClusterPolicy with spec.ofedDriver",
            pools=(pool.name,),
        )


def _pairs(release: OperatorRelease | None) -> str:
    """The versions that NVIDIA names beside a GPU Operator, as a part of a sentence."""
    pairs = release.network_operator if release is not None else ()
    named = [f"{pair.version} ({pair.only_for})" if pair.only_for else pair.version for pair in pairs]
    return f"{listed(named)} (validated with GPU Operator {release.version}) " if release is not None and named else ""


@rule("GV664", "warning", "GPUDirect RDMA without network adapters")
def no_adapters(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        if pool.rdma.gpu_direct.value != "none" and not pool.pool.nics:
            yield Hit(
                pool.rdma.gpu_direct.why.routes[0],
                "GPUDirect RDMA is between GPUs and network adapters, and the site names no adapters of these nodes",
                f"{format_route(pool.pool.at.route('nics'))}: [{{name: compute, fabric: infiniband, count: 8}}], or "
                "rdma: {gpuDirect: none} for the pool",
                pools=(pool.name,),
            )


@rule("GV665", "error", "nvidia-peermem with adapters of another maker")
def other_adapters(case: Case) -> Iterator[Hit]:
    for pool in _asking(case, "peermem"):
        if not _has_other_nics(pool) or _refused(pool):
            continue
        vendors = listed(dict.fromkeys(nic.vendor for nic in pool.pool.nics if nic.vendor is not None), "and")
        yield Hit(
            pool.rdma.gpu_direct.why.routes[0],
            f"nvidia-peermem works with NVIDIA's network adapters (vendor {_MELLANOX}) and their driver, and these nodes have "
            f"adapters of vendor {vendors}",
            "gpuDirect: dmabuf, which is the kernel's own",
            ((pool.pool.at.route("nics"), "the adapters"),),
            pools=(pool.name,),
        )


@rule("GV673", "info", "nvidia-peermem where DMA-BUF would do")
def dmabuf_would_do(case: Case) -> Iterator[Hit]:
    """NVIDIA recommends DMA-BUF over nvidia-peermem (gpu-operator-rdma.rst)."""
    for pool in _asking(case, "peermem"):
        gpu = pool.gpu
        if gpu is None or not gpu.gpudirect_dmabuf or pool.driver.modules.value != "open" or not pool.pool.os.kernels:
            continue
        if pool.rdma.ofed.value == "host" and not list(_missing_for_dmabuf(case, pool)) and not _has_other_nics(pool):
            yield Hit(
                pool.rdma.gpu_direct.why.routes[0],
                f"with open kernel modules and kernel {pool.pool.os.kernels[0]} DMA-BUF works too, which NVIDIA recommends: it "
                "needs no module beside the driver, and works with the distribution's network driver as well",
                "gpuDirect: dmabuf",
                pools=(pool.name,),
            )


def _host_ofed_alone(body: Body, _: Facts) -> Iterator[Hit]:
    base: Route = ("spec", "driver", "rdma") if body.kind == "cluster-policy" else ("spec", "rdma")
    rdma = node_at(body.data, base)
    if isinstance(rdma, Mapping) and rdma.get("useHostMofed") is True and rdma.get("enabled") is not True:
        why = "the operator looks at useHostMofed only where rdma.enabled is true: by itself it does nothing"
        yield Hit((*base, "useHostMofed"), why, "enabled: true beside it; or neither, for DMA-BUF", at="key")


def _both_drivers(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """The host's network driver for nvidia-peermem, and a NicClusterPolicy that puts another one over it."""
    if not any(body.kind == "nic-cluster-policy" and node_at(body.data, ("spec", "ofedDriver")) for body in bodies):
        return
    for body in bodies:
        base = {
            "values": ("driver", "rdma"),
            "cluster-policy": ("spec", "driver", "rdma"),
            "nvidia-driver": ("spec", "rdma"),
        }
        route = base.get(body.kind)
        rdma = node_at(body.data, route) if route is not None else None
        if (
            route is not None
            and isinstance(rdma, Mapping)
            and rdma.get("enabled") is True
            and rdma.get("useHostMofed") is True
        ):
            why = "nvidia-peermem is built against the host's OFED here, and the NicClusterPolicy beside loads one from a container"
            yield (
                body,
                Hit((*route, "useHostMofed"), why, "useHostMofed: false, or no ofedDriver in the NicClusterPolicy"),
            )


def _pair_across(bodies: Sequence[Body], facts: Facts) -> Iterator[tuple[Body, Hit]]:
    """Versions of both operators in one set of files."""
    charts = {body.chart.name: body for body in bodies if body.kind == "values" and body.chart is not None}
    network, gpu = charts.get("network-operator"), charts.get("gpu-operator")
    if network is None or gpu is None or network.chart is None or gpu.chart is None:
        return
    release = facts.operator_release(gpu.chart.version)
    pairs = {pair.version.rpartition(".")[0] for pair in release.network_operator} if release is not None else set()
    used = network.chart.version.removeprefix("v")
    if release is not None and pairs and used.rpartition(".")[0] not in pairs:
        why = f"NVIDIA validated GPU Operator {release.version} with the Network Operator {_versions(release)}, and not with {used}"
        yield (
            network,
            Hit(
                (),
                why,
                f"network-operator {release.network_operator[0].version}, or a GPU Operator that goes with {used}",
            ),
        )


def _versions(release: OperatorRelease) -> str:
    return listed([pair.version for pair in release.network_operator])


def _asking(case: Case, how: str) -> Iterator[PoolPlan]:
    return (pool for pool in case.plan.pools if pool.rdma.gpu_direct.value == how)


def _has_other_nics(pool: PoolPlan) -> bool:
    """Whether the site names adapters, and none may be NVIDIA's."""
    return bool(pool.pool.nics) and all(nic.vendor not in (None, _MELLANOX) for nic in pool.pool.nics)


def _refused(pool: PoolPlan) -> bool:
    """Whether the GPU has no GPUDirect at all, which is the fault then."""
    return pool.gpu is not None and pool.gpu.gpudirect_rdma is False


RULES: tuple[Rule, ...] = (
    dmabuf,
    no_gpudirect,
    peermem_needs_ofed,
    ofed_container,
    no_adapters,
    other_adapters,
    *rdma_modules.RULES,
    *rdma_unused.RULES,
    Rule("GV670", "warning", "Network Operator that does not go with the GPU Operator", _SINCE, across=_pair_across),
    Rule(
        "GV671",
        "error",
        "useHostMofed by itself",
        _SINCE,
        files={"nvidia-driver": _host_ofed_alone, "cluster-policy": _host_ofed_alone},
    ),
    Rule("GV672", "warning", "Network drivers of the host and of a container", _SINCE, across=_both_drivers),
    dmabuf_would_do,
)
