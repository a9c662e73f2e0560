"""The scrape object for VictoriaMetrics, and alert rules for GPU faults.

Prometheus needs no scrape object of ours: the operator makes the ServiceMonitor. The two kinds never stand side by side:
VictoriaMetrics' operator converts Prometheus' objects by itself, and would scrape and alert twice.
"""

from collections.abc import Iterator

from genvalues.artefacts.alerts import Alert, alerts
from genvalues.artefacts.objects import begin
from genvalues.document import Builder, Decided, Doc, Why
from genvalues.finding import Json
from genvalues.plan import Plan
from genvalues.plan.monitoring import SCRAPE, duration
from genvalues.plan.reasons import by_default, said

# Service, port and labels of the exporter: NVIDIA/gpu-operator assets/state-dcgm-exporter, v24.9.2 to v26.7.0.
EXPORTER = "nvidia-dcgm-exporter"

_RULES = {
    "prometheus": ("monitoring/prometheusrule.yaml", "monitoring.coreos.com/v1", "PrometheusRule"),
    "victoriametrics": ("monitoring/vmrule.yaml", "operator.victoriametrics.com/v1beta1", "VMRule"),
}


def render(plan: Plan) -> Iterator[Doc]:
    """Nothing where nobody scrapes."""
    scrape = plan.monitoring.scrape
    if scrape.value == "victoriametrics":
        yield _scrape(plan)
    if scrape.value in _RULES and plan.monitoring.alerts.value:
        yield _rules(plan)


def _scrape(plan: Plan) -> Doc:
    scrape, namespace = plan.monitoring.scrape, plan.operator.namespace
    builder = begin(
        "monitoring/vmservicescrape.yaml",
        "manifest",
        "operator.victoriametrics.com/v1beta1",
        "VMServiceScrape",
        Decided(EXPORTER, scrape.why),
    )
    _place(builder, plan)
    builder.put(
        ("spec", "jobLabel"), by_default("app", "so that the job is called like the exporter, as under Prometheus")
    )
    builder.fixed(("spec", "namespaceSelector", "matchNames"), [namespace.value])
    builder.fixed(("spec", "selector", "matchLabels", "app"), EXPORTER)
    endpoint = ("spec", "endpoints", 0)
    builder.fixed((*endpoint, "port"), "gpu-metrics")
    builder.fixed((*endpoint, "path"), "/metrics")
    if (interval := plan.monitoring.scrape_interval) is not None:
        builder.put((*endpoint, "interval"), Decided(duration(interval.value), interval.why))
    return builder.doc()


def _rules(plan: Plan) -> Doc:
    path, api_version, kind = _RULES[plan.monitoring.scrape.value]
    intro = ("Every field in these expressions is one that the exporter of this site collects.",)
    name = Decided("gpu-faults", plan.monitoring.alerts.why)
    builder = begin(path, "manifest", api_version, kind, name, plan.operator.chart, intro)
    _place(builder, plan)
    builder.fixed(("spec", "groups", 0, "name"), "gpu-faults")
    for position, alert in enumerate(alerts(plan, EXPORTER)):
        why = Why((), alert.why)
        builder.put(("spec", "groups", 0, "rules", position), Decided(_rule(alert), why))
    return builder.doc()


def _place(builder: Builder, plan: Plan) -> None:
    builder.put(("metadata", "namespace"), plan.operator.namespace)
    for key, value in plan.monitoring.scrape_labels.items():
        label = said(value, (*SCRAPE, "labels", key), "by this label the monitoring stack selects its objects")
        builder.put(("metadata", "labels", key), label)


def _rule(alert: Alert) -> dict[str, Json]:
    rule: dict[str, Json] = {"alert": alert.name, "expr": alert.expression}
    if alert.hold is not None:
        rule["for"] = alert.hold
    rule["labels"] = {"severity": alert.severity}
    rule["annotations"] = {"summary": alert.summary, "description": alert.description}
    return rule
