"""Finding contracts and looking paths up. Expectations are typed from the charts' files and from upstream's documents."""

import json
from pathlib import Path

import pytest

from genvalues import contracts
from genvalues.contracts import Contract, Entry
from genvalues.finding import Json, Route, parse_route

GPU = ("v24.9.2", "v25.3.4", "v25.10.1", "v26.3.3", "v26.7.0")


def load(chart: str, version: str) -> Contract:
    contract = contracts.load(chart, version)
    assert contract is not None
    return contract


def at(version: str, path: str, chart: str = "gpu-operator") -> Entry:
    entry = load(chart, version).at(parse_route(path))
    assert entry is not None
    return entry


def test_known_lists_versions_as_published_oldest_first() -> None:
    """GPU Operator is published with a v, NFD and Network Operator without; covered patch releases are listed too."""
    assert contracts.known() == {
        "gpu-operator": GPU,
        "network-operator": ("25.10.0", "26.1.2", "26.4.1"),
        "node-feature-discovery": ("0.15.7", "0.16.6", "0.16.9", "0.17.3", "0.17.4", "0.18.2", "0.18.3", "0.19.0"),
    }


@pytest.mark.parametrize("written", ["v25.10.1", "25.10.1"])
def test_load_takes_a_version_with_or_without_v(written: str) -> None:
    """Both spellings are the same contract, which speaks of the version as published."""
    contract = load("gpu-operator", written)

    assert (contract.chart, contract.version) == ("gpu-operator", "v25.10.1")


def test_a_covered_patch_version_has_the_contract_of_the_stored_one_under_its_own_name() -> None:
    """NFD 0.18.2 and 0.18.3 have the same templates, CRDs and values; the image tag follows the version loaded."""
    covered, stored = load("node-feature-discovery", "0.18.2"), load("node-feature-discovery", "0.18.3")

    assert (covered.version, covered.paths) == ("0.18.2", stored.paths)
    assert [image.tag for image in covered.images()] == ["v0.18.2"]


@pytest.mark.parametrize(("chart", "version"), [("gpu-operator", "v25.10.0"), ("gpu-operator", ""), ("nginx", "1.0.0")])
def test_load_knows_no_other_version(chart: str, version: str) -> None:
    """Patch releases differ, so that a neighbour is no substitute."""
    assert contracts.load(chart, version) is None


@pytest.mark.parametrize(
    ("chart", "version", "expected"),
    [
        ("gpu-operator", "v25.10.0", "v25.3.4"), ("gpu-operator", "v25.10.2", "v25.10.1"), ("gpu-operator", "v27.1.0", "v26.7.0"),
        ("gpu-operator", "v1.0", "v24.9.2"), ("node-feature-discovery", "v0.18.4", "0.18.3"), ("nginx", "1.0", None),
        ("gpu-operator", "nonsense", "v24.9.2"),
    ],
)  # fmt: skip
def test_closest_is_the_newest_that_is_not_newer(chart: str, version: str, expected: str | None) -> None:
    """An unknown version most likely behaves like the one before it; one before all like the first."""
    assert contracts.closest(chart, version) == expected


@pytest.mark.parametrize("given", ["", "values.json", "mine.json"])
def test_extra_contracts_are_asked_first(tmp_path: Path, given: str) -> None:
    """A folder of one contract, or its file, adds a version that we do not know, as `lint --contract` does."""
    folder = Path(contracts.__file__).parents[1] / "data" / "contracts" / "node-feature-discovery" / "0.19.0"
    data = json.loads((folder / "values.json").read_text("utf-8")) | {"version": "0.20.0"}
    (tmp_path / (given or "values.json")).write_text(json.dumps(data), "utf-8")
    extra = [str(tmp_path / given) if given else str(tmp_path)]

    contract = contracts.load("node-feature-discovery", "v0.20.0", extra)

    assert contract is not None
    assert (contract.version, contract.default(("worker", "port"))) == ("0.20.0", 8080)
    assert [hit.fix for hit in contract.check({"worker": {"metricsPort": 1}})] == ["write worker.port"]
    assert "0.20.0" in contracts.known(extra)["node-feature-discovery"]
    assert (contract.images(), contract.kind("NodeFeatureRule")) == ((), None)


@pytest.mark.parametrize(
    ("version", "path", "expected"),
    [
        ("v24.9.2", "driver.version", "550.144.03"),
        ("v25.10.1", "driver.version", "580.105.08"),
        ("v26.7.0", "driver.version", "595.91.07"),
        ("v25.3.4", "cdi.enabled", False),
        ("v25.10.1", "cdi.enabled", True),
        ("v26.3.3", "dcgmExporter.serviceMonitor.enabled", False),
        ("v26.7.0", "dcgmExporter.serviceMonitor.enabled", True),
        ("v25.10.1", "daemonsets.tolerations", [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]),
        ("v25.10.1", "daemonsets.tolerations[0].key", "nvidia.com/gpu"),
        ("v25.10.1", "operator.resources.limits.cpu", "500m"),
        ("v25.10.1", "driver.rdma", {"enabled": False, "useHostMofed": False}),
        ("v25.10.1", "no.such.key", None),
        ("v25.10.1", "dcgmExporter.config.name", None),
        ("v25.10.1", "node-feature-discovery.worker.config.sources.pci.deviceLabelFields", ["vendor"]),
        ("v25.10.1", "node-feature-discovery.priorityClassName", "system-node-critical"),
        ("v25.10.1", "node-feature-discovery.master.port", 8080),
    ],
)
def test_default_is_what_the_charts_values_say(version: str, path: str, expected: Json) -> None:
    """The chart's own value, lists and maps whole; for the NFD subchart with the parent chart's overrides."""
    assert load("gpu-operator", version).default(parse_route(path)) == expected


@pytest.mark.parametrize(
    ("version", "path", "expected"),
    [
        ("v25.10.1", "driver.rdma.enabled", ("yes", "boolean", True)),
        ("v25.10.1", "driver", ("container", "object", True)),
        ("v25.10.1", "driver.env", ("passthrough", "array", True)),
        ("v25.10.1", "driver.env[0].value", ("passthrough", "string", True)),
        ("v25.10.1", "driver.upgradePolicy.maxUnavailable", ("yes", "int-or-string", True)),
        ("v25.10.1", "devicePlugin.mps.root", ("never", "string", True)),
        ("v26.7.0", "driver.nvidiaDriverCRD.nodeSelector", ("never", "object", True)),
        ("v24.9.2", "ccManager.env", ("broken", "array", True)),
        ("v26.7.0", "ccManager.env", ("passthrough", "array", False)),
        ("v25.10.1", "dcgmExporter.config.name", ("yes", "string", False)),
        ("v25.10.1", "validator.driver.env", ("passthrough", "array", False)),
        ("v25.10.1", 'daemonsets.labels["example.com/row"]', ("passthrough", "string", True)),
        ("v25.10.1", "node-feature-discovery", ("container", "object", True)),
        ("v25.10.1", "node-feature-discovery.worker.tolerations", ("passthrough", "array", True)),
        ("v25.10.1", "global.imagePullSecrets", ("yes", "array", False)),
        ("v26.3.3", "extraObjects[0].kind", ("passthrough", "any", True)),
    ],
)
def test_at_says_how_a_path_is_read(version: str, path: str, expected: tuple[str, str, bool]) -> None:
    """How it is read, its type, and whether upstream shows it (gpu-operator.md, sections 3.3 and 3.4)."""
    entry = at(version, path)

    assert (entry.read, entry.type, entry.documented) == expected


@pytest.mark.parametrize("path", ["driver.foo", "fullnameOverride", "driver.env[0].valueFrom", "driver.rdma[0]", "mig.strategy.x"])
def test_at_knows_nothing_of_other_paths(path: str) -> None:
    """A key of no template, a field that the CRD does not have, an index where there is no list."""
    assert load("gpu-operator", "v25.10.1").at(parse_route(path)) is None


@pytest.mark.parametrize(
    ("version", "path", "enum"),
    [
        ("v25.10.1", "mig.strategy", ("none", "single", "mixed")),
        ("v26.7.0", "migManager.config.default", ("all-disabled", "")),
        ("v25.3.4", "driver.kernelModuleType", ("auto", "open", "proprietary")),
        ("v25.10.1", "driver.nvidiaDriverCRD.driverType", ("gpu", "vgpu", "vgpu-host-manager")),
        ("v25.10.1", "daemonsets.updateStrategy", ("RollingUpdate", "OnDelete")),
        ("v26.3.3", "sandboxWorkloads.mode", ("kubevirt", "kata")),
        ("v25.10.1", "ccManager.defaultMode", ("on", "off", "devtools")),
        ("v24.9.2", "operator.defaultRuntime", ("docker", "crio", "containerd")),
        ("v26.7.0", "node-feature-discovery.image.pullPolicy", ("Always", "IfNotPresent", "Never")),
        ("v25.10.1", "driver.imagePullPolicy", ()),
    ],
)
def test_enumerations_are_those_of_the_crd(version: str, path: str, enum: tuple[str, ...]) -> None:
    """gpu-operator.md, section 2: what is allowed; no enumeration catches a misspelt imagePullPolicy."""
    assert set(at(version, path).enum) == set(enum)


def test_targets_name_the_field_of_the_object() -> None:
    """The NVIDIADriver spells repoConfig otherwise than values do (issue 1621)."""
    assert at("v25.10.1", "driver.repoConfig.configMapName").targets == (
        "ClusterPolicy:spec.driver.repoConfig.configMapName",
        "NVIDIADriver:spec.repoConfig.name",
    )


@pytest.mark.parametrize(
    ("path", "modes"),
    [
        ("mig.strategy", ("clusterPolicy", "clusterPolicy+nvidiaDriverCRD")),
        ("dcgmExporter.enabled", ("clusterPolicy", "clusterPolicy+nvidiaDriverCRD", "gpuCluster")),
        ("draDriver.version", ("gpuCluster",)),
        ("driver.imagePullPolicy", ("clusterPolicy",)),
    ],
)
def test_modes_are_those_in_which_a_key_can_act(path: str, modes: tuple[str, ...]) -> None:
    """gpu-operator.md, section 3.7: GPUCluster mode of v26.7.0 leaves most of ClusterPolicy's keys without effect."""
    assert at("v26.7.0", path).modes == modes


@pytest.mark.parametrize(
    ("version", "path", "life"),
    [
        ("v25.10.1", "driver.kernelModuleType", ("v25.3.0", None)),
        ("v24.9.2", "driver.useOpenKernelModules", (None, "v24.9.2")),
        ("v25.10.1", "dcgmExporter.hpcJobMapping", ("v25.10.1", None)),
        ("v25.10.1", "cdi.default", (None, "v26.3.3")),
        ("v25.10.1", "driver.enabled", (None, None)),
    ],
)
def test_entries_say_since_and_until_when(version: str, path: str, life: tuple[str | None, str | None]) -> None:
    """First and last of 18 tags that read the key, where they are not the ends (gpu-operator.md, section 3.1)."""
    entry = at(version, path)

    assert (entry.since, entry.until) == life


@pytest.mark.parametrize(
    ("values", "path", "shut"),
    [
        ({}, "driver.rdma.useHostMofed", "driver.rdma.enabled"),
        ({"driver": {"rdma": {"enabled": True}}}, "driver.rdma.useHostMofed", None),
        ({"driver": {"enabled": False}}, "driver.rdma.enabled", "driver.enabled"),
        ({"nfd": {"enabled": False}}, "node-feature-discovery.worker.tolerations", "nfd.enabled"),
        ({}, "node-feature-discovery.topologyUpdater.tolerations", "node-feature-discovery.topologyUpdater.enable"),
        ({}, "no.such.key", None),
    ],
)
def test_effective_names_the_gate_that_is_shut(values: Json, path: str, shut: str | None) -> None:
    """The conditions of templates and of the operator, evaluated on the values in force."""
    gate = load("gpu-operator", "v25.10.1").effective(parse_route(path), values)

    assert (".".join(map(str, gate.any_of[0][0].path)) if gate else None) == shut


@pytest.mark.parametrize(
    ("version", "kind", "path", "field"),
    [
        ("v25.10.1", "ClusterPolicy", "spec.devicePlugin.mps.root", {"type": "string", "default": "/run/nvidia/mps"}),
        ("v25.10.1", "ClusterPolicy", "spec.driver.env[].name", {"type": "string", "required": True}),
        ("v24.9.2", "ClusterPolicy", "spec.cdi.enabled", {"type": "boolean", "default": False}),
        ("v25.10.1", "ClusterPolicy", "spec.cdi.enabled", {"type": "boolean", "default": True}),
        ("v25.10.1", "ClusterPolicy", "spec.driver.dkms", None),
        ("v26.7.0", "NVIDIADriver", "spec.default", {"type": "boolean", "default": False, "required": True}),
        ("v25.10.1", "NVIDIADriver", "spec.repoConfig.name", {"type": "string"}),
    ],
)
def test_kind_has_the_fields_of_the_crd(version: str, kind: str, path: str, field: Json) -> None:
    """Also those that no values key reaches (gpu-operator.md, sections 2 and 3.6)."""
    fields = load("gpu-operator", version).kind(kind)
    assert fields is not None

    assert fields.get(path) == field
    assert load("gpu-operator", version).kind("DCGMExporter") is None


@pytest.mark.parametrize(
    ("version", "component", "reference"),
    [
        ("v25.10.1", "operator", "nvcr.io/nvidia/gpu-operator:v25.10.1"),
        ("v24.9.2", "validator", "nvcr.io/nvidia/cloud-native/gpu-operator-validator:v24.9.2"),
        ("v25.10.1", "driver", "nvcr.io/nvidia/driver:580.105.08"),
        ("v26.7.0", "driver.manager", "nvcr.io/nvidia/cloud-native/k8s-driver-manager:v0.12.0"),
        ("v25.3.4", "toolkit", "nvcr.io/nvidia/k8s/container-toolkit:v1.17.8-ubuntu20.04"),
        ("v25.10.1", "dcgmExporter", "nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.0-distroless"),
        ("v26.7.0", "gdrcopy", "nvcr.io/nvidia/cloud-native/gdrdrv:v2.6"),
        ("v26.7.0", "draDriver", "nvcr.io/nvidia/dra-driver-nvidia-gpu:v0.5.0"),
        ("v25.10.1", "node-feature-discovery", "registry.k8s.io/nfd/node-feature-discovery:v0.18.2"),
    ],
)
def test_images_are_those_of_the_release(version: str, component: str, reference: str) -> None:
    """gpu-operator.md, section 5.1, which NVIDIA's own generate-image-list.py confirms."""
    image = next(image for image in load("gpu-operator", version).images() if image.component == component)

    assert f"{image.repository}{f'/{image.image}' if image.image else ''}:{image.tag}" == reference


@pytest.mark.parametrize(("version", "count"), [*zip(GPU, (23, 23, 23, 22, 23), strict=True)])
def test_images_are_complete(version: str, count: int) -> None:
    """As many as the lists that were made with NVIDIA's own program, each with the paths that set it."""
    images = load("gpu-operator", version).images()

    assert len(images) == count
    assert [image.component for image in images if not {"repository", "version"} <= set(image.values)] == []
    assert {image.component for image in images if image.os_suffix} == {"driver", "gds", "gdrcopy", "vgpuManager"}


def test_images_values_are_paths_of_the_contract() -> None:
    """Every path that sets a part of an image is one that the chart reads."""
    unread = [
        (chart, version, path)
        for chart, versions in contracts.known().items()
        for version in versions
        for image in load(chart, version).images()
        for path in image.values.values()
        if load(chart, version).at(_route(path)) is None
    ]

    assert unread == []


def _route(path: str) -> Route:
    return tuple(path.split("."))
