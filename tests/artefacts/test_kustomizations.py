"""Kustomizations, and the order of rendering."""

from collections.abc import Callable
from typing import Any

from genvalues.artefacts import kustomizations
from genvalues.document import Builder, Doc, Text


def doc(path: str) -> Doc:
    return Builder(path, "manifest").doc()


def test_each_folder_lists_its_documents() -> None:
    """Resources in the order of rendering; no folder without documents, no texts, nothing of other folders."""
    rendered: list[Doc | Text] = [
        doc("manifests/namespace.yaml"),
        doc("node-feature-discovery/namespace.yaml"),
        doc("manifests/a.yaml"),
        Text("manifests/notes.txt", "x"),
        doc("gpu-operator/resources/b.yaml"),
        doc("verify/pod.yaml"),
    ]

    assert {made.path: made.body for made in kustomizations.render(rendered)} == {
        "manifests/kustomization.yaml": {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": ["namespace.yaml", "a.yaml"],
        },
        "gpu-operator/resources/kustomization.yaml": {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": ["b.yaml"],
        },
    }


def test_manifests_hold_what_may_be_applied_early(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Between NFD and the operator only namespaces, ConfigMaps and rules can be applied; all are listed."""
    files = render(
        site(
            pools=[{"name": "t4", "gpu": {"model": "t4", "count": 1}, "sharing": "dev"}],
            sharing={"configs": {"dev": {"timeSlicing": {"replicas": 4}}}},
            monitoring={"dcgm": {"presets": ["default"]}},
        )
    )
    manifests = {path: item for path, item in files.items() if path.startswith("manifests/")}

    assert manifests.pop("manifests/kustomization.yaml").body["resources"] == [
        path.removeprefix("manifests/") for path in manifests
    ]
    assert {item.body["kind"] for item in manifests.values()} == {"Namespace", "ConfigMap", "NodeFeatureRule"}
