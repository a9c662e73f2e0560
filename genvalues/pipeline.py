"""From a site file to findings and a rendering: the steps in their order, each doing one thing.

    read and merge -> shape -> model -> plan -> rules over the site -> artefacts -> rules over the files -> texts

A step runs only if the ones before it found no error; nothing here writes.
"""

import os.path
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from genvalues import artefacts, attachments, emit, extends, header, index, judge, shape
from genvalues import model as models
from genvalues.document import Doc
from genvalues.facts import Facts
from genvalues.finding import Finding, Hit, Related, Route, format_route
from genvalues.index import About
from genvalues.model import Site
from genvalues.place import Tree, place
from genvalues.plan import Plan, resolve
from genvalues.record import NamedTuple
from genvalues.rules import ALL, acceptance
from genvalues.rules.operator_overrides import said_by
from genvalues.rules.rule import Body, Case, Rule


class Checked(NamedTuple):
    """What is known of a site after checking. `docs` is empty as soon as there is an error."""

    path: str
    findings: tuple[Finding, ...]
    accepted: int = 0
    tree: Tree | None = None
    site: Site | None = None
    plan: Plan | None = None
    docs: tuple[Doc, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no error, so that it may be rendered."""
        return self.plan is not None and not has_errors(self.findings)


def has_errors(findings: Sequence[Finding]) -> bool:
    """Whether one of the findings is an error."""
    return any(finding.severity == "error" for finding in findings)


def check(
    path: str,
    facts: Facts,
    today: date,
    *,
    allow_outside: bool = False,
    read: Callable[[str], bytes] = extends.read_raw,
) -> Checked:
    """Everything that can be said of a site file: reading, shape, rules over the site and over what it renders to."""
    loaded = extends.load(path, allow_outside=allow_outside, read=read)
    tree, found = loaded.tree, list(loaded.findings)
    if any(finding.code in ("GV010", "GV011") for finding in found):
        from genvalues import misread  # noqa: PLC0415  reads the schema for its words

        found = misread.fitted(found)
    if tree is None or any(finding.code < "GV01" for finding in found):
        return Checked(path, tuple(found), tree=tree)
    found += shape.check(tree, found)
    if tree.data.get("kind") == "Base":
        return Checked(path, tuple(found), tree=tree)
    if has_errors(found):
        return Checked(path, tuple(found), tree=tree)
    attached = attachments.read(tree, loaded.root)
    found += attached.findings
    return _judge(path, tree, models.build(tree.data, attached.ca_text), facts, today, found)


def _judge(path: str, tree: Tree, site: Site, facts: Facts, today: date, found: list[Finding]) -> Checked:
    """The rules, with acceptances applied; over the files only where the site itself is in order."""
    plan = resolve(site, facts, path)
    hits = [*judge.site(Case(site, plan, facts, today))]
    docs = artefacts.documents(plan) if plan.operator.known and plan.nfd.known else ()
    blocked = _holds_error(hits)
    said = {(rule.code, hit.route) for rule, hit in hits}
    in_files = _judge_files(docs, facts, overrides_only=blocked)
    hits += [(rule, hit) for rule, hit in in_files if (rule.code, hit.route) not in said]
    remaining, accepted = acceptance.apply(site, hits, today, (rule.code for rule in ALL))
    if _holds_error(hits) and not _holds_error(remaining):
        reason = _unrenderable(Checked(path, (), accepted, tree, site, plan, docs))
        if reason is not None:
            remaining, accepted = [*hits, acceptance.in_vain(reason)], 0
    by_path = {doc.path: doc for doc in docs}
    found += [placed(rule, hit, tree, by_path, path) for rule, hit in remaining]
    return Checked(path, tuple(found), accepted, tree, site, plan, () if has_errors(found) else docs)


def _holds_error(hits: Sequence[tuple[Rule, Hit]]) -> bool:
    return any(rule.severity == "error" for rule, _ in hits)


def _unrenderable(checked: Checked) -> str | None:
    """What stands in the way of writing a site whose errors are all accepted, since it was them that kept it out."""
    if not checked.docs:
        return "no document can be made for charts that are not known"
    paths = [doc.path for doc in checked.docs]
    twice = next((path for path in paths if paths.count(path) > 1), None)
    if twice is not None:
        return f"{twice} would be written twice"
    try:
        index.check_paths(texts(checked))
    except ValueError as error:
        return str(error)
    return None


def _judge_files(docs: Sequence[Doc], facts: Facts, *, overrides_only: bool) -> Iterator[tuple[Rule, Hit]]:
    """Hits over rendered documents, at the routes of the site that caused them.

    With `overrides_only` just those about raw values of the site: what an error elsewhere does to the rest of the
    rendering is not worth a second finding. That a key of ours works without being documented is no news either.
    """
    owner = {(body.file, body.base): doc for doc in docs for body in judge.bodies(doc)}
    every = [body for doc in docs for body in judge.bodies(doc)]
    hits = [(body, rule, hit) for body in every for rule, hit in judge.body(body, facts)]
    hits += judge.together(every, facts)
    for body, rule, hit in hits:
        moved = at_site(owner[body.file, body.base], body, hit)
        ours = moved.route[:1] != ("overrides",)
        # A rule that judges sites has judged this one already; only what overrides write is news to it.
        if not ours or (not overrides_only and rule.site is None and hit.verdict != "undocumented"):
            yield rule, moved


def at_site(doc: Doc, body: Body, hit: Hit) -> Hit:
    """The hit at the line of the site that decided the value.

    Where an override switches off what the site decides, the override is the one to mend.
    """
    node = judge.node(doc, body, hit.route)
    route = _deciding(doc, body, node)
    related = tuple((_deciding(doc, body, other), text) for other, text in hit.related)
    culprit = next((other for other, _ in related if other[0] == "overrides"), None)
    if culprit is not None and route[0] != "overrides":
        route, related = culprit, ((route, "what the site decides here"),)
    related = tuple((other, text) for other, text in related if other != route)
    fix = _for_override(hit.fix, str(route[1])) if route[0] == "overrides" else hit.fix
    return hit._replace(route=route, fix=fix, related=related, rendered=(body.file, (*body.base, *node)))


def _for_override(fix: str, chart: str) -> str:
    """A fix in the chart's keys, for somebody who edits the site: the site's own key where it has one."""
    key = said_by(fix.partition(":")[0])
    return f"remove it, and say it by {key}" if key and chart == "gpuOperator" else f"under overrides.{chart}: {fix}"


def _deciding(doc: Doc, body: Body, node: Route) -> Route:
    """The line of the site that decided a node; that of the chart's version where nothing in the site did."""
    why = judge.reason(doc, body, node)
    if why and why.routes:
        return why.routes[0]
    return (
        "charts",
        "nodeFeatureDiscovery" if doc.chart and doc.chart.name == "node-feature-discovery" else "gpuOperator",
    )


def placed(rule: Rule, hit: Hit, tree: Tree, docs: Mapping[str, Doc], source: str) -> Finding:
    """The finding at its line of the site; one about the rendering names the rendered line as well."""
    finding = place(hit, rule.code, rule.severity, tree)
    if hit.rendered is None:
        return finding
    file, route = hit.rendered
    spot = emit.emit(docs[file], header.lines(source, docs[file].chart)).place(file, route)
    return finding._replace(related=(*finding.related, Related(spot, f"rendered as {format_route(route)}")))


def texts(checked: Checked) -> dict[str, str]:
    """The files of a rendering by their path in the site's folder. Only for a site without errors."""
    plan, source = _rendered(checked), os.path.basename(checked.path)
    files = {doc.path: emit.emit(doc, header.lines(source, doc.chart)).text for doc in checked.docs}
    for text in artefacts.texts(plan):
        files[text.path] = header.above(text, header.lines(source))
    return files


def about(checked: Checked) -> About:
    """What the index says of a rendering."""
    plan = _rendered(checked)
    charts: Mapping[str, str] = {chart.chart.name: chart.chart.version for chart in (plan.operator, plan.nfd)}
    return About(plan.site, os.path.basename(checked.path), charts)


def _rendered(checked: Checked) -> Plan:
    if checked.plan is None or not checked.ok:
        raise ValueError(f"{checked.path} has errors and is not rendered")
    return checked.plan
