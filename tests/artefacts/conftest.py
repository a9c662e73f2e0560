"""Small sites, and what is rendered for them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from genvalues import artefacts, facts, model, plan
from genvalues.document import Doc, Text
from genvalues.facts import Facts
from genvalues.plan import Plan

Site = dict[str, Any]
Files = Mapping[str, Doc | Text]


@pytest.fixture(scope="session")
def known() -> Facts:
    """All facts."""
    return facts.load()


@pytest.fixture(scope="session")
def resolve(known: Facts) -> Callable[..., Plan]:
    """The plan of a site."""

    def of(site: Site, ca_text: str | None = None) -> Plan:
        return plan.resolve(model.build(site, ca_text), known)

    return of


@pytest.fixture(scope="session")
def render(resolve: Callable[..., Plan]) -> Callable[..., Files]:
    """Every document of a site by its path, or every file of one artefact."""

    def of(site: Site, ca_text: str | None = None, only: str | None = None) -> Files:
        plan = resolve(site, ca_text)
        if only is None:
            return {item.path: item for item in artefacts.documents(plan)}
        [artefact] = [one for one in artefacts.ARTEFACTS if one.name == only]
        return {item.path: item for item in artefact.render(plan)}

    return of


@pytest.fixture
def site() -> Callable[..., Site]:
    """A site of one pool of eight H100, with parts of it replaced."""

    def with_parts(**parts: Any) -> Site:
        pools = parts.pop("pools", [{"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}}])
        defaults = parts.pop("defaults", {"os": {"id": "ubuntu", "version": "22.04"}})
        return {
            "apiVersion": "genvalues/v1",
            "kind": "Site",
            "name": "dc1",
            "cluster": {"kubernetes": "1.34.2", "distribution": "kubespray"},
            "charts": {"gpuOperator": "v25.10.1", "nodeFeatureDiscovery": "0.18.3"},
            "hardware": {"defaults": defaults, "pools": pools},
            **parts,
        }

    return with_parts
