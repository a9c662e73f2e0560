"""What nodes need before the operator comes: a driver of their own, kernel modules, package sources, certificates."""

from collections.abc import Iterator

from genvalues.document import Decided
from genvalues.facts import Facts
from genvalues.facts.kinds import HostPackages
from genvalues.facts.version import is_branch
from genvalues.finding import Route
from genvalues.model import Offline, Site
from genvalues.plan.kinds import HostFile, HostPackage, HostPlan, PoolPlan
from genvalues.plan.reasons import because

_FAMILIES = {
    "ubuntu": "debian",
    "debian": "debian",
    "rhel": "rhel",
    "rocky": "rhel",
    "ol": "rhel",
    "centos": "rhel",
    "sles": "suse",
    "sl-micro": "suse",
}

# Where a node itself takes certificate authorities from: update-ca-certificates(8) of Debian and of SUSE,
# update-ca-trust(8) of Red Hat. (The driver containers' folders, in the facts, differ on Red Hat.)
_ANCHORS = {
    "debian": "usr/local/share/ca-certificates/{}.crt",
    "rhel": "etc/pki/ca-trust/source/anchors/{}.pem",
    "suse": "etc/pki/trust/anchors/{}.pem",
}

FOLDER = "host"


def hosts(site: Site, pools: tuple[PoolPlan, ...], facts: Facts) -> tuple[HostPlan, ...]:
    """The needs of the nodes: once where all pools need the same, else in a folder for each pool that needs any."""
    each = [_host(pool, site, facts) for pool in pools]
    if len({_content(plan) for plan in each}) == 1:
        each = [each[0]._replace(folder=FOLDER, pools=pools)]
    return tuple(plan for plan in each if any(_content(plan)[1:]))


def _content(plan: HostPlan) -> tuple[object, ...]:
    """What the files of a plan hold, without who decided it."""
    return (
        plan.family,
        plan.packages,
        plan.services,
        tuple(option.value for option in plan.options),
        plan.no_nouveau,
        tuple(module.value for module in plan.modules),
        tuple((file.path, file.text.value) for file in plan.sources),
        plan.certificates and (plan.certificates.path, plan.certificates.text.value),
    )


def _host(pool: PoolPlan, site: Site, facts: Facts) -> HostPlan:
    own = not pool.driver.in_cluster
    family = _FAMILIES.get(pool.pool.os.id or "")
    names = _names(pool, facts) if own else None
    packages = tuple(_packages(pool, names))
    version = pool.driver.version.value
    exact = own and version is not None and not is_branch(version) and bool(packages)
    return HostPlan(
        folder=f"{FOLDER}/{pool.name}",
        pools=(pool,),
        family=family,
        driver=Decided(version, pool.driver.version.why) if exact and version else None,
        packages=packages,
        services=("nvidia-fabricmanager",) if own and pool.driver.fabric_manager.value else (),
        options=tuple(_options(pool)) if own else (),
        no_nouveau=own,
        modules=tuple(_modules(pool, own)),
        sources=tuple(_sources(pool, site.offline, facts)) if own and family else (),
        certificates=_certificates(site, family),
    )


def _names(pool: PoolPlan, facts: Facts) -> HostPackages | None:
    os_id, branch = pool.pool.os.id, pool.driver.branch
    return facts.host_packages(pool.driver.host_packages.value, os_id, branch) if os_id and branch else None


def _packages(pool: PoolPlan, names: HostPackages | None) -> Iterator[HostPackage]:
    if names is None:
        return
    driver, gpu = pool.driver, pool.gpu
    version = driver.version.value
    if driver.modules.value is not None:
        drivers = names.driver_open if driver.modules.value == "open" else names.driver_proprietary
        why = f"the driver, with the {driver.modules.value} kernel modules"
        for name in drivers:
            if "<kernel>" in name:  # modules that the distribution built: their version is the kernel's
                for kernel in pool.pool.os.kernels:
                    yield HostPackage(name.replace("<kernel>", kernel), None, why)
            else:
                yield HostPackage(name, version, why)
    if driver.fabric_manager.value:
        for name in names.fabric_manager[:1]:
            yield HostPackage(name, driver.fabric_manager.value, "Fabric Manager: exactly the driver's version")
        for name in names.nscq[:1]:
            yield HostPackage(name, version, "lets DCGM see the NVSwitches; the driver's version")
    if gpu is not None and gpu.nvlsm and driver.fabric_manager.value:
        for name in names.nvlink5:
            yield HostPackage(name, None, "NVLink5: the subnet manager that Fabric Manager starts, and its tools")
        if pool.pool.os.id == "ubuntu":
            for kernel in pool.pool.os.kernels:
                yield HostPackage(f"linux-modules-extra-{kernel}", None, "holds ib_umad, which NVLink5 needs")
    if gpu is not None and gpu.imex and pool.pool.gpu.board != "nvl4":  # of NVL4 boards no source says
        for name in names.imex[:1]:
            yield HostPackage(name, version, "memory export between the nodes of a rack; the driver's version")


def _options(pool: PoolPlan) -> Iterator[Decided[str]]:
    for module, values in pool.driver.parameters.items():
        for key, value in values.items():
            route = pool.pool.driver.at.route("moduleParameters", module, key)
            yield because(f"{module} {key}={value}", (route,), "module parameters of the site")


def _modules(pool: PoolPlan, own: bool) -> Iterator[Decided[str]]:
    """Modules to load at boot. With a driver of the operator's, its pod loads those of the driver."""
    rdma = pool.rdma
    if own and rdma.gpu_direct.value == "peermem":
        yield Decided("nvidia-peermem", rdma.gpu_direct.why)
    if own and rdma.gdrcopy.value:
        yield Decided("gdrdrv", rdma.gdrcopy.why)
    if own and rdma.gds.value:
        yield Decided("nvidia-fs", rdma.gds.why)
    if pool.gpu is not None and pool.gpu.nvlsm and pool.driver.needs_fabric_manager:
        # NVIDIA/gpu-operator#2781: without them pods come up and CUDA says 802. gpu-driver-container waits for ib_umad.
        model = (pool.pool.at.route("gpu", "model"),)
        for name in ("mlx5_ib", "ib_umad"):
            yield because(name, model, f"the NVSwitches of {pool.gpu.display} are managed over InfiniBand's interface")


def _sources(pool: PoolPlan, offline: Offline | None, facts: Facts) -> Iterator[HostFile]:
    """The site's package sources, where the node's own package manager looks (the same folder as in driver pods)."""
    tag = pool.os_tag
    system = facts.operating_system(pool.pool.os.id) if pool.pool.os.id else None
    if offline is None or tag is None or system is None:
        return
    for name, text in offline.packages.get(tag, {}).items():
        route: Route = ("offline", "packages", tag, name)
        path = f"{system.repo_dir.lstrip('/')}/{name}"
        yield HostFile(path, because(_ended(text), (route,), f"package source of {tag} nodes"))


def _certificates(site: Site, family: str | None) -> HostFile | None:
    offline = site.offline
    if offline is None or not offline.ca_text or family is None:
        return None
    route: Route = ("offline", "caBundle")
    path = _ANCHORS[family].format(f"{site.name}-ca")
    return HostFile(path, because(_ended(offline.ca_text), (route,), "certificate authorities of the mirrors"))


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
