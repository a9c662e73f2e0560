"""ConfigMaps that driver pods read: package sources, certificate authorities, kernel module parameters."""

from collections.abc import Iterator

from genvalues.artefacts.objects import operator_config_map
from genvalues.document import Doc
from genvalues.plan import Plan, config_maps

_INTRO = (
    "Driver pods read it when they start: a change needs new driver pods, and those interrupt the node's GPU jobs.",
)


def render(plan: Plan) -> Iterator[Doc]:
    """One file for each ConfigMap, named as it is."""
    for ref in config_maps(plan):
        builder = operator_config_map(plan, f"manifests/{ref.name.value}.yaml", ref.name, _INTRO)
        for key, text in ref.data.items():
            builder.put(("data", key), text)
        yield builder.doc()
