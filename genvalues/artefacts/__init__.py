"""Everything that is rendered: one module per artefact, each a pure function from the plan to documents.

A renderer decides nothing and spells no shared name: what two artefacts must agree on stands in the plan.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from genvalues.artefacts import (
    device_plugin_config,
    driver_config_maps,
    driver_objects,
    kustomizations,
    mig_parted_config,
    namespaces,
    nfd_values,
    node_feature_rules,
    operator_values,
)
from genvalues.document import Doc, Text
from genvalues.plan import Plan

__all__ = ["ARTEFACTS", "KUSTOMIZATIONS", "Artefact", "names", "render"]


class Artefact(NamedTuple):
    """One artefact: its name on the command line, and what it writes for a plan (nothing, where the site has no use for it)."""

    name: str
    render: Callable[[Plan], Iterator[Doc | Text]]


ARTEFACTS: tuple[Artefact, ...] = (
    Artefact("namespaces", namespaces.render),
    Artefact("nfd-values", nfd_values.render),
    Artefact("node-feature-rules", node_feature_rules.render),
    Artefact("operator-values", operator_values.render),
    Artefact("driver-objects", driver_objects.render),
    Artefact("device-plugin-config", device_plugin_config.render),
    Artefact("mig-parted-config", mig_parted_config.render),
    Artefact("driver-config-maps", driver_config_maps.render),
)
"""In the order of rendering, which is also the order of resources in a kustomization."""

KUSTOMIZATIONS = "kustomizations"
"""The artefact that comes last: it lists the documents of all others, so it is not made from the plan."""


def names() -> tuple[str, ...]:
    """The names that `render` takes for one artefact."""
    return (*(artefact.name for artefact in ARTEFACTS), KUSTOMIZATIONS)


def render(plan: Plan, only: str | None = None) -> list[Doc | Text]:
    """Every file of a site, or those of one artefact; ValueError where there is none of that name."""
    if only is not None and only not in names():
        raise ValueError(f"there is no artefact {only}: {', '.join(names())}")
    wanted = ARTEFACTS if only in (None, KUSTOMIZATIONS) else [one for one in ARTEFACTS if one.name == only]
    rendered = [item for artefact in wanted for item in artefact.render(plan)]
    listed: list[Doc | Text] = list(kustomizations.render(rendered)) if only in (None, KUSTOMIZATIONS) else []
    return listed if only == KUSTOMIZATIONS else [*rendered, *listed]
