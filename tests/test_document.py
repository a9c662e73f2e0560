import pytest

from genvalues.document import Builder, Chart, Decided, Doc, Why, leaves, plain
from genvalues.finding import Json, Route


def why(text: str, *routes: Route) -> Why:
    return Why(routes, text)


def test_builder_collects_body_reasons_and_head() -> None:
    """Maps are made as needed, tuples become lists, a later write wins, a fixed node has no reason."""
    builder = Builder("gpu-operator/values.yaml", "values", Chart("gpu-operator", "v25.10.1"), ["First.", "Second."])
    builder.fixed(("nfd", "enabled"), False)
    builder.put(("driver", "version"), Decided("570.1", why("old")))
    builder.put(("driver", "version"), Decided("580.95.05", why("new", ("driver", "version"))))
    builder.put(("daemonsets",), Decided({"tolerations": ({"key": "a"},)}, why("taints")))

    assert builder.doc() == Doc(
        "gpu-operator/values.yaml",
        "values",
        {
            "nfd": {"enabled": False},
            "driver": {"version": "580.95.05"},
            "daemonsets": {"tolerations": [{"key": "a"}]},
        },
        {("driver", "version"): why("new", ("driver", "version")), ("daemonsets",): why("taints")},
        {},
        Chart("gpu-operator", "v25.10.1"),
        ("First.", "Second."),
    )


def test_overlay_is_laid_leaf_by_leaf() -> None:
    """Maps merge, lists and scalars replace, and each leaf names its own line of the site beside the shared routes."""
    builder = Builder("values.yaml", "values")
    builder.put(("driver",), Decided({"enabled": False, "args": ["a", "b"], "env": {"x": 1}}, why("plan")))
    base: Route = ("overrides", "gpuOperator")

    builder.lay(
        (), {"driver": {"args": ["c"], "env": {}}, "new": {"deep": {"k": None}}}, why("override", base, ("pools", 0))
    )

    built = builder.doc()
    assert built.body == {
        "driver": {"enabled": False, "args": ["c"], "env": {"x": 1}},
        "new": {"deep": {"k": None}},
    }
    assert {route: reason.routes for route, reason in built.why.items()} == {
        ("driver",): (),
        ("driver", "args"): ((*base, "driver", "args"), ("pools", 0)),
        ("new", "deep", "k"): ((*base, "new", "deep", "k"), ("pools", 0)),
    }


@pytest.mark.parametrize(
    ("before", "overlay", "after"),
    [
        ({"a": {"b": 1}}, {}, {"a": {"b": 1}}),
        ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}),
        ({"a": 1}, {"a": {}}, {"a": {}}),
        ({}, {"a": {}}, {"a": {}}),
        ({"a": 1}, {"a": {"b": {"c": 2}}}, {"a": {"b": {"c": 2}}}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
    ],
)
def test_overlay_merges_as_helm_does(before: dict[str, Json], overlay: Json, after: Json) -> None:
    """An empty map leaves a map alone; a map takes the place of a scalar; null takes the place of a map."""
    builder = Builder("values.yaml", "values")
    for key, value in before.items():
        builder.fixed((key,), value)

    builder.lay((), overlay, why("override", ("overrides",)))

    assert builder.doc().body == after


def test_embedded_document_gives_way_to_a_later_write() -> None:
    """A node holds either a text of its own or another document's."""
    inner = Builder("any", "device-plugin").doc()
    builder = Builder("cm.yaml", "config-map")
    builder.embed(("data", "any"), inner)
    builder.embed(("data", "b"), inner)
    builder.fixed(("data", "b"), "text")

    built = builder.doc()

    assert (built.body, dict(built.embedded)) == ({"data": {"any": "", "b": "text"}}, {("data", "any"): inner})


def test_nearest_reason_above_speaks_for_a_node() -> None:
    """A leaf without a reason of its own has that of its map; without any, none."""
    built = Doc("a", "values", {}, {("a",): why("a"), ("a", "b", 0): why("item")}, {})

    assert [built.reason(route) for route in [("a", "b", 0, "x"), ("a", "b", 1), ("a",), ("c",), ()]] == [
        why("item"),
        why("a"),
        why("a"),
        None,
        None,
    ]


def test_plain_copies_all_the_way_down() -> None:
    """Changing the copy leaves the original alone."""
    original = {"a": [{"b": (1, 2)}]}
    copy = plain(original)
    copy["a"][0]["b"].append(3)

    assert (original, copy) == ({"a": [{"b": (1, 2)}]}, {"a": [{"b": [1, 2, 3]}]})


def test_leaves_in_order() -> None:
    """Scalars, and empty collections, each with its route."""
    data = {"b": [1, {"c": {}}], "a": [], "d": None}

    assert list(leaves(data)) == [(("b", 0), 1), (("b", 1, "c"), {}), (("a",), []), (("d",), None)]


def test_list_items_have_their_own_reasons() -> None:
    """Lists on the way are made as needed, and the index behind the last item appends."""
    builder = Builder("any.yaml", "manifest")
    builder.put(("spec", "rules", 0, "name"), Decided("a", why("first")))
    builder.put(("spec", "rules", 1, "name"), Decided("b", why("second")))
    builder.put(("spec", "rules", 0, "labels", "k"), Decided("v", why("label")))

    built = builder.doc()
    assert built.body == {"spec": {"rules": [{"name": "a", "labels": {"k": "v"}}, {"name": "b"}]}}
    assert built.reason(("spec", "rules", 1, "name")) == why("second")
    assert built.reason(("spec", "rules", 0, "labels", "k")) == why("label")


def test_replaced_collections_take_their_reasons_along() -> None:
    """What was said of the items of a list does not speak for the list that takes its place."""
    builder = Builder("any.yaml", "values")
    builder.put(("env", 0), Decided({"name": "A"}, why("ours")))

    builder.lay((), {"env": [{"name": "B"}]}, why("override", ("overrides",)))

    assert builder.doc().why == {("env",): Why((("overrides", "env"),), "override")}


def test_reason_without_words_takes_those_above() -> None:
    """Leaves of one block have lines of their own in the site, and the words of the block."""
    builder = Builder("any.yaml", "values")
    builder.put(("policy",), Decided({}, why("how pods are replaced")))
    builder.put(("policy", "drain"), Decided(True, why("", ("driver", "drain"))))
    builder.put(("lonely",), Decided(1, why("", ("a",))))

    built = builder.doc()
    assert built.reason(("policy", "drain")) == Why((("driver", "drain"),), "how pods are replaced")
    assert built.reason(("lonely",)) == Why((("a",),), "")
    assert built.reason(("other",)) is None
