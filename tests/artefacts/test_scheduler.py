"""Scheduler files; what kube-scheduler v1.34.1, kubeadm, Kubespray and RKE2 read is typed from their documentation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = "scheduler/kube-scheduler-configuration.yaml"


def packing(resources: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A packing profile, as a scheduler that packs by these resources reads it."""
    return {
        **more,
        "plugins": {
            "multiPoint": {
                "enabled": [{"name": "NodeResourcesFit", "weight": 10}],
                "disabled": [{"name": "NodeResourcesBalancedAllocation"}],
            }
        },
        "pluginConfig": [
            {
                "name": "NodeResourcesFit",
                "args": {"scoringStrategy": {"type": "MostAllocated", "resources": resources}},
            },
            {"name": "PodTopologySpread", "args": {"defaultingType": "List", "defaultConstraints": []}},
        ],
    }


WEIGHTS = [
    {"name": "cpu", "weight": 1},
    {"name": "memory", "weight": 1},
    {"name": "nvidia.com/gpu", "weight": 5},
]


@pytest.fixture
def bodies(site: Callable[..., Any], render: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """The scheduler files of a site by path."""

    def of(distribution: str = "kubeadm", kubernetes: str = "1.34.2", **parts: Any) -> dict[str, Any]:
        parts.setdefault("scheduler", {"packing": {}})
        cluster = {"kubernetes": kubernetes, "distribution": distribution}
        files = render(site(cluster=cluster, **parts), only="scheduler")
        return {path: doc.body for path, doc in files.items()}

    return of


def test_no_packing_no_files(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A site without packing keeps its scheduler."""
    assert render(site(), only="scheduler") == {}


def test_profile_of_its_own(bodies: Callable[..., dict[str, Any]]) -> None:
    """By default the stock profile stays, and pods choose the packing one."""
    assert bodies()[CONFIGURATION] == {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": "/etc/kubernetes/scheduler.conf"},
        "leaderElection": {"leaderElect": True},
        "profiles": [{"schedulerName": "default-scheduler"}, packing(WEIGHTS, schedulerName="gpu-binpack")],
    }


def test_profile_of_everybody(bodies: Callable[..., dict[str, Any]]) -> None:
    """A profile called default-scheduler is the only one: two of that name are refused."""
    scheduler = {
        "packing": {
            "schedulerName": "default-scheduler",
            "weights": {"cpu": 2, "nvidia.com/gpu": 7},
            "percentageOfNodesToScore": 100,
        }
    }
    weights = [{"name": "cpu", "weight": 2}, {"name": "nvidia.com/gpu", "weight": 7}]

    assert bodies(scheduler=scheduler)[CONFIGURATION]["profiles"] == [
        packing(weights, schedulerName="default-scheduler", percentageOfNodesToScore=100)
    ]


def test_ratio_has_its_shape(bodies: Callable[..., dict[str, Any]]) -> None:
    """RequestedToCapacityRatio without a shape is a nil pointer up to 1.35; scores go from 0 to 10."""
    scheduler = {"packing": {"strategy": "RequestedToCapacityRatio", "weights": {"nvidia.com/gpu": 1}}}
    profile = bodies(scheduler=scheduler)[CONFIGURATION]["profiles"][1]

    assert profile["pluginConfig"][0]["args"]["scoringStrategy"] == {
        "type": "RequestedToCapacityRatio",
        "resources": [{"name": "nvidia.com/gpu", "weight": 1}],
        "requestedToCapacityRatio": {"shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]},
    }


def test_every_exposed_resource_is_weighed(bodies: Callable[..., dict[str, Any]]) -> None:
    """A MIG resource that has no weight would score nothing, and its pods would not be packed."""
    parts: dict[str, Any] = {
        "pools": [{"name": "mig", "gpu": {"model": "a100-sxm4-80gb", "count": 8}, "sharing": "split"}],
        "sharing": {
            "configs": {
                "split": {"mig": {"strategy": "mixed", "layouts": [{"gpus": "all", "profiles": {"1g.10gb": 7}}]}}
            }
        },
    }
    profile = bodies(**parts)[CONFIGURATION]["profiles"][1]
    resources = profile["pluginConfig"][0]["args"]["scoringStrategy"]["resources"]

    assert {"name": "nvidia.com/mig-1g.10gb", "weight": 5} in resources


def test_kubespray(bodies: Callable[..., dict[str, Any]]) -> None:
    """Kubespray takes the profiles as a variable, and wires the rest itself."""
    files = bodies("kubespray")

    assert list(files) == [CONFIGURATION, "scheduler/kubespray.yaml"]
    assert files["scheduler/kubespray.yaml"] == {"kube_scheduler_profiles": files[CONFIGURATION]["profiles"]}


@pytest.mark.parametrize(
    ("kubernetes", "api", "arguments"),
    [
        ("1.34.2", "v1beta4", [{"name": "config", "value": "/etc/kubernetes/kubescheduler-config.yaml"}]),
        ("1.31.0", "v1beta4", [{"name": "config", "value": "/etc/kubernetes/kubescheduler-config.yaml"}]),
        ("1.30.9", "v1beta3", {"config": "/etc/kubernetes/kubescheduler-config.yaml"}),
    ],
)
def test_kubeadm(bodies: Callable[..., dict[str, Any]], kubernetes: str, api: str, arguments: Any) -> None:
    """The static pod gets the flag, and the file mounted; arguments are a list from v1beta4 on."""
    path = "/etc/kubernetes/kubescheduler-config.yaml"

    assert bodies("kubeadm", kubernetes)["scheduler/kubeadm.yaml"] == {
        "apiVersion": f"kubeadm.k8s.io/{api}",
        "kind": "ClusterConfiguration",
        "scheduler": {
            "extraArgs": arguments,
            "extraVolumes": [
                {
                    "name": "kubescheduler-config",
                    "hostPath": path,
                    "mountPath": path,
                    "readOnly": True,
                    "pathType": "File",
                }
            ],
        },
    }


@pytest.mark.parametrize("distribution", ["rke2", "k3s"])
def test_rancher(bodies: Callable[..., dict[str, Any]], distribution: str) -> None:
    """An argument in config.yaml.d names the file; the kubeconfig is where the server keeps its credentials."""
    files = bodies(distribution)

    assert files["scheduler/config.yaml.d/50-scheduler.yaml"] == {
        "kube-scheduler-arg": [f"config=/etc/rancher/{distribution}/kube-scheduler.yaml"]
    }
    assert files[CONFIGURATION]["clientConnection"] == {
        "kubeconfig": f"/var/lib/rancher/{distribution}/server/cred/scheduler.kubeconfig"
    }


@pytest.mark.parametrize("distribution", ["k0s", "microk8s"])
def test_what_is_not_known_is_not_guessed(
    site: Callable[..., Any], render: Callable[..., Any], distribution: str
) -> None:
    """Where the paths are not known, the configuration has no kubeconfig and says what to add."""
    cluster = {"kubernetes": "1.34.2", "distribution": distribution}
    files = render(site(cluster=cluster, scheduler={"packing": {}}), only="scheduler")

    assert list(files) == [CONFIGURATION]
    assert "clientConnection" not in files[CONFIGURATION].body
    assert "add clientConnection.kubeconfig" in " ".join(files[CONFIGURATION].intro)


@pytest.mark.parametrize(
    ("taints", "said"),
    [
        ([{"key": "nvidia.com/gpu", "effect": "NoSchedule"}], "taints keep pods without GPUs off the GPU nodes"),
        ([], "nothing keeps pods without GPUs off the nodes of h100: no taint there forbids them"),
        (
            [{"key": "nvidia.com/gpu", "effect": "PreferNoSchedule"}],
            "nothing keeps pods without GPUs off the nodes of h100: no taint there forbids them",
        ),
    ],
)
def test_bystanders(
    site: Callable[..., Any], render: Callable[..., Any], taints: list[dict[str, str]], said: str
) -> None:
    """Where everybody is packed, the comment says what becomes of pods without GPUs."""
    pools = [{"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}, "taints": taints}]
    scheduler = {"packing": {"schedulerName": "default-scheduler"}}
    doc = render(site(pools=pools, scheduler=scheduler), only="scheduler")[CONFIGURATION]

    assert said in doc.reason(("profiles", 0, "schedulerName")).text


@pytest.mark.parametrize("name", ["default-scheduler", "gpu-binpack"])
@pytest.mark.parametrize("strategy", ["MostAllocated", "RequestedToCapacityRatio"])
def test_schema(bodies: Callable[..., dict[str, Any]], name: str, strategy: str) -> None:
    """The body has the shape that the scheduler's strict decoder takes."""
    schema = json.loads((ROOT / "schemas/bodies/kube-scheduler-configuration.schema.json").read_text("utf-8"))
    scheduler = {"packing": {"schedulerName": name, "strategy": strategy, "percentageOfNodesToScore": 50}}

    errors = jsonschema.Draft202012Validator(schema).iter_errors(bodies(scheduler=scheduler)[CONFIGURATION])
    assert [error.message for error in errors] == []
