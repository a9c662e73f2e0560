"""images: every image a site pulls, under the tags that the operator will ask for."""

import json
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., tuple[int, str, str]]

# The chart's images by NVIDIA's own list for v25.10.1 (reference: gpu-operator, section 5.1), those of a default site.
V25_10_1 = {
    "nvcr.io/nvidia/gpu-operator:v25.10.1",
    "nvcr.io/nvidia/cloud-native/k8s-driver-manager:v0.9.1",
    "nvcr.io/nvidia/k8s/container-toolkit:v1.18.1",
    "nvcr.io/nvidia/k8s-device-plugin:v0.18.1",
    "nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.0-distroless",
    "nvcr.io/nvidia/cloud-native/k8s-mig-manager:v0.13.1",
    "registry.k8s.io/nfd/node-feature-discovery:v0.18.2",
    "nvcr.io/nvidia/driver:580.105.08-ubuntu24.04",
}


def write(repository: Path, more: str = "", chart: str = "v25.10.1") -> None:
    """A site of one pool."""
    text = (
        f"apiVersion: genvalues/v1\nkind: Site\nname: x\ncluster: {{kubernetes: '1.34.2', distribution: kubeadm}}\n"
        f"charts: {{gpuOperator: {chart}}}\nhardware:\n  defaults: {{os: {{id: ubuntu, version: '24.04'}}}}\n"
        f"  pools:\n  - {{name: l40s, gpu: {{model: l40s, count: 4}}}}\n{more}"
    )
    (repository / "site.yaml").write_text(text, "utf-8")


def test_default_site_pulls_what_the_chart_deploys(repository: Path, genvalues: Run) -> None:
    """Driver images carry the operating system in their tag, as the operator appends it."""
    write(repository)

    code, out, _ = genvalues("images", "site.yaml")

    assert code == 0
    assert V25_10_1 - set(out.split("\n")) == set()
    assert not any("vgpu" in line or "kata" in line or "cc-manager" in line for line in out.split("\n"))


def test_mirror_is_named_beside_upstream(repository: Path, genvalues: Run) -> None:
    """--format copy gives pairs for a copying tool; the longest prefix wins."""
    write(
        repository,
        "driver: {strategy: host, version: '580.95.05', kernelModuleType: open}\n"
        "offline:\n  charts: oci://m.example/charts\n"
        "  registries: {nvcr.io: m.example/n, nvcr.io/nvidia/k8s: m.example/k, registry.k8s.io: m.example/r}\n",
    )

    code, out, _ = genvalues("images", "site.yaml", "--format", "copy")
    pairs = dict(line.split(" ") for line in out.strip().split("\n"))

    assert code == 0
    assert pairs["nvcr.io/nvidia/gpu-operator:v25.10.1"] == "m.example/n/nvidia/gpu-operator:v25.10.1"
    assert pairs["nvcr.io/nvidia/k8s/container-toolkit:v1.18.1"] == "m.example/k/container-toolkit:v1.18.1"
    assert not any("/driver:" in upstream for upstream in pairs)


def test_overrides_name_the_image_that_runs(repository: Path, genvalues: Run) -> None:
    """An overridden version is the one to mirror, and a component that is switched on is pulled."""
    write(repository, "overrides: {gpuOperator: {dcgm: {enabled: true}, toolkit: {version: v1.18.9}}}\n")

    _, out, _ = genvalues("images", "site.yaml", "--format", "json")
    images = {image["component"]: image["upstream"] for image in json.loads(out)}

    assert images["toolkit"] == "nvcr.io/nvidia/k8s/container-toolkit:v1.18.9"
    assert images["dcgm"] == "nvcr.io/nvidia/cloud-native/dcgm:4.4.2-1-ubuntu22.04"


def test_rhel_tags_follow_the_release(repository: Path, genvalues: Run) -> None:
    """rhel9.4 up to 26.3, rhel9 from 26.7 (reference: gpu-operator, section 5.3)."""
    for chart, tag in (("v26.3.3", "rhel9.4"), ("v26.7.0", "rhel9")):
        write(repository, chart=chart)
        text = (
            (repository / "site.yaml")
            .read_text("utf-8")
            .replace("id: ubuntu, version: '24.04'", "id: rhel, version: '9.4'")
        )
        (repository / "site.yaml").write_text(text, "utf-8")

        _, out, _ = genvalues("images", "site.yaml")

        assert [line.rpartition("-")[2] for line in out.split("\n") if "/driver:" in line] == [tag]


def test_images_of_workloads_are_listed(repository: Path, genvalues: Run) -> None:
    """By their full names; offline those that a mirror replaces, and not the site's own."""
    work = (
        'workloads:\n- {name: a, cuda: "12.4", image: "pytorch/pytorch:2.4.0"}\n'
        '- {name: b, cuda: "12.4", image: "example.internal/b:1"}\n'
    )
    site = repository / "site.yaml"
    site.write_text(site.read_text("utf-8") + work, "utf-8")
    _, online, _ = genvalues("images", "site.yaml")
    mirrors = "{nvcr.io: example.internal/nv, registry.k8s.io: example.internal/k8s, docker.io: example.internal/hub}"
    packages = "{ubuntu24.04: {mirror.list: deb https://example.internal/ubuntu noble main}}"
    offline = f"offline: {{registries: {mirrors}, charts: oci://example.internal/charts, packages: {packages}}}\n"
    site.write_text(site.read_text("utf-8") + offline, "utf-8")
    code, mirrored, _ = genvalues("images", "site.yaml", "--format", "copy")

    assert code == 0
    assert {"docker.io/pytorch/pytorch:2.4.0", "example.internal/b:1"} <= set(online.splitlines())
    assert [line for line in mirrored.splitlines() if "pytorch" in line or "/b:" in line] == [
        "docker.io/pytorch/pytorch:2.4.0 example.internal/hub/pytorch/pytorch:2.4.0"
    ]
