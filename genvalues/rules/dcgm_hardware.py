"""The rule about metrics that no GPU of the site can give, and the judgement behind it."""

from collections.abc import Callable, Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.finding import Hit, Route
from genvalues.plan.monitoring import DCGM
from genvalues.record import NamedTuple
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import listed

# Boards of generations that have NVLink on others: NVIDIA's data sheets list no NVLink connector for these.
_WITHOUT_NVLINK = frozenset({"t4", "a2", "a10", "a10g", "a16", "v100-pcie-16gb", "v100-pcie-32gb", "v100s-pcie-32gb"})

# The exporter's own metrics, of which DCGM's tables say nothing.
_EXPORTER_NEEDS: Mapping[str, tuple[str, ...]] = {"DCGM_EXP_P2P_STATUS": ("nvlink",)}


def has_nvlink(gpu: Gpu) -> bool:
    """Whether a GPU may have NVLink: Ada has none, nor has Blackwell outside the data center (compute capability 12)."""
    return gpu.architecture != "ada" and gpu.compute_capability[0] != 12 and gpu.key not in _WITHOUT_NVLINK


def is_ampere(gpu: Gpu) -> bool:
    """Whether a GPU is an Ampere or later."""
    return gpu.compute_capability >= (8, 0)


def _is_consumer(gpu: Gpu) -> bool:
    return gpu.gpu_class == "consumer"


class _Need(NamedTuple):
    """What a field needs, in words, and whether a GPU may have it."""

    words: str
    has: Callable[[Gpu], bool]


_ROWS = "row remapping, which Ampere and later have, GeForce cards apart"
_PAGES = "page retirement, which was before Ampere"

# By the code of a field's support. A code that is not here says nothing about GPU models.
_NEEDS: Mapping[str, _Need] = {
    "ampere": _Need("an Ampere or later", is_ampere),
    "blackwell": _Need("a Blackwell", lambda gpu: gpu.architecture == "blackwell"),
    "ecc": _Need("ECC", lambda gpu: not _is_consumer(gpu) and gpu.ecc is not False),
    "fabric": _Need("an NVLink fabric", has_nvlink),
    "fan": _Need("a fan of its own", lambda gpu: gpu.gpu_class != "datacenter"),
    "gpm": _Need("a Hopper or later", lambda gpu: gpu.compute_capability >= (9, 0)),
    "grace-cpu": _Need("a Grace processor", lambda gpu: "arm64" in gpu.form_factor),
    "grace-gpu": _Need("a Grace processor", lambda gpu: "arm64" in gpu.form_factor),
    "nvlink": _Need("NVLink", has_nvlink),
    "nvlink-ports": _Need("NVLink5", lambda gpu: gpu.architecture == "blackwell" and has_nvlink(gpu)),
    "nvlink5": _Need("NVLink5", lambda gpu: gpu.architecture == "blackwell" and has_nvlink(gpu)),
    "nvswitch": _Need("NVSwitch", has_nvlink),
    "page-retirement": _Need(_PAGES, lambda gpu: not is_ampere(gpu) and not _is_consumer(gpu)),
    "power-smoothing": _Need("power smoothing, a Blackwell's", lambda gpu: gpu.architecture == "blackwell"),
    "profiling": _Need("profiling metrics, which GeForce cards lack", lambda gpu: not _is_consumer(gpu)),
    "row-remapping": _Need(
        _ROWS, lambda gpu: is_ampere(gpu) and not _is_consumer(gpu) and gpu.row_remapping is not False
    ),
    "turing": _Need("a Turing or later", lambda gpu: gpu.compute_capability >= (7, 5)),
}


def missing(name: str, gpus: tuple[Gpu, ...], facts: Facts) -> str | None:
    """What a field needs and none of the GPUs has, in words; None where one may have all of it."""
    field = facts.dcgm_field(name)
    codes = _EXPORTER_NEEDS.get(name, field.support if field is not None else ())
    if "NVLINK" in name and "nvlink" not in codes:
        codes = (*codes, "nvlink")  # DCGM's remarks name the newest kind of NVLink alone, or profiling alone
    needs = [_NEEDS[code] for code in codes if code in _NEEDS]
    lacking = [next((need.words for need in needs if not need.has(gpu)), None) for gpu in gpus]
    return lacking[0] if lacking and all(lacking) else None


@rule("GV709", "info", "Metric that no GPU of the site has")
def metric_without_hardware(case: Case) -> Iterator[Hit]:
    gpus = tuple({pool.gpu.key: pool.gpu for pool in case.plan.pools if pool.gpu is not None}.values())
    stated = case.site.monitoring
    if stated is None or stated.dcgm is None or any(pool.gpu is None for pool in case.plan.pools):
        return
    names = listed([gpu.display for gpu in gpus], "and")
    routes: dict[str, Route] = {metric.field: (*DCGM, "add", i) for i, metric in enumerate(stated.dcgm.add)}
    for name, route in routes.items():
        need = missing(name, gpus, case.facts)
        if need is not None:
            message = f"{name} needs {need}, and {names} {'have' if len(gpus) > 1 else 'has'} none: it will be absent"
            yield Hit(route, message, "remove the entry")
    for group in case.plan.monitoring.groups.value if case.plan.monitoring.groups is not None else ():
        needs = [missing(row.field, gpus, case.facts) for row in group.rows]
        if group.title != "added" and all(needs):
            yield Hit(
                group.why.routes[0],
                f"the preset {group.title} needs {needs[0]}, and {names} {'have' if len(gpus) > 1 else 'has'} none: its "
                "metrics will be absent",
                f"remove {group.title}",
            )


RULES: tuple[Rule, ...] = (metric_without_hardware,)
