"""Verification pods: one for each resource that a pool exposes, each adding two vectors on a GPU and ending.

The image is the one of NVIDIA's own end-to-end tests; its last lines are "Test PASSED" and "Done".
"""

from collections.abc import Iterator

from genvalues.artefacts.objects import begin
from genvalues.document import Decided, Doc
from genvalues.plan import Plan
from genvalues.plan.kinds import VerifyPod
from genvalues.plan.labels import spelt
from genvalues.plan.reasons import by_default, said

_CONTAINER = ("spec", "containers", 0)


def render(plan: Plan) -> Iterator[Doc]:
    """A pod a file, in no kustomization: they are applied one after the other by hand, and deleted again."""
    for pod in plan.verify:
        yield _pod(pod, plan)


def _pod(pod: VerifyPod, plan: Plan) -> Doc:
    pool, namespace = pod.pool, plan.operator.namespace
    intro = (
        f"Shows that a pod gets {pod.resource.name} on a node of pool {pool.name}. It ends by itself; then:",
        f"kubectl logs {pod.name} -n {namespace.value}",
        "Its last lines are: Test PASSED, Done.",
    )
    name = by_default(pod.name, "")
    builder = begin(pod.file, "manifest", "v1", "Pod", name, intro=intro)
    builder.put(("metadata", "namespace"), namespace._replace(why=namespace.why._replace(text=_namespace(plan))))
    builder.fixed(("spec", "restartPolicy"), "Never")
    if pod.runtime_class is not None:
        builder.put(("spec", "runtimeClassName"), pod.runtime_class)
    if plan.pull_secrets.value:
        secrets = [{"name": secret} for secret in plan.pull_secrets.value]
        builder.put(("spec", "imagePullSecrets"), Decided(secrets, plan.pull_secrets.why))
    key, value = pool.selector
    builder.put(("spec", "nodeSelector", key), said(value, pool.pool.at.route("name"), "the label of the pool's rule"))
    for position, taint in enumerate(pool.pool.taints):
        toleration = {"key": taint.key, "operator": "Exists", "effect": taint.effect}
        route = pool.pool.at.route("taints", position)
        builder.put(("spec", "tolerations", position), said(toleration, route, f"nodes carry {spelt(taint)}"))
    builder.fixed((*_CONTAINER, "name"), "cuda-vectoradd")
    builder.put((*_CONTAINER, "image"), plan.verify_image)
    limit = (*_CONTAINER, "resources", "limits", pod.resource.name)
    why = pool.sharing.name.why._replace(text=f"nodes of pool {pool.name} advertise this resource")
    builder.put(limit, Decided(1, why))
    return builder.doc()


def _namespace(plan: Plan) -> str:
    """Why the pod runs in the operator's namespace."""
    if plan.pull_secrets.value:
        return "the pull Secrets are in the operator's namespace"
    return "the operator's namespace"
