"""Rules about MIG against the driver, the device plugin and the labels that follow from it."""

from collections.abc import Iterator

from genvalues.facts import product
from genvalues.facts.kinds import Gpu
from genvalues.facts.version import is_branch, same_or_newer
from genvalues.finding import Hit, Route
from genvalues.plan.kinds import PoolPlan
from genvalues.plan.sharing import mig_strategy, mixes, renames, replicas
from genvalues.rules.driver_support import candidates, cuda_floor, knows, model_route, version_route
from genvalues.rules.mig_site import Split, splits
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import key

# Pods of a node with whole and split GPUs stay Pending with these (NVIDIA/gpu-operator#1361; release notes 25.3).
_PENDING = ("570.124.06", "570.133.20", "570.148.08", "570.158.01")

# The driver container sets NVreg_CoherentGPUMemoryMode=driver from here on (gpu-driver-container, _get_module_params).
_COHERENT_SINCE = "580.65.06"
_COHERENT = "NVreg_CoherentGPUMemoryMode"

# MIG devices were given to the first pattern that is part of their profile's name (k8s-device-plugin#1807).
_ANCHORED_SINCE = "0.20.0"


@rule("GV413", "error", "Driver too old for MIG")
def driver_for_mig(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        gpu, version = split.pool.gpu, split.pool.driver.version.value
        if gpu is None or version is None or not knows(gpu, version) or cuda_floor(case, version) is not None:
            continue  # the last: GV507 says of so old a driver that it runs no CUDA 12
        newest = f"{version}.999.99" if is_branch(version) else version
        needs = [(gpu.mig_min_driver, f"MIG on {gpu.display}")]
        for _, layout in split.layouts():
            profiles = [split.model.profile(name) for name in layout.profiles] if split.model else []
            needs += [(one.min_driver, f"the MIG profile {one.name} of {gpu.display}") for one in profiles if one]
        missing = [(least, what) for least, what in needs if least and same_or_newer(newest, least) is False]
        if missing:
            least, what = missing[0]
            yield Hit(
                version_route(split.pool),
                f"{what} needs driver {least} or newer, and here it is {version}",
                f'driver.version: "{_newer(case, gpu, least)}"',
                (((*split.config.route, "mig"), f"MIG on pool {split.pool.name}"),),
                pools=(split.pool.name,),
            )


def _newer(case: Case, gpu: Gpu, least: str) -> str:
    """A driver that the operator's release offers, knows the GPU and is new enough; else the least one."""
    offered = candidates(case.release)
    return next((one for one in offered if knows(gpu, one) and same_or_newer(one, least)), least)


@rule("GV414", "warning", "MIG on RTX PRO 6000 with the driver that cannot")
def rtx_pro_575(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        gpu = split.pool.gpu
        if gpu is not None and gpu.mig_model == "RTX-PRO-6000-96GB" and split.pool.driver.version.value == "575.57.08":
            yield Hit(
                version_route(split.pool),
                f"NVIDIA lists driver 575.57.08 for {gpu.display} without MIG",
                f'driver.version: "{_newer(case, gpu, "580.126.09")}"',
                (((*split.config.route, "mig"), f"MIG on pool {split.pool.name}"),),
                pools=(split.pool.name,),
            )


@rule("GV415", "info", "MIG on a workstation card")
def display_mode(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        gpu = split.pool.gpu
        if gpu is not None and gpu.key in ("rtx-pro-6000-blackwell-workstation", "rtx-pro-6000-blackwell-maxq"):
            yield Hit(
                model_route(split.pool),
                f"{gpu.display} takes MIG mode only once its display mode is compute",
                "set it on each card with NVIDIA's Display Mode Selector Tool: displaymodeselector --gpumode compute",
                (((*split.config.route, "mig"), f"MIG on pool {split.pool.name}"),),
                pools=(split.pool.name,),
            )


@rule("GV416", "warning", "Coherent memory of Grace against MIG and GPUDirect Storage")
def coherent_memory(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        gpu, version = pool.gpu, pool.driver.version.value
        if gpu is None or version is None or not gpu.form_factor.startswith("Superchip") or not pool.driver.in_cluster:
            continue
        newest = f"{version}.999.99" if is_branch(version) else version
        stated = pool.driver.parameters.get("nvidia", {}).get(_COHERENT)
        if same_or_newer(newest, _COHERENT_SINCE) is False or stated not in (None, "driver"):
            continue
        config = pool.sharing.config
        asked: list[tuple[Route, str]] = []
        if config is not None and config.mig is not None:
            asked.append(((*config.route, "mig"), "MIG"))
        if pool.rdma.gds.value:
            asked.append((pool.pool.rdma.at.route("gds"), "GPUDirect Storage"))
        for route, what in asked:
            yield Hit(
                route,
                f"driver containers from {_COHERENT_SINCE} on set {_COHERENT}=driver for {gpu.display}, which NVIDIA calls "
                f"incompatible with {what} until a later driver",
                f"do without {what} on this pool, or accept GV416 once the release notes of the driver allow it",
                ((version_route(pool), f"driver {version}"), (model_route(pool), f"{gpu.display} here")),
                pools=(pool.name,),
            )


@rule("GV417", "error", "Product label longer than 63 characters")
def label_length(case: Case) -> Iterator[Hit]:
    """GPU feature discovery shortens no label, and the API server refuses the node's labels as they are."""
    for pool in case.plan.pools:
        for route, label, shared in _labels(pool):
            if product.is_label(label):
                continue
            shorter = label.removesuffix("-SHARED")
            fix = "take a MIG profile with a shorter name" if "-MIG-" in label else "sharing: whole"
            if shared and product.is_label(shorter):
                fix = "renameByDefault: true, which leaves product labels as they are"
            elif "-MIG-" in label and not product.is_label(shorter.partition("-MIG-")[0] + "-MIG-1g.1gb"):
                fix = "share these GPUs without MIG: with the name of this card no MIG label is short enough"
            yield Hit(
                route,
                f"nodes would get the product label {label}, of {len(label)} characters where 63 are possible",
                fix,
                ((model_route(pool), f"the GPU of pool {pool.name}"),),
                pools=(pool.name,),
            )
            break


def _labels(pool: PoolPlan) -> Iterator[tuple[Route, str, bool]]:
    """The product labels of a pool's nodes: the decision behind each, the label, whether it says SHARED."""
    config, gpu = pool.sharing.config, pool.gpu
    if config is None or gpu is None or gpu.product is None or pool.sharing.product is None:
        return
    way = "mps" if config.mps is not None else "mig" if config.time_slicing is None else "timeSlicing"
    yield (*config.route, way), pool.sharing.product, pool.sharing.product.endswith("-SHARED")
    if mig_strategy(config) == "mixed" and config.mig is not None:
        for index, layout in enumerate(config.mig.layouts):
            for name in layout.profiles:
                copies = replicas(config, product.mig_resource(name))
                shared = copies is not None and not renames(config)
                label = product.product_label(gpu.product, name, shared=shared)
                route = (*config.route, "mig", "layouts", index, "profiles", name)
                yield (*config.route, way) if shared else route, label, shared


@rule("GV418", "warning", "Whole and split GPUs on one node with a driver that cannot")
def partly_split(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        gpus = mixes(split.config, split.pool.pool.gpu.per_node)
        version = split.pool.driver.version.value
        if version in _PENDING and any(gpus) and not all(gpus) and mig_strategy(split.config) == "mixed":
            yield Hit(
                version_route(split.pool),
                f"with driver {version} pods stay Pending on nodes that have whole GPUs beside MIG devices",
                'driver.version: "570.172.08", or an R580 driver',
                (((*split.config.route, "mig", "layouts"), "some GPUs are split, some are not"),),
                pools=(split.pool.name,),
            )


@rule("GV419", "error", "MIG profile that the device plugin takes for another one")
def taken_for_another(case: Case) -> Iterator[Hit]:
    release = case.release
    plugin = release.components.get("device_plugin") if release is not None else None
    if release is None or plugin is None or same_or_newer(plugin, _ANCHORED_SINCE) is not False:
        return
    for split in splits(case):
        for route, name, other in _confused(split):
            mended = next((one for one in case.facts.operator_versions() if _is_mended(case, one)), None)
            yield Hit(
                (*route, "profiles", name),
                f"the device plugin {plugin} of GPU Operator {release.version} counts {name} as {other}: nodes advertise "
                f"{product.mig_resource(other)}, and no {product.mig_resource(name)}",
                f"charts.gpuOperator: {mended}, or the profile {key(other)}" if mended else f"the profile {key(other)}",
                ((("charts", "gpuOperator"), "the operator's version"),),
                at="key",
                pools=(split.pool.name,),
            )


def _is_mended(case: Case, name: str) -> bool:
    release = case.facts.operator_release(name)
    plugin = release.components.get("device_plugin") if release is not None else None
    return plugin is not None and same_or_newer(plugin, _ANCHORED_SINCE) is True


def _confused(split: Split) -> Iterator[tuple[Route, str, str]]:
    """Profiles whose name begins with that of another one, under mixed: (route of the layout, profile, the other)."""
    if split.model is None or mig_strategy(split.config) != "mixed":
        return
    known = [profile.name for profile in split.model.profiles]
    for route, layout in split.layouts():
        for name in layout.profiles:
            other = next((one for one in known if name in known and one != name and name.startswith(one)), None)
            if other is not None:
                yield route, name, other


RULES: tuple[Rule, ...] = (
    driver_for_mig,
    rtx_pro_575,
    display_mode,
    coherent_memory,
    label_length,
    partly_split,
    taken_for_another,
)
