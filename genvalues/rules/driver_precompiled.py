"""Rules about precompiled drivers: what they exclude, which images are published, what they do not read."""

import re
from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import Precompiled
from genvalues.facts.version import branch as branch_of
from genvalues.finding import Hit, Route, node_at
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.driver_support import candidates, knows, version_route
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed

_SIDE_MODULES = (("gds", "GPUDirect Storage"), ("gdrcopy", "GDRCopy"))
_SIDE_TEXT = (
    "is built beside a driver that compiles on the node: with a precompiled one the operator stops with an error"
)
_OWN = "build the image yourself and accept GV531 with that reason"
_KERNEL = r"[0-9]+\.[0-9]+\.[0-9]+-[0-9]+-([a-z][a-z0-9-]*)"  # 6.8.0-45-generic


def _side_modules_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    base: Route = () if body.kind == "values" else ("spec",)
    driver: Route = base if body.kind == "nvidia-driver" else (*base, "driver")
    if node_at(body.data, (*driver, "usePrecompiled")) is not True or node_at(body.data, (*driver, "enabled")) is False:
        return
    for key, name in _SIDE_MODULES:
        if node_at(body.data, (*base, key, "enabled")) is True:
            yield Hit((*base, key, "enabled"), f"{name} {_SIDE_TEXT}", "enabled: false, or usePrecompiled: false")
    for key in ("secretName", "name" if body.kind == "nvidia-driver" else "configMapName"):
        if node_at(body.data, (*driver, "licensingConfig", key)):
            text = "a vGPU licence is for a vGPU guest driver, and there are no precompiled images of that"
            yield Hit((*driver, "licensingConfig", key), text, f"usePrecompiled: false, or remove {key}")


@rule(
    "GV530",
    "error",
    "Precompiled driver with GPUDirect Storage, GDRCopy or vGPU",
    files={
        "values": _side_modules_in_file,
        "cluster-policy": _side_modules_in_file,
        "nvidia-driver": _side_modules_in_file,
    },
)
def side_modules(case: Case) -> Iterator[Hit]:
    for pool in _precompiled(case):
        asked = {"gds": pool.rdma.gds.value, "gdrcopy": pool.rdma.gdrcopy.value}
        for key, name in _SIDE_MODULES:
            if asked[key]:
                yield Hit(
                    pool.pool.rdma.at.route(key),
                    f"{name} {_SIDE_TEXT}",
                    f'driver: {{strategy: container, version: "{_compiled(case, pool)}"}}, or remove {key}',
                    ((pool.pool.driver.at.route("strategy"), "precompiled here"),),
                    pools=(pool.name,),
                )


def _compiled(case: Case, pool: PoolPlan) -> str:
    """A full version for a driver that is compiled instead: of the same branch where the operator's matrix has one."""
    release = case.release
    offered = [one for one in candidates(release) if pool.gpu is None or knows(pool.gpu, one)]
    same = [one for one in offered if branch_of(one) == pool.driver.branch]
    return next(iter([*same, *offered]), pool.driver.branch or "")


@rule("GV531", "error", "Precompiled driver image that is not published")
def image_published(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool in _precompiled(case):
        if release is None or pool.os_tag is None:
            continue
        published, system = release.precompiled.get(pool.os_tag), f"{pool.pool.os.id} {pool.pool.os.version}"
        if published is not None:
            yield from _published(pool, published, f"with GPU Operator {release.version}")
            continue
        known = listed(sorted(release.precompiled), "and") if release.precompiled else "no system"
        yield Hit(
            pool.pool.at.route("os", "version"),
            f"for {system} NVIDIA publishes no precompiled drivers with GPU Operator {release.version}: there are those "
            f"for {known}",
            f"driver.strategy: container, or {_OWN}",
            ((pool.pool.driver.at.route("strategy"), "precompiled here"),),
            pools=(pool.name,),
        )


def _published(pool: PoolPlan, published: Precompiled, operator: str) -> Iterator[Hit]:
    """Whether there are images for the pool's branch and kernels among those for its operating system."""
    os, branch = pool.pool.os, pool.driver.branch
    system = f"{os.id} {os.version}"
    if branch is not None and branch not in published.branches:
        branches = listed([f"R{one}" for one in published.branches], "and")
        yield Hit(
            version_route(pool),
            f"for {system} NVIDIA publishes precompiled drivers of {branches} {operator}, not of R{branch}",
            f'driver.version: "{published.branches[-1]}", or {_OWN}',
            pools=(pool.name,),
        )
    for position, kernel in enumerate(os.kernels):
        if ".".join(kernel.split("-")[0].split(".")[:2]) not in published.kernels:
            yield Hit(
                (*pool.pool.at.route("os", "kernels"), position),
                f"for kernel {kernel} of {system} NVIDIA publishes no precompiled driver {operator}: there are those for "
                f"{'kernels' if len(published.kernels) > 1 else 'kernel'} {listed(published.kernels, 'and')}",
                f"run a kernel {published.kernels[-1]}, driver.strategy: container, or {_OWN}",
                pools=(pool.name,),
            )


@rule("GV532", "warning", "Precompiled driver for an unusual kernel flavour")
def kernel_flavour(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool in _precompiled(case):
        for position, kernel in enumerate(pool.pool.os.kernels):
            matched = re.fullmatch(_KERNEL, kernel)
            flavours = release.precompiled_flavors if release is not None else ()
            if matched is not None and flavours and matched.group(1) not in flavours:
                yield Hit(
                    (*pool.pool.at.route("os", "kernels"), position),
                    f"NVIDIA publishes precompiled drivers for the kernel flavours {listed(flavours, 'and')}, and {kernel} "
                    f"is of flavour {matched.group(1)}",
                    "run a generic kernel, or driver.strategy: container",
                    pools=(pool.name,),
                )


@rule("GV533", "warning", "Precompiled driver without the kernels of its nodes")
def kernels_named(case: Case) -> Iterator[Hit]:
    for pool in _precompiled(case):
        if not pool.pool.os.kernels:
            yield Hit(
                pool.pool.at.route("os", "kernels"),
                f"pool {pool.name} does not say which kernels its nodes run, and there is a precompiled driver image for "
                "each kernel: none can be checked or mirrored",
                "kernels: [6.8.0-45-generic], with every release that `uname -r` shows on the nodes",
                ((pool.pool.driver.at.route("strategy"), "precompiled here"),),
                pools=(pool.name,),
            )


@rule("GV534", "warning", "Package sources that no driver reads")
def sources_unread(case: Case) -> Iterator[Hit]:
    """A precompiled driver fetches nothing: the operator returns before it mounts sources and certificates."""
    offline = case.site.offline
    reading = {pool.os_tag for pool in case.plan.pools if not pool.driver.precompiled}
    for pool in _precompiled(case):
        if offline is None or pool.os_tag is None or pool.os_tag in reading or pool.os_tag not in offline.packages:
            continue
        yield Hit(
            ("offline", "packages", pool.os_tag),
            f"precompiled drivers fetch no packages, and no other driver of the site runs on {pool.os_tag}: these sources "
            "are not used",
            f"remove {pool.os_tag}",
            ((pool.pool.driver.at.route("strategy"), "precompiled here"),),
            at="key",
        )


def _precompiled(case: Case) -> Iterator[PoolPlan]:
    return (pool for pool in case.plan.pools if pool.driver.precompiled)


RULES: tuple[Rule, ...] = (
    side_modules,
    image_published,
    kernel_flavour,
    kernels_named,
    sources_unread,
)
