"""Rules about what a NodeFeatureRule matches: operators and their values, features, attributes, PCI ids.

A fault in one expression makes nfd-master skip that rule, and only on nodes that have the attribute; a name that does not
exist never matches. Neither is seen anywhere but in its log.
"""

import re
from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import NfdOp
from genvalues.finding import Hit
from genvalues.rules import nfd_catalogue
from genvalues.rules.node_feature import expressions, terms
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Rule
from genvalues.wording import inline, listed, nearest, quoted

_SINCE = "0.1.0"

_INTEGER = r"[+-]?[0-9]{1,18}"  # what strconv.Atoi takes, but for numbers beyond 64 bits
_VERSION = r"(?s)v?[0-9]+(?:\.[0-9]+){0,2}.*"
_PLAIN = r"\^?[A-Za-z0-9_-]*\$?"

# Attributes whose values are no integers, and what holds the numbers.
_TEXTS = {
    ("kernel.version", "full"): "major and minor",
    ("system.osrelease", "ID"): "VERSION_ID",
    ("system.osrelease", "VERSION_ID"): "VERSION_ID.major and VERSION_ID.minor",
    ("system.name", "nodename"): "op: InRegexp",
    ("pci.device", "vendor"): "op: In",
    ("pci.device", "device"): "op: In",
    ("pci.device", "class"): "op: In",
}

# The one attribute among the flags of cpu.cpuid (NFD 0.16, source/cpu).
_VALUED_FLAGS = {("cpu.cpuid", "AVX10_VERSION")}

_WHOLE_PCI = ("class", "vendor", "device", "subsystem_vendor", "subsystem_device")
_IDS = {
    "pci.device": dict.fromkeys(_WHOLE_PCI, 4),
    "usb.device": {"class": 2, "vendor": 4, "device": 4},
}


def _known_ops(body: Body, facts: Facts) -> dict[str, NfdOp]:
    return dict(facts.nfd_ops(nfd_catalogue.version(body.chart)))


def _operators(body: Body, facts: Facts) -> Iterator[Hit]:
    known = _known_ops(body, facts)
    newest = facts.nfd_ops(nfd_catalogue.version(None))
    for _, expression in expressions(body.data):
        op = expression.op
        if not known or op in known or op == "":
            continue
        if op in newest:
            said, fix = (
                f"op {op} came with NFD 0.18: the CRD of this one refuses it",
                "op: Gt, Lt or GtLt, by one more or less",
            )
        else:
            close = _MEANT_OPS.get(op) or nearest(op, known)
            said = f"there is no op {op}: the API server refuses the object"
            fix = f"op: {close}" if close else f"op: {listed(known)}"
        yield Hit((*expression.route, "op"), said, fix)


_MEANT_OPS = {"Eq": "In", "Equals": "In", "==": "In", "NotEq": "NotIn", "Regex": "InRegexp", "Matches": "InRegexp"}


def operand_fault(op: NfdOp, values: tuple[str, ...], kind: str | None) -> tuple[str, str] | None:
    """What is wrong with the values of an operator, and what to write; `kind` is the expression's `type`.

    Source: node-feature-discovery pkg/apis/nfd/nodefeaturerule/expression.go.
    """
    count, least = len(values), op.least
    if count < least or (op.most is not None and count > op.most):
        if op.most == 0:
            return f"{op.name} takes no value, and has {inline(list(values))}", "remove value"
        due = "one value or more" if op.most is None else "one value" if least == 1 else "two values"
        example = {"string": '["10de"]', "regexp": '["^gn-"]', None: "[]"}.get(op.values) or str(["4", "6"][:least])
        return f"{op.name} takes {due}, and has {count or 'none'}", f"value: {example}".replace("'", '"')
    if kind is not None and not op.typed:
        return f"type {kind} does nothing with {op.name}, which compares texts", "remove type"
    if kind is not None and kind != "version":
        return f"type {quoted(kind)} is unknown", "type: version"
    if op.values == "integer":
        return _number_fault(op, values, kind)
    return None


def _number_fault(op: NfdOp, values: tuple[str, ...], kind: str | None) -> tuple[str, str] | None:
    form = _VERSION if kind else _INTEGER
    wrong = next((value for value in values if re.fullmatch(form, value) is None), None)
    if wrong is not None:
        wanted = "a version" if kind else "an integer"
        return f"{op.name} compares numbers, and {quoted(wrong)} is not {wanted}", 'value: ["5"]'
    if op.increasing and not kind and int(values[0]) >= int(values[1]):
        low, high = sorted(values, key=int)
        fix = f'value: ["{low}", "{high}"]' if low != high else "op: In"
        return f"the first value of {op.name} is not smaller than the second: {values[0]} and {values[1]}", fix
    return None


def _operands(body: Body, facts: Facts) -> Iterator[Hit]:
    known = _known_ops(body, facts)
    for term, expression in expressions(body.data):
        op, kind = known.get(expression.op), expression.data.get("type")
        if op is None or expression.values is None or (kind is not None and not isinstance(kind, str)):
            continue
        if expression.values == () and "value" not in expression.data and "values" in expression.data:
            continue  # the misspelt field is the fault
        typed = bool(op.typed or any(one.typed for one in known.values()))
        wrong = operand_fault(op, expression.values, kind if typed else None)
        if wrong is not None:
            place = "type" if wrong[1].startswith(("type", "remove type")) else "value"
            yield Hit((*expression.route, place) if place in expression.data else expression.route, *wrong)
        elif op.values == "integer" and kind is None and (term.feature.lower(), expression.attribute or "") in _TEXTS:
            better = _TEXTS[term.feature.lower(), expression.attribute or ""]
            fix = "type: version, or " if typed and "op:" not in better else ""
            yield Hit(
                (*expression.route, "op"),
                f"{op.name} compares integers, and {expression.attribute} of {term.feature} is none: the rule fails on "
                "every node",
                f"{fix}{better}",
            )


def pattern_fault(pattern: str) -> str | None:
    """Why RE2, which NFD compiles patterns with, refuses one; None where it does not."""
    if re.fullmatch(_PLAIN, pattern):
        return None
    from genvalues.re2 import RefusedError, parse  # noqa: PLC0415  16 ms, and most patterns are plain

    try:
        parse(pattern)
    except RefusedError as error:
        return str(error)
    return None


def _patterns(body: Body, _: Facts) -> Iterator[Hit]:
    for _term, expression in expressions(body.data):
        for index, pattern in enumerate(expression.values or ()) if expression.op == "InRegexp" else ():
            why = pattern_fault(pattern)
            if why is not None:
                yield Hit(
                    (*expression.route, "value", index),
                    f"{quoted(pattern)} is no regular expression of RE2, which NFD compiles it with: {why}",
                    '- "^gn-", in the syntax of https://github.com/google/re2/wiki/Syntax',
                )


def _features(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    for term in terms(body.data):
        wrong = nfd_catalogue.feature_fault(term.feature, known, facts)
        if wrong is not None:
            yield Hit((*term.route, "feature"), *wrong)


def _attributes(body: Body, facts: Facts) -> Iterator[Hit]:
    known = nfd_catalogue.features(body.chart, facts)
    for term, expression in expressions(body.data):
        feature = known.get(term.feature.lower())
        if feature is None or expression.attribute is None:
            continue
        wrong = nfd_catalogue.attribute_fault(feature, expression.attribute, facts)
        if wrong is not None:
            yield Hit(expression.route, wrong[0], f"{wrong[1]}: {{op: {expression.op}, ...}}", at="key")


def _flags(body: Body, facts: Facts) -> Iterator[Hit]:
    known, ops = nfd_catalogue.features(body.chart, facts), _known_ops(body, facts)
    for term, expression in expressions(body.data):
        feature = known.get(term.feature.lower())
        if feature is None or feature.type != "flag" or expression.attribute is None:
            continue
        valued = (feature.name, expression.attribute) in _VALUED_FLAGS
        if expression.op not in ("Exists", "DoesNotExist") and not valued and expression.op in ops:
            negative = expression.op in ("NotIn", "IsFalse")
            yield Hit(
                (*expression.route, "op"),
                f"{expression.attribute} of {feature.name} is a flag, which is there or not and has no value: "
                f"{expression.op} never holds",
                "op: DoesNotExist, without value" if negative else "op: Exists, without value",
            )


def id_fault(value: str, digits: int) -> str | None:
    """The right spelling of a PCI or USB id that never matches as it is; None where it may match.

    NFD compares texts, and reads ids from sysfs: lower case, without 0x, all digits.
    """
    if re.fullmatch(rf"[0-9a-f]{{{digits}}}", value):
        return None
    bare = value.strip().lower().removeprefix("0x")
    return bare.zfill(digits) if re.fullmatch(rf"[0-9a-f]{{1,{digits}}}", bare) else "0" * digits


def _ids(body: Body, _: Facts) -> Iterator[Hit]:
    for term, expression in expressions(body.data):
        digits = _IDS.get(term.feature.lower(), {}).get(expression.attribute or "")
        if digits is None or expression.op not in ("In", "NotIn"):
            continue
        for index, value in enumerate(expression.values or ()):
            right = id_fault(value, digits)
            if right is None:
                continue
            group = digits == 4 and expression.attribute == "class" and re.fullmatch(r"[0-9a-f]{2}", value)
            fix = f'{{op: InRegexp, value: ["^{value}"]}}' if group else f'- "{right}"'
            yield Hit(
                (*expression.route, "value", index),
                f"{quoted(value)} equals no {expression.attribute} of a device: ids are texts of {digits} digits, "
                "hexadecimal in lower case, without 0x",
                fix if right != "0" * digits else f'- "10de", with {digits} digits',
            )


RULES: tuple[Rule, ...] = (
    Rule("GV643", "error", "Operator that NodeFeatureRules do not have", _SINCE, files={KIND: _operators}),
    Rule("GV644", "error", "Values that the operator cannot take", _SINCE, files={KIND: _operands}),
    Rule("GV645", "error", "Regular expression that RE2 refuses", _SINCE, files={KIND: _patterns}),
    Rule("GV646", "error", "Feature that NFD does not discover", _SINCE, files={KIND: _features}),
    Rule("GV647", "error", "Attribute that the feature does not have", _SINCE, files={KIND: _attributes}),
    Rule("GV648", "error", "Value asked of a flag", _SINCE, files={KIND: _flags}),
    Rule("GV649", "error", "Device id that never matches", _SINCE, files={KIND: _ids}),
)
