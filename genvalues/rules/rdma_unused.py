"""The rule about a network driver that a site names and nothing in it uses."""

from collections.abc import Iterator

from genvalues.finding import Hit, Route
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.rule import Case, Rule, rule


@rule("GV675", "warning", "Network driver that nothing uses")
def ofed_unused(case: Case) -> Iterator[Hit]:
    by_route: dict[Route, list[PoolPlan]] = {}
    for pool in case.plan.pools:
        if pool.pool.rdma.ofed is not None:
            by_route.setdefault(pool.pool.rdma.at.route("ofed"), []).append(pool)
    for route, pools in by_route.items():
        if any(pool.pool.nics or pool.rdma.gpu_direct.value != "none" for pool in pools):
            continue
        names = ", ".join(pool.name for pool in pools)
        yield Hit(
            route,
            f"rdma.ofed changes nothing: {names} asks for no GPUDirect RDMA and has no nics",
            "nics for the pool and rdma.gpuDirect: dmabuf, or remove rdma.ofed",
            at="key",
            pools=tuple(pool.name for pool in pools),
        )


RULES: tuple[Rule, ...] = (ofed_unused,)
