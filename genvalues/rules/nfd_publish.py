"""Whether nfd-master publishes a label: the steps of its filter, in their order, as a judgement.

Source: node-feature-discovery pkg/nfd-master (filterFeatureLabel, isNamespaceDenied) and pkg/apis/nfd/validate (Label),
the same code from v0.15 to v0.19; held against upstream's verdicts in tests/vectors/nfd-labels.json.
"""

from collections.abc import Mapping
from typing import Literal

from genvalues.facts import Facts
from genvalues.facts.kinds import NfdFeature
from genvalues.plan.labels import is_closed
from genvalues.record import NamedTuple
from genvalues.rules import nfd_catalogue
from genvalues.rules.label_form import key_fault, split, value_fault

OWN = "feature.node.kubernetes.io"
"""The namespace that NFD puts before a key that has none."""

Cause = Literal["reference", "key", "unprefixed", "closed", "denied", "value", "white-list", "disabled"]


class Master(NamedTuple):
    """What nfd-master's configuration says about labels, flags and file together.

    `prefixes`: whether a key without a namespace gets NFD's own; False, and `bare`: it is published as it is.
    """

    extra: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    white_list: str | None = None
    disabled: bool = False
    prefixes: bool = True
    bare: bool = False


class Published(NamedTuple):
    """What becomes of a label. "refused": NFD does not look, and the API server then refuses all labels of the node."""

    verdict: Literal["published", "dropped", "refused"]
    cause: Cause | None = None
    why: str = ""


PUBLISHED = Published("published")


def published(key: str, value: str | None, master: Master, known: Mapping[str, NfdFeature], facts: Facts) -> Published:
    """What becomes of a label of a NodeFeatureRule; `value` None: it is not known, and taken to be in order."""
    if value is not None and value.startswith("@"):
        fault = nfd_catalogue.reference_fault(value, known, facts)
        if fault is not None:
            return Published("dropped", "reference", fault[0])
        value = None
    if "/" not in key and master.prefixes:
        key = f"{OWN}/{key}"
    if (wrong := key_fault(key)) is not None:
        return Published("dropped", "key", wrong)
    namespace, name = split(key)
    if not namespace and not master.bare:
        return Published("dropped", "unprefixed", "keys without a namespace are not allowed")
    found = _by_namespace(namespace, value, master)
    if found.verdict != "published":
        return found
    if master.white_list is not None and passes(master.white_list, name) is False:
        return Published("dropped", "white-list", f"labelWhiteList {master.white_list} is not found in {name}")
    return Published("dropped", "disabled", "restrictions.disableLabels") if master.disabled else PUBLISHED


def _by_namespace(namespace: str, value: str | None, master: Master) -> Published:
    """The verdict on namespace and value. In a namespace that was opened by name, NFD leaves the value unchecked."""
    closed, denied = is_closed(namespace), is_denied(namespace, master.denied)
    wrong = value_fault(value) if value is not None else None
    if closed or denied:
        if namespace not in master.extra:
            return Published("dropped", "closed" if closed else "denied", f"namespace {namespace} is not allowed")
        return PUBLISHED if wrong is None else Published("refused", "value", wrong)
    return PUBLISHED if wrong is None else Published("dropped", "value", wrong)


def is_denied(namespace: str, denied: tuple[str, ...]) -> bool:
    """Whether denyLabelNs names a namespace: as it is, or by its end behind a `*`."""
    return any(namespace.endswith(entry[1:]) if entry.startswith("*") else namespace == entry for entry in denied)


def passes(pattern: str, name: str) -> bool | None:
    """Whether a labelWhiteList lets a label's name through; None: not known (a pattern that RE2 refuses among others)."""
    if pattern == "":
        return True
    from genvalues.name_pattern import matches  # noqa: PLC0415  16 ms, and hardly a site has a white list
    from genvalues.re2 import NAME_CHARACTERS, RefusedError  # noqa: PLC0415

    if not set(name) <= set(NAME_CHARACTERS):
        return None
    try:
        return matches(pattern, name)
    except RefusedError:
        return None
