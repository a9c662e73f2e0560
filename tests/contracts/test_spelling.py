"""One concept, its key in each chart version (gpu-operator.md 3.1 and 4.6, nfd.md 1.1)."""

import pytest

from genvalues import contracts
from genvalues.contracts.spelling import CONCEPTS, Spelling, spell
from genvalues.finding import Json, format_route


@pytest.mark.parametrize(
    ("chart", "version", "concept", "value", "expected"),
    [
        ("gpu-operator", "v24.9.2", "driver.kernelModuleType", "open", {"driver.useOpenKernelModules": True}),
        ("gpu-operator", "v24.9.2", "driver.kernelModuleType", "proprietary", {"driver.useOpenKernelModules": False}),
        ("gpu-operator", "v24.9.2", "driver.kernelModuleType", "auto", {}),
        ("gpu-operator", "v25.3.4", "driver.kernelModuleType", "auto", {"driver.kernelModuleType": "auto"}),
        ("gpu-operator", "v26.7.0", "driver.kernelModuleType", "open", {"driver.kernelModuleType": "open"}),
        ("gpu-operator", "v25.3.4", "cdi.default", True, {"cdi.default": True}),
        ("gpu-operator", "v25.10.1", "cdi.default", True, {}),
        ("gpu-operator", "v25.3.4", "driver.licensingConfig.secretName", "s", {}),
        ("gpu-operator", "v25.10.1", "driver.licensingConfig.secretName", "s", {"driver.licensingConfig.secretName": "s"}),
        ("gpu-operator", "v25.10.1", "migManager.config.name", "", {"migManager.config.name": "default-mig-parted-config"}),
        ("gpu-operator", "v25.10.1", "migManager.config.name", "mine", {"migManager.config.name": "mine"}),
        ("gpu-operator", "v26.3.3", "migManager.config.name", "", {"migManager.config.name": ""}),
        ("gpu-operator", "v26.3.3", "hostPaths.kubeletRootDir", "/k", {}),
        ("gpu-operator", "v26.7.0", "hostPaths.kubeletRootDir", "/k", {"hostPaths.kubeletRootDir": "/k"}),
        ("gpu-operator", "v25.10.1", "dcgmExporter.hostNetwork", True, {}),
        ("gpu-operator", "v26.3.3", "dcgmExporter.hostNetwork", True, {"dcgmExporter.hostNetwork": True}),
        ("gpu-operator", "v25.10.1", "devicePlugin.mps.root", "/x", {}),
        ("gpu-operator", "v25.10.1", "mig.strategy", "mixed", {"mig.strategy": "mixed"}),
        ("node-feature-discovery", "0.15.7", "priorityClassName", "p", {"worker.priorityClassName": "p"}),
        ("node-feature-discovery", "0.16.9", "priorityClassName", "p", {"priorityClassName": "p"}),
        ("node-feature-discovery", "0.17.4", "worker.port", 9000, {"worker.metricsPort": 9000}),
        ("node-feature-discovery", "0.18.3", "worker.port", 9000, {"worker.port": 9000}),
        ("node-feature-discovery", "0.15.7", "featureGates.NodeFeatureAPI", True, {"enableNodeFeatureApi": True}),
        ("node-feature-discovery", "0.16.9", "featureGates.NodeFeatureAPI", True, {"featureGates.NodeFeatureAPI": True}),
        ("node-feature-discovery", "0.17.4", "featureGates.NodeFeatureAPI", True, {}),
    ],
)
def test_concepts_are_spelt_as_the_version_reads_them(
    chart: str, version: str, concept: str, value: Json, expected: dict[str, Json]
) -> None:
    """The key and the value of this version; nothing where it has no key for it."""
    contract = contracts.load(chart, version)
    assert contract is not None

    assert {format_route(route): said for route, said in spell(contract, concept, value)} == expected


def test_every_spelling_is_alive_in_the_versions_that_it_is_for() -> None:
    """A key that we would write is read by the chart that it is written for."""
    dead = [
        (chart, version, concept)
        for chart, concepts in CONCEPTS.items()
        for version in contracts.known()[chart]
        for concept, spellings in concepts.items()
        for route, _ in _all(chart, version, concept, spellings)
        if (found := contracts.load(chart, version)) is None or (entry := found.at(route)) is None or entry.read == "never"
    ]

    assert dead == []


def _all(chart: str, version: str, concept: str, spellings: tuple[Spelling, ...]) -> list[tuple[tuple[str | int, ...], Json]]:
    contract = contracts.load(chart, version)
    assert contract is not None
    said = {repr(old): old for spelling in spellings for old, _ in spelling.values or ()} or {"x": "x"}
    return [pair for value in said.values() for pair in spell(contract, concept, value)]
