"""Fields of the kinds that a chart makes: from the chart's CRDs, from its values.schema.json, and for core kinds by hand.

A *field* is a small dict: type, and where given enum, pattern, minimum, maximum, default, required. Field paths are
written as values paths are: "spec.driver.env[].name", "metadata.labels.*".
"""

import glob
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import yaml

Field = dict[str, Any]


class Kind(NamedTuple):
    """One kind of a CRD: group, version that is stored, and its fields."""

    group: str
    version: str
    fields: Mapping[str, Field]


def kinds(chart: str, without: Iterable[str] = ()) -> dict[str, Kind]:
    """The kinds whose CRDs a chart and its subcharts bring, by name; `without` are folders of charts/ to leave out."""
    found: dict[str, Kind] = {}
    pattern = os.path.join(glob.escape(chart), "**", "crds", "*.yaml")
    outside = tuple(os.path.join(chart, "charts", name, "") for name in without)
    for file in sorted(glob.glob(pattern, recursive=True)):
        if file.startswith(outside):
            continue
        with open(file, encoding="utf-8") as stream:
            for document in yaml.load_all(stream, yaml.CSafeLoader):
                if document and document.get("kind") == "CustomResourceDefinition":
                    spec = document["spec"]
                    version = next(one for one in spec["versions"] if one["storage"])
                    fields = dict(flatten(version["schema"]["openAPIV3Schema"]))
                    found[spec["names"]["kind"]] = Kind(spec["group"], version["name"], fields)
    return found


def flatten(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Field]]:
    """Every field below an OpenAPI schema, with its path."""
    required = set(schema.get("required", ()))
    for name, below in schema.get("properties", {}).items():
        key = name.replace(".", "\\.")
        yield from _node(below, f"{path}.{key}" if path else key, name in required)
    if isinstance(below := schema.get("additionalProperties"), Mapping):
        yield from _node(below, f"{path}.*", required=False)
    if isinstance(below := schema.get("items"), Mapping):
        yield from _node(below, f"{path}[]", required=False)


def _node(schema: Mapping[str, Any], path: str, required: bool) -> Iterator[tuple[str, Field]]:
    field: Field = {"type": _type(schema)}
    for key in ("enum", "pattern", "minimum", "maximum", "default"):
        if key in schema:
            field[key] = schema[key]
    if required:
        field["required"] = True
    if schema.get("nullable"):
        field["nullable"] = True
    yield path, field
    yield from flatten(schema, path)


def _type(schema: Mapping[str, Any]) -> str:
    if schema.get("x-kubernetes-int-or-string"):
        return "int-or-string"
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return "any"
    free = not any(key in schema for key in ("properties", "additionalProperties"))
    kind = str(schema.get("type", "any"))
    return "any" if kind == "object" and free else kind


def below(fields: Mapping[str, Field], path: str) -> dict[str, Field]:
    """The fields below one path, with what follows it as their paths."""
    return {name[len(path) :].removeprefix("."): field for name, field in fields.items() if _under(name, path)}


def _under(name: str, path: str) -> bool:
    return name.startswith(path) and name[len(path) :][:1] in {".", "["}


_QUANTITY = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
_STRING: Field = {"type": "string"}
_STRINGS: dict[str, Field] = {"*": _STRING}
_TOLERATION: dict[str, Field] = {
    "[]": {"type": "object"},
    "[].key": _STRING,
    "[].operator": {"type": "string", "enum": ["Equal", "Exists", "Lt", "Gt"]},
    "[].value": _STRING,
    "[].effect": {"type": "string", "enum": ["NoSchedule", "PreferNoSchedule", "NoExecute", ""]},
    "[].tolerationSeconds": {"type": "integer"},
}
_RESOURCES: dict[str, Field] = {
    "claims": {"type": "array"},
    "claims[]": {"type": "object"},
    "claims[].name": {"type": "string", "required": True},
    "claims[].request": _STRING,
    "limits": {"type": "object"},
    "limits.*": {"type": "quantity", "pattern": _QUANTITY},
    "requests": {"type": "object"},
    "requests.*": {"type": "quantity", "pattern": _QUANTITY},
}
_ENV: dict[str, Field] = {
    "[]": {"type": "object"},
    "[].name": {"type": "string", "required": True},
    "[].value": _STRING,
    "[].valueFrom": {"type": "any"},
}

CORE: Mapping[str, Mapping[str, Field]] = {
    "annotations": _STRINGS,
    "args": {"[]": _STRING},
    "data": _STRINGS,
    "env": _ENV,
    "imagePullSecrets": {"[]": {"type": "object"}, "[].name": _STRING},
    "labels": _STRINGS,
    "nodeSelector": _STRINGS,
    "resources": _RESOURCES,
    "tolerations": _TOLERATION,
}
"""Fields of core kinds by the name of the field above them, as the Kubernetes API reference (core/v1, v1.34) has them.
The parts that values files fill; anything else below a core kind is taken as it comes."""

CORE_TYPES: Mapping[str, str] = {
    "annotations": "object", "args": "array", "data": "object", "env": "array", "imagePullSecrets": "array",
    "labels": "object", "nodeSelector": "object", "resources": "object", "tolerations": "array", "affinity": "object",
    "initContainers": "array", "ingress": "array", "egress": "array", "securityContext": "object",
}  # fmt: skip
"""What a core field is, where a chart's own default does not tell."""


def values_schema(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Field]]:
    """The types and limits that a values.schema.json sets, for paths that it names itself (no $ref followed)."""
    for name, node in schema.get("properties", {}).items():
        key = name.replace(".", "\\.")
        full = f"{path}.{key}" if path else key
        types = node.get("type", "any")
        names = [types] if isinstance(types, str) else [one for one in types if one != "null"]
        field: Field = {"type": names[0] if len(names) == 1 else "any"}
        field |= {key: node[key] for key in ("enum", "minimum", "maximum", "pattern") if key in node}
        items = node.get("items", {})
        if "enum" in items:
            yield f"{full}[]", {"type": items.get("type", "string"), "enum": items["enum"]}
        yield full, field
        yield from values_schema(node, full)
