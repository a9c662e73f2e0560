"""What the site's sharing configs become on each pool: ConfigMap keys, resource names, product labels."""

from collections.abc import Iterator, Mapping

from genvalues.facts import Facts, product
from genvalues.facts.kinds import Gpu
from genvalues.facts.product import Strategy
from genvalues.model import Pool, SharingConfig, Site
from genvalues.plan.kinds import MigEntry, PoolPlan, Resource, Sharing, SharingPlan
from genvalues.plan.reasons import because, by_default, said

WHOLE = "whole"
"""The reserved name of not sharing; also the device-plugin key of nodes that nothing labels."""

GPU = product.GPU

MIG_OFF = "all-disabled"
"""The mig-parted config of nodes that nothing labels: the only default that the operator's CRD takes."""

Mixes = tuple[Mapping[str, int] | None, ...]
"""The GPUs of a node: the MIG mix of each, None for one that is not in MIG mode."""


def sharing(pool: Pool, gpu: Gpu | None, site: Site, facts: Facts) -> Sharing:
    """How the pool's GPUs end up shared, and what its nodes then advertise."""
    if pool.sharing is None:
        name = by_default(WHOLE, "the site does not share these GPUs")
    else:
        name = said(pool.sharing, pool.at.route("sharing"), f"the pool's sharing config is {pool.sharing}")
    config = site.sharing.get(name.value)
    return Sharing(
        name=name,
        config=config,
        known=config is not None or name.value == WHOLE,
        resources=tuple(_resources(config, pool.gpu.per_node, gpu, facts)),
        product=_product(config, pool.gpu.per_node, gpu),
    )


def mig_strategy(config: SharingConfig | None) -> Strategy | None:
    """The MIG strategy of a sharing config, mixed where it names none; None without MIG."""
    if config is None or config.mig is None:
        return None
    return "single" if config.mig.strategy == "single" else "mixed"


def renames(config: SharingConfig | None) -> bool:
    """Whether shared resources get the suffix .shared."""
    if config is None:
        return False
    slicing = config.time_slicing and config.time_slicing.rename_by_default
    return bool(slicing or (config.mps and config.mps.rename_by_default))


def replicas(config: SharingConfig | None, resource: str) -> int | None:
    """How many pods may hold one device of `resource`; None where it is not shared."""
    if config is None:
        return None
    if config.mps is not None:
        return config.mps.replicas
    slicing = config.time_slicing
    if slicing is None:
        return None
    return slicing.resources.get(resource) if slicing.resources else slicing.replicas


def mixes(config: SharingConfig | None, count: int | None) -> Mixes:
    """The GPUs of a node as a config splits them; where several layouts cover one, the last counts (mig-parted).

    With no `count` as many as the layouts name, one for a layout of all.
    """
    layouts = config.mig.layouts if config is not None and config.mig is not None else ()
    named = [index for layout in layouts for index in layout.gpus or (0,)]
    gpus: list[Mapping[str, int] | None] = [None] * (count if count is not None else max(named, default=0) + 1)
    for layout in layouts:
        for index in range(len(gpus)) if layout.gpus is None else layout.gpus:
            if index < len(gpus):
                gpus[index] = layout.profiles
    return tuple(gpus)


def unshared(config: SharingConfig | None, count: int | None) -> tuple[str, ...]:
    """The resources of a node before replicas and renaming; none where strategy single is invalid."""
    exposed = product.resources(mig_strategy(config) or "none", mixes(config, count), {}, renamed=False)
    return tuple(one.name for one in exposed)


def _resources(config: SharingConfig | None, count: int | None, gpu: Gpu | None, facts: Facts) -> Iterator[Resource]:
    strategy, gpus = mig_strategy(config) or "none", mixes(config, count)
    copies = {name: times for name in unshared(config, count) if (times := replicas(config, name)) is not None}
    profiles = {product.mig_resource(name): name for mix in gpus for name in mix or ()}
    single = next((name for mix in gpus for name in mix or ()), None) if strategy == "single" else None
    stated = config is not None and config.mig is not None and all(layout.gpus for layout in config.mig.layouts)
    for one in product.resources(strategy, gpus, copies, renamed=renames(config)):
        profile = profiles.get(one.of, single)
        yield Resource(
            name=one.name,
            per_node=one.number if count is not None or (stated and profile is not None) else None,
            kind="gpu" if profile is None else "mig",
            shared=one.of in copies,
            memory_mib=_memory(profile, gpu, facts),
        )


def _memory(profile: str | None, gpu: Gpu | None, facts: Facts) -> int | None:
    """Of a MIG device with that profile, of the GPU without one."""
    if gpu is None or profile is None:
        return gpu.memory_mib if gpu is not None else None
    model = facts.mig_model(gpu.mig_model) if gpu.mig_model else None
    known = model.profile(profile) if model else None
    return known.memory_mib if known else None


def _product(config: SharingConfig | None, count: int | None, gpu: Gpu | None) -> str | None:
    """The value of nvidia.com/gpu.product on the pool's nodes."""
    if gpu is None or gpu.product is None:
        return None
    shared = {GPU: replicas(config, GPU) or 1}
    strategy = mig_strategy(config) or "none"
    return product.node_product(gpu.product, strategy, mixes(config, count), shared, renamed=renames(config))


def replicated(config: SharingConfig, pools: tuple[PoolPlan, ...]) -> tuple[tuple[str, int], ...]:
    """The resources that a config shares, with their replicas: those that it names, else all of the pools that use it."""
    slicing = config.time_slicing
    if config.mps is None and slicing is not None and slicing.resources:
        return tuple(slicing.resources.items())
    names = dict.fromkeys(
        name for pool in pools if pool.sharing.config is config for name in unshared(config, pool.pool.gpu.per_node)
    )
    counted = ((name, replicas(config, name)) for name in names)
    return tuple((name, times) for name, times in counted if times is not None)


def mig_entries(config: SharingConfig, pools: tuple[PoolPlan, ...]) -> tuple[MigEntry, ...]:
    """The entries of a config's MIG layouts: every GPU of the pools that use it is in one, those left over with MIG off.

    mig-manager never comes to rest on a node with a GPU that no entry covers (mig-parted#157).
    """
    layouts = config.mig.layouts if config.mig else ()
    entries = tuple(MigEntry(layout.gpus, layout.profiles) for layout in layouts)
    if any(layout.gpus is None for layout in layouts):
        return entries
    covered = {index for layout in layouts for index in layout.gpus or ()}
    most = max((pool.pool.gpu.per_node or 0 for pool in pools if pool.sharing.config is config), default=0)
    rest = tuple(index for index in range(most) if index not in covered)
    return (*entries, MigEntry(rest, {})) if rest else entries


def sharing_plan(pools: tuple[PoolPlan, ...], site: Site) -> SharingPlan:
    """The ConfigMaps that the pools' sharing configs need, and the names in them."""
    used = {pool.sharing.name.value for pool in pools}
    configs = [config for name, config in site.sharing.items() if name in used]
    mig = tuple(config for config in configs if config.mig is not None)
    plugin = tuple(config for config in configs if config.time_slicing is not None or config.mps is not None)
    strategies = {mig_strategy(config): config for config in mig}
    strategy = next(iter(strategies), None)
    return SharingPlan(
        device_plugin=plugin,
        device_plugin_name=because(
            "device-plugin-config",
            tuple(c.route for c in plugin),
            "holds one key for each sharing config that a pool uses",
        ),
        default=by_default(WHOLE, "nodes without a pool share nothing"),
        mig=mig,
        mig_name=because("mig-parted-config", tuple(c.route for c in mig), "holds the MIG layouts that pools use"),
        mig_strategy=because(
            strategy,
            tuple((*config.route, "mig") for config in mig),
            f"the strategy of {', '.join(config.name for config in mig)}; the operator has one for the whole cluster",
        )
        if strategy is not None
        else None,
    )
