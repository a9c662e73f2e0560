"""Tables of the hand-over: the pools with what their nodes advertise, the decisions with their reasons, what to expect."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from genvalues.document import Decided, Why
from genvalues.finding import format_route
from genvalues.model import MigLayout, Nic, SharingConfig
from genvalues.plan import Plan
from genvalues.plan.kinds import PoolPlan, Resource, WorkloadPlan
from genvalues.plan.labels import POOL, spelt
from genvalues.plan.monitoring import duration
from genvalues.plan.sharing import mig_strategy

_COLUMNS = 80
"""Commands longer than this have their comment right behind them."""

PRODUCT = "nvidia.com/gpu.product"
"""The label of GPU feature discovery; its value is the plan's."""


def context(plan: Plan) -> Mapping[str, Any]:
    """What the templates call pools, workloads, networks, total, decisions, label_keys, pool_label."""
    keys = [POOL, *_other_labels(plan), PRODUCT]
    return {
        "pools": [_pool(pool, plan) for pool in plan.pools],
        "workloads": [_workload(work) for work in plan.workloads],
        "networks": any(pool.pool.nics for pool in plan.pools),
        "total": _total(plan.pools),
        "decisions": list(_decisions(plan)),
        "label_keys": keys,
        "pool_label": POOL,
        "builds_driver": any(pool.driver.strategy.value == "container" for pool in plan.pools),
    }


def pools_in_words(plan: Plan, pools: Sequence[PoolPlan]) -> str:
    """Pools in a sentence: "pool a", "pools a and b", "all pools" where it is all of several."""
    if len(pools) == len(plan.pools) > 1:
        return "all pools"
    names = [pool.name for pool in pools]
    return f"pool{'s' if len(names) > 1 else ''} {listed(names)}"


def listed(words: Sequence[str]) -> str:
    """Words in a sentence: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def commented(*lines: tuple[str, str]) -> list[str]:
    """Commands, each with what it must say as a comment, in one column."""
    width = max((len(command) for command, comment in lines if comment and len(command) <= _COLUMNS), default=0)
    return [f"{command:<{width}}   # {comment}" if comment else command for command, comment in lines]


def _workload(work: WorkloadPlan) -> Mapping[str, str]:
    """What a workload needs, and what its pools have."""
    needs = f"{work.driver.value} or newer" if work.driver.value else "not known"
    if work.workload.forward_compatibility:
        needs = "any, with the cuda-compat that it brings"
    return {
        "name": work.workload.name,
        "image": f"`{work.image.value}`" if work.image is not None else "-",
        "cuda": work.cuda.value or "not known",
        "needs": needs,
        "has": "; ".join(f"{pool.name}: {_version(pool)}" for pool in work.pools),
    }


def _version(pool: PoolPlan) -> str:
    version = pool.driver.version.value
    return (
        "of a version that the site does not state"
        if version is None
        else f"{'R' if pool.driver.precompiled else ''}{version}"
    )


def _other_labels(plan: Plan) -> list[str]:
    return list(dict.fromkeys(label.key for pool in plan.pools for label in pool.labels if label.key != POOL))


def _pool(pool: PoolPlan, plan: Plan) -> Mapping[str, Any]:
    spec, product = pool.pool, pool.sharing.product
    named = f", named `{spec.name_pattern}`" if spec.name_pattern else ""
    labels = {label.key: f"`{label.value.value}`" for label in pool.labels}
    if product is not None:
        labels[PRODUCT] = f"`{product}`"
    return {
        "name": pool.name,
        "selector": "=".join(pool.selector),
        "nodes": f"{_number(spec.node_count, 'not stated')}{named}{_system(pool)}",
        "count": _number(spec.node_count, "all of the pool"),
        "network": ", ".join(_ports(nic) for nic in spec.nics) or "-",
        "gpus": f"{_number(spec.gpu.per_node, '?')} x {pool.gpu.display if pool.gpu else spec.gpu.model or 'GPU'}",
        "driver": _driver(pool),
        "sharing": sharing_in_words(pool.sharing.config),
        "advertises": ", ".join(
            f"`{resource.name}: {_number(resource.per_node, '?')}`" for resource in pool.sharing.resources
        ),
        "labels": labels,
        "resources": [_resource(resource, pool) for resource in pool.sharing.resources],
        "pods": [{"name": pod.name, "file": pod.file} for pod in plan.verify if pod.pool.name == pool.name],
    }


def _ports(nic: Nic) -> str:
    """Network ports of one kind, for a table: 8 x infiniband (compute)."""
    count = "" if nic.per_node is None else f"{nic.per_node} x "
    return f"{count}{nic.fabric}{f' ({nic.name})' if nic.name else ''}"


def _system(pool: PoolPlan) -> str:
    os = pool.pool.os
    system = f", {os.id} {os.version or ''}".rstrip() if os.id else ""
    return system + (f", kernel {listed(os.kernels)}" if os.kernels else "")


def _number(count: int | None, otherwise: str) -> str:
    return otherwise if count is None else str(count)


def _driver(pool: PoolPlan) -> str:
    driver = pool.driver
    version = driver.version.value or "of a version that the site does not state"
    modules = f", {driver.modules.value} kernel modules" if driver.modules.value else ""
    ways = {
        "host": f"{version}, on the node{modules}",
        "container": f"{version}, from the operator's driver pod{modules}",
        "precompiled": f"branch {version}, precompiled, from the operator's driver pod{modules}",
    }
    return ways.get(driver.strategy.value, version)


def sharing_in_words(config: SharingConfig | None) -> str:
    """How a sharing config shares GPUs, for a table."""
    if config is None:
        return "whole GPUs"
    parts = []
    if config.mig is not None:
        layouts = "; ".join(_layout(layout) for layout in config.mig.layouts)
        parts.append(f"MIG, strategy {mig_strategy(config)}: {layouts}")
    slicing, device = config.time_slicing, "MIG device" if config.mig is not None else "GPU"
    if config.mps is not None:
        parts.append(f"MPS: {config.mps.replicas} pods to each {device}")
    elif slicing is not None and slicing.resources:
        each = ", ".join(f"{times} pods to each {name}" for name, times in slicing.resources.items())
        parts.append(f"time-slicing: {each}")
    elif slicing is not None:
        parts.append(f"time-slicing: {slicing.replicas} pods to each {device}")
    return ", and ".join(parts)


def _layout(layout: MigLayout) -> str:
    profiles = " + ".join(f"{count} x {profile}" for profile, count in layout.profiles.items())
    if layout.gpus is None:
        return f"{profiles} on every GPU"
    return f"{profiles} on GPU{'s' if len(layout.gpus) > 1 else ''} {', '.join(map(str, layout.gpus))}"


def _resource(resource: Resource, pool: PoolPlan) -> Mapping[str, str]:
    remark = ""
    if resource.shared:
        remark = f" ({sharing_in_words(pool.sharing.config)}; a request counts shares, not GPUs)"
    return {
        "name": resource.name,
        "count": _number(resource.per_node, "as many as the node has"),
        "remark": remark,
        "column": resource.name.rpartition("/")[2].upper(),
        "escaped": resource.name.replace(".", "\\."),
    }


def _total(pools: Sequence[PoolPlan]) -> str:
    """The sum over all nodes; empty where a count is missing."""
    totals: dict[str, int] = {}
    gpus = nodes = 0
    for pool in pools:
        count, per_node = pool.pool.node_count, pool.pool.gpu.per_node
        if count is None or per_node is None:
            return ""
        nodes += count
        gpus += count * per_node
        for resource in pool.sharing.resources:
            if resource.per_node is None:
                return ""
            totals[resource.name] = totals.get(resource.name, 0) + count * resource.per_node
    advertised = listed([f"`{name}: {amount}`" for name, amount in totals.items()])
    return (
        f"{nodes} node{'s' if nodes > 1 else ''} with {gpus} GPU{'s' if gpus > 1 else ''}, which advertise {advertised}"
    )


def _decisions(plan: Plan) -> Iterator[Mapping[str, str]]:
    """Every decision that a reader may ask about; what several pools have in common stands once."""
    together: dict[tuple[str, str, Why], list[str]] = {}
    for pool in plan.pools:
        for what, decided in _of_pool(pool):
            together.setdefault((what, str(decided.value), decided.why), []).append(pool.name)
    for (what, value, why), names in together.items():
        whose = "" if len(names) == len(plan.pools) else f" of {listed(names)}"
        yield _decision(what + whose, value, why)
    for what, decided in _of_site(plan):
        yield _decision(what, str(decided.value), decided.why)


def _decision(what: str, value: str, why: Why) -> Mapping[str, str]:
    routes = ", ".join(f"`{format_route(route)}`" for route in why.routes[:3])
    more = f" and {len(why.routes) - 3} more" if len(why.routes) > 3 else ""
    return {"what": what, "value": value, "why": why.text, "by": routes + more or "default"}


def _of_pool(pool: PoolPlan) -> Iterator[tuple[str, Decided[Any]]]:
    driver, rdma = pool.driver, pool.rdma
    yield "driver", driver.strategy
    if driver.version.value is not None:
        yield "driver version", driver.version
    if driver.modules.value is not None:
        yield "kernel modules", driver.modules
    if driver.fabric_manager.value is not None:
        yield "Fabric Manager", driver.fabric_manager
    if pool.pool.nics or rdma.gpu_direct.value != "none":
        yield "GPUDirect RDMA", rdma.gpu_direct
        yield "network driver (OFED)", rdma.ofed
    for what, switch in (("GDRCopy", rdma.gdrcopy), ("GPUDirect Storage", rdma.gds)):
        if switch.value:
            yield what, Decided("on", switch.why)
    yield "sharing", pool.sharing.name


def _of_site(plan: Plan) -> Iterator[tuple[str, Decided[Any]]]:
    yield "GPU Operator", plan.operator.version
    yield "Node Feature Discovery", plan.nfd.version
    yield (
        "container toolkit",
        Decided("operator" if plan.toolkit.by_operator.value else "host", plan.toolkit.by_operator.why),
    )
    if plan.sharing.mig_strategy is not None:
        yield "MIG strategy", plan.sharing.mig_strategy
    if plan.extra_label_namespaces.value:
        namespaces = plan.extra_label_namespaces
        yield "label namespaces opened in NFD", Decided(_code(namespaces.value), namespaces.why)
    taints = [taint for pool in plan.pools for taint in pool.pool.taints]
    if taints:
        routes = tuple(dict.fromkeys(route for _, reason in plan.tolerations for route in reason.why.routes))
        value = _code(tuple(dict.fromkeys(spelt(taint) for taint in taints)))
        yield "taints tolerated", Decided(value, Why(routes, "the nodes carry them already; nothing here sets a taint"))
    yield from _of_monitoring(plan)
    if (scheduler := plan.scheduler) is not None:
        yield "scheduler profile", scheduler.name
        yield "scoring", scheduler.strategy
        weights = ", ".join(f"{name} {weight.value}" for name, weight in scheduler.weights)
        routes = tuple(dict.fromkeys(route for _, weight in scheduler.weights for route in weight.why.routes))
        yield "weights", Decided(weights, Why(routes, "every GPU resource that the pools expose is weighed"))


def _of_monitoring(plan: Plan) -> Iterator[tuple[str, Decided[Any]]]:
    monitoring = plan.monitoring
    if monitoring.groups is not None:
        presets = ", ".join(group.title for group in monitoring.groups.value)
        yield "DCGM metrics", Decided(f"{len(monitoring.collected)} fields: {presets}", monitoring.groups.why)
    if monitoring.interval is not None:
        every = duration(monitoring.interval.value)
        yield (
            "collected every",
            Decided(every, Why(monitoring.interval.why.routes, "how often values are read from the GPUs")),
        )
    if monitoring.scrape.value != "none":
        yield "scraped by", monitoring.scrape
    if monitoring.alerts.value:
        yield "alert rules", Decided("rendered", monitoring.alerts.why)


def _code(values: Sequence[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)
