"""Host files. Package names: NVIDIA/gpu-driver-container install.sh and local-repo.sh; file formats: their man pages."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from genvalues.document import Text

NOUVEAU = "etc/modprobe.d/genvalues-nouveau.conf"


@pytest.fixture
def files(site: Callable[..., Any], render: Callable[..., Any]) -> Callable[..., dict[str, list[str]]]:
    """The lines of each host file but for comments, by path, for a site with a host driver."""

    def of(ca_text: str | None = None, **parts: Any) -> dict[str, list[str]]:
        parts.setdefault("driver", {"strategy": "host", "version": "580.95.05", "kernelModuleType": "open"})
        found: Mapping[str, Text] = render(site(**parts), ca_text, only="host")
        return {
            path: [line for line in text.text.splitlines() if not line.startswith("#")] for path, text in found.items()
        }

    return of


def test_nothing_for_a_driver_pod(files: Callable[..., dict[str, list[str]]]) -> None:
    """Nodes whose driver comes from the cluster need no file of ours."""
    assert files(driver={"strategy": "container"}) == {}


def test_hgx(files: Callable[..., dict[str, list[str]]]) -> None:
    """An HGX H100 node gets the open driver, Fabric Manager and NSCQ in one version, and no nouveau."""
    assert files() == {
        "host/packages.txt": [
            "nvidia-open=580.95.05*",
            "nvidia-fabricmanager=580.95.05*",
            "libnvidia-nscq=580.95.05*",
        ],
        "host/etc/apt/preferences.d/genvalues-nvidia": [
            "Explanation: every package of the driver stays at 580.95.05 until this file says otherwise",
            "Package: *nvidia* cuda-drivers* libnvsdm*",
            "Pin: version 580.95.05*",
            "Pin-Priority: 1001",
        ],
        f"host/{NOUVEAU}": ["blacklist nouveau", "options nouveau modeset=0"],
    }


@pytest.mark.parametrize(
    ("driver", "os", "names"),
    [
        (
            {"version": "575.57.08", "kernelModuleType": "proprietary"},
            {"id": "ubuntu", "version": "22.04"},
            ["cuda-drivers=575.57.08*", "nvidia-fabricmanager-575=575.57.08*", "libnvidia-nscq-575=575.57.08*"],
        ),
        (
            {"version": "580.95.05", "kernelModuleType": "open", "host": {"packages": "ubuntu-archive"}},
            {"id": "ubuntu", "version": "22.04", "kernels": ["6.8.0-45-generic", "6.8.0-47-generic"]},
            [
                "linux-modules-nvidia-580-server-open-6.8.0-45-generic",
                "linux-modules-nvidia-580-server-open-6.8.0-47-generic",
                "nvidia-headless-no-dkms-580-server-open=580.95.05*",
                "nvidia-utils-580-server=580.95.05*",
                "nvidia-fabricmanager-580=580.95.05*",
            ],
        ),
        (
            {"version": "580.95.05", "kernelModuleType": "open"},
            {"id": "rocky", "version": "9.6"},
            ["nvidia-open-580.95.05*", "nvidia-fabricmanager-580.95.05*", "libnvidia-nscq-580.95.05*"],
        ),
        (
            {"version": "570.172.08", "kernelModuleType": "open"},
            {"id": "rhel", "version": "9.4"},
            ["nvidia-open-570.172.08*", "nvidia-fabric-manager-570.172.08*", "libnvidia-nscq-570-570.172.08*"],
        ),
    ],
)
def test_packages(
    files: Callable[..., dict[str, list[str]]], driver: dict[str, Any], os: dict[str, Any], names: list[str]
) -> None:
    """Names follow the repository, the branch (no suffix in the CUDA repository from 580 on) and the distribution."""
    found = files(driver={"strategy": "host", **driver}, defaults={"os": os})

    assert found["host/packages.txt"] == names


def test_runfile(files: Callable[..., dict[str, list[str]]]) -> None:
    """A driver from a runfile has no packages to name and none to pin."""
    driver = {"strategy": "host", "version": "580.95.05", "host": {"packages": "runfile"}}

    assert list(files(driver=driver)) == [f"host/{NOUVEAU}"]


def test_nvlink5(files: Callable[..., dict[str, list[str]]]) -> None:
    """B200: the subnet manager beside Fabric Manager, ib_umad from the extra modules, both modules at boot."""
    found = files(
        pools=[{"name": "b200", "gpu": {"model": "b200-sxm6-180gb", "count": 8}}],
        defaults={"os": {"id": "ubuntu", "version": "24.04", "kernels": ["6.8.0-79-generic"]}},
    )

    assert found["host/packages.txt"] == [
        "nvidia-open=580.95.05*",
        "nvidia-fabricmanager=580.95.05*",
        "libnvidia-nscq=580.95.05*",
        "nvlsm",
        "infiniband-diags",
        "nvlink5-580",
        "linux-modules-extra-6.8.0-79-generic",
    ]
    assert found["host/etc/modules-load.d/genvalues-gpu.conf"] == ["mlx5_ib", "ib_umad"]


def test_nvlink5_with_a_driver_pod(files: Callable[..., dict[str, list[str]]]) -> None:
    """The driver pod starts Fabric Manager itself, but waits for modules of the node's kernel (gpu-operator#2781)."""
    pools = [{"name": "b200", "gpu": {"model": "b200-sxm6-180gb", "count": 8}}]

    assert files(driver={"strategy": "container"}, pools=pools) == {
        "host/etc/modules-load.d/genvalues-gpu.conf": ["mlx5_ib", "ib_umad"]
    }


def test_rack(files: Callable[..., dict[str, list[str]]]) -> None:
    """In a rack of GB200 the switch trays run Fabric Manager; the nodes need IMEX."""
    pools = [{"name": "gb200", "gpu": {"model": "gb200", "count": 4, "board": "nvl72"}}]

    assert files(pools=pools)["host/packages.txt"] == ["nvidia-open=580.95.05*", "nvidia-imex=580.95.05*"]


def test_modules_and_parameters(files: Callable[..., dict[str, list[str]]]) -> None:
    """What the driver pod would load and set is the node's to do: modules at boot, parameters for modprobe."""
    found = files(
        driver={
            "strategy": "host",
            "version": "580.95.05",
            "moduleParameters": {
                "nvidia": {"NVreg_RestrictProfilingToAdminUsers": 0},
                "nvidia-uvm": {"uvm_disable_hmm": 1},
            },
        },
        rdma={"gpuDirect": "peermem", "ofed": "host", "gdrcopy": True, "gds": True},
    )

    assert found["host/etc/modules-load.d/genvalues-gpu.conf"] == ["nvidia-peermem", "gdrdrv", "nvidia-fs"]
    assert found["host/etc/modprobe.d/genvalues-nvidia.conf"] == [
        "options nvidia NVreg_RestrictProfilingToAdminUsers=0",
        "options nvidia-uvm uvm_disable_hmm=1",
    ]


@pytest.mark.parametrize(
    ("os", "tag", "source", "path", "certificate"),
    [
        (
            {"id": "ubuntu", "version": "22.04"},
            "ubuntu22.04",
            "mirror.list",
            "host/etc/apt/sources.list.d/mirror.list",
            "host/usr/local/share/ca-certificates/dc1-ca.crt",
        ),
        (
            {"id": "rhel", "version": "9.4"},
            "rhel9.4",
            "mirror.repo",
            "host/etc/yum.repos.d/mirror.repo",
            "host/etc/pki/ca-trust/source/anchors/dc1-ca.pem",
        ),
    ],
)
def test_mirror(
    files: Callable[..., dict[str, list[str]]],
    os: dict[str, str],
    tag: str,
    source: str,
    path: str,
    certificate: str,
) -> None:
    """Sources and certificate lie where the node's own tools look; the text ends in a newline, the site's or ours."""
    offline = {"packages": {tag: {source: "first\nlast"}, "ubuntu20.04": {"other.list": "no"}}, "caBundle": "ca.pem"}
    found = files("CERTIFICATE", defaults={"os": os}, offline=offline)

    assert (found[path], found[certificate]) == (["first", "last"], ["CERTIFICATE"])
    assert "other.list" not in " ".join(found)


def test_certificate_for_nodes_with_a_driver_pod(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Every node pulls from the mirror, whoever brings the driver; a certificate file has no header."""
    found = render(site(offline={"caBundle": "ca.pem"}), "CERTIFICATE\n", only="host")

    assert {path: (text.text, text.comment) for path, text in found.items()} == {
        "host/usr/local/share/ca-certificates/dc1-ca.crt": ("CERTIFICATE\n", "")
    }


def test_pools_that_need_the_same_share_a_folder(files: Callable[..., dict[str, list[str]]]) -> None:
    """One set of files for all pools, also where each pool says the same by itself."""
    driver = {"strategy": "host", "version": "580.95.05", "moduleParameters": {"nvidia": {"NVreg_X": 1}}}
    pools = [{"name": name, "gpu": {"model": "l40s", "count": 4}, "driver": driver} for name in ("a", "b")]

    assert {path.partition("/")[2] for path in files(pools=pools, driver={"strategy": "host"})} == {
        "packages.txt",
        "etc/apt/preferences.d/genvalues-nvidia",
        "etc/modprobe.d/genvalues-nvidia.conf",
        NOUVEAU,
    }


def test_pools_that_need_different_things(files: Callable[..., dict[str, list[str]]]) -> None:
    """Each pool that needs any has a folder; one with a driver pod has none."""
    pools = [
        {"name": "hgx", "gpu": {"model": "h100-sxm5-80gb", "count": 8}},
        {"name": "pcie", "gpu": {"model": "l40s", "count": 4}},
        {"name": "pods", "gpu": {"model": "l40s", "count": 4}, "driver": {"strategy": "container"}},
    ]
    found = files(pools=pools)

    assert {path.split("/")[1] for path in found} == {"hgx", "pcie"}
    assert found["host/pcie/packages.txt"] == ["nvidia-open=580.95.05*"]


def test_no_file_is_empty(files: Callable[..., dict[str, list[str]]]) -> None:
    """A host driver about which nothing is known needs no list of packages, no pin, no parameters."""
    found = files(driver={"strategy": "host"}, defaults={}, pools=[{"name": "any"}])

    assert list(found) == [f"host/{NOUVEAU}"]
