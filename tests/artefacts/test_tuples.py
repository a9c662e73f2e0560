"""Nothing that is defined is forgotten: modules of artefacts stand in the tuples, have tests, and write what has a schema."""

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from genvalues import artefacts, kubeconform, paths

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "out"
RENDERING = {
    found.name.replace("_", "-")
    for found in pkgutil.iter_modules(artefacts.__path__)
    if hasattr(import_module(f"{artefacts.__name__}.{found.name}"), "render")
}
NAMES = [*(artefact.name for artefact in artefacts.ARTEFACTS), "kustomizations"]

NOT_APPLIED = {"scheduler", "host"}
"""Folders of a rendering for the disks of nodes."""
BY_HAND = {"node-feature-discovery", "verify"}
"""Folders without a kustomization: the namespace comes before NFD's chart, and verification pods run once."""

OBJECTS = [
    file
    for file in sorted(OUT.rglob("*.yaml"))
    if file.name != "values.yaml" and file.relative_to(OUT).parts[1] not in NOT_APPLIED
]


def test_every_renderer_is_listed() -> None:
    """A module with a `render` is an artefact of its name; kustomizations follow from what the others have rendered."""
    assert sorted(RENDERING) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_artefact_has_tests(name: str) -> None:
    """In a module of its own beside this one."""
    assert (HERE / f"test_{name.replace('-', '_')}.py").is_file()


def kinds() -> list[tuple[str, str]]:
    """apiVersion and kind of every object in out/ that is applied to a cluster."""
    objects = [yaml.safe_load(file.read_text("utf-8")) for file in OBJECTS]
    return sorted({(one["apiVersion"], one["kind"]) for one in objects})


@pytest.mark.parametrize(("version", "kind"), kinds())
def test_every_kind_that_we_write_has_a_schema(version: str, kind: str) -> None:
    """Under the name by which kubeconform looks for it, so that the examples can be held against it."""
    group, _, number = version.rpartition("/")
    name = "-".join(filter(None, (kind, group.split(".")[0], number))).lower() + ".json"
    folders = kubeconform.folders("1.34.2")

    assert any((Path(paths.schemas()) / "kubernetes" / folder / name).is_file() for folder in folders)


def test_every_folder_of_objects_has_a_kustomization() -> None:
    """One that GitOps points at lists what is in it."""
    folders = {file.parent for file in OBJECTS if file.relative_to(OUT).parts[1] not in BY_HAND}

    assert folders
    assert [str(folder) for folder in folders if not (folder / "kustomization.yaml").is_file()] == []
