"""Make the contract of a chart version from its unpacked chart.

    python tools/contract.py CHART_DIR [--version V] [--helm helm] [--go go] -o genvalues/data/contracts

Reads templates (with the Go program in tools/contract), CRDs, values.yaml and values.schema.json, and writes
<chart>/<version>/{values,crds,images}.json below -o, and the version into index.json. A subchart that is file for file
one that has a contract already becomes a reference to it; a chart that is file for file a stored version is listed as
covered by that one. With helm, every leaf is also tried out, and differences from what was read are printed.

Make node-feature-discovery first: gpu-operator refers to it.
"""

import argparse
import glob
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import yaml
from contract_build import build
from contract_conditions import Path
from contract_images import images
from contract_records import Subject
from contract_scan import scan
from contract_schema import Kind, kinds, values_schema

INDEX = "index.json"


class Chart(NamedTuple):
    """An unpacked chart: where it lies, its name, and its version as published."""

    folder: str
    name: str
    version: str


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("chart")
    parser.add_argument("--version", help="as published; by default the name of the chart's folder, or Chart.yaml's")
    parser.add_argument("--helm", help="also try every leaf out with this helm")
    parser.add_argument("--go", default="go")
    parser.add_argument("-o", "--out", required=True)
    arguments = parser.parse_args()
    chart = open_chart(arguments.chart, arguments.version)
    print(write(chart, arguments.out, arguments.go))
    if not arguments.helm:
        return 0
    # Here and not above: the package need not be importable to make a contract.
    from contract_helm import compare  # noqa: PLC0415

    from genvalues import contracts  # noqa: PLC0415

    contract = contracts.load(chart.name, chart.version, [arguments.out])
    differences = compare(chart.folder, contract, arguments.helm) if contract else []
    print("\n".join(differences) or f"helm agrees on every value of {chart.name} {chart.version}")
    return 1 if differences else 0


def open_chart(folder: str, version: str | None = None) -> Chart:
    """The chart in a folder.

    Charts from a git checkout have a placeholder for a version; then `version` or the folder's name says which it is.
    """
    data = _yaml(os.path.join(folder, "Chart.yaml"))
    named = os.path.basename(os.path.abspath(folder))
    if version is None:
        version = str(data["version"]) if data["version"] in {named, named.removeprefix("v")} else named
    published = version.removeprefix("v")
    if data["name"] == "gpu-operator":
        return Chart(folder, data["name"], f"v{published}")
    return Chart(folder, data["name"], published)


def write(chart: Chart, out: str, go: str = "go") -> str:
    """Write a chart's contract below `out`; what was done, in one line."""
    index = _json(os.path.join(out, INDEX))
    stored = index.setdefault(chart.name, {})
    same = fingerprint(chart.folder)
    for version in stored:
        if version != chart.version and _json(_file(out, chart.name, version, "values"))["digest"] == same:
            stored[version] = sorted({*stored[version], chart.version})
            _save(os.path.join(out, INDEX), index)
            return f"{chart.name} {chart.version}: the same files as {version}"
    stored.setdefault(chart.version, [])
    index[chart.name] = dict(sorted(stored.items(), key=lambda item: _order(item[0])))
    files = derive(chart, out, go)
    os.makedirs(os.path.join(out, chart.name, chart.version), exist_ok=True)
    for name, data in files.items():
        _save(_file(out, chart.name, chart.version, name), data, depth=4 if name == "crds" else 2)
    _save(os.path.join(out, INDEX), dict(sorted(index.items())))
    _write_history(os.path.join(out, chart.name), list(index[chart.name]))
    return f"{chart.name} {chart.version}: {len(files['values']['paths'])} paths"


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.removeprefix("v").split(".") if part.isdecimal())


DERIVED = "the stored contracts"


def _write_history(folder: str, versions: Sequence[str]) -> None:
    """First and last stored version that reads each path, unless somebody knows better (versions without a contract)."""
    file = os.path.join(folder, "history.json")
    if _json(file).get("source", DERIVED) != DERIVED:
        return
    reads: dict[str, list[str]] = {}
    for version in versions:
        for path, record in _json(os.path.join(folder, version, "values.json"))["paths"].items():
            if record.get("read") != "never":
                reads.setdefault(path, []).append(version)
    first, last = versions[0], versions[-1]
    keys = {
        path: [None if found[0] == first else found[0], None if found[-1] == last else found[-1]]
        for path, found in sorted(reads.items())
        if found[0] != first or found[-1] != last
    }
    _save(file, {"source": DERIVED, "versions": list(versions), "keys": keys})


def derive(chart: Chart, out: str, go: str = "go") -> dict[str, dict[str, Any]]:
    """The contract's files by name. `out` holds the contracts that subcharts may refer to."""
    subject, referred = read(chart, out, go)
    header = {"chart": chart.name, "version": chart.version, "digest": fingerprint(chart.folder), "subcharts": referred}
    crds = {
        name: {"group": kind.group, "version": kind.version, "fields": _spec(kind)} for name, kind in subject.kinds.items()
    }
    own = {key: value for key, value in subject.defaults.items() if key not in referred}
    values = header | build(subject)
    return {"values": values, "crds": {"kinds": crds}, "images": {"images": images(own, values["paths"])}}


def read(chart: Chart, out: str, go: str = "go") -> tuple[Subject, dict[str, Any]]:
    """What a chart's files say, and its subcharts that have a contract of their own."""
    defaults = _yaml(os.path.join(chart.folder, "values.yaml"))
    schema = _schema(chart.folder)
    conditions: dict[str, Path] = {}
    referred: dict[str, Any] = {}
    inlined: dict[str, str] = {}
    for dependency in _yaml(os.path.join(chart.folder, "Chart.yaml")).get("dependencies", ()):
        key, name = dependency.get("alias", dependency["name"]), dependency["name"]
        folder = os.path.join(chart.folder, "charts", name)
        condition = dependency["condition"].split(",")[0]
        conditions[key] = tuple(condition.split("."))
        if (version := _stored(folder, name, out)) is not None:
            over = defaults.get(key) or {}
            referred[key] = {"chart": name, "version": version, "if": condition, "defaults": over}
        else:
            inlined[name] = key
            defaults[key] = _merged(_yaml(os.path.join(folder, "values.yaml")), defaults.get(key) or {})
            schema |= {f"{key}.{path}": field for path, field in _schema(folder).items()}
    found = kinds(chart.folder, referred)
    scanned = scan(chart.folder, inlined, go)
    return Subject(scanned, found, defaults, conditions, frozenset(referred), schema), referred


def fingerprint(folder: str) -> str:
    """A digest of the files that decide what a chart does with values: templates, CRDs, values and their schema."""
    names = ["values.yaml", "values.schema.json"]
    names += (os.path.relpath(file, folder) for part in ("templates", "crds", "charts") for file in _below(folder, part))
    digest = hashlib.sha256()
    for name in sorted(names):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.path.basename(name) not in {"Chart.yaml", "README.md", ".helmignore"}:
            with open(path, "rb") as stream:
                digest.update(name.encode() + b"\0" + hashlib.sha256(stream.read()).digest())
    return digest.hexdigest()[:16]


def _below(folder: str, part: str) -> list[str]:
    pattern = os.path.join(glob.escape(folder), part, "**", "*")
    return [file for file in glob.glob(pattern, recursive=True) if os.path.isfile(file) and not file.endswith(".gotmpl")]


def _stored(folder: str, name: str, out: str) -> str | None:
    """The stored version of a chart that a subchart is file for file, by the subchart's own version if that is covered."""
    same = fingerprint(folder)
    own = str(_yaml(os.path.join(folder, "Chart.yaml"))["version"])
    for version, covers in _json(os.path.join(out, INDEX)).get(name, {}).items():
        if _json(_file(out, name, version, "values"))["digest"] == same:
            return own if own in covers else str(version)
    return None


def _spec(kind: Kind) -> dict[str, Any]:
    return {path: field for path, field in sorted(kind.fields.items()) if path == "spec" or path.startswith("spec.")}


def _schema(folder: str) -> dict[str, Any]:
    file = os.path.join(folder, "values.schema.json")
    return dict(values_schema(_json(file))) if os.path.isfile(file) else {}


def _merged(below: Any, above: Any) -> Any:
    """Values as Helm merges them: maps key by key, anything else replaced, null removes."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    merged = dict(below)
    for key, value in above.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(merged[key], value) if key in merged else value
    return merged


def _file(out: str, chart: str, version: str, name: str) -> str:
    return os.path.join(out, chart, version, f"{name}.json")


def _yaml(file: str) -> dict[str, Any]:
    with open(file, encoding="utf-8") as stream:
        data: dict[str, Any] = yaml.load(stream, yaml.CSafeLoader)
    return data


def _json(file: str) -> dict[str, Any]:
    if not os.path.isfile(file):
        return {}
    with open(file, encoding="utf-8") as stream:
        data: dict[str, Any] = json.load(stream)
    return data


def _save(file: str, data: Mapping[str, Any], depth: int = 2) -> None:
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(lines(data, depth) + "\n")


def lines(data: Any, depth: int = 2) -> str:
    """JSON with one line for each entry of the outer maps and lists, so that diffs can be read."""
    if depth and isinstance(data, Mapping) and data:
        inner = ",\n".join(f"{json.dumps(key)}:{lines(value, depth - 1)}" for key, value in data.items())
        return "{\n" + inner + "\n}"
    if depth and isinstance(data, list) and data:
        return "[\n" + ",\n".join(lines(value, depth - 1) for value in data) + "\n]"
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main())
