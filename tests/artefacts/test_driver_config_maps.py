"""ConfigMaps for driver pods; keys as the driver container reads them."""

from collections.abc import Callable
from typing import Any

OFFLINE = {
    "packages": {
        "ubuntu22.04": {"mirror.list": "deb https://mirror.example.internal/ubuntu jammy main"},
        "rhel9.4": {"mirror.repo": "[baseos]"},
    },
    "caBundle": "pki/ca.pem",
}


def test_files_of_a_container_driver(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Module parameters by module, sources of the pool's operating system only, certificates as Ubuntu wants them."""
    driver = {
        "strategy": "container",
        "moduleParameters": {"nvidia-uvm": {"uvm_disable_hmm": 1}, "nvidia": {"NVreg_A": "x", "NVreg_B": 0}},
    }

    files = render(site(driver=driver, offline=OFFLINE), "PEM\n", only="driver-config-maps")

    assert {path: doc.body for path, doc in files.items()} == {
        "manifests/kernel-module-params.yaml": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "kernel-module-params", "namespace": "gpu-operator"},
            "data": {"nvidia.conf": "NVreg_A=x\nNVreg_B=0\n", "nvidia-uvm.conf": "uvm_disable_hmm=1\n"},
        },
        "manifests/repo-config.yaml": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "repo-config", "namespace": "gpu-operator"},
            "data": {"mirror.list": "deb https://mirror.example.internal/ubuntu jammy main\n"},
        },
        "manifests/repo-certs.yaml": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "repo-certs", "namespace": "gpu-operator"},
            "data": {"offline-ca.crt": "PEM\n"},
        },
    }


def test_host_driver_reads_none(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Without driver pods nobody reads them."""
    driver = {"strategy": "host", "version": "580.95.05", "moduleParameters": {"nvidia": {"NVreg_A": 1}}}

    assert render(site(driver=driver, offline=OFFLINE), "PEM\n", only="driver-config-maps") == {}
