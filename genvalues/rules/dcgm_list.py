"""Rules about the list of metrics as a whole: what stands in it twice or in vain, how long it is, and whether it is empty."""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.finding import Hit, Route
from genvalues.model import DcgmMetric
from genvalues.plan.monitoring import DCGM
from genvalues.rules.dcgm_csv import read
from genvalues.rules.dcgm_fields import MOST, Exporter, exporter, judge_field, most_watched, twice
from genvalues.rules.rule import Body, Case, Rule, rule

_ADD: Route = (*DCGM, "add")
_DROP: Route = (*DCGM, "drop")


def exporter_of(body: Body, facts: Facts) -> Exporter | None:
    """The exporter that a CSV is for; None where that is not known."""
    return exporter(body.chart.version, facts) if body.chart is not None and body.chart.name == "gpu-operator" else None


def added(case: Case) -> Iterator[tuple[Route, DcgmMetric, bool]]:
    """The metrics that the site adds: the route of each, and whether it is written as a mapping."""
    stated = case.site.monitoring
    raw = case.site.data["monitoring"]["dcgm"].get("add", ()) if stated and stated.dcgm else ()
    for position, metric in enumerate(stated.dcgm.add if stated and stated.dcgm else ()):
        yield (*_ADD, position), metric, not isinstance(raw[position], str)


def dropped(case: Case) -> Iterator[tuple[Route, str]]:
    """The fields that the site drops, with their routes."""
    stated = case.site.monitoring
    for position, name in enumerate(stated.dcgm.drop if stated and stated.dcgm else ()):
        yield (*_DROP, position), name


def _twice_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    using = exporter_of(body, facts)
    rows = [row for row in read(body.data).rows if judge_field(row.field, using, facts) is None]
    for position, earlier, message in twice((row.field for row in rows), facts):
        yield Hit((rows[position].line,), message, "remove the row", (((rows[earlier].line,), "the first row"),))


@rule("GV705", "warning", "DCGM field collected twice", files={"dcgm-csv": _twice_in_file})
def field_twice(case: Case) -> Iterator[Hit]:
    """Two names of one field; that one name stands twice has no effect (GV706)."""
    using = exporter(case.plan.operator.chart.version, case.facts)
    names = [one for one in case.plan.monitoring.collected if judge_field(one, using, case.facts) is None]
    routes = {metric.field: route for route, metric, _ in added(case)}
    ordered = [name for name in names if name not in routes] + [name for name in names if name in routes]
    for position, earlier, message in twice(ordered, case.facts):
        route = routes.get(ordered[position])
        if route is not None:
            yield Hit(route, message, f"remove {ordered[position]}, or drop: [{ordered[earlier]}]")


@rule("GV706", "warning", "Added metric without effect")
def added_in_vain(case: Case) -> Iterator[Hit]:
    groups = case.plan.monitoring.groups
    brought = (
        {row.field: (group.title, row.type) for group in groups.value if group.title != "added" for row in group.rows}
        if groups is not None
        else {}
    )
    out = {name: route for route, name in dropped(case)}
    first: dict[str, Route] = {}
    using = exporter(case.plan.operator.chart.version, case.facts)
    for route, metric, _ in added(case):
        name = metric.field
        if judge_field(name, using, case.facts) is not None:
            continue
        if name in out:
            message, place = f"{name} is added here and dropped as well, and drop wins", (out[name], "dropped here")
        elif name in brought:
            preset, kind = brought[name]
            lost = f"; its row stays as the preset has it, a {kind}" if metric.type or metric.help else ""
            message, place = f"the preset {preset} has {name} already{lost}", ((*DCGM, "presets"), f"preset {preset}")
        elif name in first:
            message, place = f"{name} is added already", (first[name], "the first entry, which counts")
        else:
            first[name] = route
            continue
        yield Hit(route, message, "remove the entry", (place,))


@rule("GV707", "warning", "Dropped metric that nothing brings")
def dropped_in_vain(case: Case) -> Iterator[Hit]:
    stated = case.site.monitoring
    if stated is None or stated.dcgm is None:
        return
    using = exporter(case.plan.operator.chart.version, case.facts)
    presets = stated.dcgm.presets or ("default",)
    brought = {name for one in presets for name in case.facts.dcgm_preset(one, using.accepted if using else None)}
    added = {metric.field for metric in stated.dcgm.add}
    for route, name in dropped(case):
        if name in brought or name in added or case.facts.dcgm_field(name) is None:
            continue
        spelling = next((one for one in brought if _same_field(one, name, case.facts)), None)
        message = f"none of the presets {', '.join(presets)} brings {name}"
        yield Hit(
            route,
            f"{message}; it is called {spelling} there" if spelling else message,
            f"- {spelling}" if spelling else "remove the entry",
        )


def _same_field(one: str, other: str, facts: Facts) -> bool:
    field = facts.dcgm_field(one)
    return field is not None and other in field.aliases


def _too_many(names: tuple[str, ...], facts: Facts) -> str | None:
    entity, count = most_watched(names, facts)
    if count <= MOST:
        return None
    return f"{count} fields of the {entity} are collected, and DCGM takes {MOST} at once: the exporter's request for them fails"


def _too_many_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    message = _too_many(tuple(row.field for row in read(body.data).rows), facts)
    if message is not None:
        yield Hit((), message, f"remove rows until {MOST} are left")


@rule("GV708", "error", "More DCGM fields than one group holds", files={"dcgm-csv": _too_many_in_file})
def too_many_fields(case: Case) -> Iterator[Hit]:
    message = _too_many(case.plan.monitoring.collected, case.facts)
    if message is not None:
        yield Hit(_ADD, message, f"remove entries until {MOST} are left")


def _empty_file(body: Body, _: Facts) -> Iterator[Hit]:
    found = read(body.data)
    if not found.rows and not found.faults:
        message = "the list has no row: the exporter starts, and gives no metric at all"
        yield Hit((), message, "DCGM_FI_DEV_GPU_TEMP, gauge, GPU temperature (C)")


@rule("GV710", "error", "Metrics list without a metric", files={"dcgm-csv": _empty_file})
def no_metric_left(case: Case) -> Iterator[Hit]:
    groups = case.plan.monitoring.groups
    if groups is not None and not groups.value:
        yield Hit(
            _DROP if any(dropped(case)) else DCGM,
            "nothing is left of the presets: the exporter would give no metric at all",
            "drop fewer fields, or remove monitoring.dcgm",
        )


@rule("GV711", "warning", "Preset that brings no metric")
def preset_in_vain(case: Case) -> Iterator[Hit]:
    stated, groups = case.site.monitoring, case.plan.monitoring.groups
    if stated is None or stated.dcgm is None or groups is None or not groups.value:
        return
    using = exporter(case.plan.operator.chart.version, case.facts)
    brought = {group.title for group in groups.value}
    for position, preset in enumerate(stated.dcgm.presets):
        if preset in brought:
            continue
        known = case.facts.dcgm_preset(preset, using.accepted if using is not None else None)
        if not known:
            why = f"{using} knows none of its fields"
        elif set(known) <= set(stated.dcgm.drop):
            why = "all of its fields are dropped"
        else:
            why = "other presets have all of its fields that are not dropped"
        yield Hit((*DCGM, "presets", position), f"the preset {preset} brings nothing: {why}", "remove it")


RULES: tuple[Rule, ...] = (
    field_twice,
    added_in_vain,
    dropped_in_vain,
    too_many_fields,
    no_metric_left,
    preset_in_vain,
)
