"""Rules about what a NodeFeatureRule sets besides labels: taints, annotations, extended resources, templates.

Source: node-feature-discovery pkg/apis/nfd/validate (Taint, Annotation, ExtendedResource) and pkg/nfd-master.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts
from genvalues.finding import Hit
from genvalues.rules import nfd_catalogue, nfd_values
from genvalues.rules.label_form import key_fault, split, value_fault
from genvalues.rules.nfd_publish import OWN
from genvalues.rules.node_feature import rules, texts
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.node_feature_template import template_faults
from genvalues.rules.rule import Body, Rule
from genvalues.wording import nearest, quoted

_SINCE = "0.1.0"

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_LONGEST_ANNOTATION = 1024  # bytes (api/nfd/v1alpha1, FeatureAnnotationValueSizeLimit)

# resource.ParseQuantity: a decimal number with a decimal or binary suffix, or an exponent.
_QUANTITY = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+|[KMGTPE]i|[numkMGTPE])?"


def is_refused(namespace: str) -> bool:
    """Whether NFD never sets a taint, annotation or extended resource there; extraLabelNs opens nothing for these."""
    under = namespace == "kubernetes.io" or namespace.endswith(".kubernetes.io")
    return under and namespace != OWN and not namespace.endswith(f".{OWN}")


def taint_fault(key: str, value: str, effect: str) -> tuple[str, str, str] | None:
    """The field of a taint at which NFD or the API server refuses it, why, and what to write; None where neither does."""
    namespace, _ = split(key)
    if (wrong := key_fault(key)) is not None:
        return "key", f"{quoted(key)} is no key of a taint: {wrong}", "key: nvidia.com/gpu"
    if not namespace:
        return "key", f"NFD sets no taint whose key has no namespace, such as {quoted(key)}", f"key: nvidia.com/{key}"
    if is_refused(namespace):
        why = (
            f"NFD never sets taints in namespace {namespace}: under kubernetes.io only {OWN} is open, and extraLabelNs is "
            "for labels alone"
        )
        return "key", why, "key: nvidia.com/gpu"
    if effect not in EFFECTS:
        close = nearest(effect, EFFECTS) or EFFECTS[0]
        return "effect", f"there is no taint effect {effect}: NFD drops the taint", f"effect: {close}"
    if (wrong := value_fault(value)) is not None:
        return "value", f"{quoted(value)} is no value of a taint: {wrong}", "value: present"
    return None


def _taints(body: Body, _: Facts) -> Iterator[Hit]:
    for rule in rules(body.data):
        taints = rule.data.get("taints")
        for index, taint in enumerate(taints if isinstance(taints, list) else ()):
            given = [taint.get(field) for field in ("key", "value", "effect")] if isinstance(taint, Mapping) else []
            key, value, effect = given or (None, None, None)
            if (
                not isinstance(key, str)
                or not isinstance(effect, str)
                or not effect
                or not isinstance(value, str | None)
            ):
                continue
            wrong = taint_fault(key, value or "", effect)
            if wrong is not None:
                field, why, fix = wrong
                yield Hit((*rule.route, "taints", index, field), why, fix)


def _taints_off(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Taints of rules, where no NFD of the set is told to set any."""
    found = list(nfd_values.every(bodies))
    if not found or any(one.get("master", "enableTaints") is True for one in found):
        return
    if any(one.get("master", "config", "enableTaints") is True for one in found):
        return
    for body in bodies:
        for rule in rules(body.data) if body.kind == KIND else ():
            if isinstance(rule.data.get("taints"), list) and rule.data["taints"]:
                why = f"NFD {found[0].version} sets no taints unless it is told to, and these values do not"
                yield body, Hit((*rule.route, "taints"), why, "master: {enableTaints: true} in NFD's values", at="key")


def annotation_fault(key: str, value: str) -> tuple[str, str] | None:
    """Why NFD drops an annotation, and what to write; None where it does not."""
    if (wrong := _name_fault(key, "annotation")) is not None:
        return wrong
    size = len(value.encode())
    if size > _LONGEST_ANNOTATION:
        return f"the value of {key} has {size} bytes, and NFD sets up to {_LONGEST_ANNOTATION}", "a shorter value"
    return None


def resource_fault(key: str, value: str) -> tuple[str, str] | None:
    """Why NFD drops an extended resource, and what to write; None where it does not. References are not looked at."""
    if (wrong := _name_fault(key, "extended resource")) is not None:
        return wrong
    if not value.startswith("@") and re.fullmatch(_QUANTITY, value) is None:
        return f"{quoted(value)} is no quantity of {key}", f'{key}: "8"'
    return None


def _name_fault(key: str, what: str) -> tuple[str, str] | None:
    namespace, name = split(key)
    if (wrong := key_fault(key)) is not None:
        return f"{quoted(key)} is no name of an {what}: {wrong}", f"nvidia.com/{name}: ..."
    if namespace and is_refused(namespace):
        why = f"NFD never sets an {what} in namespace {namespace}: extraLabelNs is for labels alone"
        return why, f"nvidia.com/{name}: ..."
    return None


def _others(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    for rule in rules(body.data):
        for key, value in texts(rule.data.get("annotations")):
            wrong = annotation_fault(key, value)
            if wrong is None and value.startswith("@") and _is_reference(value, known):
                why = f"NFD puts {quoted(value)} into the annotation as it is: references are for labels and resources"
                wrong = why, "a label, or the value itself"
            if wrong is not None:
                yield Hit((*rule.route, "annotations", key), *wrong)
        for key, value in texts(rule.data.get("extendedResources")):
            wrong = resource_fault(key, value)
            if wrong is not None:
                yield Hit((*rule.route, "extendedResources", key), *wrong)


def _is_reference(value: str, known: Mapping[str, object]) -> bool:
    return ".".join(value[1:].split(".")[:2]) in known


def _templates(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    chart = nfd_catalogue.version(body.chart)
    for rule in rules(body.data):
        for field in ("labelsTemplate", "varsTemplate"):
            text = rule.data.get(field)
            if isinstance(text, str) and text:
                for why, fix in template_faults(text, rule, known, chart):
                    yield Hit((*rule.route, field), why, fix, at="key")


RULES: tuple[Rule, ...] = (
    Rule("GV652", "error", "Taint that NFD does not set", _SINCE, files={KIND: _taints}),
    Rule("GV653", "error", "Taints that NFD is not told to set", _SINCE, across=_taints_off),
    Rule("GV654", "error", "Annotation or extended resource that NFD drops", _SINCE, files={KIND: _others}),
    Rule("GV655", "error", "Template that does not expand", _SINCE, files={KIND: _templates}),
)
