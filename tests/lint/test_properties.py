"""Whatever a file holds, lint answers: it never raises, and what it says has a place."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genvalues.lint import KINDS, Linted

Lint = Callable[..., Linted]

NAMES = st.sampled_from(
    [
        "apiVersion", "args", "chart", "config", "data", "default", "devicePlugin", "driver", "enabled", "env", "flags", "helm", "items",
        "kind", "matchExpressions", "matchFeatures", "metadata", "mig-configs", "mig-devices", "name", "namespace", "node-feature-discovery",
        "op", "parameters", "pluginConfig", "profiles", "releases", "replicas", "resources", "rules", "set", "sharing", "source", "sources",
        "spec", "timeSlicing", "toolkit", "value", "values", "valuesContent", "version", "worker",
    ]
)  # fmt: skip
SCALARS = st.sampled_from(
    [
        None, True, 0, 3, 1.5, -1, 10**30, "", "a", "on", "0302", "a.b[0]", "a\nb\n", "{{ x }}", "gpu-operator", "v25.10.1", "v1", "all",
        "version: v1\nsharing: {timeSlicing: 5}\n", "mig-configs: [1]\n", "DCGM_FI_DEV_GPU_UTIL, gauge\n", "x: {\n",
        "kind: KubeSchedulerConfiguration\nprofiles: 3\n", "nvidia.com/gpu", "In",
    ]
)  # fmt: skip
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=25
)
HEADS = st.sampled_from(
    [
        {},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}},
        {"apiVersion": "v1", "kind": "List"},
        {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy"},
        {"apiVersion": "nvidia.com/v1alpha1", "kind": "NVIDIADriver"},
        {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy"},
        {"apiVersion": "nfd.k8s-sigs.io/v1alpha1", "kind": "NodeFeatureRule"},
        {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"},
        {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "OCIRepository"},
        {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application"},
        {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet"},
        {"apiVersion": "helm.cattle.io/v1", "kind": "HelmChart"},
        {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"},
        {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"},
    ]
)

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _sound(found: Linted, text: str) -> bool:
    lines = text.split("\n")
    return all(1 <= f.place.line <= len(lines) and f.place.column >= 1 and f.message and f.fix for f in found.findings)


@quick
@given(head=HEADS, body=st.dictionaries(NAMES, TREES, max_size=5), kind=st.sampled_from(["", "", *KINDS]))
def test_any_document(linted: Lint, head: dict[str, Any], body: dict[str, Any], kind: str) -> None:
    """Data of any shape, under the head of any kind, is judged or skipped."""
    text = json.dumps({**body, **head}, indent=1)
    found = linted(text, as_kind=kind, chart="gpu-operator@v25.10.1")

    assert (True, True) == (_sound(found, text), bool(found.bodies or found.skipped or found.findings))


@quick
@given(
    text=st.text(alphabet="ab:-{}[]|>&*!#'\" \n\t,.\r\u2028\ue0000DCGM_FI", max_size=200),
    kind=st.sampled_from(["", *KINDS]),
)
def test_any_text(linted: Lint, text: str, kind: str) -> None:
    """Text of any kind, as whatever the user says it is."""
    assert _sound(linted(text, as_kind=kind, chart="gpu-operator@v25.10.1"), text)


@quick
@given(
    values=st.dictionaries(NAMES, TREES, max_size=4),
    sets=st.lists(st.tuples(st.text("ab.[]0\\", max_size=8), SCALARS), max_size=4),
)
def test_any_layers(linted: Lint, values: dict[str, Any], sets: list[tuple[str, Any]]) -> None:
    """Values in layers with settings over them, however odd their paths."""
    release = {
        "chart": "a/gpu-operator",
        "version": "v25.10.1",
        "values": [values, {"driver": {"enabled": False}}],
        "set": [{"name": name, "value": value} for name, value in sets],
    }
    text = json.dumps({"releases": [release]}, indent=1)

    assert _sound(linted(text), text)


@pytest.mark.parametrize("depth", [63, 64, 1000])
def test_deep_text(linted: Lint, depth: int) -> None:
    """Brackets in brackets end in a finding or a reason, quickly."""
    found = linted("devicePlugin: " + "[" * depth + "]" * depth)

    assert found.findings or found.skipped
