"""Rules about the shape of a NodeFeatureRule: fields that there are not, that are missing, or of another type.

Nothing says so on the cluster: the API server drops fields that the CRD does not know (unless it is asked for strict
validation), and a matcher without its expressions holds on every node.
"""

from collections.abc import Iterator, Mapping

from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route
from genvalues.record import NamedTuple
from genvalues.rules import nfd_catalogue
from genvalues.rules.rule import Body, Rule
from genvalues.wording import inline, nearest, quoted, shown

KIND: Kind = "node-feature-rule"

_SINCE = "0.1.0"
_TYPE = "type"  # a field of expressions since NFD 0.18, with the operators Ge, Le and GeLe


class Shape(NamedTuple):
    """Fields by name with their types, and which of them there must be.

    A type is `text`, `texts` (a list), `map` (of texts), `any`, or a shape: "=x" itself, "[x" a list, "{x" a map of it.
    """

    fields: Mapping[str, str]
    required: tuple[str, ...] = ()


# nfd.k8s-sigs.io_nodefeaturerules.yaml of v0.15 to v0.19.
_SHAPES: Mapping[str, Shape] = {
    "object": Shape(
        {"apiVersion": "text", "kind": "text", "metadata": "=metadata", "spec": "=spec", "status": "any"},
        ("metadata", "spec"),
    ),
    "metadata": Shape(
        dict.fromkeys(("name", "generateName", "namespace", "creationTimestamp", "resourceVersion", "uid"), "text")
        | {"labels": "map", "annotations": "map"}
        | dict.fromkeys(("finalizers", "generation", "managedFields", "ownerReferences", "selfLink"), "any")
    ),
    "spec": Shape({"rules": "[rule"}, ("rules",)),
    "rule": Shape(
        dict.fromkeys(("name", "labelsTemplate", "varsTemplate"), "text")
        | dict.fromkeys(("labels", "annotations", "vars", "extendedResources"), "map")
        | {"taints": "[taint", "matchFeatures": "[term", "matchAny": "[branch"},
        ("name",),
    ),
    "branch": Shape({"matchFeatures": "[term"}, ("matchFeatures",)),
    "term": Shape({"feature": "text", "matchExpressions": "{expression", "matchName": "=expression"}, ("feature",)),
    "expression": Shape({"op": "text", "value": "texts", "type": "text"}, ("op",)),
    "taint": Shape(dict.fromkeys(("key", "value", "effect", "timeAdded"), "text"), ("key", "effect")),
}

_SPOKEN = {"object": "the object", "expression": "an expression", "branch": "a matcher of matchAny"}

# What people write, where likeness does not tell what they mean.
_MEANT = {"values": "value", "operator": "op", "matchOn": "matchFeatures", "key": "matchExpressions"}

_EXAMPLES = {
    "name": "name: gpu-nodes",
    "feature": "feature: pci.device",
    "op": "op: In",
    "matchFeatures": "matchFeatures: [{feature: ...}]",
    "key": "key: nvidia.com/gpu",
    "effect": "effect: NoSchedule",
    "rules": "rules: [{name: ..., labels: {...}, matchFeatures: [...]}]",
    "metadata": "metadata: {name: gpu-nodes}",
    "spec": "spec: {rules: [...]}",
}


class _Fault(NamedTuple):
    kind: str  # unknown, missing, mistyped
    hit: Hit


def faults(data: Json, *, typed: bool) -> Iterator[_Fault]:
    """Every fault of the shape, as a hit. `typed`: expressions have the field type."""
    yield from _object((), data, "object", typed=typed)


def _object(route: Route, node: Mapping[str, Json], name: str, *, typed: bool) -> Iterator[_Fault]:
    shape = _SHAPES[name]
    for key, value in node.items():
        kind = shape.fields.get(key)
        if kind is None:
            yield _Fault("unknown", _unknown((*route, key), key, name))
        elif key == _TYPE and not typed:
            message = "the CRD of this NFD has no field type: the API server drops it, and numbers are compared"
            yield _Fault("unknown", Hit((*route, key), message, "NFD 0.18 or newer, or remove type", at="key"))
        elif value is not None:
            yield from _value((*route, key), value, kind, typed=typed)
    for key in shape.required:
        if node.get(key) in (None, ""):
            named = isinstance(node.get("name"), str) and node["name"]
            given = f"{name} {quoted(node['name'])}" if named else "this " + _SPOKEN.get(name, name).split(" ", 1)[-1]
            yield _Fault("missing", Hit(route, f"{given} has no {key}", _EXAMPLES[key]))
    if name == "metadata" and not (node.get("name") or node.get("generateName")):
        yield _Fault("missing", Hit(route, "the object has no name", "name: gpu-nodes"))


def _value(route: Route, value: Json, kind: str, *, typed: bool) -> Iterator[_Fault]:
    mark, below = kind[0], kind[1:]
    if mark == "=" or kind == "map":
        if not isinstance(value, Mapping):
            yield _mistyped(route, value, "a map")
        elif mark == "=":
            yield from _object(route, value, below, typed=typed)
        else:
            yield from (
                _mistyped((*route, key), one, "a text") for key, one in value.items() if not isinstance(one, str)
            )
    elif mark == "[" or kind == "texts":
        if not isinstance(value, list):
            yield _mistyped(route, value, "a list", None if isinstance(value, Mapping) else f"[{inline(value)}]")
        for index, item in enumerate(value if isinstance(value, list) else ()):
            if mark != "[":
                yield from (() if isinstance(item, str) else (_mistyped((*route, index), item, "a text"),))
            elif isinstance(item, Mapping):
                yield from _object((*route, index), item, below, typed=typed)
            else:
                yield _mistyped((*route, index), item, f"{_SPOKEN.get(below, f'a {below}')}, which is a map,")
    elif mark == "{":
        yield from _each(route, value, below, typed=typed)
    elif kind == "text" and not isinstance(value, str):
        yield _mistyped(route, value, "a text")


def _each(route: Route, value: Json, name: str, *, typed: bool) -> Iterator[_Fault]:
    """A map of shapes: the expressions of a term by their attributes."""
    if not isinstance(value, Mapping):
        yield _mistyped(route, value, "a map")
        return
    for key, one in value.items():
        if isinstance(one, Mapping):
            yield from _object((*route, key), one, name, typed=typed)
        elif isinstance(one, list):
            # The short form of the worker's own custom rules.
            yield _mistyped((*route, key), one, "a map", f"{{op: In, value: {inline(one)}}}")
        else:
            yield _mistyped((*route, key), one, "a map", f"{{op: In, value: [{quoted(str(one))}]}}")


def _unknown(route: Route, key: str, name: str) -> Hit:
    fields = _SHAPES[name].fields
    meant = _MEANT.get(key)
    right = meant if meant in fields else nearest(key, fields)
    what = _SPOKEN.get(name, f"a {name}")
    return Hit(
        route,
        f"{what} has no field {key}: the API server drops it"
        + (", and without it the matcher holds on every node" if right == "matchExpressions" else ""),
        f"{right}: ..." if right else f"remove {key}",
        at="key",
    )


def _mistyped(route: Route, value: Json, wanted: str, fix: str | None = None) -> _Fault:
    if wanted == "a text":
        text = quoted(str(value).lower() if isinstance(value, bool) else str(value))
        is_id = "value" in route and isinstance(value, (int, float))
        fix = f'{text}, in quotes and in full, such as "0302"' if is_id else f"{text}, in quotes"
    label = f"{route[-1]}: " if isinstance(route[-1], str) else "- "
    return _Fault(
        "mistyped",
        Hit(
            route,
            f"{shown(value)} stands where {wanted} is wanted: the API server refuses the object",
            f"{label}{fix}" if fix else f"{label}{'[...]' if wanted == 'a list' else '{...}'}",
        ),
    )


def _of_kind(kind: str, body: Body, facts: Facts) -> Iterator[Hit]:
    if not isinstance(body.data, Mapping):
        return
    ops = facts.nfd_ops(nfd_catalogue.version(body.chart))
    typed = not ops or any(op.typed for op in ops.values())
    yield from (fault.hit for fault in faults(body.data, typed=typed) if fault.kind == kind)


def _unknown_fields(body: Body, facts: Facts) -> Iterator[Hit]:
    yield from _of_kind("unknown", body, facts)


def _missing_fields(body: Body, facts: Facts) -> Iterator[Hit]:
    yield from _of_kind("missing", body, facts)


def _types(body: Body, facts: Facts) -> Iterator[Hit]:
    yield from _of_kind("mistyped", body, facts)


RULES: tuple[Rule, ...] = (
    Rule("GV640", "error", "Field that a NodeFeatureRule does not have", _SINCE, files={KIND: _unknown_fields}),
    Rule("GV641", "error", "Field that a NodeFeatureRule lacks", _SINCE, files={KIND: _missing_fields}),
    Rule("GV642", "error", "Value of the wrong type in a NodeFeatureRule", _SINCE, files={KIND: _types}),
)
