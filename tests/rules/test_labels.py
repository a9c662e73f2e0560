"""Rules about labels, beyond what their pages show. Expected values: nfd.md, Kubernetes' rules for labels, NVIDIA's names."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from genvalues import facts, judge
from genvalues.document import Chart, Kind
from genvalues.finding import Hit, Json, format_route
from genvalues.rules import labels
from genvalues.rules.label_form import key_fault, tidied, tidied_key, value_fault
from genvalues.rules.label_products import PRODUCT, families, product_fault
from genvalues.rules.nfd_publish import Master, is_denied, passes, published
from genvalues.rules.rule import Body

FACTS = facts.load()
RULES = labels.RULES
NFD = Chart("node-feature-discovery", "0.18.3")
GPU_VENDOR = [{"feature": "pci.device", "matchExpressions": {"vendor": {"op": "In", "value": ["10de"]}}}]
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]


def node_rules(*rules: Json, chart: Chart | None = NFD, file: str = "rule.yaml") -> Body:
    data = {"apiVersion": "nfd.k8s-sigs.io/v1alpha1", "kind": "NodeFeatureRule", "metadata": {"name": "a"}}
    named = [{"name": "r", "matchFeatures": GPU_VENDOR, **rule} for rule in rules]
    return Body("node-feature-rule", {**data, "spec": {"rules": named}}, file, (), chart)


def values(text: str, chart: Chart = NFD) -> Body:
    return Body("values", yaml.safe_load(text), "values.yaml", (), chart)


def in_file(body: Body) -> list[str]:
    return [f"{rule.code} {format_route(hit.route)}" for rule, hit in judge.body(body, FACTS, RULES) if rule in RULES]


def together(*bodies: Body) -> list[str]:
    found = judge.together(bodies, FACTS, RULES)
    return [f"{rule.code} {body.file} {format_route(hit.route)}" for body, rule, hit in found]


# nfd-master's own verdicts.

VECTORS = json.loads(Path(__file__).parents[1].joinpath("vectors", "nfd-labels.json").read_text("utf-8"))["vectors"]
STRICTER = (
    "a value in a namespace that was opened by name: NFD publishes it unchecked, and the API server refuses the patch"
)


def ours(vector: Json) -> str:
    config = yaml.safe_load(vector["master_config"])
    # The vectors call the filter itself, before which NFD would put its namespace before keys without one.
    master = Master(
        tuple(config.get("extraLabelNs", ())),
        tuple(config.get("denyLabelNs", ())),
        config.get("labelWhiteList"),
        prefixes=False,
    )
    return published(vector["label"], vector["value"], master, FACTS.nfd_features("0.19.0"), FACTS).verdict


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['master_config']}-{v['label']}-{v['value'][:12]}")
def test_labels_are_published_as_nfd_master_publishes_them(vector: Json) -> None:
    """Ours is NFD's verdict; stricter only where NFD lets through what the API server refuses."""
    verdict = ours(vector)

    assert (verdict != "dropped") == vector["published"]
    assert (verdict == "refused") == (
        vector["published"] and value_fault(vector["value"]) is not None and vector["value"][:1] != "@"
    ), STRICTER


def test_all_upstream_verdicts_are_held() -> None:
    """Upstream gave 29, and two of them are values that it does not look at."""
    assert (29, 2) == (len(VECTORS), [ours(vector) for vector in VECTORS].count("refused"))


@pytest.mark.parametrize(
    ("namespace", "denied", "expected"),
    [
        ("nvidia.com", ("nvidia.com",), True),
        ("gpu.nvidia.com", ("nvidia.com",), False),
        ("gpu.nvidia.com", ("*.nvidia.com",), True),
        ("nvidia.com", ("*.nvidia.com",), False),
        ("example.com", ("*",), True),
        ("example.com", (), False),
    ],
)
def test_denied_namespaces_are_compared_as_isnamespacedenied_does(
    namespace: str, denied: tuple[str, ...], *, expected: bool
) -> None:
    """Equal, or ending with what stands behind a `*`."""
    assert expected == is_denied(namespace, denied)


@pytest.mark.parametrize(
    "pattern", ["^pci-", "gpu", "^(pci|kernel)-", "present$", "^pci-10de", "[0-9]+", "^$", "x{2}", "(?i)PCI"]
)
@pytest.mark.parametrize("name", ["pci-10de.present", "gpu.product", "kernel-version.full", "pool", "instance-type"])
def test_white_lists_match_as_re2_does(pattern: str, name: str) -> None:
    """A white list is searched for in the name of a label."""
    re2 = pytest.importorskip("re2", reason="google-re2, of the extra `tools`, is not installed")
    assert (re2.search(pattern, name) is not None) == passes(pattern, name)


def test_unknown_matches_are_not_guessed() -> None:
    """Capital letters and '_' are not followed, nor is a pattern that RE2 refuses."""
    assert [None, None, True] == [passes("ID$", "system-os_release.ID"), passes("(?=x)", "pool"), passes("", "A_b")]


# The form of keys and values: kubernetes.io/docs/concepts/overview/working-with-objects/labels.


@pytest.mark.parametrize(
    ("key", "valid"),
    [
        ("a", True),
        ("example.internal/row", True),
        ("example.internal/Row_1.a", True),
        (f"{'a' * 253}/x", True),
        (f"{'a' * 254}/x", False),
        ("x" * 63, True),
        (f"a.b/{'x' * 64}", False),
        ("", False),
        ("/x", False),
        ("a/", False),
        ("a/b/c", False),
        ("Example.internal/x", False),
        ("a..b/x", False),
        ("-a/x", False),
        ("a/-x", False),
        ("a/x.", False),
        ("a/x y", False),
    ],
)
def test_keys_have_the_form_that_kubernetes_wants(key: str, *, valid: bool) -> None:
    """DNS name in lower case of up to 253 characters, '/', name of up to 63."""
    assert valid == (key_fault(key) is None)


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ("", True),
        ("8xh100-ib", True),
        ("a" * 63, True),
        ("a" * 64, False),
        ("has space", False),
        ("-a", False),
        ("a.", False),
        ("Ä", False),
    ],
)
def test_values_have_the_form_that_kubernetes_wants(value: str, *, valid: bool) -> None:
    """Up to 63 letters, digits, '-', '_' and '.', a letter or digit at both ends, or nothing."""
    assert valid == (value_fault(value) is None)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_what_a_fix_proposes_is_valid(text: str) -> None:
    """A tidied text is a value, and a tidied key a key."""
    assert [None, None] == [value_fault(tidied(text)), key_fault(tidied_key(text))]


# Sites.


def pool(labels: str, more: str = "") -> str:
    return f"hardware: {{pools: [{{name: gpu, {more}labels: {labels}}}]}}\n"


LABEL = 'hardware.pools[0].labels["{}"]'


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        ("{example.internal/row: a, nvidia.com/gpu.deploy.driver: 'false', k8s.io/x: b}", []),
        ("{nvidia.com/gpu.workload.config: container}", []),
        ("{profile.node.kubernetes.io/x: a, node.kubernetes.io/rack: b}", []),
        ("{'a b': x}", ["GV600"]),
        ("{example.internal/x: 'a b'}", ["GV601"]),
        ("{example.internal/x: '{{ .a }}'}", ["GV601"]),
        ("{example.internal/x: '@system.name.nodename', example.internal/y: '@kernel.config.NUMA'}", []),
        ("{example.internal/x: '@system.osrelease.VERSION_ID.major'}", []),
        ("{example.internal/x: '@kernel.loadedmodule.nvidia'}", ["GV602"]),
        ("{example.internal/x: '@System.name.nodename'}", ["GV602"]),
        ("{example.internal/x: '@nodename'}", ["GV602"]),
        ("{example.internal/x: '@vendor.thing.size'}", []),
        ("{example.internal/x: '@system.dmiid.sys_vendor'}", ["GV603"]),
        ("{kubernetes.io/os: linux}", ["GV605"]),
        ("{topology.kubernetes.io/region: eu}", ["GV606"]),
        ("{nvidia.com/mig-1g.10gb.count: '7'}", ["GV607"]),
        ("{nvidia.com/cuda.driver.major: '580'}", ["GV607"]),
        ("{row: a}", ["GV608"]),
        ("{pool: a}", ["GV609", "GV608"]),
        ("{nvidia.com/device-plugin.config: dev}", ["GV610"]),
        ("{node-role.kubernetes.io/master: ''}", ["GV611"]),
    ],
)
def test_each_label_of_a_pool_is_judged_once(said: Said, labels: str, codes: list[str]) -> None:
    """One fault, one finding; what the operator leaves to users is left to them."""
    assert codes == [line.split()[0] for line in said(pool(labels), RULES)]


def test_instance_type_is_a_label_too(judged: Judged) -> None:
    """A bad instance type is a fault of its line, said with what it does to the node's other labels."""
    found = judged("hardware: {pools: [{name: gpu, instanceType: 8x H100}]}\n", RULES)

    assert [("GV601", ("hardware", "pools", 0, "instanceType"))] == [(code, hit.route) for code, hit in found]
    assert "all labels of the node" in found[0][1].message
    assert found[0][1].fix == 'instanceType: "8x-H100"'


@pytest.mark.parametrize(
    ("more", "label", "derived"),
    [
        ("role: gpu, ", "node-role.kubernetes.io/gpu", "true"),
        ("instanceType: 8xh100, ", "node.kubernetes.io/instance-type", "8xh100"),
        ("", "feature.node.kubernetes.io/pool", "gpu"),
    ],
)
def test_a_label_that_follows_from_another_key_is_not_set_again(
    judged: Judged, more: str, label: str, derived: str
) -> None:
    """Whether the values agree or not: one of the lines is one too many."""
    found = judged(pool(f"{{{label}: x}}", more), [rule for rule in RULES if rule.code == "GV609"])

    assert [format_route(hit.route) for _, hit in found] == [LABEL.format(label)]
    assert f'"{derived}"' in found[0][1].message


def test_labels_of_defaults_are_said_once_for_all_pools(judged: Judged) -> None:
    """A line that several pools share gives one finding, with the pools' names."""
    text = """
hardware:
  defaults: {labels: {example.internal/x: a b}}
  pools: [{name: gpu, nodes: {namePattern: ^a-}}, {name: b, nodes: {namePattern: ^b-}, gpu: {model: l40s}}]
"""
    found = judged(text, RULES)

    assert [("GV601", ("hardware", "defaults", "labels", "example.internal/x"), ("gpu", "b"))] == [
        (code, hit.route, hit.pools) for code, hit in found
    ]


# Files.


def test_labels_of_templates_are_labels() -> None:
    """A key that a template writes out is judged as one under labels; one that it puts together is not known."""
    body = node_rules(
        {
            "labelsTemplate": "node-role.kubernetes.io/gpu=true\n{{ range .pci.device }}example.internal/{{ .class }}=a\n{{ end }}"
        }
    )

    assert ["GV657 rule.yaml spec.rules[0].labelsTemplate"] == together(body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", ['GV604 rule.yaml spec.rules[0].labels["node-role.kubernetes.io/gpu"]']),
        ("master: {config: {extraLabelNs: []}}", ["GV604 values.yaml master.config.extraLabelNs"]),
        (
            "master: {config: {extraLabelNs: [kubernetes.io, '*.kubernetes.io']}}",
            ["GV604 values.yaml master.config.extraLabelNs"],
        ),
        ("master: {config: {extralabelns: [nvidia.com]}}", ["GV604 values.yaml master.config.extralabelns"]),
        ("master: {extraLabelNs: [nvidia.com]}", ["GV604 values.yaml master.extraLabelNs"]),
        ("master: {extraLabelNs: [node-role.kubernetes.io]}", []),
        ("master: {config: {extraLabelNs: [node-role.kubernetes.io]}}", []),
        (
            "master: {config: {extraLabelNs: [node-role.kubernetes.io], denyLabelNs: ['*']}}",
            ["GV604 values.yaml master.config.denyLabelNs"],
        ),
        (
            "master: {denyLabelNs: [example.internal], config: {extraLabelNs: [node-role.kubernetes.io]}}",
            ["GV604 values.yaml master.denyLabelNs"],
        ),
        (
            "master: {config: {extraLabelNs: [node-role.kubernetes.io], labelWhiteList: ^gpu}}",
            ["GV604 values.yaml master.config.labelWhiteList"],
        ),
        ("master: {config: {extraLabelNs: [node-role.kubernetes.io], labelWhiteList: 'gpu|row'}}", []),
    ],
)
def test_labels_are_held_against_the_values_of_nfd(text: str, expected: list[str]) -> None:
    """At the setting that is wrong, or at the label where the values do not say a word about it."""
    rule = node_rules({"labels": {"node-role.kubernetes.io/gpu": "true", "example.internal/row": "a"}})

    assert expected == together(rule, values(text))


def test_a_list_that_a_flag_replaces_is_the_contracts_to_report() -> None:
    """The file opens the namespace, the flag does not: GV902 says that the file's list does nothing."""
    both = values("master: {extraLabelNs: [nvidia.com], config: {extraLabelNs: [node-role.kubernetes.io]}}")

    assert [] == together(node_rules({"labels": {"node-role.kubernetes.io/gpu": "true"}}), both)
    assert ["GV902"] == [rule.code for rule, _ in judge.body(both, FACTS)]


def test_labels_are_held_against_an_nfd_under_the_operator() -> None:
    """The subchart's values, with the operator's own default for extraLabelNs, which is nvidia.com alone."""
    rule = node_rules({"labels": {"node.kubernetes.io/instance-type": "8xh100"}})
    on = values("driver: {enabled: false}", Chart("gpu-operator", "v25.10.1"))
    off = values("nfd: {enabled: false}", Chart("gpu-operator", "v25.10.1"))

    assert ['GV604 rule.yaml spec.rules[0].labels["node.kubernetes.io/instance-type"]'] == together(rule, on)
    assert ['GV657 rule.yaml spec.rules[0].labels["node.kubernetes.io/instance-type"]'] == together(rule, off)


@pytest.mark.parametrize(
    ("chart", "text", "dropped"),
    [
        ("0.15.7", "master: {config: {autoDefaultNs: false}}", True),
        ("0.17.4", "featureGates: {DisableAutoPrefix: true}", True),
        ("0.18.3", "featureGates: {DisableAutoPrefix: true}", False),
        ("0.18.3", "{}", False),
    ],
)
def test_keys_without_a_namespace_depend_on_the_version(chart: str, text: str, *, dropped: bool) -> None:
    """Before 0.18 they are dropped where NFD does not put its own namespace before them."""
    found = together(node_rules({"labels": {"row": "a"}}), values(text, Chart("node-feature-discovery", chart)))

    assert (["GV604"] if dropped else []) == [line.split()[0] for line in found]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"labels": {"example.internal/x": "@system.name.nope"}}, ["GV602"]),
        ({"extendedResources": {"example.internal/x": "@pci.device.vendor"}}, ["GV602"]),
        ({"labels": {"kubernetes.io/hostname": "a"}}, ["GV605"]),
        ({"labels": {"nvidia.com/gpu.present": "true"}}, ["GV607"]),
        ({"labels": {"nvidia.com/mig.config": "all-1g.10gb", "nvidia.com/device-plugin.config": "dev"}}, []),
        ({"labels": {"a": "1", "feature.node.kubernetes.io/a": "2"}}, ["GV608", "GV609"]),
        ({"labels": {"example.internal/x": True, "example.internal/y": 8}}, []),
    ],
)
def test_labels_of_a_rule_are_judged_as_those_of_a_pool(rule: Json, expected: list[str]) -> None:
    """The same judgements, over the body of a file; values of the wrong type are GV642."""
    assert expected == sorted(line.split()[0] for line in in_file(node_rules(rule)))


# Products and families: hardware.md, labels in the wild.


@pytest.mark.parametrize(
    ("product", "right"),
    [
        ("NVIDIA-H100-80GB-HBM3", None),
        ("NVIDIA-H100-80GB-HBM3-SHARED", None),
        ("NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", None),
        ("NVIDIA-A100-SXM4-40GB-MIG-3g.20gb-SHARED", None),
        ("NVIDIA-A100-SXM4-40GB-MIG-INVALID", None),
        ("A100-SXM4-40GB", None),  # as drivers before R470 called it
        ("Tesla-T4", None),
        ("NVIDIA-RTX-A4000", None),  # not among the facts: nothing is known of it
        ("NVIDIA-T4", ("Tesla-T4",)),
        ("NVIDIA-H200-SXM5-141GB", ("NVIDIA-H200",)),
        ("NVIDIA-A100-PCIe-80GB", ("NVIDIA-A100-80GB-PCIe",)),
        ("nvidia-l40s", ("NVIDIA-L40S",)),
        ("L40S", ("NVIDIA-L40S",)),
        ("NVIDIA-GB200-NVL-SHARED", ("NVIDIA-GB200-SHARED",)),
        ("NVIDIA-H100-80GB-HBM3-MIG-1g.5gb", ("NVIDIA-H100-80GB-HBM3-MIG-1g.10gb",)),
    ],
)
def test_products_are_those_that_drivers_report(product: str, right: tuple[str, ...] | None) -> None:
    """Only certain slips for a GPU that is known are faults."""
    found = product_fault(product, FACTS)

    assert right == (None if found is None else found[1])


def test_every_product_of_the_facts_is_one() -> None:
    """No name that a driver reports is questioned."""
    gpus = [FACTS.gpu(key) for key in FACTS.gpu_keys()]
    names = [
        name for gpu in gpus if gpu is not None for name in (gpu.product, *gpu.product_variants) if name is not None
    ]

    assert len(names) > 50
    assert [] == [name for name in names if product_fault(name, FACTS) is not None]


def test_families_are_those_of_gpu_feature_discovery() -> None:
    """k8s-device-plugin, getArchFamily."""
    expected = {
        "kepler", "maxwell", "pascal", "volta", "turing", "ampere", "ada-lovelace", "hopper", "blackwell", "rubin", "undefined",
    }  # fmt: skip

    assert expected == families(FACTS)


@pytest.mark.parametrize("kind", ["nvidia-driver", "values", "cluster-policy"])
def test_selectors_are_found_wherever_they_stand(kind: Kind) -> None:
    """In a node selector, and in a term of an affinity."""
    terms = [{"matchExpressions": [{"key": PRODUCT, "operator": "In", "values": ["NVIDIA-L4", "NVIDIA-T4"]}]}]
    data = {"spec": {"nodeSelector": {PRODUCT: "NVIDIA-T4"}, "affinity": {"nodeSelectorTerms": terms}}}

    assert [
        'GV613 spec.nodeSelector["nvidia.com/gpu.product"]',
        "GV613 spec.affinity.nodeSelectorTerms[0].matchExpressions[0].values[1]",
    ] == in_file(Body(kind, data, "f"))
