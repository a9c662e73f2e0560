"""The tool that makes contracts, on a chart small enough to be read here. What is expected follows from the templates."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

TOOLS = str(Path(__file__).parents[2] / "tools")
FILES = {
    "Chart.yaml": "apiVersion: v2\nname: small\nversion: 1.2.3\n",
    "values.yaml": (
        "name: x\nenabled: true\nreplicas: 1\nenv: []\nlabels: {}\nsecrets: []\ndead: 1\ngates: {A: true}\n"
        "one: {deep: {leaf: a}, switch: false}\n"
    ),
    "crds/things.yaml": (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n"
        "  names: {kind: Thing}\n  versions:\n  - name: v1\n    storage: true\n    schema:\n      openAPIV3Schema:\n"
        "        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n"
        "              mode: {type: string, enum: [a, b], default: a}\n              count: {type: integer, minimum: 1}\n"
        "              env:\n                type: array\n                items:\n                  type: object\n"
        "                  required: [name]\n                  properties: {name: {type: string}, value: {type: string}}\n"
    ),
    "templates/_parts.tpl": (
        '{{- define "small.labels" -}}\napp: {{ .Values.name }}\n{{- with .Values.labels }}\n{{ toYaml . }}\n{{- end }}\n{{- end -}}\n'
        '{{- define "small.unused" -}}{{ .Values.dead }}{{- end -}}\n'
    ),
    "templates/thing.yaml": (
        "{{- if .Values.enabled }}\napiVersion: example.com/v1\nkind: Thing\nmetadata:\n  labels:\n"
        '    {{- include "small.labels" . | nindent 4 }}\nspec:\n  mode: {{ .Values.one.deep.leaf | quote }}\n'
        "  count: {{ .Values.replicas | default 3 }}\n  {{- if .Values.env }}\n  env: {{ toYaml .Values.env | nindent 4 }}\n"
        "  {{- end }}\n  lost: {{ .Values.lost }}\n{{- end }}\n"
    ),
    "templates/config.yaml": (
        "{{- if and .Values.one.switch (not (empty .Values.extra)) }}\nkind: ConfigMap\ndata:\n  text.conf: |\n"
        "    {{- .Values.extra | nindent 4 }}\n  list:\n  {{- range .Values.secrets }}\n  - name: {{ . }}\n  {{- end }}\n"
        "  {{- range $gate, $on := .Values.gates }}\n  - {{ $gate }}={{ $on }}\n  {{- end }}\n{{- end }}\n"
        '{{- if eq .Values.one.switch true }}{{ if not .Values.enabled }}{{ fail "switch needs enabled" }}{{ end }}{{- end }}\n'
    ),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The contract's files of the small chart."""
    if shutil.which("go") is None:
        pytest.skip("no Go to read templates with")
    folder = tmp_path_factory.mktemp("charts") / "1.2.3"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    sys.path.insert(0, TOOLS)
    try:
        import contract  # noqa: PLC0415  (a program of tools/, which is no package)
    finally:
        sys.path.remove(TOOLS)
    files: dict[str, Any] = contract.derive(contract.open_chart(str(folder)), str(folder))
    return files


EXPECTED: dict[str, dict[str, Any]] = {
    "name": {"type": "string", "default": "x", "loose": True, "to": ["Thing:metadata.labels.app"], "when": "enabled", "bare": "=", "null": "="},
    "enabled": {"type": "boolean", "default": True, "loose": True, "alters": True},
    "replicas": {
        "type": "integer", "default": 1, "minimum": 1, "to": ["Thing:spec.count"], "when": "enabled", "bare": "=", "instead": 3,
    },
    "env": {"type": "array", "default": [], "to": ["Thing:spec.env"], "when": "enabled", "block": "=", "shape": "env"},
    "labels": {"type": "object", "default": {}, "loose": True, "to": ["Thing:metadata.labels"], "when": "enabled", "block": "=", "shape": "string-map"},
    "dead": {"type": "integer", "read": "never", "default": 1},
    "one": {"type": "object", "read": "container", "nil": "", "map": ""},
    "one.deep": {"type": "object", "read": "container", "nil": "enabled", "map": "enabled"},
    "one.deep.leaf": {
        "type": "string", "default": "a", "enum": ["a", "b"], "fallback": "a", "to": ["Thing:spec.mode"], "when": "enabled", "text": True,
    },
    "one.switch": {"type": "boolean", "default": False, "loose": True, "when": "extra", "alters": True, "strict": True},
    "extra": {
        "type": "scalar", "shipped": False, "loose": True, "to": ["ConfigMap:data.text\\.conf"], "when": "one.switch", "bare": "=",
        "guarded": True,
    },
    "secrets": {"type": "array", "default": [], "loose": True, "when": "extra & one.switch"},
    "secrets[]": {"type": "scalar", "loose": True, "to": ["ConfigMap:data.list[].name"], "when": "extra & one.switch", "bare": "=", "null": "extra & one.switch & secrets"},
    "gates": {"type": "object", "default": {"A": True}, "loose": True, "to": ["ConfigMap:data.list[]"], "when": "extra & one.switch", "text": True, "guarded": True},
    "gates.*": {"type": "scalar", "loose": True, "to": ["ConfigMap:data.list[]"], "when": "extra & one.switch", "text": True},
    "lost": {"type": "scalar", "lost": True, "shipped": False, "loose": True, "to": ["Thing:spec.lost"], "when": "enabled", "bare": "=", "null": "="},
}  # fmt: skip


def test_every_path_of_the_small_chart_is_found(small: dict[str, Any]) -> None:
    """Paths through include, with, range over lists and maps, default and quote; an unused named template reads nothing."""
    assert sorted(small["values"]["paths"]) == sorted(EXPECTED)


@pytest.mark.parametrize("path", sorted(EXPECTED))
def test_record_of_the_small_chart(small: dict[str, Any], path: str) -> None:
    """How it is printed, under which conditions, to which field, and what the CRD says of that field."""
    assert small["values"]["paths"][path] == EXPECTED[path]


def test_what_belongs_to_the_whole_chart(small: dict[str, Any]) -> None:
    """The guard with its conditions, the shapes of blocks, the fields of the CRD."""
    assert small["values"]["guards"] == [{"when": "!enabled & one.switch", "message": "switch needs enabled"}]
    assert small["values"]["shapes"] == {
        "env": {"[]": {"type": "object"}, "[].name": {"required": True, "type": "string"}, "[].value": {"type": "string"}},
        "string-map": {"*": {"type": "string"}},
    }
    assert small["crds"]["kinds"]["Thing"]["fields"]["spec.count"] == {"type": "integer", "minimum": 1}


def test_files_are_json_with_a_line_for_each_path(small: dict[str, Any]) -> None:
    """The written form reads back as the same data."""
    sys.path.insert(0, TOOLS)
    try:
        from contract import lines  # noqa: PLC0415
    finally:
        sys.path.remove(TOOLS)

    text = lines(small["values"])

    assert json.loads(text) == small["values"]
    assert sum(line.startswith('"one') for line in text.split("\n")) == 4
