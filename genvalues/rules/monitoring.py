"""Rules about collecting, scraping and alerting: intervals that fit one another, alerts that something feeds."""

from collections.abc import Iterator, Mapping

from genvalues import contracts
from genvalues.artefacts.alerts import Alert, alerts
from genvalues.facts import Facts, version
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.plan import Plan
from genvalues.plan.monitoring import DCGM, SCRAPE, duration
from genvalues.rules import monitoring_values
from genvalues.rules.dcgm_fields import exporter
from genvalues.rules.dcgm_hardware import missing
from genvalues.rules.label_form import key_fault, tidied, tidied_key, value_fault
from genvalues.rules.monitoring_values import COLLECT, ENV, MONITOR, SERVICE_MONITOR, too_often
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import listed, quoted

_UTILISATION, _ENGINE = "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
_INTERVAL: Route = (*DCGM, "interval")


def _default(case: Case, route: Route) -> Json:
    """What the operator's chart has at a route of its values; None where it has nothing, or is not known."""
    chart = case.plan.operator.chart
    contract = contracts.load(chart.name, chart.version)
    return contract.default(route) if contract is not None else None


@rule("GV740", "warning", "Metrics collected more often than is useful", files=monitoring_values.TOO_OFTEN)
def collected_too_often(case: Case) -> Iterator[Hit]:
    interval = case.plan.monitoring.interval
    if interval is None:
        return
    gpus = tuple(pool.gpu for pool in case.plan.pools if pool.gpu is not None)
    fields = [case.facts.dcgm_field(name) for name in case.plan.monitoring.collected]
    profiled = [field for field in fields if field is not None and field.profiling]
    found = too_often(
        interval.value, profiling=any(missing(field.name, gpus, case.facts) is None for field in profiled)
    )
    if found is not None:
        yield Hit(_INTERVAL, found[0], f"interval: {duration(found[1])}")


@rule("GV742", "warning", "Scraped more often than collected", files=monitoring_values.REPEATED)
def scraped_too_often(case: Case) -> Iterator[Hit]:
    monitoring, own = case.plan.monitoring, case.site.overrides.get("gpuOperator")
    if node_at(own, ENV) is not None or node_at(own, (*MONITOR, "interval")) is not None:
        return  # values that the site lays over are judged where they are rendered
    collect = monitoring.interval.value if monitoring.interval is not None else COLLECT
    if monitoring.scrape_interval is None:
        return
    scrape, whose = monitoring.scrape_interval.value, "the site"
    if not 0 < scrape < collect or monitoring.scrape.value == "none":
        return
    collector = "the site" if monitoring.interval is not None else "the exporter's default"
    yield Hit(
        (*SCRAPE, "interval"),
        f"scraped every {duration(scrape)} ({whose}) and collected every {duration(collect)} ({collector}): "
        f"{_repeats(collect, scrape)} repeat what is known",
        f"monitoring.dcgm.interval: {duration(scrape)}, or monitoring.scrape.interval: {duration(collect)}",
        ((_INTERVAL, "collected this often"),) if monitoring.interval is not None else (),
    )


def _repeats(collect: int, scrape: int) -> str:
    return "half of the scrapes" if collect == 2 * scrape else f"{100 - 100 * scrape // collect} of 100 scrapes"


@rule("GV743", "error", "Scrape timeout longer than the scrape interval", files=monitoring_values.TIMEOUT, needs="version")
def timeout_too_long(case: Case) -> Iterator[Hit]:
    monitoring, own = case.plan.monitoring, case.site.overrides.get("gpuOperator")
    if monitoring.scrape.value != "prometheus" or monitoring.scrape_interval is None:
        return
    if node_at(own, (*MONITOR, "interval")) is not None:
        return  # an interval that the site lays over is judged where it is rendered
    stated = node_at(own, (*MONITOR, "scrapeTimeout"))
    timeout = monitoring_values.milliseconds(stated or _default(case, (*MONITOR, "scrapeTimeout")))
    interval = monitoring.scrape_interval.value
    if timeout is not None and interval < timeout:
        spoken = duration(timeout) if stated else f"the {duration(timeout)} of the chart"
        yield Hit(
            (*SCRAPE, "interval"),
            monitoring_values.rejected(duration(interval), spoken),
            f"interval: {duration(timeout)}, or overrides.gpuOperator.dcgmExporter.serviceMonitor.scrapeTimeout: "
            f"{duration(interval)}",
        )


@rule("GV744", "error", "Alerts that nothing would evaluate")
def alerts_without_scraper(case: Case) -> Iterator[Hit]:
    monitoring = case.plan.monitoring
    if monitoring.alerts.value and monitoring.scrape.value == "none":
        stated = bool(monitoring.scrape.why.routes)
        yield Hit(
            ("monitoring", "alerts"),
            "alert rules are written for the stack that scrapes, and "
            f"{'nobody scrapes here' if stated else 'the site names none'}: no rule would come of this",
            "scrape: {kind: prometheus}, or alerts: false",
            ((monitoring.scrape.why.routes[0], "nobody scrapes"),) if stated else (),
        )


@rule("GV745", "info", "Alerts that nothing feeds")
def alerts_without_metrics(case: Case) -> Iterator[Hit]:
    """Only of faults that end in a wrong result or a lost board; the others are a matter of taste."""
    plan = case.plan
    if not plan.monitoring.alerts.value or plan.monitoring.scrape.value == "none":
        return
    using = exporter(plan.operator.chart.version, case.facts)
    present = {alert.name for alert in _alerts(plan, ())}
    lost: dict[str, str] = {}
    for preset in case.facts.dcgm_presets():
        fields = case.facts.dcgm_preset(preset, using.accepted if using is not None else None)
        for alert in _alerts(plan, tuple(name for name in fields if _is_given(name, case))):
            if alert.severity == "critical" and alert.name not in present:
                lost.setdefault(alert.name, preset)
    if lost:
        stated = case.site.monitoring.dcgm if case.site.monitoring else None
        presets = [*(stated.presets if stated and stated.presets else ("default",)), *dict.fromkeys(lost.values())]
        yield Hit(
            ("monitoring", "alerts"),
            f"the alert rules will lack {listed(lost, 'and')}: the exporter collects none of the fields that they read",
            f"monitoring.dcgm.presets: [{', '.join(dict.fromkeys(presets))}]",
        )


def _alerts(plan: Plan, more: tuple[str, ...]) -> Iterator[Alert]:
    """The alerts of the site if it collected some more fields."""
    collected = (*plan.monitoring.collected, *more)
    return alerts(plan._replace(monitoring=plan.monitoring._replace(collected=collected)), "job")


def _is_given(name: str, case: Case) -> bool:
    gpus = tuple(pool.gpu for pool in case.plan.pools if pool.gpu is not None)
    return missing(name, gpus, case.facts) is None


@rule("GV746", "warning", "No utilisation of MIG instances")
def no_mig_utilisation(case: Case) -> Iterator[Hit]:
    collected = case.plan.monitoring.collected
    pools = [pool for pool in case.plan.pools if any(one.kind == "mig" for one in pool.sharing.resources)]
    if not pools or _UTILISATION not in collected or _ENGINE in collected:
        return
    stated = case.site.monitoring.dcgm if case.site.monitoring else None
    drop = stated.drop if stated is not None else ()
    yield Hit(
        (*DCGM, "drop", drop.index(_ENGINE)) if _ENGINE in drop else DCGM,
        f"{_UTILISATION} has no value of its own for a MIG instance, and {_ENGINE}, which has one, is not collected: "
        f"nothing shows how busy the instances of {listed([pool.name for pool in pools], 'and')} are",
        "remove the entry" if _ENGINE in drop else f"add: [{_ENGINE}]",
        tuple((pool.sharing.name.why.routes[0], "split by MIG") for pool in pools if pool.sharing.name.why.routes),
        pools=tuple(pool.name for pool in pools),
    )


@rule("GV747", "info", "Metrics of shared GPUs without their pods")
def shared_without_pods(case: Case) -> Iterator[Hit]:
    monitoring = case.plan.monitoring
    shared = [pool for pool in case.plan.pools if any(resource.shared for resource in pool.sharing.resources)]
    using = exporter(case.plan.operator.chart.version, case.facts)
    if not shared or monitoring.scrape.value == "none" or monitoring.virtual_gpus.value or using is None:
        return
    newer = next((one for one in _installable(case) if _labels_all_pods(one, case.facts)), None)
    yield Hit(
        shared[0].sharing.name.why.routes[0] if shared[0].sharing.name.why.routes else ("sharing",),
        f"several pods share a GPU in {listed([pool.name for pool in shared], 'and')}, and {using} cannot name more than "
        "one of them on a metric",
        f"charts.gpuOperator: {newer}" if newer else "accept GV747 with a reason",
        ((("charts", "gpuOperator"), "the operator's version"),),
        pools=tuple(pool.name for pool in shared),
    )


def _installable(case: Case) -> list[str]:
    """Operator versions that a site may name, those for its Kubernetes first, each time from the newest."""
    known = contracts.known().get(case.plan.operator.chart.name, ())
    names = [name for name in reversed(case.facts.operator_versions()) if name in known]
    return sorted(names, key=lambda name: not _is_for(case, name))


def _is_for(case: Case, chart: str) -> bool:
    release, parsed = case.facts.operator_release(chart), version.numbers(case.site.cluster.kubernetes)
    return release is not None and parsed is not None and release.kubernetes[0] <= parsed[:2] <= release.kubernetes[1]


def _labels_all_pods(chart: str, facts: Facts) -> bool:
    """KUBERNETES_VIRTUAL_GPUS came with the exporter's own version 4.0.3 (dcgm-exporter pkg/cmd/app.go)."""
    using = exporter(chart, facts)
    parsed = version.exporter(using.release) if using is not None else None
    return parsed is not None and parsed[0] >= (4, 0, 3)


@rule("GV748", "warning", "Exporter scraped twice")
def scraped_twice(case: Case) -> Iterator[Hit]:
    if (
        node_at(case.site.overrides.get("gpuOperator"), SERVICE_MONITOR) is True
        and case.plan.monitoring.scrape.value == "victoriametrics"
    ):
        yield Hit(
            ("overrides", "gpuOperator", *SERVICE_MONITOR),
            "VictoriaMetrics' operator turns this ServiceMonitor into a VMServiceScrape by itself, beside the one that is "
            "rendered: every metric would be scraped twice",
            "remove it",
            (((*SCRAPE, "kind"), "a VMServiceScrape is rendered"),),
        )


@rule("GV750", "warning", "Override that loses the exporter's variables")
def lost_variables(case: Case) -> Iterator[Hit]:
    """Helm replaces lists: an env in the overrides takes the place of the one that the site leads to."""
    env = node_at(case.site.overrides.get("gpuOperator"), ENV)
    if not isinstance(env, list):
        return
    stated = {one.get("name"): one.get("value") for one in env if isinstance(one, Mapping)}
    monitoring = case.plan.monitoring
    wanted: dict[str, tuple[str, Route]] = {}
    if monitoring.interval is not None:
        wanted["DCGM_EXPORTER_INTERVAL"] = str(monitoring.interval.value), _INTERVAL
    if monitoring.virtual_gpus.value and monitoring.virtual_gpus.why.routes:
        wanted["KUBERNETES_VIRTUAL_GPUS"] = "true", monitoring.virtual_gpus.why.routes[0]
    lost = {name: value for name, value in wanted.items() if stated.get(name) != value[0]}
    if lost:
        entries = " and ".join(f"- {{name: {name}, value: {quoted(value)}}}" for name, (value, _) in lost.items())
        yield Hit(
            ("overrides", "gpuOperator", "dcgmExporter", "env"),
            f"this list replaces the one that the site leads to: {listed(lost, 'and')} would not be what the site says",
            entries,
            tuple((route, f"{name} comes from here") for name, (_, route) in lost.items()),
        )


@rule("GV751", "error", "Label of the monitoring objects that Kubernetes refuses")
def invalid_label(case: Case) -> Iterator[Hit]:
    for key, value in case.plan.monitoring.scrape_labels.items():
        route: Route = (*SCRAPE, "labels", key)
        if (why := key_fault(key)) is not None:
            yield Hit(route, f"{quoted(key)} is no key of a label: {why}", f"{tidied_key(key)}: {value}", at="key")
        elif (why := value_fault(value)) is not None:
            yield Hit(route, f"{quoted(value)} is no value of a label: {why}", f"{key}: {tidied(value)}")


RULES: tuple[Rule, ...] = (
    collected_too_often,
    *monitoring_values.RULES,
    scraped_too_often,
    timeout_too_long,
    alerts_without_scraper,
    alerts_without_metrics,
    no_mig_utilisation,
    shared_without_pods,
    scraped_twice,
    lost_variables,
    invalid_label,
)
