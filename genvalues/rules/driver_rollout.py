"""Rules about how drivers reach the nodes: the upgrade policy, and NVIDIADriver objects for pools that differ."""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.plan.driver import has_upgrades_by_object
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import quoted, shown


@rule("GV525", "error", "Upgrade policy for a driver on the host")
def policy_of_host_driver(case: Case) -> Iterator[Hit]:
    used = {_policy(pool) for pool in case.plan.pools if pool.driver.in_cluster}
    for pool in case.plan.pools:
        if pool.driver.in_cluster or not pool.pool.driver.upgrade_policy or _policy(pool) in used:
            continue
        yield Hit(
            _policy(pool),
            "upgradePolicy is how the operator replaces driver pods, and there are none: the driver is the host's",
            "remove upgradePolicy",
            ((pool.pool.driver.at.route("strategy"), "strategy host here"),),
            at="key",
            pools=(pool.name,),
        )


def unavailable_fault(value: Json) -> str | None:
    """What is wrong with maxUnavailable; None where nothing is."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    if value == 0:
        return "a maxUnavailable of 0 becomes 25%: the chart takes it for a value that is not set"
    number = str(value).removesuffix("%")
    if not number.isdecimal() or not number.isascii():
        return f"{shown(value)} is neither a number of nodes nor a percentage"
    if int(number) == 0:
        return f"with a maxUnavailable of {quoted(str(value))} no node may be down, so that no driver is ever upgraded"
    return None


def _unavailable_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    route: Route = ("driver", "upgradePolicy", "maxUnavailable")
    node = node_at(body.data, route)
    fault = unavailable_fault(node)
    if fault is not None and node != 0:  # of the number 0 the chart's contract speaks (GV905)
        yield Hit(route, fault, "maxUnavailable: 1")


@rule("GV526", "error", "maxUnavailable that does not mean what it says", files={"values": _unavailable_in_file})
def max_unavailable(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        fault = unavailable_fault(pool.pool.driver.upgrade_policy.get("maxUnavailable"))
        if fault is not None and pool.driver.in_cluster:
            yield Hit(
                pool.pool.driver.at.route("upgradePolicy", "maxUnavailable"),
                fault,
                "maxUnavailable: 1, or autoUpgrade: false to keep all drivers as they are",
                pools=(pool.name,),
            )


@rule("GV527", "error", "Upgrade settings without automatic upgrades")
def policy_without_upgrades(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        policy = pool.pool.driver.upgrade_policy
        others = [key for key in policy if key != "autoUpgrade"]
        if not pool.driver.in_cluster or policy.get("autoUpgrade") is not False or not others:
            continue
        yield Hit(
            pool.pool.driver.at.route("upgradePolicy", others[0]),
            f"with autoUpgrade: false the operator ignores {', '.join(others)}",
            f"autoUpgrade: true, or remove {', '.join(others)}",
            ((pool.pool.driver.at.route("upgradePolicy", "autoUpgrade"), "switched off here"),),
            at="key",
            pools=(pool.name,),
        )


@rule("GV529", "error", "Pools with different upgrade policies")
def one_policy(case: Case) -> Iterator[Hit]:
    """The ClusterPolicy has one policy; NVIDIADriver objects have their own from GPU Operator v26.7.0 on."""
    if case.plan.by_objects and has_upgrades_by_object(case.plan.operator):
        return
    pools = [pool for pool in case.plan.pools if pool.driver.in_cluster]
    for pool in pools[1:]:
        if pool.pool.driver.upgrade_policy == pools[0].pool.driver.upgrade_policy:
            continue
        stated = pool if pool.pool.driver.upgrade_policy else pools[0]
        other = pools[0] if stated is pool else pool
        yield Hit(
            _policy(stated),
            f"the operator has one upgrade policy for the whole cluster, and pools {pools[0].name} and {pool.name} state "
            "different ones",
            "state one upgradePolicy, under the driver of the site",
            ((_policy(other), f"pool {other.name}"),) if other.pool.driver.upgrade_policy else (),
            pools=(stated.name,),
        )


@rule("GV535", "info", "Pools with drivers of their own")
def by_objects(case: Case) -> Iterator[Hit]:
    if _is_final(case):
        yield from _differences(case, "each gets an NVIDIADriver object, selected by the label of its pool")


@rule("GV536", "warning", "NVIDIADriver objects before they were released")
def preview(case: Case) -> Iterator[Hit]:
    if not _is_final(case):
        version = case.plan.operator.chart.version
        yield from _differences(
            case,
            "one ClusterPolicy cannot serve both, so each gets an NVIDIADriver object, which is a technology preview "
            f"before GPU Operator v26.3.0, and the site installs {version}",
        )


def _is_final(case: Case) -> bool:
    return same_or_newer(case.plan.operator.chart.version, "v26.3.0") is not False


def _differences(case: Case, what: str) -> Iterator[Hit]:
    if not case.plan.by_objects:
        return
    first, *others = case.plan.pools
    for pool in others:
        found = _difference(first, pool)
        if found is not None:
            name, route, related = found
            yield Hit(
                route,
                f"the drivers of pools {first.name} and {pool.name} differ in {name}: {what}",
                "nothing to do where that is meant; else give both pools the same",
                ((related, f"pool {first.name}"),),
                pools=(pool.name,),
            )
            return


def _difference(one: PoolPlan, other: PoolPlan) -> tuple[str, Route, Route] | None:
    """The first setting in which the drivers of two pools differ, with its place in the other and in the one."""
    for (name, value, place), (_, wanted, route) in zip(_settings(one), _settings(other), strict=True):
        if value != wanted:
            return name, route, place
    return None


def _settings(pool: PoolPlan) -> tuple[tuple[str, object, Route], ...]:
    """What one driver has one of: as `plan.driver.needs_objects` compares it."""
    driver, rdma, at = pool.driver, pool.rdma, pool.pool.driver.at
    host = not driver.in_cluster
    return (
        ("driver.strategy", driver.strategy.value, at.route("strategy")),
        ("driver.version", host or driver.version.value, at.route("version")),
        ("driver.kernelModuleType", host or driver.module_type.value, at.route("kernelModuleType")),
        ("driver.moduleParameters", host or driver.parameters, at.route("moduleParameters")),
        ("os", host or (pool.pool.os.id, pool.pool.os.version), pool.pool.at.route("os")),
        ("rdma.gpuDirect", host or rdma.peermem_by_operator, pool.pool.rdma.at.route("gpuDirect")),
        ("rdma.ofed", host or (rdma.peermem_by_operator and rdma.ofed.value), pool.pool.rdma.at.route("ofed")),
        ("rdma.gds", host or rdma.gds.value, pool.pool.rdma.at.route("gds")),
        ("rdma.gdrcopy", host or rdma.gdrcopy.value, pool.pool.rdma.at.route("gdrcopy")),
    )


def _policy(pool: PoolPlan) -> Route:
    return pool.pool.driver.at.route("upgradePolicy")


RULES: tuple[Rule, ...] = (
    policy_of_host_driver,
    max_unavailable,
    policy_without_upgrades,
    one_policy,
    by_objects,
    preview,
)
