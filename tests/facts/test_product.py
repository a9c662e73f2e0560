from typing import Any

import pytest

from genvalues.facts import product
from genvalues.facts.product import Exposed

SEVEN = {"1g.10gb": 7}
GPU = product.GPU


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("NVIDIA H100 80GB HBM3", "NVIDIA-H100-80GB-HBM3"),
        ("Tesla V100-SXM2-16GB", "Tesla-V100-SXM2-16GB"),
        ("NVIDIA  A100 (custom) @ 40GB", "NVIDIA-A100-custom-40GB"),
        ("1g.24gb+gfx", "1g.24gbgfx"),
    ],
)
def test_product_names_become_labels(name: str, label: str) -> None:
    """Characters that a label cannot hold go, blanks become one dash."""
    assert label == product.sanitised(name)


@pytest.mark.parametrize(
    ("profile", "shared", "label"),
    [
        (None, False, "NVIDIA-H100-80GB-HBM3"),
        (None, True, "NVIDIA-H100-80GB-HBM3-SHARED"),
        ("1g.10gb", False, "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb"),
        ("1g.10gb", True, "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED"),
        ("1g.10gb+me", False, "NVIDIA-H100-80GB-HBM3-MIG-1g.10gbme"),
    ],
)
def test_product_label_follows_mig_and_sharing(profile: str | None, shared: bool, label: str) -> None:
    """-MIG-<profile> without its plus, then -SHARED."""
    assert label == product.product_label("NVIDIA-H100-80GB-HBM3", profile, shared=shared)


def test_a_label_of_an_rtx_pro_6000_can_be_too_long() -> None:
    """The server edition's name has 44 characters; with a graphics MIG profile and sharing it comes to 66 of 63."""
    label = product.product_label("NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", "1g.24gb+gfx", shared=True)

    assert (len(label), product.is_label(label)) == (66, False)


@pytest.mark.parametrize(
    ("value", "fine"),
    [
        ("", True),
        ("a", True),
        ("a" * 63, True),
        ("a" * 64, False),
        ("-a", False),
        ("a.", False),
        ("a b", False),
        ("a\n", False),
    ],
)
def test_label_values_are_those_of_the_api_server(value: str, fine: bool) -> None:
    """At most 63 characters, alphanumeric at both ends, with dots, dashes and underscores between."""
    assert fine is product.is_label(value)


@pytest.mark.parametrize(
    ("replicas", "renamed", "expected"),
    [
        ({GPU: 4}, False, {GPU: 32, "nvidia.com/mig-1g.10gb": 7}),
        ({GPU: 4}, True, {"nvidia.com/gpu.shared": 32, "nvidia.com/mig-1g.10gb": 7}),
        ({GPU: 4, "nvidia.com/mig-1g.10gb": 2}, False, {GPU: 32, "nvidia.com/mig-1g.10gb": 14}),
        ({"nvidia.com/mig-2g.20gb": 2}, False, {GPU: 8, "nvidia.com/mig-1g.10gb": 7}),
    ],
)
def test_capacity_is_that_of_the_device_plugin(
    replicas: dict[str, int], renamed: bool, expected: dict[str, int]
) -> None:
    """Eight whole GPUs and seven MIG devices, as the plugin's own code multiplied them (vectors)."""
    found = product.resources("mixed", [*[None] * 8, SEVEN], replicas, renamed=renamed)

    assert expected == {one.name: one.number for one in found}


@pytest.mark.parametrize(
    ("strategy", "gpus", "replicas", "renamed", "expected"),
    [
        ("single", [SEVEN] * 8, {}, False, (Exposed(GPU, 56, GPU),)),
        ("mixed", [SEVEN] * 8, {}, False, (Exposed("nvidia.com/mig-1g.10gb", 56, "nvidia.com/mig-1g.10gb"),)),
        (
            "mixed",
            [SEVEN] * 8,
            {"nvidia.com/mig-1g.10gb": 2},
            True,
            (Exposed("nvidia.com/mig-1g.10gb.shared", 112, "nvidia.com/mig-1g.10gb"),),
        ),
        (
            "mixed",
            [{"1g.10gb+me": 1}],
            {},
            False,
            (Exposed("nvidia.com/mig-1g.10gb.me", 1, "nvidia.com/mig-1g.10gb.me"),),
        ),
        (
            "mixed",
            [{"1g.24gb-me": 1}],
            {},
            False,
            (Exposed("nvidia.com/mig-1g.24gb-me", 1, "nvidia.com/mig-1g.24gb-me"),),
        ),
        ("none", [SEVEN, None], {GPU: 4}, False, (Exposed(GPU, 8, GPU),)),
        ("single", [None] * 2, {}, False, (Exposed(GPU, 2, GPU),)),
        ("single", [SEVEN, None], {}, False, ()),
        ("single", [{}], {}, False, ()),
        ("single", [{"1g.10gb": 2, "2g.20gb": 1}], {}, False, ()),
    ],
)
def test_resources_follow_the_mig_strategy(
    strategy: Any, gpus: Any, replicas: dict[str, int], renamed: bool, expected: tuple[Exposed, ...]
) -> None:
    """single counts MIG devices as GPUs and needs one profile on the node, mixed names each profile, none sees none."""
    assert expected == product.resources(strategy, gpus, replicas, renamed=renamed)


@pytest.mark.parametrize(
    ("strategy", "gpus", "replicas", "renamed", "expected"),
    [
        ("none", [None], {}, False, "M"),
        ("none", [None], {GPU: 2}, False, "M-SHARED"),
        ("none", [None], {GPU: 2}, True, "M"),
        ("none", [None], {"nvidia.com/not-gpu": 2}, False, "M"),
        ("none", [{}], {GPU: 2}, False, "M"),
        ("none", [{}, None], {GPU: 2}, False, "M-SHARED"),
        ("single", [None, None], {}, False, "M"),
        ("single", [SEVEN], {}, False, "M-MIG-1g.10gb"),
        ("single", [SEVEN], {GPU: 2}, False, "M-MIG-1g.10gb-SHARED"),
        ("single", [{}], {}, False, "M-MIG-INVALID"),
        ("single", [SEVEN, None], {}, False, "M-MIG-INVALID"),
        ("single", [{"1g.10gb": 1, "2g.20gb": 1}], {GPU: 2}, False, "M-MIG-INVALID"),
        ("mixed", [SEVEN], {GPU: 2}, False, "M"),
        ("mixed", [SEVEN, None], {GPU: 2}, False, "M-SHARED"),
    ],
)
def test_node_product_is_what_feature_discovery_writes(
    strategy: Any, gpus: Any, replicas: dict[str, int], renamed: bool, expected: str
) -> None:
    """As in the cases of k8s-device-plugin's mig-strategy_test.go and resource_test.go (M stands for the model)."""
    assert expected == product.node_product("M", strategy, gpus, replicas, renamed=renamed)


def test_single_says_why_it_does_not_hold() -> None:
    """One profile on every GPU is what strategy single needs."""
    assert [
        product.single_fault(gpus)
        for gpus in ([None], [SEVEN, SEVEN], [SEVEN, None], [SEVEN, {}], [{"2g.20gb": 1, "1g.10gb": 1}])
    ] == [
        None,
        None,
        "1 of 2 GPUs are not in MIG mode",
        "a GPU is in MIG mode but has no MIG devices",
        "2 MIG profiles on one node (1g.10gb, 2g.20gb)",
    ]


@pytest.mark.parametrize(
    ("capability", "plugin", "expected"),
    [
        ((7, 0), "0.17.0", "volta"),
        ((7, 5), "0.17.0", "turing"),
        ((8, 0), "0.17.0", "ampere"),
        ((8, 9), "0.17.0", "ada-lovelace"),
        ((9, 0), "0.17.0", "hopper"),
        ((10, 0), "0.17.1", "undefined"),
        ((10, 0), "0.17.2", "blackwell"),
        ((12, 0), "0.18.1", "blackwell"),
        ((11, 0), "0.20.0", "undefined"),
        ((13, 0), "0.19.3", "undefined"),
        ((13, 0), "0.20.0", "rubin"),
    ],
)
def test_family_follows_the_compute_capability(capability: tuple[int, int], plugin: str, expected: str) -> None:
    """Blackwell is undefined before device plugin 0.17.2, Ada is ada-lovelace, Thor never has a name."""
    assert expected == product.family(capability, plugin)
