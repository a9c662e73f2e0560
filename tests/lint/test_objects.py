"""Objects of the operators against their CRDs."""

from collections.abc import Callable

import pytest

from genvalues.finding import format_route
from genvalues.lint import Linted

Lint = Callable[..., Linted]

# The CRD's nine required components, of v25.10.1 (config/crd/bases/nvidia.com_clusterpolicies.yaml).
REQUIRED = "  daemonsets: {}\n  dcgm: {}\n  dcgmExporter: {}\n  devicePlugin: {}\n  driver: {}\n  gfd: {}\n  nodeStatusExporter: {}\n  operator: {}\n"
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: c}\nspec:\n"


def _found(found: Linted) -> list[tuple[str, str, str | None, str]]:
    return [(f.code, format_route(f.path), f.verdict, f.fix) for f in found.findings if f.severity == "error"]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("toolkit: {enabled: true}", []),
        ("toolkit: {enabld: true}", [("GV903", "spec.toolkit.enabld", "pruned", "did you mean enabled?")]),
        ("toolkit: {enabled: ture}", [("GV904", "spec.toolkit.enabled", "refused", "write true or false, or remove it")]),
        ("toolkit: {version: 1.10}", [("GV905", "spec.toolkit.version", "mistyped", 'version: "1.10"')]),
        ("toolkit: {env: [{name: A, value: on}]}", [("GV905", "spec.toolkit.env[0].value", "mistyped", 'value: "on"')]),
        ("toolkit: {env: [{name: A, value: true}]}", [("GV904", "spec.toolkit.env[0].value", "refused", 'value: "true"')]),
        ("toolkit: {env: [{value: a}]}", [("GV904", "spec.toolkit.env[0].name", "refused", "name: ...")]),
        ("toolkit: {imagePullSecrets: null}", []),
        ("toolkit: {}\n  mig: {strategy: Single}", [("GV904", "spec.mig.strategy", "refused", "strategy: single")]),
        ("toolkit: {}\n  driver2: {}", [("GV903", "spec.driver2", "pruned", "remove driver2")]),
    ],
)  # fmt: skip
def test_fields_of_a_cluster_policy(linted: Lint, field: str, expected: list[tuple[str, str, str | None, str]]) -> None:
    """Unknown fields are dropped, wrong values refuse the object, misread ones want quotes; a null is dropped."""
    assert expected == _found(linted(f"{POLICY}{REQUIRED}  {field}\n", chart="gpu-operator@v25.10.1"))


def test_missing_component(linted: Lint) -> None:
    """A policy that has most of what it must have lacks the rest."""
    found = linted(POLICY + REQUIRED, chart="gpu-operator@v25.10.1")

    assert [("GV904", "spec.toolkit", "refused", "toolkit: {}")] == _found(found)


def test_patch_lacks_nothing(linted: Lint) -> None:
    """A policy of two components is a patch that kustomize lays over a whole one."""
    assert [] == _found(
        linted(POLICY + "  driver: {enabled: false}\n  toolkit: {enabled: true}\n", chart="gpu-operator@v25.10.1")
    )


def test_fields_by_version(linted: Lint) -> None:
    """dcgmExporter.hpcJobMapping came to the CRD with 25.10."""
    text = (
        POLICY
        + REQUIRED.replace("dcgmExporter: {}", "dcgmExporter: {hpcJobMapping: {enabled: true}}")
        + "  toolkit: {}\n"
    )

    assert [("GV903", "spec.dcgmExporter.hpcJobMapping")] == [
        one[:2] for one in _found(linted(text, chart="gpu-operator@v25.3.4"))
    ]
    assert [] == _found(linted(text, chart="gpu-operator@v25.10.1"))


def test_driver_object(linted: Lint) -> None:
    """An NVIDIADriver takes repoConfig.name, where the chart's values take configMapName."""
    text = (
        "apiVersion: nvidia.com/v1alpha1\nkind: NVIDIADriver\nmetadata: {name: d}\n"
        "spec: {driverType: gpu, image: driver, repoConfig: {configMapName: r}}\n"
    )

    assert ["spec.repoConfig.configMapName"] == [path for code, path, *_ in _found(linted(text)) if code == "GV903"]


def test_network_policy(linted: Lint) -> None:
    """A component of a NicClusterPolicy needs its image, and has no field of another spelling."""
    text = (
        "apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy}\n"
        "spec: {rdmaSharedDevicePlugin: {repository: r, version: v, configs: ''}}\n"
    )
    found = _found(linted(text))

    assert {("GV903", "spec.rdmaSharedDevicePlugin.configs"), ("GV904", "spec.rdmaSharedDevicePlugin.image")} == {
        one[:2] for one in found
    }
