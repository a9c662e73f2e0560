"""Scrape object and alert rules; shapes from the operators' CRDs, expressions from their documentation of PromQL."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from genvalues.facts import Facts
from genvalues.plan.monitoring import duration

GPU = "Hostname, hostname, gpu, UUID, modelName"
ALL = ["default", "ecc", "row-remap", "xid", "nvlink", "throttling"]


@pytest.fixture
def expressions(site: Callable[..., Any], render: Callable[..., Any]) -> Callable[..., dict[str, str]]:
    """The expression of each alert of a site scraped by Prometheus."""

    def of(model: str = "h100-sxm5-80gb", operator: str = "v25.10.1", **monitoring: Any) -> dict[str, str]:
        parts: dict[str, Any] = {
            "pools": [{"name": "gpus", "gpu": {"model": model, "count": 8}}],
            "charts": {"gpuOperator": operator},
            "monitoring": {"scrape": {"kind": "prometheus"}, "alerts": True, **monitoring},
        }
        rules = render(site(**parts), only="monitoring")["monitoring/prometheusrule.yaml"].body["spec"]["groups"]
        return {rule["alert"]: rule["expr"] for group in rules for rule in group["rules"]}

    return of


@pytest.mark.parametrize("monitoring", [{}, {"alerts": True}, {"scrape": {"kind": "none"}, "alerts": True}])
def test_nothing_without_a_scraper(
    site: Callable[..., Any], render: Callable[..., Any], monitoring: dict[str, Any]
) -> None:
    """Rules of one stack or the other can only be written where the site says which it has."""
    assert render(site(monitoring=monitoring), only="monitoring") == {}


def test_prometheus_needs_no_scrape_object(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The operator makes the ServiceMonitor itself."""
    assert render(site(monitoring={"scrape": {"kind": "prometheus"}}), only="monitoring") == {}


def test_victoriametrics(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A VMServiceScrape on the service of the exporter, whose job is then called as under Prometheus."""
    scrape = {"kind": "victoriametrics", "interval": "30s", "labels": {"team": "gpu"}}
    files = render(site(monitoring={"scrape": scrape}), only="monitoring")

    assert {path: doc.body for path, doc in files.items()} == {
        "monitoring/vmservicescrape.yaml": {
            "apiVersion": "operator.victoriametrics.com/v1beta1",
            "kind": "VMServiceScrape",
            "metadata": {
                "name": "nvidia-dcgm-exporter",
                "namespace": "gpu-operator",
                "labels": {"team": "gpu"},
            },
            "spec": {
                "jobLabel": "app",
                "namespaceSelector": {"matchNames": ["gpu-operator"]},
                "selector": {"matchLabels": {"app": "nvidia-dcgm-exporter"}},
                "endpoints": [{"port": "gpu-metrics", "path": "/metrics", "interval": "30s"}],
            },
        }
    }


@pytest.mark.parametrize(
    ("kind", "path", "api_version", "object_kind"),
    [
        ("prometheus", "monitoring/prometheusrule.yaml", "monitoring.coreos.com/v1", "PrometheusRule"),
        ("victoriametrics", "monitoring/vmrule.yaml", "operator.victoriametrics.com/v1beta1", "VMRule"),
    ],
)
def test_rule_object(
    site: Callable[..., Any],
    render: Callable[..., Any],
    kind: str,
    path: str,
    api_version: str,
    object_kind: str,
) -> None:
    """The same rules, as the object of the stack that the site has, with the labels by which it is found."""
    monitoring = {"scrape": {"kind": kind, "labels": {"release": "stack"}}, "alerts": True}
    body = render(site(monitoring=monitoring), only="monitoring")[path].body

    assert (body["apiVersion"], body["kind"]) == (api_version, object_kind)
    assert body["metadata"] == {"name": "gpu-faults", "namespace": "gpu-operator", "labels": {"release": "stack"}}
    rule = next(rule for rule in body["spec"]["groups"][0]["rules"] if rule["alert"] == "GpuRowRemapFailure")
    assert {key: value for key, value in rule.items() if key != "annotations"} == {
        "alert": "GpuRowRemapFailure",
        "expr": f"max by ({GPU}) (DCGM_FI_DEV_ROW_REMAP_FAILURE) > 0",
        "for": "1m",
        "labels": {"severity": "critical"},
    }
    assert sorted(rule["annotations"]) == ["description", "summary"]


def test_expressions(expressions: Callable[..., dict[str, str]]) -> None:
    """Every alert of a site that collects all of it, on HGX nodes."""
    xids = "48|62|64|74|79|92|94|95|119|120|140|143|144|145|146|147|148|149|150|158|167|171|172"

    assert expressions(dcgm={"presets": ALL}) == {
        "GpuMetricsMissing": 'absent(up{job="nvidia-dcgm-exporter"} == 1)',
        "GpuExporterDown": 'up{job="nvidia-dcgm-exporter"} == 0',
        "GpuXid": f'max by ({GPU}, xid) (max_over_time(DCGM_EXP_XID_ERRORS_COUNT{{xid=~"{xids}"}}[10m])) > 0',
        "GpuEccDoubleBit": f"max by ({GPU}) (increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[10m])) > 0",
        "GpuRowRemapFailure": f"max by ({GPU}) (DCGM_FI_DEV_ROW_REMAP_FAILURE) > 0",
        "GpuRowRemapPending": f"max by ({GPU}) (DCGM_FI_DEV_ROW_REMAP_PENDING) > 0",
        "GpuRowsRemapped": f"max by ({GPU}) (increase(DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS[1h])) > 0",
        "GpuNvlinkErrors": (
            f"max by ({GPU}) (rate(DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL[10m])) > 0 "
            f"or max by ({GPU}) (rate(DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL[10m])) > 0 "
            f"or max by ({GPU}) (rate(DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL[10m])) > 1"
        ),
        "GpuThermalThrottling": f"max by ({GPU}) (rate(DCGM_FI_DEV_THERMAL_VIOLATION[10m])) > 0",
    }


def test_last_xid(expressions: Callable[..., dict[str, str]]) -> None:
    """Without the count, a change of the last XID is news; the code is a label, so the change is seen across series."""
    xids = "48|62|64|74|79|92|94|95|119|120|140|143|144|145|146|147|148|149|150|158|167|171|172"

    assert expressions(dcgm={"presets": ["default"]})["GpuXid"] == (
        f'max by ({GPU}, err_code) (DCGM_FI_DEV_XID_ERRORS{{err_code=~"{xids}"}}) > 0 '
        f"and on ({GPU}) changes(max by ({GPU}) (DCGM_FI_DEV_XID_ERRORS)[10m:1m]) > 0"
    )


@pytest.mark.parametrize("operator", ["v24.9.2", "v25.10.1", "v26.7.0"])
@pytest.mark.parametrize("monitoring", [{}, {"dcgm": {"presets": ["power"]}}, {"dcgm": {"presets": ALL}}])
def test_no_alert_without_its_fields(
    expressions: Callable[..., dict[str, str]],
    site: Callable[..., Any],
    resolve: Callable[..., Any],
    known: Facts,
    operator: str,
    monitoring: dict[str, Any],
) -> None:
    """Every field in an expression is collected, by the site's CSV or, without one, by the chart's own list."""
    read = set(re.findall(r"DCGM_[A-Z0-9_]+", " ".join(expressions(operator=operator, **monitoring).values())))
    collected = set(resolve(site(charts={"gpuOperator": operator}, monitoring=monitoring)).monitoring.collected)

    assert read <= collected
    if "dcgm" not in monitoring:
        assert collected <= set(known.dcgm_preset("default"))


def test_dropped_field(expressions: Callable[..., dict[str, str]]) -> None:
    """A field that the site drops takes its alert along."""
    dropped = expressions(dcgm={"presets": ["row-remap"], "drop": ["DCGM_FI_DEV_ROW_REMAP_FAILURE"]})

    assert list(dropped) == ["GpuMetricsMissing", "GpuExporterDown", "GpuRowRemapPending", "GpuRowsRemapped"]


@pytest.mark.parametrize(
    ("model", "counters"),
    [
        ("l40s", []),
        ("a100-pcie-80gb", []),
        (
            "a100-sxm4-80gb",
            ["REPLAY_ERROR_COUNT_TOTAL", "RECOVERY_ERROR_COUNT_TOTAL", "CRC_FLIT_ERROR_COUNT_TOTAL"],
        ),
        (
            "h200-nvl-141gb",
            ["REPLAY_ERROR_COUNT_TOTAL", "RECOVERY_ERROR_COUNT_TOTAL", "CRC_FLIT_ERROR_COUNT_TOTAL"],
        ),
        ("b200-sxm6-180gb", ["COUNT_LOCAL_LINK_INTEGRITY_ERRORS", "COUNT_LINK_RECOVERY_FAILED_EVENTS"]),
        ("gb200", ["COUNT_LOCAL_LINK_INTEGRITY_ERRORS", "COUNT_LINK_RECOVERY_FAILED_EVENTS"]),
        ("rtx-pro-6000-blackwell-server", []),
    ],
)
def test_nvlink_by_hardware(expressions: Callable[..., dict[str, str]], model: str, counters: list[str]) -> None:
    """NVLink5 has counters of its own; GPUs without NVLink have no alert for it."""
    found = expressions(model, dcgm={"presets": ["nvlink"]}).get("GpuNvlinkErrors", "")

    assert re.findall(r"DCGM_FI_DEV_NVLINK_([A-Z_]+)", found) == counters


def test_windows_hold_four_samples(expressions: Callable[..., dict[str, str]]) -> None:
    """A rate over fewer samples than two is none: a slow site has longer windows."""
    slow = expressions(dcgm={"presets": ["ecc"], "interval": "5m"})
    scraped = expressions(dcgm={"presets": ["ecc"]}, scrape={"kind": "prometheus", "interval": "4m"})

    assert slow["GpuEccDoubleBit"] == f"max by ({GPU}) (increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[20m])) > 0"
    assert scraped["GpuEccDoubleBit"] == f"max by ({GPU}) (increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[16m])) > 0"


@pytest.mark.parametrize(
    ("milliseconds", "spelt"), [(500, "500ms"), (1000, "1s"), (1500, "1500ms"), (90_000, "90s"), (600_000, "10m")]
)
def test_durations(milliseconds: int, spelt: str) -> None:
    """Prometheus takes whole numbers with one unit."""
    assert duration(milliseconds) == spelt


def test_counters_of_two_generations_come_in_their_order(resolve: Callable[..., Any], site: Callable[..., Any]) -> None:
    """A site with both kinds of NVLink is alerted of both, the older first, however its pools stand."""
    pools = [
        {"name": name, "nodes": {"namePattern": f"^{name}-"}, "gpu": {"model": model, "count": 8}}
        for name, model in (("new", "b200-sxm6-180gb"), ("old", "h100-sxm5-80gb"))
    ]

    assert resolve(site(pools=pools)).monitoring.nvlink == ("hopper", "blackwell")
