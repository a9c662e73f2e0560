"""Rules about single metrics of DCGM exporter: those that a site adds and drops, and the rows of a CSV."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from genvalues import contracts
from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Json
from genvalues.rules import dcgm_hardware, dcgm_list
from genvalues.rules.dcgm_csv import Row, read
from genvalues.rules.dcgm_fields import Exporter, Verdict, exporter, judge_field, judge_type, unknown_type
from genvalues.rules.dcgm_list import added, dropped, exporter_of
from genvalues.rules.rule import Body, Case, FileCheck, Rule, rule
from genvalues.wording import cut, quoted

# The key that the operator mounts, and the one that the exporter's own chart and its flag -m read.
_KEY, _OTHER_KEY = "dcgm-metrics.csv", "metrics"
_ROW = r"(?m)^ *(?:DCGM_(?:FI|EXP)_[A-Z0-9_]+|dcgm_[a-z0-9_]+) *, *[a-z]+ *,"


def _rows(code: str) -> Mapping[Kind, FileCheck]:
    """The adaptor of a rule about single rows to the CSV."""
    return {"dcgm-csv": partial(_row_hits, code)}


def _row_hits(code: str, body: Body, facts: Facts) -> Iterator[Hit]:
    for row, verdict in _verdicts(body.data, exporter_of(body, facts), facts):
        if verdict.code == code:
            yield Hit((row.line,), verdict.message, _row_fix(row, verdict))


@lru_cache(maxsize=8)  # seven rules ask for the same list
def _verdicts(text: str, using: Exporter | None, facts: Facts) -> tuple[tuple[Row, Verdict], ...]:
    """What is wrong with the rows of a text: with the field, and apart from that with the type."""
    found = []
    for row in read(text).rows:
        kind = unknown_type(row.field, row.type, facts) or judge_type(row.field, row.type, facts)
        found += [(row, verdict) for verdict in (judge_field(row.field, using, facts), kind) if verdict is not None]
    return tuple(found)


def _row_fix(row: Row, verdict: Verdict) -> str:
    if verdict.name is None and verdict.type is None:
        return "remove the row" + (f", or use GPU Operator {verdict.since} or newer" if verdict.since else "")
    name, kind = verdict.name or row.field, verdict.type or row.type
    if "," in row.help or '"' in row.help:
        escaped = row.help.replace('"', '""')
        return cut(f'{name},{kind},"{escaped}"')
    return cut(f"{name}, {kind}, {row.help}".rstrip())


def _site_hits(code: str, case: Case) -> Iterator[Hit]:
    """The hits of one rule about single fields that the site adds; types only where they take effect (GV706)."""
    groups = case.plan.monitoring.groups
    rows = {row.field for group in groups.value if group.title == "added" for row in group.rows} if groups else set()
    using = exporter(case.plan.operator.chart.version, case.facts)
    for route, metric, mapping in added(case):
        verdict = judge_field(metric.field, using, case.facts)
        step = "field"
        if verdict is None and metric.type is not None and metric.field in rows:
            verdict, step = judge_type(metric.field, metric.type, case.facts), "type"
        if verdict is None or verdict.code != code:
            continue
        where = (*route, step) if mapping else route
        related = ((("charts", "gpuOperator"), "the operator's version"),) if code == "GV701" else ()
        yield Hit(where, verdict.message, _site_fix(verdict, mapping=mapping), related)


def _site_fix(verdict: Verdict, *, mapping: bool) -> str:
    if verdict.name is not None:
        return f"field: {verdict.name}" if mapping else f"- {verdict.name}"
    if verdict.type is not None:
        return f"type: {verdict.type}"
    return "remove the entry" + (f", or charts.gpuOperator: {newer}" if (newer := _chart_from(verdict.since)) else "")


def _chart_from(since: str | None) -> str | None:
    """The first operator version that a site may name from one on which facts tell of; None where there is none."""
    known = contracts.known().get("gpu-operator", ())
    return next((one for one in known if since is not None and same_or_newer(one, since)), None)


@rule("GV700", "error", "Unknown DCGM field", files=_rows("GV700"))
def unknown_field(case: Case) -> Iterator[Hit]:
    yield from _site_hits("GV700", case)
    for route, name in dropped(case):
        if case.facts.dcgm_field(name) is None:
            verdict = judge_field(name, exporter(case.plan.operator.chart.version, case.facts), case.facts)
            near = verdict.name if verdict is not None else None
            yield Hit(
                route, f"DCGM has no field {name}, so nothing is dropped", f"- {near}" if near else "remove the entry"
            )


@rule("GV701", "error", "DCGM field that the operator's exporter does not know", files=_rows("GV701"), needs="version")
def field_of_other_release(case: Case) -> Iterator[Hit]:
    yield from _site_hits("GV701", case)


@rule("GV702", "error", "DCGM field that no CSV can hold", files=_rows("GV702"))
def unfit_field(case: Case) -> Iterator[Hit]:
    yield from _site_hits("GV702", case)


@rule("GV703", "error", "Text field collected as a number", files=_rows("GV703"))
def text_as_number(case: Case) -> Iterator[Hit]:
    yield from _site_hits("GV703", case)


@rule("GV704", "warning", "Metric type that does not fit the field", files=_rows("GV704"))
def misdeclared_field(case: Case) -> Iterator[Hit]:
    yield from _site_hits("GV704", case)


@rule("GV712", "error", "Help text that the CSV cannot hold")
def unwritable_help(case: Case) -> Iterator[Hit]:
    for route, metric, _ in added(case):
        text = metric.help or ""
        wrong = next((sign for sign in text if not (sign.isascii() and sign.isprintable())), None)
        if wrong is not None:
            yield Hit(
                (*route, "help"),
                f"the help text holds {quoted(wrong)}, and the CSV is written in printable ASCII, on one line a metric",
                f"help: {quoted(_plain(text))}",
            )


def _plain(text: str) -> str:
    """A text in printable ASCII: letters without their marks, blanks for line breaks, nothing for the rest."""
    import unicodedata  # noqa: PLC0415  only where a help text is wrong

    marked = unicodedata.normalize("NFKD", " ".join(text.split()))
    return "".join(sign for sign in marked if sign.isascii() and sign.isprintable())


def _syntax(body: Body, _: Facts) -> Iterator[Hit]:
    for fault in read(body.data).faults:
        yield Hit((fault.line,), fault.message, fault.fix)


ROW_SYNTAX = Rule("GV713", "error", "CSV row that DCGM exporter cannot take", "0.1.0", files={"dcgm-csv": _syntax})
UNKNOWN_TYPE = Rule("GV714", "error", "Metric type that DCGM exporter does not know", "0.1.0", files=_rows("GV714"))


def _other_key(body: Body, _: Facts) -> Iterator[Hit]:
    data: Json = body.data.get("data") if isinstance(body.data, Mapping) else None
    if not isinstance(data, Mapping) or _KEY in data:
        return
    for key, text in data.items():
        if not isinstance(text, str) or re.search(_ROW, text) is None:
            continue
        reader = "the exporter's own chart and its flag -m read" if key == _OTHER_KEY else "nothing reads"
        yield Hit(
            ("data", key),
            f"this is a list of DCGM metrics under the key {key}, which {reader}: for the GPU Operator it has to be "
            f"{_KEY}, or the exporter's pods wait for it without end",
            f"{_KEY}: |"
            if key != _OTHER_KEY
            else f"{_KEY}: | for the GPU Operator; as it is for the exporter's own chart",
            at="key",
        )


OTHER_KEY = Rule(
    "GV715",
    "warning",
    "Metrics list under a key that the operator does not mount",
    "0.1.0",
    files={"config-map": _other_key},
)

RULES: tuple[Rule, ...] = (
    unknown_field,
    field_of_other_release,
    unfit_field,
    text_as_number,
    misdeclared_field,
    *dcgm_list.RULES,
    *dcgm_hardware.RULES,
    unwritable_help,
    ROW_SYNTAX,
    UNKNOWN_TYPE,
    OTHER_KEY,
)
