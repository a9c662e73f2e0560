"""Values of the Node Feature Discovery chart, which is installed once, stand-alone, for every operator."""

from collections.abc import Iterator

from genvalues.artefacts.values import ChartValues, toleration
from genvalues.document import Decided, Doc
from genvalues.plan import Plan
from genvalues.plan.reasons import by_default

_PCI = ("worker", "config", "sources", "pci")


def render(plan: Plan) -> Iterator[Doc]:
    """One values file; the site's overrides come last."""
    values = ChartValues(plan.nfd, "node-feature-discovery/values.yaml")
    _image(values, plan)
    if plan.extra_label_namespaces.value:
        # In the file, not as the flag master.extraLabelNs: the flag's list would replace one that an override adds.
        values.put(("master", "config", "extraLabelNs"), plan.extra_label_namespaces)
    worker = plan.nfd_worker
    values.put(("worker", "priorityClassName"), worker.priority_class)
    tolerations = [toleration(tolerated) for tolerated in worker.tolerations.value]
    values.put(("worker", "tolerations"), Decided(tolerations, worker.tolerations.why))
    values.put((*_PCI, "deviceClassWhitelist"), plan.device_classes)
    fields = by_default(
        ["vendor"], "labels without the class in them, such as pci-10de.present: NVIDIA's operators look for these"
    )
    values.put((*_PCI, "deviceLabelFields"), fields)
    values.lay(plan.overrides.get("nodeFeatureDiscovery", {}), ("overrides", "nodeFeatureDiscovery"))
    yield values.doc()


def _image(values: ChartValues, plan: Plan) -> None:
    image = plan.nfd_image
    if image is not None and image.repository.value != image.upstream and "repository" in image.route:
        values.put(image.route["repository"], image.repository)
    if plan.pull_secrets.value:
        # Objects here, where GPU Operator's chart takes bare names.
        secrets = [{"name": secret} for secret in plan.pull_secrets.value]
        values.put(("imagePullSecrets",), Decided(secrets, plan.pull_secrets.why))
