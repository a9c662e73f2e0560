"""The NodeFeatureRule of a site; shapes from NFD's CRD (nfd.k8s-sigs.io/v1alpha1), ids from the PCI id list."""

from collections.abc import Callable
from typing import Any

from genvalues.artefacts import node_feature_rules
from genvalues.document import Decided, Why
from genvalues.plan.kinds import Matcher, PciMatch

PATH = "manifests/node-feature-rules.yaml"


def one_of(*values: str) -> dict[str, Any]:
    return {"op": "In", "value": list(values)}


def test_rule_of_a_pool(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Every label of the pool, on nodes that have the GPU and the name."""
    pool = {
        "name": "h100",
        "nodes": {"namePattern": "^gn-"},
        "gpu": {"model": "h100-sxm5-80gb", "count": 8},
        "role": "gpu",
        "instanceType": "8xh100-ib",
        "labels": {"example.internal/row": "a"},
    }

    doc = render(site(pools=[pool]))[PATH]

    assert doc.body == {
        "apiVersion": "nfd.k8s-sigs.io/v1alpha1",
        "kind": "NodeFeatureRule",
        "metadata": {"name": "dc1"},
        "spec": {
            "rules": [
                {
                    "name": "h100",
                    "labels": {
                        "feature.node.kubernetes.io/pool": "h100",
                        "node-role.kubernetes.io/gpu": "true",
                        "node.kubernetes.io/instance-type": "8xh100-ib",
                        "example.internal/row": "a",
                    },
                    "matchFeatures": [
                        {
                            "feature": "pci.device",
                            "matchExpressions": {
                                "vendor": one_of("10de"),
                                "class": one_of("0300", "0302"),
                                "device": one_of("2330"),
                            },
                        },
                        {
                            "feature": "system.name",
                            "matchExpressions": {"nodename": {"op": "InRegexp", "value": ["^gn-"]}},
                        },
                    ],
                }
            ]
        },
    }


def test_every_value_knows_its_line(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Labels and matchers lead to the place of the site that decided them."""
    pool = {"name": "a", "nodes": {"namePattern": "^gn-"}, "labels": {"example.internal/row": "a"}}
    doc = render(site(pools=[pool], defaults={"gpu": {"model": "t4"}}))[PATH]
    rule = ("spec", "rules", 0)

    assert [
        doc.reason((*rule, *route)).routes
        for route in (
            ("labels", "example.internal/row"),
            ("matchFeatures", 0, "matchExpressions", "device", "value", 0),
            ("matchFeatures", 1),
        )
    ] == [
        (("hardware", "pools", 0, "labels", "example.internal/row"),),
        (("hardware", "defaults", "gpu", "model"),),
        (("hardware", "pools", 0, "nodes", "namePattern"),),
    ]


def test_pools_keep_their_order_and_say_how_they_share(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A later rule overwrites labels of an earlier one, so rules stand as pools do; nobody runs kubectl label."""
    doc = render(
        site(
            pools=[
                {"name": "b", "gpu": {"model": "a100-sxm4-40gb", "count": 8}, "sharing": "split"},
                {"name": "a", "gpu": {"model": "t4", "count": 1}, "sharing": "dev"},
            ],
            sharing={
                "configs": {
                    "dev": {"timeSlicing": {"replicas": 4}},
                    "split": {"mig": {"layouts": [{"gpus": "all", "profiles": {"1g.5gb": 7}}]}},
                }
            },
        )
    )[PATH]

    assert [(rule["name"], rule["labels"]) for rule in doc.body["spec"]["rules"]] == [
        ("b", {"feature.node.kubernetes.io/pool": "b", "nvidia.com/mig.config": "split"}),
        ("a", {"feature.node.kubernetes.io/pool": "a", "nvidia.com/device-plugin.config": "dev"}),
    ]


def test_unknown_gpu_matches_any_nvidia_gpu(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Without PCI ids vendor and class remain: what NVIDIA's kernel module binds."""
    doc = render(site(pools=[{"name": "a"}]))[PATH]

    assert doc.body["spec"]["rules"][0]["matchFeatures"] == [
        {
            "feature": "pci.device",
            "matchExpressions": {"vendor": one_of("10de"), "class": one_of("0300", "0302")},
        }
    ]


def test_shared_device_id_needs_the_subsystem(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A2 and A16 are both 25b6; the subsystem tells them apart (157e and 14a9)."""
    pools = [{"name": "small", "gpu": {"model": "a2"}}, {"name": "vdi", "gpu": {"model": "a16"}}]

    doc = render(site(pools=pools))[PATH]

    assert [rule["matchFeatures"][0]["matchExpressions"] for rule in doc.body["spec"]["rules"]] == [
        {
            "vendor": one_of("10de"),
            "class": one_of("0300", "0302"),
            "device": one_of("25b6"),
            "subsystem_device": one_of("157e"),
        },
        {
            "vendor": one_of("10de"),
            "class": one_of("0300", "0302"),
            "device": one_of("25b6"),
            "subsystem_device": one_of("14a9"),
        },
    ]


def test_several_kinds_of_id_are_alternatives(site: Callable[..., Any], resolve: Callable[..., Any]) -> None:
    """Ids that tell by themselves and ids that need a subsystem cannot share a term; the name holds for all of them."""
    plan = resolve(site())
    gpus = (PciMatch("10de", ("0302",), ("2330",), ()), PciMatch("10de", ("0302",), ("25b6",), ("157e",)))
    matcher = Matcher(Decided(gpus, Why((), "ids")), Decided("^gn-", Why((), "names")))
    pool = plan.pools[0]._replace(matcher=matcher)

    (doc,) = node_feature_rules.render(plan._replace(pools=(pool,)))

    rule = doc.body["spec"]["rules"][0]
    assert rule["matchAny"] == [
        {
            "matchFeatures": [
                {
                    "feature": "pci.device",
                    "matchExpressions": {"vendor": one_of("10de"), "class": one_of("0302"), "device": one_of("2330")},
                }
            ]
        },
        {
            "matchFeatures": [
                {
                    "feature": "pci.device",
                    "matchExpressions": {
                        "vendor": one_of("10de"),
                        "class": one_of("0302"),
                        "device": one_of("25b6"),
                        "subsystem_device": one_of("157e"),
                    },
                }
            ]
        },
    ]
    assert [term["feature"] for term in rule["matchFeatures"]] == ["system.name"]
