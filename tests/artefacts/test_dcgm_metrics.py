"""The CSV of DCGM exporter, held against upstream's own default list and the grammar of its reader."""

import csv
from collections.abc import Callable
from typing import Any

import pytest

from genvalues import emit
from genvalues.facts import Facts

PATH = "manifests/dcgm-metrics.yaml"

# The active rows of etc/dcp-metrics-included.csv at dcgm-exporter 4.5.3-4.8.2, in its order.
UPSTREAM = [
    "DCGM_FI_DEV_SM_CLOCK",
    "DCGM_FI_DEV_MEM_CLOCK",
    "DCGM_FI_DEV_MEMORY_TEMP",
    "DCGM_FI_DEV_GPU_TEMP",
    "DCGM_FI_DEV_POWER_USAGE",
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
    "DCGM_FI_DEV_PCIE_REPLAY_COUNTER",
    "DCGM_FI_DEV_GPU_UTIL",
    "DCGM_FI_DEV_MEM_COPY_UTIL",
    "DCGM_FI_DEV_ENC_UTIL",
    "DCGM_FI_DEV_DEC_UTIL",
    "DCGM_FI_DEV_XID_ERRORS",
    "DCGM_FI_DEV_FB_FREE",
    "DCGM_FI_DEV_FB_USED",
    "DCGM_FI_DEV_FB_RESERVED",
    "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
    "DCGM_FI_DEV_VGPU_LICENSE_STATUS",
    "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
    "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS",
    "DCGM_FI_DEV_ROW_REMAP_FAILURE",
    "DCGM_FI_DRIVER_VERSION",
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
    "DCGM_FI_PROF_DRAM_ACTIVE",
    "DCGM_FI_PROF_PCIE_TX_BYTES",
    "DCGM_FI_PROF_PCIE_RX_BYTES",
]


@pytest.fixture
def rows(site: Callable[..., Any], render: Callable[..., Any]) -> Callable[..., list[list[str]]]:
    """The rows for `monitoring.dcgm` of a site."""

    def of(operator: str = "v25.10.1", **dcgm: Any) -> list[list[str]]:
        files = render(site(charts={"gpuOperator": operator}, monitoring={"dcgm": dcgm}), only="dcgm-metrics")
        body: list[list[str]] = files[PATH].embedded["data", "dcgm-metrics.csv"].body["rows"]
        return body

    return of


def test_the_chart_keeps_its_own_list(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """No ConfigMap where the site names no metrics, also where it sets the interval."""
    assert render(site(), only="dcgm-metrics") == {}
    assert render(site(monitoring={"dcgm": {"interval": "15s"}}), only="dcgm-metrics") == {}


def test_config_map(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The exporter finds it by its name, its namespace, and the one key that the operator mounts."""
    parts: dict[str, Any] = {
        "cluster": {
            "kubernetes": "1.34.2",
            "distribution": "kubeadm",
            "namespaces": {"gpuOperator": "gpu"},
        },
        "monitoring": {"dcgm": {"presets": ["xid"]}},
    }
    doc = render(site(**parts), only="dcgm-metrics")[PATH]

    assert (doc.kind, doc.body["kind"]) == ("config-map", "ConfigMap")
    assert doc.body["metadata"] == {"name": "dcgm-metrics", "namespace": "gpu"}
    assert list(doc.body["data"]) == ["dcgm-metrics.csv"]
    assert doc.reason(("data", "dcgm-metrics.csv")) is None
    embedded = doc.embedded["data", "dcgm-metrics.csv"]
    assert embedded.reason(("rows", 0)).routes == (("monitoring", "dcgm", "presets", 0),)


def test_default_is_upstreams_list(rows: Callable[..., list[list[str]]]) -> None:
    """The preset default has upstream's active rows in upstream's order."""
    assert [field for field, _, _ in rows(presets=["default"])] == UPSTREAM


def test_a_list_of_ones_own_starts_from_the_default(rows: Callable[..., list[list[str]]]) -> None:
    """Whoever only adds or drops fields keeps the rest of upstream's list."""
    fields = [field for field, _, _ in rows(add=["DCGM_FI_DEV_FAN_SPEED"], drop=["DCGM_FI_DEV_ENC_UTIL"])]

    assert fields == [*(name for name in UPSTREAM if name != "DCGM_FI_DEV_ENC_UTIL"), "DCGM_FI_DEV_FAN_SPEED"]


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "gauge"),
        ("DCGM_FI_PROF_PCIE_TX_BYTES", "gauge"),
        ("DCGM_FI_PROF_NVLINK_RX_BYTES", "gauge"),
        ("DCGM_FI_DEV_XID_ERRORS", "gauge"),
        ("DCGM_EXP_XID_ERRORS_COUNT", "gauge"),
        ("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "counter"),
        ("DCGM_FI_DEV_THERMAL_VIOLATION", "counter"),
        ("DCGM_FI_DRIVER_VERSION", "label"),
    ],
)
def test_types(rows: Callable[..., list[list[str]]], field: str, kind: str) -> None:
    """Rates and codes are gauges although upstream's list calls some of them counters; strings are labels."""
    presets = ["default", "ecc", "xid", "nvlink", "throttling"]

    assert {name: kind for name, kind, _ in rows(presets=presets)}[field] == kind


def test_no_field_twice(rows: Callable[..., list[list[str]]]) -> None:
    """A field of two presets stands once, where it comes first; the exporter would send its samples twice."""
    fields = [field for field, _, _ in rows(presets=["row-remap", "default", "memory", "pcie", "power", "profiling"])]

    assert fields[:4] == [
        "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
        "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS",
        "DCGM_FI_DEV_ROW_REMAP_FAILURE",
        "DCGM_FI_DEV_ROW_REMAP_PENDING",
    ]
    assert len(fields) == len(set(fields))


@pytest.mark.parametrize(
    ("operator", "spelling"),
    [
        ("v24.9.2", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"),
        ("v25.3.4", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS"),
        ("v26.7.0", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS"),
    ],
)
def test_spelling_by_version(rows: Callable[..., list[list[str]]], operator: str, spelling: str) -> None:
    """The reasons for low clocks have another name in DCGM 3; no exporter takes both for certain."""
    fields = [field for field, _, _ in rows(operator, presets=["throttling"])]

    assert [field for field in fields if "_REASONS" in field] == [spelling]


def test_names_that_an_exporter_does_not_know_are_left_out(rows: Callable[..., list[list[str]]]) -> None:
    """NVLINK_COUNT_* came with DCGM 4: one unknown name stops the whole exporter."""
    old, new = rows("v24.9.2", presets=["nvlink"]), rows("v25.10.1", presets=["nvlink"])

    assert [field for field, _, _ in old if "NVLINK_COUNT" in field] == []
    assert "DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS" in [field for field, _, _ in new]


@pytest.mark.parametrize("operator", ["v24.9.2", "v25.3.4", "v25.10.1", "v26.3.3", "v26.7.0"])
def test_every_row_is_accepted(rows: Callable[..., list[list[str]]], known: Facts, operator: str) -> None:
    """Every preset at once, under every operator: names that the exporter knows, types it has, and plain help texts."""
    release = known.operator_release(operator)
    assert release is not None
    accepted = known.dcgm_names(release.components["dcgm_exporter"])
    assert accepted is not None
    for field, kind, words in rows(operator, presets=list(known.dcgm_presets())):
        assert field in accepted
        assert kind in ("gauge", "counter", "label")
        assert words.isascii()
        assert not set(words) & set(',"\t')
        assert words


def test_text_as_the_exporter_reads_it(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Go's encoding/csv with comments at column 0: three fields in each row, those of the site's own help included."""
    add = [{"field": "DCGM_FI_DEV_FAN_SPEED", "type": "gauge", "help": 'percent, "of the maximum"'}]
    doc = render(site(monitoring={"dcgm": {"presets": ["default", "ecc"], "add": add}}), only="dcgm-metrics")[PATH]
    text = emit.emit(doc.embedded["data", "dcgm-metrics.csv"]).text

    lines = [line for line in text.splitlines() if not line.startswith("#")]
    read = [[cell.strip(" ") for cell in row] for row in csv.reader(lines, strict=True)]
    assert [len(row) for row in read] == [3] * (len(UPSTREAM) + 4 + 1)
    assert read[-1] == ["DCGM_FI_DEV_FAN_SPEED", "gauge", 'percent, "of the maximum"']
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# field, Prometheus type, help",
        "# preset default",
        "# preset ecc",
        "# added by the site",
    ]
