"""Rules over NodeFeatureRules, beyond what their pages show. Expected values: kubectl-nfd's verdicts, nfd.md, NFD's code."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from genvalues import facts, judge, rules
from genvalues.document import Chart
from genvalues.finding import Json, format_route
from genvalues.rules import node_feature_rules
from genvalues.rules.node_feature_logic import SHARED_IDS
from genvalues.rules.node_feature_matchers import id_fault, operand_fault, pattern_fault
from genvalues.rules.node_feature_outputs import annotation_fault, is_refused, resource_fault, taint_fault
from genvalues.rules.rule import Body, Rule

FACTS = facts.load()
RULES = node_feature_rules.RULES
VENDOR = {"feature": "pci.device", "matchExpressions": {"vendor": {"op": "In", "value": ["10de"]}}}
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "nfr"


def body(*node_rules: Json, nfd: str = "0.19.0") -> Body:
    data = {"apiVersion": "nfd.k8s-sigs.io/v1alpha1", "kind": "NodeFeatureRule", "metadata": {"name": "a"}}
    return Body(
        "node-feature-rule",
        {**data, "spec": {"rules": list(node_rules)}},
        "f",
        (),
        Chart("node-feature-discovery", nfd),
    )


def found(judged: Body, wanted: tuple[Rule, ...] = RULES) -> list[str]:
    hits = [(rule, hit) for rule, hit in judge.body(judged, FACTS, wanted)]
    hits += [(rule, hit) for _, rule, hit in judge.together([judged], FACTS, wanted)]
    return [f"{rule.code} {format_route(hit.route)}" for rule, hit in hits]


def rule(**fields: Json) -> Json:
    return {"name": "r", "labels": {"example.internal/x": "1"}, "matchFeatures": [VENDOR], **fields}


def term(feature: str, *, nfd: Json = "0.19.0", **expressions: Json) -> list[str]:
    """The codes about one term."""
    one = {"feature": feature, "matchExpressions": expressions}
    return [line.split()[0] for line in found(body(rule(matchFeatures=[one]), nfd=nfd))]


# kubectl-nfd: `validate` looks at the file, `dryrun` evaluates it for a node.

CASES = json.loads(Path(__file__).parents[1].joinpath("vectors", "nfd-kubectl.json").read_text("utf-8"))["cases"]

STRICTER = {
    "uppercase vendor": ("GV649", "never matches"),
    "0x prefix": ("GV649", "never matches"),
    "vendor/device from different instances in one term": ("GV656", "never matches"),
    "wrong attr": ("GV647", "never matches"),
    "NotIn on missing attr": ("GV651", "does not match where the attribute is missing"),
    "type version with In": ("GV644", "the type does nothing"),
    "In on flag": ("GV648", "never matches"),
    "IsTrue on flag": ("GV648", "never matches"),
    "no matcher": ("GV650", "matches every node"),
    "feature only, no expr": ("GV650", "matches every node"),
    "typo matchExpression (singular)": ("GV640", "matches every node"),
    "bool label value": ("GV642", "the API server refuses what kubectl-nfd turns into a text"),
    "int label value": ("GV642", "the API server refuses what kubectl-nfd turns into a text"),
    "int in value list": ("GV642", "the API server refuses what kubectl-nfd turns into a text"),
}


def codes(case: Json) -> list[str]:
    return sorted({line.split()[0] for line in found(body(*case["rules"]), rules.ALL)})


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["case"]))
def test_never_laxer_than_kubectl_nfd(case: Json) -> None:
    """What `validate` or `dryrun` refuses has a finding; what both take has one only for a stated reason."""
    refused = bool(case["validate"] or case["dryrun"])

    assert (refused or case["case"] in STRICTER) == bool(codes(case))
    if case["case"] in STRICTER:
        assert [STRICTER[case["case"]][0]] == codes(case)


def test_the_matrix_is_whole() -> None:
    """65 cases upstream, less three about a file as a whole: several documents, another kind, nothing in it."""
    assert 62 == len(CASES)
    assert [] == [name for name in STRICTER if name not in {case["case"] for case in CASES}]
    assert [(13, 18)] == [(sum(c["validate"] for c in CASES), sum(c["dryrun"] for c in CASES))]


# Operators and their values: nfd.md 3.1.


@pytest.mark.parametrize(
    ("op", "values", "kind", "fits"),
    [
        ("In", ("a", "b"), None, True),
        ("In", (), None, False),
        ("NotIn", ("a",), None, True),
        ("InRegexp", (), None, False),
        ("Exists", (), None, True),
        ("DoesNotExist", ("a",), None, False),
        ("IsFalse", ("false",), None, False),
        ("Gt", ("4",), None, True),
        ("Gt", ("-4",), None, True),
        ("Gt", ("4", "5"), None, False),
        ("Gt", ("4.5",), None, False),
        ("Gt", (" 4",), None, False),
        ("Ge", ("5.15",), "version", True),
        ("Ge", ("v5.15.0-105-generic",), "version", True),
        ("Ge", ("generic",), "version", False),
        ("Ge", ("5",), "semver", False),
        ("GtLt", ("4", "6"), None, True),
        ("GtLt", ("6", "6"), None, False),
        ("GeLe", ("10", "9"), None, False),
        ("GeLe", ("5.15", "6.8"), "version", True),
        ("In", ("5.15",), "version", False),
        ("Exists", (), "version", False),
    ],
)
def test_operators_take_their_values(op: str, values: tuple[str, ...], kind: str | None, *, fits: bool) -> None:
    """So many values, of that kind, the first smaller, and a type only where something is compared."""
    assert fits == (operand_fault(FACTS.nfd_ops("0.19.0")[op], values, kind) is None)


def test_operators_and_types_by_version() -> None:
    """Ge and type came with 0.18; names are compared with their capitals."""
    assert ["GV643"] == term("kernel.version", major={"op": "Ge", "value": ["5"]}, nfd="0.17.4")
    assert [] == term("kernel.version", major={"op": "Ge", "value": ["5"]}, nfd="0.18.3")
    assert ["GV640"] == term("kernel.version", major={"op": "Gt", "value": ["5"], "type": "version"}, nfd="0.17.4")
    assert ["GV643"] == term("pci.device", vendor={"op": "exists"})
    assert ["GV643"] == term("pci.device", vendor={"op": "=="})


def test_numbers_are_asked_of_numbers_only() -> None:
    """Attributes whose values are no integers fail on every node; with a type they are versions."""
    assert ["GV644"] == term("system.osrelease", VERSION_ID={"op": "Gt", "value": ["22"]})
    assert ["GV644"] == term("system.name", nodename={"op": "Lt", "value": ["22"]})
    assert [] == term("system.osrelease", VERSION_ID={"op": "Gt", "value": ["22"], "type": "version"})


@pytest.mark.parametrize(
    "pattern",
    [
        "^gn-[0-9]+$",
        "gn-(a|b)",
        r"\d{3}",
        "(?i)GN",
        "[[:alpha:]]",
        "a{2,3}",
        "^gn-(?!x)",
        r"(a)\1",
        "a**",
        "[",
        "(",
        "a{3,2}",
        "(?P<n>a)",
        "(?<=a)b",
        "",
    ],
)
def test_patterns_are_refused_as_re2_refuses_them(pattern: str) -> None:
    """Held against RE2 itself, which has Go's syntax for these."""
    re2 = pytest.importorskip("re2", reason="google-re2, of the extra `tools`, is not installed")
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
        compiles = True
    except re2.error:
        compiles = False

    assert compiles == (pattern_fault(pattern) is None)


# Features and attributes: nfd.md 3.3.


@pytest.mark.parametrize(
    ("feature", "attribute", "nfd", "expected"),
    [
        ("pci.device", "subsystem_device", "0.15.7", []),
        ("PCI.Device", "vendor", "0.19.0", []),
        ("pci.device", "iommu_group/type", "0.19.0", []),
        ("pci.device", "Vendor", "0.19.0", ["GV647"]),
        ("pcie.device", "vendor", "0.19.0", ["GV646"]),
        ("pci", "vendor", "0.19.0", ["GV646"]),
        ("system.nodename", "nodename", "0.19.0", ["GV646"]),
        ("node.label", "x", "0.19.0", ["GV646"]),
        ("gpu.device", "x", "0.19.0", ["GV646"]),
        ("vendor.thing", "x", "0.19.0", []),  # another program may publish it in a NodeFeature object
        ("fake.attribute", "attr_1", "0.19.0", []),
        ("kernel.kvm", "enabled", "0.18.3", ["GV646"]),
        ("kernel.kvm", "enabled", "0.19.0", []),
        ("system.dmiid", "board_name", "0.18.3", ["GV647"]),
        ("system.dmiid", "board_name", "0.19.0", []),
        ("network.device", "mtu", "0.17.4", ["GV647"]),
        ("system.osrelease", "PRETTY_NAME", "0.19.0", []),
        ("kernel.config", "NO_HZ", "0.19.0", []),
        ("kernel.config", "CONFIG_NO_HZ", "0.19.0", ["GV647"]),
        ("kernel.loadedmodule", "nvidia_peermem", "0.19.0", []),
        ("kernel.loadedmodule", "nvidia-peermem", "0.19.0", ["GV647"]),
        ("cpu.cpuid", "AVX512F", "0.19.0", []),
        ("local.label", "anything", "0.19.0", []),
    ],
)
def test_names_are_held_against_the_catalogue(feature: str, attribute: str, nfd: str, expected: list[str]) -> None:
    """What NFD discovers by version; features in any case, attributes as they are written."""
    assert expected == term(feature, nfd=nfd, **{attribute: {"op": "Exists"}})


def test_a_rule_of_no_version_is_held_against_the_newest() -> None:
    """A file that does not say which NFD it is for gets the benefit of the doubt."""
    one = {"feature": "kernel.kvm", "matchExpressions": {"enabled": {"op": "IsTrue"}}}

    assert [] == found(body(rule(matchFeatures=[one]))._replace(chart=None))
    assert ["GV646 spec.rules[0].matchFeatures[0].feature"] == found(
        body(rule(matchFeatures=[one]))._replace(chart=Chart("gpu-operator", "v25.10.1"))  # which brings 0.18
    )


def test_the_one_valued_flag_may_be_compared() -> None:
    """AVX10_VERSION is an attribute among the flags of cpu.cpuid."""
    assert [] == term("cpu.cpuid", AVX10_VERSION={"op": "Gt", "value": ["1"]})
    assert ["GV648"] == term("cpu.cpuid", AVX512F={"op": "In", "value": ["true"]})


@pytest.mark.parametrize(
    ("value", "digits", "right"),
    [
        ("10de", 4, None),
        ("10DE", 4, "10de"),
        ("0x10de", 4, "10de"),
        ("3", 4, "0003"),
        ("010de", 4, "0000"),
        ("02", 2, None),
        ("nvidia", 4, "0000"),
    ],
)
def test_ids_are_spelt_as_sysfs_spells_them(value: str, digits: int, right: str | None) -> None:
    """Lower case, no 0x, all digits; zeros where no right spelling is known."""
    assert right == id_fault(value, digits)


def test_ids_of_usb_have_their_own_length() -> None:
    """Classes of USB devices have two digits."""
    assert [] == term(
        "usb.device", **{"class": {"op": "In", "value": ["02"]}, "vendor": {"op": "In", "value": ["1a86"]}}
    )
    assert ["GV649"] == term("usb.device", **{"class": {"op": "In", "value": ["0002"]}})
    assert [] == term("pci.device", **{"class": {"op": "InRegexp", "value": ["^03"]}})


def test_shared_ids_are_those_of_the_facts() -> None:
    """Every PCI id that needs the subsystem, with the GPUs that have it."""
    shared: dict[str, list[str]] = {}
    for key in FACTS.gpu_keys():
        gpu = FACTS.gpu(key)
        for pci in gpu.pci_ids if gpu is not None else ():
            if pci.needs_subsystem:
                shared.setdefault(pci.device, []).append(key)

    assert {device: tuple(keys) for device, keys in shared.items()} == SHARED_IDS


# What rules mean.


def test_matchers_of_instances() -> None:
    """A device of two classes, a lone NotIn over devices, and both said right."""
    two = {"op": "In", "value": ["0300", "0302"]}
    assert [] == term("pci.device", vendor={"op": "In", "value": ["10de"]}, **{"class": two})
    assert ["GV656"] == term("pci.device", vendor={"op": "In", "value": ["15b3"]}, **{"class": two})
    assert [] == term(
        "pci.device", vendor={"op": "In", "value": ["10de", "15b3"]}, **{"class": {"op": "In", "value": ["0207"]}}
    )
    assert ["GV651"] == term("network.device", operstate={"op": "NotIn", "value": ["up"]})
    assert [] == term("pci.device", vendor={"op": "In", "value": ["10de"]}, device={"op": "NotIn", "value": ["20b0"]})
    assert ["GV651"] == term(
        "pci.device", vendor={"op": "In", "value": ["10de"]}, sriov_totalvfs={"op": "NotIn", "value": ["0"]}
    )
    assert [] == term("kernel.version", major={"op": "NotIn", "value": ["4"]})


def test_matchers_that_hold_everywhere() -> None:
    """Rules without matchers, terms without conditions; not where a template needs the whole feature."""
    bare = {"feature": "pci.device"}
    assert ["GV650 spec.rules[0]"] == found(body(rule(matchFeatures=[])))
    assert ["GV650 spec.rules[0].matchAny[0].matchFeatures[0]"] == found(
        body({"name": "r", "labels": {}, "matchAny": [{"matchFeatures": [bare]}]})
    )
    assert [] == found(body(rule(matchFeatures=[bare], labelsTemplate="example.internal/n={{ .pci.device | len }}")))
    assert ["GV640 spec.rules[0].matchFeature"] == found(body({"name": "r", "labels": {}, "matchFeature": [bare]}))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("example.internal/a", []),
        ("a.count", []),
        ("b", []),
        ("feature.node.kubernetes.io/b", ["GV658"]),  # the rule spells it without a namespace
        ("example.internal/later", ["GV658"]),
        ("example.internal/own", ["GV658"]),
        ("example.internal/elsewhere", []),  # another object may set it
    ],
)
def test_back_references(wanted: str, expected: list[str]) -> None:
    """Names that earlier rules set, as these spell them."""
    first = rule(labels={"example.internal/a": "1", "b": "1"}, vars={"a.count": "8"})
    second = rule(
        labels={"example.internal/own": "1"},
        matchFeatures=[{"feature": "rule.matched", "matchExpressions": {wanted: {"op": "Exists"}}}],
    )
    third = rule(labels={"example.internal/later": "1"})

    assert expected == [line.split()[0] for line in found(body(first, second, third))]


# What rules set besides labels.


@pytest.mark.parametrize(
    ("namespace", "refused"),
    [
        ("kubernetes.io", True),
        ("node-role.kubernetes.io", True),
        ("profile.node.kubernetes.io", True),  # open for labels alone
        ("feature.node.kubernetes.io", False),
        ("a.feature.node.kubernetes.io", False),
        ("nvidia.com", False),
        ("k8s.io", False),
    ],
)
def test_namespaces_of_taints_annotations_and_resources(namespace: str, *, refused: bool) -> None:
    """pkg/apis/nfd/validate: only NFD's own and what is below it."""
    assert refused == is_refused(namespace)


@pytest.mark.parametrize(
    ("key", "value", "effect", "field"),
    [
        ("nvidia.com/gpu", "present", "NoSchedule", None),
        ("feature.node.kubernetes.io/gpu", "", "NoExecute", None),
        ("gpu", "", "NoSchedule", "key"),
        ("nvidia.com/a b", "", "NoSchedule", "key"),
        ("node-role.kubernetes.io/gpu", "", "NoSchedule", "key"),
        ("nvidia.com/gpu", "", "noSchedule", "effect"),
        ("nvidia.com/gpu", "a b", "NoSchedule", "value"),
    ],
)
def test_taints(key: str, value: str, effect: str, field: str | None) -> None:
    """The field that keeps a taint from the node."""
    fault = taint_fault(key, value, effect)

    assert field == (None if fault is None else fault[0])


@pytest.mark.parametrize(
    ("value", "valid"),
    [("8", True), ("1.5", True), ("100m", True), ("64Gi", True), ("1e3", True), (".5", True), ("@kernel.version.major", True),
     ("", False), ("abc", False), ("8 Gi", False), ("8GiB", False), ("1e", False)],
)  # fmt: skip
def test_resources_are_quantities(value: str, *, valid: bool) -> None:
    """As resource.ParseQuantity reads them; references are looked at elsewhere."""
    assert valid == (resource_fault("example.internal/x", value) is None)


def test_annotations() -> None:
    """1024 bytes, in a namespace that is open; keys without one get NFD's own."""
    assert annotation_fault("example.internal/x", "ä" * 512) is None
    assert annotation_fault("example.internal/x", "ä" * 513) is not None
    assert annotation_fault("x", "a") is None
    assert annotation_fault("kubernetes.io/x", "a") is not None


def test_taints_need_an_nfd_that_sets_them() -> None:
    """By flag or by file; without any values nothing is known."""
    tainting = body(rule(taints=[{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]))

    def with_values(text: str) -> list[str]:
        values = Body("values", yaml.safe_load(text), "v", (), Chart("node-feature-discovery", "0.18.3"))
        return [f"{rule.code} {judged.file}" for judged, rule, _ in judge.together([tainting, values], FACTS, RULES)]

    assert [] == found(tainting)
    assert ["GV653 f"] == with_values("{}")
    assert [] == with_values("master: {enableTaints: true}")
    assert [] == with_values("master: {config: {enableTaints: true}}")


TEMPLATES = [
    ("example.internal/x={{ .pci.device | len }}", 0),
    ("{{ range .pci.device }}example.internal/{{ .class }}=true\n{{ end }}", 0),
    ('{{ range .pci.device }}{{ if eq .class "0302" }}example.internal/x=1{{ end }}\n{{ end }}', 0),
    ("{{- range .pci.device }}\nexample.internal/x\n=1{{ end -}}", 0),  # trim marks join lines
    ("{{/* a comment */}}\nexample.internal/x=1\n\n", 0),
    ("example.internal/x={{ `}}` }}", 0),
    ("example.internal/x={{ .pci.device }", 1),
    ("example.internal/x={{ .pci.device", 1),
    ("{{ range .pci.device }}example.internal/x=1", 1),
    ("{{ end }}", 1),
    ("{{ else }}", 1),
    ("{{}}", 1),
    ("example.internal/x", 1),
    ("{{ range .kernel.version }}example.internal/x={{ .Value }}\n{{ end }}", 1),
    ("example.internal/x={{ .vendor.thing | len }}", 0),  # nothing is known of other domains
]


@pytest.mark.parametrize(("template", "faults"), TEMPLATES)
def test_templates(template: str, faults: int) -> None:
    """Actions, blocks, lines and features."""
    assert faults == len(found(body(rule(labelsTemplate=template))))
    assert faults == len(found(body(rule(varsTemplate=template))))


@pytest.mark.parametrize(
    ("template", "nfd", "faults"),
    [
        ('example.internal/x={{ "a b" | replace " " "-" }}', "0.17.4", 1),
        ('example.internal/x={{ "a b" | replace " " "-" }}', "0.18.3", 0),
        ('example.internal/x={{ env "HOME" }}', "0.18.3", 0),
        ('example.internal/x={{ env "HOME" }}', "0.19.0", 1),
        ('example.internal/x={{ printf "%d" (len .pci.device) }}', "0.15.7", 0),
        ("{{ $n := len .pci.device }}example.internal/x={{ $n }}", "0.15.7", 0),
    ],
)
def test_functions_of_templates_by_version(template: str, nfd: str, faults: int) -> None:
    """Sprig's came with 0.18, and three of them went with 0.19."""
    assert faults == len(found(body(rule(labelsTemplate=template), nfd=nfd)))


def test_templates_are_expanded_for_each_list_of_matchers() -> None:
    """With matchAny beside matchFeatures each sees its own features only."""
    kernel = {"feature": "kernel.version", "matchExpressions": {"major": {"op": "Exists"}}}
    template = "example.internal/x={{ .pci.device | len }}"

    assert [] == found(body(rule(labelsTemplate=template, matchFeatures=[VENDOR, kernel])))
    assert ["GV655 spec.rules[0].labelsTemplate"] == found(
        body(rule(labelsTemplate=template, matchAny=[{"matchFeatures": [kernel]}]))
    )
    assert ["GV650 spec.rules[0]", "GV655 spec.rules[0].labelsTemplate"] == found(
        body(rule(labelsTemplate="example.internal/x=1", matchFeatures=[]))
    )


# Shape.


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"apiVersion": "a", "kind": "NodeFeatureRule"}, ["GV641", "GV641"]),
        ({"metadata": {"name": "a"}, "spec": {}}, ["GV641"]),
        ({"metadata": {}, "spec": {"rules": []}}, ["GV641"]),
        ({"metadata": {"generateName": "a-"}, "spec": {"rules": []}}, []),
        ({"metadata": {"name": "a", "namespace": "b", "labels": {"c": "d"}}, "spec": {"rules": []}}, []),
        ({"metadata": {"name": "a"}, "spec": {"rules": {}}}, ["GV642"]),
        ({"metadata": {"name": "a"}, "spec": {"rules": ["a"]}}, ["GV642"]),
        ({"metadata": {"name": "a"}, "spec": {"rules": [], "rule": []}}, ["GV640"]),
        ({"metadata": {"name": "a"}, "spec": []}, ["GV642"]),
        ({"metadata": {"name": "a"}, "spec": {"rules": [{"name": "r", "matchFeatures": [None]}]}}, ["GV642"]),
        ({"metadata": {"name": "a"}, "spec": {"rules": [rule(labels=None, annotations=None)]}}, []),
        ({"metadata": {"name": "a"}, "spec": {"rules": [rule(labels=["a"])]}}, ["GV642"]),
        (
            {"metadata": {"name": "a"}, "spec": {"rules": [rule(taints=[{"key": 1, "effect": "NoSchedule"}])]}},
            ["GV642"],
        ),
        ({"metadata": {"name": "a"}, "spec": {"rules": [rule(matchAny=[{}])]}}, ["GV641"]),
    ],
)
def test_shape(data: Json, expected: list[str]) -> None:
    """Fields that there are not, are missing, or are of another type; null stands for nothing."""
    assert expected == [line.split()[0] for line in found(body()._replace(data=data))]


_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["", "In", "10de", "@a", "@a.b.c", "{{", "a/b", "\0", "x" * 70])
)
_KEYS = st.sampled_from(
    ["spec", "rules", "name", "labels", "matchFeatures", "matchAny", "matchExpressions", "matchName", "feature", "op", "value", "type",
     "vendor", "taints", "key", "effect", "annotations", "extendedResources", "labelsTemplate", "vars", "metadata", "a b"]
)  # fmt: skip
_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=25
)


@settings(max_examples=100, deadline=None)
@given(_JSON)
def test_no_shape_raises(data: Json) -> None:
    """Whatever a file holds, the rules find something or nothing."""
    for judged in (
        body()._replace(data=data),
        body(data),
        body({"name": "r", "matchFeatures": data, "labels": data, "taints": data}),
    ):
        assert all(isinstance(line, str) for line in found(judged, rules.ALL))


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the reference folder beside the checkout is not there")
def test_public_rules_are_judged_with_restraint() -> None:
    """Of the public rules that are no templates one matches on what does not exist; labels are judged elsewhere."""
    faults: dict[str, list[str]] = {}
    for path in sorted(CORPUS.glob("*.yaml")):
        text = path.read_text("utf-8")
        if "{{" in text:
            continue
        for data in yaml.load_all(text, yaml.BaseLoader):
            lines = found(body()._replace(data=data, chart=None))
            if lines:
                faults.setdefault(path.stem, []).extend(line.split()[0] for line in lines)

    assert {"025": ["GV646", "GV646"]} == faults
