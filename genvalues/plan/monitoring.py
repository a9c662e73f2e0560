"""What DCGM exporter collects, how often, and who scrapes it."""

from collections.abc import Iterator

from genvalues.document import Decided, Why
from genvalues.facts import Facts, version
from genvalues.facts.kinds import DcgmField, Gpu
from genvalues.finding import Route
from genvalues.model import Dcgm, DcgmMetric, Scrape, Site
from genvalues.plan.kinds import ChartPlan, Metric, MetricGroup, MonitoringPlan, PoolPlan
from genvalues.plan.reasons import because, by_default, said

DCGM: Route = ("monitoring", "dcgm")
SCRAPE: Route = ("monitoring", "scrape")

SCRAPED = 15_000
"""How often the chart's ServiceMonitor is scraped by default, in milliseconds."""

COLLECTED = 30_000
"""How often DCGM exporter collects by default, in milliseconds (dcgm-exporter, pkg/cmd/app.go)."""

# The exporter's own version that brought KUBERNETES_VIRTUAL_GPUS (dcgm-exporter 4.1.1-4.0.3, pkg/cmd/app.go).
_VIRTUAL_GPUS = (4, 0, 3)

# How units of the facts are written in a help text; others are written as they are.
_UNITS = {"degC": "C", "ratio 0-1": "0 to 1"}


def monitoring(site: Site, pools: tuple[PoolPlan, ...], operator: ChartPlan, facts: Facts) -> MonitoringPlan:
    """The metrics of the site. Without `monitoring` everything stays as the chart has it."""
    stated = site.monitoring
    dcgm = stated.dcgm if stated else None
    scrape = stated.scrape if stated else None
    release = facts.operator_release(operator.chart.version)
    accepted = facts.dcgm_names(release.components.get("dcgm_exporter", "")) if release else None
    groups = _groups(dcgm, accepted, facts) if dcgm and (dcgm.presets or dcgm.add or dcgm.drop) else None
    return MonitoringPlan(
        groups=groups,
        collected=facts.dcgm_preset("default", accepted)
        if groups is None
        else tuple(row.field for group in groups.value for row in group.rows),
        config_map=by_default("dcgm-metrics", "holds the metrics that the site asks for"),
        interval=said(dcgm.interval, (*DCGM, "interval"), "collected this often, in milliseconds")
        if dcgm and dcgm.interval
        else None,
        scrape=said(
            scrape.kind,
            (*SCRAPE, "kind"),
            "the site says that nobody scrapes" if scrape.kind == "none" else f"scraped by {scrape.kind}",
        )
        if scrape
        else by_default("none", "the site does not say who scrapes"),
        scrape_interval=_scrape_interval(scrape, dcgm),
        scrape_labels=scrape.labels if scrape else {},
        alerts=said(True, ("monitoring", "alerts"), "the site asks for alert rules")
        if stated and stated.alerts
        else by_default(False, "the site asks for no alert rules"),
        virtual_gpus=_virtual_gpus(pools, release.components.get("dcgm_exporter", "") if release else ""),
        nvlink=_nvlink(pools),
    )


def _scrape_interval(scrape: Scrape | None, dcgm: Dcgm | None) -> Decided[int] | None:
    """How often the exporter is scraped; a ServiceMonitor of which the site says nothing, as often as values change.

    The chart's own 15 s beside the exporter's own 30 s would fetch everything twice (values.yaml of v26.7.0; --collect-interval
    of dcgm-exporter).
    """
    if scrape is not None and scrape.interval:
        return said(scrape.interval, (*SCRAPE, "interval"), "scraped this often")
    if scrape is None or scrape.kind != "prometheus":
        return None
    if dcgm is not None and dcgm.interval:
        # More often than the chart's default nobody is scraped unasked: from 26.7 its timeout of 10 s would not fit.
        often = dcgm.interval < SCRAPED
        return None if often else said(dcgm.interval, (*DCGM, "interval"), "scraped as often as values are collected")
    return by_default(COLLECTED, "scraped as often as the exporter collects values by default")


def _virtual_gpus(pools: tuple[PoolPlan, ...], exporter: str) -> Decided[bool]:
    """Under time-slicing and MPS the exporter labels metrics with pods only in a mode of its own (dcgm-exporter#587)."""
    release = version.exporter(exporter)
    if release is not None and release[0] < _VIRTUAL_GPUS:
        return by_default(False, f"DCGM exporter {exporter} has no such mode")
    shared = [pool for pool in pools if any(resource.shared for resource in pool.sharing.resources)]
    routes = tuple(route for pool in shared for route in pool.sharing.name.why.routes)
    return because(bool(shared), routes, "shared GPUs: metrics carry the labels of every pod on the GPU")


def _nvlink(pools: tuple[PoolPlan, ...]) -> tuple[str, ...]:
    """The families of NVLink counters of the site's GPUs. Whether PCIe cards carry a bridge, no fact says.

    Error counters up to Hopper are fields of their own; NVLink5 has others (DCGM, dcgm_fields.h).
    """
    linked = [pool.gpu for pool in pools if pool.gpu is not None and _has_nvlink(pool.gpu)]
    families = {"blackwell" if gpu.architecture == "blackwell" else "hopper" for gpu in linked}
    return tuple(sorted(families, reverse=True))


def _has_nvlink(gpu: Gpu) -> bool:
    return "SXM" in gpu.form_factor or "NVL" in gpu.form_factor or gpu.fabric_manager == "not-on-compute-node"


def _groups(dcgm: Dcgm, accepted: frozenset[str] | None, facts: Facts) -> Decided[tuple[MetricGroup, ...]]:
    seen = set(dcgm.drop)
    groups = []
    for position, preset in enumerate(dcgm.presets or ("default",)):
        rows = tuple(_preset_rows(preset, accepted, seen, facts))
        route: Route = (*DCGM, "presets", position) if dcgm.presets else DCGM
        if rows:
            groups.append(MetricGroup(preset, rows, Why((route,), f"preset {preset}")))
    added = tuple(_added(metric, seen, facts) for metric in dcgm.add if metric.field not in seen)
    if added:
        groups.append(MetricGroup("added", added, Why(((*DCGM, "add"),), "added by the site")))
    return said(tuple(groups), DCGM, "the metrics that the site asks for; they replace the chart's own list")


def _preset_rows(preset: str, accepted: frozenset[str] | None, seen: set[str], facts: Facts) -> Iterator[Metric]:
    """Rows of a preset that the site's exporter accepts and that no preset before it has."""
    for field in facts.dcgm_preset(preset, accepted):
        if field in seen:
            continue
        seen.add(field)
        yield _row(DcgmMetric(field, None, None), facts)


def _added(metric: DcgmMetric, seen: set[str], facts: Facts) -> Metric:
    seen.add(metric.field)
    return _row(metric, facts)


def _row(metric: DcgmMetric, facts: Facts) -> Metric:
    known = facts.dcgm_field(metric.field)
    kind = metric.type or (known.suggested_type if known else "gauge")
    text = metric.help or facts.dcgm_help(metric.field) or (_help(known) if known else "") or metric.field
    return Metric(metric.field, kind, text)


def _help(field: DcgmField) -> str:
    """What is known of a field as help text, its unit behind it.

    Without commas and quotes: a row with them needs quoting that not every reader of such files gets right.
    """
    text = field.description.replace(", ", "; ").replace('"', "'")
    unit = _UNITS.get(field.unit, field.unit) if field.unit else None
    return f"{text} ({unit})" if unit and unit not in text else text


def duration(milliseconds: int) -> str:
    """Milliseconds as Prometheus and VictoriaMetrics write a duration, which takes no fractions."""
    for size, unit in ((60_000, "m"), (1000, "s")):
        if milliseconds % size == 0:
            return f"{milliseconds // size}{unit}"
    return f"{milliseconds}ms"
