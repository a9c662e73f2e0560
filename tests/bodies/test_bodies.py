"""schemas/bodies against upstream's own verdicts: equal, or stricter for a reason that stands here."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7

from genvalues import paths

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
BODIES = os.path.join(paths.schemas(), "bodies")


def read(name: str) -> dict[str, Any]:
    with open(os.path.join(BODIES, f"{name}.schema.json"), encoding="utf-8") as file:
        schema: dict[str, Any] = json.load(file)
    return schema


SCHEDULER = read("kube-scheduler-configuration")
REGISTRY: Registry[Any] = Registry().with_resource(SCHEDULER["$id"], DRAFT7.create_resource(SCHEDULER))


def accepts(name: str, body: object) -> bool:
    return bool(Draft7Validator(read(name), registry=REGISTRY).is_valid(body))


def vectors(key: str) -> list[tuple[str, str, bool]]:
    """Name, text, and whether upstream takes it."""
    if key == "scheduler":
        cases = json.loads((VECTORS / "sched-config-cases.json").read_text(encoding="utf-8"))["cases"]
        return [(case["name"], case["yaml"], case["accepted"]) for case in cases]
    cases = json.loads((VECTORS / "sharing-vectors.json").read_text(encoding="utf-8"))[key]
    return [(case["id"], case["input"], case["verdict"] == "accept") for case in cases]


# What upstream takes and our schema refuses, and why.
STRICTER = {
    "device_plugin": {
        "02 no prefix": "the plugin prepends nvidia.com/; we write the name that nodes advertise",
        "11 both": "MPS wins without a word",
        "14 rename": "`rename` is dropped with a warning",
        "16 devices idx": "`devices` is dropped with a warning: all GPUs are shared",
        "41 count devices": "`devices` is dropped with a warning: all GPUs are shared",
        "25 no version": "an absent version is read as v1; we write it",
        "28 resources field": "`resources` is dropped with a warning",
        "31 sleepInterval": "a bare number is nanoseconds; we write the unit",
        "34 empty": "an empty body shares nothing; we leave the key out",
        "35 imex": "a channel other than 0 passes the parser and is refused at start-up",
        "38 mps null + ts": "null says nothing; we leave the key out",
        "43 sharedDevicesAllocationPolicy": "an unknown policy passes the parser and is refused at start-up",
    },
    "mig_parted": {
        "devices_empty": "no GPU is meant",
        "devices_neg": "no GPU has a negative index, and an index that matches nothing is a silent success",
        "filter_garbage": "no PCI id: it matches nothing, which is a silent success",
        "filter_swapped": "vendor before device: it matches nothing, which is a silent success",
    },
    "scheduler": {
        "b_weight0": "0 becomes 1: it does not switch the resource off",
        "t_rtcr_on_most": "ignored up to 1.35, refused from 1.36 on",
    },
}
# What upstream refuses and a JSON Schema cannot: rules have to.
BEYOND_A_SCHEMA = {
    "device_plugin": {},
    "mig_parted": {},
    "scheduler": {
        "k_queuesort": "queueSort must be the same in all profiles",
    },
}
SCHEMA_OF = {
    "device_plugin": "device-plugin",
    "mig_parted": "mig-parted",
    "scheduler": "kube-scheduler-configuration",
}


@pytest.mark.parametrize("kind", SCHEMA_OF)
def test_no_schema_is_laxer_than_upstream(kind: str) -> None:
    """Of what upstream refuses, a schema accepts only what needs two places of a body compared."""
    taken = {name for name, text, good in vectors(kind) if not good and accepts(SCHEMA_OF[kind], yaml.safe_load(text))}

    assert taken == set(BEYOND_A_SCHEMA[kind])


@pytest.mark.parametrize("kind", SCHEMA_OF)
def test_a_schema_is_stricter_than_upstream_only_for_a_reason(kind: str) -> None:
    """Of what upstream takes, a schema refuses only what does nothing, or another thing than it says."""
    refused = {
        name for name, text, good in vectors(kind) if good and not accepts(SCHEMA_OF[kind], yaml.safe_load(text))
    }

    assert refused == set(STRICTER[kind])


SHARED = {"name": "nvidia.com/gpu", "replicas": 4}
PROFILE: dict[str, Any] = {"schedulerName": "x"}


def sharing(**block: object) -> dict[str, object]:
    return {"version": "v1", "sharing": {"timeSlicing": {"resources": [SHARED]} | block}}


def flags(**values: object) -> dict[str, object]:
    return {"version": "v1", "flags": values}


@pytest.mark.parametrize(
    ("body", "valid"),
    [
        (sharing(), True),
        (sharing(renameByDefault=True, failRequestsGreaterThanOne=True), True),
        (sharing(resources=[SHARED | {"name": "nvidia.com/mig-1g.10gb.me"}]), True),
        (sharing(resources=[SHARED | {"replicas": 1}]), False),
        (sharing(resources=[SHARED | {"name": "nvidia.com/GPU"}]), False),
        (sharing(resources=[SHARED | {"replicas": "4"}]), False),
        (sharing(renamebydefault=True), False),
        ({"version": "v1", "sharing": {"mps": {"resources": [SHARED], "failRequestsGreaterThanOne": False}}}, True),
        ({"version": "v1", "sharing": {"timeslicing": {"resources": [SHARED]}}}, False),
        (flags(migStrategy="mixed", plugin={"deviceListStrategy": ["envvar", "cdi-cri"]}), True),
        (flags(plugin={"deviceListStrategy": "volume-mounts"}), True),
        (flags(plugin={"deviceListStrategy": "bogus"}), False),
        (flags(plugin={"deviceListStrategy": []}), False),
        (flags(migStrategy="bogus"), False),
        (flags(renameByDefault=True), False),  # k8s-device-plugin#1433: it belongs under sharing.timeSlicing
        (flags(gfd={"sleepInterval": "1m30s"}), True),
        ({"version": "v1", "imex": {"channelIDs": [0], "required": True}}, True),
        ({"version": "v2"}, False),
    ],
)
def test_device_plugin_bodies(body: object, valid: bool) -> None:
    """Keys in upstream's own case, enumerations of start-up, nothing that the plugin drops."""
    assert accepts("device-plugin", body) == valid


def layout(**entry: object) -> dict[str, object]:
    base = {"devices": "all", "mig-enabled": True, "mig-devices": {"1g.10gb": 7}}
    return {"version": "v1", "mig-configs": {"inference": [base | entry]}}


@pytest.mark.parametrize(
    ("body", "valid"),
    [
        (layout(), True),
        (layout(**{"mig-devices": {}}), True),
        (layout(**{"mig-devices": {"1g.10gb+me": 1, "2g.48gb+me.all": 1, "1g.24gb-me": 1, "4g.96gb+gfx": 1}}), True),
        (layout(**{"mig-devices": {"1g.10gb.me": 1}}), False),  # the resource's spelling, not the profile's
        (layout(**{"mig-devices": {"1g.10gb": 0, "2g.20gb": 1}}), False),  # never equals what is read back
        (layout(**{"mig-enabled": False, "mig-devices": {}}), True),
        (layout(**{"mig-enabled": False}), False),
        (layout(devices=[0, 1]), True),
        (layout(devices=[0, 0]), False),
        (layout(devices="0"), False),
        (layout(**{"device-filter": ["0x233010DE", "0x233910DE:0x17A610DE"]}), True),
        (layout(extra=1), False),
        ({"version": "v1", "mig-configs": {"has space": []}}, False),
        ({"version": "v1", "mig-configs": {"empty": []}}, False),
    ],
)
def test_mig_parted_bodies(body: object, valid: bool) -> None:
    """Profile names as the driver lists them, counts from 1, filters that can match."""
    assert accepts("mig-parted", body) == valid


def config(**values: object) -> dict[str, object]:
    return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"} | values


def with_args(plugin: str, **args: object) -> dict[str, object]:
    return config(profiles=[PROFILE | {"pluginConfig": [{"name": plugin, "args": args}]}])


def with_plugins(**plugins: object) -> dict[str, object]:
    return config(profiles=[PROFILE | {"plugins": plugins}])


SPREAD = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}
ALL_OFF = {"disabled": [{"name": "*"}]}
PACKED = {"type": "MostAllocated", "resources": [{"name": "nvidia.com/gpu", "weight": 5}]}


@pytest.mark.parametrize(
    ("body", "valid"),
    [
        (config(), True),
        (config(leaderElection={"leaderElect": True, "leaseDuration": "15s"}, clientConnection={"qps": 0.5}), True),
        (config(leaderElection={"leaseDuration": "15"}), False),
        (config(metricsBindAddress="0.0.0.0:10251"), False),
        (config(apiVersion="kubescheduler.config.k8s.io/v1beta3"), False),
        (config(profiles=[{}]), True),
        (config(profiles=[PROFILE, {}]), False),
        (config(profiles=[PROFILE, PROFILE]), False),
        (config(extenders=[{"urlPrefix": "http://127.0.0.1:8888", "prioritizeVerb": "p", "weight": 1}]), True),
        (config(extenders=[{"urlPrefix": "http://127.0.0.1:8888", "prioritizeVerb": "p"}]), False),
        (with_args("NodeResourcesFit", scoringStrategy=PACKED), True),
        (with_args("NodeResourcesFit", scoringStrategy=PACKED | {"type": "mostAllocated"}), False),
        (
            with_args("NodeResourcesFit", scoringStrategy=PACKED | {"resources": [{"name": "cpu", "weight": 101}]}),
            False,
        ),
        (with_args("NodeResourcesFit", scoringStrategy={"resources": []}), False),  # no type is an unsupported type
        (with_args("NodeResourcesFit", kind="NodeResourcesFitArgs", ignoredResourceGroups=["nvidia.com"]), True),
        (with_args("NodeResourcesFit", kind="PodTopologySpreadArgs"), False),
        (with_args("NodeResourcesFit", hardPodAffinityWeight=1), False),
        (
            with_args("NodeResourcesFitt", scoringStrategy=PACKED),
            False,
        ),  # taken silently: the real plugin keeps its own
        (with_args("PodTopologySpread", defaultingType="List", defaultConstraints=[]), True),
        (with_args("PodTopologySpread", defaultingType="List", defaultConstraints=[SPREAD]), True),
        (with_args("PodTopologySpread", defaultingType="System", defaultConstraints=[SPREAD]), False),
        (with_args("PodTopologySpread", defaultConstraints=[SPREAD]), False),
        (
            with_args("PodTopologySpread", defaultingType="List", defaultConstraints=[SPREAD | {"labelSelector": {}}]),
            False,
        ),
        (with_args("NodeResourcesBalancedAllocation", resources=[{"name": "cpu", "weight": 1}]), True),
        (with_args("NodeResourcesBalancedAllocation", resources=[{"name": "cpu", "weight": 2}]), False),
        (with_args("DefaultPreemption", minCandidateNodesPercentage=0), True),
        (with_args("DefaultPreemption", minCandidateNodesPercentage=0, minCandidateNodesAbsolute=0), False),
        (with_args("InterPodAffinity", hardPodAffinityWeight=101), False),
        (with_plugins(multiPoint=ALL_OFF), False),
        (with_plugins(multiPoint=ALL_OFF | {"enabled": [{"name": "PrioritySort"}, {"name": "DefaultBinder"}]}), True),
        (with_plugins(multiPoint=ALL_OFF, queueSort={"enabled": [{"name": "PrioritySort"}]}), False),
        (
            with_plugins(
                multiPoint=ALL_OFF,
                queueSort={"enabled": [{"name": "PrioritySort"}]},
                bind={"enabled": [{"name": "DefaultBinder"}]},
            ),
            True,
        ),
        (with_plugins(score={"disabled": [{"name": "NodeResourcesFit"}, {"name": "*"}]}), True),
        (with_plugins(score={"enabled": [{"name": "*"}]}), False),
    ],
)
def test_scheduler_bodies(body: object, valid: bool) -> None:
    """Closed objects, the checks of validation and of the plugins' start, and names that the scheduler knows."""
    assert accepts("kube-scheduler-configuration", body) == valid


POINTS = [{"utilization": 50, "score": 0}, {"utilization": 40, "score": 10}]
CURVE = {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {"shape": POINTS}}
FIT = {"name": "NodeResourcesFit", "args": {"scoringStrategy": PACKED}}
OTHER_FIT = {"name": "NodeResourcesFit", "args": {"ignoredResources": []}}


@pytest.mark.parametrize(
    "body",
    [
        with_args("NodeResourcesFit", scoringStrategy=CURVE),  # points must rise
        config(profiles=[PROFILE | {"pluginConfig": [FIT, OTHER_FIT]}]),  # one entry a plugin
        config(profiles=[PROFILE, PROFILE | {"percentageOfNodesToScore": 5}]),  # one profile a schedulerName
        config(podInitialBackoffSeconds=20, podMaxBackoffSeconds=10),
        config(leaderElection={"leaseDuration": "10s", "renewDeadline": "15s"}),
        config(extenders=[{"urlPrefix": "http://a", "bindVerb": "b"}, {"urlPrefix": "http://b", "bindVerb": "b"}]),
    ],
)
def test_what_only_a_rule_can_see(body: object) -> None:
    """The scheduler refuses these for two values that do not go together: a schema cannot compare them."""
    assert accepts("kube-scheduler-configuration", body)


@pytest.mark.parametrize(
    ("body", "valid"),
    [
        (
            {
                "kube_scheduler_profiles": [PROFILE],
                "kube_scheduler_config_extra_opts": {"percentageOfNodesToScore": 100},
            },
            True,
        ),
        ({"kube_scheduler_profiles": [PROFILE | {"plugin": {}}]}, False),
        ({"kube_scheduler_profiles": [PROFILE, {}]}, False),
        ({"kube_scheduler_config_extra_opts": {"profiles": []}}, False),  # a second `profiles:` in the rendered file
        ({"kube_scheduler_config_extra_opts": {"metricsBindAddress": "x"}}, False),
        ({"kube_scheduler_leader_elect_extra_opts": {"leaseDuration": "15s"}}, False),  # it has a variable of its own
        ({"kube_scheduler_leader_elect_lease_duration": "15s"}, True),
        ({"kube_scheduler_profile": []}, False),
    ],
)
def test_kubespray_variables(body: object, valid: bool) -> None:
    """Kubespray's own variables, and nothing that its template would write twice or as Python text."""
    assert accepts("kubespray-scheduler", body) == valid


@pytest.mark.parametrize("name", sorted(os.listdir(BODIES)))
def test_every_object_is_closed(name: str) -> None:
    """No object of a body takes unknown keys, and each schema is a valid one."""
    schema = read(name.removesuffix(".schema.json"))
    Draft7Validator.check_schema(schema)
    open_objects = []

    def walk(node: object, where: str) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object" and "additionalProperties" not in node:
                open_objects.append(where)
            for key, value in node.items():
                walk(value, f"{where}/{key}")
        elif isinstance(node, list):
            for index, value in enumerate(node):
                walk(value, f"{where}/{index}")

    walk(schema, "")
    # the arguments of a plugin are closed by the branch that its name chooses
    assert [place for place in open_objects if place != "/definitions/pluginConfig/properties/args"] == []
