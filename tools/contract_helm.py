"""What helm itself says: leaves of a values file whose change and whose removal leave the rendering as it was.

    python tools/contract_helm.py HELM CHARTS NAME FOLDER... > vectors.json

renders every values file below the FOLDERs with every version of chart NAME in CHARTS (CHARTS/NAME/VERSION), and keeps
for each file and version the dead leaves, by reason: `ignored` has no effect in any of the settings tried, `gated` has
one when other settings are turned on. Files that helm refuses as they are have `refused` with the first words of why.

That is independent of the contracts; only `compare` reads one.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import yaml

from genvalues.contracts.conditions import failing
from genvalues.contracts.contract import Contract
from genvalues.contracts.entry import Entry
from genvalues.document import leaves
from genvalues.finding import Route, at_route, format_route
from genvalues.source import read_all

WORKERS = 2


class Render(NamedTuple):
    """What `helm template` printed, or why it did not."""

    text: str
    error: str


class Helm:
    """Renders one chart. Renderings are remembered: many leaves share one."""

    def __init__(self, program: str, chart: str) -> None:
        self.program, self.chart = program, chart
        self._known: dict[str, Render] = {}

    def render(self, values: Any) -> Render:
        text = json.dumps(values)
        if text not in self._known:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                file.write(text)
                file.flush()
                command = [self.program, "template", "r", self.chart, "-n", "gpu-operator", "-f", file.name]
                command += ["--api-versions", "resource.k8s.io/v1/DeviceClass", "--skip-schema-validation"]
                command += ["--kube-version", "1.34.0"]
                ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            self._known[text] = Render(ran.stdout, ran.stderr.strip() if ran.returncode else "")
        return self._known[text]


# Values files


def values_of(file: str) -> Iterator[tuple[Route, Any]]:
    """The chart values in a file and where they lie; nothing for what is no values file.

    Bare, in a HelmRelease, a ConfigMap, a k3s HelmChart, or below a chart's key.
    """
    with open(file, encoding="utf-8") as stream:
        for source in read_all(stream.read(), file):
            if source.tree is not None and isinstance(source.tree.data, dict):
                yield from _unwrapped(source.tree.data)


def _unwrapped(data: Mapping[str, Any]) -> Iterator[tuple[Route, Any]]:
    spec: Mapping[str, Any] = data["spec"] if isinstance(data.get("spec"), dict) else {}
    if data.get("kind") == "HelmRelease":
        yield ("spec", "values"), spec.get("values") or {}
    elif data.get("kind") == "HelmChart":
        yield ("spec", "valuesContent"), yaml.safe_load(spec["valuesContent"])
    elif data.get("kind") == "ConfigMap":
        for name, text in data["data"].items():
            yield ("data", name), yaml.safe_load(text)
    elif "kind" not in data:
        key = next((key for key in ("gpu-operator", "node-feature-discovery") if isinstance(data.get(key), dict)), None)
        umbrella = key is not None and not {"driver", "toolkit", "worker", "master", "operator", "cdi"} & set(data)
        yield ((key,), data[key]) if umbrella and key else ((), data)


# Trying a leaf out


def dead(helm: Helm, values: Any) -> list[Route]:
    """Leaves whose change and removal both change nothing."""
    base = helm.render(values)

    def is_dead(leaf: tuple[Route, Any]) -> bool:
        route, value = leaf
        others = (*(_with(values, route, other) for other in changed(value)), _without(values, route))
        return all(helm.render(other) == base for other in others)

    found = list(leaves(values))
    with ThreadPoolExecutor(WORKERS) as pool:
        return [leaf[0] for leaf, is_one in zip(found, pool.map(is_dead, found), strict=True) if is_one]


def changed(value: Any) -> tuple[Any, ...]:
    """Other values of the same kind; of several kinds for a null, which says nothing of its own."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, (int, float)):
        return (value + 1,)
    if isinstance(value, str):
        return ({"true": "false", "false": "true"}.get(value, f"{value}x"),)
    return ([{"name": "zz"}],) if value == [] else ({"zz": "zz"},) if value == {} else ({"zz": "zz"}, True, "zz")


def ever_alive(helm: Helm, values: Any, route: Route, settings: Sequence[Any]) -> bool:
    """Whether a leaf that is dead in its file has an effect under any of other settings."""
    top = route[: next((i for i, step in enumerate(route) if isinstance(step, int)), len(route))]
    value = values
    for step in route:
        value = value[step]
    for setting in settings:
        here = _with(setting, top, at_route(values, top))
        others = (here, *(_with(here, route, other) for other in changed(value)), _without(here, route))
        texts = {helm.render(other).text for other in others}
        if len(texts) > 1:
            return True
    return False


def settings(helm: Helm, values: Any) -> list[Any]:
    """Ways to turn things on: every switch of the chart and the file, with and without the modes that exclude others."""
    with open(os.path.join(helm.chart, "values.yaml"), encoding="utf-8") as stream:
        defaults = yaml.safe_load(stream)
    on = _switched(_merged(_subvalues(helm.chart), _merged(defaults, values)))
    config = {"create": True, "name": "some", "default": "", "data": {"a": "b"}}
    on = _merged(on, {"devicePlugin": {"config": config}, "migManager": {"config": config}})
    on = _merged(on, {"dcgmExporter": {"config": {**config, "data": "csv"}}, "operator": {"logging": {"develMode": False}}})
    found = []
    for crd in (True, False):
        for cluster in (True, False):
            modes: dict[str, Any] = {"driver": {"nvidiaDriverCRD": {"enabled": crd}}}
            if "gpuCluster" in defaults:
                modes |= {"clusterPolicy": {"deployCR": cluster}, "gpuCluster": {"deployCR": not cluster}}
            found.append(_merged(on, modes))
    found += [_merged(one, {"cdi": {"nriPluginEnabled": False}, "enableNodeFeatureApi": False}) for one in found[:1]]
    return [one for one in found if not helm.render(one).error]


_SWITCHES = ("enabled", "enable", "create", "deploy", "deployCR", "deployDefaultCR", "useCertManager", "certManager")


def _switched(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: True if key in _SWITCHES and isinstance(value, bool) else _switched(value) for key, value in node.items()}
    return node


def _subvalues(chart: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    folder = os.path.join(chart, "charts")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, name, "values.yaml"), encoding="utf-8") as stream:
            found[name] = yaml.safe_load(stream)
    return found


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{key: _merged(below[key], value) if key in below else value for key, value in above.items()}}


def _with(values: Any, route: Route, value: Any) -> Any:
    if not route:
        return value
    other = copy.deepcopy(values)
    node = other
    for step in route[:-1]:
        if isinstance(node, dict) and not isinstance(node.get(step), (dict, list)):
            node[step] = {}
        node = node[step]
    node[route[-1]] = value
    return other


def _without(values: Any, route: Route) -> Any:
    other = copy.deepcopy(values)
    del at_route(other, route[:-1])[route[-1]]
    return other


def verdict(helm: Helm, values: Any) -> dict[str, Any]:
    """The dead leaves of one values file, by reason."""
    first = helm.render(values)
    if first.error:
        return {"refused": first.error.split("\n")[0].rpartition(": ")[2][:60]}
    routes = dead(helm, values)
    ways = settings(helm, values) if routes else []
    with ThreadPoolExecutor(WORKERS) as pool:
        alive = list(pool.map(lambda route: ever_alive(helm, values, route, ways), routes))
    return {
        "ignored": [format_route(route) for route, is_alive in zip(routes, alive, strict=True) if not is_alive],
        "gated": [format_route(route) for route, is_alive in zip(routes, alive, strict=True) if is_alive],
    }


def compare(chart: str, contract: Contract, program: str) -> list[str]:
    """Where helm and a contract disagree about the chart's own values: each leaf changed and removed, one at a time."""
    with open(os.path.join(chart, "values.yaml"), encoding="utf-8") as stream:
        values = _merged(_subvalues(chart), yaml.safe_load(stream))
    helm = Helm(program, chart)
    if error := helm.render(values).error:
        return [f"helm refuses the chart's own values: {error}"]
    ineffective = set(dead(helm, values))
    found = []
    for route, _ in leaves(values):
        entry = contract.at(route)
        reads = entry is not None and entry.read not in ("never", "container") and acts(contract, entry, values)
        if reads is (route in ineffective):
            found.append(f"{format_route(route)}: helm says {'dead' if reads else 'alive'}, the contract {'alive' if reads else 'dead'}")
    return found


def acts(contract: Contract, entry: Entry, values: Any) -> bool:
    """Whether a path acts as far as the templates go; what the operator then makes of it, helm does not see."""
    look = contract.look(values)
    return all(failing(gate, look) is None for gate in entry.when if gate.by == "chart")


def main() -> int:
    program, charts, name, *folders = sys.argv[1:]
    found: dict[str, Any] = {}
    files = sorted(os.path.join(folder, file) for folder in folders for file in os.listdir(folder) if file.endswith(".yaml"))
    for version in sorted(os.listdir(os.path.join(charts, name))):
        helm = Helm(program, os.path.join(charts, name, version))
        for file in files:
            for route, values in values_of(file):
                key = os.path.basename(file).removesuffix(".yaml") + (f":{format_route(route)}" if route else "")
                found.setdefault(key, {})[version] = verdict(helm, values)
        print(version, file=sys.stderr)
    json.dump(found, sys.stdout, indent=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
