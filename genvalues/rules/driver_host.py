"""Rules about drivers that are installed on the nodes: Fabric Manager, NVLSM, and where their packages come from."""

from collections.abc import Iterator

from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import is_branch
from genvalues.finding import Hit
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.driver_support import model_route
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import quoted


@rule("GV520", "error", "Fabric Manager that is missing, or not of the driver's version")
def fabric_manager(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        stated, version = pool.pool.driver.fabric_manager, pool.driver.version.value
        if pool.driver.in_cluster or stated in (None, True) or pool.driver.needs_fabric_manager is False:
            continue
        route = pool.pool.driver.at.route("host", "fabricManager")
        systems = f"{pool.gpu.display} on an NVSwitch board" if pool.gpu is not None else "an NVSwitch board"
        if stated is False:
            if pool.driver.needs_fabric_manager:
                yield Hit(
                    route,
                    f"{systems} needs Fabric Manager on the host: without it CUDA says 802, system not yet initialized",
                    f"fabricManager: {quoted(version or 'true')}, or remove the line: the driver's version is the default",
                    ((model_route(pool), "the GPU"),),
                    pools=(pool.name,),
                )
        elif version is not None and not _fits(str(stated), version):
            yield Hit(
                route,
                f"Fabric Manager {stated} does not work with driver {version}: it must have exactly the driver's version, "
                "else CUDA says 802, system not yet initialized",
                f"fabricManager: {quoted(version)}, or remove the line: the driver's version is the default",
                ((pool.pool.driver.at.route("version"), "the driver's version"),),
                pools=(pool.name,),
            )


def _fits(fabric_manager: str, version: str) -> bool:
    """Whether the versions are the same, as far as they are given."""
    if is_branch(version) or is_branch(fabric_manager):
        return branch_of(fabric_manager) == branch_of(version)
    return fabric_manager == version


@rule("GV521", "warning", "Fabric Manager on nodes without an NVSwitch")
def fabric_manager_unneeded(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        stated, gpu = pool.pool.driver.fabric_manager, pool.gpu
        if gpu is None or pool.driver.in_cluster or pool.driver.needs_fabric_manager is not False:
            continue
        if stated is None or stated is False:
            continue
        where = (
            "the fabric is managed on the rack's switch trays, and compute nodes need nvidia-imex of the driver's version"
            if gpu.imex
            else "there is no NVSwitch, and the service does not start"
        )
        yield Hit(
            pool.pool.driver.at.route("host", "fabricManager"),
            f"nodes with {gpu.display} run no Fabric Manager: {where}",
            "fabricManager: false, or remove the line",
            ((model_route(pool), f"{gpu.display} here"),),
            pools=(pool.name,),
        )


@rule("GV519", "info", "NVLink 5 nodes need InfiniBand's kernel modules")
def nvlink5_modules(case: Case) -> Iterator[Hit]:
    """NVIDIA/gpu-operator#2781; with a host driver the host files name the package."""
    for pool in _nvlink5(case):
        os, gpu = pool.pool.os, pool.gpu
        if gpu is not None and pool.driver.in_cluster and os.id == "ubuntu":
            kernel = os.kernels[0] if os.kernels else "$(uname -r)"
            yield Hit(
                model_route(pool),
                f"the NVSwitches of {gpu.display} are reached by the module ib_umad, which Ubuntu has in a package of its "
                "own: without it pods come up and CUDA says 802, system not yet initialized",
                f"apt install linux-modules-extra-{kernel} on the nodes",
                pools=(pool.name,),
            )


@rule("GV522", "warning", "NVLink 5 nodes without packages for NVLSM")
def nvlink5_packages(case: Case) -> Iterator[Hit]:
    """Fabric Manager of NVLink 5 boards starts NVLSM, which the host files can name only where packages are known."""
    for pool in _nvlink5(case):
        os, gpu = pool.pool.os, pool.gpu
        if gpu is not None and os.id is not None and not pool.driver.in_cluster and not _nvlink5_packages(case, pool):
            yield Hit(
                pool.pool.driver.at.route("host", "packages"),
                f"Fabric Manager of {gpu.display} needs NVLSM and InfiniBand's tools on the node, and for {os.id} with "
                f"packages from {pool.driver.host_packages.value} their names are not known",
                "packages: cuda-repo, which knows them for Ubuntu, or install nvlsm and infiniband-diags and load ib_umad yourself",
                ((model_route(pool), "the GPU"),),
                pools=(pool.name,),
            )


def _nvlink5(case: Case) -> Iterator[PoolPlan]:
    return (pool for pool in case.plan.pools if pool.gpu and pool.gpu.nvlsm and pool.driver.needs_fabric_manager)


def _nvlink5_packages(case: Case, pool: PoolPlan) -> bool:
    """Whether the packages are known, so that the host files name them."""
    os_id, branch = pool.pool.os.id, pool.driver.branch
    if os_id is None or branch is None:
        return True  # GV503 says that nothing can be checked
    packages = case.facts.host_packages(pool.driver.host_packages.value, os_id, branch)
    return packages is not None and bool(packages.nvlink5)


@rule("GV523", "error", "Host driver settings beside a driver of the operator")
def host_settings(case: Case) -> Iterator[Hit]:
    used = {
        pool.pool.driver.at.route("host", key)
        for pool in case.plan.pools
        for key in ("packages", "fabricManager")
        if not pool.driver.in_cluster
    }
    for pool in case.plan.pools:
        stated = {"packages": pool.pool.driver.host_packages, "fabricManager": pool.pool.driver.fabric_manager}
        for key, value in stated.items():
            route = pool.pool.driver.at.route("host", key)
            if value is None or not pool.driver.in_cluster or route in used:
                continue
            yield Hit(
                route,
                f"driver.host.{key} is about a driver on the nodes, and here driver pods bring it"
                + (
                    ", which start Fabric Manager themselves where there is an NVSwitch"
                    if key == "fabricManager"
                    else ""
                ),
                f"remove {key}, or driver.strategy: host",
                ((pool.pool.driver.at.route("strategy"), f"strategy {pool.driver.strategy.value} here"),),
                at="key",
                pools=(pool.name,),
            )


@rule("GV524", "error", "Package source that the operating system has not")
def package_source(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        os_id = pool.pool.os.id
        if pool.driver.in_cluster or os_id in (None, "ubuntu") or pool.pool.driver.host_packages != "ubuntu-archive":
            continue
        yield Hit(
            pool.pool.driver.at.route("host", "packages"),
            f"the nodes run {os_id}, and Ubuntu's archive holds packages for Ubuntu only",
            "packages: cuda-repo",
            ((pool.pool.at.route("os", "id"), f"{os_id} here"),),
            pools=(pool.name,),
        )


@rule("GV528", "warning", "Runfile that brings no Fabric Manager")
def runfile(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        stated = pool.pool.driver
        if pool.driver.in_cluster or stated.host_packages != "runfile" or not pool.driver.needs_fabric_manager:
            continue
        if stated.fabric_manager is not None or (pool.gpu is not None and pool.gpu.nvlsm):
            continue
        yield Hit(
            stated.at.route("host", "packages"),
            "the runfile installs the driver alone, and these NVSwitch nodes need Fabric Manager of exactly its version",
            f'packages: cuda-repo, or fabricManager: "{pool.driver.version.value or "580.126.20"}" once it is installed',
            ((model_route(pool), "the GPU"),),
            pools=(pool.name,),
        )


RULES: tuple[Rule, ...] = (
    fabric_manager,
    fabric_manager_unneeded,
    nvlink5_modules,
    nvlink5_packages,
    host_settings,
    package_source,
    runfile,
)
