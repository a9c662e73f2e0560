"""The namespaces, each as privileged as the pods in it.

The driver, the toolkit and NFD's workers mount folders of the host, which Pod Security admission refuses below
`privileged`. `audit` and `warn` go along, as GPU Operator itself does with psa.enabled: where a cluster sets defaults
for them, every pod of the operator would be reported.
"""

from collections.abc import Iterator

from genvalues.artefacts.objects import begin
from genvalues.document import Doc
from genvalues.plan import Plan
from genvalues.plan.kinds import ChartPlan
from genvalues.plan.reasons import by_default

_PRIVILEGED = by_default("privileged", "pods in here mount folders of the host, which any lower level forbids")


def render(plan: Plan) -> Iterator[Doc]:
    """NFD's namespace beside its values, as it comes before manifests/; the operator's, unless it is the same one."""
    yield _namespace("node-feature-discovery/namespace.yaml", plan.nfd)
    if plan.operator.namespace.value != plan.nfd.namespace.value:
        yield _namespace("manifests/namespace.yaml", plan.operator)


def _namespace(path: str, chart: ChartPlan) -> Doc:
    builder = begin(path, "manifest", "v1", "Namespace", chart.namespace, chart.chart)
    for mode in ("enforce", "audit", "warn"):
        builder.put(("metadata", "labels", f"pod-security.kubernetes.io/{mode}"), _PRIVILEGED)
    return builder.doc()
