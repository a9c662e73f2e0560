"""Rules of scheduling, beyond what their pages show. Expected values: upstream's verdicts in sched-config-cases.json, scheduling-gitops.md 1."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from genvalues import artefacts, facts, judge, model, plan
from genvalues.document import Kind
from genvalues.finding import Hit, Json, format_route
from genvalues.rules import bodies, scheduling
from genvalues.rules.rule import Body
from genvalues.rules.scheduling import impossible, scored

FACTS = facts.load()
RULES = scheduling.RULES
ALL = (*scheduling.RULES, *bodies.RULES)
CASES = json.loads((Path(__file__).parents[1] / "vectors" / "sched-config-cases.json").read_text("utf-8"))["cases"]
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]

SPREAD = "GV815 profiles[0].pluginConfig[0].args.scoringStrategy.type"
FIT = "profiles[0].pluginConfig[0].args.scoringStrategy"


def config(data: Json, kind: Kind = "scheduler", base: tuple[str, ...] = ()) -> list[str]:
    """Code and route of each finding about a configuration, sorted."""
    found = judge.body(Body(kind, data, "scheduler.yaml", base), FACTS, ALL)
    return sorted(f"{rule.code} {format_route(hit.route)}" for rule, hit in found)


# By case, without GV805: the cases are extracts and name no kubeconfig. "-" stands before what upstream takes and we do not
# pass over.
EXPECTED = {
    "a_typical": [SPREAD],
    "b_weight0": [SPREAD, f"GV912 {FIT}.resources[0].weight"],  # 0 becomes 1
    "d_rtcr_noshape": [SPREAD, f"GV912 {FIT}.requestedToCapacityRatio"],
    "e_shape_bad": [
        f"GV813 {FIT}.requestedToCapacityRatio.shape[1].utilization",
        SPREAD,
        f"GV912 {FIT}.requestedToCapacityRatio.shape[1].score",
        f"GV912 {FIT}.requestedToCapacityRatio.shape[2].utilization",
    ],
    "g_unknownfield": [SPREAD, f"GV912 {FIT}.resource"],
    "h_unknowntop": ["GV912 percentOfNodesToScore"],
    "j_noname": ["GV912 profiles[1].schedulerName"],
    "k_queuesort": ["GV811 profiles[1].plugins.queueSort"],
    "m_percent": ["GV912 percentageOfNodesToScore"],
    "n_dupplugcfg": ["GV812 profiles[0].pluginConfig[1].name", SPREAD],
    "p_unknownplugin": ["GV817 profiles[0].plugins.score.enabled[0].name"],
    "q_multi_disabled_only": [],
    "s_score_disable_enable": [],
    "t_rtcr_on_most": [SPREAD, f"GV912 {FIT}.requestedToCapacityRatio"],  # ignored, refused from 1.36 on
    "v_fitargs_name": ["GV817 profiles[0].pluginConfig[0].name"],
    "w_ignored": [
        "GV912 profiles[0].pluginConfig[0].args.ignoredResourceGroups[0]",
        "GV912 profiles[0].pluginConfig[0].args.ignoredResources[0]",
    ],
    "y_scoredisabled_str": [SPREAD, f"GV912 {FIT}.resources[0].weight"],
    "z_negscore": ["GV912 profiles[0].plugins.score.enabled[0].weight"],
    "bad_pts": ["GV912 profiles[0].plugins", "GV912 profiles[0].plugins"],  # no queue, no binding
    "nokubeconfig": [],
}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_cases(case: dict[str, Any]) -> None:
    """Each document of upstream's cases has exactly these findings, beside that no kubeconfig is named."""
    found = config(yaml.safe_load(case["yaml"]))

    assert [one for one in found if not one.startswith("GV805")] == EXPECTED[case["name"]]
    assert [one for one in found if one.startswith("GV805")] == ["GV805 "]


def test_no_case_that_upstream_refuses_is_taken() -> None:
    """Each refused case has an error of a rule about it, and the cases above are those of the file."""
    severities = {rule.code: rule.severity for rule in ALL}
    taken = [
        case["name"]
        for case in CASES
        if not case["accepted"] and all(severities[one[:5]] != "error" for one in EXPECTED[case["name"]])
    ]

    assert (taken, {case["name"] for case in CASES} ^ set(EXPECTED)) == ([], set())


def profile(**parts: Json) -> Json:
    return {"schedulerName": "x", **parts}


def fit(**strategy: Json) -> Json:
    return {"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}


def whole(*profiles: Json) -> Json:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": "/etc/kubernetes/scheduler.conf"},
        "profiles": list(profiles),
    }


HEAVY = {"multiPoint": {"enabled": [{"name": "NodeResourcesFit", "weight": 10}]}}
GPU = [{"name": "nvidia.com/gpu", "weight": 5}]


@pytest.mark.parametrize(
    ("profiles", "found"),
    [
        # a missing name is default-scheduler, which may stand once
        (
            [{}, profile(schedulerName="default-scheduler")],
            ["GV810 profiles[1].schedulerName", "GV912 profiles[0].schedulerName"],
        ),
        ([profile(), profile()], ["GV810 profiles[1].schedulerName"]),
        ([profile(), profile(schedulerName="y")], []),
        (
            [
                profile(plugins={"queueSort": {"enabled": [{"name": "PrioritySort"}]}}) | {"schedulerName": n}
                for n in "ab"
            ],
            [],
        ),
        # the first one has what the second lacks
        (
            [profile(plugins={"queueSort": {"enabled": [{"name": "PrioritySort"}]}}), profile(schedulerName="y")],
            ["GV811 profiles[1]"],
        ),
        (
            [profile(pluginConfig=[fit(type="LeastAllocated"), fit(type="LeastAllocated")])],
            ["GV812 profiles[0].pluginConfig[1].name"],
        ),
        (
            [profile(plugins=HEAVY, pluginConfig=[fit(type="MostAllocated", resources=GPU * 2)])],
            ["GV814 profiles[0].pluginConfig[0].args.scoringStrategy.resources[1].name"],
        ),
        (
            [
                profile(
                    pluginConfig=[
                        {
                            "name": "VolumeBinding",
                            "args": {"shape": [{"utilization": 9, "score": 1}, {"utilization": 3, "score": 1}]},
                        }
                    ]
                )
            ],
            ["GV813 profiles[0].pluginConfig[0].args.shape[1].utilization"],
        ),
        (
            [profile(pluginConfig=[{"name": "NodeResourcesFitt", "args": {}}])],
            ["GV817 profiles[0].pluginConfig[0].name"],
        ),
        ([profile(pluginConfig=[{"name": "Coscheduling", "args": {}}])], ["GV818 profiles[0].pluginConfig[0].name"]),
        ([profile(pluginConfig=[{"args": {}}])], ["GV819 profiles[0].pluginConfig[0]"]),
        ([profile(pluginConfig=[{"name": "ImageLocality", "args": {}}])], ["GV912 profiles[0].pluginConfig[0].name"]),
        (
            [profile(plugins={"score": {"enabled": [{"name": "*"}]}})],
            ["GV912 profiles[0].plugins.score.enabled[0].name"],
        ),
        ([profile(plugins={"score": {"disabled": [{"name": "*"}]}})], []),
        (
            [profile(plugins={"filter": {"enabled": [{"name": "NodeLabel"}], "disabled": [{"name": "Trimaran"}]}})],
            ["GV817 profiles[0].plugins.filter.enabled[0].name", "GV818 profiles[0].plugins.filter.disabled[0].name"],
        ),
    ],
)
def test_profiles(profiles: list[Json], found: list[str]) -> None:
    """What no schema can say, each fault once; what a schema says is left to it."""
    assert config(whole(*profiles)) == found


@pytest.mark.parametrize(
    ("plugins", "spread", "outweighed"),
    [
        ({}, {}, True),
        (HEAVY, {}, False),
        ({"score": {"enabled": [{"name": "NodeResourcesFit", "weight": 3}]}}, {}, False),
        ({"score": {"enabled": [{"name": "NodeResourcesFit", "weight": 2}]}}, {}, True),
        ({"multiPoint": {"disabled": [{"name": "PodTopologySpread"}]}}, {}, False),
        ({"score": {"disabled": [{"name": "PodTopologySpread"}]}}, {}, False),
        ({}, {"defaultingType": "List", "defaultConstraints": []}, False),
        ({}, {"defaultingType": "List"}, False),
        ({}, {"defaultingType": "System"}, True),
        # score says more than multiPoint
        (
            {
                "multiPoint": {"enabled": [{"name": "NodeResourcesFit", "weight": 10}]},
                "score": {"enabled": [{"name": "NodeResourcesFit", "weight": 1}]},
            },
            {},
            True,
        ),
    ],
)
def test_weights_against_each_other(plugins: Json, spread: Json, outweighed: bool) -> None:
    """NodeResourcesFit 1 and PodTopologySpread 2 unless said otherwise; an empty list of constraints spreads nothing."""
    entries = [fit(type="MostAllocated", resources=GPU)]
    entries += [{"name": "PodTopologySpread", "args": spread}] if spread else []

    assert config(whole(profile(plugins=plugins, pluginConfig=entries))) == ([SPREAD] if outweighed else [])


def test_a_scheduler_in_a_pod_needs_no_kubeconfig() -> None:
    """A configuration in a ConfigMap is for a scheduler with a service account; one in a file is for a static pod."""
    data = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"qps": 50},
    }

    assert config(data) == ["GV805 clientConnection"]
    assert config(data, base=("data", "scheduler-config.yaml")) == []


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"kube_scheduler_profiles": [profile()], "kube_version": "1.34.2"}, []),
        ({"kube_scheduler_profiles": [profile(), profile()]}, ["GV810 kube_scheduler_profiles[1].schedulerName"]),
        ({"kube_scheduler_profile": [profile()]}, ["GV820 kube_scheduler_profile"]),
        ({"kube_scheduler_bind_address": "127.0.0.1", "kube_scheduler_profiles": []}, []),
        ({"kube_scheduler_profiles": [], "nvidia_accelerator_enabled": False}, []),
        ({"kube_scheduler_profiles": [], "nvidia_accelerator_enabled": "yes"}, ["GV816 nvidia_accelerator_enabled"]),
        # keys that the template writes itself, and what would come out as Python text
        ({"kube_scheduler_config_extra_opts": {"profiles": []}}, ["GV912 kube_scheduler_config_extra_opts.profiles"]),
        (
            {"kube_scheduler_config_extra_opts": {"leaderElection": {}}},
            ["GV912 kube_scheduler_config_extra_opts.leaderElection"],
        ),
        (
            {"kube_scheduler_config_extra_opts": {"metricsBindAddress": "x"}},
            ["GV912 kube_scheduler_config_extra_opts.metricsBindAddress"],
        ),
        (
            {"kube_scheduler_config_extra_opts": {"parallelism": None}},
            ["GV912 kube_scheduler_config_extra_opts.parallelism"],
        ),
        ({"kube_scheduler_config_extra_opts": {"percentageOfNodesToScore": 100}}, []),
    ],
)
def test_kubespray(data: Json, found: list[str]) -> None:
    """The same profiles under another key, beside other variables; traps of Kubespray's template."""
    assert config(data, "kubespray") == found


@pytest.mark.parametrize("data", [None, [], "x", {"profiles": {}}, {"profiles": [1, None]}, whole({"pluginConfig": {"name": 1}}),
                                  whole({"plugins": [], "pluginConfig": [1, {"name": [], "args": {"scoringStrategy": []}}]}),
                                  whole({"schedulerName": 1, "pluginConfig": [fit(type=[], resources=[1, {"name": None}])]})])  # fmt: skip
def test_any_data_is_judged(data: Json) -> None:
    """Rules over files hold for whatever stands in one."""
    assert isinstance(config(data), list)
    assert isinstance(config(data, "kubespray"), list)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("cpu", False),
        ("ephemeral-storage", False),
        ("hugepages-1Gi", False),
        ("mem", True),
        ("gpu", True),
        ("nvidia.com/gpu", False),
        ("nvidia.com/gpu.shared", False),
        ("nvidia.com/mig-1g.10gb", False),
        ("nvidia.com/mig-1g.10gb.me", False),
        ("nvidia.com/mig-1g.10gb.shared", False),
        ("nvidia.com/mig-1g.10gb+me", True),
        ("nvidia.com/GPU", True),
        ("nvidia.com/gpus", True),
        ("nvidia/gpu", True),
        ("nvidia.com/hostdev", False),  # names of the SR-IOV device plugin are free
        ("amd.com/gpu", False),
        ("rdma/hca_shared", False),
    ],
)
def test_names_of_resources(name: str, verdict: bool) -> None:
    """Kubernetes' own, NVIDIA's device plugin's, and those of other plugins, of which nothing is known."""
    assert impossible(name) == verdict


@pytest.mark.parametrize(
    ("nodes", "found"), [(1, 1), (99, 99), (100, 100), (150, 100), (500, 230), (1000, 420), (5000, 500)]
)
def test_nodes_that_are_scored(nodes: int, found: int) -> None:
    """scheduling-gitops.md 1.5: 500 nodes -> 230, 1000 -> 420, 5000 -> 500, fewer than 100 all."""
    assert scored(nodes) == found


POOLS = "hardware: {{pools: [{{name: gpu, {}}}]}}\n"
SLICED = "sharing: {configs: {s: {mig: {layouts: [{gpus: all, profiles: {1g.10gb: 7}}]}}}}\n"
PACK = "scheduler: {{packing: {{{}}}}}\n"


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        ("{cpu: 1, nvidia.com/gpu: 5}", []),  # stands for the instances
        ("{nvidia.com/mig-1g.10gb: 5}", []),
        ("{nvidia.com/gpu: 5, nvidia.com/mig-1g.10gb: 5}", ['GV800 scheduler.packing.weights["nvidia.com/gpu"]']),
        ("{cpu: 1}", ["GV801 scheduler.packing.weights"]),
        ("{nvidia.com/mig-1g.5gb: 5}", ['GV800 scheduler.packing.weights["nvidia.com/mig-1g.5gb"]']),
        ("{nvidia.com/gpu: 5, rdma/hca: 1}", []),
        ("{nvidia.com/gpu: 5, gpu: 1}", ["GV800 scheduler.packing.weights.gpu"]),
    ],
)
def test_weights_of_a_site(said: Said, weights: str, found: list[str]) -> None:
    """nvidia.com/gpu weighs what the site exposes; a name that nothing exposes is said once, without a second finding."""
    text = POOLS.format("sharing: s") + SLICED + PACK.format(f"weights: {weights}")

    assert said(text, RULES) == found


def test_unknown_sharing_is_another_rules_business(said: Said) -> None:
    """Where it is not known what a pool exposes, weights are not judged."""
    assert said(POOLS.format("sharing: nowhere") + PACK.format("weights: {nvidia.com/mig-1g.5gb: 5}"), RULES) == []


@pytest.mark.parametrize(
    ("taints", "packing", "found"),
    [
        ("", "schedulerName: default-scheduler", True),
        ("", "schedulerName: gpu-binpack", False),
        ("", "strategy: MostAllocated", False),
        ("taints: [{key: a, effect: PreferNoSchedule}]", "schedulerName: default-scheduler", True),
        ("taints: [{key: a, effect: NoExecute}]", "schedulerName: default-scheduler", False),
        # only the GPU is weighed: all nodes are the same to a pod without one
        (
            "",
            "schedulerName: default-scheduler, strategy: RequestedToCapacityRatio, weights: {nvidia.com/gpu: 1}",
            False,
        ),
        ("", "schedulerName: default-scheduler, strategy: RequestedToCapacityRatio", True),
    ],
)
def test_bystanders(said: Said, taints: str, packing: str, found: bool) -> None:
    """Only a profile for everybody, by cpu or memory, on nodes that nothing closes."""
    text = POOLS.format(taints) if taints else ""
    expected = ["GV802 scheduler.packing.schedulerName"] if found else []

    assert said(text + PACK.format(packing), RULES) == expected


@pytest.mark.parametrize(
    ("nodes", "packing", "found"),
    [
        (100, "weights: {nvidia.com/gpu: 1}", []),
        (101, "weights: {nvidia.com/gpu: 1}", ["GV803 scheduler.packing"]),
        (500, "percentageOfNodesToScore: 0", ["GV803 scheduler.packing.percentageOfNodesToScore"]),
        (500, "percentageOfNodesToScore: 100", []),
        (500, "percentageOfNodesToScore: 40", []),  # a choice of the site's own
    ],
)
def test_parts_of_the_nodes(said: Said, nodes: int, packing: str, found: list[str]) -> None:
    """From a hundred nodes on, where the site leaves the number to the scheduler."""
    text = POOLS.format(f"nodes: {{count: {nodes}}}") + PACK.format(packing)

    assert said(text, RULES) == found


@pytest.mark.parametrize("strategy", ["MostAllocated", "RequestedToCapacityRatio"])
@pytest.mark.parametrize("name", ["default-scheduler", "gpu-binpack"])
@pytest.mark.parametrize("distribution", ["kubespray", "kubeadm", "rke2", "k3s", "k0s", "microk8s"])
def test_our_own_files_are_in_order(distribution: str, name: str, strategy: str) -> None:
    """No rule has anything to say of what is rendered, but that the kubeconfig of k0s and MicroK8s is not known."""
    site = {
        "name": "x",
        "cluster": {"kubernetes": "1.34.2", "distribution": distribution},
        "charts": {"gpuOperator": "v25.10.1"},
        "hardware": {"pools": [{"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}, "sharing": "s"}]},
        "sharing": {"configs": {"s": {"timeSlicing": {"replicas": 4, "renameByDefault": True}}}},
        "scheduler": {"packing": {"schedulerName": name, "strategy": strategy, "percentageOfNodesToScore": 100}},
    }
    docs = artefacts.documents(plan.resolve(model.build(site), FACTS))
    judged = [body for doc in docs for body in judge.bodies(doc) if body.kind in ("scheduler", "kubespray")]
    found = {rule.code for body in judged for rule, _ in judge.body(body, FACTS, ALL)}

    assert len(judged) == (2 if distribution == "kubespray" else 1)
    assert found == ({"GV805"} if distribution in ("k0s", "microk8s") else set())


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("cup", "cpu: 1"),
        ("meomry", "memory: 1"),
        ("gpu", "nvidia.com/gpu: 1"),  # one slip from cpu as well
    ],
)
def test_slip_in_the_name_of_a_resource_is_corrected(judged: Judged, name: str, fix: str) -> None:
    """The fix is the name that was meant, whether a GPU's or one of Kubernetes' own."""
    text = f"scheduler: {{packing: {{weights: {{{name}: 1}}}}}}\n"

    assert [hit.fix for code, hit in judged(text, RULES) if code == "GV800"] == [fix]
