"""Rules about MIG layouts against the node: which GPUs they cover, what the strategy allows, one strategy per cluster."""

from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts, product
from genvalues.finding import Hit, Json, Route, at_route, exists
from genvalues.plan.sharing import mig_strategy, mixes
from genvalues.rules.mig_parted import entries
from genvalues.rules.mig_site import Split, splits
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed

Gpus = tuple[int, ...] | None
"""Indices of the GPUs of a node; None: all."""


@rule("GV406", "error", "MIG layout for a GPU that the nodes do not have")
def beyond_count(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        count = split.pool.pool.gpu.per_node
        for route, layout in split.layouts() if count is not None else ():
            for position, index in enumerate(layout.gpus or ()):
                if count is not None and index >= count:
                    yield Hit(
                        (*route, "gpus", position),
                        f"nodes of pool {split.pool.name} have {count} GPUs, numbered from 0 to {count - 1}: none is {index}",
                        f"gpus: [{', '.join(str(one) for one in layout.gpus or () if one < count)}], or gpus: all",
                        ((split.pool.pool.at.route("gpu", "count"), f"{count} GPUs here"),),
                        pools=(split.pool.name,),
                    )


def overlap(earlier: Sequence[Gpus], later: Gpus) -> tuple[int, str] | None:
    """The first of the earlier sets of GPUs that shares one with a later set, and which, in words; None: none does."""
    for position, one in enumerate(earlier):
        if () in (one, later):
            continue
        if one is None or later is None:
            every = [index for index in (one, later) if index]
            return position, f"GPU {every[0][0]}" if every else "every GPU"
        if both := sorted(set(one) & set(later)):
            return position, f"GPU {both[0]}"
    return None


def _overlaps_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    """Entries with filters concern the GPUs that these pick: two that pick different ones do not meet."""
    seen: list[tuple[str, frozenset[str], Gpus, Route]] = []
    for item in entries(body.data):
        filters = frozenset(name.upper() for name in item.filters)
        before = [one for one in seen if one[0] == item.config and _meet(one[1], filters)]
        found = overlap([one[2] for one in before], item.gpus)
        if found is not None:
            earlier = before[found[0]][3]
            yield _overlap_hit((*item.route, "devices"), found[1], (*earlier, "devices"), "devices")
        if item.gpus != ():
            seen.append((item.config, filters, item.gpus, item.route))


def _meet(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one or not other or not one.isdisjoint(other)


def _overlap_hit(route: Route, what: str, earlier: Route, key: str) -> Hit:
    return Hit(
        route,
        f"{what} stands in two layouts: the last one wins, and the earlier one has no effect on it",
        f"name each GPU in one layout, such as {key}: [0] and {key}: [1, 2, 3]",
        ((earlier, "the earlier one"),),
    )


@rule("GV407", "error", "GPU in two MIG layouts", files={"mig-parted": _overlaps_in_file})
def overlapping(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        before: list[tuple[Gpus, Route]] = []
        for route, layout in split.layouts():
            found = overlap([gpus for gpus, _ in before], layout.gpus)
            if found is not None:
                yield _overlap_hit((*route, "gpus"), found[1], (*before[found[0]][1], "gpus"), "gpus")
            before.append((layout.gpus, route))


def _single_across(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Values that ask for single beside configs of which none can run under it. One that can may be the one in use."""
    configs = [mixes for body in bodies if body.kind == "mig-parted" for mixes in _enabled(body.data)]
    faults = [product.single_fault(mixes) for mixes in configs]
    if not faults or None in faults:
        return
    for body in bodies:
        base: Route = {"values": (), "cluster-policy": ("spec",)}.get(body.kind, ("none",))
        route: Route = (*base, "mig", "strategy")
        if exists(body.data, route) and at_route(body.data, route) == "single":
            message = f"strategy single takes one MIG profile on all GPUs of a node, and the MIG configs here have {faults[0]}"
            yield body, Hit(route, message, "strategy: mixed")


def _enabled(data: Json) -> Iterator[list[Mapping[str, int] | None]]:
    """The GPUs of each config that splits any, as far as its entries name them."""
    by_config: dict[str, list[Mapping[str, int] | None]] = {}
    for entry in entries(data):
        mix = entry.counts if entry.enabled else None
        by_config.setdefault(entry.config, []).extend([mix] * (1 if entry.gpus is None else len(entry.gpus)))
    yield from (mixes for mixes in by_config.values() if any(mix is not None for mix in mixes))


@rule("GV409", "error", "MIG layouts that strategy single refuses", across=_single_across)
def single(case: Case) -> Iterator[Hit]:
    """The device plugin ends in an error, and GPU feature discovery labels the node MIG-INVALID."""
    for split in splits(case):
        if mig_strategy(split.config) != "single" or _overlapping(split):
            continue
        gpus = mixes(split.config, split.pool.pool.gpu.per_node)
        fault = product.single_fault(gpus)
        if fault is None:
            continue
        whole = split.pool.pool.gpu.per_node
        named = {index for layout in split.mig.layouts for index in layout.gpus or ()}
        rest = [str(index) for index in range(whole or 0) if index not in named]
        covers = any(layout.gpus is None for layout in split.mig.layouts) or not rest
        fix = (
            "strategy: mixed" if covers else f"strategy: mixed, or gpus: all (in no layout: GPU {listed(rest, 'and')})"
        )
        yield Hit(
            (*split.config.route, "mig", "strategy"),
            f"strategy single takes one MIG profile on all GPUs of a node, and here {fault}: the device plugin ends in an "
            "error",
            fix,
            (((*split.config.route, "mig", "layouts"), "the layouts"),),
            pools=(split.pool.name,),
        )


def _overlapping(split: Split) -> bool:
    sets = [layout.gpus for layout in split.mig.layouts]
    return any(overlap(sets[:index], gpus) is not None for index, gpus in enumerate(sets))


@rule("GV411", "error", "Different MIG strategies in one cluster")
def one_strategy(case: Case) -> Iterator[Hit]:
    configs = case.plan.sharing.mig
    for config in configs[1:]:
        first, here = mig_strategy(configs[0]), mig_strategy(config)
        if first == here:
            continue
        stated = "" if config.mig and config.mig.strategy else ", by default"
        yield Hit(
            (*config.route, "mig", "strategy"),
            f"the operator has one MIG strategy for the whole cluster: {configs[0].name} has {first}, and {config.name} "
            f"{here}{stated}",
            "strategy: mixed, in both",
            (((*configs[0].route, "mig", "strategy"), f"{first} here"),),
        )


RULES: tuple[Rule, ...] = (beyond_count, overlapping, single, one_strategy)
