"""The program that derives schemas/kubernetes/: what it makes of small sources, and that the folders are what it makes."""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = (
    ROOT.parent / "shared" / "reference" / "charts"
)  # the reference folder beside the checkout, where there is one


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kubernetes_schemas", ROOT / "tools" / "kubernetes_schemas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = load()


def accepts(schema: dict[str, Any], value: object) -> bool:
    return bool(Draft7Validator(schema).is_valid(value))


def node(**schema: Any) -> dict[str, Any]:
    """What a CRD's property becomes, inside a closed object."""
    made: dict[str, Any] = tool.structural({"type": "object", "properties": {"a": schema}})
    return made


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "string"}, ["x", None], [1, True]),  # the API server drops a null
        ({"type": "string", "nullable": True}, ["x", None], [1]),
        ({"x-kubernetes-int-or-string": True}, [1, "50%"], [1.5, True]),
        ({"x-kubernetes-int-or-string": True, "pattern": "^[0-9]+Gi$"}, [1, "1Gi"], ["1"]),
        ({"type": "integer", "format": "int32"}, [2**31 - 1], [2**31]),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, [2], [1]),
        ({"type": "number", "maximum": 1}, [1], [2]),
        ({"type": "string", "enum": ["a", ""]}, ["a", "", None], ["b"]),
        ({"type": "array", "items": {"type": "string"}}, [[], ["a"]], [[None], "a"]),
        ({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}, [["a"]], [["a", "a"]]),
        ({"type": "object"}, [{}], [{"b": 1}]),  # the API server would drop b
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, [{"b": 1}], [1]),
        ({"type": "object", "additionalProperties": {"type": "string"}}, [{"b": "x"}], [{"b": 1}, {"b": None}]),
        ({"type": "object", "additionalProperties": True}, [{"b": [1]}], [1]),
        ({"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
         [{"apiVersion": "v1", "kind": "Pod"}], [{}]),
        ({"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
         [{"b": "x"}], [{}, {"b": None}, {"c": "x"}]),
        ({"type": "object", "properties": {"b": {"type": "string", "default": "x"}}, "required": ["b"]}, [{}], [{"b": 1}]),
        ({"type": "object", "properties": {"b": {"type": "string"}, "c": {"type": "string"}},
          "oneOf": [{"required": ["b"]}, {"required": ["c"]}]}, [{"b": "x"}], [{}, {"b": "x", "c": "y"}]),
        ({"type": "object", "properties": {"b": {"type": "integer"}}, "not": {"properties": {"b": {"minimum": 5}}}},
         [{"b": 4}], [{"b": 5}]),
    ],
)  # fmt: skip
def test_a_crd_property_accepts_what_the_api_server_accepts(
    schema: dict[str, Any], good: list[object], bad: list[object]
) -> None:
    """Values that the API server takes pass, values that it refuses or drops do not."""
    made = node(**schema)

    assert [value for value in good if not accepts(made, {"a": value})] == []
    assert [value for value in bad if accepts(made, {"a": value})] == []


def test_prose_and_defaults_are_left_out() -> None:
    """Only structure comes over from upstream."""
    made = node(type="string", description="text", title="text", default="x", example="y", format="date-time")

    assert made["properties"] == {"a": {"type": ["string", "null"]}}


@pytest.mark.parametrize(
    ("group", "version", "kind", "expected"),
    [
        ("", "v1", "Pod", "pod-v1.json"),
        ("apps", "v1", "DaemonSet", "daemonset-apps-v1.json"),
        ("nfd.k8s-sigs.io", "v1alpha1", "NodeFeatureRule", "nodefeaturerule-nfd-v1alpha1.json"),
        ("kustomize.config.k8s.io", "v1beta1", "Kustomization", "kustomization-kustomize-v1beta1.json"),
    ],
)
def test_a_file_has_the_name_that_kubeconform_looks_for(group: str, version: str, kind: str, expected: str) -> None:
    """Kind, first label of the group, version, in lower case."""
    assert tool.Kind(group, version, kind).file == expected


OPENAPI = {
    "definitions": {
        "io.k8s.api.core.v1.Box": {
            "type": "object",
            "x-kubernetes-group-version-kind": [{"group": "", "kind": "Box", "version": "v1"}],
            "required": ["spec"],
            "properties": {
                "apiVersion": {"type": ["string", "null"]},
                "kind": {"type": ["string", "null"]},
                "metadata": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                "spec": {"$ref": "#/definitions/io.k8s.api.core.v1.Lid"},
                "other": {"$ref": "#/definitions/io.k8s.api.core.v1.Lid"},
                "status": {"$ref": "#/definitions/io.k8s.api.core.v1.Lid"},
            },
        },
        "io.k8s.api.core.v1.Lid": {
            "type": "object",
            "properties": {
                "size": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity"},
                "port": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString"},
                "policy": {"type": "string"},
                "selector": {"type": "object", "additionalProperties": {"type": "string"}},
                "lids": {"type": "array", "items": {"$ref": "#/definitions/io.k8s.api.core.v1.Lid"}},
                "raw": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.runtime.RawExtension"},
            },
        },
        "io.k8s.apimachinery.pkg.runtime.RawExtension": {"type": "object"},
    }
}
CHECKS = {"Lid.policy": {"enum": ["A", "B"]}, "Lid.selector": {"keys": "labelKey", "values": "labelValue"}}


@pytest.mark.parametrize(
    ("change", "valid"),
    [
        ({}, True),
        ({"status": {"anything": 1}}, True),
        ({"other": None}, True),
        ({"spec": None}, False),
        ({"more": 1}, False),
        ({"metadata": {}}, False),  # what is applied needs a name; generateName only works with `kubectl create`
        ({"metadata": {"name": "A"}}, False),
        ({"metadata": {"name": "a", "labels": {"example.com/row": "a"}}}, True),
        ({"metadata": {"name": "a", "labels": {"example.com/row": "a b"}}}, False),
        ({"metadata": {"name": "a", "labels": {"row a": "a"}}}, False),
        ({"metadata": {"name": "a", "annotations": {"Example.com/row": "a b"}}}, True),
        ({"spec": {"size": "1.5Gi"}}, True),
        ({"spec": {"size": 2}}, True),
        ({"spec": {"size": "1.5GiB"}}, False),
        ({"spec": {"port": "http"}}, True),
        ({"spec": {"port": 1.5}}, False),
        ({"spec": {"policy": "C"}}, False),
        ({"spec": {"policy": None}}, True),
        ({"spec": {"selector": {"a": "b"}}}, True),
        ({"spec": {"selector": {"a": "b c"}}}, False),
        ({"spec": {"lids": [{"lids": [{"policy": "A"}]}], "raw": {"free": [1]}}}, True),
        ({"spec": {"lids": [{"lids": [{"policy": "C"}]}]}}, False),
        ({"spec": {"lids": [None]}}, False),
    ],
)
def test_an_openapi_kind_accepts_what_the_api_server_accepts(change: dict[str, Any], valid: bool) -> None:
    """References, free maps, quantities and our additional checks, in a document of a kind."""
    api = tool.OpenApi(OPENAPI, CHECKS)
    [(kind, schema)] = api.kinds(frozenset({("", "Box")}))
    inlined = tool.finish(kind, schema) | {"definitions": api.definitions}
    text = tool.json.dumps(inlined).replace("_definitions.json#", "#")
    box = {"apiVersion": "v1", "kind": "Box", "metadata": {"name": "a"}, "spec": {}} | change

    assert accepts(tool.json.loads(text), box) == valid


def upstream(folder: str, entry: dict[str, Any]) -> Path | None:
    """Where the sources of a folder are on this machine, if they are.

    $GENVALUES_UPSTREAM holds one folder of sources for each of ours; the reference folder has the CRDs of charts.
    """
    named = os.environ.get("GENVALUES_UPSTREAM")
    candidates = [Path(named) / folder] if named else []
    candidates.append(REFERENCE / entry["project"] / entry["versions"][0] / "crds")
    return next((path for path in candidates if path.is_dir()), None)


@pytest.mark.parametrize(("folder", "entry"), [f for f in tool.sources().items() if f[1].get("derived", True)])
def test_a_folder_is_what_its_sources_give(folder: str, entry: dict[str, Any]) -> None:
    """Deriving anew gives the same bytes."""
    source = upstream(folder, entry)
    if source is None:
        pytest.skip(f"the sources of {folder} are not on this machine: {entry['source']}")

    assert tool.derive(folder, str(source), entry) == tool.read_folder(folder)


def test_versions_of_one_folder_have_the_same_crds() -> None:
    """NFD 0.19.0 shares the folder of 0.18.3: its CRDs give the same schemas."""
    source = REFERENCE / "node-feature-discovery" / "v0.19.0" / "crds"
    if not source.is_dir():
        pytest.skip("the CRDs of NFD v0.19.0 are not in the reference folder beside the checkout")
    folder = "node-feature-discovery-v0.18.3"

    assert tool.derive(folder, str(source), tool.sources()[folder]) == tool.read_folder(folder)


def test_a_folder_without_its_kinds_is_not_written(tmp_path: Path) -> None:
    """Sources that lack a wanted kind end the program with the kind's name."""
    with pytest.raises(SystemExit, match="has no kueue-thing"):
        tool.derive("x", str(tmp_path), {"kinds": ["kueue.x-k8s.io/Kueue-Thing"]})


def test_the_program_writes_compares_and_removes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It writes the derived files, removes what is no longer derived, and --check says what differs."""
    folder = "flux-helm-controller-v1.6.3"
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "old.json").write_text("{}", encoding="utf-8")
    (tmp_path / "SOURCES.json").write_text(f'{{"folders": {{"{folder}": {{}}}}}}', encoding="utf-8")
    monkeypatch.setattr(tool, "FOLDERS", str(tmp_path))
    monkeypatch.setattr(tool, "derive", lambda *_: {"new.json": "{}\n"})

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["kubernetes_schemas.py", *arguments, folder, "source"])
        return tool.main(), capsys.readouterr().out

    assert run("--check") == (1, "new.json\nold.json\n")
    assert run() == (0, f"{folder}: 1 files, 3 bytes\n")
    assert [p.name for p in (tmp_path / folder).iterdir()] == ["new.json"]
    assert run("--check") == (0, f"{folder}: as derived\n")
