import pytest

from genvalues.finding import Json, Route, format_route, node_at, parse_route


def test_route_is_spelt_as_the_public_json_form_says() -> None:
    """Dots between plain keys, brackets around indices and quoted brackets around any other key."""
    route: Route = ("pools", 0, "labels", 'a"b\\c', "nvidia.com/gpu", "x-y_z")

    assert format_route(route) == 'pools[0].labels["a\\"b\\\\c"]["nvidia.com/gpu"].x-y_z'


def test_route_reads_back() -> None:
    """Parsing is the inverse of formatting, a list or a quoted key at the root included."""
    routes: list[Route] = [(), (0,), ("a.b",), ("a", 1, 2, "c d", ""), ("a", "]")]

    assert [parse_route(format_route(r)) for r in routes] == routes


@pytest.mark.parametrize(
    ("route", "node"),
    [
        ((), {"a": [{"b": False}], "c": None}),
        (("a", 0, "b"), False),
        (("a", 1), None),
        (("a", "b"), None),
        (("a", 0, "b", "c"), None),
        (("c", "d"), None),
        (("x",), None),
    ],
)
def test_a_node_that_is_not_there_is_none(route: Route, node: Json) -> None:
    """Whatever stands on the way: a shorter list, a scalar, null, or a map without the key."""
    assert node == node_at({"a": [{"b": False}], "c": None}, route)
