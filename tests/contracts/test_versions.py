"""A chart version is more than its contract: what else must be known of it, and that what we render is alive in it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from genvalues import artefacts, contracts, extends, facts, judge, kubeconform, model, paths
from genvalues.facts import version
from genvalues.finding import format_route
from genvalues.plan import Plan, resolve

ROOT = Path(__file__).parents[2]
FACTS = facts.load()
SITES = sorted(site.stem for site in (ROOT / "profiles").glob("*.yaml"))
OPERATORS = contracts.known()["gpu-operator"]
NFDS = contracts.known()["node-feature-discovery"]
STORED = sorted(file.parent for file in Path(paths.data(), "contracts").glob("*/*/values.json"))


@pytest.mark.parametrize("folder", STORED, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_every_stored_contract_is_in_the_index(folder: Path) -> None:
    """A contract that index.json does not list is never found; with it come the CRDs and the images."""
    index: dict[str, Any] = json.loads((folder.parents[1] / "index.json").read_text("utf-8"))

    assert folder.name in index[folder.parent.name]
    assert ["crds.json", "images.json", "values.json"] == sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_has_the_facts_of_its_release(operator: str) -> None:
    """data/operator/ has the release, its driver has a branch, and the NFD that it brings has a contract of its own."""
    release = FACTS.operator_release(operator)

    assert release is not None
    assert FACTS.driver_branch(version.branch(release.driver_default) or "") is not None
    assert contracts.load("node-feature-discovery", release.components["nfd"]) is not None


@pytest.mark.parametrize("nfd", NFDS)
def test_every_nfd_has_the_facts_of_its_minor_release(nfd: str) -> None:
    """data/nfd.json has its features, operators and configuration keys."""
    assert FACTS.nfd_release(nfd) is not None


@pytest.mark.parametrize(
    ("chart", "number"), [(c, number) for c, numbers in contracts.known().items() for number in numbers]
)
def test_every_chart_version_has_the_schemas_of_its_crds(chart: str, number: str) -> None:
    """SOURCES.json names the version, so that kubeconform gets its own CRDs and not those of the version before."""
    sources = json.loads(Path(paths.schemas(), "kubernetes", "SOURCES.json").read_text("utf-8"))["folders"]
    named = {
        one.removeprefix("v") for entry in sources.values() if entry["project"] == chart for one in entry["versions"]
    }
    [folder] = [one for one in kubeconform.folders("1.34.2", {chart: number}) if one.startswith(f"{chart}-v")]

    assert number.removeprefix("v") in named
    assert number.removeprefix("v") in {one.removeprefix("v") for one in sources[folder]["versions"]}


@cache
def data(site: str) -> Any:
    """One of the example sites with its bases, as data."""
    loaded = extends.load(str(ROOT / "profiles" / f"{site}.yaml"), allow_outside=False)
    assert loaded.tree is not None
    return loaded.tree.data


def plan(site: str, **charts: str) -> Plan:
    return resolve(model.build({**data(site), "charts": charts}), FACTS)


def dead(resolved: Plan) -> list[str]:
    """What the contracts say of the values that are rendered; that a key works undocumented is no fault."""
    bodies = [body for doc in artefacts.documents(resolved) for body in judge.bodies(doc) if body.kind == "values"]
    hits = [hit for body in bodies for _, hit in judge.body(body, FACTS, ())]
    return [f"{hit.verdict} {format_route(hit.route)}" for hit in hits if hit.verdict != "undocumented"]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("site", SITES)
def test_example_sites_are_alive_on_every_operator(site: str, operator: str) -> None:
    """Every value that we write for a site has an effect, whatever the operator's version."""
    resolved = plan(site, gpuOperator=operator)

    assert resolved.operator.known
    assert resolved.nfd.known
    assert dead(resolved) == []


@pytest.mark.parametrize("nfd", NFDS)
@pytest.mark.parametrize("site", SITES)
def test_example_sites_are_alive_on_every_nfd(site: str, nfd: str) -> None:
    """The same for the versions of NFD that a site may choose."""
    resolved = plan(site, gpuOperator=OPERATORS[-1], nodeFeatureDiscovery=nfd)

    assert resolved.nfd.known
    assert dead(resolved) == []
