"""One path's record: what its sites, the kinds that it fills and values.yaml say of it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from contract_conditions import TRUE, Dnf, Path, some, without_self
from contract_defaults import join, kind, shipped, spell, value
from contract_scan import Scan, Site
from contract_schema import CORE, CORE_TYPES, Field, Kind, below

Record = dict[str, Any]


class Subject(NamedTuple):
    """A chart to be built: what was read of it. `conditions` maps a subchart's key to the path that switches it.

    `referred` are keys of subcharts that have a contract of their own. `schema` are fields of values.schema.json.
    """

    scan: Scan
    kinds: Mapping[str, Kind]
    defaults: Mapping[str, Any]
    conditions: Mapping[str, Path]
    referred: frozenset[str]
    schema: Mapping[str, Field]


class Shapes:
    """Names for shapes, in the order in which they come up."""

    def __init__(self) -> None:
        self._shapes: dict[str, str] = {}

    def shape(self, wish: str, fields: Mapping[str, Field]) -> str:
        text = json.dumps(fields, sort_keys=True)
        if text not in self._shapes:
            taken = set(self._shapes.values())
            self._shapes[text] = next(name for name in (wish, *(f"{wish}{n}" for n in range(2, 99))) if name not in taken)
        return self._shapes[text]

    def shapes(self) -> dict[str, Any]:
        return {name: json.loads(text) for text, name in sorted(self._shapes.items(), key=lambda item: item[1])}


def make(path: Path, sites: Sequence[Site], subject: Subject, table: Shapes) -> Record:
    """The record of a path that templates read."""
    record: Record = {}
    field = _field(sites, subject)
    schema = subject.schema.get(join(path))
    default = value(subject.defaults, path)
    stated = field or schema
    record["type"] = stated["type"] if stated else kind(default) if default is not None else _guess(path, sites)
    if not stated:
        record["loose"] = True
    if "[]" not in path and "*" not in path and shipped(subject.defaults, path):
        record["default"] = default
    for key in ("enum", "pattern", "minimum", "maximum"):
        if key in (values := {**(field or {}), **(schema or {})}):
            record[key] = values[key]
    if field and "default" in field:
        record["fallback"] = field["default"]
    if targets := _targets(path, sites):
        record["to"] = targets
    if field is None and _lost(sites, subject.kinds):
        record["lost"] = True
    record |= _block(path, sites, subject, table) | _printing(path, sites)
    if when := spell(acts(path, sites)):
        record["when"] = when
    return record


def acts(path: Path, sites: Sequence[Site]) -> Dnf:
    """When a path has an effect of its own; checksums and guards of the render have none."""
    found = some(without_self(site.when, path) for site in sites if site.use not in {"hash", "guard"})
    return found or some(without_self(site.when, path) for site in sites) or TRUE


def _field(sites: Sequence[Site], subject: Subject) -> Field | None:
    """The CRD field that a path fills, where it fills one alone."""
    found: Field | None = None
    for site in sites:
        if site.target and site.use in {"bare", "quoted", "yaml"}:
            kind, _, place = site.target.partition(":")
            field = subject.kinds[kind].fields.get(place) if kind in subject.kinds else None
            if field and place.startswith("spec"):
                found = {**field, **found} if found else dict(field)
    return found


def _lost(sites: Sequence[Site], kinds: Mapping[str, Kind]) -> bool:
    """Whether all that is printed goes to fields that the chart's own CRDs do not have."""
    printed = [site.target.partition(":") for site in sites if site.target]
    return bool(printed) and all(
        kind in kinds and place.startswith("spec") and not _has(kinds[kind].fields, place) for kind, _, place in printed
    )


def _has(fields: Mapping[str, Field], place: str) -> bool:
    """Whether a field exists, or lies below one that takes anything."""
    while place not in fields:
        place = place.rpartition(".")[0] if not place.endswith("[]") else place[:-2]
        if not place:
            return False
        if place in fields:
            return fields[place]["type"] == "any" or f"{place}.*" in fields
    return True


def _guess(path: Path, sites: Sequence[Site]) -> str:
    names = [site.target.rpartition(".")[2] for site in sites if site.target and site.use == "yaml"]
    kinds = {CORE_TYPES[name] for name in names if name in CORE_TYPES}
    if len(kinds) == 1:
        return kinds.pop() if path[-1] != "[]" else "object"
    uses = {site.use for site in sites} - {"test", "guard", "hash"}
    if not uses:
        return "boolean"
    return "array" if "range" in uses else "any" if "yaml" in uses else "scalar"


def _targets(path: Path, sites: Sequence[Site]) -> list[str]:
    """Where a path goes; "=" is short for the field of the ClusterPolicy of the same name."""
    same = f"ClusterPolicy:spec.{join(path)}"
    targets = {site.target for site in sites if site.target}
    short = sorted("=" if target == same else str(target) for target in targets)
    # A name that is woven into every label says nothing; keep what a reader can use.
    return short if len(short) <= 6 else []


def _block(path: Path, sites: Sequence[Site], subject: Subject, table: Shapes) -> Record:
    whole = [site for site in sites if site.use == "yaml"]
    if not whole:
        return {}
    record: Record = {"block": spell(some(without_self(site.when, path) for site in whole))}
    fields: dict[str, Field] = {}
    for site in whole:
        kind, _, place = (site.target or "").partition(":")
        if kind in subject.kinds and place.startswith("spec"):
            fields = {**below(subject.kinds[kind].fields, place), **fields}
        elif kind and (core := CORE.get(place.rpartition(".")[2])) is not None:
            element = path[-1] == "[]" and not place.endswith("[]")
            fields = {**({name[2:].removeprefix("."): one for name, one in core.items()} if element else core), **fields}
    if fields:
        record["shape"] = table.shape(_wish(path, fields), fields)
    return record


_PLAIN = {'{"[]": {"type": "string"}}': "strings", '{"*": {"type": "string"}}': "string-map", '{"name": {"type": "string"}}': "name"}


def _wish(path: Path, fields: Mapping[str, Field]) -> str:
    if (plain := _PLAIN.get(json.dumps(fields))) is not None:
        return plain
    names = [step for step in path if step not in {"[]", "*"}]
    return names[-1] if len(names) < 2 or names[-1] not in {"config", "data"} else f"{names[-2]}-{names[-1]}"


def _printing(path: Path, sites: Sequence[Site]) -> Record:
    """How scalars are printed: what a wrong type, a null or an empty value leads to."""
    record: Record = {}
    bare = [site for site in sites if site.use == "bare"]
    if bare:
        record["bare"] = spell(some(without_self(site.when, path) for site in bare))
    if any(site.use in {"quoted", "text"} for site in sites):
        record["text"] = True
    empty = [site.when for site in bare if not site.covered and not _guarded(site.when, path)]
    if empty:
        record["null"] = spell(some(empty))
    printed = [site for site in sites if site.use in {"bare", "quoted", "text"}]
    if printed and all(_guarded(site.when, path) or (site.covered and not site.instead) for site in printed):
        record["guarded"] = True
    if any(site.use == "test" and site.alters for site in sites):
        record["alters"] = True
    if any(site.strict for site in sites):
        record["strict"] = True
    if instead := next((site.instead for site in sites if site.instead), None):
        record["instead"] = instead
    return record


def _guarded(when: Dnf, path: Path) -> bool:
    return all(any(atom.path == path and atom.op in {"set", "not"} for atom in one) for one in when)


_ORDER = (
    "type", "read", "lost", "default", "shipped", "loose", "enum", "pattern", "minimum", "maximum", "fallback", "to", "when",
    "block", "shape", "bare", "text", "guarded", "null", "nil", "map", "alters", "strict", "instead",
)  # fmt: skip


def ordered(record: Record) -> Record:
    """A record as it is written: in one order, without what says nothing."""
    if record["type"] not in {"boolean", "any"}:
        record.pop("alters", None)
    for key in ("block", "bare", "null", "nil", "map"):
        if record.get("when") and record.get(key) == record["when"]:
            record[key] = "="
    return {key: record[key] for key in _ORDER if key in record}
