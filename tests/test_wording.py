"""Words that findings share."""

import pytest
import yaml

from genvalues.finding import Json, Route
from genvalues.wording import cut, distance, entry, inline, listed, nearest, shown

NAMES = ["kubernetes", "distribution", "containerRuntime", "containerRuntimeVersion", "namespaces", "gpu", "os", "gpuOperator"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("kubernetis", "kubernetes"),
        ("Kubernetes", "kubernetes"),
        ("distrubution", "distribution"),
        ("container_runtime", "containerRuntime"),
        ("namespace", "namespaces"),
        ("gpus", "gpu"),
        ("gpuOp", "gpuOperator"),
        ("namspaces", "namespaces"),
        ("model", None),
        ("x", None),
        ("so", "os"),
        ("", None),
    ],
)
def test_the_nearest_name_is_what_was_meant(name: str, meant: str | None) -> None:
    """Slips, case and punctuation are seen through; a name unlike all is no slip."""
    assert meant == nearest(name, NAMES)


@pytest.mark.parametrize(
    ("a", "b", "slips"), [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1), ("kitten", "sitting", 3), ("", "ab", 2)]
)
def test_distance_counts_slips(a: str, b: str, slips: int) -> None:
    """A letter added, taken or changed, or two neighbours swapped, is one."""
    assert slips == distance(a, b)


def test_distance_gives_up_on_long_texts() -> None:
    """A megabyte is compared with nothing."""
    assert 1_000_000 == distance("x" * 1_000_000, "abc")


@pytest.mark.parametrize(
    "value",
    ["h100", "580.10", "on", "", "a: b", "#x", "oci://r.example.internal/charts", "^gn-", "1g.10gb", {"a": [1, {"on": None}]},
     [], {}, True, 0.5, {"nvidia.com/gpu": "x y", "a": "x #y", "b": "- c", "c": "{x}"}, "null", "~", "deb https://m/u main"],
)  # fmt: skip
def test_values_on_one_line_read_back(value: Json) -> None:
    """What is shown as a fix is YAML for the value, in a list and in a mapping as well."""
    assert {"k": [value], "l": value} == yaml.safe_load(f"k: [{inline(value)}]\nl: {inline(value)}\n")


def test_quotes_stand_only_where_they_are_needed() -> None:
    """And around versions, as one writes them."""
    assert '{model: h100, os: {version: "22.04"}, driver: "580.95.05", row: "on"}' == inline(
        {"model": "h100", "os": {"version": "22.04"}, "driver": "580.95.05", "row": "on"}
    )


@pytest.mark.parametrize(
    ("route", "line"), [(("a", "b"), "b: 1"), (("a", 0), "- 1"), (("on",), '"on": 1'), (("a b",), "a b: 1"), (("nvidia.com/gpu",), "nvidia.com/gpu: 1")]
)
def test_an_entry_is_the_line_to_type(route: Route, line: str) -> None:
    """Key and value, or an item of a list."""
    assert line == entry(route, "1")


def test_lists_and_cuts() -> None:
    """Enumerations have their last word, long texts an end."""
    assert ["a", "a or b", "a, b and c"] == [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "and")]
    assert [60, 60, "a b"] == [len(cut("x" * 99)), len(shown("x" * 99)), cut("a\n  b")]
