"""One chart version's contract, from the sites of its templates, its kinds and its values.yaml.

The form of the result is what genvalues/contracts/contract.py reads:

    paths   values path -> record; one line each in the file, so that a new chart version is a readable diff
    shapes  name -> what lies below a block that goes out whole, as relative path -> field; shared among paths
    guards  conditions under which the chart stops the render, with its message

A condition is spelt `a & !b | c == 1`: alternatives of tests on values; "" is "always", and "=" as in `when`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from contract_conditions import TRUE, Atom, Dnf, Path, certain, decided, in_order, some, without_self
from contract_scan import Guard, Scan, Site
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


def build(subject: Subject) -> dict[str, Any]:
    """Paths, shapes and guards of the contract."""
    table = _Shapes()
    by_path = _sites_by_path(subject)
    records = {path: _record(path, sites, subject, table) for path, sites in by_path.items()}
    _inherit(records, by_path)
    leaves = {path: value for path, value in _leaves(subject.defaults, subject.referred).items() if not _inside(path, by_path)}
    for path in _containers([*by_path, *leaves]):
        record = records.setdefault(path, {"type": "object", "read": "container"})
        if descents := _descents(path, by_path):
            record["type"] = "object"
            if "block" not in record and (*path, "*") not in by_path:
                record.pop("default", None)
        record |= descents
    for path, value in leaves.items():
        if path not in records:
            records[path] = {"type": _kind(value), "default": value, "read": "never"}
    for name, field in subject.schema.items():
        path = tuple(name.removesuffix("[]").split("."))
        if name.endswith("[]") and path in records:
            records.setdefault((*path, "[]"), {**field})
    for path, record in records.items():
        if not _shipped(subject.defaults, path):
            record["shipped"] = False
    return {
        "shapes": table.shapes(),
        "guards": [{"when": spell(guard.when), "message": guard.message} for guard in _guards(subject.scan)],
        "paths": {join(path): _ordered(records[path]) for path in sorted(records)},
    }


class _Shapes:
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


def join(path: Path) -> str:
    """The spelling of a path in a contract: dots inside keys escaped, "[]" and ".*" for elements."""
    text = ""
    for step in path:
        text += step if step == "[]" else f".{step}" if text else step
    return text


def spell(dnf: Dnf) -> str:
    """A condition as contracts spell it."""
    return " | ".join(" & ".join(_spell(atom) for atom in one) for one in in_order(dnf))


def _spell(atom: Atom) -> str:
    path = join(atom.path)
    if atom.op in {"set", "unset"}:
        return path if atom.op == "set" else f"!{path}"
    return f"{path} {'==' if atom.op == 'is' else '!='} {json.dumps(atom.value)}"


# Sites


def _sites_by_path(subject: Subject) -> dict[Path, list[Site]]:
    found: dict[Path, list[Site]] = {}
    keyed = {site.path for site in subject.scan.sites if site.use == "range"}
    for site in subject.scan.sites:
        when = decided(site.when)
        if (condition := subject.conditions.get(site.path[0])) is not None:
            when = decided(frozenset(one | {Atom(condition, "set")} for one in when))
        path = _elements(site.path, subject, keyed)
        if when:
            found.setdefault(path, []).append(site._replace(path=path, when=when))
    for condition in subject.conditions.values():
        found.setdefault(condition, []).append(Site("Chart.yaml", condition, "test", TRUE, alters=True))
    return dict(sorted(found.items()))


def _elements(path: Path, subject: Subject, ranged: set[Path]) -> Path:
    """The path with "[]" for an element of a list; "*" is kept for one of a map."""
    steps: list[str] = []
    for step in path:
        if step == "*" and tuple(steps) in ranged:
            field = subject.schema.get(join(tuple(steps)), {})
            default = _value(subject.defaults, tuple(steps))
            steps.append("*" if isinstance(default, dict) or field.get("type") == "object" else "[]")
        else:
            steps.append(step.replace(".", "\\."))
    return tuple(steps)


def _guards(scan: Scan) -> Iterator[Guard]:
    for guard in scan.guards:
        if sure := certain(guard.when):
            yield guard._replace(when=sure)


# Records


def _record(path: Path, sites: Sequence[Site], subject: Subject, table: _Shapes) -> Record:
    record: Record = {}
    field = _field(sites, subject)
    schema = subject.schema.get(join(path))
    default = _value(subject.defaults, path)
    stated = field or schema
    record["type"] = stated["type"] if stated else _kind(default) if default is not None else _guess(path, sites)
    if not stated:
        record["loose"] = True
    if "[]" not in path and "*" not in path and _shipped(subject.defaults, path):
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
    if when := spell(_acts(path, sites)):
        record["when"] = when
    return record


def _acts(path: Path, sites: Sequence[Site]) -> Dnf:
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


def _block(path: Path, sites: Sequence[Site], subject: Subject, table: _Shapes) -> Record:
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


def _inherit(records: Mapping[Path, Record], by_path: Mapping[Path, Sequence[Site]]) -> None:
    """A path that is read by name and also lies in a block acts where either of the two does."""
    for path, record in records.items():
        above = [path[:length] for length in range(1, len(path))]
        blocks = [site for one in above for site in by_path.get(one, ()) if site.use == "yaml"]
        blocks += by_path.get((*path[:-1], "*"), ()) if path[-1] != "*" else ()
        if not blocks:
            continue
        when = spell(some([_acts(path, by_path[path]), *(without_self(site.when, path) for site in blocks)]))
        record.pop("when", None)
        if when:
            record["when"] = when
        places = {f"{site.target}.{join(path[len(site.path) :])}" for site in blocks if site.target and site.use == "yaml"}
        same = f"ClusterPolicy:spec.{join(path)}"
        record["to"] = sorted({*record.get("to", ()), *("=" if place == same else place for place in places)})


_ORDER = (
    "type", "read", "lost", "default", "shipped", "loose", "enum", "pattern", "minimum", "maximum", "fallback", "to", "when",
    "block", "shape", "bare", "text", "guarded", "null", "nil", "map", "alters", "strict", "instead",
)  # fmt: skip


def _ordered(record: Record) -> Record:
    if record["type"] not in {"boolean", "any"}:
        record.pop("alters", None)
    for key in ("block", "bare", "null", "nil", "map"):
        if record.get("when") and record.get(key) == record["when"]:
            record[key] = "="
    return {key: record[key] for key in _ORDER if key in record}


def _descents(path: Path, by_path: Mapping[Path, Sequence[Site]]) -> Record:
    """When a template goes below a path: a null (`nil`) or anything but a map (`map`) then stops the render."""
    nil: set[Dnf] = set()
    needs: set[Dnf] = set()
    for below_path, sites in by_path.items():
        if len(below_path) <= len(path) or below_path[: len(path)] != path or below_path[len(path)] in {"[]", "*"}:
            continue
        for site in sites:
            if site.file == "Chart.yaml":
                continue
            outside = frozenset(frozenset(atom for atom in one if not _related(atom.path, path)) for one in site.when)
            needs.add(outside)
            open_ = frozenset(one for one in site.when if Atom(path, "set") not in one)
            nil.add(frozenset(frozenset(atom for atom in one if not _related(atom.path, path)) for one in open_))
    record: Record = {}
    if when := some(nil):
        record["nil"] = spell(when)
    if when := some(needs):
        record["map"] = spell(when)
    return record


def _related(atom: Path, path: Path) -> bool:
    length = min(len(atom), len(path))
    return atom[:length] == path[:length]


# values.yaml


def _leaves(defaults: Mapping[str, Any], referred: Iterable[str], prefix: Path = ()) -> dict[Path, Any]:
    found: dict[Path, Any] = {}
    for key, value in defaults.items():
        path = (*prefix, key.replace(".", "\\."))
        if not prefix and key in referred:
            continue
        if isinstance(value, dict) and value:
            found |= _leaves(value, (), path)
        else:
            found[path] = value
    return found


def _containers(paths: Iterable[Path]) -> list[Path]:
    above = {path[:length] for path in paths for length in range(1, len(path)) if "[]" not in path[:length]}
    return sorted(path for path in above if "*" not in path)


def _inside(path: Path, by_path: Mapping[Path, Sequence[Site]]) -> bool:
    return any(
        any(site.use in {"yaml", "range"} for site in by_path.get(path[:length], ())) for length in range(1, len(path))
    )


def _value(defaults: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(defaults, dict):
            return None
        defaults = defaults.get(step.replace("\\.", "."))
    return defaults


def _shipped(defaults: Any, path: Path) -> bool:
    for step in path:
        if step in {"[]", "*"}:
            return True  # an element belongs to its list
        if not isinstance(defaults, dict) or (key := step.replace("\\.", ".")) not in defaults:
            return False
        defaults = defaults[key]
    return True


def _kind(value: Any) -> str:
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return "any"
