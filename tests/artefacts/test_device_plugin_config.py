"""The device plugin's ConfigMap; bodies as k8s-device-plugin's README and api/config/v1 have them."""

from collections.abc import Callable
from typing import Any

PATH = "manifests/device-plugin-config.yaml"


def bodies(doc: Any) -> dict[str, Any]:
    """The documents in the ConfigMap by their keys."""
    return {key: doc.embedded["data", key].body for key in doc.body["data"]}


def test_nothing_shared_nothing_written(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Configs that no pool uses make no ConfigMap."""
    files = render(site(sharing={"configs": {"dev": {"timeSlicing": {"replicas": 4}}}}), only="device-plugin-config")

    assert files == {}


def test_time_slicing(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A key for each config that a pool uses and one for whole GPUs; without sharing there is no block for it."""
    doc = render(
        site(
            pools=[{"name": "t4", "gpu": {"model": "t4", "count": 2}, "sharing": "dev"}],
            sharing={
                "configs": {
                    "dev": {"timeSlicing": {"replicas": 4, "failRequestsGreaterThanOne": True}},
                    "unused": {"timeSlicing": {"replicas": 2}},
                }
            },
        )
    )[PATH]

    assert doc.body["metadata"] == {"name": "device-plugin-config", "namespace": "gpu-operator"}
    assert bodies(doc) == {
        "whole": {"version": "v1"},
        "dev": {
            "version": "v1",
            "sharing": {
                "timeSlicing": {
                    "failRequestsGreaterThanOne": True,
                    "resources": [{"name": "nvidia.com/gpu", "replicas": 4}],
                }
            },
        },
    }
    inner = doc.embedded["data", "dev"]
    assert inner.reason(("sharing", "timeSlicing", "resources", 0, "replicas")).routes == (
        ("sharing", "configs", "dev", "timeSlicing", "replicas"),
    )


def test_renaming_does_not_change_the_name_that_is_shared(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The suffix .shared is the plugin's to add; in the body the resource has its own name."""
    doc = render(
        site(
            pools=[{"name": "t4", "gpu": {"model": "t4", "count": 2}, "sharing": "dev"}],
            sharing={"configs": {"dev": {"timeSlicing": {"replicas": 4, "renameByDefault": True}}}},
        )
    )[PATH]

    assert bodies(doc)["dev"]["sharing"] == {
        "timeSlicing": {"renameByDefault": True, "resources": [{"name": "nvidia.com/gpu", "replicas": 4}]}
    }


def test_mps(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """MPS has a block of its own."""
    doc = render(
        site(
            pools=[{"name": "t4", "gpu": {"model": "t4", "count": 1}, "sharing": "dev"}],
            sharing={"configs": {"dev": {"mps": {"replicas": 10}}}},
        )
    )[PATH]

    assert bodies(doc)["dev"]["sharing"] == {"mps": {"resources": [{"name": "nvidia.com/gpu", "replicas": 10}]}}


def test_time_slicing_over_mig(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Under strategy mixed the MIG resources are shared, and the GPUs that stay whole; every pool's are listed."""
    layouts = [{"gpus": [0], "profiles": {"1g.10gb+me": 1, "3g.40gb": 1}}, {"gpus": [1], "profiles": {"1g.10gb": 7}}]
    config = {"timeSlicing": {"replicas": 2}, "mig": {"strategy": "mixed", "layouts": layouts}}
    doc = render(
        site(
            pools=[{"name": "a", "gpu": {"model": "h100-sxm5-80gb", "count": 4}, "sharing": "both"}],
            sharing={"configs": {"both": config}},
        )
    )[PATH]

    assert bodies(doc)["both"]["sharing"]["timeSlicing"]["resources"] == [
        {"name": "nvidia.com/mig-1g.10gb.me", "replicas": 2},
        {"name": "nvidia.com/mig-3g.40gb", "replicas": 2},
        {"name": "nvidia.com/mig-1g.10gb", "replicas": 2},
        {"name": "nvidia.com/gpu", "replicas": 2},
    ]


def test_replicas_by_resource(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Resources that the site names are written as they stand, and only these."""
    slicing = {"resources": {"nvidia.com/mig-1g.10gb": 3}}
    mig = {"layouts": [{"gpus": [0], "profiles": {"1g.10gb": 7}}]}
    doc = render(
        site(
            pools=[{"name": "a", "gpu": {"model": "h100-sxm5-80gb", "count": 2}, "sharing": "both"}],
            sharing={"configs": {"both": {"timeSlicing": slicing, "mig": mig}}},
        )
    )[PATH]

    assert bodies(doc)["both"]["sharing"]["timeSlicing"]["resources"] == [
        {"name": "nvidia.com/mig-1g.10gb", "replicas": 3}
    ]
