"""Values of the NFD chart."""

from collections.abc import Callable
from typing import Any

PATH = "node-feature-discovery/values.yaml"
WORKER = {
    "priorityClassName": "system-node-critical",
    "tolerations": [{"operator": "Exists"}],
    "config": {"sources": {"pci": {"deviceClassWhitelist": ["03"], "deviceLabelFields": ["vendor"]}}},
}


def test_least_values(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A site that sets no label under kubernetes.io and mirrors nothing needs the worker's part only."""
    assert render(site())[PATH].body == {"worker": WORKER}


def test_closed_label_namespaces_are_opened(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Both namespaces of the rule's labels are listed, in the configuration file and not as the flag."""
    pool = {"name": "a", "gpu": {"model": "t4"}, "role": "gpu", "instanceType": "t4-1"}

    body = render(site(pools=[pool]))[PATH].body

    assert body["master"] == {"config": {"extraLabelNs": ["node-role.kubernetes.io", "node.kubernetes.io"]}}


def test_network_adapters_get_a_label(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Class 02 gives pci-15b3.present, which the operators look for."""
    pool = {"name": "a", "gpu": {"model": "t4"}, "nics": [{"fabric": "infiniband"}]}

    pci = render(site(pools=[pool]))[PATH].body["worker"]["config"]["sources"]["pci"]

    assert pci == {"deviceClassWhitelist": ["02", "03"], "deviceLabelFields": ["vendor"]}


def test_offline(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The image comes from the mirror, registry and name in one string; Secrets are objects in this chart."""
    offline = {
        "registries": {"registry.k8s.io": "registry.example.internal/k8s"},
        "imagePullSecrets": ["regcred"],
    }

    doc = render(site(offline=offline))[PATH]

    assert doc.body == {
        "image": {"repository": "registry.example.internal/k8s/nfd/node-feature-discovery"},
        "imagePullSecrets": [{"name": "regcred"}],
        "worker": WORKER,
    }
    assert doc.reason(("image", "repository")).routes == (("offline", "registries", "registry.k8s.io"),)


def test_overrides_come_last(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A raw value is laid over ours, and leads to its own line."""
    overrides = {"nodeFeatureDiscovery": {"worker": {"tolerations": []}, "master": {"replicaCount": 2}}}

    doc = render(site(overrides=overrides))[PATH]

    assert doc.body == {"worker": {**WORKER, "tolerations": []}, "master": {"replicaCount": 2}}
    assert doc.reason(("master", "replicaCount")).routes == (
        ("overrides", "nodeFeatureDiscovery", "master", "replicaCount"),
    )
