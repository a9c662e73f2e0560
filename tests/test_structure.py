"""Our reading of the schemas in schemas/bodies, against jsonschema's."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7

from genvalues import paths
from genvalues.finding import format_route
from genvalues.structure import matches, problems, schema

VECTORS = Path(__file__).with_name("vectors")
NAMES = sorted(name.removesuffix(".schema.json") for name in os.listdir(os.path.join(paths.schemas(), "bodies")))
REGISTRY: Registry[Any] = Registry().with_resources(
    [(schema(name)["$id"], DRAFT7.create_resource(schema(name))) for name in NAMES]
)


def theirs(name: str, body: Any) -> bool:
    return bool(Draft7Validator(schema(name), registry=REGISTRY).is_valid(body))


def ours(name: str, body: Any) -> bool:
    return next(problems(body, name), None) is None


@cache
def bodies(name: str) -> list[Any]:
    if name == "kube-scheduler-configuration":
        cases = json.loads((VECTORS / "sched-config-cases.json").read_text("utf-8"))["cases"]
        return [yaml.safe_load(case["yaml"]) for case in cases]
    if name == "kubespray-scheduler":
        return [{"kube_scheduler_profiles": body.get("profiles")} for body in bodies("kube-scheduler-configuration")]
    cases = json.loads((VECTORS / "sharing-vectors.json").read_text("utf-8"))[name.replace("-", "_")]
    return [yaml.safe_load(case["input"]) for case in cases]


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_on_vectors_are_those_of_jsonschema(name: str) -> None:
    """Every vector, right or wrong, is judged as jsonschema judges it; there are some of both."""
    verdicts = [ours(name, body) for body in bodies(name)]

    assert verdicts == [theirs(name, body) for body in bodies(name)]
    assert {True, False} == set(verdicts)


VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, -1, 2.0, 1.5, "", "all", "v1", "x", "nvidia.com/gpu", [], [0, 0], {}]
)


def routes(body: Any, route: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    return [route, *(below for key, value in items for below in routes(value, (*route, key)))]


def changed(body: Any, route: tuple[Any, ...], value: Any, *, added: bool) -> Any:
    copy = json.loads(json.dumps(body))
    if not route:
        return value
    node = copy
    for step in route[:-1]:
        node = node[step]
    if added and isinstance(node, dict):
        node["other"] = value
    elif value is None and isinstance(node, dict):
        del node[route[-1]]
    else:
        node[route[-1]] = value
    return copy


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_verdicts_on_changed_bodies_are_those_of_jsonschema(data: st.DataObject) -> None:
    """A body with one node replaced, removed or added is judged as jsonschema judges it."""
    name = data.draw(st.sampled_from(NAMES))
    body = data.draw(st.sampled_from([one for one in bodies(name) if one is not None]))
    route = data.draw(st.sampled_from(routes(body)))
    other = changed(body, route, data.draw(VALUES), added=data.draw(st.booleans()))

    assert ours(name, other) == theirs(name, other)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"version": "v2"}, [("version", 'version is "v2", where v1 is expected', "version: v1")]),
        (
            {"version": "v1", "sharing": {"mps": {"renameByDefault": "true", "resources": []}}},
            [
                (
                    "sharing.mps.renameByDefault",
                    'renameByDefault is "true", where true or false is expected',
                    "renameByDefault: true",
                ),
                (
                    "sharing.mps.resources",
                    "resources is empty",
                    "resources: [{name: nvidia.com/gpu, replicas: 4}], or no block at all where nothing is shared",
                ),
            ],
        ),
        (
            {"version": "v1", "sharring": {}},
            [("sharring", "there is no key sharring at the top level", "did you mean sharing?")],
        ),
        (
            {"version": "v1", "flags": 3},
            [("flags", "flags is 3, where a mapping is expected", "write a mapping, or remove it")],
        ),
        (None, [("", "the document has no value, where a mapping is expected", "write a mapping, or remove it")]),
    ],
)
def test_faults_are_said_in_plain_words(body: Any, found: list[tuple[str, str, str]]) -> None:
    """Where, what is there and what is expected, and what to type."""
    said = [(format_route(one.route), one.message, one.fix) for one in problems(body, "device-plugin")]

    assert said == found


def test_a_misspelt_key_is_not_missing_as_well() -> None:
    """migEnabled for mig-enabled is one fault."""
    body = {"version": "v1", "mig-configs": {"off": [{"devices": "all", "migEnabled": False}]}}

    assert [(one.keyword, one.fix) for one in problems(body, "mig-parted")] == [
        ("additionalProperties", "did you mean mig-enabled?")
    ]


def test_keys_of_any_case_are_judged_below() -> None:
    """For a reader that takes keys of any case, what stands below such a key counts."""
    body = {"version": "v1", "sharing": {"timeslicing": {"resources": []}}}

    assert [one.keyword for one in problems(body, "device-plugin", any_case=True)] == ["case", "minItems"]
    assert [one.keyword for one in problems(body, "device-plugin")] == ["additionalProperties"]


def test_a_pattern_ends_where_the_text_ends() -> None:
    """`$` does not stand before a last line break, as it does for Python."""
    assert not matches("^a$", "a\n")
    assert matches("^a$", "a")
