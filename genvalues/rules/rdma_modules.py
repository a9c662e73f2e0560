"""Rules about GPUDirect Storage and GDRCopy, each of which is a kernel module beside the driver."""

from collections.abc import Callable, Iterator

from genvalues.facts import Facts
from genvalues.finding import Hit, Route, node_at
from genvalues.plan.kinds import PoolPlan, RdmaPlan
from genvalues.rules.rule import Body, Case, Rule, rule

_OPEN_SINCE = "2.17.5"

# Key under rdma, its name, the module, and whether a pool asks for it.
_MODULES: tuple[tuple[str, str, str, Callable[[RdmaPlan], bool]], ...] = (
    ("gds", "GPUDirect Storage", "nvidia-fs", lambda rdma: rdma.gds.value),
    ("gdrcopy", "GDRCopy", "gdrdrv", lambda rdma: rdma.gdrcopy.value),
)


def _storage_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    """Settings that ask for both; without a driver pod the modules are not the operator's to choose."""
    base: Route = () if body.kind == "values" else ("spec",)
    driver: Route = base if body.kind == "nvidia-driver" else (*base, "driver")
    proprietary = node_at(body.data, (*driver, "kernelModuleType")) == "proprietary"
    if (
        proprietary
        and node_at(body.data, (*base, "gds", "enabled")) is True
        and node_at(body.data, (*driver, "enabled")) is not False
    ):
        yield Hit(
            (*base, "gds", "enabled"),
            f"nvidia-fs, the module of GPUDirect Storage, needs the open kernel modules from {_OPEN_SINCE} on, and here the "
            "proprietary ones run",
            "kernelModuleType: open, or enabled: false",
            (((*driver, "kernelModuleType"), "proprietary here"),),
        )


@rule(
    "GV666",
    "error",
    "GPUDirect Storage without the open kernel modules",
    files={"values": _storage_in_file, "cluster-policy": _storage_in_file, "nvidia-driver": _storage_in_file},
)
def storage_needs_open(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        modules, gpu = pool.driver.modules, pool.gpu
        if not pool.rdma.gds.value or modules.value != "proprietary":
            continue
        if gpu is not None and gpu.open_kernel_modules == "required":
            continue  # GV510 and GV512
        possible = gpu is None or gpu.open_kernel_modules != "unsupported"
        yield Hit(
            pool.rdma.gds.why.routes[0],
            f"nvidia-fs, the module of GPUDirect Storage, needs the open kernel modules from {_OPEN_SINCE} on, and here the "
            "proprietary ones run" + ("" if possible or gpu is None else f": {gpu.display} has no others"),
            "driver.kernelModuleType: open" if possible else "gds: false for this pool",
            tuple((route, modules.why.text) for route in modules.why.routes[:1]),
            pools=(pool.name,),
        )


@rule("GV667", "error", "GPUDirect Storage under Secure Boot")
def storage_secure_boot(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        os = pool.pool.os
        # A compiling driver pod, and a precompiled driver, are faults of their own (GV515, GV530).
        if pool.rdma.gds.value and os.secure_boot and not pool.driver.in_cluster:
            yield Hit(
                pool.rdma.gds.why.routes[0],
                "GPUDirect Storage is not supported under Secure Boot, which the nodes have on",
                "gds: false, or secureBoot: false once the nodes have it off",
                ((pool.pool.at.route("os", "secureBoot"), "Secure Boot here"),),
                pools=(pool.name,),
            )


@rule("GV668", "info", "Kernel module that is the host's to install")
def on_the_host(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        for key, name, module, asked in _MODULES if not pool.driver.in_cluster else ():
            if asked(pool.rdma):
                yield Hit(
                    pool.pool.rdma.at.route(key),
                    f"with a driver on the host no pod builds {module}: the files under host/ load it at boot, and installing it "
                    f"(with {name}) is left to you",
                    f"install {module} on the nodes, and build it against their driver",
                    ((pool.pool.driver.at.route("strategy"), "strategy host here"),),
                    pools=(pool.name,),
                )


@rule("GV669", "warning", "Kernel module image that the operating system may not have")
def image_of_module(case: Case) -> Iterator[Hit]:
    """Images of nvidia-fs and gdrdrv are built for Ubuntu, and on OpenShift from the driver toolkit (#2911, #2416, #1393)."""
    for pool in case.plan.pools:
        os_id = pool.pool.os.id
        if os_id in (None, "ubuntu", "rhcos") or pool.driver.strategy.value != "container":
            continue
        for key, name, module, asked in _MODULES:
            if asked(pool.rdma):
                yield Hit(
                    pool.pool.rdma.at.route(key),
                    f"images of {module} ({name}) are published for Ubuntu, and these nodes run {os_id}: the driver pod may end "
                    "in ImagePullBackOff",
                    f"{key}: false, or driver.strategy: host with {module} on the nodes",
                    ((pool.pool.at.route("os", "id"), f"{os_id} here"),),
                    pools=(pool.name,),
                )


@rule("GV674", "warning", "Kernel module for some of the pools")
def not_everywhere(case: Case) -> Iterator[Hit]:
    """The device plugin has one switch for all nodes, and the plan leaves it off unless every pool has the module."""
    for key, name, module, asked in _MODULES:
        pools = [pool for pool in case.plan.pools if pool.driver.in_cluster and asked(pool.rdma)]
        switch = case.plan.gds if key == "gds" else case.plan.gdrcopy
        for pool in pools if not switch.value else ():
            yield Hit(
                pool.pool.rdma.at.route(key),
                f"the operator hands {name}'s devices out on all GPU nodes or on none, and not every pool has {module}: driver "
                "pods load it here, and containers do not get its device",
                f"rdma.{key}: true, for all pools, or mount the device in your pods",
                tuple(
                    (_place(other, key), f"pool {other.name} has none")
                    for other in case.plan.pools
                    if not asked(other.rdma)
                ),
                pools=(pool.name,),
            )


def _place(pool: PoolPlan, key: str) -> tuple[str | int, ...]:
    stated = pool.pool.rdma.at.route(key)
    return stated if stated[0] == "hardware" else ("hardware", "pools", pool.pool.position, "name")


RULES: tuple[Rule, ...] = (
    storage_needs_open,
    storage_secure_boot,
    on_the_host,
    image_of_module,
    not_everywhere,
)
