"""Rules of monitoring, beyond what their pages show. Expected values: sharing-dcgm.md 3.6 and 3.7, scheduling-gitops.md 6."""

from collections.abc import Callable

import pytest

from genvalues import facts, judge
from genvalues.document import Chart
from genvalues.finding import Hit, Json, format_route
from genvalues.rules import monitoring
from genvalues.rules.monitoring_values import milliseconds, too_often
from genvalues.rules.rule import Body

FACTS = facts.load()
RULES = monitoring.RULES
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]

OLD = 'charts: {gpuOperator: v25.10.1}\ndriver: {version: "580.178.04"}\n'


def values(exporter: Json, chart: str = "v25.10.1") -> list[str]:
    """Code and route, below dcgmExporter, of each finding about values of the GPU Operator."""
    body = Body("values", {"dcgmExporter": exporter}, "values.yaml", (), Chart("gpu-operator", chart))
    rules = [rule for rule in RULES if "values" in rule.files]
    found = [(rule, hit) for rule in rules for hit in rule.files["values"](body, FACTS)]
    return [f"{rule.code} {format_route(hit.route[1:])}" for rule, hit in found]


def env(name: str, value: Json) -> Json:
    return {"env": [{"name": "OTHER", "value": "x"}, {"name": name, "value": value}]}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("15s", 15_000),
        ("500ms", 500),
        ("1m30s", 90_000),
        ("1h", 3_600_000),
        ("0.1s", None),
        ("15", None),
        ("", None),
        (15, None),
    ],
)
def test_durations_of_prometheus(text: Json, known: int | None) -> None:
    """Whole numbers with units, larger ones first; a number alone is none."""
    assert milliseconds(text) == known


@pytest.mark.parametrize(
    ("interval", "profiling", "least"),
    [(1000, True, None), (999, True, 1000), (100, False, None), (99, False, 100), (99, True, 1000)],
)
def test_least_intervals(interval: int, profiling: bool, least: int | None) -> None:
    """A second with profiling metrics, a tenth without."""
    found = too_often(interval, profiling=profiling)

    assert (found[1] if found else None) == least


@pytest.mark.parametrize(
    ("monitoring_part", "found"),
    [
        ("{dcgm: {interval: 500ms, presets: [xid]}}", []),  # no profiling metric among them
        ("{dcgm: {interval: 500ms}}", ["GV740 monitoring.dcgm.interval"]),  # the chart's own list has some
        ("{dcgm: {interval: 50ms, presets: [xid]}}", ["GV740 monitoring.dcgm.interval"]),
        ("{scrape: {kind: victoriametrics}}", []),  # how often vmagent scrapes by default is not known here
        ("{scrape: {kind: none, interval: 5s}}", []),
        ("{scrape: {kind: victoriametrics, interval: 30s}}", []),
        ("{scrape: {kind: victoriametrics, interval: 29s}}", ["GV742 monitoring.scrape.interval"]),
        ("{dcgm: {interval: 16s}, scrape: {kind: prometheus}}", []),  # scraped as often as collected
        ("{dcgm: {interval: 15s}, scrape: {kind: prometheus}}", []),
        ("{dcgm: {interval: 1s}, scrape: {kind: prometheus, interval: 9s}}", ["GV743 monitoring.scrape.interval"]),
        ("{dcgm: {interval: 1s}, scrape: {kind: victoriametrics, interval: 9s}}", []),
        ("{dcgm: {interval: 1s}, scrape: {kind: prometheus, interval: 10s}}", []),
        ("{alerts: true}", ["GV744 monitoring.alerts"]),
        ("{alerts: true, scrape: {kind: none}}", ["GV744 monitoring.alerts"]),
        ("{scrape: {kind: none}}", []),
        ("{alerts: true, scrape: {kind: victoriametrics}}", ["GV745 monitoring.alerts"]),
        ("{alerts: true, scrape: {kind: victoriametrics}, dcgm: {presets: [default, ecc]}}", []),
    ],
)
def test_intervals_and_alerts_of_a_site(said: Said, monitoring_part: str, found: list[str]) -> None:
    """By what the chart and the exporter do where the site is silent (v26.7.0: 15 s, timeout 10 s; exporter: 30 s)."""
    assert said(f"monitoring: {monitoring_part}\n", RULES) == found


def test_scrape_timeout_is_a_default_of_26_7_only(said: Said) -> None:
    """Charts before set none, and Prometheus then takes the interval as timeout."""
    text = "monitoring: {dcgm: {interval: 1s}, scrape: {kind: prometheus, interval: 5s}}\n"

    assert (said(text, RULES), said(OLD + text, RULES)) == (["GV743 monitoring.scrape.interval"], [])


def test_effective_values_are_named(judged: Judged) -> None:
    """The message says whose numbers meet where the site gives none."""
    [(code, hit)] = judged("monitoring: {scrape: {kind: prometheus, interval: 15s}}\n", RULES)

    assert code == "GV742"
    assert hit.message == (
        "scraped every 15s (the site) and collected every 30s (the exporter's default): half of the scrapes "
        "repeat what is known"
    )


def test_alerts_name_what_they_lack(judged: Judged) -> None:
    """The alerts that are lost and the presets that bring them, those that the site has kept."""
    text = "monitoring: {alerts: true, scrape: {kind: victoriametrics}, dcgm: {presets: [power]}}\n"
    [(code, hit)] = judged(text, RULES)

    assert (code, hit.fix) == ("GV745", "monitoring.dcgm.presets: [power, default, ecc]")
    assert "GpuXid, GpuRowRemapFailure and GpuEccDoubleBit" in hit.message


def test_alerts_that_the_hardware_cannot_feed_are_not_missed(said: Said) -> None:
    """A GeForce card has neither ECC counters nor row remapping: nothing is lost without them."""
    text = (
        "hardware: {pools: [{name: gpu, gpu: {model: rtx-4090, board: null}}]}\n"
        "monitoring: {alerts: true, scrape: {kind: victoriametrics}, dcgm: {presets: [xid]}}\n"
    )

    assert said(text, RULES) == []


MIG = (
    "hardware: {pools: [{name: gpu, sharing: s}]}\n"
    "sharing: {configs: {s: {mig: {layouts: [{gpus: all, profiles: {1g.10gb: 7}}]}}}}\n"
)


@pytest.mark.parametrize(
    ("dcgm_part", "found"),
    [
        ("{presets: [default]}", []),
        ("{presets: [xid]}", []),  # nobody wants utilisation
        ("{presets: [xid], add: [DCGM_FI_DEV_GPU_UTIL]}", ["GV746 monitoring.dcgm"]),
        (
            "{presets: [default], drop: [DCGM_FI_DEV_XID_ERRORS, DCGM_FI_PROF_GR_ENGINE_ACTIVE]}",
            ["GV746 monitoring.dcgm.drop[1]"],
        ),
    ],
)
def test_utilisation_of_instances(said: Said, dcgm_part: str, found: list[str]) -> None:
    """Asked for GPUs and not given for instances: only then, and only under MIG."""
    text = f"monitoring: {{dcgm: {dcgm_part}}}\n"

    assert (said(MIG + text, RULES), said(text, RULES)) == (found, [])


def test_overrides_of_the_exporter(said: Said) -> None:
    """An env list that has what the site says is fine; an interval of its own is judged where it is rendered."""
    site = "monitoring: {dcgm: {interval: 15s}, scrape: {kind: prometheus}}\n"
    laid = "overrides: {gpuOperator: {dcgmExporter: {env: [{name: DCGM_EXPORTER_INTERVAL, value: "
    lost = ["GV750 overrides.gpuOperator.dcgmExporter.env"]

    assert said(site + laid + '"15000"}]}}}\n', RULES) == []
    assert said(site + laid + '"30000"}]}}}\n', RULES) == lost
    assert said(site + "overrides: {gpuOperator: {dcgmExporter: {env: []}}}\n", RULES) == lost
    assert said(site + "overrides: {gpuOperator: {dcgmExporter: null}}\n", RULES) == []


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("{release: prometheus}", []),
        ('{release: ""}', []),
        ("{example.com/release: v1}", []),
        ('{"-x": a}', ["GV751 monitoring.scrape.labels.-x"]),
        ("{a/b/c: x}", ['GV751 monitoring.scrape.labels["a/b/c"]']),
        ("{release: a b}", ["GV751 monitoring.scrape.labels.release"]),
        (f"{{release: {'x' * 64}}}", ["GV751 monitoring.scrape.labels.release"]),
    ],
)
def test_labels(said: Said, labels: str, found: list[str]) -> None:
    """Keys and values as the API server takes them."""
    assert said(f"monitoring: {{scrape: {{kind: victoriametrics, labels: {labels}}}}}\n", RULES) == found


@pytest.mark.parametrize(
    ("exporter", "chart", "found"),
    [
        (env("DCGM_EXPORTER_INTERVAL", "30000"), "v25.10.1", []),
        (env("DCGM_EXPORTER_INTERVAL", "30"), "v25.10.1", ["GV740 env[1].value"]),
        (env("DCGM_EXPORTER_INTERVAL", "500"), "v25.10.1", ["GV740 env[1].value"]),
        ({**env("DCGM_EXPORTER_INTERVAL", "500"), "config": {"name": "own"}}, "v25.10.1", []),
        (env("DCGM_EXPORTER_INTERVAL", "0"), "v25.10.1", ["GV740 env[1].value"]),
        (env("DCGM_EXPORTER_INTERVAL", "15s"), "v25.10.1", ["GV741 env[1].value"]),
        (env("DCGM_EXPORTER_INTERVAL", "1_000"), "v25.10.1", ["GV741 env[1].value"]),
        (env("DCGM_EXPORTER_INTERVAL", "030000"), "v25.10.1", ["GV741 env[1].value"]),  # an octal number in Go
        (env("DCGM_EXPORTER_INTERVAL", ""), "v25.10.1", ["GV741 env[1].value"]),
        (env("DCGM_EXPORTER_INTERVAL", 15000), "v25.10.1", []),  # no text: the contract says so
        ({}, "v26.7.0", []),  # the chart's own defaults are nobody's fault in a file that does not speak of them
        ({"serviceMonitor": {"enabled": True}}, "v25.10.1", ["GV742 serviceMonitor.enabled"]),
        ({"serviceMonitor": {"enabled": True, "interval": "15s"}}, "v25.10.1", ["GV742 serviceMonitor.interval"]),
        ({"serviceMonitor": {"enabled": True, "interval": "30s"}}, "v25.10.1", []),
        ({"serviceMonitor": {"interval": "5s"}}, "v25.10.1", []),  # off by default there
        ({"serviceMonitor": {"interval": "12s"}}, "v26.7.0", ["GV742 serviceMonitor.interval"]),
        (env("DCGM_EXPORTER_INTERVAL", "20000"), "v26.7.0", ["GV742 env[1].value"]),
        (
            {**env("DCGM_EXPORTER_INTERVAL", "1000"), "serviceMonitor": {"interval": "5s"}},
            "v26.7.0",
            ["GV743 serviceMonitor.interval"],
        ),
        ({"serviceMonitor": {"interval": "30s", "scrapeTimeout": "40s"}}, "v26.7.0", ["GV743 serviceMonitor.interval"]),
        (
            {**env("DCGM_EXPORTER_INTERVAL", "1000"), "serviceMonitor": {"scrapeTimeout": "20s"}},
            "v26.7.0",
            ["GV743 serviceMonitor.scrapeTimeout"],
        ),
        ({**env("DCGM_EXPORTER_COLLECTORS", "/x.csv"), "config": {"name": "own"}}, "v25.3.4", ["GV749 env[1].value"]),
        ({**env("DCGM_EXPORTER_COLLECTORS", "/x.csv"), "config": {"name": "own"}}, "v24.9.2", []),
        (env("DCGM_EXPORTER_COLLECTORS", "/x.csv"), "v25.3.4", []),
        # what the operator sets itself
        (
            {**env("DCGM_EXPORTER_COLLECTORS", "/etc/dcgm-exporter/dcgm-metrics.csv"), "config": {"name": "own"}},
            "v25.3.4",
            [],
        ),
        ({"env": None, "serviceMonitor": True}, "v26.7.0", []),
        ({"env": {"DCGM_EXPORTER_INTERVAL": "1"}, "serviceMonitor": {"interval": 5}}, "v26.7.0", []),
        ("no mapping", "v26.7.0", []),
    ],
)
def test_values(exporter: Json, chart: str, found: list[str]) -> None:
    """The same judgements over Helm values, by the defaults of their chart; values of wrong types are left alone."""
    assert values(exporter, chart) == found


def test_values_of_another_chart() -> None:
    """An umbrella's or another chart's values are not judged as the operator's."""
    body = Body(
        "values",
        {"dcgmExporter": env("DCGM_EXPORTER_INTERVAL", "1")},
        "v.yaml",
        (),
        Chart("network-operator", "26.1.2"),
    )

    assert list(judge.body(body, FACTS, RULES)) == list(judge.body(body, FACTS, ()))


@pytest.mark.parametrize(("operator", "found"), [("v24.9.2", ["GV747 hardware.pools[0].sharing"]), ("v25.3.4", [])])
def test_labels_of_pods_on_shared_gpus(said: Said, operator: str, found: list[str]) -> None:
    """The mode came with exporter 4.1.1-4.0.3; the operator before v25.3.0 has none."""
    text = (
        f"charts: {{gpuOperator: {operator}}}\n"
        "hardware: {pools: [{name: gpu, sharing: s}]}\nsharing: {configs: {s: {timeSlicing: {replicas: 2}}}}\n"
        "monitoring: {scrape: {kind: victoriametrics}}\n"
    )

    assert said(text, RULES) == found


@pytest.mark.parametrize(
    ("kubernetes", "newer"), [("1.30.1", "v25.10.1"), ("1.35.0", "v26.7.0"), ("1.20.0", "v26.7.0")]
)
def test_release_that_labels_all_pods_is_one_that_a_site_may_name(judged: Judged, kubernetes: str, newer: str) -> None:
    """The fix of GV747 is a version with a contract, and where there is one, for the cluster's Kubernetes."""
    text = (
        "charts: {gpuOperator: v24.9.2}\n"
        f'cluster: {{kubernetes: "{kubernetes}"}}\n'
        "hardware: {pools: [{name: gpu, sharing: dev}]}\n"
        "sharing: {configs: {dev: {timeSlicing: {replicas: 4}}}}\n"
        "monitoring: {scrape: {kind: prometheus}}\n"
    )

    assert [hit.fix for code, hit in judged(text, RULES) if code == "GV747"] == [f"charts.gpuOperator: {newer}"]


@pytest.mark.parametrize(
    ("exporter", "who"),
    [
        ({"serviceMonitor": {"enabled": True}}, "scraped every 15s (the chart) and collected every 30s (the exporter)"),
        ({"serviceMonitor": {"enabled": True, "interval": "10s"}}, "scraped every 10s and collected every 30s (the exporter)"),
        (
            {"serviceMonitor": {"enabled": True}, **env("DCGM_EXPORTER_INTERVAL", "60000")},
            "scraped every 15s (the chart) and collected every 1m",
        ),
    ],
)
def test_whose_interval_it_is_is_said(exporter: dict[str, Json], who: str) -> None:
    """What the values do not state is the chart's or the exporter's own."""
    body = Body("values", {"dcgmExporter": exporter}, "values.yaml", (), Chart("gpu-operator", "v26.7.0"))
    [rule] = [rule for rule in RULES if rule.code == "GV742"]

    assert [hit.message.partition(": ")[0] for hit in rule.files["values"](body, FACTS)] == [who]
