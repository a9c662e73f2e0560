"""What is committed in out/, held against the real tools: kubeconform over the manifests, helm over the values.

kubeconform: on PATH or built by `make kubeconform`. helm: $GENVALUES_HELM, PATH, or `make helm`; the unpacked charts in
$GENVALUES_CHARTS/<chart>/<version>. What is not there is skipped, and said so.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from genvalues import kubeconform

ROOT = Path(__file__).resolve().parents[2]
CHARTS = Path(os.environ.get("GENVALUES_CHARTS", "/nonexistent"))
NOT_FOR_THE_API = ("scheduler", "host")  # host files, never applied
Route = tuple[str | int, ...]


class Rendering(NamedTuple):
    """One folder of out/: its Kubernetes version and its charts come from the site and from the index."""

    folder: Path
    kubernetes: str
    charts: dict[str, str]


def kubernetes_of(site: Path) -> str:
    """The Kubernetes version of a site, its own or that of a base: the last of `extends` wins."""
    data = yaml.safe_load(site.read_text(encoding="utf-8"))
    own: str | None = data.get("cluster", {}).get("kubernetes")
    bases = [kubernetes_of(site.parent / base) for base in reversed(data.get("extends", []))]
    return own or next(filter(None, bases), "")


def renderings() -> list[Rendering]:
    found = []
    for index in sorted((ROOT / "out").glob("*/genvalues.index.json")):
        body = json.loads(index.read_text(encoding="utf-8"))
        found.append(Rendering(index.parent, kubernetes_of(ROOT / "profiles" / body["source"]), body["charts"]))
    return found


RENDERINGS = renderings()
each_rendering = pytest.mark.parametrize("rendering", RENDERINGS, ids=lambda rendering: rendering.folder.name)


@each_rendering
def test_every_manifest_passes_kubeconform(rendering: Rendering) -> None:
    """Every manifest is an object that the API server of the site would take, and none lacks a schema."""
    if kubeconform.find() is None:
        pytest.skip("kubeconform is neither on PATH nor in .tools/bin: `make kubeconform` puts it there")
    files = [
        str(path)
        for path in sorted(rendering.folder.rglob("*.yaml"))
        if path.name != "values.yaml" and path.relative_to(rendering.folder).parts[0] not in NOT_FOR_THE_API
    ]

    results = kubeconform.validate(files, rendering.kubernetes, rendering.charts)

    assert [result for result in results if result.status != "valid"] == []
    assert sorted({result.file for result in results}) == files


def helm() -> str:
    folders = [os.environ.get("PATH", ""), str(ROOT / ".tools" / "bin")]
    found = shutil.which(os.environ.get("GENVALUES_HELM", "helm"), path=os.pathsep.join(folders))
    if found is None:
        pytest.skip("helm is neither on PATH nor in .tools/bin: `make helm` puts it there")
    return found


def chart_of(rendering: Rendering, name: str) -> Path:
    version = rendering.charts[name].removeprefix("v")
    for folder in (CHARTS / name / f"v{version}", CHARTS / name / version):
        if (folder / "Chart.yaml").is_file():
            return folder
    pytest.skip(f"$GENVALUES_CHARTS has no {name}/{rendering.charts[name]}")


def template(program: str, chart: Path, rendering: Rendering, values: object) -> str:
    """What helm renders, or what it complains of."""
    command = [program, "template", chart.parent.name, str(chart), "--kube-version", rendering.kubernetes]
    done = subprocess.run(
        [*command, "--values", "-"], input=yaml.safe_dump(values), capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else f"helm: {done.stderr}"


def leaves(data: object, route: Route = ()) -> Iterator[tuple[Route, Any]]:
    """Every leaf with its route; an empty map or list is a leaf."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, (*route, key))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from leaves(value, (*route, index))
    else:
        yield route, data


def variants(values: Any, route: Route, leaf: object) -> Iterator[object]:
    """The values with one leaf changed, and with it removed."""
    other: object = f"{leaf}x"
    if isinstance(leaf, bool):
        other = not leaf
    elif isinstance(leaf, int | float):
        other = leaf + 1
    elif isinstance(leaf, dict):
        other = {"x": "y"}
    elif isinstance(leaf, list):
        other = ["x"]
    for change in ("set", "remove"):
        copy = deepcopy(values)
        parent = copy
        for step in route[:-1]:
            parent = parent[step]
        if change == "set":
            parent[route[-1]] = other
        else:
            del parent[route[-1]]
        yield copy


@pytest.mark.parametrize("name", ["gpu-operator", "node-feature-discovery", "network-operator"])
@each_rendering
def test_every_value_changes_what_helm_renders(rendering: Rendering, name: str) -> None:
    """The chart takes the values, and no leaf of them is dead: changed or removed, the rendering is another."""
    path = rendering.folder / name / "values.yaml"
    if not path.is_file():
        pytest.skip(f"{rendering.folder.name} has no values for {name}")
    program, chart = helm(), chart_of(rendering, name)
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    rendered = template(program, chart, rendering, values)

    def dead(entry: tuple[Route, object]) -> bool:
        return all(template(program, chart, rendering, other) == rendered for other in variants(values, *entry))

    assert not rendered.startswith("helm: "), rendered
    entries = list(leaves(values))
    with ThreadPoolExecutor() as pool:
        verdicts = list(pool.map(dead, entries))
    assert [route for (route, _), verdict in zip(entries, verdicts, strict=True) if verdict] == []


@pytest.mark.parametrize("name", ["gpu-operator", "node-feature-discovery", "network-operator"])
@each_rendering
def test_what_helm_renders_passes_kubeconform(rendering: Rendering, name: str) -> None:
    """The values reach the chart's own objects, ClusterPolicy above all, in types that their CRDs accept."""
    path = rendering.folder / name / "values.yaml"
    if not path.is_file():
        pytest.skip(f"{rendering.folder.name} has no values for {name}")
    if kubeconform.find() is None:
        pytest.skip("kubeconform is neither on PATH nor in .tools/bin: `make kubeconform` puts it there")
    program, chart = helm(), chart_of(rendering, name)
    rendered = template(program, chart, rendering, yaml.safe_load(path.read_text(encoding="utf-8")))

    results = kubeconform.validate([(name, rendered)], rendering.kubernetes, rendering.charts)

    assert not rendered.startswith("helm: "), rendered
    assert [result for result in results if result.status == "invalid"] == []
