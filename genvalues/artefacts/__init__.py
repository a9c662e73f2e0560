"""Everything that is rendered: one module per artefact, each a pure function from the plan to documents.

A renderer decides nothing and spells no shared name: what two artefacts must agree on stands in the plan.
"""

from collections.abc import Callable, Iterator, Sequence

from genvalues.artefacts import (
    dcgm_metrics,
    device_plugin_config,
    driver_config_maps,
    driver_objects,
    kustomizations,
    mig_parted_config,
    monitoring,
    namespaces,
    nfd_values,
    node_feature_rules,
    operator_values,
    scheduler,
    verify,
)
from genvalues.document import Doc, Text
from genvalues.plan import Plan
from genvalues.record import NamedTuple

__all__ = ["ARTEFACTS", "KUSTOMIZATIONS", "Artefact", "documents", "names", "render", "texts"]


class Artefact(NamedTuple):
    """One artefact: its name, and what it writes for a plan (nothing, where the site has no use for it)."""

    name: str
    render: Callable[[Plan], Iterator[Doc | Text]]


def _host(plan: Plan) -> Iterator[Text]:
    from genvalues.artefacts import host  # noqa: PLC0415  `check` needs no texts

    yield from host.render(plan)


def _readme(plan: Plan) -> Iterator[Text]:
    from genvalues.artefacts import readme  # noqa: PLC0415  it brings jinja2 along, which costs more than all others

    yield from readme.render(plan)


DOCUMENTS: tuple[Artefact, ...] = (
    Artefact("nfd-values", nfd_values.render),
    Artefact("namespaces", namespaces.render),
    Artefact("node-feature-rules", node_feature_rules.render),
    Artefact("device-plugin-config", device_plugin_config.render),
    Artefact("mig-parted-config", mig_parted_config.render),
    Artefact("dcgm-metrics", dcgm_metrics.render),
    Artefact("driver-config-maps", driver_config_maps.render),
    Artefact("operator-values", operator_values.render),
    Artefact("driver-objects", driver_objects.render),
    Artefact("monitoring", monitoring.render),
    Artefact("scheduler", scheduler.render),
    Artefact("verify", verify.render),
)
TEXTS: tuple[Artefact, ...] = (
    Artefact("host", _host),
    Artefact("readme", _readme),
)
ARTEFACTS = (*DOCUMENTS, *TEXTS)
"""In the order of installing, which is also that of the resources in a kustomization; texts last."""

KUSTOMIZATIONS = "kustomizations"
"""The artefact behind all documents: it lists what was rendered beside it, so it is not made from the plan."""


def names() -> tuple[str, ...]:
    """The names that `render` takes for one artefact."""
    return (*(artefact.name for artefact in ARTEFACTS), KUSTOMIZATIONS)


def documents(plan: Plan) -> tuple[Doc, ...]:
    """Every document of a site, kustomizations last."""
    rendered = [item for artefact in DOCUMENTS for item in artefact.render(plan) if isinstance(item, Doc)]
    return (*rendered, *kustomizations.render(rendered))


def texts(plan: Plan) -> tuple[Text, ...]:
    """Every file of a site that is no document."""
    return tuple(item for artefact in TEXTS for item in artefact.render(plan) if isinstance(item, Text))


def render(plan: Plan, only: str | None = None) -> Sequence[Doc | Text]:
    """Every file of a site, or those of one artefact; ValueError where there is none of that name."""
    if only is None:
        return (*documents(plan), *texts(plan))
    if only == KUSTOMIZATIONS:
        return [doc for doc in documents(plan) if doc.kind == "kustomization"]
    for artefact in ARTEFACTS:
        if artefact.name == only:
            return list(artefact.render(plan))
    raise ValueError(f"there is no artefact {only}: {', '.join(names())}")
