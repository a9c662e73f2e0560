"""The effective driver of each pool, and which objects of the cluster bring it."""

from collections.abc import Callable, Iterator, Mapping

from genvalues.document import Decided, leaves
from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import same_or_newer
from genvalues.model import Offline, Pool, Site
from genvalues.plan import labels
from genvalues.plan.kinds import ChartPlan, ConfigMapRef, DriverObject, DriverPlan, PoolPlan, RdmaPlan, Setting
from genvalues.plan.reasons import because, by_default, said

# Files that the driver container reads from /drivers (gpu-driver-container, _get_module_params).
PARAMETER_FILES = ("nvidia", "nvidia-uvm", "nvidia-modeset", "nvidia-peermem")

# Whether a full board has NVSwitches follows from the GPU count only from eight up: 4-GPU boards are not verified.
_FULL_BOARD = 8

_OFED = {
    "host": "MLNX or DOCA OFED is installed on the nodes",
    "container": "the Network Operator brings the network driver",
    "inbox": "the network driver is the one of the distribution's kernel",
}


def driver(pool: Pool, gpu: Gpu | None, operator: ChartPlan, facts: Facts) -> DriverPlan:
    """What driver runs on the pool's nodes, and which kernel modules."""
    stated = pool.driver
    strategy = (
        said(stated.strategy, stated.at.route("strategy"), f"the site's driver strategy is {stated.strategy}")
        if stated.strategy
        else by_default("container", "the operator's own way, since the site names no strategy")
    )
    version = _version(pool, strategy.value, operator, facts)
    branch = branch_of(version.value) if version.value else None
    asked = _asked(pool, gpu, operator, strategy.value)
    needs = needs_fabric_manager(pool, gpu)
    return DriverPlan(
        strategy=strategy,
        version=version,
        branch=branch,
        stated=stated.version is not None,
        module_type=asked,
        modules=_modules(pool, gpu, asked, version.value, branch, strategy.value, facts),
        parameters=stated.module_parameters,
        needs_fabric_manager=needs,
        fabric_manager=_fabric_manager(pool, needs, strategy.value, version),
        host_packages=_host_packages(pool),
    )


def _version(pool: Pool, strategy: str, operator: ChartPlan, facts: Facts) -> Decided[str | None]:
    stated = pool.driver.version
    if stated is not None:
        return said(stated, pool.driver.at.route("version"), f"the site's driver version is {stated}")
    release = facts.operator_release(operator.chart.version)
    if strategy == "host" or release is None:
        return by_default(None, "the site does not say which driver is installed")
    default = release.driver_default
    if strategy == "precompiled":
        default = branch_of(default) or default
    return because(
        default, (("charts", "gpuOperator"),), f"GPU Operator {release.version} installs driver {default} by default"
    )


def _asked(pool: Pool, gpu: Gpu | None, operator: ChartPlan, strategy: str) -> Decided[str]:
    stated = pool.driver.kernel_module_type
    if stated is not None:
        return said(stated, pool.driver.at.route("kernelModuleType"), f"the site asks for {stated} kernel modules")
    # Before 25.3 the chart has a switch for the open modules and nothing that decides by GPU (values.yaml of v24.9.2).
    no_auto = same_or_newer(operator.chart.version, "v25.3.0") is False
    if no_auto and strategy != "host" and gpu is not None and gpu.open_kernel_modules == "required":
        return because("open", (pool.at.route("gpu", "model"),), f"{gpu.display} runs only on the open kernel modules")
    return by_default("auto", "the driver chooses the kernel modules by GPU")


def understands_auto(version: str) -> bool:
    """Whether a driver container picks the modules by GPU: 570.86.15, and 570.124.06 or newer (platform support page)."""
    return version == "570.86.15" or same_or_newer(version, "570.124.06") is True


def _modules(
    pool: Pool,
    gpu: Gpu | None,
    asked: Decided[str],
    version: str | None,
    branch: str | None,
    strategy: str,
    facts: Facts,
) -> Decided[str | None]:
    """Which modules run in the end."""
    if asked.value != "auto":
        return Decided(asked.value, asked.why)
    if gpu is None or branch is None:
        return by_default(None, "not known without GPU model and driver version")
    model = (pool.at.route("gpu", "model"),)
    if gpu.open_kernel_modules == "unsupported":
        return because("proprietary", model, f"{gpu.display} has no open kernel modules")
    if strategy == "container" and version is not None and not understands_auto(version):
        return because(
            "proprietary", model, f"driver container {version} does not know auto and falls back to proprietary"
        )
    known = facts.driver_branch(branch)
    default = known.default_kernel_modules if known else "open"
    return because(default, model, f"the default of branch {branch} for {gpu.display}")


def needs_fabric_manager(pool: Pool, gpu: Gpu | None) -> bool | None:
    """Whether the pool's nodes need Fabric Manager; None where the board decides and the site does not name it."""
    if gpu is None or gpu.fabric_manager is None or pool.gpu.board == "nvl4":
        return None  # of NVL4 boards no source says
    if gpu.fabric_manager in ("not-needed", "not-on-compute-node") or pool.gpu.board in ("pcie", "nvl72"):
        return False
    if gpu.fabric_manager == "required" or pool.gpu.board == "hgx":
        return True
    if pool.gpu.per_node is None:
        return None
    return True if pool.gpu.per_node >= _FULL_BOARD else None


def _fabric_manager(pool: Pool, needs: bool | None, strategy: str, version: Decided[str | None]) -> Decided[str | None]:
    stated = pool.driver.fabric_manager
    if isinstance(stated, str):
        return said(stated, pool.driver.at.route("host", "fabricManager"), f"Fabric Manager {stated} on the host")
    if strategy != "host" or stated is False or not needs:
        return by_default(None, "no Fabric Manager of the host's own")
    return Decided(version.value, version.why._replace(text="Fabric Manager has exactly the driver's version"))


def _host_packages(pool: Pool) -> Decided[str]:
    if pool.driver.host_packages is not None:
        return said(
            pool.driver.host_packages, pool.driver.at.route("host", "packages"), "where the host's packages come from"
        )
    return by_default("cuda-repo", "NVIDIA's own package repository, since the site names none")


def rdma(pool: Pool, in_cluster: bool) -> RdmaPlan:
    """What the pool's GPUs and network adapters share, and who loads the modules for it."""
    at, stated = pool.rdma.at, pool.rdma
    direct = (
        said(stated.gpu_direct, at.route("gpuDirect"), f"the site asks for GPUDirect RDMA by {stated.gpu_direct}")
        if stated.gpu_direct
        else by_default("none", "the site asks for no GPUDirect RDMA")
    )
    ofed = (
        said(stated.ofed, at.route("ofed"), _OFED.get(stated.ofed, "where the network driver comes from"))
        if stated.ofed
        else by_default("inbox", "the distribution's own network driver, since the site names none")
    )
    return RdmaPlan(
        gpu_direct=direct,
        ofed=ofed,
        gdrcopy=said(stated.gdrcopy, at.route("gdrcopy"), "the site asks for GDRCopy")
        if stated.gdrcopy
        else _off("GDRCopy"),
        gds=said(stated.gds, at.route("gds"), "the site asks for GPUDirect Storage")
        if stated.gds
        else _off("GPUDirect Storage"),
        peermem_by_operator=in_cluster and direct.value == "peermem",
    )


def _off(what: str) -> Decided[bool]:
    return by_default(False, f"the site asks for no {what}")


def needs_objects(pools: tuple[PoolPlan, ...]) -> bool:
    """Whether one driver in the ClusterPolicy cannot serve all pools, so that each gets an NVIDIADriver of its own."""
    if not any(pool.driver.in_cluster for pool in pools):
        return False
    return len({_settings(pool) for pool in pools}) > 1


def _settings(pool: PoolPlan) -> object:
    if not pool.driver.in_cluster:
        return "host"
    return (
        pool.driver.strategy.value,
        pool.driver.version.value,
        pool.driver.module_type.value,
        _frozen(pool.driver.parameters),
        (pool.pool.os.id, pool.pool.os.version) if pool.pool.os.id else None,
        pool.rdma.peermem_by_operator and pool.rdma.ofed.value,
        pool.rdma.gds.value,
        pool.rdma.gdrcopy.value,
    )


def _frozen(parameters: Mapping[str, Mapping[str, str]]) -> object:
    return tuple(sorted((module, tuple(sorted(values.items()))) for module, values in parameters.items()))


def parameter_map(pool: PoolPlan, name: str) -> ConfigMapRef | None:
    """The ConfigMap of module parameters for a pool's driver pod: one `Name=value` a line, in a file per module."""
    data = {
        f"{module}.conf": said(
            "".join(f"{key}={value}\n" for key, value in pool.driver.parameters[module].items()),
            pool.pool.driver.at.route("moduleParameters", module),
            f"parameters of module {module}, as the driver pod passes them to modprobe",
        )
        for module in PARAMETER_FILES
        if pool.driver.parameters.get(module)
    }
    if not data:
        return None
    route = pool.pool.driver.at.route("moduleParameters")
    return ConfigMapRef(said(name, route, "holds the site's kernel module parameters"), data)


def package_map(pool: PoolPlan, name: str, offline: Offline | None) -> ConfigMapRef | None:
    """The ConfigMap of package sources for a pool's driver pod; a precompiled driver fetches no packages."""
    tag = pool.os_tag
    if offline is None or tag is None or tag not in offline.packages or pool.driver.precompiled:
        return None
    route = ("offline", "packages", tag)
    data = {
        file: said(text if text.endswith("\n") else text + "\n", (*route, file), f"package source of {tag} driver pods")
        for file, text in offline.packages[tag].items()
    }
    return ConfigMapRef(said(name, route, "holds the package sources that driver pods build from"), data)


def certificate_map(pool: PoolPlan, name: str, offline: Offline | None, facts: Facts) -> ConfigMapRef | None:
    """The ConfigMap of the mirrors' certificate authorities for a pool's driver pod; precompiled ones read none."""
    if offline is None or offline.ca_bundle is None or pool.driver.precompiled:
        return None
    system = facts.operating_system(pool.pool.os.id) if pool.pool.os.id else None
    key = (system and system.cert_key) or "offline-ca" + ((system and system.cert_suffix) or ".crt")
    route = ("offline", "caBundle")
    data = {key: said(offline.ca_text or "", route, "certificate authorities of the mirrors")}
    return ConfigMapRef(said(name, route, "holds the certificate authorities of the package mirrors"), data)


def upgrade_policy(pool: PoolPlan) -> tuple[Setting, ...]:
    """How driver pods are replaced, in the chart's keys. What the block as a whole is for, its artefact says."""
    stated = pool.pool.driver
    return tuple(
        (route, said(value, stated.at.route("upgradePolicy", *route), ""))
        for route, value in leaves(stated.upgrade_policy)
        if route
    )


def has_upgrades_by_object(operator: ChartPlan) -> bool:
    """Whether each NVIDIADriver has an upgrade policy of its own, and the cluster's does not count beside it.

    GPU Operator v26.7.0, controllers/upgrade_controller.go; before that the ClusterPolicy's holds for all objects.
    """
    return same_or_newer(operator.chart.version, "v26.7.0") is True


def everywhere(pools: tuple[PoolPlan, ...], switch: Callable[[RdmaPlan], Decided[bool]], what: str) -> Decided[bool]:
    """The operator's own switch of GPUDirect Storage or GDRCopy: on where every pool has it and driver pods bring it.

    On a node that lacks the module the validator would wait for it for ever.
    """
    asked = [switch(pool.rdma) for pool in pools]
    if not any(pool.driver.in_cluster for pool in pools) or not all(decided.value for decided in asked):
        return by_default(False, f"not every pool gets {what} from driver pods")
    routes = tuple(dict.fromkeys(route for decided in asked for route in decided.why.routes))
    return because(True, routes, f"the site asks for {what}")


def objects(pools: tuple[PoolPlan, ...], site: Site, operator: ChartPlan, facts: Facts) -> Iterator[DriverObject]:
    """One NVIDIADriver object for each pool whose driver comes from the cluster."""
    by_object = has_upgrades_by_object(operator)
    for pool in pools:
        if pool.driver.in_cluster:
            yield DriverObject(
                pool=pool,
                name=pool.name,
                parameters=parameter_map(pool, f"kernel-module-params-{pool.name}"),
                packages=package_map(pool, f"repo-config-{pool.name}", site.offline),
                certificates=certificate_map(pool, f"repo-certs-{pool.name}", site.offline, facts),
                tolerations=labels.tolerations((pool,)),
                upgrade_policy=upgrade_policy(pool) if by_object else (),
            )
