"""The namespaces of a rendering."""

from collections.abc import Callable
from typing import Any

PRIVILEGED = {
    "pod-security.kubernetes.io/enforce": "privileged",
    "pod-security.kubernetes.io/audit": "privileged",
    "pod-security.kubernetes.io/warn": "privileged",
}


def test_both_namespaces_are_privileged(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """NFD's namespace stands beside its values, the operator's in manifests/, each with the three labels."""
    files = render(site(), only="namespaces")

    assert {path: doc.body for path, doc in files.items()} == {
        "node-feature-discovery/namespace.yaml": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "node-feature-discovery", "labels": PRIVILEGED},
        },
        "manifests/namespace.yaml": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "gpu-operator", "labels": PRIVILEGED},
        },
    }


def test_shared_namespace_is_written_once(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """One namespace for both charts is one object, where it is applied first."""
    cluster = {
        "kubernetes": "1.34.2",
        "distribution": "kubeadm",
        "namespaces": {"gpuOperator": "nvidia", "nodeFeatureDiscovery": "nvidia"},
    }

    files = render(site(cluster=cluster), only="namespaces")

    assert list(files) == ["node-feature-discovery/namespace.yaml"]
    doc = files["node-feature-discovery/namespace.yaml"]
    assert doc.body["metadata"]["name"] == "nvidia"
    assert doc.reason(("metadata", "name")).routes == (("cluster", "namespaces", "nodeFeatureDiscovery"),)
