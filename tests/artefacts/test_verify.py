"""Verification pods; the pod of NVIDIA/gpu-operator tests/gpu-pod.yaml is what they start from."""

from collections.abc import Callable
from typing import Any

import pytest

IMAGE = "nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0-ubuntu22.04"


def test_pod(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The pod goes where the pool is, tolerates its taints, takes one GPU, and pulls from the mirror."""
    taints = [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
        {"key": "team", "effect": "NoExecute"},
    ]
    offline = {"registries": {"nvcr.io": "mirror.example.internal/nv"}, "imagePullSecrets": ["regcred"]}
    pools = [{"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}, "taints": taints}]
    doc = render(site(pools=pools, offline=offline), only="verify")["verify/h100.yaml"]

    assert doc.body == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "verify-h100", "namespace": "gpu-operator"},
        "spec": {
            "restartPolicy": "Never",
            "imagePullSecrets": [{"name": "regcred"}],
            "nodeSelector": {"feature.node.kubernetes.io/pool": "h100"},
            "tolerations": [
                {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
                {"key": "team", "operator": "Exists", "effect": "NoExecute"},
            ],
            "containers": [
                {
                    "name": "cuda-vectoradd",
                    "image": "mirror.example.internal/nv/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0-ubuntu22.04",
                    "resources": {"limits": {"nvidia.com/gpu": 1}},
                }
            ],
        },
    }


def test_nothing_that_the_site_does_not_need(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Without taints, Secrets and a runtime class of its own the pod is upstream's, with a selector."""
    spec = render(site(), only="verify")["verify/h100.yaml"].body["spec"]

    assert list(spec) == ["restartPolicy", "nodeSelector", "containers"]
    assert spec["containers"][0]["image"] == IMAGE


def test_a_pod_for_each_resource(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Two MIG profiles and a whole GPU on a node are three ways to ask; names are DNS labels."""
    layouts = [{"gpus": [0], "profiles": {"1g.10gb": 7}}, {"gpus": [1], "profiles": {"1g.10gb+me": 1, "3g.40gb": 1}}]
    parts: dict[str, Any] = {
        "pools": [{"name": "mixed", "gpu": {"model": "h100-sxm5-80gb", "count": 3}, "sharing": "split"}],
        "sharing": {"configs": {"split": {"mig": {"strategy": "mixed", "layouts": layouts}}}},
    }
    files = render(site(**parts), only="verify")

    assert {
        path: (doc.body["metadata"]["name"], doc.body["spec"]["containers"][0]["resources"]["limits"])
        for path, doc in files.items()
    } == {
        "verify/mixed-mig-1g.10gb.yaml": ("verify-mixed-mig-1g-10gb", {"nvidia.com/mig-1g.10gb": 1}),
        "verify/mixed-mig-1g.10gb.me.yaml": ("verify-mixed-mig-1g-10gb-me", {"nvidia.com/mig-1g.10gb.me": 1}),
        "verify/mixed-mig-3g.40gb.yaml": ("verify-mixed-mig-3g-40gb", {"nvidia.com/mig-3g.40gb": 1}),
        "verify/mixed-gpu.yaml": ("verify-mixed-gpu", {"nvidia.com/gpu": 1}),
    }


def test_renamed_resource(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A renamed resource is asked for under its new name."""
    parts: dict[str, Any] = {
        "pools": [{"name": "dev", "gpu": {"model": "t4", "count": 2}, "sharing": "dev"}],
        "sharing": {"configs": {"dev": {"timeSlicing": {"replicas": 4, "renameByDefault": True}}}},
    }
    doc = render(site(**parts), only="verify")["verify/dev.yaml"]

    assert doc.body["spec"]["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu.shared": 1}


@pytest.mark.parametrize(
    ("distribution", "operator", "parts", "runtime"),
    [
        ("rke2", "v25.3.4", {}, "nvidia"),
        ("k3s", "v24.9.2", {}, "nvidia"),
        ("k0s", "v25.3.4", {}, "nvidia"),
        ("microk8s", "v25.3.4", {}, "nvidia"),
        ("rke2", "v25.10.1", {}, None),
        ("rke2", "v25.10.1", {"overrides": {"gpuOperator": {"cdi": {"enabled": False}}}}, "nvidia"),
        ("rke2", "v25.3.4", {"overrides": {"gpuOperator": {"cdi": {"enabled": True}}}}, None),
        ("rke2", "v25.3.4", {"overrides": {"gpuOperator": {"operator": {"runtimeClass": "gpu"}}}}, "gpu"),
        ("rke2", "v25.3.4", {"toolkit": {"strategy": "host"}}, None),
        ("kubespray", "v25.3.4", {}, None),
        ("kubeadm", "v24.9.2", {}, None),
    ],
)
def test_runtime_class(
    site: Callable[..., Any],
    render: Callable[..., Any],
    distribution: str,
    operator: str,
    parts: dict[str, Any],
    runtime: str | None,
) -> None:
    """Distributions with a containerd of their own need it as long as CDI is off (gpu-operator#473)."""
    cluster = {"kubernetes": "1.32.4", "distribution": distribution}
    charts = {"gpuOperator": operator}
    doc = render(site(cluster=cluster, charts=charts, **parts), only="verify")["verify/h100.yaml"]

    assert doc.body["spec"].get("runtimeClassName") == runtime
