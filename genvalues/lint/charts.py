"""Which chart a mapping of Helm values is for, by its keys, and which version it is judged as.

A chart's own keys are told from those that many charts have (`operator`, `image`, `master`). One key of its own among a
majority of known ones decides; a file of common keys alone is taken for a chart's values only if the chart knows all of
their children as well, so that a wrong guess finds nothing to complain about.
"""

import json
import os.path
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain

from genvalues import contracts, paths
from genvalues.contracts.contract import Contract
from genvalues.document import Chart
from genvalues.finding import Json
from genvalues.record import NamedTuple
from genvalues.wording import listed

ANYWHERE = frozenset((
    "affinity", "annotations", "args", "config", "enabled", "env", "extraObjects", "fullnameOverride", "global", "image",
    "imagePullSecrets", "labels", "nameOverride", "namespaceOverride", "nodeSelector", "priorityClassName", "prometheus", "resources",
    "securityContext", "test", "tls", "tolerations", "upgradeCRDs",
))  # fmt: skip
"""Top-level keys that say nothing of a chart."""

COMMON = ANYWHERE | frozenset((
    "autoDefaultNs", "collector", "daemonsets", "deployCR", "driver", "featureGates", "gc", "gfd", "hostPaths", "master", "migStrategy",
    "nfd", "operator", "platform", "psa", "psp", "repoConfig", "secondaryNetwork", "toolkit", "validator", "worker",
))  # fmt: skip
"""Top-level keys that charts of other projects have as well."""

_EXACT = re.compile(r"v?\d+\.\d+\.\d+([-+][\w.+-]*)?")


class Keys(NamedTuple):
    """What a chart's values may look like, over all versions: top-level keys, and the two first steps of paths."""

    tops: frozenset[str]
    own: frozenset[str]
    twos: frozenset[tuple[str, str]]


class Version(NamedTuple):
    """The version that values are judged as, and what there is to say of the choice ("": the file names it)."""

    chart: Chart
    remark: str = ""
    fix: str = ""


@cache
def known(extra: tuple[str, ...] = ()) -> Mapping[str, tuple[str, ...]]:
    """The versions of each chart that there is a contract of, oldest first."""
    return contracts.known(extra)


def recognised(values: Json, extra: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The charts that values may be for, the likeliest first; several are equally likely, none: no chart we know."""
    if not isinstance(values, dict) or not values:
        return ()
    scores: dict[str, tuple[int, int, int]] = {}
    for chart, keys in _keys(extra).items():
        mine = [key for key in values if key in keys.tops]
        own = sum(key in keys.own for key in mine)
        children = [(key, str(child)) for key in mine if isinstance(values[key], dict) for child in values[key]]
        hits = sum(child in keys.twos for child in children)
        telling = any(key not in ANYWHERE for key, _ in children)
        certain = own > 0 or (telling and len(mine) == len(values) and hits == len(children))
        if certain and 2 * len(mine) >= len(values):
            scores[chart] = (own, len(mine), hits)
    best = max(scores.values(), default=None)
    return tuple(chart for chart, score in scores.items() if score == best)


def own_keys(values: Mapping[str, Json], chart: str, extra: tuple[str, ...] = ()) -> int:
    """How many keys values have that only this chart has."""
    return sum(key in _keys(extra)[chart].own for key in values)


def known_keys(values: Mapping[str, Json], chart: str, extra: tuple[str, ...] = ()) -> int:
    """How many keys values have that this chart knows."""
    return sum(key in _keys(extra)[chart].tops for key in values)


def named(text: str) -> tuple[str, str]:
    """Chart name and version in a reference: `nvidia/gpu-operator`, `oci://host/charts/gpu-operator`, an archive's URL."""
    last = text.rstrip("/").rpartition("/")[2]
    match = re.fullmatch(r"(.+?)-(v?\d[\w.+-]*)\.tgz", last)
    return (match[1], match[2]) if match else (last.partition(":")[0], last.partition(":")[2])


def version(chart: str, typed: str, extra: tuple[str, ...] = ()) -> Version:
    """How a chart whose version the file gives as `typed` ("" where it gives none) is judged."""
    versions = known(extra)[chart]
    theirs = [one for one in versions if one not in known().get(chart, ())]
    newest, exact = (theirs or versions)[-1], _EXACT.fullmatch(typed)
    if exact and (same := next((one for one in versions if one.removeprefix("v") == typed.removeprefix("v")), None)):
        return Version(Chart(chart, same))
    flag = f"genvalues lint --chart {chart}@{newest}"
    if not typed:
        said = f"no version of chart {chart} is named here: judged as {newest}, the newest that is known"
        return Version(Chart(chart, newest), said, flag)
    chosen = _closest(versions, typed)
    kind = "is not known" if exact else "is no exact version"
    said = f"{chart} {typed} {kind}: judged as {chosen}; known are {listed(versions, 'and')}"
    return Version(Chart(chart, chosen), said, f"genvalues lint --chart {chart}@{chosen}")


def _closest(known: Sequence[str], typed: str) -> str:
    """The version to judge by, where the file's is not known, or a range.

    Of an exact one the newest of its minor release that is not newer, or the nearest; of a range (`v24.*`, `~26.3`,
    `^0.18.0`, `>=26.3.1`) the newest in it, as a GitOps controller would take.
    """
    bound = re.search(r"\d+(?:\.\d+)*", typed)
    sign = typed.strip()[:1]
    if bound is None or sign == ">":
        return known[-1]
    wanted = _numbers(bound[0])
    older = [one for one in known if _numbers(one) <= wanted]
    if _EXACT.fullmatch(typed):
        alike = [one for one in known if _numbers(one)[:2] == wanted[:2]]
        return ([one for one in alike if one in older] or alike[:1] or older or known[:1])[-1]
    kept = {"^": 1 if wanted[0] else 2, "~": min(2, len(wanted)), "<": 0}.get(sign, len(wanted))
    alike = [one for one in known if kept and _numbers(one)[:kept] == wanted[:kept]]
    return (alike or older or known[:1])[-1]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("-")[0]))


@cache
def _keys(extra: tuple[str, ...]) -> Mapping[str, Keys]:
    tops: dict[str, set[str]] = {}
    twos: dict[str, set[tuple[str, str]]] = {}
    for chart, versions in known(extra).items():
        tops[chart], twos[chart] = set(), set()
        ends = [contracts.load(chart, version, extra) for version in {versions[0], versions[-1]}]
        for path in chain(_history(chart), *(_paths(contract) for contract in ends if contract)):
            first, _, rest = path.partition(".")
            tops[chart].add(first.removesuffix("[]"))
            twos[chart].add((first, rest.partition(".")[0].removesuffix("[]")))
    return {
        chart: Keys(
            frozenset(names),
            frozenset(names - COMMON - set().union(*(other for key, other in tops.items() if key != chart))),
            frozenset(twos[chart]),
        )
        for chart, names in tops.items()
    }


def _paths(contract: Contract) -> Iterable[str]:
    """Paths of the contract and of its subcharts (by their key), and those that other versions read or have moved."""
    yield from contract.paths
    yield from contract.remarks.moved
    for key, sub in contract.subcharts.items():
        yield key
        yield from (f"{key}.{path}" for path in sub.contract.paths)


def _history(chart: str) -> Iterable[str]:
    """Paths that versions without a contract of their own read."""
    file = os.path.join(paths.data(), "contracts", chart, "history.json")
    if not os.path.isfile(file):
        return ()
    with open(file, encoding="utf-8") as stream:
        keys: Mapping[str, Json] = json.load(stream)["keys"]
    return keys.keys()
