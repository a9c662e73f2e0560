"""Rules about the PCI labels of NFD, by which NVIDIA's operators find GPUs and network adapters.

The labels are named by the fields of `deviceLabelFields`, and made for devices whose class begins with an entry of
`deviceClassWhitelist`. GPU Operator knows pci-10de.present, pci-0302_10de.present and pci-0300_10de.present
(controllers/state_manager.go); everything about RDMA goes by pci-15b3.present alone.
"""

import re
from collections.abc import Iterator, Sequence

from genvalues.facts import Facts
from genvalues.finding import Hit, Route, node_at
from genvalues.plan.labels import GPU_CLASSES
from genvalues.rules import nfd_values
from genvalues.rules.nfd_values import PCI_CLASSES, PCI_FIELDS, Nfd
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import inline, listed

_SINCE = "0.1.0"

_PCI = ("worker", "config", "sources", "pci")
_CLASSES = (*_PCI, "deviceClassWhitelist")
_FIELDS = (*_PCI, "deviceLabelFields")

_NETWORK = ("0200", "0207")
_HIDING = ("device", "subsystem_vendor", "subsystem_device")

# Classes with NVIDIA devices that are no GPUs (pci.ids; nv-pci-table.c binds 0300 and 0302 only).
_OTHERS = {"04": "audio functions of graphics cards", "06": "bridges and NVSwitches", "0c": "USB controllers of cards"}


def hides(classes: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether a white list takes devices of none of these classes, were its entries spelt right (GV627 says where not)."""
    return not any(one.startswith(_spelt(entry)) for entry in classes for one in wanted)


def _spelt(entry: str) -> str:
    """An entry as it is meant: NFD lowers its case (source/pci), and nothing else."""
    return entry.strip().lower().removeprefix("0x")[:4]


def classes(found: Nfd) -> tuple[str, ...] | None:
    """The effective white list; None where it is no list of texts."""
    return PCI_CLASSES if found.get(*_CLASSES) is None else found.texts(*_CLASSES)


def _hidden_gpus(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    listed_classes = classes(found) if found is not None else None
    if found is None or listed_classes is None or not hides(listed_classes, GPU_CLASSES):
        return
    yield Hit(
        found.at(*_CLASSES),
        f"deviceClassWhitelist {inline(list(listed_classes))} takes no display (0300) and no 3D controller (0302): nodes get no "
        "label pci-10de.present, and the GPU Operator finds no GPU",
        f"deviceClassWhitelist: {inline(sorted({*listed_classes, '03'}))}",
    )


def _hiding_fields(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    fields = found.texts(*_FIELDS) if found is not None else None
    wrong = [field for field in fields or () if field in _HIDING]
    if found is not None and wrong:
        yield Hit(
            found.at(*_FIELDS),
            f"with {listed(wrong, 'and')} in it the label of a GPU is no longer pci-10de.present: the GPU Operator finds none, "
            "and ends its pods on nodes where they run",
            "deviceLabelFields: [vendor], with labels by model from a NodeFeatureRule",
        )


def _with_class(body: Body, _: Facts) -> Iterator[Hit]:
    """Class and vendor, or class alone, written out: NFD's own default says nothing of what the author knows."""
    found = nfd_values.nfd(body)
    said = found.stated(*_FIELDS) if found is not None else None
    fields = found.texts(*_FIELDS) if found is not None else None
    if said is None or fields is None or any(field in _HIDING for field in fields):
        return
    if set(fields or PCI_FIELDS) & set(PCI_FIELDS) != {"vendor"}:
        yield Hit(
            said[0],
            f"with deviceLabelFields {inline(list(fields))} a network adapter is labelled pci-0207_15b3.present, and RDMA in both "
            "operators goes by pci-15b3.present; so does the device plugin's own chart by pci-10de.present",
            "deviceLabelFields: [vendor]",
        )


def needs_adapters(body: Body) -> bool:
    """Whether what a file says makes NVIDIA's operators look for network adapters by their label."""
    if body.kind == "nic-cluster-policy":
        return True
    if body.kind != "values" or body.chart is None or body.chart.name != "gpu-operator":
        return False
    return (
        node_at(body.data, ("driver", "rdma", "enabled")) is True
        and node_at(body.data, ("driver", "enabled")) is not False
    )


def _hidden_adapters(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Only where no rule of the Network Operator's sets the label, whatever the white list."""
    if not any(map(needs_adapters, bodies)) or any(map(_brings_rule, bodies)):
        return
    for found in nfd_values.every(bodies):
        listed_classes = classes(found)
        if listed_classes is not None and hides(listed_classes, _NETWORK):
            yield found.body, Hit(found.at(*_CLASSES), *_adapters_text(listed_classes))


def _brings_rule(body: Body) -> bool:
    """Whether a file installs the Network Operator's NodeFeatureRule, which labels NVIDIA's adapters by itself."""
    if body.kind != "values" or body.chart is None or body.chart.name != "network-operator":
        return False
    return node_at(body.data, ("nfd", "deployNodeFeatureRules")) is not False


def _adapters_text(listed_classes: Sequence[str]) -> tuple[str, str]:
    why = (
        f"deviceClassWhitelist {inline(list(listed_classes))} takes no network adapter (0200, 0207): nodes get no label "
        "pci-15b3.present, which RDMA goes by"
    )
    return why, f"deviceClassWhitelist: {inline(sorted({*listed_classes, '02'}))}"


@rule("GV625", "error", "PCI classes that hide network adapters", across=_hidden_adapters)
def hidden_adapters(case: Case) -> Iterator[Hit]:
    """An override of the white list, on a site that has adapters or asks for GPUDirect RDMA."""
    route: Route = ("overrides", "nodeFeatureDiscovery", *_CLASSES)
    stated = node_at(case.site.overrides, route[1:])
    if not isinstance(stated, list) or not all(isinstance(one, str) for one in stated):
        return
    if "02" in case.plan.device_classes.value and hides(stated, _NETWORK):
        reasons = case.plan.device_classes.why.routes[:1]
        yield Hit(route, *_adapters_text(stated), tuple((one, "why the site needs them") for one in reasons))


def _other_devices(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    listed_classes, fields = (classes(found), found.texts(*_FIELDS)) if found is not None else (None, None)
    if found is None or listed_classes is None or fields is None or set(fields) & {"class", *_HIDING}:
        return
    for entry in listed_classes:
        what = next((what for start, what in _OTHERS.items() if entry.startswith(start)), None)
        if what is not None:
            position = listed_classes.index(entry)
            yield Hit(
                (*found.at(*_CLASSES), position),
                f"class {entry} takes in {what} of NVIDIA's too: with labels by vendor alone, nodes without a usable GPU get "
                "pci-10de.present",
                f"remove {inline(entry)}; a NodeFeatureRule sees these devices without it",
            )


def _spelling(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    said = found.stated(*_CLASSES) if found is not None else None
    for index, entry in enumerate(said[1] if said is not None and isinstance(said[1], list) else ()):
        if said is None or not isinstance(entry, str) or re.fullmatch(r"[0-9A-Fa-f]{1,4}", entry):
            continue  # what becomes of numbers, the contract says
        right = _spelt(entry)
        yield Hit(
            (*said[0], index),
            f"no class of a device begins with {inline(entry)}: classes are four hexadecimal digits, without 0x",
            f'- "{right}"' if re.fullmatch(r"[0-9a-f]{1,4}", right) else '- "0302", or the first digits of a class',
        )


RULES: tuple[Rule, ...] = (
    Rule("GV622", "error", "PCI classes that hide GPUs", _SINCE, files={"values": _hidden_gpus}),
    Rule("GV623", "error", "PCI label fields that hide GPUs", _SINCE, files={"values": _hiding_fields}),
    Rule("GV624", "warning", "PCI label fields that RDMA does not know", _SINCE, files={"values": _with_class}),
    hidden_adapters,
    Rule("GV626", "warning", "PCI classes that take other devices for GPUs", _SINCE, files={"values": _other_devices}),
    Rule("GV627", "error", "PCI class that no device has", _SINCE, files={"values": _spelling}),
)
