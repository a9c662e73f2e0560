"""Alerts for GPU faults, each only where the exporter collects the fields that its expression reads.

One alert a GPU: under MIG the exporter repeats a GPU's value on the row of every instance, with shared GPUs on the row
of every pod, so expressions keep the labels of the GPU and take the largest value. Windows hold four samples at least.
"""

from collections.abc import Iterator
from typing import Literal

from genvalues.plan import Plan
from genvalues.plan.monitoring import duration
from genvalues.record import NamedTuple

# The node's name is Hostname up to DCGM exporter 4.8.2 and hostname after it.
_GPU = "Hostname, hostname, gpu, UUID, modelName"
_WHERE = "GPU {{ $labels.gpu }} of {{ $labels.Hostname }}{{ $labels.hostname }}"

# Codes that name the hardware, its links or its firmware, and not a program (texts: dcgm-exporter, xid_errors.go).
# 13, 31, 43, 45, 68 and 69 come from programs; 63 records a row to be remapped, which has alerts of its own.
_XIDS = "48|62|64|74|79|92|94|95|119|120|140|143|144|145|146|147|148|149|150|158|167|171|172"

_COUNTED = "DCGM_EXP_XID_ERRORS_COUNT"
_LAST_XID = "DCGM_FI_DEV_XID_ERRORS"

_DEFAULT_INTERVAL = 30_000
"""Of the exporter and of most Prometheus installations, in milliseconds."""


class Alert(NamedTuple):
    """One alert rule. `hold`: how long the expression must be true, None: not at all. `why`: what it is built on."""

    name: str
    expression: str
    hold: str | None
    severity: Literal["critical", "warning"]
    summary: str
    description: str
    why: str


def alerts(plan: Plan, job: str) -> Iterator[Alert]:
    """The alerts of a site, the exporter's own first. `job` is the scrape job of the exporter."""
    yield Alert(
        "GpuMetricsMissing",
        f'absent(up{{job="{job}"}} == 1)',
        "5m",
        "warning",
        "No GPU metrics arrive",
        f"No {job} has been scraped for five minutes, so no other GPU alert can fire. "
        f"Look at: kubectl get pods -n {plan.operator.namespace.value} -l app={job}",
        "watches the watcher",
    )
    yield Alert(
        "GpuExporterDown",
        f'up{{job="{job}"}} == 0',
        "10m",
        "warning",
        "No GPU metrics from {{ $labels.pod }} at {{ $labels.instance }}",
        "The exporter of one node does not answer, so no other GPU alert can fire for that node. "
        f"Which node it is: kubectl get pods -n {plan.operator.namespace.value} -l app={job} -o wide",
        "the alert above is silent as long as one exporter answers",
    )
    collected = frozenset(plan.monitoring.collected)
    window = _window(plan)
    yield from _xid(collected, window)
    yield from _memory(collected, window)
    yield from _links(plan.monitoring.nvlink, collected, window)
    yield from _heat(collected, window)


def _window(plan: Plan) -> str:
    asked = [plan.monitoring.interval, plan.monitoring.scrape_interval]
    slowest = max([_DEFAULT_INTERVAL, *(interval.value for interval in asked if interval)])
    return duration(max(600_000, 4 * slowest))


def _xid(collected: frozenset[str], window: str) -> Iterator[Alert]:
    if _COUNTED in collected:
        yield Alert(
            "GpuXid",
            f'max by ({_GPU}, xid) (max_over_time({_COUNTED}{{xid=~"{_XIDS}"}}[{window}])) > 0',
            None,
            "critical",
            f"XID {{{{ $labels.xid }}}} on {_WHERE}",
            "The driver reported a fault of the hardware, its links or its firmware. Drain the node, look up the XID in "
            "NVIDIA's catalogue, reset the GPU or reboot, and return the board if it comes back.",
            "counted by the exporter: every occurrence is seen",
        )
    elif _LAST_XID in collected:
        last = f"max by ({_GPU}) ({_LAST_XID})"
        yield Alert(
            "GpuXid",
            f'max by ({_GPU}, err_code) ({_LAST_XID}{{err_code=~"{_XIDS}"}}) > 0 '
            f"and on ({_GPU}) changes({last}[{window}:1m]) > 0",
            None,
            "critical",
            f"XID {{{{ $labels.err_code }}}} on {_WHERE}",
            "The driver reported a fault of the hardware, its links or its firmware. Drain the node, look up the XID in "
            "NVIDIA's catalogue, reset the GPU or reboot, and return the board if it comes back.",
            "the field keeps the last XID for ever, so only a change is news; the same XID twice in a row is missed. "
            "The preset xid adds a count, which misses none",
        )


def _memory(collected: frozenset[str], window: str) -> Iterator[Alert]:
    """Four alerts, each with the words of its own that make it long."""
    if (field := "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL") in collected:
        yield Alert(
            "GpuEccDoubleBit",
            f"max by ({_GPU}) (increase({field}[{window}])) > 0",
            None,
            "critical",
            f"Uncorrectable memory error on {_WHERE}",
            "The program that used this memory has been killed or has wrong data. Drain the node and reset the GPU, "
            "so that the row can be remapped.",
            "errors since the driver was loaded; a reload starts again at 0",
        )
    if (field := "DCGM_FI_DEV_ROW_REMAP_FAILURE") in collected:
        yield Alert(
            "GpuRowRemapFailure",
            f"max by ({_GPU}) ({field}) > 0",
            "1m",
            "critical",
            f"Row remapping failed on {_WHERE}",
            "The GPU has no spare row left where it needs one. Take it out of service and return the board.",
            "1 once a remap failed; it does not go back by itself",
        )
    if (field := "DCGM_FI_DEV_ROW_REMAP_PENDING") in collected:
        yield Alert(
            "GpuRowRemapPending",
            f"max by ({_GPU}) ({field}) > 0",
            "15m",
            "warning",
            f"A row remap waits for a reset of {_WHERE}",
            "A faulty row is replaced at the next reset of the GPU. Drain the node at the next chance and reset it.",
            "1 until the GPU is reset",
        )
    if (field := "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS") in collected:
        yield Alert(
            "GpuRowsRemapped",
            f"max by ({_GPU}) (increase({field}[1h])) > 0",
            None,
            "warning",
            f"Memory rows were remapped on {_WHERE}",
            "An uncorrectable error used up a spare row. One is no reason to worry; watch whether they add up.",
            "rows remapped after uncorrectable errors",
        )


_LINK_COUNTERS = {
    "hopper": (
        "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL",
        "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
    ),
    "blackwell": (
        "DCGM_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS",
        "DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS",
    ),
}
_CRC = "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL"


def _links(families: tuple[str, ...], collected: frozenset[str], window: str) -> Iterator[Alert]:
    """NVLink counters. A CRC error now and then is repaired by a replay; more than one a second is a bad link."""
    terms = [
        f"max by ({_GPU}) (rate({field}[{window}])) > 0"
        for family in families
        for field in _LINK_COUNTERS[family]
        if field in collected
    ]
    if "hopper" in families and _CRC in collected:
        terms.append(f"max by ({_GPU}) (rate({_CRC}[{window}])) > 1")
    if terms:
        yield Alert(
            "GpuNvlinkErrors",
            " or ".join(terms),
            "5m",
            "warning",
            f"NVLink errors on {_WHERE}",
            "Links of this GPU repeat or lose traffic, and jobs over several GPUs slow down or fail. On the node: "
            "nvidia-smi nvlink -e. Reset the GPUs of the node; if it comes back, have the board or its tray checked.",
            "error counters of the site's generations of NVLink",
        )


def _heat(collected: frozenset[str], window: str) -> Iterator[Alert]:
    if (field := "DCGM_FI_DEV_THERMAL_VIOLATION") in collected:
        yield Alert(
            "GpuThermalThrottling",
            f"max by ({_GPU}) (rate({field}[{window}])) > 0",
            "5m",
            "warning",
            f"{_WHERE} is slowed down by heat",
            "Clocks are held down because of temperature. Check the fans, the inlet temperature and the cooling of the "
            "rack.",
            "time spent too hot; its unit changed with DCGM 4.2, so the expression only asks whether it grows",
        )
