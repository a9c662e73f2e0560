"""The mig-parted ConfigMap; bodies as mig-parted's examples/config.yaml has them."""

from collections.abc import Callable
from typing import Any

PATH = "manifests/mig-parted-config.yaml"
OFF = [{"devices": "all", "mig-enabled": False}]


def configs(site: dict[str, Any], render: Callable[..., Any]) -> Any:
    doc = render(site, only="mig-parted-config")[PATH]
    body = doc.embedded["data", "config.yaml"].body
    assert body["version"] == "v1"
    return body["mig-configs"]


def pool(name: str, count: int | None, sharing: str = "split") -> dict[str, Any]:
    gpu = {"model": "a100-sxm4-40gb"} if count is None else {"model": "a100-sxm4-40gb", "count": count}
    return {"name": name, "gpu": gpu, "sharing": sharing}


def split(*layouts: tuple[str | list[int], dict[str, int]]) -> dict[str, Any]:
    written = [{"gpus": gpus, "profiles": profiles} for gpus, profiles in layouts]
    return {"configs": {"split": {"mig": {"layouts": written}}}}


def test_all_gpus_alike(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The config of the site, and all-disabled, which the operator's default names."""
    assert configs(site(pools=[pool("a", 8)], sharing=split(("all", {"1g.5gb": 7}))), render) == {
        "all-disabled": OFF,
        "split": [{"devices": "all", "mig-enabled": True, "mig-devices": {"1g.5gb": 7}}],
    }


def test_every_gpu_is_covered(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """GPUs in no layout are written as MIG off: mig-manager finds no rest with a GPU that no entry covers."""
    sharing = split(([0, 1], {"1g.5gb": 7}), ([2], {"3g.20gb": 1, "4g.20gb": 1}))

    assert configs(site(pools=[pool("a", 6), pool("b", 4)], sharing=sharing), render)["split"] == [
        {"devices": [0, 1], "mig-enabled": True, "mig-devices": {"1g.5gb": 7}},
        {"devices": [2], "mig-enabled": True, "mig-devices": {"3g.20gb": 1, "4g.20gb": 1}},
        {"devices": [3, 4, 5], "mig-enabled": False},
    ]


def test_all_leaves_nothing_over(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A layout of all GPUs covers those of other layouts too."""
    sharing = split(("all", {"1g.5gb": 7}), ([0], {"7g.40gb": 1}))

    assert configs(site(pools=[pool("a", 8)], sharing=sharing), render)["split"] == [
        {"devices": "all", "mig-enabled": True, "mig-devices": {"1g.5gb": 7}},
        {"devices": [0], "mig-enabled": True, "mig-devices": {"7g.40gb": 1}},
    ]


def test_gpu_count_unknown(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Without a count there is nothing to say about the other GPUs."""
    assert configs(site(pools=[pool("a", None)], sharing=split(([0], {"7g.40gb": 1}))), render)["split"] == [
        {"devices": [0], "mig-enabled": True, "mig-devices": {"7g.40gb": 1}}
    ]


def test_where_entries_come_from(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Each entry leads to its layout."""
    sharing = split(([0], {"1g.5gb": 7}), ([1], {"7g.40gb": 1}))
    doc = render(site(pools=[pool("a", 4)], sharing=sharing))[PATH]
    inner = doc.embedded["data", "config.yaml"]

    layouts = ("sharing", "configs", "split", "mig", "layouts")
    assert [inner.reason(("mig-configs", "split", index)).routes for index in range(3)] == [
        ((*layouts, 0),),
        ((*layouts, 1),),
        (layouts,),
    ]


def test_no_mig_no_file(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Sites without MIG leave the layouts to the operator."""
    assert render(site(), only="mig-parted-config") == {}
