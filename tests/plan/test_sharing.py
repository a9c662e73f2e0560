"""What pools advertise and how they are labelled, from the site's sharing configs."""

from typing import Any

import pytest

from genvalues import facts, model
from genvalues.plan import resolve
from genvalues.plan.kinds import Resource
from genvalues.plan.sharing import mixes, replicated

FACTS = facts.load()
H100 = {"model": "h100-sxm5-80gb", "count": 8}


def plan(config: Any, gpu: Any = H100, **more: Any) -> Any:
    data = {
        "name": "test",
        "cluster": {"kubernetes": "1.35.0", "distribution": "kubeadm"},
        "charts": {"gpuOperator": "v26.7.0"},
        "hardware": {"pools": [{"name": "gpu", "gpu": gpu, "sharing": "one", **more}]},
        "sharing": {"configs": {"one": config}},
    }
    return resolve(model.build(data), FACTS)


def mig(*layouts: tuple[Any, dict[str, int]], strategy: str | None = None) -> dict[str, Any]:
    named = [{"gpus": gpus, "profiles": profiles} for gpus, profiles in layouts]
    return {"layouts": named} if strategy is None else {"strategy": strategy, "layouts": named}


SEVEN = {"1g.10gb": 7}


@pytest.mark.parametrize(
    ("config", "advertised", "product"),
    [
        ({"timeSlicing": {"replicas": 4}}, {"nvidia.com/gpu": 32}, "NVIDIA-H100-80GB-HBM3-SHARED"),
        (
            {"timeSlicing": {"replicas": 4, "renameByDefault": True}},
            {"nvidia.com/gpu.shared": 32},
            "NVIDIA-H100-80GB-HBM3",
        ),
        ({"mps": {"replicas": 10}}, {"nvidia.com/gpu": 80}, "NVIDIA-H100-80GB-HBM3-SHARED"),
        ({"mig": mig(("all", SEVEN), strategy="single")}, {"nvidia.com/gpu": 56}, "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb"),
        ({"mig": mig(("all", SEVEN), strategy="mixed")}, {"nvidia.com/mig-1g.10gb": 56}, "NVIDIA-H100-80GB-HBM3"),
        ({"mig": mig(("all", SEVEN))}, {"nvidia.com/mig-1g.10gb": 56}, "NVIDIA-H100-80GB-HBM3"),
        (
            {"mig": mig(("all", {"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1}))},
            {"nvidia.com/mig-1g.10gb": 16, "nvidia.com/mig-2g.20gb": 8, "nvidia.com/mig-3g.40gb": 8},
            "NVIDIA-H100-80GB-HBM3",
        ),
        (
            {"mig": mig(([0, 1], SEVEN)), "timeSlicing": {"replicas": 2}},
            {"nvidia.com/mig-1g.10gb": 28, "nvidia.com/gpu": 12},
            "NVIDIA-H100-80GB-HBM3-SHARED",
        ),
        # All GPUs in MIG mode under mixed: their own label says nothing of sharing (k8s-device-plugin, internal/lm).
        (
            {"mig": mig(("all", SEVEN)), "timeSlicing": {"replicas": 2}},
            {"nvidia.com/mig-1g.10gb": 112},
            "NVIDIA-H100-80GB-HBM3",
        ),
        (
            {"mig": mig(("all", SEVEN), strategy="single"), "timeSlicing": {"replicas": 2}},
            {"nvidia.com/gpu": 112},
            "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED",
        ),
        (
            {"mig": mig(("all", {"1g.10gb+me": 1})), "timeSlicing": {"resources": {"nvidia.com/mig-1g.10gb.me": 3}}},
            {"nvidia.com/mig-1g.10gb.me": 24},
            "NVIDIA-H100-80GB-HBM3",
        ),
        ({"mig": mig(([0], SEVEN), strategy="single")}, {}, "NVIDIA-H100-80GB-HBM3-MIG-INVALID"),
    ],
)
def test_resources_and_product_follow_the_config(config: Any, advertised: dict[str, int], product: str) -> None:
    """Eight GPUs: instances times replicas; the label as GPU feature discovery writes it."""
    sharing = plan(config).pools[0].sharing

    assert ({one.name: one.per_node for one in sharing.resources}, sharing.product) == (advertised, product)


def test_resource_knows_what_stands_behind_it() -> None:
    """A MIG device has its profile's memory, and is shared where the config says so."""
    sharing = plan({"mig": mig(("all", SEVEN)), "timeSlicing": {"replicas": 2}}).pools[0].sharing

    assert sharing.resources == (Resource("nvidia.com/mig-1g.10gb", 112, "mig", shared=True, memory_mib=9984),)


@pytest.mark.parametrize(
    ("config", "advertised"),
    [
        ({"timeSlicing": {"replicas": 4}}, {"nvidia.com/gpu": None}),
        ({"mig": mig(("all", SEVEN))}, {"nvidia.com/mig-1g.10gb": None}),
        ({"mig": mig(([0, 1], SEVEN))}, {"nvidia.com/mig-1g.10gb": 14}),
    ],
)
def test_numbers_are_not_made_up(config: Any, advertised: dict[str, int | None]) -> None:
    """Without gpu.count only what the layouts themselves count is known."""
    sharing = plan(config, {"model": "h100-sxm5-80gb"}).pools[0].sharing

    assert {one.name: one.per_node for one in sharing.resources} == advertised


def test_the_last_layout_of_a_gpu_counts() -> None:
    """As mig-parted has it; GPUs in no layout are whole, indices beyond the count are nothing."""
    site = model.build(
        {
            "name": "test",
            "cluster": {"kubernetes": "1.35.0", "distribution": "kubeadm"},
            "charts": {"gpuOperator": "v26.7.0"},
            "hardware": {"pools": [{"name": "gpu"}]},
            "sharing": {"configs": {"one": {"mig": mig(([0, 1], SEVEN), ([1, 9], {"7g.80gb": 1}))}}},
        }
    )

    assert mixes(site.sharing["one"], 4) == (SEVEN, {"7g.80gb": 1}, None, None)


@pytest.mark.parametrize(
    ("config", "shared"),
    [
        ({"timeSlicing": {"replicas": 4}}, (("nvidia.com/gpu", 4),)),
        ({"timeSlicing": {"replicas": 4, "renameByDefault": True}}, (("nvidia.com/gpu", 4),)),
        (
            {"mig": mig(([0], SEVEN)), "timeSlicing": {"replicas": 2}},
            (("nvidia.com/mig-1g.10gb", 2), ("nvidia.com/gpu", 2)),
        ),
        ({"mig": mig(("all", SEVEN), strategy="single"), "timeSlicing": {"replicas": 2}}, (("nvidia.com/gpu", 2),)),
        ({"timeSlicing": {"resources": {"nvidia.com/gpu": 3}}}, (("nvidia.com/gpu", 3),)),
    ],
)
def test_config_is_written_for_the_resources_of_its_pools(config: Any, shared: tuple[tuple[str, int], ...]) -> None:
    """The names before renaming, which is what the device plugin takes."""
    made = plan(config)

    assert replicated(made.sharing.device_plugin[0], made.pools) == shared
