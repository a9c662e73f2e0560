"""What DCGM exporter collects, how often, and who scrapes it."""

from collections.abc import Iterator

from genvalues.document import Decided
from genvalues.facts import Facts
from genvalues.finding import Route
from genvalues.model import Dcgm, DcgmMetric, Site
from genvalues.plan.kinds import ChartPlan, Metric, MetricGroup, MonitoringPlan, PoolPlan
from genvalues.plan.reasons import because, by_default, said

DCGM: Route = ("monitoring", "dcgm")
SCRAPE: Route = ("monitoring", "scrape")


def monitoring(site: Site, pools: tuple[PoolPlan, ...], operator: ChartPlan, facts: Facts) -> MonitoringPlan:
    """The metrics of the site. Without `monitoring` everything stays as the chart has it."""
    stated = site.monitoring
    dcgm = stated.dcgm if stated else None
    scrape = stated.scrape if stated else None
    return MonitoringPlan(
        groups=_groups(dcgm, operator, facts) if dcgm and (dcgm.presets or dcgm.add or dcgm.drop) else None,
        config_map=by_default("dcgm-metrics", "holds the metrics that the site asks for"),
        interval=said(dcgm.interval, (*DCGM, "interval"), "collected this often, in milliseconds")
        if dcgm and dcgm.interval
        else None,
        scrape=said(scrape.kind, (*SCRAPE, "kind"), f"scraped by {scrape.kind}")
        if scrape
        else by_default("none", "the site does not say who scrapes"),
        scrape_interval=said(scrape.interval, (*SCRAPE, "interval"), "scraped this often")
        if scrape and scrape.interval
        else None,
        scrape_labels=scrape.labels if scrape else {},
        alerts=said(True, ("monitoring", "alerts"), "the site asks for alert rules")
        if stated and stated.alerts
        else by_default(False, "the site asks for no alert rules"),
        virtual_gpus=_virtual_gpus(pools),
    )


def _virtual_gpus(pools: tuple[PoolPlan, ...]) -> Decided[bool]:
    """Under time-slicing and MPS the exporter labels metrics with pods only in a mode of its own (dcgm-exporter#587)."""
    shared = [pool for pool in pools if any(resource.shared for resource in pool.sharing.resources)]
    routes = tuple(route for pool in shared for route in pool.sharing.name.why.routes)
    return because(bool(shared), routes, "shared GPUs: metrics carry the labels of every pod on the GPU")


def _groups(dcgm: Dcgm, operator: ChartPlan, facts: Facts) -> Decided[tuple[MetricGroup, ...]]:
    release = facts.operator_release(operator.chart.version)
    accepted = facts.dcgm_names(release.components.get("dcgm_exporter", "")) if release else None
    seen = set(dcgm.drop)
    groups = []
    for preset in dcgm.presets or ("default",):
        rows = tuple(_preset_rows(preset, accepted, seen, facts))
        if rows:
            groups.append(MetricGroup(preset, rows))
    added = tuple(_added(metric, seen, facts) for metric in dcgm.add if metric.field not in seen)
    if added:
        groups.append(MetricGroup("added by the site", added))
    return said(tuple(groups), DCGM, "the metrics that the site asks for; they replace the chart's own list")


def _preset_rows(preset: str, accepted: frozenset[str] | None, seen: set[str], facts: Facts) -> Iterator[Metric]:
    """Rows of a preset that the site's exporter accepts and that no preset before it has."""
    for field in facts.dcgm_preset(preset):
        if field in seen or (accepted is not None and field not in accepted):
            continue
        seen.add(field)
        yield _row(DcgmMetric(field, None, None), facts)


def _added(metric: DcgmMetric, seen: set[str], facts: Facts) -> Metric:
    seen.add(metric.field)
    return _row(metric, facts)


def _row(metric: DcgmMetric, facts: Facts) -> Metric:
    known = facts.dcgm_field(metric.field)
    kind = metric.type or (known.suggested_type if known else "gauge")
    text = metric.help or (known.description if known else "") or metric.field
    return Metric(metric.field, kind, text)
