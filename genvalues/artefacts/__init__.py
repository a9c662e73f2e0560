"""Everything that is rendered: one module per artefact, each a pure function from the plan to documents.

A renderer decides nothing and spells no shared name: what two artefacts must agree on stands in the plan.
"""

from collections.abc import Callable, Iterator

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

__all__ = ["ARTEFACTS", "Artefact", "documents", "texts"]


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


def documents(plan: Plan) -> tuple[Doc, ...]:
    """Every document of a site, kustomizations last."""
    rendered = [item for artefact in DOCUMENTS for item in artefact.render(plan) if isinstance(item, Doc)]
    return (*rendered, *kustomizations.render(rendered))


def texts(plan: Plan) -> tuple[Text, ...]:
    """Every file of a site that is no document."""
    return tuple(item for artefact in TEXTS for item in artefact.render(plan) if isinstance(item, Text))
