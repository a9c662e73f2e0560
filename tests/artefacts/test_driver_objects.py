"""NVIDIADriver objects; fields as the CRD nvidia.com/v1alpha1 has them in each chart version."""

from collections.abc import Callable
from typing import Any

import pytest

MIRROR = {"registries": {"nvcr.io": "registry.example.internal"}, "imagePullSecrets": ["regcred"]}


def two_pools() -> list[dict[str, Any]]:
    return [
        {
            "name": "h100",
            "gpu": {"model": "h100-sxm5-80gb", "count": 8},
            "taints": [{"key": "ml", "effect": "NoExecute"}],
        },
        {
            "name": "v100",
            "gpu": {"model": "v100-sxm2-16gb", "count": 4},
            "driver": {"version": "570.195.03", "kernelModuleType": "proprietary"},
        },
    ]


def objects(files: Any) -> dict[str, Any]:
    folder = "gpu-operator/resources/"
    return {path.removeprefix(folder): doc.body for path, doc in files.items() if path.startswith(folder)}


def test_pools_of_one_driver_need_none(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """One driver for all stands in the values."""
    assert objects(render(site())) == {}


def test_one_object_for_each_pool(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Each selects its pool by the label of the pool's rule and names a whole image; they have a kustomization."""
    made = objects(render(site(pools=two_pools(), driver={"strategy": "container", "version": "580.95.05"})))

    assert made == {
        "nvidia-driver-h100.yaml": {
            "apiVersion": "nvidia.com/v1alpha1",
            "kind": "NVIDIADriver",
            "metadata": {"name": "h100"},
            "spec": {
                "driverType": "gpu",
                "nodeSelector": {"feature.node.kubernetes.io/pool": "h100"},
                "tolerations": [{"key": "ml", "operator": "Exists", "effect": "NoExecute"}],
                "usePrecompiled": False,
                "repository": "nvcr.io/nvidia",
                "image": "driver",
                "version": "580.95.05",
            },
        },
        "nvidia-driver-v100.yaml": {
            "apiVersion": "nvidia.com/v1alpha1",
            "kind": "NVIDIADriver",
            "metadata": {"name": "v100"},
            "spec": {
                "driverType": "gpu",
                "nodeSelector": {"feature.node.kubernetes.io/pool": "v100"},
                "usePrecompiled": False,
                "kernelModuleType": "proprietary",
                "repository": "nvcr.io/nvidia",
                "image": "driver",
                "version": "570.195.03",
            },
        },
        "kustomization.yaml": {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": ["nvidia-driver-h100.yaml", "nvidia-driver-v100.yaml"],
        },
    }


def test_pools_with_a_host_driver_have_none(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Beside a pool whose driver is installed on the nodes, the others still get their objects."""
    pools = two_pools()
    pools[1]["driver"] = {"strategy": "host", "version": "570.195.03"}

    assert list(objects(render(site(pools=pools, driver={"strategy": "container"})))) == [
        "nvidia-driver-h100.yaml",
        "kustomization.yaml",
    ]


def test_everything_that_a_driver_pod_takes(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """ConfigMaps of the pool's own, RDMA, and images from the mirror; Secrets once, for the whole pod."""
    pools = [two_pools()[1], {"name": "l4", "gpu": {"model": "l4"}, "rdma": {"gpuDirect": "none"}}]
    files = render(
        site(
            pools=pools,
            driver={"strategy": "container", "version": "580.95.05", "moduleParameters": {"nvidia": {"NVreg_A": 1}}},
            rdma={"gpuDirect": "peermem", "ofed": "host", "gds": True, "gdrcopy": True},
            offline={**MIRROR, "packages": {"ubuntu22.04": {"mirror.list": "deb x"}}, "caBundle": "ca.pem"},
            cluster={"kubernetes": "1.34.2", "distribution": "kubeadm", "proxy": {"https": "http://proxy:3128"}},
        ),
        "PEM\n",
    )

    spec = objects(files)["nvidia-driver-v100.yaml"]["spec"]
    cloud_native = "registry.example.internal/nvidia/cloud-native"
    assert spec == {
        "driverType": "gpu",
        "nodeSelector": {"feature.node.kubernetes.io/pool": "v100"},
        "usePrecompiled": False,
        "kernelModuleType": "proprietary",
        "repository": "registry.example.internal/nvidia",
        "image": "driver",
        "version": "570.195.03",
        "imagePullSecrets": ["regcred"],
        "gds": {"enabled": True, "repository": cloud_native, "image": "nvidia-fs", "version": "2.26.6"},
        "gdrcopy": {"enabled": True, "repository": cloud_native, "image": "gdrdrv", "version": "v2.5.1"},
        "repoConfig": {"name": "repo-config-v100"},
        "certConfig": {"name": "repo-certs-v100"},
        "kernelModuleConfig": {"name": "kernel-module-params-v100"},
        "rdma": {"enabled": True, "useHostMofed": True},
        "env": [
            {"name": "HTTPS_PROXY", "value": "http://proxy:3128"},
            {"name": "https_proxy", "value": "http://proxy:3128"},
        ],
    }
    maps = {"kernel-module-params-v100", "repo-config-v100", "repo-certs-v100"}
    assert {path for path in files if path.removeprefix("manifests/").removesuffix(".yaml") in maps} == {
        f"manifests/{name}.yaml" for name in maps
    }


@pytest.mark.parametrize(
    ("version", "field"),
    [
        ("v24.9.2", {"useOpenKernelModules": False}),
        ("v25.3.4", {"kernelModuleType": "proprietary"}),
        ("v26.7.0", {"kernelModuleType": "proprietary"}),
    ],
)
def test_module_type_is_spelt_as_the_crd_has_it(
    version: str, field: dict[str, Any], site: Callable[..., Any], render: Callable[..., Any]
) -> None:
    """A switch before v25.3, a word from then on."""
    files = render(
        site(
            charts={"gpuOperator": version}, pools=two_pools(), driver={"strategy": "container", "version": "580.95.05"}
        )
    )

    spec = objects(files)["nvidia-driver-v100.yaml"]["spec"]
    assert {key: spec[key] for key in spec if "Kernel" in key or "kernel" in key} == field
    by_variable = [{"name": "KERNEL_MODULE_TYPE", "value": "proprietary"}] if version == "v24.9.2" else None
    assert spec.get("env") == by_variable


@pytest.mark.parametrize("version", ["v26.3.3", "v26.7.0"])
def test_upgrade_policy(version: str, site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """From v26.7.0 each object has its own, where pod deletion is called otherwise than in the values."""
    policy = {"maxUnavailable": "10%", "gpuPodDeletion": {"force": True}}
    driver = {"strategy": "container", "version": "580.95.05", "upgradePolicy": policy}

    files = render(site(charts={"gpuOperator": version}, pools=two_pools(), driver=driver))

    expected = {"maxUnavailable": "10%", "podDeletion": {"force": True}} if version == "v26.7.0" else None
    assert objects(files)["nvidia-driver-h100.yaml"]["spec"].get("upgradePolicy") == expected


def test_precompiled_beside_container(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A precompiled driver is a branch, and reads neither sources nor certificates."""
    pools = [
        {"name": "a", "gpu": {"model": "l4"}, "driver": {"strategy": "precompiled", "version": "580"}},
        {"name": "b", "gpu": {"model": "t4"}},
    ]
    offline = {"packages": {"ubuntu22.04": {"mirror.list": "deb x"}}, "caBundle": "ca.pem"}

    spec = objects(render(site(pools=pools, offline=offline), "PEM\n"))["nvidia-driver-a.yaml"]["spec"]

    assert spec == {
        "driverType": "gpu",
        "nodeSelector": {"feature.node.kubernetes.io/pool": "a"},
        "usePrecompiled": True,
        "repository": "nvcr.io/nvidia",
        "image": "driver",
        "version": "580",
    }
