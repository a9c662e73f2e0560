"""`--fix`: what is safe to correct in a file, corrected.

Safe is: quotes around a scalar that Go would misread where text is wanted; a key that upstream renamed, with its value
translated; and taking out a key that no template reads and that means nothing else. Of values whose version is a guess
only keys go that no version reads. What was misspelt or misplaced stays: its author meant something by it.

A correction stands only if the file then reads the same but for it, and has fewer errors and no new ones.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from genvalues import contracts, lint, source
from genvalues.contracts.contract import Contract
from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route
from genvalues.lint import edits, judged, objects, reading
from genvalues.lint.edits import Change
from genvalues.lint.part import Part
from genvalues.lint.parts import Asked
from genvalues.record import NamedTuple
from genvalues.wording import entry, quoted

Wanted = Callable[[str], bool]


class Corrected(NamedTuple):
    """A text with what is safe corrected; `text` is the old one where nothing is."""

    text: str
    changes: int


class _File(NamedTuple):
    """What the corrections of one file work with."""

    name: str
    facts: Facts
    today: date
    asked: Asked


def text(
    text: str,
    file: str,
    facts: Facts,
    today: date,
    *,
    as_kind: str = "",
    chart: str = "",
    extra_contracts: Sequence[str] = (),
    wanted: Wanted = lambda _: True,
) -> Corrected:
    """The corrected text of a file. `wanted` says which codes are to be corrected."""
    name, _, version = chart.partition("@")
    work = _File(file, facts, today, Asked(as_kind, name, version, tuple(extra_contracts)))
    done = 0
    for number in range(len(_read(text, work).parts)):
        parts = _read(text, work).parts
        changes = [change for code, change in _changes(parts[number], work) if wanted(code)]
        for attempt in (changes, *([one] for one in changes)) if len(changes) > 1 else [changes] if changes else []:
            if (new := _tried(text, work, number, attempt)) is not None:
                text, done = new, done + len(attempt)
                if attempt is changes:
                    break
    return Corrected(text, done)


def _read(text: str, work: _File) -> reading.Read:
    return reading.read(text, work.name, work.asked, {}, {})


def _tried(text: str, work: _File, number: int, changes: Sequence[Change]) -> str | None:
    """The text with the changes to one part; None where they cannot be made, or would do anything else as well."""
    before = _read(text, work)
    part = before.parts[number]
    if not all(change.route == () or (*part.inside, *change.route) in part.tree.origin for change in changes):
        return None
    made = edits.edits(part, changes)
    new = None if made is None else edits.apply(text, made)
    if new is None or new == text:
        return None
    after = _read(new, work)
    wanted = [
        edits.changed(one.body.data, changes) if index == number else one.body.data
        for index, one in enumerate(before.parts)
    ]
    if [one.body.data for one in after.parts] != wanted or _around(text, before) != _around(new, after):
        return None
    old, now = _errors(text, work), _errors(new, work)
    return new if now.total() < old.total() and now <= old else None


def _errors(text: str, work: _File) -> Counter[tuple[str, Route]]:
    """The errors in a text, by code and path."""
    asked = work.asked
    chart = f"{asked.chart}@{asked.version}" if asked.chart else ""
    found = lint.text(
        text, work.name, work.facts, work.today, as_kind=asked.kind, chart=chart, extra_contracts=asked.extra
    )
    return Counter((finding.code, finding.path) for finding in found.findings if finding.severity == "error")


def _around(text: str, read: reading.Read) -> list[Json]:
    """The documents of a text without the parts that are judged."""
    bases = {part.body.base for part in read.parts if not part.paths}
    return [_without(one.tree.data, (), bases) for one in source.read_all(text, "") if one.tree is not None]


def _without(data: Json, route: Route, bases: set[Route]) -> Json:
    if route in bases and route:
        return None
    if isinstance(data, dict):
        return (
            None
            if () in bases and not route
            else {key: _without(value, (*route, key), bases) for key, value in data.items()}
        )
    if isinstance(data, list):
        return [_without(value, (*route, index), bases) for index, value in enumerate(data)]
    return data


# What to change.


def _changes(part: Part, work: _File) -> Iterator[tuple[str, Change]]:
    """The safe corrections of a part, each with the code of the finding that it takes away."""
    if part.paths:
        return
    chart = part.body.chart
    if part.body.kind == "values" and chart is not None:
        contract = contracts.load(chart.name, chart.version, work.asked.extra)
        for hit in contract.check(part.body.data, part.raw) if contract else ():
            if hit.verdict == "mistyped":
                yield from (("GV905", change) for change in _quoted(part, hit.route, hit))
            elif hit.verdict == "ignored" and contract and judged.counts(part, hit):
                yield from (("GV901", change) for change in _dead(part, hit, contract, work))
    for hit in objects.hits(part):
        if hit.verdict == "mistyped":
            yield from (("GV905", change) for change in _quoted(part, hit.route, hit))
    if part.body.kind == "node-feature-rule":
        yield from _words(part, work)


def _quoted(part: Part, route: Route, hit: Hit | None) -> Iterator[Change]:
    """A plain scalar in quotes, where that is what the finding asks for."""
    raw, value = part.raw(route), part.value(route)
    if raw is None or isinstance(value, (str, dict, list)) or value is None:
        return
    if hit is None or hit.fix == entry(route, quoted(raw)):
        yield Change(route, str(route[-1]), raw)


def _words(part: Part, work: _File) -> Iterator[tuple[str, Change]]:
    """Scalars of a rule that readers disagree on: all of a NodeFeatureRule is text."""
    for one in source.read_all(part.tree.texts[work.name], work.name):
        for finding in one.findings if one.tree is not None and one.tree.origin == part.tree.origin else ():
            route = finding.path[len(part.body.base) :]
            if finding.code in ("GV010", "GV011") and finding.path[: len(part.body.base)] == part.body.base:
                yield from ((finding.code, change) for change in _quoted(part, route, None))


def _dead(part: Part, hit: Hit, contract: Contract, work: _File) -> Iterator[Change]:
    route = hit.route
    if part.assumed and not _dead_everywhere(part, route, work):
        return
    moved = contract.moved(route)
    removed = hit.fix.startswith("remove ") and (moved is None or moved[1].path is None)
    if removed:
        yield Change(route)
    elif moved is not None and moved[0] == route and moved[1].path is not None:
        yield from _renamed(part, route, moved[1].path, moved[1].values, contract)


def _renamed(part: Part, route: Route, path: str, values: Json, contract: Contract) -> Iterator[Change]:
    """A key that upstream renamed: one that a version read, next to the new one."""
    target: Route = tuple(path.split("."))
    _, until = contract.life(".".join(str(step) for step in route))
    if until is None:
        return
    if part.value(target) is not None:
        yield Change(route)
    elif target[:-1] == route[:-1]:
        value = part.value(route)
        pairs = [(old, new) for old, new in values or () if old == value and type(old) is type(value)]
        if values is None or pairs:
            yield Change(route, str(target[-1]), pairs[0][1] if pairs else value)


def _dead_everywhere(part: Part, route: Route, work: _File) -> bool:
    """Whether no version that is known reads a key."""
    chart = part.body.chart.name if part.body.chart else ""
    for version in contracts.known(work.asked.extra).get(chart, ()):
        contract = contracts.load(chart, version, work.asked.extra)
        ignored = (
            {hit.route for hit in contract.check(part.body.data, part.raw) if hit.verdict == "ignored"}
            if contract
            else set()
        )
        if route not in ignored:
            return False
    return True
