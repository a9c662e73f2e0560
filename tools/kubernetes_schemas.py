"""Derive a folder of `schemas/kubernetes/` from what a project publishes: CRD files, or Kubernetes' OpenAPI document.

    python tools/kubernetes_schemas.py gpu-operator-v25.10.1 CHARTS/gpu-operator/v25.10.1/crds
    python tools/kubernetes_schemas.py --check kubernetes-1.34 DOCUMENT_FOLDER

SOURCES.json, in the same folder, says where each folder's sources come from and which kinds are wanted. What is kept is
structure: types, required and closed objects, enumerations, patterns, bounds; no prose, no defaults. What a JSON Schema
cannot say (CEL rules, unique keys of list items, immutability) is lost.

How the API server treats `null`: it drops it from an optional property, so it is allowed there and nowhere else, unless
the CRD says `nullable`. In a map of free keys we refuse it too: it is a value that somebody forgot.

One program, though long: the two kinds of sources share its second half.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

Schema = dict[str, Any]

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = os.path.join(ROOT, "schemas", "kubernetes")
CHECKS = os.path.join(ROOT, "tools", "kubernetes_checks.json")

DIALECT = "http://json-schema.org/draft-07/schema#"
KEPT = (
    *("type", "enum", "pattern", "required", "multipleOf", "minLength", "maxLength"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
)

# k8s.io/apimachinery/pkg/api/resource: quantity.go, and pkg/util/validation: validation.go
QUANTITY = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"
_NAME63 = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
KEY_PATTERNS = {
    "labelKey": f"^({_SUBDOMAIN}/)?{_NAME63}$",
    "annotationKey": f"^({_SUBDOMAIN.replace('a-z', 'A-Za-z')}/)?{_NAME63}$",
    "configKey": "^[-._a-zA-Z0-9]{1,253}$",
}
LABEL_VALUE = f"^({_NAME63})?$"
NAMES = {"Namespace": "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", "Service": "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$"}
FREE_NAMES = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")  # colons are allowed there


class Kind(NamedTuple):
    """One served version of one kind."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def file(self) -> str:
        """Kubeconform's name for it: `{{.ResourceKind}}{{.KindSuffix}}.json`."""
        group = self.group.split(".")[0]
        return "-".join(filter(None, (self.kind, group, self.version))).lower() + ".json"


def string_map(keys: str, value: Schema) -> Schema:
    """A map whose keys match one of KEY_PATTERNS."""
    return {"type": ["object", "null"], "patternProperties": {KEY_PATTERNS[keys]: value}, "additionalProperties": False}


def object_meta(kind: str | None) -> Schema:
    """ObjectMeta of a document of `kind`, which must have a name, or of a template (None)."""
    text: Schema = {"type": ["string", "null"]}
    name: Schema = {"type": "string", "maxLength": 253, "pattern": NAMES.get(kind or "", f"^{_SUBDOMAIN}$")}
    if kind in FREE_NAMES:
        name = {"type": "string", "minLength": 1}
    owner: Schema = {"type": "object", "required": ["apiVersion", "kind", "name", "uid"]}
    server = ("creationTimestamp", "deletionTimestamp", "resourceVersion", "selfLink", "uid")
    meta: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": name if kind else {"type": ["string", "null"]},
            "namespace": {"type": ["string", "null"], "pattern": NAMES["Namespace"]},
            "labels": string_map("labelKey", {"type": "string", "pattern": LABEL_VALUE}),
            "annotations": string_map("annotationKey", {"type": "string"}),
            "finalizers": {"type": ["array", "null"], "items": {"type": "string"}},
            "ownerReferences": {"type": ["array", "null"], "items": owner},
            "generateName": text,
            "generation": {"type": ["integer", "null"]},
            "deletionGracePeriodSeconds": {"type": ["integer", "null"]},
            "managedFields": {"type": ["array", "null"]},
            **dict.fromkeys(server, text),
        },
    }
    return meta | ({"required": ["name"]} if kind else {})


def nullable(schema: Schema) -> Schema:
    """The same schema, null allowed."""
    if "type" not in schema:
        return schema
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    extra = {"enum": [*schema["enum"], None]} if None not in schema.get("enum", [None]) else {}
    return schema | {"type": [*types, *({"null"} - set(types))]} | extra


def bounds(schema: Mapping[str, Any]) -> Schema:
    """Bounds as draft 7 spells them, and the range of an int32."""
    out: Schema = {}
    if schema.get("format") == "int32":
        out |= {"minimum": -(2**31), "maximum": 2**31 - 1}
    out |= {key: schema[key] for key in ("minimum", "maximum") if key in schema}
    for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if schema.get(key) is True:
            out[key] = out.pop(bound)
    return out


# ---- CRDs


def structural(schema: Mapping[str, Any], *, closed: bool = True) -> Schema:
    """A CRD's schema node as JSON Schema. `closed` is off below anyOf, oneOf, allOf and not, which only add conditions."""
    if schema.get("x-kubernetes-int-or-string"):
        kept = {key: schema[key] for key in ("pattern", "maxLength", "minLength", "enum") if key in schema}
        return _null({"type": ["integer", "string"]} | kept, schema)
    out: Schema = {key: schema[key] for key in KEPT if key in schema} | bounds(schema)
    if schema.get("x-kubernetes-list-type") == "set":
        out["uniqueItems"] = True
    required = [key for key in schema.get("required", []) if "default" not in schema.get("properties", {}).get(key, {})]
    out |= {"required": required}  # the API server fills in defaults before it looks for what is missing
    if not required:
        del out["required"]
    if "properties" in schema:
        out["properties"] = {
            key: structural(value, closed=closed) if key in required else nullable(structural(value, closed=closed))
            for key, value in schema["properties"].items()
        }
    if isinstance(schema.get("items"), dict):
        out["items"] = structural(schema["items"], closed=closed)
    for key in ("allOf", "anyOf", "oneOf"):
        if key in schema:
            out[key] = [structural(part, closed=False) for part in schema[key]]
    if "not" in schema:
        out["not"] = structural(schema["not"], closed=False)
    if schema.get("x-kubernetes-embedded-resource"):
        out["required"] = sorted({*out.get("required", []), "apiVersion", "kind"})
    if "additionalProperties" in schema:
        free = schema["additionalProperties"]
        out["additionalProperties"] = structural(free) if isinstance(free, dict) else free
    elif closed and schema.get("type") == "object" and not schema.get("x-kubernetes-preserve-unknown-fields"):
        out["additionalProperties"] = False
    return _null(out, schema)


def custom_resources(folder: str) -> Iterator[tuple[Kind, Schema]]:
    """Every served version of every CRD in the YAML files below `folder`."""
    for path in sorted(_files(folder, (".yaml", ".yml"))):
        with open(path, encoding="utf-8") as file:
            documents = [d for d in yaml.load_all(file, yaml.CSafeLoader) if isinstance(d, dict)]
        for document in documents:
            if document.get("kind") != "CustomResourceDefinition":
                continue
            spec = document["spec"]
            for version in spec["versions"]:
                if version["served"]:
                    kind = Kind(spec["group"], version["name"], spec["names"]["kind"])
                    yield kind, structural(version["schema"]["openAPIV3Schema"])


def _null(out: Schema, schema: Mapping[str, Any]) -> Schema:
    return nullable(out) if schema.get("nullable") else out


def _files(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    for base, _, names in os.walk(folder):
        yield from (os.path.join(base, name) for name in names if name.endswith(endings))


# ---- Kubernetes' own kinds


class OpenApi:
    """Turns definitions of Kubernetes' OpenAPI document into definitions of ours, on demand.

    A definition that is used both as a required and as an optional property exists twice, with and without null.
    """

    def __init__(self, document: Mapping[str, Any], checks: Mapping[str, Mapping[str, Any]]) -> None:
        self.types: Mapping[str, Any] = document.get("definitions") or document["$defs"]
        self.definitions: dict[str, Schema] = {}
        self._checks = checks

    def kinds(self, wanted: frozenset[tuple[str, str]]) -> Iterator[tuple[Kind, Schema]]:
        """Every version of the wanted (group, kind) pairs."""
        for name, node in self.types.items():
            gvks = node.get("x-kubernetes-group-version-kind", [])
            if len(gvks) == 1 and (gvks[0]["group"], gvks[0]["kind"]) in wanted:
                kind = Kind(gvks[0]["group"], gvks[0]["version"], gvks[0]["kind"])
                yield kind, self._type(name)

    def _type(self, name: str) -> Schema:
        node = self.types[name]
        if "properties" not in node:
            return {"type": t} if (t := _plain_type(node)) else {}
        required = node.get("required", [])
        properties = {}
        for key, value in node["properties"].items():
            check = self._checks.get(f"{name.rsplit('.', 1)[1]}.{key}", {})
            properties[key] = self._property(value, check, optional=key not in required)
        out: Schema = {"type": "object", "additionalProperties": False, "properties": properties}
        return out | ({"required": sorted(required)} if required else {})

    def _property(self, node: Mapping[str, Any], check: Mapping[str, Any], *, optional: bool) -> Schema:
        if "$ref" in node:
            return self._reference(node["$ref"].rsplit("/", 1)[1], optional=optional)
        out: Schema = ({"type": t} if (t := _plain_type(node)) else {}) | bounds(node)
        if node.get("x-kubernetes-list-type") == "set":
            out["uniqueItems"] = True
        if isinstance(node.get("items"), dict):
            out["items"] = self._property(node["items"], check.get("items", {}), optional=False)
        if isinstance(node.get("additionalProperties"), dict):
            value = self._property(node["additionalProperties"], {}, optional=False)
            value |= {"pattern": LABEL_VALUE} if check.get("values") == "labelValue" else {}
            out |= string_map(check["keys"], value) if "keys" in check else {"additionalProperties": value}
            out["type"] = "object"
        out |= {key: check[key] for key in check if key not in ("items", "keys", "values")}
        return nullable(out) if optional else out

    def _reference(self, name: str, *, optional: bool) -> Schema:
        short = name.rsplit(".", 1)[1]
        special: dict[str, Schema] = {
            "Quantity": {"type": ["number", "string"], "pattern": QUANTITY},
            "IntOrString": {"type": ["integer", "string"]},
            "ObjectMeta": object_meta(None),
        }
        if short in special:
            return nullable(special[short]) if optional else special[short]
        key = ".".join(name.split(".")[-2:]) + ("-or-null" if optional else "")
        if key not in self.definitions:
            self.definitions[key] = {}  # holds the place: JSONSchemaProps and its like refer to themselves
            made = self._type(name)
            self.definitions[key] = nullable(made) if optional else made
        return {"$ref": f"_definitions.json#/definitions/{key}"}


def _plain_type(node: Mapping[str, Any]) -> str | None:
    types = node.get("type")
    names = [t for t in (types if isinstance(types, list) else [types]) if t not in (None, "null")]
    return names[0] if names else None


# ---- folders


def finish(kind: Kind, schema: Schema) -> Schema:
    """A whole document: apiVersion, kind and metadata fixed, no status."""
    properties = schema["properties"] | {
        "apiVersion": {"enum": [kind.api_version]},
        "kind": {"enum": [kind.kind]},
        "metadata": object_meta(kind.kind),
    }
    if "status" in properties:
        properties["status"] = {"type": ["object", "null"]}
    required = sorted({*schema.get("required", []), "apiVersion", "kind", "metadata"} - {"status"})
    return schema | {"$schema": DIALECT, "properties": properties, "required": required}


def derive(folder: str, source: str, entry: Mapping[str, Any]) -> dict[str, str]:
    """The files of one folder, name to text, from the sources below `source`."""
    document = os.path.join(source, "_definitions.json")
    made: dict[str, Schema] = {}
    wanted = frozenset(tuple(pair.rpartition("/")[::2]) for pair in entry["kinds"])
    if os.path.isfile(document):
        with open(document, encoding="utf-8") as file, open(CHECKS, encoding="utf-8") as checks:
            api = OpenApi(json.load(file), json.load(checks)["properties"])
        made = {kind.file: finish(kind, schema) for kind, schema in api.kinds(wanted)}
        made["_definitions.json"] = {"$schema": DIALECT, "definitions": api.definitions}
    else:
        made = {k.file: finish(k, s) for k, s in custom_resources(source) if (k.group, k.kind) in wanted}
    missing = {kind.lower() for _, kind in wanted} - {name.split("-")[0] for name in made}
    if missing:
        raise SystemExit(f"{folder}: {source} has no {', '.join(sorted(missing))}")
    return {name: json.dumps(made[name], sort_keys=True, separators=(",", ":")) + "\n" for name in sorted(made)}


def read_folder(folder: str) -> dict[str, str]:
    """The files of one folder as they are on disk."""
    base = os.path.join(FOLDERS, folder)
    found = {}
    for name in sorted(os.listdir(base)) if os.path.isdir(base) else []:
        with open(os.path.join(base, name), encoding="utf-8") as file:
            found[name] = file.read()
    return found


def sources() -> dict[str, Any]:
    """The entries of SOURCES.json by folder."""
    with open(os.path.join(FOLDERS, "SOURCES.json"), encoding="utf-8") as file:
        folders: dict[str, Any] = json.load(file)["folders"]
    return folders


def main() -> int:
    """Write one folder, or compare it."""
    parser = argparse.ArgumentParser(description="Derive a folder of schemas/kubernetes/ from its sources")
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    parser.add_argument("folder", help="a folder that SOURCES.json lists")
    parser.add_argument(
        "source", help="the folder with the CRD files, or with _definitions.json of the OpenAPI document"
    )
    arguments = parser.parse_args()
    made = derive(arguments.folder, arguments.source, sources()[arguments.folder])
    old = read_folder(arguments.folder)
    if arguments.check:
        changed = sorted(name for name in {*made, *old} if made.get(name) != old.get(name))
        print("\n".join(changed) or f"{arguments.folder}: as derived")
        return 1 if changed else 0
    os.makedirs(os.path.join(FOLDERS, arguments.folder), exist_ok=True)
    for name in old.keys() - made.keys():
        os.remove(os.path.join(FOLDERS, arguments.folder, name))
    for name, text in made.items():
        with open(os.path.join(FOLDERS, arguments.folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    print(f"{arguments.folder}: {len(made)} files, {sum(map(len, made.values()))} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
