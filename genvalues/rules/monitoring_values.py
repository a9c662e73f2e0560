"""Rules about the exporter in Helm values, and the judgements on intervals that a site shares with them."""

import re
from collections.abc import Iterator, Mapping

from genvalues import contracts
from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.plan.monitoring import duration
from genvalues.rules.rule import Body, FileCheck, Rule
from genvalues.wording import quoted

MONITOR: Route = ("dcgmExporter", "serviceMonitor")
SERVICE_MONITOR: Route = (*MONITOR, "enabled")
ENV: Route = ("dcgmExporter", "env")

COLLECT = 30_000
"""How often the exporter collects where nobody says so, in milliseconds (dcgm-exporter pkg/cmd/app.go)."""

_LEAST, _LEAST_PROFILING = 100, 1000

# Prometheus' durations, without its years to days (prometheus/common model.ParseDuration).
_DURATION = r"(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?"

_INTERVAL, _COLLECTORS = "DCGM_EXPORTER_INTERVAL", "DCGM_EXPORTER_COLLECTORS"

# From this version on the operator lays dcgmExporter.env over what it sets for a ConfigMap, before it was the other way
# round (controllers/object_controls.go, TransformDCGMExporter).
_ENV_LAST = "25.3.3"
_MOUNTED = "/etc/dcgm-exporter/dcgm-metrics.csv"  # where the operator mounts the ConfigMap, in all versions


def milliseconds(text: Json) -> int | None:
    """A duration of Prometheus in milliseconds; None for what is none."""
    found = re.fullmatch(_DURATION, text) if isinstance(text, str) else None
    if found is None or not text:
        return None
    hours, minutes, seconds, rest = (int(part or 0) for part in found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest


def too_often(interval: int, *, profiling: bool) -> tuple[str, int] | None:
    """Why collecting every `interval` milliseconds is of no use, and the least that is; None where it is of use.

    Nothing enforces a minimum, and DCGM documents none; these are on the safe side.
    """
    least = _LEAST_PROFILING if profiling else _LEAST
    if interval >= least:
        return None
    if interval < _LEAST:
        why = "no scrape comes that often, and asking the driver costs the node time"
    else:
        why = (
            "DCGM reads the counters of profiling metrics (DCGM_FI_PROF_) in groups with a least period of their own, and "
            "below a second values may be missing"
        )
    return f"metrics are collected every {interval} ms: {why}", least


def rejected(interval: str, timeout: str) -> str:
    """That Prometheus' operator drops a ServiceMonitor, in words."""
    return (
        f"the scrape interval of {interval} is shorter than the timeout, {timeout}: Prometheus' operator rejects the "
        "ServiceMonitor, and nothing is scraped"
    )


def _env(values: Json, name: str) -> tuple[Route, Json] | None:
    """The entry of dcgmExporter.env with that name, the last one where there are several: the route of its value, it."""
    found = None
    env = node_at(values, ENV)
    for position, entry in enumerate(env if isinstance(env, list) else ()):
        if isinstance(entry, Mapping) and entry.get("name") == name:
            found = (*ENV, position, "value"), entry.get("value")
    return found


def _effective(body: Body, route: Route) -> Json:
    """A value of the file, or else the chart's default; None where there is none or the chart is not known."""
    stated = node_at(body.data, route)
    if stated is not None or body.chart is None:
        return stated
    contract = contracts.load(body.chart.name, body.chart.version)
    return contract.default(route) if contract is not None else None


def _interval(body: Body) -> tuple[Route, int] | None:
    """The collection interval that the file states, in milliseconds."""
    found = _env(body.data, _INTERVAL)
    if found is None or not isinstance(found[1], str) or not _is_count(found[1]):
        return None
    return found[0], int(found[1])


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10 and (text == "0" or text[0] != "0")


def _is_operator(body: Body) -> bool:
    return body.chart is None or body.chart.name == "gpu-operator"


def _too_often(body: Body, _: Facts) -> Iterator[Hit]:
    found = _interval(body) if _is_operator(body) else None
    if found is None:
        return
    own_list = node_at(body.data, ("dcgmExporter", "config", "name")) or _env(body.data, _COLLECTORS)
    why = too_often(found[1], profiling=not own_list)
    if why is not None:
        yield Hit(found[0], why[0], f'value: "{why[1]}"')


def _repeated(body: Body, _: Facts) -> Iterator[Hit]:
    """Only where the file itself says something about scraping or collecting."""
    collect, route = _interval(body), (*MONITOR, "interval")
    stated = node_at(body.data, route)
    asked = node_at(body.data, SERVICE_MONITOR) is True or stated is not None or collect is not None
    if not _is_operator(body) or not asked or _effective(body, SERVICE_MONITOR) is not True:
        return
    scrape, every = milliseconds(_effective(body, route)), collect[1] if collect else COLLECT
    if scrape is None or not 0 < scrape < every:
        return
    where = route if stated is not None else collect[0] if collect is not None else SERVICE_MONITOR
    yield Hit(
        where,
        f"scraped every {duration(scrape)}{'' if stated is not None else ' (the chart)'} and collected every "
        f"{duration(every)}{'' if collect else ' (the exporter)'}: scrapes between two collections repeat what is known",
        f'env: [{{name: {_INTERVAL}, value: "{scrape}"}}], or serviceMonitor.interval: {duration(every)}',
    )


def _timeout(body: Body, _: Facts) -> Iterator[Hit]:
    if not _is_operator(body) or _effective(body, SERVICE_MONITOR) is not True:
        return
    routes: tuple[Route, Route] = (*MONITOR, "interval"), (*MONITOR, "scrapeTimeout")
    interval, timeout = (_effective(body, route) for route in routes)
    every, patience = milliseconds(interval), milliseconds(timeout)
    if every is None or patience is None or every >= patience:
        return
    stated = [node_at(body.data, route) is not None for route in routes]
    yield Hit(
        routes[0] if stated[0] else routes[1],
        rejected(interval, timeout if stated[1] else f"the {timeout} of the chart"),
        f"interval: {timeout}, or scrapeTimeout: {interval}",
    )


def _unreadable(body: Body, _: Facts) -> Iterator[Hit]:
    found = _env(body.data, _INTERVAL) if _is_operator(body) else None
    if found is None or not isinstance(found[1], str) or _is_count(found[1]):
        return  # what is no text at all is for the contract to say
    meant = milliseconds(found[1])
    yield Hit(
        found[0],
        f"{quoted(found[1])} is no number of milliseconds: the exporter does not start",
        f'value: "{meant or COLLECT}"',
    )


def _dead_list(body: Body, _: Facts) -> Iterator[Hit]:
    name, found = node_at(body.data, ("dcgmExporter", "config", "name")), _env(body.data, _COLLECTORS)
    if not name or found is None or found[1] == _MOUNTED or body.chart is None or not _is_operator(body):
        return
    if same_or_newer(body.chart.version, _ENV_LAST):
        yield Hit(
            found[0],
            f"{_COLLECTORS} is laid over what the operator sets for the ConfigMap {name}: its list is never read",
            f"remove the entry {_COLLECTORS}",
            ((("dcgmExporter", "config", "name"), "the list that is not read"),),
        )


def _files(check: FileCheck) -> Mapping[Kind, FileCheck]:
    return {"values": check}


TOO_OFTEN, REPEATED, TIMEOUT = _files(_too_often), _files(_repeated), _files(_timeout)
"""The adaptors to values of rules that judge sites as well."""

UNREADABLE = Rule(
    "GV741", "error", "Collection interval that the exporter cannot read", "0.1.0", files=_files(_unreadable)
)
DEAD_LIST = Rule(
    "GV749", "error", "Variable that takes the place of the metrics list", "0.1.0", files=_files(_dead_list)
)

RULES: tuple[Rule, ...] = (UNREADABLE, DEAD_LIST)
