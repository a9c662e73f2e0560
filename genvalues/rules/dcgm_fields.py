"""Judgements on fields of DCGM: known, known to this exporter, fit for a CSV, declared as what they are.

Sources: go-dcgm's tables of names at the commit of each dcgm-exporter release, DCGM's dcgm_fields.cpp, dcgm-exporter's
internal/pkg/collector.
"""

from collections.abc import Iterable, Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import DcgmField
from genvalues.record import NamedTuple
from genvalues.wording import distance, listed, nearest, quoted

TYPES = ("gauge", "counter", "label")
"""The metric types that mean something in a CSV."""

UPSTREAM_TYPES = (*TYPES, "histogram", "summary")
"""The metric types that the exporter takes (internal/pkg/counters/variables.go)."""

MOST = 128
"""Fields of one field group (DCGM, DCGM_MAX_FIELD_IDS_PER_FIELD_GROUP)."""

_COMMON = frozenset({"DCGM", "FI", "DEV", "PROF", "EXP", "COUNT", "TOTAL"})
_RENAMED = {"DCGM_FI_EXP_CLOCK_THROTTLE_REASONS_COUNT": "DCGM_EXP_CLOCK_EVENTS_COUNT"}  # before exporter 3.3.5
_MANY = 200  # names to compare letter by letter, which takes a tenth of a millisecond each


class Exporter(NamedTuple):
    """The exporter of one chart version: the chart as said, its release, and the names that it knows."""

    chart: str
    release: str
    accepted: frozenset[str]

    def __str__(self) -> str:
        return f"DCGM exporter {self.release} of GPU Operator {self.chart}"


class Verdict(NamedTuple):
    """What is wrong with a field or its type: the rule, in words, and the name or type to write instead where there is one.

    `since` is a GPU Operator whose exporter knows the field, where that is what is wrong.
    """

    code: str
    message: str
    name: str | None = None
    type: str | None = None
    since: str | None = None


def exporter(chart: str, facts: Facts) -> Exporter | None:
    """The exporter that a GPU Operator chart installs; None where it or its names are not known."""
    release = facts.operator_release(chart)
    tag = release.components.get("dcgm_exporter") if release is not None else None
    accepted = facts.dcgm_names(tag) if tag is not None else None
    if release is None or tag is None or accepted is None:
        return None
    return Exporter(release.version, tag, accepted)


def judge_field(name: str, using: Exporter | None, facts: Facts) -> Verdict | None:
    """Whether a field cannot be collected, whatever its type. `using` None: it is enough that some exporter knows it."""
    field = facts.dcgm_field(name)
    if field is None:
        near = guess(name, using, facts)
        message = f"DCGM has no field {name}, and an unknown field stops the exporter with all metrics"
        return Verdict("GV700", message, near)
    if field.reject:
        return Verdict("GV702", f"{name} {_unfit(field)}")
    if using is not None and name not in using.accepted:
        other = next((alias for alias in _modern(field.aliases) if alias in using.accepted), None)
        message = f"{using} does not know {name}, and an unknown field stops it with all metrics"
        if other is not None:
            message += f"; there the field is called {other}"
        return Verdict("GV701", message, other, since=_first_with(name, facts))
    return None


def judge_type(name: str, kind: str, facts: Facts) -> Verdict | None:
    """Whether a field is declared as what it is not; nothing where `judge_field` has something to say."""
    field = facts.dcgm_field(name)
    if field is None or field.reject or kind == field.suggested_type:
        return None
    if field.dtype == "string":
        message = f"{name} is a text, and as a {kind} its value breaks every scrape of the node"
        return Verdict("GV703", message, type="label") if kind in UPSTREAM_TYPES else None
    wrong = _misdeclared(field, kind)
    return Verdict("GV704", f"{name} {wrong}", type=field.suggested_type) if wrong is not None else None


def _misdeclared(field: DcgmField, kind: str) -> str | None:
    if kind == "counter":
        rate = f"a rate ({field.unit})" if field.unit is not None and "/s" in field.unit else "no running total"
        return f"is {rate}: as a counter it invites rate() and increase(), which then mean nothing"
    if kind == "label" and (field.unit is not None or field.suggested_type == "counter" or field.profiling):
        return "is a number that changes, and as a label each new value starts new series of every metric of the GPU"
    if kind in ("histogram", "summary"):
        return f"gives one value a scrape, and a {kind} consists of several series"
    return None


def unknown_type(name: str, kind: str, facts: Facts) -> Verdict | None:
    """Whether the exporter gives up at a metric type. It does not look at the types of some rows; they mean nothing either."""
    if kind in UPSTREAM_TYPES:
        return None
    field = facts.dcgm_field(name)
    near = nearest(kind, TYPES) if kind else None
    suggested = field.suggested_type if field is not None and not field.reject else "gauge"
    what = f"{quoted(kind)} is no metric type" if kind else "the metric type is missing"
    return Verdict("GV714", f"{what}, and the exporter stops: it knows {listed(TYPES)}", type=near or suggested)


def _unfit(field: DcgmField) -> str:
    if field.id == 0:
        return 'stands for "no such field": the exporter takes it and collects nothing'
    if field.dtype is None:
        return "is a constant of DCGM's headers and no field"
    return "holds a structure and no value: the exporter prints a failure in its place, which breaks every scrape"


def twice(names: Iterable[str], facts: Facts) -> Iterator[tuple[int, int, str]]:
    """Positions of names whose field an earlier one collects already, that one's position, and what is wrong."""
    first: dict[int | str, tuple[int, str]] = {}
    for position, name in enumerate(names):
        field = facts.dcgm_field(name)
        if field is None or field.reject:
            continue
        earlier, known = first.setdefault(field.id if field.id is not None else name, (position, name))
        if earlier != position:
            as_what = "" if name == known else f" under the name {known}"
            yield (
                position,
                earlier,
                f"{name} is collected already{as_what}: its samples come twice under the first name",
            )


def most_watched(names: Iterable[str], facts: Facts) -> tuple[str, int]:
    """The kind of entity of which most fields are collected, and how many; each kind has a field group of its own.

    DCGM_EXP_ metrics are the exporter's own and in none (internal/pkg/devicewatcher, shouldIncludeField).
    """
    counts = {"GPU": 0}
    for name in names:
        field = facts.dcgm_field(name)
        if field is not None and field.id:
            kind = _ENTITIES.get(field.level or "", "GPU")
            counts[kind] = counts.get(kind, 0) + 1
    return max(counts.items(), key=lambda item: item[1])


_ENTITIES = {"link": "NVLink", "switch": "NVSwitch", "cpu": "CPU", "cpu_core": "CPU"}


def guess(name: str, using: Exporter | None, facts: Facts) -> str | None:
    """The name that a wrong one was probably meant to be, of those that the exporter knows (or the newest one)."""
    known = using or exporter(facts.operator_versions()[-1], facts)
    names = sorted(_modern(known.accepted)) if known is not None else []
    wanted = name.upper()
    bare = wanted.removeprefix("DCGM_").removeprefix("FI_")
    for meant in (_RENAMED.get(wanted, wanted), f"DCGM_FI_DEV_{bare}", f"DCGM_FI_PROF_{bare}", f"DCGM_{bare}"):
        if meant in names:
            return meant
    if not wanted.startswith(("DCGM_FI_", "DCGM_EXP_")):
        wanted = f"DCGM_FI_DEV_{bare}"
    parts = frozenset(wanted.split("_")) - _COMMON
    shared: dict[int, list[str]] = {}
    for candidate in names:
        shared.setdefault(len(parts.intersection(candidate.split("_"))), []).append(candidate)
    most = max(shared, default=0)
    candidates = shared.get(most, []) if most else [one for one in names if abs(len(one) - len(wanted)) <= 1]
    full = {_bare(one): one for one in reversed(candidates[:_MANY])}  # the first of several that differ in prefix
    bare = _bare(wanted)
    near = nearest(bare, full)
    if near is None or (distance(bare, near) > max(1, len(bare) // 5) and not near.startswith(bare)):
        near = max((one for one in full if bare.startswith(one)), key=len, default="")
    return full.get(near)


def _bare(name: str) -> str:
    """A name without the prefixes that all of its kind have, which would make any two of them look alike."""
    return (
        name.removeprefix("DCGM_").removeprefix("FI_").removeprefix("DEV_").removeprefix("PROF_").removeprefix("EXP_")
    )


def _modern(names: Iterable[str]) -> list[str]:
    """Those that are not spelt as in DCGM exporter 1.x."""
    return [name for name in names if name.isupper()]


def _first_with(name: str, facts: Facts) -> str | None:
    """The oldest GPU Operator whose exporter and all later ones know a name."""
    first = None
    for version in reversed(facts.operator_versions()):
        known = exporter(version, facts)
        if known is None or name not in known.accepted:
            break
        first = version
    return first
