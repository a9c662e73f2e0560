"""Objects of the operators held against the schemas of their CRDs, as the API server holds them.

Unknown fields are dropped, wrong values refuse the object. apiVersion, kind and status are left to whoever applies the object. NodeFeatureRules have rules of their own.
"""

import json
import os.path
from collections.abc import Iterator, Mapping
from functools import cache

from genvalues import paths, structure
from genvalues.contracts.scalars import show
from genvalues.document import Kind
from genvalues.finding import Hit, Json, format_route
from genvalues.lint.part import Part
from genvalues.structure import Problem
from genvalues.wording import entry, quoted

_FILES: Mapping[Kind, tuple[str, str, str]] = {
    "cluster-policy": ("gpu-operator", "clusterpolicy-nvidia-v1.json", "ClusterPolicy"),
    "nvidia-driver": ("gpu-operator", "nvidiadriver-nvidia-v1alpha1.json", "NVIDIADriver"),
    "nic-cluster-policy": ("network-operator", "nicclusterpolicy-mellanox-v1alpha1.json", "NicClusterPolicy"),
}

KINDS = frozenset(_FILES)

_OF_SPEC = 2  # steps of the route of a field right below spec


def hits(part: Part) -> Iterator[Hit]:
    """What the API server drops or refuses of an object; nothing for kinds without a CRD of ours."""
    if part.body.kind not in _FILES:
        return
    chart, file, kind = _FILES[part.body.kind]
    version = part.body.chart.version if part.body.chart and part.body.chart.name == chart else "999"
    schema = _schema(chart, version, file)
    data = part.body.data
    if not isinstance(data, dict):
        return
    judged = _without_nulls({key: value for key, value in data.items() if key not in ("apiVersion", "kind", "status")})
    for problem in structure.against(judged, schema):
        if problem.keyword == "required" and len(problem.route) == _OF_SPEC and _is_patch(judged, schema):
            continue
        if problem.keyword == "required":
            text = (
                f"{format_route(problem.route)} is missing, which {kind} must have: the API server refuses the object"
            )
            yield Hit(problem.route, text, entry(problem.route, _empty(schema, problem)), verdict="refused")
        else:
            yield _hit(part, problem, kind)


def _is_patch(data: Json, schema: Json) -> bool:
    """Whether an object is a patch for one, as kustomize lays them over others: most of what its spec must have is not there."""
    required = schema.get("properties", {}).get("spec", {}).get("required", ())
    spec = data.get("spec")
    return isinstance(spec, dict) and 2 * sum(name in spec for name in required) < len(required)


def _empty(schema: Json, problem: Problem) -> str:
    """What may stand at a required field, at least."""
    for step in problem.route:
        schema = schema.get("items", {}) if isinstance(step, int) else schema.get("properties", {}).get(step, {})
    return {"object": "{}", "array": "[]"}.get(next(iter(_types(schema)), ""), "...")


def _types(schema: Json) -> list[str]:
    types = schema.get("type", [])
    return types if isinstance(types, list) else [types]


def _hit(part: Part, problem: Problem, kind: str) -> Hit:
    path = format_route(problem.route)
    if problem.keyword == "additionalProperties":
        text = (
            f"{path} is no field of {kind}: the API server drops it, or refuses the object where validation is strict"
        )
        return Hit(problem.route, text, problem.fix, at="key", verdict="pruned")
    value = part.value(problem.route)
    typed = part.raw(problem.route)
    if (
        problem.keyword in ("type", "enum")
        and typed is not None
        and isinstance(value, (bool, int, float))
        and typed != show(value)
    ):
        text = f"{path} is {typed} without quotes, which is {show(value)} to the API server: it refuses the object"
        return Hit(problem.route, text, entry(problem.route, quoted(typed)), verdict="mistyped")
    if problem.keyword == "type" and isinstance(value, (bool, int, float)) and "a text" in problem.message:
        fix = entry(problem.route, quoted(typed or show(value)))
        return Hit(problem.route, f"{problem.message}: the API server refuses the object", fix, verdict="refused")
    return Hit(
        problem.route,
        f"{problem.message}: the API server refuses the object",
        problem.fix,
        at=problem.at,
        verdict="refused",
    )


@cache
def _schema(chart: str, version: str, file: str) -> Json:
    """The schema of a kind as of a chart version, without what is left to others."""
    from genvalues import kubeconform  # noqa: PLC0415  30 ms, and few files hold such objects

    base = os.path.join(paths.schemas(), "kubernetes")
    for folder in kubeconform.folders("1.34", {chart: version}):
        if folder.startswith(f"{chart}-"):
            with open(os.path.join(base, folder, file), encoding="utf-8") as stream:
                schema = json.load(stream)
            kept = {
                key: value for key, value in schema["properties"].items() if key not in ("apiVersion", "kind", "status")
            }
            required = [name for name in schema.get("required", ()) if name in kept]
            return _without_nulls({**schema, "properties": kept, "required": required})
    return {}


def _without_nulls(node: Json) -> Json:
    """An object without its nulls, which the API server drops; a schema that no longer has to allow them."""
    if isinstance(node, dict):
        return {key: _without_nulls(value) for key, value in node.items() if value is not None}
    if isinstance(node, list):
        kept = [_without_nulls(value) for value in node if value not in (None, "null")]
        return kept[0] if len(kept) == 1 and len(node) == 2 and "null" in node else kept
    return node
