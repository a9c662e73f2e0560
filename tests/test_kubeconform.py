import json
import os
import stat
import sys
from pathlib import Path

import pytest

from genvalues import kubeconform, paths
from genvalues.kubeconform import KubeconformError, KubeconformResult

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: A, labels: {"a b": c, row: "x y"}}
spec:
  containers:
  - name: cuda
    image: y
    imagePullPolicy: Sometimes
    ports: [{containerPort: 70000}]
    resources: {limits: {cpu: abc, nvidia.com/gpu: 1}}
  runtimeclass: nvidia
  scheduler: x
"""
DNS_NAME = '"A" is not a name in lower case: letters, digits, - and ., a letter or digit at both ends'
LABEL = '"x y" is not a label value: up to 63 letters, digits, -, _ and ., a letter or digit at both ends'


@pytest.fixture
def real() -> str:
    program = kubeconform.find()
    if program is None:
        pytest.skip("kubeconform is neither on PATH nor in .tools/bin: `make kubeconform` puts it there")
    return program


def fake(folder: Path, body: str) -> str:
    """A program in kubeconform's place."""
    path = folder / "kubeconform"
    path.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def answering(folder: Path, message: str) -> str:
    """A kubeconform that calls every file an invalid Thing for one and the same reason."""
    return fake(
        folder,
        "import json, sys\n"
        f"entry = {{'kind': 'Thing', 'name': 't', 'status': 'statusInvalid', 'msg': {message!r}}}\n"
        "print(json.dumps({'resources': [{'filename': f, **entry} for f in sys.argv if f.endswith('.yaml')]}))\n",
    )


def test_every_fault_of_a_manifest_has_its_route_and_our_words(real: str) -> None:
    """A pod with nine faults gives nine results, each at the node that is wrong."""
    results = kubeconform.validate([("pod.yaml", POD)], "1.34.2", program=real)

    assert {(r.path, r.message) for r in results} == {
        (("metadata", "name"), DNS_NAME),
        (("metadata", "labels"), "a b is not allowed here"),
        (("metadata", "labels", "row"), LABEL),
        (("spec",), "runtimeclass, scheduler are not allowed here"),
        (("spec", "containers", 0, "image"), "is of type boolean, must be string"),
        (("spec", "containers", 0, "imagePullPolicy"), "must be one of 'Always', 'IfNotPresent', 'Never'"),
        (("spec", "containers", 0, "ports", 0, "containerPort"), "is 70000, must be at most 65535"),
        (("spec", "containers", 0, "resources", "limits", "cpu"), '"abc" is not a quantity, such as 500m, 8 or 64Gi'),
    }
    assert {(r.file, r.kind, r.name, r.status) for r in results} == {("pod.yaml", "Pod", "A", "invalid")}


def test_a_kind_without_a_schema_is_an_error_and_not_skipped(real: str) -> None:
    """An object that we cannot judge is said to be so."""
    results = kubeconform.validate([("x", "apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: foo}\n")], "1.34.2")

    message = "genvalues carries no schema for this Foo: is its apiVersion right?"
    assert results == [KubeconformResult("x", "Foo", "foo", "error", message, ())]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\n", "no Kubernetes object: it has no kind"),
        ("a: [\n", "line 1: did not find expected node content"),
        ("apiVersion: v1\nkind: ConfigMap\ndata: {}\ndata: {}\n", "line 4: data stands twice"),
    ],
)
def test_what_is_no_object_is_an_error(real: str, text: str, message: str) -> None:
    """Text that is no Kubernetes object, or no YAML, ends in one result that says why."""
    assert [(r.status, r.message) for r in kubeconform.validate([("x.yaml", text)], "1.34.2")] == [("error", message)]


def test_results_come_in_the_order_of_the_files(real: str, tmp_path: Path) -> None:
    """Texts and paths, whatever their names end in, are all looked at; an empty document says nothing."""
    good = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu-operator}\n"
    (tmp_path / "b.txt").write_text(good, encoding="utf-8")

    results = kubeconform.validate([("z", good), str(tmp_path / "b.txt"), ("a", "# nothing\n")], "1.34.2")

    assert [(r.file, r.status) for r in results] == [("z", "valid"), (str(tmp_path / "b.txt"), "valid")]


def test_an_object_is_held_to_the_versions_of_the_site(real: str) -> None:
    """ResourceClaimTemplate is served as v1 from Kubernetes 1.34 on, and GPUCluster exists from gpu-operator v26.7.0 on."""
    claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: a}\nspec: {spec: {}}\n"
    cluster = "apiVersion: nvidia.com/v1alpha1\nkind: GPUCluster\nmetadata: {name: a}\nspec: {draDriver: {}}\n"

    def statuses(kubernetes: str, operator: str) -> list[str]:
        files = [("claim", claim), ("cluster", cluster)]
        return [r.status for r in kubeconform.validate(files, kubernetes, {"gpu-operator": operator})]

    assert statuses("1.33.9", "v26.3.3") == ["error", "error"]
    assert statuses("1.34.0", "v26.7.0") == ["valid", "valid"]


def test_nothing_to_check_is_nothing_said() -> None:
    """No files, no run."""
    assert kubeconform.validate([], "1.34.2", program="/nonexistent") == []


@pytest.mark.parametrize(
    ("kubernetes", "operator", "expected"),
    [
        ("1.34.2", "v25.10.1", ("kubernetes-1.34", "gpu-operator-v25.10.1")),
        ("1.34", "25.10.1", ("kubernetes-1.34", "gpu-operator-v25.10.1")),
        ("1.99.0", "v99.1.0", ("kubernetes-1.37", "gpu-operator-v26.7.0")),
        ("1.20.0", "v1.0.0", ("kubernetes-1.25", "gpu-operator-v24.9.2")),
        ("1.30.1", "v25.10.0", ("kubernetes-1.30", "gpu-operator-v25.3.4")),
    ],
)
def test_schemas_are_the_newest_that_are_not_newer_than_the_site(
    kubernetes: str, operator: str, expected: tuple[str, str]
) -> None:
    """A version between two of ours takes the lower one, one below all of ours the lowest."""
    folders = kubeconform.folders(kubernetes, {"gpu-operator": operator})

    assert {f for f in folders if f.startswith(("kubernetes-", "gpu-operator-"))} == set(expected)


def test_projects_that_a_site_does_not_pin_give_their_newest() -> None:
    """Without a version of NFD or Kueue the newest schemas are taken, one folder a project."""
    folders = kubeconform.folders("1.34.2")

    assert {"node-feature-discovery-v0.18.3", "kueue-v0.19.2", "gpu-operator-v26.7.0"} <= set(folders)
    assert len(folders) == len({name.rpartition("-")[0] for name in folders})


def test_the_program_is_found_by_name_then_path_then_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """$GENVALUES_KUBECONFORM comes before PATH; a name that is no program finds nothing."""
    program = fake(tmp_path, "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GENVALUES_KUBECONFORM", raising=False)
    assert kubeconform.find() == program

    monkeypatch.setenv("GENVALUES_KUBECONFORM", str(tmp_path / "missing"))
    assert kubeconform.find() is None

    tools = tmp_path / ".tools" / "bin"
    tools.mkdir(parents=True)
    built = fake(tools, "")
    monkeypatch.delenv("GENVALUES_KUBECONFORM")
    monkeypatch.setenv("PATH", str(tools.parent))
    monkeypatch.setattr(paths, "checkout", lambda: str(tmp_path))
    assert kubeconform.find() == built


def test_no_program_of_the_current_folder_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installed genvalues in a stranger's repository finds nothing in that repository's .tools."""
    tools = tmp_path / ".tools" / "bin"
    tools.mkdir(parents=True)
    fake(tools, "")
    monkeypatch.delenv("GENVALUES_KUBECONFORM", raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr(paths, "checkout", lambda: None)
    monkeypatch.chdir(tmp_path)

    assert kubeconform.find() is None


def test_without_kubeconform_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing program is an error with a command to type."""
    monkeypatch.setattr(kubeconform, "find", lambda: None)

    with pytest.raises(KubeconformError, match="run `make kubeconform`"):
        kubeconform.validate([("x", "")], "1.34.2")


def test_schemas_that_kubeconform_cannot_read_are_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder with %, # or ? in its name would make every kind look unknown."""
    monkeypatch.setattr(paths, "schemas", lambda: str(tmp_path / "50%"))

    with pytest.raises(KubeconformError, match="cannot read schemas below"):
        kubeconform.validate([("x", "")], "1.34.2", program="kubeconform")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("import sys\nsys.exit('no such flag')", "kubeconform failed: no such flag"),
        ("print('hello')", "kubeconform failed: hello"),
        ("import sys\nsys.exit(3)", "kubeconform failed: exit 3"),
        ("print('{\"resources\": []}')", "kubeconform said nothing about x.yaml: nothing at all"),
    ],
)
def test_a_kubeconform_that_does_not_answer_is_an_error(tmp_path: Path, body: str, expected: str) -> None:
    """Anything but one verdict per file is no verdict, and never passes for a clean run."""
    with pytest.raises(KubeconformError) as caught:
        kubeconform.validate([("x.yaml", "a: 1\n")], "1.34.2", program=fake(tmp_path, body))

    assert str(caught.value) == expected


def test_a_program_that_cannot_start_is_an_error(tmp_path: Path) -> None:
    """What is no program is not run, and the error says so."""
    with pytest.raises(KubeconformError, match="kubeconform could not be run"):
        kubeconform.validate([("x.yaml", "a: 1\n")], "1.34.2", program=str(tmp_path / "nothing"))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("at '/spec': missing properties 'b', 'a'", [(("spec",), "a, b are missing")]),
        ("at '/spec/a~1b/0': minItems: got 0, want 1", [(("spec", "a/b", 0), "has 0 entries, needs at least 1")]),
        ("at '/spec/x': minLength: got 0, want 1", [(("spec", "x"), "has 0 characters, needs at least 1")]),
        ("at '/spec/x': got null, want object", [(("spec", "x"), "is of type null, must be object")]),
        ("at '/spec/x': items at 0 and 2 are equal", [(("spec", "x"), "items [0] and [2] are equal")]),
        ("at '/spec/x': value must be 'a'", [(("spec", "x"), "must be one of 'a'")]),
        ("at '/spec/x': value must be one of 'a', 'b', <nil>", [(("spec", "x"), "must be one of 'a', 'b'")]),
        (r"at '/spec/x': 'q' does not match pattern '^\\d+$'", [(("spec", "x"), r'"q" is not of the form ^\d+$')]),
        ("at '/spec/it\\'s': false schema", [(("spec", "it's"), "false schema")]),
        (
            "at '/spec': validation failed   - at '/spec/a': got null, want string   - at '/spec/b': enum failed",
            [(("spec", "a"), "is of type null, must be string"), (("spec", "b"), "enum failed")],
        ),
        (
            "at '/spec/a': anyOf failed   - at '/spec/a': got null, want string - at '/spec/b': enum failed",
            [(("spec", "a"), "fits none of the forms that are allowed here"), (("spec", "b"), "enum failed")],
        ),
        ("something new", [((), "something new")]),
    ],
)
def test_its_words_become_ours(tmp_path: Path, message: str, expected: list[tuple[tuple[str | int, ...], str]]) -> None:
    """Each kind of fault that our schemas can give, written as kubeconform 0.7 writes it; what is new stays as it is."""
    prefix = "problem validating schema. Check JSON formatting: jsonschema validation failed with 'file:///x#' - "
    program = answering(tmp_path, prefix + message if message.startswith("at ") else message)

    results = kubeconform.validate([("x", "a: 1\n")], "1.34.2", program=program)

    assert [(r.path, r.message) for r in results] == expected


def test_schemas_are_valid_and_refer_to_what_is_there() -> None:
    """Every folder that SOURCES.json lists exists, no other does, and every reference in it has its definition."""
    base = os.path.join(paths.schemas(), "kubernetes")
    with open(os.path.join(base, "SOURCES.json"), encoding="utf-8") as file:
        listed = json.load(file)["folders"]

    dangling = []
    for folder in listed:
        for name in os.listdir(os.path.join(base, folder)):
            with open(os.path.join(base, folder, name), encoding="utf-8") as file:
                text = file.read()
            with open(os.path.join(base, folder, name), encoding="utf-8") as file:
                own = json.load(file)
            shared = os.path.join(base, folder, "_definitions.json")
            if os.path.exists(shared):
                with open(shared, encoding="utf-8") as file:
                    own = json.load(file)
            wanted = {part.split('"')[0] for part in text.split("#/definitions/")[1:]}
            dangling += [(folder, name, missing) for missing in wanted - set(own.get("definitions", {}))]

    assert sorted(listed) == sorted(name for name in os.listdir(base) if name != "SOURCES.json")
    assert dangling == []
