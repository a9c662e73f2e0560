"""A fix that is a line to type, typed: the finding is gone, and no other of its weight has come.

Over the Bad blocks of all pages for sites. `key: value` goes where the finding stands, or where a whole path says.
"""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import judging
import pytest

from genvalues import contracts, extends, rules
from genvalues.finding import Finding, Json, Route, format_route, parse_route
from genvalues.rules import page
from genvalues.rules.page import Example
from genvalues.source import read

TOP = ("cluster", "charts", "hardware", "driver", "rdma", "toolkit", "offline", "sharing", "monitoring", "scheduler")
WEIGHT = {"info": 0, "warning": 1, "error": 2}
EXAMPLES = [
    pytest.param(code, example, id=f"{code}-{example.line}")
    for code in sorted(rules.by_code())
    if code > "GV1" and (found := page.read(code)) is not None
    for example in found.examples
    if (example.verdict, example.front_end) == ("bad", "site")
]

# What a fix may lead to: the next thing to say of a site that names too little or too much, never the same again.
NEXT = {
    ("GV109", "GV109"): "the example's mapping holds nothing else, so that the one around it is empty then",
    ("GV230", "GV576"): "the example has package sources for another system",
    ("GV400", "GV301"): "the example's sharing config has no other pool",
    ("GV515", "GV533"): "the example names no kernels, which precompiled drivers need",
    ("GV540", "GV506"): "the example pins a driver for another operator",
    ("GV540", "GV548"): "no release that NVIDIA supports is nearer to what was meant",
    ("GV543", "GV506"): "the example pins a driver for another operator",
    ("GV543", "GV548"): "only ended releases were for this Kubernetes",
    ("GV544", "GV506"): "the example pins a driver for another operator",
    ("GV545", "GV546"): "a host's driver runs there, and NVIDIA lists the system all the same not",
    ("GV548", "GV506"): "the example pins a driver for another operator",
}


class Typed(NamedTuple):
    """A fix as what it does: the route that is set, and the value."""

    route: Route
    value: Json


def typed(finding: Finding) -> Typed | None:
    """What a fix sets, where it is one line of YAML and says where it goes; the first of several ways."""
    line = re.split(r", (?:or|with|as|which|in|for) |; ", finding.fix.removeprefix("for example "))[0]
    under = re.match(r"under (overrides\.\w+): ", line)
    path, colon, value = line.removeprefix(under.group(0) if under else "").partition(": ")
    path = f"{under.group(1)}.{path}" if under else path
    parsed = read(f"x: {value}\n", "fix").tree if colon and "..." not in value else None
    if parsed is None or "x" not in parsed.data:
        return None
    try:
        route = parse_route(path)
    except ValueError:
        return None
    if path == str(finding.path[-1]):
        return Typed(finding.path, parsed.data["x"])
    return Typed(route, parsed.data["x"]) if route[0] in TOP and len(route) > 1 else None


def laid(site: Json, change: Typed, at: Route) -> Json:
    """The site with a value set; elsewhere than at the finding, mappings lie over what is there."""
    site = copy.deepcopy(site)
    node = site
    for step in change.route[:-1]:
        node = node.setdefault(step, {}) if isinstance(node, dict) else node[step]
    last, value = change.route[-1], change.value
    below = node.get(last) if isinstance(node, dict) and change.route != at else None
    node[last] = {**below, **value} if isinstance(below, dict) and isinstance(value, dict) else value
    return site


def merged(example: Example, folder: Path) -> Json:
    """The data of an example, its base merged in."""
    judging.example(example, folder)
    loaded = extends.load(str(folder / "site.yaml"))
    assert loaded.tree is not None
    return {key: value for key, value in json.loads(json.dumps(loaded.tree.data)).items() if key != "extends"}


def new(before: list[Finding], after: list[Finding], weight: int) -> Iterator[Finding]:
    """Findings at places that had none of their code, of a weight or more."""
    known = {(finding.code, finding.path) for finding in before}
    return (f for f in after if (f.code, f.path) not in known and WEIGHT[f.severity] >= weight)


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_typed_fix_mends(code: str, example: Example, tmp_path: Path) -> None:
    """Each fix is tried by itself: its finding goes, and no warning or error comes in its place.

    After a fault of shape no rule has spoken yet: what these say then is no matter of the fix.
    """
    site = merged(example, tmp_path)
    before = judging.site(json.dumps(site), tmp_path)
    for finding in (one for one in before if one.code == code):
        if (change := typed(finding)) is None:
            continue
        after = judging.site(json.dumps(laid(site, change, finding.path)), tmp_path)
        where = f"{format_route(finding.path)}: {finding.fix}"

        assert (code, finding.path, finding.message) not in [(f.code, f.path, f.message) for f in after], where
        assert [
            f"{f.code} {f.message}"
            for f in new(before, after, WEIGHT["warning"])
            if (code, f.code) not in NEXT and not (code < "GV2" <= f.code)
        ] == [], where


@pytest.mark.parametrize(("code", "example"), EXAMPLES)
def test_charts_that_fixes_name_are_known(code: str, example: Example, tmp_path: Path) -> None:
    """A fix that leads to GV540 or GV541 is none."""
    known = contracts.known()
    named = [
        (chart, version)
        for finding in judging.example(example, tmp_path)
        if finding.code == code
        for key, chart in (("gpuOperator", "gpu-operator"), ("nodeFeatureDiscovery", "node-feature-discovery"))
        for version in re.findall(rf"\b{key}: (v?[0-9.]+)", finding.fix)
    ]

    assert [version for chart, version in named if version not in known[chart]] == []


def test_many_fixes_can_be_typed(tmp_path: Path) -> None:
    """The loop above tries something: at least ninety of the pages' fixes."""
    count = sum(
        typed(finding) is not None
        for param in EXAMPLES
        for code, example in [param.values]
        for finding in judging.example(example, tmp_path)  # type: ignore[arg-type]
        if finding.code == code
    )

    assert count >= 90
