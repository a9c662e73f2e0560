"""Real public files: all of them run through, and of some it is known by reading the charts what has to be found."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from genvalues.finding import format_route
from genvalues.lint import Linted

Lint = Callable[..., Linted]

OPERATOR = ["v24.9.2", "v25.3.4", "v25.10.1", "v26.3.3", "v26.7.0"]

# File, chart, and the keys without effect, that are dropped or refused: by the templates and CRDs of the chart, read by hand.
KNOWN = [
    ("gpu-operator-values/001.yaml", "gpu-operator@v25.10.1", set()),
    (
        "gpu-operator-values/003.yaml",
        "gpu-operator@v26.3.3",
        {
            "GV901 gpu-operator.devicePlugin.nodeSelector",
            "GV901 gpu-operator.devicePlugin.tolerations",
            "GV901 gpu-operator.devicePlugin.securityContext",
            "GV901 gpu-operator.nfd.nodefeaturediscovery",
            "GV901 gpu-operator.nfd.worker",
        },
    ),
    (
        "gpu-operator-values/005.yaml",
        "gpu-operator@v24.9.2",
        {
            "GV903 dcgmExporter.serviceMonitor.relabelings[0].source_labels",
            "GV903 dcgmExporter.serviceMonitor.relabelings[0].target_label",
        },
    ),
    ("gpu-operator-values/007.yaml", "gpu-operator@v24.9.2", set()),
    ("gpu-operator-values/007.yaml", "gpu-operator@v25.3.4", {"GV901 operator.defaultRuntime"}),
    (
        "gpu-operator-values/017.yaml",
        "gpu-operator@v26.7.0",
        {
            "GV901 spec.values.cdi.default",
            "GV901 spec.values.runtimeClass",
            "GV901 spec.values.operator.defaultRuntime",
        },
    ),
    (
        "gpu-operator-values/027.yaml",
        "gpu-operator@v25.10.1",
        {
            "GV901 dcgmExporter.tolerations",
            "GV901 gfd.tolerations",
            "GV901 nvidiaFeatureDiscovery",
            "GV901 operator.defaultRuntime",
            "GV901 node-feature-discovery.tolerations",
        },
    ),
    (
        "gpu-operator-values/043.yaml",
        "",
        {"GV901 deployCR", "GV901 ofedDriver", "GV901 nvPeerDriver", "GV901 rdmaSharedDevicePlugin", "GV901 sriovDevicePlugin"},
    ),
    (
        "gpu-operator-values/045.yaml",
        "gpu-operator@v24.9.2",
        {"GV901 nvidia-dcgm", "GV901 nvidia-dcgm-exporter", "GV901 nvidia-device-plugin"},
    ),
    ("gpu-operator-values/057.yaml", "gpu-operator@v26.7.0", {"GV901 gpu-operator.operator.defaultRuntime"}),
    (
        "gpu-operator-values/061.yaml",
        "gpu-operator@v26.7.0",
        {"GV901 operator.defaultRuntime", "GV902 driver.rdma.enabled", "GV902 driver.rdma.useHostMofed"},
    ),
    ("gpu-operator-values/065.yaml", "gpu-operator@v25.10.1", {"GV904 mig.strategy"}),
    # relabelings of a ServiceMonitor that this version makes only if asked to
    (
        "gpu-operator-values/069.yaml",
        "gpu-operator@v25.10.1",
        {"GV901 devicePlugin.mps.root", "GV902 dcgmExporter.serviceMonitor"},
    ),
    (
        "gpu-operator-values/aicr-h100-eks-training.yaml",
        "gpu-operator@v25.10.1",
        {
            "GV901 driver.maxParallelUpgrades",
            "GV901 driver.useOpenKernelModules",
            "GV901 fullnameOverride",
            "GV902 dcgmExporter.config.create",
        },
    ),
    ("nfd-values/003.yaml", "", {"GV901 spec.values.enableNodeFeatureApi"}),
    (
        "nfd-values/013.yaml",
        "",
        {
            "GV622 worker.config.sources.pci.deviceClassWhitelist",
            "GV623 worker.config.sources.pci.deviceLabelFields",
        },
    ),
    ("nfr/023.yaml", "", set()),
    (
        "nfr/025.yaml",
        "",
        {"GV646 spec.rules[0].matchFeatures[0].feature", "GV646 spec.rules[1].matchFeatures[0].feature"},
    ),
    (
        "sharing/039.yaml",
        "",
        {'GV320 data["config.yaml"].sharing.timeSlicing.resources[0].failRequestsGreaterThanOne'},
    ),
    ("sharing/031.yaml", "", set()),
    ("dcgm-csv/013.csv", "", {"GV702 [2]", "GV700 [3]", "GV700 [4]", "GV702 [5]"}),
    ("scheduler/005.yaml", "", set()),
    ("scheduler/017.yaml", "", {"GV001 "}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "chart", "expected"), KNOWN, ids=[f"{file}-{chart}" for file, chart, _ in KNOWN])
def test_known_faults(linted: Lint, corpus: Path, file: str, chart: str, expected: set[str]) -> None:
    """Every error that the file is known to have, and no other."""
    found = linted((corpus / file).read_text("utf-8"), file, chart=chart)

    assert expected == {f"{f.code} {format_route(f.path)}" for f in found.findings if f.severity == "error"}


def test_every_file_runs_through(linted: Lint, corpus: Path) -> None:
    """Every file is judged or skipped with a reason, whatever the user says of it; all of them in a few seconds."""
    files = sorted(path for path in corpus.rglob("*") if path.is_file())
    started = time.monotonic()
    silent = []
    for path in files:
        text = path.read_text("utf-8")
        for options in (
            {},
            {"chart": "gpu-operator@v25.10.1"},
            {"as_kind": "values", "chart": "node-feature-discovery@0.18.3"},
        ):
            found = linted(text, path.name, **options)
            silent += [path.name] if not (found.bodies or found.skipped or found.findings) else []

    assert ([], True) == (silent, time.monotonic() - started < 60)
    assert len(files) > 90


@pytest.mark.parametrize("version", OPERATOR)
def test_honoured_keys_without_documents(linted: Lint, version: str) -> None:
    """Keys that templates read and values.yaml does not show are never reported as dead, in any version."""
    text = (
        "validator: {driver: {env: [{name: DISABLE_DEV_CHAR_SYMLINK_CREATION, value: 'true'}]}}\n"
        "dcgmExporter: {config: {name: metrics}, args: ['-a']}\nmigManager: {args: ['-a']}\ndriver: {args: ['-a']}\n"
    )
    found = linted(text, chart=f"gpu-operator@{version}")

    assert [] == [f"{f.code} {f.message}" for f in found.findings if f.severity == "error"]
