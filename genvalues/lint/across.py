"""Which bodies of a run belong to one cluster, and what the rules say of them together.

Files of a run are taken for one cluster's as long as nothing in them stands twice: two values files of one chart, or two
ConfigMaps of one name, are those of two clusters, and folders then tell which belong together. A reference that leads
nowhere is reported only where what it means to name is there under another name: elsewhere the ConfigMap may be in a file
that was not given.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence

from genvalues import judge
from genvalues.facts import Facts
from genvalues.finding import Finding, Hit, Route
from genvalues.lint.part import Part
from genvalues.rules.output import CONFIG_MAPS_EXIST, references
from genvalues.rules.rule import Body

_CONTENT: Mapping[Route, str] = {
    ("devicePlugin", "config", "name"): "device-plugin",
    ("migManager", "config", "name"): "mig-parted",
    ("dcgmExporter", "config", "name"): "dcgm-csv",
}
"""What the ConfigMap holds that a value names."""


def findings(parts: Sequence[Part], facts: Facts) -> list[Finding]:
    """The findings about bodies together, each once."""
    found: dict[Hashable, Finding] = {}
    for group in groups(parts):
        by_body = {id(part.body): part for part in group}
        for body, rule, hit in judge.together([part.body for part in group], facts):
            if rule.code != CONFIG_MAPS_EXIST.code or _certain(by_body[id(body)], hit, group):
                finding = by_body[id(body)].finding(rule, hit)
                found[finding.code, finding.place, finding.message] = finding
    return list(found.values())


def groups(parts: Sequence[Part]) -> list[list[Part]]:
    """The parts, a list for each cluster that they may be of. Parts of files that clusters share are in several."""
    files: dict[str, list[Part]] = {}
    for part in parts:
        if _sound(part):
            files.setdefault(part.body.file.replace("\\", "/"), []).append(part)
    files = {file: _once(within) for file, within in files.items()}
    return (
        [[part for file in group for part in files[file]] for group in _split(files, list(files), 0)] if files else []
    )


def _split(files: Mapping[str, list[Part]], names: list[str], depth: int) -> Iterator[list[str]]:
    twice = _twice(files, names)
    if not twice:
        yield names
        return
    folders: dict[str, list[str]] = {}
    for name in names:
        steps = name.split("/")
        folders.setdefault(steps[depth] if len(steps) > depth + 1 else "", []).append(name)
    if len(folders) > 1 or "" not in folders:
        for below in folders.values():
            yield from _split(files, below, depth + 1)
        return
    shared = [name for name in names if twice.isdisjoint(_identities(files[name]))]
    yield from ([*shared, name] for name in names if name not in shared)


def _twice(files: Mapping[str, list[Part]], names: Sequence[str]) -> set[Hashable]:
    """What stands in more than one of the files."""
    counts = Counter(identity for name in names for identity in _identities(files[name]))
    return {identity for identity, count in counts.items() if count > 1}


def _once(parts: Sequence[Part]) -> list[Part]:
    """The parts of one file without those that it has several times, for several clusters."""
    counts = Counter(_identity(part) for part in parts)
    return [part for part in parts if _identity(part) is None or counts[_identity(part)] == 1]


def _identities(parts: Sequence[Part]) -> set[Hashable]:
    return {identity for part in parts if (identity := _identity(part)) is not None}


def _identity(part: Part) -> Hashable:
    """What a cluster has once: values of a chart, an object of a name. None for anything else."""
    body = part.body
    if body.kind == "values" and body.chart is not None:
        return ("values", body.chart.name)
    name = _name(body) if part.inside == body.base else ""
    return (body.kind, name) if name else None


def _sound(part: Part) -> bool:
    """Whether a part has what rules over several bodies count on: a ConfigMap a name and data."""
    if part.body.kind != "config-map":
        return True
    return bool(_name(part.body)) and isinstance(part.body.data.get("data", {}), dict)


def _name(body: Body) -> str:
    metadata = body.data.get("metadata") if isinstance(body.data, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""


def _certain(part: Part, hit: Hit, group: Sequence[Part]) -> bool:
    """Whether a missing ConfigMap is certainly missing: one with that content is there which nothing names."""
    maps = {_name(other.body): other.body for other in group if other.body.kind == "config-map"}
    if part.value(hit.route) in maps:
        return True
    named = {name for other in group for _, name in references(other.body)}
    content = _CONTENT.get(hit.route[-3:])
    holders = {(other.body.file, other.body.base[:-1]) for other in group if other.body.kind == content}
    return any((body.file, (*body.base, "data")) in holders for name, body in maps.items() if name not in named)
