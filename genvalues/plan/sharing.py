"""What the site's sharing configs become on each pool: ConfigMap keys, resource names, product labels."""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.model import MigLayout, Pool, SharingConfig, Site
from genvalues.plan.kinds import MigEntry, PoolPlan, Resource, Sharing, SharingPlan
from genvalues.plan.reasons import because, by_default, said

WHOLE = "whole"
"""The reserved name of not sharing; also the device-plugin key of nodes that nothing labels."""

GPU = "nvidia.com/gpu"

SHARED_SUFFIX = ".shared"

MIG_OFF = "all-disabled"
"""The mig-parted config of nodes that nothing labels: the only default that the operator's CRD takes."""


def sharing(pool: Pool, gpu: Gpu | None, site: Site, facts: Facts) -> Sharing:
    """How the pool's GPUs end up shared, and what its nodes then advertise."""
    if pool.sharing is None:
        name = by_default(WHOLE, "the site does not share these GPUs")
    else:
        name = said(pool.sharing, pool.at.route("sharing"), f"the pool's sharing config is {pool.sharing}")
    config = site.sharing.get(name.value)
    resources = tuple(_resources(config, pool, gpu, facts))
    return Sharing(
        name=name,
        config=config,
        known=config is not None or name.value == WHOLE,
        resources=resources,
        product=_product(config, gpu),
    )


def mig_strategy(config: SharingConfig | None) -> str | None:
    """The MIG strategy of a sharing config, mixed where it names none; None without MIG."""
    if config is None or config.mig is None:
        return None
    return config.mig.strategy or "mixed"


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


def mig_resource(profile: str) -> str:
    """The resource of a MIG profile under strategy mixed (k8s-device-plugin: "+" becomes ".", "-" stays)."""
    return "nvidia.com/mig-" + profile.replace("+", ".")


def _resources(config: SharingConfig | None, pool: Pool, gpu: Gpu | None, facts: Facts) -> Iterator[Resource]:
    count = pool.gpu.per_node
    if config is None or config.mig is None:
        yield _shared(config, GPU, count, "gpu", gpu.memory_mib if gpu else None)
        return
    if mig_strategy(config) == "single":
        instances = None if count is None else sum(n * sum(p.values()) for n, p in _split(config.mig.layouts, count))
        yield _shared(config, GPU, instances, "mig", _memory(config.mig.layouts[0], gpu, facts))
        return
    per_profile: dict[str, int] = {}
    covered = 0
    for gpus, profiles in _split(config.mig.layouts, count or 0):
        covered += gpus
        for profile, instances in profiles.items():
            per_profile[profile] = per_profile.get(profile, 0) + gpus * instances
    for profile, total in per_profile.items():
        known = count is not None or all(layout.gpus is not None for layout in config.mig.layouts)
        yield _shared(
            config, mig_resource(profile), total if known else None, "mig", _profile_memory(profile, gpu, facts)
        )
    if count is not None and covered < count:
        yield _shared(config, GPU, count - covered, "gpu", gpu.memory_mib if gpu else None)


def _split(layouts: tuple[MigLayout, ...], count: int) -> Iterator[tuple[int, dict[str, int]]]:
    """Each layout with the number of GPUs that it covers; of several that cover one GPU the last counts (mig-parted)."""
    taken: dict[int, MigLayout] = {}
    for layout in layouts:
        for index in range(count) if layout.gpus is None else layout.gpus:
            taken[index] = layout
    for layout in layouts:
        yield sum(1 for winner in taken.values() if winner is layout), dict(layout.profiles)


def _shared(config: SharingConfig | None, name: str, per_node: int | None, kind: str, memory: int | None) -> Resource:
    times = replicas(config, name)
    if times is None:
        return Resource(name, per_node, kind, shared=False, memory_mib=memory)
    shown = name + SHARED_SUFFIX if renames(config) else name
    return Resource(shown, None if per_node is None else per_node * times, kind, shared=True, memory_mib=memory)


def _memory(layout: MigLayout, gpu: Gpu | None, facts: Facts) -> int | None:
    return _profile_memory(next(iter(layout.profiles)), gpu, facts)


def _profile_memory(profile: str, gpu: Gpu | None, facts: Facts) -> int | None:
    model = facts.mig_model(gpu.mig_model) if gpu and gpu.mig_model else None
    known = model.profile(profile) if model else None
    return known.memory_mib if known else None


def _product(config: SharingConfig | None, gpu: Gpu | None) -> str | None:
    """The value of nvidia.com/gpu.product on the pool's nodes (k8s-device-plugin, internal/lm/resource.go)."""
    if gpu is None or gpu.product is None:
        return None
    label = gpu.product
    if config is not None and config.mig is not None and mig_strategy(config) == "single":
        profiles = {profile for layout in config.mig.layouts for profile in layout.profiles}
        label += "-MIG-" + (profiles.pop().replace("+", "") if len(profiles) == 1 else "INVALID")
    shared = replicas(config, GPU) is not None and not renames(config)
    return label + "-SHARED" if shared else label


def replicated(config: SharingConfig, pools: tuple[PoolPlan, ...]) -> tuple[tuple[str, int], ...]:
    """The resources that a config shares, with their replicas: those that it names, else all of the pools that use it."""
    slicing = config.time_slicing
    if config.mps is None and slicing is not None and slicing.resources:
        return tuple(slicing.resources.items())
    names = dict.fromkeys(
        resource.name.removesuffix(SHARED_SUFFIX) if resource.shared else resource.name
        for pool in pools
        if pool.sharing.config is config
        for resource in pool.sharing.resources
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
