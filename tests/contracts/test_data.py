"""The contract files: sound in themselves, true to the reference where it is beside the checkout, reproducible from charts."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from genvalues import contracts
from genvalues.contracts import Contract
from genvalues.contracts.conditions import alternatives
from genvalues.contracts.effects import numbers
from genvalues.contracts.walk import join
from genvalues.finding import Json, Route

ROOT = Path(__file__).parents[2]
DATA = ROOT / "genvalues" / "data" / "contracts"
REFERENCE = ROOT.parent / "shared" / "reference" / "gpu-operator-contract.json"
CHARTS = Path(os.environ.get("GENVALUES_CHARTS", "no-charts"))
VERSIONS = [(chart, version) for chart, versions in contracts.known().items() for version in versions]
CONDITIONS = ("when", "block", "bare", "null", "nil", "map")
STORED = [(path.parts[-3], path.parts[-2]) for path in sorted(DATA.glob("*/*/values.json"))]


def load(chart: str, version: str) -> Contract:
    contract = contracts.load(chart, version)
    assert contract is not None
    return contract


def route(pattern: str) -> Route:
    """A route that a pattern covers: index 0 for items, "zz" for keys of a map."""
    steps: list[str | int] = []
    for part in re.split(r"(?<!\\)\.", pattern):
        name = part.replace("[]", "").replace("\\.", ".")
        steps += [name if name != "*" else "zz"] if name else []
        steps += [0] * part.count("[]")
    return tuple(steps)


def handwritten(chart: str, file: str) -> dict[str, Any]:
    path = DATA / chart / file
    data: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return data


def lines(chart: str, file: str, section: str) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for line in handwritten(chart, file).get(section, ()):
        paths = line["path"] if isinstance(line["path"], list) else [line["path"]]
        found += [(path, line) for path in paths]
    return found


def versions_of(chart: str, line: dict[str, Any]) -> list[str]:
    """The known versions that a line is for."""
    since, until = numbers(line.get("since", "")), numbers(line.get("until", "999"))
    return [v for v in contracts.known()[chart] if since <= numbers(v) and numbers(v)[: len(until)] <= until]


@pytest.mark.parametrize(("chart", "version"), STORED)
def test_files_are_in_the_form_that_the_tool_writes(chart: str, version: str) -> None:
    """One line for each path; shapes that records name exist, and all that exist are named."""
    text = (DATA / chart / version / "values.json").read_text("utf-8")
    data = json.loads(text)
    shapes = {record["shape"] for record in data["paths"].values() if "shape" in record}

    assert (data["chart"], data["version"]) == (chart, version)
    assert len(text.partition('"paths":{\n')[2].split("\n")) == len(data["paths"]) + 3
    assert shapes == set(data["shapes"])


@pytest.mark.parametrize(("chart", "version"), VERSIONS)
def test_conditions_are_about_paths_of_the_contract(chart: str, version: str) -> None:
    """Every test in a template condition is about a value that the chart knows."""
    contract = load(chart, version)
    gates = [contract.gate(record, key) for record in contract.paths.values() for key in CONDITIONS if record.get(key)]
    gates += [gate for gate, _ in contract.guards]
    unknown = {join(test.path) for gate in gates for group in gate.any_of for test in group if contract.at(test.path) is None}

    assert unknown == set()


@pytest.mark.parametrize("chart", ["gpu-operator", "node-feature-discovery"])
def test_effects_are_about_paths_and_values_of_the_charts(chart: str) -> None:
    """Each hand-written gate is about a known path and tests known paths, in every version that it is for."""
    unknown = [
        (version, path, test)
        for path, line in lines(chart, "effects.json", "needs")
        for version in versions_of(chart, line)
        for test in (path, *(join(one.path) for group in alternatives(line["when"] or path) for one in group))
        if load(chart, version).at(route(test)) is None
    ]

    assert unknown == []
    assert all(line["source"] and line["why"] for _, line in lines(chart, "effects.json", "needs"))


@pytest.mark.parametrize("chart", ["gpu-operator", "network-operator", "node-feature-discovery"])
def test_remarks_name_dead_keys_and_live_replacements(chart: str) -> None:
    """What has moved is dead in every version that the line is for, and what took its place is read there."""
    alive, missing = [], []
    for path, line in lines(chart, "remarks.json", "moved"):
        for version in versions_of(chart, line):
            contract = load(chart, version)
            hits = {hit.verdict for hit in contract.check(_nested(route(path)))}
            alive += [(version, path, hits)] if not hits & {"ignored", "pruned", "inert"} else []
            missing += [(version, line["to"])] if line["to"] and contract.at(route(line["to"])) is None else []

    assert (alive, missing) == ([], [])


def test_history_agrees_with_the_five_contracts() -> None:
    """A key is read by a version exactly if the version lies between its first and its last."""
    history = handwritten("gpu-operator", "history.json")["keys"]
    wrong = []
    for version in contracts.known()["gpu-operator"]:
        contract = load("gpu-operator", version)
        for key, (since, until) in history.items():
            lives = numbers(since or "0") <= numbers(version) <= numbers(until or "999")
            record = contract.paths.get(key, {"read": "never"})
            reads = record.get("read") != "never" and ("read" not in record or "block" in record)
            wrong += [(version, key)] if lives is not reads and record.get("read") != "container" else []

    assert wrong == []


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference folder beside the checkout is not there")
def test_contracts_agree_with_the_reference() -> None:
    """Every path of the independently made reference is known, with the same reading, type, enumeration and default.

    The differences are counted, and each kind has its reason: types are the CRD's where the reference guesses from a
    default (int-or-string, quantity), or say less where values.yaml has null; NFD 0.19 has limits from its schema;
    containers of dead keys are containers here.
    """
    reference = json.loads(REFERENCE.read_text("utf-8"))
    differs: Counter[str] = Counter()
    for version, data in reference.items():
        contract = load("gpu-operator", version)
        for path, said in data["values_paths"].items():
            entry = contract.at(route(path))
            assert entry is not None, (version, path)
            dead = said["read"] in ("never", "broken")
            differs["dead"] += dead and entry.read != said["read"]
            differs["alive"] += not dead and entry.read in ("never", "broken")
            differs["type"] += said["type"] != entry.type and not _wider(said["type"], entry.type)
            differs["enum"] += set(said.get("enum", ())) not in (set(entry.enum), set()) or (bool(entry.enum) > ("enum" in said))
            plain = said["source"] != "crd" and not said.get("container")
            differs["default"] += plain and said.get("default") != contract.default(route(path))
            modes = set(said["modes"]) if "modes" in said else set(entry.modes)
            differs["modes"] += modes != set(entry.modes)

    assert +differs == {"dead": 7, "enum": 1}  # probe.grpc containers of NFD 0.17.3; image.pullPolicy by NFD's schema


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the reference folder beside the checkout is not there")
def test_keys_that_the_reference_knows_to_be_dead_are_reported() -> None:
    """Each of its known wrong spellings is ignored, or dropped by the CRD, on every chart that it names."""
    reference = json.loads(REFERENCE.read_text("utf-8"))
    silent = [
        (version, path)
        for version, data in reference.items()
        for path in data["known_ignored_paths"]
        if not {hit.verdict for hit in load("gpu-operator", version).check(_nested(route(path)))} & {"ignored", "pruned", "inert"}
    ]

    assert silent == []


@pytest.mark.skipif(not CHARTS.is_dir(), reason="GENVALUES_CHARTS does not name a folder of unpacked charts")
@pytest.mark.skipif(shutil.which("go") is None, reason="no Go to read templates with")
def test_the_tool_reproduces_every_file(tmp_path: Path) -> None:
    """From unpacked charts (GENVALUES_CHARTS/<chart>/<version>) the same bytes come out, the index included."""
    order = ["node-feature-discovery", "gpu-operator", "network-operator"]
    for chart in order:
        for version in sorted(contracts.known()[chart], key=numbers, reverse=True):
            folder = next(one for one in (CHARTS / chart).iterdir() if one.name.removeprefix("v") == version.removeprefix("v"))
            command = [sys.executable, str(ROOT / "tools" / "contract.py"), str(folder), "-o", str(tmp_path)]
            subprocess.run(command, check=True, capture_output=True)
    made = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.glob("**/*.json")}
    kept = {str(path.relative_to(DATA)): path.read_bytes() for path in DATA.glob("*/*/*.json")}
    kept |= {name: (DATA / name).read_bytes() for name in ("index.json", *(f"{chart}/history.json" for chart in order))}
    kept["gpu-operator/history.json"] = made["gpu-operator/history.json"]  # ours knows more versions than have a contract

    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == []


def _nested(steps: Route, value: Json = "x") -> Json:
    for step in reversed(steps):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def _wider(said: str | list[str], ours: str) -> bool:
    """Whether our type says the same or more of a value than the reference's, or nothing where there is no default."""
    return ours in ("any", "scalar") or ours in said or (said, ours) in [("string", "int-or-string"), ("string", "quantity"), ("int-or-string", "quantity")]


def test_join_and_route_are_inverse() -> None:
    """The helper of these tests spells routes as contracts do."""
    assert join(route("a.b\\.c[].d")) == "a.b\\.c[].d"
