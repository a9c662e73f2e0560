"""Rules about NodeFeatureRules that are well formed and mean something else than they seem to."""

import re
from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.finding import Hit
from genvalues.plan.labels import GPU_CLASSES, NVIDIA
from genvalues.rules import nfd_catalogue
from genvalues.rules.mig_parted import FILTER, entries
from genvalues.rules.node_feature import NodeRule, Term, labels, matcher_lists, rules, terms, texts
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Rule
from genvalues.wording import listed, quoted

_SINCE = "0.1.0"

_MELLANOX = "15b3"
_NETWORK = ("0200", "0207", "0280")

SHARED_IDS: Mapping[str, tuple[str, ...]] = {"25b6": ("a16", "a2")}
"""PCI ids that several GPUs share, by the keys of these. A test holds it against the facts, whose reading takes time."""

MOCK_IDS: Mapping[str, str] = {"2340": "b200-sxm6-180gb", "2341": "gb200"}
"""PCI ids of NVIDIA's mock of NVML, by the keys of the GPUs that it plays (NVIDIA/k8s-test-infra, nvml-mock)."""

# Attributes that every device, or every node, has; NotIn over others is false where they are missing.
_ALWAYS: Mapping[str, frozenset[str]] = {
    "pci.device": frozenset(("class", "vendor", "device", "subsystem_vendor", "subsystem_device")),
    "usb.device": frozenset(("class", "vendor", "device")),
    "network.device": frozenset(("name", "operstate")),
    "network.virtual": frozenset(("name", "operstate")),
    "storage.block": frozenset(("name", "rotational")),
    "kernel.version": frozenset(("full", "major", "minor", "revision")),
    "system.name": frozenset(("nodename",)),
    "system.osrelease": frozenset(("ID", "VERSION_ID", "VERSION_ID.major", "VERSION_ID.minor")),
    "cpu.model": frozenset(("vendor_id", "family", "id")),
    "cpu.topology": frozenset(("hardware_multithreading", "socket_count")),
    "memory.numa": frozenset(("is_numa", "node_count")),
    "kernel.selinux": frozenset(("enabled",)),
}


def _unconditional(body: Body, _: Facts) -> Iterator[Hit]:
    for rule in rules(body.data):
        misspelt = any(
            key.lower().startswith("match") and key not in ("matchFeatures", "matchAny") for key in rule.data
        )
        if not rule.has_matchers() and not misspelt:
            yield Hit(
                rule.route,
                f"rule {_name(rule)} has no matchers: it holds on every node",
                "matchFeatures: [{feature: pci.device, matchExpressions: {...}}]",
            )
        for matchers in matcher_lists(rule):
            for term in () if rule.has_template() else matchers:
                if term.data.keys() == {"feature"}:
                    yield Hit(
                        term.route,
                        f"this term only names {term.feature}: it holds on every node where NFD looks at {term.feature}, "
                        "whatever it finds there",
                        "matchExpressions: {<attribute>: {op: ..., value: [...]}}",
                    )


def _not_in(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    for term in terms(body.data):
        feature = known.get(term.feature.lower())
        if feature is None or feature.type == "flag":
            continue
        absent = [one for one in term.expressions if one.attribute and one.op == "NotIn"]
        if feature.type == "instance" and absent and len(absent) == len(term.expressions):
            yield Hit(
                absent[0].route,
                f"one {term.feature} that is another is enough for this term, so that it holds on nearly every node; that "
                "no device is of a kind cannot be said",
                "set a label where the device is there, and select the nodes that do not have the label",
            )
            continue
        for expression in absent:
            open_or_known = feature.open or expression.attribute in feature.attributes
            if open_or_known and expression.attribute not in _ALWAYS.get(feature.name, ()):
                yield Hit(
                    (*expression.route, "op"),
                    f"NotIn is false where a node has no {expression.attribute} in {feature.name} at all",
                    "matchAny, with NotIn in one matcher and op: DoesNotExist in another",
                )


def _two_devices(body: Body, _: Facts) -> Iterator[Hit]:
    """All expressions of one term must hold on the same device."""
    for term in terms(body.data):
        vendors, classes = _wanted(term, "vendor"), _wanted(term, "class")
        if term.feature.lower() != "pci.device" or not vendors or not classes:
            continue
        gpus, networks = set(classes) <= set(GPU_CLASSES), set(classes) <= set(_NETWORK)
        wrong = (set(vendors) == {NVIDIA} and networks) or (set(vendors) == {_MELLANOX} and gpus)
        if wrong:
            yield Hit(
                term.route,
                f"no device is of vendor {vendors[0]} and class {listed(classes)}: all expressions of a term are about "
                "one device",
                "two terms with feature: pci.device, one for each device",
            )


def _ambiguous(body: Body, facts: Facts) -> Iterator[Hit]:
    for term in terms(body.data):
        if term.feature.lower() != "pci.device" or NVIDIA not in (_wanted(term, "vendor") or (NVIDIA,)):
            continue
        expression = next((one for one in term.expressions if one.attribute == "device" and one.op == "In"), None)
        if expression is None or any(one.attribute == "subsystem_device" for one in term.expressions):
            continue
        for index, device in enumerate(expression.values or ()):
            if gpus := _sharing(device, facts):
                boards = {gpu.display: subsystem for gpu, subsystem in gpus}
                yield Hit(
                    (*expression.route, "value", index),
                    f"device {device} is {listed(boards, 'and')} alike: they differ in the subsystem only",
                    " or ".join(
                        f'subsystem_device: {{op: In, value: ["{subsystem}"]}} for {name}'
                        for name, subsystem in boards.items()
                    ),
                )


def _mocked(body: Body, facts: Facts) -> Iterator[Hit]:
    for term in terms(body.data):
        if term.feature.lower() != "pci.device" or NVIDIA not in (_wanted(term, "vendor") or (NVIDIA,)):
            continue
        for expression in term.expressions:
            for index, device in enumerate(expression.values or ()) if expression.attribute == "device" else ():
                if gpu := facts.gpu(MOCK_IDS.get(device, "")):
                    real = listed([pci.device for pci in gpu.pci_ids])
                    yield Hit((*expression.route, "value", index), _mock_text(device, gpu), f'value: ["{real}"]')


def _mocked_filter(body: Body, facts: Facts) -> Iterator[Hit]:
    for entry in entries(body.data):
        for text in entry.filters:
            if gpu := facts.gpu(MOCK_IDS.get(text[2:6], "") if re.fullmatch(FILTER, text) else ""):
                real = listed([f'"0x{pci.device.upper()}10DE"' for pci in gpu.pci_ids])
                yield Hit((*entry.route, "device-filter"), _mock_text(text[2:6], gpu), f"device-filter: {real}")


def _mock_text(device: str, gpu: Gpu) -> str:
    return f"{device} is the id that NVIDIA's mock of a {gpu.display} has, and no GPU: nothing matches on hardware"


def _sharing(device: str, facts: Facts) -> tuple[tuple[Gpu, str], ...]:
    """The GPUs that share a PCI id, each with the device part of its subsystem; none where the id tells a GPU."""
    gpus = [gpu for key in SHARED_IDS.get(device, ()) if (gpu := facts.gpu(key)) is not None]
    return tuple(
        (gpu, pci.subsystems[0].partition(":")[2])
        for gpu in gpus
        for pci in gpu.pci_ids
        if pci.device == device and pci.subsystems
    )


def _back_references(body: Body, _: Facts) -> Iterator[Hit]:
    """Terms on rule.matched: what earlier rules set, spelt as they spell it."""
    every = [(rule, _outputs(rule)) for rule in rules(body.data)]
    for term in terms(body.data):
        if term.feature.lower() != "rule.matched":
            continue
        here = next(index for index, (rule, _) in enumerate(every) if rule.route == term.rule.route)
        before: set[str] = set().union(*(keys for _, keys in every[:here]))
        after: set[str] = set().union(*(keys for _, keys in every[here:]))
        if any(rule.has_template() for rule, _ in every[:here]):
            continue  # a template may make any name
        for expression in term.expressions:
            wanted = expression.attribute
            if wanted is None or wanted in before:
                continue
            alike = next((key for key in before if key.rpartition("/")[2] == wanted.rpartition("/")[2]), None)
            if alike is not None:
                why = f"rule.matched knows {quoted(alike)} as the rule above spells it, and no {quoted(wanted)}"
                yield Hit(expression.route, why, f"{alike}: {{op: {expression.op}, ...}}", at="key")
            elif wanted in after:
                why = f"rules run in the order of the list, and {quoted(wanted)} is set by this rule or a later one"
                yield Hit(expression.route, why, f"move rule {_name(term.rule)} behind the rule that sets it", at="key")


def _outputs(rule: NodeRule) -> frozenset[str]:
    """The names that a rule hands on to later ones."""
    return frozenset((*(label.key for label in labels(rule)), *(key for key, _ in texts(rule.data.get("vars")))))


def _wanted(term: Term, attribute: str) -> tuple[str, ...]:
    """The values that a term asks of an attribute with In; () where it does not."""
    found = next((one for one in term.expressions if one.attribute == attribute and one.op == "In"), None)
    return found.values or () if found is not None else ()


def _name(rule: NodeRule) -> str:
    name = rule.data.get("name")
    return quoted(name) if isinstance(name, str) else str(rule.route[-1])


RULES: tuple[Rule, ...] = (
    Rule(
        "GV639",
        "warning",
        "Device id of a mock GPU",
        _SINCE,
        files={KIND: _mocked, "mig-parted": _mocked_filter},
    ),
    Rule("GV650", "warning", "Matcher that holds on every node", _SINCE, files={KIND: _unconditional}),
    Rule("GV651", "warning", "NotIn that does not mean what it says", _SINCE, files={KIND: _not_in}),
    Rule("GV656", "error", "Two devices in one term", _SINCE, files={KIND: _two_devices}),
    Rule("GV658", "error", "Back-reference to what no earlier rule sets", _SINCE, files={KIND: _back_references}),
    Rule("GV659", "warning", "Device id that several GPUs share", _SINCE, files={KIND: _ambiguous}),
)
