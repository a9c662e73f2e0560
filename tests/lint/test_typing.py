"""Scalars are judged as Go reads them, by what is wanted at their place."""

from collections.abc import Callable

import pytest

from genvalues.lint import Linted

Lint = Callable[..., Linted]

CASES = {
    "a version that loses a zero": ("driver: {version: 580.10}\n", ["GV905"]),
    "a version in quotes": ("driver: {version: '580.105.08'}\n", []),
    "a word where text is wanted": ("daemonsets: {labels: {a: on}}\n", ["GV905"]),
    "a word where a boolean is wanted": ("driver: {enabled: yes}\n", []),
    "text where a boolean is wanted": ("nfd: {enabled: 'false'}\n", ["GV905"]),
    "octal where text is wanted": ("toolkit: {env: [{name: A, value: 0302}]}\n", ["GV905"]),
    "octal where a number is wanted": ("driver: {startupProbe: {periodSeconds: 010}}\n", ["GV010"]),
    "an exponent where text is wanted": ("operator: {cleanupCRD: false, priorityClassName: 1e30}\n", ["GV905"]),
    "a quantity as a number": ("operator: {resources: {limits: {cpu: 0.5, memory: 1Gi}}}\n", []),
    "a share": ("daemonsets: {rollingUpdate: {maxUnavailable: 1}}\n", []),
    "a key that stands twice": ("driver: {enabled: true, enabled: false}\n", ["GV005"]),
    "a null that takes a default away": ("driver: {repository: null}\n", ["GV905"]),
    "a list that replaces the chart's": ("daemonsets: {tolerations: []}\n", []),
    "PCI classes": (
        "node-feature-discovery: {worker: {config: {sources: {pci: {deviceClassWhitelist: [02, 0300]}}}}}\ntoolkit: {}\n",
        ["GV905", "GV905"],
    ),
    "an anchor": ("toolkit: {env: &e [{name: A, value: b}]}\nvalidator: {env: *e}\n", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_one_finding_where_the_value_is_misread(linted: Lint, text: str, expected: list[str]) -> None:
    """A misread value is one error, whichever layer sees it first; what every reader takes alike is none."""
    found = linted(text, chart="gpu-operator@v25.10.1")

    assert expected == [f.code for f in found.findings if f.severity == "error"], [f.message for f in found.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("matchExpressions: {class: {op: In, value: [0302]}}", ["GV010"]),
        ("matchExpressions: {vendor: {op: In, value: [10de]}}", []),
        ("matchExpressions: {NO_HZ: {op: In, value: [y]}}", ["GV011"]),
    ],
)
def test_rules_hold_text(linted: Lint, text: str, expected: list[str]) -> None:
    """In a NodeFeatureRule everything is text, so what YAML readers take for something else is one error."""
    feature = "kernel.config" if "NO_HZ" in text else "pci.device"
    rule = (
        "apiVersion: nfd.k8s-sigs.io/v1alpha1\nkind: NodeFeatureRule\nmetadata: {name: a}\nspec:\n  rules:\n  - name: a\n"
        f"    labels: {{example.com/a: b}}\n    matchFeatures:\n    - {{feature: {feature}, {text}}}\n"
    )

    assert expected == [f.code for f in linted(rule).findings if f.severity == "error"]


def test_ansible_has_its_own_words(linted: Lint) -> None:
    """yes and no are booleans in Kubespray's variables."""
    assert [] == [f.code for f in linted("kube_scheduler_profiles: []\nkube_proxy_remove: yes\nmode: 0644\n").findings]
