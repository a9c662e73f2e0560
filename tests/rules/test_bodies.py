"""Hand-written device-plugin and mig-parted configs against upstream's own verdicts."""

import json
from pathlib import Path

import pytest
import yaml

from genvalues import facts, judge, source
from genvalues.document import Chart, Kind
from genvalues.finding import format_route
from genvalues.rules.rule import Body

FACTS = facts.load()
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "sharing-vectors.json").read_text("utf-8"))
KINDS: dict[str, Kind] = {"device_plugin": "device-plugin", "mig_parted": "mig-parted"}

# What upstream takes, and what we say of it all the same.
TAKEN = {
    "11 both": "GV303 sharing.timeSlicing",
    "14 rename": "GV320 sharing.timeSlicing.resources[0].rename",
    "16 devices idx": "GV320 sharing.timeSlicing.resources[0].devices",
    "22 dup name": "GV322 sharing.timeSlicing.resources[1].name",
    "28 resources field": "GV320 resources",
    "29 dls list": "GV321 flags.plugin.deviceListStrategy",
    "31 sleepInterval": "GV912 flags.gfd.sleepInterval",  # 30 nanoseconds
    "34 empty": "GV004 ",  # as a file of its own; an empty body in a ConfigMap shares nothing, and is fine
    "35 imex": "GV912 imex.channelIDs[0]",  # refused at the start
    "41 count devices": "GV320 sharing.timeSlicing.resources[0].devices",
    "43 sharedDevicesAllocationPolicy": "GV912 flags.plugin.sharedDevicesAllocationPolicy",  # refused at the start
    "devices_empty": "GV420 mig-configs.x[0].devices",
    "devices_neg": "GV420 mig-configs.x[0].devices[0]",
    "dup_key": 'GV005 mig-configs.x[0].mig-devices["1g.10gb"]',
    "filter_garbage": "GV420 mig-configs.x[0].device-filter",
    "filter_swapped": "GV420 mig-configs.x[0].device-filter",
    "geom_bad_331": "GV403 mig-configs.x[0].mig-devices",
    "migenabled_yes": "GV011 mig-configs.x[0].mig-enabled",  # a word that YAML 1.2 readers take for text
    "overlap": "GV407 mig-configs.x[1].devices",
    "prof_1c1g": 'GV422 mig-configs.x[0].mig-devices["1c.1g.10gb"]',
    "prof_gfx_minus": 'GV401 mig-configs.x[0].mig-devices["1g.24gb-gfx"]',
    "profile_wrong_gpu": 'GV401 mig-configs.x[0].mig-devices["5g.999gb"]',
}


def said(kind: Kind, text: str, chart: Chart | None = None) -> list[str]:
    """Codes and routes of what is said of a text: of reading it, and of the body."""
    read = source.read(text, "x")
    found = [f"{one.code} {format_route(one.path)}" for one in read.findings]
    data = read.tree.data if read.tree is not None else None
    hits = judge.body(Body(kind, data, "x", (), chart), FACTS)
    return found + [f"{rule.code} {format_route(hit.route)}" for rule, hit in hits]


CASES = [(kind, case) for key, kind in KINDS.items() for case in VECTORS[key]]


def test_there_is_a_verdict_of_both_kinds() -> None:
    """The vectors hold bodies that upstream takes and bodies that it refuses."""
    assert {case["verdict"] for _, case in CASES} == {"accept", "reject"}


@pytest.mark.parametrize(("kind", "case"), [pytest.param(kind, case, id=case["id"]) for kind, case in CASES])
def test_body_is_judged_as_upstream_does_or_stricter(kind: Kind, case: dict[str, str]) -> None:
    """What upstream refuses is reported; what it takes is silent, but for faults that it does not see, one each."""
    found = said(kind, case["input"])

    if case["verdict"] == "reject":
        assert found
    else:
        assert found == ([TAKEN[case["id"]]] if case["id"] in TAKEN else [])


@pytest.mark.parametrize(
    "config",
    [
        "devices: all\n    mig-enabled: true\n    mig-devices: {1g.24gb-me: 3, 1g.24gb+me.all: 1}",
        "devices: [0, 1, 2, 3]\n    mig-enabled: true\n    mig-devices: {}",
        'devices: all\n    device-filter: "0x233010DE:0x16C110DE"\n    mig-enabled: true\n    mig-devices: {1g.10gb: 7}',
        # 94 GB boards, and a PCI id that no table has: nothing is said of what is not known.
        'devices: all\n    device-filter: ["0x232110DE", "0x999910DE"]\n    mig-enabled: true\n    mig-devices: {1g.12gb: 7}',
        # GB200 names follow its memory: one of its two tables takes it.
        'devices: all\n    device-filter: "0x294110DE"\n    mig-enabled: true\n    mig-devices: {2g.47gb: 1, 3g.95gb: 1}',
    ],
)
def test_layout_that_some_gpu_takes_is_left_alone(config: str) -> None:
    """Without a filter any GPU will do, with one those that it picks."""
    assert said("mig-parted", f"version: v1\nmig-configs:\n  x:\n  - {config}\n") == []


@pytest.mark.parametrize(
    ("config", "found"),
    [
        (
            'devices: all\n    device-filter: "0x233010DE"\n    mig-enabled: true\n    mig-devices: {1g.5gb: 7}',
            'GV401 mig-configs.x[0].mig-devices["1g.5gb"]',
        ),
        (
            "devices: all\n    mig-enabled: true\n    mig-devices: {1g.5gb: 3, 1g.18gb: 3}",
            "GV403 mig-configs.x[0].mig-devices",
        ),
        (
            'devices: all\n    device-filter: "0x1EB810DE"\n    mig-enabled: true\n    mig-devices: {1g.10gb: 7}',
            "GV400 mig-configs.x[0].device-filter",
        ),
        ("devices: [0, 0]\n    mig-enabled: false", "GV420 mig-configs.x[0].devices[1]"),
        ("devices: [0, 2]\n    mig-enabled: false", "GV421 mig-configs.x"),
        (
            'devices: all\n    device-filter: "0x23301AF4"\n    mig-enabled: false',
            "GV420 mig-configs.x[0].device-filter",
        ),
        (
            "devices: all\n    mig-enabled: true\n    mig-devices: {1g.10gb: 3, 3g.40gb: 0}",
            'GV422 mig-configs.x[0].mig-devices["3g.40gb"]',
        ),
        ("devices: all\n    mig-enabled: false\n    mig-devices: {1g.10gb: 7}", "GV912 mig-configs.x[0].mig-devices"),
    ],
)
def test_entry_that_never_comes_true_is_reported_once(config: str, found: str) -> None:
    """One fault, one finding, whatever the parser says."""
    assert said("mig-parted", f"version: v1\nmig-configs:\n  x:\n  - {config}\n") == [found]


def test_profile_of_another_spelling_is_respelt() -> None:
    """The resource mig-1g.10gb.me is the profile 1g.10gb+me."""
    text = "version: v1\nmig-configs: {x: [{devices: all, mig-enabled: true, mig-devices: {nvidia.com/mig-1g.10gb.me: 1}}]}"
    hits = [hit for _, hit in judge.body(Body("mig-parted", yaml.safe_load(text), "x"), FACTS)]

    assert [hit.fix for hit in hits] == ['"1g.10gb+me": 1']


def test_names_are_judged_by_what_a_label_can_be() -> None:
    """A config name of 64 characters is reported, one of 63 is not."""
    text = "version: v1\nmig-configs: {%s: [{devices: all, mig-enabled: false}]}"

    assert said("mig-parted", text % ("a" * 63)) == []
    assert said("mig-parted", text % ("a" * 64)) == [f"GV423 mig-configs.{'a' * 64}"]


@pytest.mark.parametrize(
    ("chart", "found"),
    [
        (None, ["GV321 flags.migStrategy"]),
        (Chart("gpu-operator", "v26.7.0"), ["GV321 flags.migStrategy"]),
        (Chart("nvidia-device-plugin", "0.20.0"), []),
    ],
)
def test_flags_are_overruled_by_the_operator_alone(chart: Chart | None, found: list[str]) -> None:
    """With the plugin's own chart the file decides."""
    assert said("device-plugin", "version: v1\nflags: {migStrategy: mixed}\n", chart) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("gpu", []),
        ("nvidia.com/gpu", []),
        ("nvidia.com/mig-1g.10gb", []),
        ("nvidia.com/mig-1g.24gb-me", []),
        ("nvidia.com/mig-1g.5gb.me", []),
        ("nvidia.com/gpus", ["GV307 sharing.mps.resources[0].name"]),
        ("nvidia.com/1g.10gb", ["GV307 sharing.mps.resources[0].name"]),
        ("nvidia.com/mig-1g.11gb", ["GV307 sharing.mps.resources[0].name"]),
        ("amd.com/gpu", ["GV912 sharing.mps.resources[0].name"]),
        ("nvidia.com/GPU", ["GV912 sharing.mps.resources[0].name"]),
    ],
)
def test_resource_that_no_node_has_is_reported(name: str, found: list[str]) -> None:
    """nvidia.com/gpu, and MIG profiles of some GPU with their plus as a dot; the plugin adds its domain itself."""
    text = f"version: v1\nsharing: {{mps: {{resources: [{{name: {name}, replicas: 2}}]}}}}\n"

    assert said("device-plugin", text) == found


def test_other_variables_of_kubespray_are_none_of_ours() -> None:
    """Only the variables of the scheduler are held against the schema."""
    text = "kube_version: 1.34.2\nkube_scheduler_config_extra_opts: {parallelism: 0}\n"

    assert said("kubespray", text) == ["GV912 kube_scheduler_config_extra_opts.parallelism"]


def test_wrong_flag_is_the_only_fault() -> None:
    """With mig-enabled of another type, whether there may be mig-devices is not judged."""
    text = 'version: v1\nmig-configs: {x: [{devices: all, mig-enabled: "true", mig-devices: {1g.10gb: 7}}]}\n'

    assert said("mig-parted", text) == ["GV912 mig-configs.x[0].mig-enabled"]


@pytest.mark.parametrize(
    "data", [None, [], "text", 3, {"mig-configs": 3}, {"sharing": []}, {"mig-configs": {"x": [3]}}]
)
@pytest.mark.parametrize("kind", ["device-plugin", "mig-parted", "scheduler", "kubespray", "values", "config-map"])
def test_any_data_is_judged_without_an_exception(kind: Kind, data: object) -> None:
    """Whatever a file holds, something or nothing is said of it."""
    found = [rule.code for rule, _ in judge.body(Body(kind, data, "x"), FACTS)]

    assert all(code.startswith("GV") for code in found)
