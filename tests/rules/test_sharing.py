"""Sharing configs of a site, and the values that point at them: what the pages do not show."""

from collections.abc import Callable
from typing import Any

import pytest

from genvalues import facts, judge
from genvalues.document import Chart
from genvalues.facts.kinds import Gpu
from genvalues.finding import format_route
from genvalues.rules import sharing
from genvalues.rules.rule import Body

FACTS = facts.load()
Said = Callable[..., list[str]]
OPERATOR = Chart("gpu-operator", "v26.7.0")


def site(config: str, pool: str = "") -> str:
    return f"hardware: {{pools: [{{name: gpu, sharing: one{pool}}}]}}\nsharing: {{configs: {{one: {config}}}}}\n"


def values(data: Any, chart: Chart = OPERATOR) -> list[str]:
    """What the rules of this family say of values; the chart's contract is another test's."""
    hits = judge.body(Body("values", data, "x", (), chart), FACTS, sharing.RULES)
    return [f"{rule.code} {format_route(hit.route)}" for rule, hit in hits if rule.code < "GV900"]


@pytest.mark.parametrize(
    "config",
    [
        "{timeSlicing: {replicas: 4}}",
        "{timeSlicing: {resources: {nvidia.com/gpu: 4}}}",
        "{mps: {replicas: 48}}",
        "{mig: {strategy: single, layouts: [{gpus: all, profiles: {1g.10gb: 7}}]}, timeSlicing: {replicas: 2}}",
        "{mig: {layouts: [{gpus: [0], profiles: {1g.10gb: 7}}]}, timeSlicing: {resources: {nvidia.com/gpu: 2}}}",
    ],
)
def test_config_in_order_is_left_alone(config: str, said: Said) -> None:
    """Each way of sharing, alone or time-slicing over MIG."""
    assert said(site(config), sharing.RULES) == []


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ("{timeSlicing: {replicas: 4}, mps: {replicas: 4}}", ["GV303 sharing.configs.one.timeSlicing"]),
        (
            "{timeSlicing: {resources: {nvidia.com/gpus: 4}}}",
            ['GV307 sharing.configs.one.timeSlicing.resources["nvidia.com/gpus"]'],
        ),
        ("{timeSlicing: {resources: {gpu: 4}}}", ["GV307 sharing.configs.one.timeSlicing.resources.gpu"]),
        ("{mps: {replicas: 49}}", ["GV308 sharing.configs.one.mps.replicas"]),
        (
            "{mps: {replicas: 64}, mig: {layouts: [{gpus: all, profiles: {1g.10gb: 7}}]}}",
            ["GV304 sharing.configs.one.mps"],
        ),
    ],
)
def test_config_at_fault_is_reported_once(config: str, found: list[str], said: Said) -> None:
    """One fault, one finding."""
    assert said(site(config), sharing.RULES) == found


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("gpu", "nvidia.com/gpu: 4"),
        ("nvidia.com/gpu.shared", "nvidia.com/gpu: 4"),
        ("1g.10gb", "nvidia.com/mig-1g.10gb: 4"),
        ("mig-1g.10gb+me", "name nvidia.com/mig-1g.10gb or nvidia.com/gpu"),
        ("nvidia.com/mig-1g.10bg", "nvidia.com/mig-1g.10gb: 4"),
    ],
)
def test_resource_of_another_spelling_is_respelt(name: str, fix: str, judged: Callable[..., Any]) -> None:
    """The fix is a name that the nodes have, where one is meant."""
    config = (
        f'{{mig: {{layouts: [{{gpus: [0], profiles: {{1g.10gb: 7}}}}]}}, timeSlicing: {{resources: {{"{name}": 4}}}}}}'
    )

    assert [hit.fix for _, hit in judged(site(config), sharing.RULES)] == [fix]


def test_typo_of_a_pool_is_one_fault(said: Said) -> None:
    """A config that a pool names wrongly is not called unused as well."""
    text = "hardware: {pools: [{name: gpu, sharing: dve}]}\nsharing: {configs: {dev: {timeSlicing: {replicas: 4}}}}\n"

    assert said(text, sharing.RULES) == ["GV300 hardware.pools[0].sharing"]


def test_pools_that_share_a_line_are_one_finding(judged: Callable[..., Any]) -> None:
    """An unknown config in hardware.defaults is reported there once, for all pools."""
    text = (
        "hardware:\n  defaults: {sharing: dev}\n  pools:\n  - {name: gpu, nodes: {namePattern: ^a-}}\n"
        '  - {name: two, nodes: {namePattern: ^b-}, os: {id: ubuntu, version: "24.04"}, gpu: {model: l4, count: 1}}\n'
    )
    found = judged(text, sharing.RULES)

    assert [(code, format_route(hit.route), hit.pools) for code, hit in found] == [
        ("GV300", "hardware.defaults.sharing", ("gpu", "two"))
    ]


@pytest.mark.parametrize(("name", "found"), [("whole", ["GV302"]), ("all-disabled", ["GV302"]), ("all-1g.10gb", [])])
def test_reserved_names_depend_on_the_way_of_sharing(name: str, found: list[str], judged: Callable[..., Any]) -> None:
    """all-disabled is taken only among the MIG configs."""
    layouts = "{mig: {layouts: [{gpus: all, profiles: {1g.10gb: 7}}]}}"
    text = f"hardware: {{pools: [{{name: gpu, sharing: {name}}}]}}\nsharing: {{configs: {{{name}: {layouts}}}}}\n"

    assert [code for code, _ in judged(text, sharing.RULES)] == found


def test_time_slicing_may_be_called_all_disabled(said: Said) -> None:
    """The name means something to mig-manager alone."""
    text = "hardware: {pools: [{name: gpu, sharing: all-disabled}]}\nsharing: {configs: {all-disabled: {timeSlicing: {replicas: 4}}}}\n"

    assert said(text, sharing.RULES) == []


def test_unused_config_is_not_judged_by_gpus(said: Said) -> None:
    """No pool, no GPU to judge it by: that nobody uses it is all that is said."""
    text = "sharing: {configs: {one: {mps: {replicas: 500}}}}\n"

    assert said(text, sharing.RULES) == ["GV301 sharing.configs.one"]


@pytest.mark.parametrize(
    ("capability", "clients"), [((6, 1), 0), ((7, 0), 16), ((7, 5), 48), ((8, 0), 48), ((12, 0), 48)]
)
def test_mps_clients_by_compute_capability(capability: tuple[int, int], clients: int) -> None:
    """Pascal does not work, Volta counts as old in the control daemon, all after it take 48."""
    gpu: Gpu | None = FACTS.gpu("t4")
    assert gpu is not None

    assert sharing.mps_clients(gpu._replace(compute_capability=capability)) == clients


def test_mps_on_volta_has_its_own_limit(judged: Callable[..., Any]) -> None:
    """V100: 16 clients."""
    text = site("{mps: {replicas: 20}}", ", gpu: {model: v100-sxm2-32gb, board: null}")

    assert [(code, hit.fix) for code, hit in judged(text, sharing.RULES)] == [("GV308", "replicas: 16")]


def test_mps_and_mixed_meet_in_files() -> None:
    """Values with strategy mixed, and a device-plugin config with MPS: the config is at fault."""
    plugin = Body("device-plugin", {"version": "v1", "sharing": {"mps": {"resources": []}}}, "b")
    mixed = Body("values", {"mig": {"strategy": "mixed"}}, "a", (), OPERATOR)
    single = Body("values", {"mig": {"strategy": "single"}}, "a", (), OPERATOR)

    found = [
        (body.file, rule.code, hit.route) for body, rule, hit in judge.together([mixed, plugin], FACTS, sharing.RULES)
    ]
    assert found == [("b", "GV305", ("sharing", "mps"))]
    assert list(judge.together([single, plugin], FACTS, sharing.RULES)) == []


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({"name": "time-slicing", "default": "any"}, []),
        ({}, []),
        ({"name": "a" * 64, "default": "any"}, ["GV330 devicePlugin.config.name"]),
        ({"name": "mps-root", "default": "any"}, ["GV330 devicePlugin.config.name"]),
        ({"name": "time-slicing"}, ["GV331 devicePlugin.config.name"]),
        (
            {"name": "x", "create": True, "default": "any", "data": {"a b": "version: v1"}},
            ["GV332 devicePlugin.config.default", 'GV332 devicePlugin.config.data["a b"]'],
        ),
        ({"name": "x", "default": "any", "data": {"b": "version: v1"}}, []),  # not created: another ConfigMap is meant
    ],
)
def test_values_that_point_at_the_config(config: dict[str, Any], found: list[str]) -> None:
    """The name can be a volume's, there is a default, and it is a key."""
    assert values({"devicePlugin": {"config": config}}) == found


def test_empty_default_of_older_charts_is_said_by_the_contract() -> None:
    """Charts before 26.3 print it as null: one fault, and GV904 has it."""
    assert values({"devicePlugin": {"config": {"name": "x"}}}, Chart("gpu-operator", "v25.10.1")) == []


def test_selector_by_expression_is_found_too(said: Said) -> None:
    """matchExpressions on the product label, under sharing that changes it."""
    affinity = (
        "overrides: {nodeFeatureDiscovery: {topologyUpdater: {affinity: {nodeAffinity: "
        "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: "
        "[{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-H100-80GB-HBM3]}]}]}}}}}}\n"
    )

    assert said(site("{timeSlicing: {replicas: 4}}") + affinity, sharing.RULES) == [
        (
            "GV309 overrides.nodeFeatureDiscovery.topologyUpdater.affinity.nodeAffinity."
            "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]"
        )
    ]
    assert said(site("{timeSlicing: {replicas: 4, renameByDefault: true}}") + affinity, sharing.RULES) == []
