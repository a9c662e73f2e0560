from genvalues.finding import Route, format_route, parse_route


def test_route_is_spelt_as_the_public_json_form_says() -> None:
    """Dots between plain keys, brackets around indices and quoted brackets around any other key."""
    route: Route = ("pools", 0, "labels", 'a"b\\c', "nvidia.com/gpu", "x-y_z")

    assert format_route(route) == 'pools[0].labels["a\\"b\\\\c"]["nvidia.com/gpu"].x-y_z'


def test_route_reads_back() -> None:
    """Parsing is the inverse of formatting, a list or a quoted key at the root included."""
    routes: list[Route] = [(), (0,), ("a.b",), ("a", 1, 2, "c d", ""), ("a", "]")]

    assert [parse_route(format_route(r)) for r in routes] == routes
