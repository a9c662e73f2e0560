"""Our verdicts against helm's, on public values files: what has no effect is what we call ignored or inert, and no more.

The verdicts in vectors/contract-helm.json were found by changing and removing each leaf (tools/contract_helm.py); the
values files are not part of the repository.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from genvalues import contracts
from genvalues.contracts import Contract
from genvalues.finding import Json, Route, format_route, parse_route
from genvalues.source import read_all

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "contract-helm.json").read_text("utf-8"))
REFERENCE = Path(__file__).parents[3] / "shared" / "corpus"
FOLDERS = {"gpu-operator": REFERENCE / "gpu-operator-values", "node-feature-discovery": REFERENCE / "nfd-values"}
CASES = [(chart, key, version) for chart in FOLDERS for key, versions in VECTORS[chart].items() for version in versions]

needs_corpus = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the reference folder beside the checkout is not there")


def values_of(chart: str, key: str) -> Json:
    """The values that a key of the vectors names: file, and where in it they lie."""
    file, _, place = key.partition(":")
    text = (FOLDERS[chart] / f"{file}.yaml").read_text("utf-8")
    [data] = [source.tree.data for source in read_all(text, file) if source.tree is not None]
    for step in parse_route(place):
        data = data[step]
    return _inner(data) if isinstance(data, str) else data


def _inner(text: str) -> Json:
    return next(source.tree.data for source in read_all(text, "inner") if source.tree is not None)


def leaves(node: Json, route: Route = ()) -> list[Route]:
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [leaf for step, child in pairs for leaf in leaves(child, (*route, step))] or [route]


def load(chart: str, version: str) -> Contract:
    contract = contracts.load(chart, version)
    assert contract is not None
    return contract


def test_vectors_cover_every_file_and_chart() -> None:
    """31 documents on five charts of GPU Operator, six on eight of NFD; helm takes every one of them as it is."""
    counts = {chart: len([case for case in CASES if case[0] == chart]) for chart in FOLDERS}
    refused = [case for case in CASES if "refused" in VECTORS[case[0]][case[1]][case[2]]]

    assert (counts, refused) == ({"gpu-operator": 31 * 5, "node-feature-discovery": 6 * 8}, [])


@needs_corpus
def test_no_values_file_of_the_reference_is_left_out() -> None:
    """Files without vectors hold no values: ClusterPolicies, templates, other objects."""
    missing = {
        chart: sorted({name.removesuffix(".yaml") for name in os.listdir(folder) if name.endswith(".yaml")}
                      - {key.partition(":")[0] for key in VECTORS[chart]})
        for chart, folder in FOLDERS.items()
    }  # fmt: skip

    assert missing == {
        "gpu-operator": ["025", "031", "033", "049", "053", "071"],
        "node-feature-discovery": ["009", "011"],
    }


@needs_corpus
@pytest.mark.parametrize(("chart", "key", "version"), CASES)
def test_ignored_is_what_helm_shows_to_be_dead(chart: str, key: str, version: str) -> None:
    """For every file and chart, exactly the leaves without effect in any setting are reported as ignored."""
    values = values_of(chart, key)
    hits = [hit.route for hit in load(chart, version).check(values) if hit.verdict == "ignored"]
    ours = [format_route(leaf) for leaf in leaves(values) if any(leaf[: len(hit)] == hit for hit in hits)]

    assert sorted(ours) == sorted(VECTORS[chart][key][version]["ignored"])


@needs_corpus
@pytest.mark.parametrize(("chart", "key", "version"), CASES)
def test_gated_is_what_the_contracts_conditions_say(chart: str, key: str, version: str) -> None:
    """The leaves that another setting keeps out of the rendering are those whose template conditions do not hold."""
    values, contract, verdicts = values_of(chart, key), load(chart, version), VECTORS[chart][key][version]
    shut = {leaf: contract.effective(leaf, values) for leaf in leaves(values)}
    ours = [format_route(leaf) for leaf, gate in shut.items() if gate is not None and gate.by == "chart"]

    assert sorted(set(ours) - set(verdicts["ignored"])) == sorted(verdicts["gated"])


@needs_corpus
def test_nvidias_own_recipe_for_h100_training() -> None:
    """AICR v0.11.1 on v25.10.1: four dead keys; one of them only lacks its data."""
    hits = list(load("gpu-operator", "v25.10.1").check(values_of("gpu-operator", "aicr-h100-eks-training")))

    assert sorted((hit.verdict or "", format_route(hit.route)) for hit in hits if hit.verdict != "undocumented") == [
        ("ignored", "driver.maxParallelUpgrades"),
        ("ignored", "driver.useOpenKernelModules"),
        ("ignored", "fullnameOverride"),
        ("inert", "dcgmExporter.config.create"),
    ]
