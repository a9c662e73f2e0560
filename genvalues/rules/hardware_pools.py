"""Rules about pools as such: their names, their operating system, what their nodes carry."""

from collections.abc import Iterator

from genvalues.finding import Hit, Route
from genvalues.model import Pool
from genvalues.plan.labels import spelt
from genvalues.rules.label_form import key_fault, value_fault
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import quoted


@rule("GV220", "error", "Two pools of one name")
def names_are_unique(case: Case) -> Iterator[Hit]:
    first: dict[str, Pool] = {}
    for pool in case.site.pools:
        if pool.name in first:
            yield Hit(
                _name(pool),
                f"another pool is called {pool.name}: their rules, labels and driver objects would be the same object",
                f"name: {pool.name}-{pool.position + 1}",
                ((_name(first[pool.name]), "the first pool of that name"),),
            )
        first.setdefault(pool.name, pool)


@rule("GV230", "error", "Pool names no operating system where it is needed")
def os_is_named(case: Case) -> Iterator[Hit]:
    for plan in case.plan.pools:
        os = plan.pool.os
        if os.id is not None and os.version is not None:
            continue
        if plan.driver.precompiled:
            why = "there is a precompiled driver image for each operating system and kernel"
        elif plan.driver.in_cluster and case.site.offline is not None:
            why = "offline, its driver pods need the package sources and the mirrored image of their operating system"
        else:
            continue
        missing = "operating system" if os.id is None else "version of its operating system"
        yield Hit(
            plan.pool.at.route("os", "version") if os.id is not None else plan.pool.at.route("os"),
            f"pool {plan.name} does not name the {missing}: {why}",
            f'os: {{id: {os.id or "ubuntu"}, version: "{os.version or "22.04"}"}}, as os-release on the nodes has it',
            pools=(plan.name,),
        )


@rule("GV240", "error", "Two taints of one key and effect")
def taints_are_unique(case: Case) -> Iterator[Hit]:
    for pool in case.site.pools:
        first: dict[tuple[str, str], int] = {}
        for position, taint in enumerate(pool.taints):
            earlier = first.setdefault((taint.key, taint.effect), position)
            if earlier != position:
                yield Hit(
                    _taint(pool, position),
                    f"a node has one taint of a key and effect, and {taint.key}:{taint.effect} stands here twice",
                    "remove one of them",
                    ((_taint(pool, earlier), f"the first: {spelt(pool.taints[earlier])}"),),
                    pools=(pool.name,),
                )


@rule("GV241", "error", "Taint that Kubernetes refuses")
def taints_are_valid(case: Case) -> Iterator[Hit]:
    for pool in case.site.pools:
        for position, taint in enumerate(pool.taints):
            if (fault := key_fault(taint.key)) is not None:
                yield Hit(
                    (*_taint(pool, position), "key"),
                    f"{quoted(taint.key)} is no key of a taint: {fault}",
                    "key: nvidia.com/gpu",
                    pools=(pool.name,),
                )
            elif taint.value and (fault := value_fault(taint.value)) is not None:
                yield Hit(
                    (*_taint(pool, position), "value"),
                    f"{quoted(taint.value)} is no value of a taint: {fault}",
                    "value: present, as `kubectl describe node` shows it",
                    pools=(pool.name,),
                )


@rule("GV245", "error", "Two NICs of one name")
def nics_are_unique(case: Case) -> Iterator[Hit]:
    for pool in case.site.pools:
        first: dict[str, int] = {}
        for position, nic in enumerate(pool.nics):
            if nic.name is None:
                continue
            earlier = first.setdefault(nic.name, position)
            if earlier != position:
                yield Hit(
                    (*pool.at.route("nics"), position, "name"),
                    f"two kinds of ports are called {nic.name}",
                    f"name: {nic.name}-{position + 1}, or one entry with the count of both",
                    (((*pool.at.route("nics"), earlier, "name"), "the first"),),
                    pools=(pool.name,),
                )


@rule("GV246", "warning", "InfiniBand ports of a vendor that makes none for it")
def infiniband_vendor(case: Case) -> Iterator[Hit]:
    for pool in case.site.pools:
        for position, nic in enumerate(pool.nics):
            if nic.fabric == "infiniband" and nic.vendor not in (None, "15b3"):
                yield Hit(
                    (*pool.at.route("nics"), position, "vendor"),
                    f"InfiniBand adapters that the GPU and Network Operators know are NVIDIA's, vendor 15b3, not {nic.vendor}",
                    'vendor: "15b3", or fabric: ethernet',
                    (((*pool.at.route("nics"), position, "fabric"), "infiniband here"),),
                    pools=(pool.name,),
                )


def _name(pool: Pool) -> Route:
    return ("hardware", "pools", pool.position, "name")


def _taint(pool: Pool, position: int) -> Route:
    return (*pool.at.route("taints"), position)


RULES: tuple[Rule, ...] = (
    names_are_unique,
    os_is_named,
    taints_are_unique,
    taints_are_valid,
    nics_are_unique,
    infiniband_vendor,
)
