"""False claims that go round about this hardware and software (hardware.json, `false_claims`): each is caught where it stands.

A claim that asks for something is caught by a rule. A claim that denies something is refuted by a site that does it and is in
order. What no site and no file can hold is listed with the reason.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import judging
import pytest

from genvalues import pipeline
from genvalues.finding import Finding
from genvalues.rules.node_feature_logic import MOCK_IDS

Judge = Callable[[Path], list[Finding]]


class Claim(NamedTuple):
    """A claim as someone writes it down, what is wrong with it, and the codes that say so at the line; () where it is right."""

    number: str
    said: str
    judge: Judge
    codes: tuple[str, ...]


def lines(text: str) -> Judge:
    return lambda folder: judging.lines(text, folder)


def file(text: str, kind: str = "", chart: str = "") -> Judge:
    return lambda _: judging.file(text, kind, chart)


def values(text: str, version: str) -> Judge:
    return file(text, "values", f"gpu-operator@{version}")


def gpus(model: str, more: str = "", board: str = "null") -> str:
    return f"hardware:\n  pools:\n  - name: gpu\n    gpu: {{model: {model}, count: 4, board: {board}}}\n{more}"


def split(profile: str, driver: str) -> str:
    return (
        f"    sharing: slices\nsharing: {{configs: {{slices: {{mig: {{layouts: [{{gpus: all, profiles: {{{profile}}}}}]}}}}}}}}\n"
        f'driver: {{version: "{driver}", kernelModuleType: proprietary}}\n'
    )


def selector(label: str) -> str:
    return (
        "apiVersion: nvidia.com/v1alpha1\nkind: NVIDIADriver\nmetadata: {name: x}\n"
        f"spec: {{driverType: gpu, image: driver, nodeSelector: {{{label}}}}}\n"
    )


def device(attribute: str, value: str) -> str:
    return (
        "apiVersion: nfd.k8s-sigs.io/v1alpha1\nkind: NodeFeatureRule\nmetadata: {name: gpu-nodes}\nspec:\n  rules:\n"
        '  - name: gpus\n    labels: {example.internal/gpu: "true"}\n    matchFeatures:\n    - feature: pci.device\n'
        f'      matchExpressions: {{vendor: {{op: In, value: ["10de"]}}, {attribute}: {{op: In, value: ["{value}"]}}}}\n'
    )


def precompiled(release: str, branch: str, operator: str, kubernetes: str) -> str:
    return (
        f'hardware: {{pools: [{{name: gpu, os: {{id: ubuntu, version: "{release}", kernels: [6.8.0-45-generic]}}}}]}}\n'
        f'driver: {{strategy: precompiled, version: "{branch}"}}\n'
        f'charts: {{gpuOperator: {operator}}}\ncluster: {{kubernetes: "{kubernetes}"}}\n'
    )


def offline(registries: str, packages: str, pools: str = "") -> str:
    return (
        f"{pools}offline:\n  registries: {{nvcr.io: registry.example.internal/nvcr, {registries}}}\n"
        f"  charts: oci://registry.example.internal/charts\n{packages}"
    )


def work(cuda: str, driver: str) -> str:
    return f'workloads: [{{name: training, cuda: "{cuda}", minDriver: "{driver}"}}]\n'


K8S = "registry.k8s.io: registry.example.internal/k8s"
RHEL = 'hardware: {pools: [{name: gpu, os: {id: rhel, version: "9.4"}}]}\n'
RHEL_SOURCES = "  packages:\n    rhel9:\n" + "".join(
    f'      {name}: "[{name[:4]}]\\nname=mirror\\nbaseurl=https://mirror.example.internal/{name[:4]}\\ngpgcheck=1\\n"\n'
    for name in ("ubi.repo", "cuda-rhel9.repo", "epel.repo")
)
UBUNTU = "  packages: {ubuntu24.04: {mirror.list: deb https://mirror.example.internal/ubuntu noble main universe}}\n"
HOST_FM = 'driver: {strategy: host, host: {fabricManager: "580.173.02"}}\n'
OPTIONS = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kernel-module-params}\n"
    'data: {nvidia.conf: "options nvidia NVreg_EnableMSI=1"}\n'
)
MOCK_FILTER = (
    "version: v1\nmig-configs:\n  halves:\n  - devices: all\n"
    '    device-filter: ["0x234010DE"]\n    mig-enabled: true\n    mig-devices: {3g.90gb: 2}\n'
)

CLAIMS = (
    Claim("F01", "CUDA 12.1.1 needs 530.30.02", lines(work("12.1.1", "530.30.02")), ("GV539",)),
    Claim("F02", "CUDA 11.8 needs 470.141.03", lines(work("11.8", "470.141.03")), ("GV539",)),
    Claim("F03", "R525 with MIG on H100, any of it", lines(gpus("h100-pcie-80gb", split("1g.10gb: 7", "525.60.13"))), ("GV413", "GV504")),
    Claim("F03", "R450 with MIG on H100", lines(gpus("h100-pcie-80gb", split("1g.10gb: 7", "450.80.02"))), ("GV501",)),
    Claim("F04", "useOpenKernelModules", values("driver: {useOpenKernelModules: true}\n", "v26.7.0"), ("GV901",)),
    Claim("F04", "useOpenKernelModules", values("driver: {useOpenKernelModules: true}\n", "v25.3.4"), ("GV901",)),
    Claim("F05", "repoConfig.destinationDir", values("driver: {repoConfig: {configMapName: repo, destinationDir: /etc/apt}}\n", "v25.10.1"), ("GV903",)),
    Claim("F06", "useHostMofed alone", values("driver: {rdma: {useHostMofed: true}}\n", "v25.10.1"), ("GV902",)),
    Claim("F08", "options nvidia in nvidia.conf", file(OPTIONS), ("GV514",)),
    Claim("F09", "GSP off against GSP trouble", lines("driver: {moduleParameters: {nvidia: {NVreg_EnableGpuFirmware: 0}}}\n"), ("GV513",)),
    Claim("F10", "V100 with operator 26.7", lines(gpus("v100-sxm2-32gb") + "driver: {version: null}\n"), ("GV500",)),
    Claim("F11", "gpu.family=ada", file(selector("nvidia.com/gpu.family: ada"), chart="gpu-operator@v26.7.0"), ("GV614",)),
    Claim("F12", "gpu.product as one would guess it", file(selector("nvidia.com/gpu.product: NVIDIA-H200-SXM5-141GB"), chart="gpu-operator@v26.7.0"), ("GV613",)),
    Claim("F13", "containerd 1.8", lines('cluster: {containerRuntime: containerd, containerRuntimeVersion: "1.8"}\n'), ("GV547",)),
    Claim("F14", "Fabric Manager on GB200 NVL72", lines(gpus("gb200", HOST_FM, "nvl72")), ("GV521",)),
    Claim("F15", "no offline RHEL: it has its sources", lines(offline(K8S, RHEL_SOURCES, RHEL)), ()),
    Claim("F15", "no offline RHEL: it has none", lines(offline(K8S, "", RHEL)), ("GV576",)),
    Claim("F16", "driver.maxParallelUpgrades", values("driver: {maxParallelUpgrades: 2}\n", "v25.10.1"), ("GV901",)),
    Claim("F17", "H200 with R535", lines(gpus("h200-sxm5-141gb") + 'driver: {version: "535.309.01"}\n'), ("GV501",)),
    Claim("F18", "no precompiled driver for 6.8 on 22.04: since 25.3", lines(precompiled("22.04", "580", "v26.7.0", "1.35.0")), ()),
    Claim("F18", "no precompiled driver for 6.8 on 22.04: 24.9", lines(precompiled("22.04", "550", "v24.9.2", "1.31.0")), ("GV504", "GV531", "GV548")),
    Claim("F19", "any Kubernetes from 1.16 on", lines('cluster: {kubernetes: "1.16"}\n'), ("GV543",)),
    Claim("F20", "peermem beside a host driver", values("driver: {enabled: false, rdma: {enabled: true}}\n", "v25.10.1"), ("GV902",)),
    Claim("F21", "Kubernetes 1.32 on operator 26.7", lines('cluster: {kubernetes: "1.32.9"}\n'), ("GV543",)),
    Claim("F22", "the DRA driver's images at registry.k8s.io", lines(offline(K8S + ", registry.k8s.io/dra-driver-nvidia: r.example.internal/dra", UBUNTU)), ("GV571",)),
    Claim("F23", "toolkit 1.18.0 in 25.10", values("toolkit: {version: v1.18.0}\n", "v25.10.1"), ("GV560",)),
    Claim("F23", "gdrcopy 2.4.1-1 in 24.9", values("gdrcopy: {enabled: true, version: v2.4.1-1}\n", "v24.9.2"), ("GV560",)),
    Claim("F23", "vgpu-device-manager 0.4.2 in 26.7", values("sandboxWorkloads: {enabled: true}\nvgpuDeviceManager: {version: v0.4.2}\n", "v26.7.0"), ("GV560",)),
    Claim("F23", "kubevirt plugin 1.5.0 in 26.7", values("sandboxWorkloads: {enabled: true}\nsandboxDevicePlugin: {version: v1.5.0}\n", "v26.7.0"), ("GV560",)),
    Claim("F24", "B200 is 2340", file(device("device", "2340")), ("GV639",)),
    Claim("F24", "GB200 is 2341", file(device("device", "2341")), ("GV639",)),
    Claim("F24", "B200 is 0x234010DE", file(MOCK_FILTER), ("GV639",)),
    Claim("F24", "NVIDIA T4", file(selector("nvidia.com/gpu.product: NVIDIA-T4"), chart="gpu-operator@v26.7.0"), ("GV613",)),
    Claim("F24", "NVIDIA GB300 NVL", file(selector("nvidia.com/gpu.product: NVIDIA-GB300-NVL"), chart="gpu-operator@v26.7.0"), ("GV613",)),
    Claim("F25", "a GH200 of 480 GB", lines(gpus("gh200-480gb")), ("GV200",)),
    Claim("F26", "precompiled drivers for 22.04 only", lines(precompiled("24.04", "580", "v26.7.0", "1.35.0")), ()),
)  # fmt: skip

NOT_HELD = {
    "F07": "a site names the repository and never a package; which package that means is rendered, see below",
    "F24": "compute capability and memory are stated nowhere: they follow from the model, and labels of them move with the driver",
}
"""Claims, or parts of them, that no site and no file can hold."""


@pytest.mark.parametrize("claim", CLAIMS, ids=[f"{claim.number} {claim.said}" for claim in CLAIMS])
def test_false_claim_is_caught(claim: Claim, tmp_path: Path) -> None:
    """Exactly the codes that the table says, and so nothing where the claim forbids what is in order."""
    assert sorted(finding.code for finding in claim.judge(tmp_path)) == sorted(claim.codes)


# hardware.md, section 6: NVIDIA's repository dropped the branch from the name with R580, Ubuntu's archive did not.
@pytest.mark.parametrize(
    ("packages", "driver", "name"),
    [
        ("cuda-repo", "580.173.02", "nvidia-fabricmanager"),
        ("cuda-repo", "570.211.01", "nvidia-fabricmanager-570"),
        ("ubuntu-archive", "580.173.02", "nvidia-fabricmanager-580"),
    ],
)
def test_fabric_manager_is_called_as_its_repository_calls_it(
    packages: str, driver: str, name: str, tmp_path: Path
) -> None:
    """F07: one name for all repositories is what the rendered list of packages has not."""
    (tmp_path / "base.yaml").write_text(judging.BASE.read_text("utf-8"), "utf-8")
    text = f'driver: {{strategy: host, version: "{driver}", host: {{packages: {packages}}}}}\n' + judging.OVER_BASE
    (tmp_path / "site.yaml").write_text(text, "utf-8")
    checked = pipeline.check(str(tmp_path / "site.yaml"), judging.FACTS, judging.TODAY)
    listed = pipeline.texts(checked)["host/packages.txt"].split()

    assert [word for word in listed if word.startswith("nvidia-fabricmanager")] == [f"{name}={driver}*"]


def test_ids_of_mocks_belong_to_no_gpu() -> None:
    """F24: the ids that GV639 refuses are in no table of hardware, and the GPUs that they play are known."""
    known = [judging.FACTS.gpu(key) for key in judging.FACTS.gpu_keys()]
    ids = {pci.device for gpu in known if gpu is not None for pci in gpu.pci_ids}

    assert ids & MOCK_IDS.keys() == set()
    assert [key for key in MOCK_IDS.values() if judging.FACTS.gpu(key) is None] == []


def test_every_claim_has_its_place() -> None:
    """Each of the reference's claims is tried, or listed as one that nothing can hold."""
    table = Path(__file__).parents[2] / "shared" / "reference" / "hardware.json"
    if not table.is_file():
        pytest.skip("the reference folder beside the checkout is not there")
    claims = {claim["id"] for claim in json.loads(table.read_text("utf-8"))["false_claims"]}

    assert {claim.number for claim in CLAIMS} | NOT_HELD.keys() == claims
