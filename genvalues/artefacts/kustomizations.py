"""A kustomization.yaml for each folder of Kubernetes objects.

Unlike other artefacts these follow from documents, not from the plan: a kustomization lists what was rendered beside it.
There is no `namespace:` transformer, which would write a namespace into cluster-scoped objects too.
"""

from collections.abc import Iterable, Iterator

from genvalues.document import Builder, Doc, Text

_FOLDERS = {
    "manifests": "Apply after Node Feature Discovery, whose CRD it needs, and before GPU Operator, which reads the rest.",
    "gpu-operator/resources": "Apply after GPU Operator: its chart brings the CRDs of these objects.",
    "monitoring": "Apply where the CRDs of the monitoring operator are installed.",
}


def render(rendered: Iterable[Doc | Text]) -> Iterator[Doc]:
    """A kustomization for each folder that holds a document, its resources in the order of rendering."""
    paths = [item.path for item in rendered if isinstance(item, Doc) and item.kind != "kustomization"]
    for folder, intro in _FOLDERS.items():
        resources = [path.removeprefix(f"{folder}/") for path in paths if path.rpartition("/")[0] == folder]
        if resources:
            builder = Builder(f"{folder}/kustomization.yaml", "kustomization", intro=(intro,))
            builder.fixed(("apiVersion",), "kustomize.config.k8s.io/v1beta1")
            builder.fixed(("kind",), "Kustomization")
            builder.fixed(("resources",), resources)
            yield builder.doc()
