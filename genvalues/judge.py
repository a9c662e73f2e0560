"""Runs rules: over a site, and over the bodies of files. Pure; the only place that knows all adaptors."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from genvalues import contracts, emit
from genvalues.contracts.contract import Raw
from genvalues.document import Doc, Kind, Why
from genvalues.facts import Facts
from genvalues.finding import Hit, Route
from genvalues.rules import ALL
from genvalues.rules.output import BY_VERDICT
from genvalues.rules.rule import Body, Case, FileCheck, Rule

Found = tuple[Rule, Hit]


def site(case: Case, rules: Iterable[Rule] = ALL) -> Iterator[Found]:
    """What the rules say of a site. The same words at the same route are said once, for all pools together."""
    for rule in rules:
        if rule.site is None:
            continue
        hits: dict[tuple[Route, str], Hit] = {}
        for hit in rule.site(case):
            known = hits.get((hit.route, hit.message))
            merged = hit if known is None else known._replace(pools=(*known.pools, *hit.pools))
            hits[hit.route, hit.message] = merged
        yield from ((rule, hit) for hit in hits.values())


def body(
    judged: Body, facts: Facts, rules: Iterable[Rule] = ALL, *, raw: Raw | None = None, extra: Sequence[str] = ()
) -> Iterator[Found]:
    """What the rules say of one body; chart values are held against their chart's contract as well.

    `raw` gives a scalar as typed, `extra` are further folders of contracts: see `contracts`.
    """
    if judged.kind == "values" and judged.chart is not None:
        contract = contracts.load(judged.chart.name, judged.chart.version, extra)
        for hit in contract.check(judged.data, raw) if contract else ():
            yield BY_VERDICT[hit.verdict or "refused"], hit
    for rule, check in _of_kind(judged.kind) if rules is ALL else _checks(rules, judged.kind):
        yield from ((rule, hit) for hit in check(judged, facts))


@cache
def _of_kind(kind: Kind) -> tuple[tuple[Rule, FileCheck], ...]:
    """The few rules that judge bodies of a kind, with what they judge them by."""
    return tuple(_checks(ALL, kind))


def _checks(rules: Iterable[Rule], kind: Kind) -> Iterator[tuple[Rule, FileCheck]]:
    return ((rule, rule.files[kind]) for rule in rules if kind in rule.files)


def together(bodies: Sequence[Body], facts: Facts, rules: Iterable[Rule] = ALL) -> Iterator[tuple[Body, Rule, Hit]]:
    """What the rules say of several bodies that belong together."""
    for rule in rules:
        if rule.across is not None:
            yield from ((judged, rule, hit) for judged, hit in rule.across(bodies, facts))


def bodies(doc: Doc) -> Iterator[Body]:
    """The bodies of a rendered document: its own, and those embedded in it."""
    yield Body(doc.kind, doc.body, doc.path, (), doc.chart)
    for route, inner in doc.embedded.items():
        chart = inner.chart or doc.chart
        if inner.kind != "dcgm-csv":
            yield Body(inner.kind, inner.body, doc.path, route, chart)
        elif (text := _csv(inner)) is not None:
            yield Body(inner.kind, text, doc.path, route, chart)


def _csv(doc: Doc) -> str | None:
    """The text of a CSV document; None where it has none, since a cell is not printable (GV712 says so)."""
    try:
        return emit.csv(doc)
    except ValueError:
        return None


def node(doc: Doc, judged: Body, route: Route) -> Route:
    """The route in the document of a body that a rule calls `route`: a line of a CSV is one of its rows, or all of it."""
    inner = doc.embedded.get(judged.base)
    if inner is None or inner.kind != "dcgm-csv" or not route:
        return route
    lines = emit.emit(inner).lines
    return next((known for known, line in lines.items() if len(known) > 1 and line - 1 == route[0]), ())


def reason(doc: Doc, judged: Body, route: Route) -> Why | None:
    """Who decided the node at `route` of a body of `doc`: itself, what is above it, or else the first thing below it."""
    inner = doc.embedded.get(judged.base)
    if inner is not None:
        return inner.reason(route) or _below(inner, route) or doc.reason(judged.base)
    return doc.reason(route) or _below(doc, route)


def _below(doc: Doc, route: Route) -> Why | None:
    return next((why for known, why in doc.why.items() if known[: len(route)] == route), None)
