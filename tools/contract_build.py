"""One chart version's contract, from the sites of its templates, its kinds and its values.yaml.

The form of the result is what genvalues/contracts/contract.py reads:

    paths   values path -> record; one line each in the file, so that a new chart version is a readable diff
    shapes  name -> what lies below a block that goes out whole, as relative path -> field; shared among paths
    guards  conditions under which the chart stops the render, with its message

A condition is spelt `a & !b | c == 1`: alternatives of tests on values; "" is "always", and "=" as in `when`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contract_conditions import TRUE, Atom, Dnf, Path, certain, decided, some, without_self
from contract_defaults import containers, join, kind, leaves, shipped, spell, value
from contract_records import Record, Shapes, Subject, acts, make, ordered
from contract_scan import Guard, Scan, Site


def build(subject: Subject) -> dict[str, Any]:
    """Paths, shapes and guards of the contract."""
    table = Shapes()
    by_path = _sites_by_path(subject)
    records = {path: make(path, sites, subject, table) for path, sites in by_path.items()}
    _inherit(records, by_path)
    own = leaves(subject.defaults, subject.referred)
    named = {path: default for path, default in own.items() if not _inside(path, by_path)}
    _add_containers(records, by_path, named)
    for path, default in named.items():
        records.setdefault(path, {"type": kind(default), "default": default, "read": "never"})
    for name, field in subject.schema.items():
        path = tuple(name.removesuffix("[]").split("."))
        if name.endswith("[]") and path in records:
            records.setdefault((*path, "[]"), {**field})
    for path, record in records.items():
        if not shipped(subject.defaults, path):
            record["shipped"] = False
    return {
        "shapes": table.shapes(),
        "guards": [{"when": spell(guard.when), "message": guard.message} for guard in _guards(subject.scan)],
        "paths": {join(path): ordered(records[path]) for path in sorted(records)},
    }


def _add_containers(records: dict[Path, Record], by_path: Mapping[Path, Sequence[Site]], named: Mapping[Path, Any]) -> None:
    """Records for the maps above what is named, and what becomes of them when they are none."""
    for path in containers([*by_path, *named]):
        record = records.setdefault(path, {"type": "object", "read": "container"})
        if descents := _descents(path, by_path):
            record["type"] = "object"
            if "block" not in record and (*path, "*") not in by_path:
                record.pop("default", None)
        record |= descents


# Sites


def _sites_by_path(subject: Subject) -> dict[Path, list[Site]]:
    found: dict[Path, list[Site]] = {}
    keyed = {site.path for site in subject.scan.sites if site.use == "range"}
    for site in subject.scan.sites:
        when = decided(site.when)
        if (condition := subject.conditions.get(site.chart or site.path[0])) is not None:
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
            default = value(subject.defaults, tuple(steps))
            steps.append("*" if isinstance(default, dict) or field.get("type") == "object" else "[]")
        else:
            steps.append(step.replace(".", "\\."))
    return tuple(steps)


def _guards(scan: Scan) -> Iterator[Guard]:
    for guard in scan.guards:
        if sure := certain(guard.when):
            yield guard._replace(when=sure)


# Whole contracts


def _inherit(records: Mapping[Path, Record], by_path: Mapping[Path, Sequence[Site]]) -> None:
    """A path that is read by name and also lies in a block acts where either of the two does."""
    for path, record in records.items():
        above = [path[:length] for length in range(1, len(path))]
        blocks = [site for one in above for site in by_path.get(one, ()) if site.use == "yaml"]
        blocks += by_path.get((*path[:-1], "*"), ()) if path[-1] != "*" else ()
        if not blocks:
            continue
        when = spell(some([acts(path, by_path[path]), *(without_self(site.when, path) for site in blocks)]))
        record.pop("when", None)
        if when:
            record["when"] = when
        places = {f"{site.target}.{join(path[len(site.path) :])}" for site in blocks if site.target and site.use == "yaml"}
        same = f"ClusterPolicy:spec.{join(path)}"
        record["to"] = sorted({*record.get("to", ()), *("=" if place == same else place for place in places)})


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


def _inside(path: Path, by_path: Mapping[Path, Sequence[Site]]) -> bool:
    return any(
        any(site.use in {"yaml", "range"} for site in by_path.get(path[:length], ())) for length in range(1, len(path))
    )
