import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from genvalues.facts import check

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.floats(-1, 1), st.sampled_from(["", "x", "580", "h100", "10de"])
)
NODES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "580", "name"]), inner, max_size=3)
    ),
    max_leaves=6,
)
SCHEMAS: list[Any] = [
    {"type": ["string", "null"], "pattern": "^[0-9]{3}$"},
    {"type": "integer", "minimum": 0},
    {"type": ["number", "null"]},
    {"type": "boolean"},
    {"enum": ["x", "h100", None]},
    {"type": "string", "minLength": 1},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
    {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"pattern": "^[0-9]+$"}},
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}}},
    },
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SCHEMAS), NODES)
def test_our_verdict_is_that_of_json_schema(schema: Any, data: Any) -> None:
    """What jsonschema takes has no fault, what it refuses has one; floats without a fraction apart, see below."""
    if not whole_floats(data):
        assert Draft202012Validator(schema).is_valid(data) == (list(check.faults(schema, data)) == [])


def whole_floats(data: Any) -> bool:
    if isinstance(data, dict):
        return any(whole_floats(value) for value in data.values())
    if isinstance(data, list):
        return any(whole_floats(value) for value in data)
    return isinstance(data, float) and data.is_integer()


def test_a_float_is_no_whole_number() -> None:
    """JSON Schema takes 2.0 for an integer; here it is refused, for it would be written back otherwise."""
    assert list(check.faults({"type": "integer"}, 2.0)) == ["2.0 is not a whole number"]


@pytest.mark.parametrize(
    ("schema", "data", "fault"),
    [
        ({"properties": {"a": {"enum": ["x", None]}}}, {"a": "y"}, "a: 'y' is none of x, null"),
        ({"items": {"type": ["string", "null"]}}, [1], "[0]: 1 is not a text or null"),
        ({"required": ["a.b"]}, {}, '["a.b"] is missing'),
        ({"additionalProperties": False, "properties": {"a": {}, "b": {}}}, {"c": 1}, "c: unknown key; known are a, b"),
        ({"propertyNames": {"pattern": "^x"}}, {"y": 1}, "y: the key 'y' does not look like ^x"),
        ({"minItems": 2, "maxItems": 2}, [1], "1 items where 2 are needed"),
        ({"minItems": 1}, [], "0 items where at least 1 are needed"),
        ({"minLength": 1}, "", "a text is needed here"),
        ({"minimum": 0}, -1, "-1 is less than 0"),
    ],
)
def test_faults_are_said_in_words(schema: Any, data: Any, fault: str) -> None:
    """The place as a route, then what is wrong and what would be right."""
    assert [fault] == list(check.faults(schema, data))


def test_a_keyword_that_is_not_understood_is_no_silence() -> None:
    """A schema that asks for more than the checks know ends in an error, not in approval."""
    with pytest.raises(KeyError):
        list(check.faults({"oneOf": []}, 1))


def test_what_may_be_unknown_is_filled_in() -> None:
    """Null, an empty list or an empty mapping where the schema takes it; what must be stated stays missing."""
    schema = {
        "properties": {
            "null": {"type": ["string", "null"]},
            "enum": {"enum": ["x", None]},
            "list": {"type": "array"},
            "some": {"type": "array", "minItems": 1},
            "map": {"type": "object", "additionalProperties": {"properties": {"deep": {"enum": [None]}}}},
            "fixed": {"type": "object", "properties": {}},
            "text": {"type": "string"},
            "rows": {"type": "array", "items": {"properties": {"deep": {"enum": [None]}}}},
        }
    }
    stated: Any = {"map": {"a": {}}, "rows": [{}], "other": 1}
    before = copy.deepcopy(stated)

    assert check.completed(schema, stated) == {
        "null": None, "enum": None, "list": [], "map": {"a": {"deep": None}}, "rows": [{"deep": None}], "other": 1,
    }  # fmt: skip
    assert before == stated
