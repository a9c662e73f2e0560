"""Rules about NFD's settings, beyond what their pages show. Expected values: nfd.md, and NFD's code by version."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from genvalues import facts, judge
from genvalues.document import Chart
from genvalues.finding import Json, format_route
from genvalues.rules import nfd, nfd_values
from genvalues.rules.nfd import tolerates
from genvalues.rules.rule import Body

FACTS = facts.load()
RULES = nfd.RULES
STANDALONE = "node-feature-discovery"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "nfd-values"
Said = Callable[..., list[str]]


def values(text: str, version: str = "0.18.3", chart: str = STANDALONE, file: str = "values.yaml") -> Body:
    return Body("values", yaml.safe_load(text), file, (), Chart(chart, version))


def in_file(text: str, version: str = "0.18.3", chart: str = STANDALONE) -> list[str]:
    body = values(text, version, chart)
    found = [(rule, hit) for rule, hit in judge.body(body, FACTS, RULES) if rule in RULES]
    found += [(rule, hit) for _, rule, hit in judge.together([body], FACTS, RULES)]
    return [f"{rule.code} {format_route(hit.route)}" for rule, hit in found]


def together(*bodies: Body) -> list[str]:
    found = judge.together(bodies, FACTS, RULES)
    return [f"{rule.code} {body.file} {format_route(hit.route)}" for body, rule, hit in found]


def pci(text: str) -> str:
    return f"worker: {{config: {{sources: {{pci: {{{text}}}}}}}}}"


def core(text: str) -> str:
    return f"worker: {{config: {{core: {{{text}}}}}}}"


PCI = "worker.config.sources.pci"
CORE = "worker.config.core"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", []),
        (pci("deviceLabelFields: [vendor]"), []),
        (pci('deviceClassWhitelist: ["02", "0200", "0207", "0300", "0302"], deviceLabelFields: [vendor]'), []),
        (pci('deviceClassWhitelist: ["0302"]'), []),
        (pci('deviceClassWhitelist: ["0"]'), []),
        (pci('deviceClassWhitelist: ["0B40", "03"]'), []),  # NFD lowers the case of entries
        (pci('deviceClassWhiteList: ["02"]'), [f"GV622 {PCI}.deviceClassWhiteList"]),  # keys in any case
        (pci("deviceClassWhitelist: []"), [f"GV622 {PCI}.deviceClassWhitelist"]),
        (pci('deviceClassWhitelist: ["02", "0b40"]'), [f"GV622 {PCI}.deviceClassWhitelist"]),
        (
            pci('deviceClassWhitelist: ["030000"]'),
            [f"GV627 {PCI}.deviceClassWhitelist[0]"],
        ),
        (pci("deviceLabelFields: [vendor, subsystem_device]"), [f"GV623 {PCI}.deviceLabelFields"]),
        (pci("deviceLabelFields: [class, vendor]"), [f"GV624 {PCI}.deviceLabelFields"]),
        (pci("deviceLabelFields: []"), [f"GV624 {PCI}.deviceLabelFields"]),  # NFD's own default, class and vendor
        (pci("deviceLabelFields: [vendors]"), [f"GV624 {PCI}.deviceLabelFields", f"GV617 {PCI}.deviceLabelFields[0]"]),
        (
            pci('deviceClassWhitelist: ["03", "0604"], deviceLabelFields: [vendor]'),
            [f"GV626 {PCI}.deviceClassWhitelist[1]"],
        ),
        (pci('deviceClassWhitelist: ["03", "06"]'), []),  # class and vendor by default, which tell bridges from GPUs
        (
            pci('deviceClassWhitelist: ["03 "]'),
            [f"GV627 {PCI}.deviceClassWhitelist[0]"],
        ),
    ],
)
def test_pci_labels(text: str, expected: list[str]) -> None:
    """Which labels devices get, and whether NVIDIA's operators find GPUs by them."""
    assert expected == in_file(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (core("featureSources: [all]"), []),
        (core("featureSources: [all, -cpu]"), []),
        (
            core("featureSources: [-cpu]"),
            [f"GV629 {CORE}.featureSources"],
        ),  # without all there is nothing to take away from
        (core("featureSources: [all, -pci]"), [f"GV629 {CORE}.featureSources"]),
        (core("featureSources: [-pci, all]"), []),
        (core("featureSources: []"), [f"GV629 {CORE}.featureSources"]),
        (core("featureSources: [pci, kernal]"), [f"GV617 {CORE}.featureSources[1]"]),
        (core("labelSources: [pci, kernel, system, custom, fake, local]"), []),
        (core("labelSources: [kernel, system]"), [f"GV630 {CORE}.labelSources"]),
        (core("labelSources: [pci, usb]"), [f"GV631 {CORE}.labelSources"]),
        (core("sources: [pci, kernel, system]"), []),
        (core("sources: [usb], labelSources: [all]"), [f"GV630 {CORE}.sources"]),  # the older name wins
        (core("labelWhiteList: ''"), []),
        (core("labelWhiteList: ^pci-"), [f"GV631 {CORE}.labelWhiteList"]),
        (core("labelWhiteList: ^kernel-"), [f"GV630 {CORE}.labelWhiteList"]),
        (core("labelWhiteList: '(?<!x)pci'"), [f"GV633 {CORE}.labelWhiteList"]),
        (core("noPublish: true"), [f"GV628 {CORE}.noPublish"]),
        (core("noPublish: false"), []),
        ("worker: {enable: false}", ["GV628 worker.enable"]),
        ("master: {enable: false}", ["GV628 master.enable"]),
        ("master: {config: {noPublish: true}}", ["GV628 master.config.noPublish"]),
        ("master: {config: {restrictions: {disableLabels: true}}}", ["GV628 master.config.restrictions.disableLabels"]),
        ("worker: {config: {sources: {PCI: {}}}}", ["GV617 worker.config.sources.PCI"]),
        ("worker: {config: {sources: {custom: [], kernel: {}, usb: {}}}}", []),
    ],
)
def test_sources_and_switches(text: str, expected: list[str]) -> None:
    """What the worker looks at and makes labels of, as it goes through its lists."""
    assert expected == in_file(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (core("noPublishFeatures: [cpu.cpuid]"), []),
        (core("noPublishFeatures: [pci.device]"), [f"GV629 {CORE}.noPublishFeatures[0]"]),
        (core("noPublishFeatures: [pci.devices]"), [f"GV617 {CORE}.noPublishFeatures[0]"]),
    ],
)
def test_features_that_are_kept_back(text: str, expected: list[str]) -> None:
    """noPublishFeatures came with 0.19."""
    assert expected == in_file(text, "0.19.0")


@pytest.mark.parametrize(
    ("text", "version", "expected"),
    [
        ("master: {config: {restrictions: {allowOverwrite: false}}}", "0.17.4", ["GV620"]),
        ("master: {config: {restrictions: {allowOverwrite: false}}}", "0.19.0", ["GV620"]),
        ("master: {config: {restrictions: {allowOverwrite: true}}}", "0.19.0", []),
        ("master: {config: {restrictions: {allowOverwrite: false}}}", "0.16.9", []),  # not read there: GV903
        ("master: {config: {restrictions: {denyNodeFeatureLabels: true}}}", "0.18.3", ["GV621"]),
        (
            "master: {config: {restrictions: {nodeFeatureNamespaceSelector: {matchLabels: {a: b}}}}}",
            "0.18.3",
            ["GV621"],
        ),
        ("featureGates: {NodeFeatureGroupAPI: true, DisableAutoPrefix: false}", "0.18.3", []),
        ("featureGates: {NodeFeatureRuleAPI: true}", "0.16.9", ["GV632"]),
        ("featureGates: {NodeFeatureRuleAPI: true}", "0.15.7", []),  # no template reads it: GV901
        ("priorityClassName: a\nworker: {priorityClassName: a}", "0.16.9", ["GV634"]),
        ("priorityClassName: a\nworker: {priorityClassName: a}", "0.15.7", []),
        ("priorityClassName: ''\nworker: {priorityClassName: a}", "0.18.3", []),
        ("priorityClassName: a", "0.18.3", []),
    ],
)
def test_settings_that_depend_on_the_version(text: str, version: str, expected: list[str]) -> None:
    """Only where that version reads them; where it does not, the contract says so."""
    assert expected == [line.split()[0] for line in in_file(text, version)]


def test_the_bundled_nfd_is_judged_under_the_subchart() -> None:
    """With the operator's defaults; not where it is off, nor at the top level, where no NFD reads the keys."""
    hiding = "worker: {config: {sources: {pci: {deviceClassWhitelist: ['12']}}}}"

    assert ["GV622 node-feature-discovery.worker.config.sources.pci.deviceClassWhitelist"] == in_file(
        f"node-feature-discovery: {{{hiding}}}", "v25.10.1", "gpu-operator"
    )
    assert [] == in_file(f"nfd: {{enabled: false}}\nnode-feature-discovery: {{{hiding}}}", "v25.10.1", "gpu-operator")
    assert [] == in_file(hiding, "v25.10.1", "gpu-operator")
    assert [] == in_file("{}", "v25.10.1", "gpu-operator")


def test_what_the_operators_charts_set_is_known() -> None:
    """gpu-operator: five classes by vendor; network-operator: two, by vendor (their values.yaml)."""
    found = [
        nfd_values.nfd(values("{}", version, chart))
        for chart, version in (("gpu-operator", "v26.7.0"), ("network-operator", "26.4.1"))
    ]
    steps = ("worker", "config", "sources", "pci", "deviceClassWhitelist")

    assert [("02", "0200", "0207", "0300", "0302"), ("0300", "0302")] == [
        one.texts(*steps) for one in found if one is not None
    ]


GPU_OPERATOR = values("driver: {enabled: false}", "v25.10.1", "gpu-operator", "gpu-operator.yaml")
NETWORK_OPERATOR = values("{}", "26.4.1", "network-operator", "network-operator.yaml")


def test_one_nfd_is_enough() -> None:
    """The stand-alone one stays, else the first; each further one is told to go."""
    off = values("nfd: {enabled: false}", "v25.10.1", "gpu-operator", "gpu-operator.yaml")

    assert [] == together(GPU_OPERATOR)
    assert [] == together(values("{}"), off)
    assert ["GV616 gpu-operator.yaml nfd.enabled"] == together(GPU_OPERATOR, values("{}"))
    assert ["GV616 network-operator.yaml nfd.enabled"] == together(GPU_OPERATOR, NETWORK_OPERATOR)
    assert ["GV616 network-operator.yaml nfd.enabled"] == together(off, values("{}"), NETWORK_OPERATOR)


def test_adapters_are_hidden_only_where_something_looks_for_them() -> None:
    """RDMA on, or a NicClusterPolicy; and no rule of the Network Operator's, which labels adapters whatever the list says."""
    hiding = values(pci('deviceClassWhitelist: ["03"], deviceLabelFields: [vendor]'))
    off = "nfd: {enabled: false}"
    rdma = values(f"{off}\ndriver: {{rdma: {{enabled: true}}}}", "v25.10.1", "gpu-operator", "gpu.yaml")
    plain = values(off, "v25.10.1", "gpu-operator", "gpu.yaml")
    with_rule = values(off, "26.4.1", "network-operator", "net.yaml")
    without_rule = values(
        "nfd: {enabled: false, deployNodeFeatureRules: false}", "26.4.1", "network-operator", "net.yaml"
    )
    policy = Body("nic-cluster-policy", {"spec": {"ofedDriver": {}}}, "policy.yaml")
    fault = [f"GV625 values.yaml {PCI}.deviceClassWhitelist"]

    assert [] == together(hiding, plain)
    assert fault == together(hiding, rdma)
    assert fault == together(hiding, plain, policy)
    assert [] == together(hiding, plain, policy, with_rule)
    assert fault == together(hiding, plain, policy, without_rule)
    assert [] == together(values(pci('deviceClassWhitelist: ["03", "0207"]')), rdma)


# Toleration.ToleratesTaint of k8s.io/api/core/v1, for the taint nvidia.com/gpu=present:NoSchedule.
@pytest.mark.parametrize(
    ("toleration", "covers"),
    [
        ({"operator": "Exists"}, True),
        ({"operator": "Exists", "effect": "NoSchedule"}, True),
        ({"operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "nvidia.com/gpu", "operator": "Exists"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Equal", "value": "present"}, True),
        ({"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Equal", "value": "true"}, False),
        ({"key": "nvidia.com/gpu"}, False),
        ({"key": "gpu", "operator": "Exists"}, False),
        ({"key": "nvidia.com/gpu", "operator": "Whatever"}, False),
        ("Exists", False),
    ],
)
def test_tolerations_cover_taints_as_in_kubernetes(toleration: Json, *, covers: bool) -> None:
    """No key tolerates every key, no effect every effect, no operator is Equal."""
    assert covers == tolerates(toleration, "nvidia.com/gpu", "present", "NoSchedule")


def test_an_override_must_cover_what_the_pools_carry(said: Said) -> None:
    """Each list by itself; a taint that only prefers need not be tolerated."""
    text = """
hardware:
  pools:
  - name: gpu
    taints: [{key: nvidia.com/gpu, effect: NoSchedule}, {key: example.internal/batch, value: a, effect: PreferNoSchedule}]
overrides:
  nodeFeatureDiscovery: {worker: {tolerations: [{key: other, operator: Exists}]}}
  gpuOperator: {daemonsets: {tolerations: []}}
"""
    expected = [
        "GV636 overrides.nodeFeatureDiscovery.worker.tolerations",
        "GV636 overrides.gpuOperator.daemonsets.tolerations",
    ]

    assert expected == said(text, RULES)
    assert [] == said(text.replace("key: other, ", "").replace("[]", "[{operator: Exists}]"), RULES)


@pytest.mark.parametrize(
    ("tolerations", "expected"),
    [
        ("[{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]", 0),
        ("[{key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}]", 1),
        ("[{key: nvidia.com/gpu, effect: NoSchedule}]", 1),
        ("[{key: nvidia.com/gpu, value: present}, {operator: Exists}]", 0),
        ("[{key: nvidia.com/gpu, value: present}, {key: nvidia.com/gpu, value: 'true'}]", 0),
        ("[{key: other, value: present}]", 0),
    ],
)
def test_tolerations_by_value_are_questioned(tolerations: str, expected: int) -> None:
    """Not where the list names several values, or tolerates all."""
    assert expected == len(in_file(f"worker: {{tolerations: {tolerations}}}"))
    assert expected == len(
        in_file(f"nfd: {{enabled: false}}\ndaemonsets: {{tolerations: {tolerations}}}", "v25.10.1", "gpu-operator")
    )


def test_the_operators_own_tolerations_are_left_alone() -> None:
    """Charts tolerate control planes by Equal and an empty value."""
    assert [] == in_file("node-feature-discovery: {worker: {resources: {}}}", "v24.9.2", "gpu-operator")


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the reference folder beside the checkout is not there")
def test_public_values_are_judged_with_restraint() -> None:
    """Five of six public files leave out a label source that driver pods need; one, of a site without GPUs, hides them."""
    found: dict[str, list[str]] = {}
    for path in sorted(CORPUS.glob("*.yaml")):
        text = path.read_text("utf-8")
        if "{{" in text or "NodeFeatureDiscovery\n" in text:
            continue
        data = yaml.safe_load(text)
        found[path.stem] = [
            line.split()[0] for line in in_file(yaml.safe_dump(data.get("spec", {}).get("values", data)))
        ]

    assert found == {
        "001": ["GV631"], "003": ["GV631"], "005": ["GV631"], "007": ["GV631"], "013": ["GV622", "GV623"], "015": ["GV631"],
    }  # fmt: skip
