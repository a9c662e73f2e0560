"""Rules about the GPUs of a pool: the model, the board, how many, and whether the operator's release lists them."""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.facts.version import numbers, same_or_newer
from genvalues.finding import Hit
from genvalues.plan.kinds import PoolPlan
from genvalues.rules import hardware_names, hardware_pools
from genvalues.rules.hardware_names import takes_all
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import listed, nearest, quoted

# Parts of the names of NVIDIA's integrated GPUs; IGX Orin is supported with its discrete GPU only (platform-support.rst).
_INTEGRATED = ("jetson", "orin", "thor", "xavier", "tegra", "igx")

# GPUs of one node: compute trays of an NVL72 rack, and an NVL4 board, hold four.
_BOARD_GPUS = {"nvl72": (4,), "nvl4": (4,)}


@rule("GV200", "error", "Unknown GPU model")
def unknown_model(case: Case) -> Iterator[Hit]:
    for pool, model in _stated(case):
        if case.facts.gpu(model) is None and not _integrated(model):
            near = guesses(model, case.facts)
            fix = " or ".join(f"model: {key}" for key in near[:4]) or "`genvalues gpus` lists the models"
            yield Hit(
                pool.pool.at.route("gpu", "model"),
                f"no GPU is known as {quoted(model)}, so nothing about these nodes can be derived or checked",
                fix,
                pools=(pool.name,),
            )


@rule("GV201", "error", "Integrated GPU")
def integrated_gpu(case: Case) -> Iterator[Hit]:
    for pool, model in _stated(case):
        if case.facts.gpu(model) is None and _integrated(model):
            yield Hit(
                pool.pool.at.route("gpu", "model"),
                f"{quoted(model)} is an integrated GPU: the GPU Operator supports no Jetson and no other integrated GPU",
                "take the pool out, and run the container toolkit and the device plugin on these nodes by hand",
                pools=(pool.name,),
            )


@rule("GV202", "warning", "Pool names no GPU model")
def no_model(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        if pool.pool.gpu.model is None and not takes_all(case, pool):  # GV221 speaks of those
            yield Hit(
                pool.pool.at.route("gpu", "model"),
                f"pool {pool.name} names no GPU model: its rule takes every node that has an NVIDIA GPU, and neither "
                "driver nor sharing can be checked",
                "gpu: {model: l40s, count: 4}, with what `genvalues gpus` calls these; nodes without GPUs belong in no pool",
                pools=(pool.name,),
            )


@rule("GV203", "error", "Board that the GPU does not come on")
def board_fits_gpu(case: Case) -> Iterator[Hit]:
    for pool, gpu in _known(case):
        board = pool.pool.gpu.board
        fitting = _boards(gpu)
        if board is None or board in fitting:
            continue
        fix = " or ".join(f"board: {name}" for name in fitting) if fitting else "remove gpu.board"
        yield Hit(
            pool.pool.at.route("gpu", "board"),
            f"{gpu.display} ({gpu.form_factor}) does not come on a board of kind {board}",
            fix,
            ((pool.pool.at.route("gpu", "model"), f"the GPU is {gpu.key}"),),
            pools=(pool.name,),
        )


@rule("GV205", "error", "CPU architecture that the GPU does not come with")
def arch_fits_gpu(case: Case) -> Iterator[Hit]:
    for pool, gpu in _known(case):
        if pool.pool.arch == "amd64" and "arm64" in gpu.form_factor:
            yield Hit(
                pool.pool.at.route("arch"),
                f"{gpu.display} is joined to an arm64 processor, so its nodes are not amd64",
                "arch: arm64",
                ((pool.pool.at.route("gpu", "model"), f"the GPU is {gpu.key}"),),
                pools=(pool.name,),
            )


@rule("GV206", "warning", "GPU count that no board of this model has")
def count_fits_board(case: Case) -> Iterator[Hit]:
    for pool, gpu in _known(case):
        count, board = pool.pool.gpu.per_node, pool.pool.gpu.board
        if count is None or (board is not None and board not in _boards(gpu)):
            continue
        usual = _BOARD_GPUS.get(board or "", _counts(gpu, board))
        if gpu.key == "a16" and count % 4:
            usual = (count // 4 * 4 + 4,)  # one card shows up as four GPUs
        if not usual or count in usual:
            continue
        yield Hit(
            pool.pool.at.route("gpu", "count"),
            f"nodes with {gpu.display} hold {listed(map(str, usual))} GPUs, not {count}"
            + (": each card shows up as four" if gpu.key == "a16" else ""),
            f"count: {usual[-1]}",
            pools=(pool.name,),
        )


@rule("GV207", "warning", "Consumer GPU")
def consumer_gpu(case: Case) -> Iterator[Hit]:
    for pool, gpu in _known(case):
        if gpu.gpu_class == "consumer":
            yield Hit(
                pool.pool.at.route("gpu", "model"),
                f"{gpu.display} is a consumer card: it is on no platform list of the GPU Operator, and has no MIG, no "
                "GPUDirect RDMA and no forward compatibility of CUDA",
                "use a data center or RTX PRO card, or accept GV207 for this pool with a reason",
                pools=(pool.name,),
            )


@rule("GV208", "warning", "GPU newer than the operator's platform list")
def newer_than_operator(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool, gpu in _known(case):
        if (
            release is None
            or gpu.platform_since is None
            or same_or_newer(release.minor, gpu.platform_since) is not False
        ):
            continue
        yield Hit(
            pool.pool.at.route("gpu", "model"),
            f"{gpu.display} is on the platform list of the GPU Operator from {gpu.platform_since} on, and the site "
            f"installs {release.version}",
            f"charts.gpuOperator: {_first_of(gpu.platform_since, case.facts)}",
            ((("charts", "gpuOperator"), "the operator's version"),),
            pools=(pool.name,),
        )


@rule("GV209", "warning", "GH200 on a kernel that is not NVIDIA's")
def gh200_kernel(case: Case) -> Iterator[Hit]:
    for pool, gpu in _known(case):
        os = pool.pool.os
        if not gpu.key.startswith("gh200") or (os.id, os.version) != ("ubuntu", "22.04"):
            continue
        wrong = [kernel for kernel in os.kernels if "-nvidia" not in kernel]
        if wrong:
            yield Hit(
                pool.pool.at.route("os", "kernels"),
                f"kernel {wrong[0]} is none of Ubuntu's nvidia flavour, which {gpu.display} needs on Ubuntu 22.04 "
                "together with the boot parameters init_on_alloc=0 and memhp_default_state=online_movable",
                "install linux-nvidia-64k-hwe-22.04 on the nodes and write its release, such as "
                "kernels: [6.8.0-1013-nvidia-64k]",
                pools=(pool.name,),
            )


@rule("GV210", "warning", "Instance type that tells other GPUs")
def instance_type_counts(case: Case) -> Iterator[Hit]:
    """`8xh100-ib` says how many of which GPU; only such values are read."""
    for pool, gpu in _known(case):
        stated, count = pool.pool.instance_type, pool.pool.gpu.per_node
        number, cross, rest = (stated or "").partition("x")
        if count is None or not cross or not number.isdecimal() or not rest.startswith(gpu.key.partition("-")[0]):
            continue
        if int(number) != count:
            yield Hit(
                pool.pool.at.route("instanceType"),
                f"the instance type {quoted(stated or '')} tells {number} GPUs a node, and gpu.count is {count}",
                f"instanceType: {count}x{rest}",
                ((pool.pool.at.route("gpu", "count"), f"{count} GPUs here"),),
                pools=(pool.name,),
            )


@rule("GV211", "warning", "Kernel that is too old for NVLink 5")
def nvlink5_kernel(case: Case) -> Iterator[Hit]:
    """Other distributions carry patches of their own, which a version does not tell."""
    for pool, gpu in _known(case):
        os = pool.pool.os
        if not gpu.nvlsm or os.id not in ("ubuntu", "debian"):
            continue
        for position, kernel in enumerate(os.kernels):
            parsed = numbers(kernel.partition("-")[0])
            if parsed is not None and parsed[:2] < (5, 17):
                yield Hit(
                    (*pool.pool.at.route("os", "kernels"), position),
                    f"kernel {kernel} is older than 5.17, which the NVSwitches of {gpu.display} boards need: Fabric Manager does "
                    "not come up, and CUDA says 802, system not yet initialized",
                    "install linux-image-generic-hwe-22.04 on the nodes and write its release, such as "
                    "kernels: [6.8.0-79-generic]"
                    if os.id == "ubuntu"
                    else "a kernel from 5.17 on",
                    ((pool.pool.at.route("gpu", "model"), f"{gpu.display} here"),),
                    pools=(pool.name,),
                )


def _stated(case: Case) -> Iterator[tuple[PoolPlan, str]]:
    return ((pool, pool.pool.gpu.model) for pool in case.plan.pools if pool.pool.gpu.model is not None)


def _known(case: Case) -> Iterator[tuple[PoolPlan, Gpu]]:
    return ((pool, pool.gpu) for pool in case.plan.pools if pool.gpu is not None)


def _integrated(model: str) -> bool:
    return any(part in model.lower() for part in _INTEGRATED)


def guesses(model: str, facts: Facts) -> tuple[str, ...]:
    """The keys that a wrong one may mean: those of that product label, those it begins, the nearest."""
    labelled = tuple(gpu.key for gpu in facts.gpus_by_product(model))
    wanted = model.lower().replace("_", "-").replace(" ", "-").removeprefix("nvidia-")
    begun = tuple(key for key in facts.gpu_keys() if key.startswith(wanted))
    near = nearest(wanted, facts.gpu_keys())
    return labelled or begun or ((near,) if near else ())


def _boards(gpu: Gpu) -> tuple[str, ...]:
    """The boards that a GPU comes on, in the words of gpu.board."""
    if gpu.imex:
        return ("nvl72", "nvl4")
    if gpu.form_factor.startswith("SXM"):
        return ("hgx",) if gpu.fabric_manager == "required" else ("hgx", "pcie")
    return ("pcie",)


def _counts(gpu: Gpu, board: str | None) -> tuple[int, ...]:
    """How many GPUs a node has on its NVSwitch board: the numbers in "DGX/HGX A100 8-GPU (and 16-GPU)"; () not known.

    Boards of four exist without NVSwitch where it is not required.
    """
    always = gpu.fabric_manager == "required"
    if gpu.nvswitch_systems is None or not (always or board == "hgx"):
        return ()
    words = gpu.nvswitch_systems.replace("(", " ").replace(")", " ").split()
    counts = [int(word.removesuffix("-GPU")) for word in words if word.endswith("-GPU")]
    return tuple(counts if always else [4, *counts]) if counts else ()


def _first_of(minor: str, facts: Facts) -> str:
    """The newest patch release of an operator minor release, or of the first one after it."""
    later = [name for name in facts.operator_versions() if same_or_newer(name, minor)]
    same = [name for name in later if name.startswith(f"v{minor}.")]
    return (same or later or [f"v{minor}.0"])[-1]


RULES: tuple[Rule, ...] = (
    unknown_model,
    integrated_gpu,
    no_model,
    board_fits_gpu,
    arch_fits_gpu,
    count_fits_board,
    consumer_gpu,
    newer_than_operator,
    gh200_kernel,
    instance_type_counts,
    nvlink5_kernel,
    *hardware_names.RULES,
    *hardware_pools.RULES,
)
