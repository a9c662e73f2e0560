"""MIG of a site against its GPUs, drivers and cluster: what the pages do not show."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from genvalues import facts, judge
from genvalues.document import Chart
from genvalues.finding import format_route
from genvalues.rules import by_code, mig, mig_driver
from genvalues.rules.mig import faults
from genvalues.rules.mig_files import filter_fault
from genvalues.rules.mig_layouts import overlap
from genvalues.rules.mig_parted import models
from genvalues.rules.rule import Body

FACTS = facts.load()
Said = Callable[..., list[str]]
MIXES = json.loads((Path(__file__).parents[1] / "vectors" / "mig-mixes.json").read_text("utf-8"))
PARTED = [
    (model, kind, case["mix"])
    for model, cases in MIXES.items()
    for kind in ("valid", "invalid")
    for case in cases[kind]
]

LAYOUT = "{gpus: all, profiles: {1g.10gb: 7}}"


def site(layouts: str, *, gpu: str = "", strategy: str = "mixed", more: str = "", over: str = "") -> str:
    model = f", gpu: {{{gpu}, board: null}}" if gpu else ""
    return (
        f"hardware: {{pools: [{{name: gpu, sharing: one{model}{more}}}]}}\n"
        f"sharing: {{configs: {{one: {{mig: {{strategy: {strategy}, layouts: [{layouts}]}}{over}}}}}}}\n"
    )


@pytest.mark.parametrize(("key", "kind", "mix"), PARTED)
def test_mixes_are_judged_as_documented(key: str, kind: str, mix: dict[str, int]) -> None:
    """A mix that NVIDIA documents is taken, and none that cannot be: on its own table, certain or not."""
    model = FACTS.mig_model(key)
    assert model is not None
    certain = model._replace(disputed=None)

    assert (list(faults(mix, [certain])) == []) == (kind == "valid")


def test_no_fault_where_one_table_takes_it() -> None:
    """Without a filter any GPU will do; an uncertain table speaks for the layout too."""
    assert list(faults({"2g.24gb": 3}, models(FACTS))) == []
    assert list(faults({"1g.16gb": 3}, models(FACTS))) == []  # RTX PRO 4500: its placements are not certain


@pytest.mark.parametrize(
    ("mix", "suggestion"),
    [
        ({"1g.25gb": 7}, "1g.24gb"),
        ({"3g.90gb": 1, "1g.25gb": 4}, "1g.23gb"),  # of the GPU that has 3g.90gb, the B200
        ({"1g.24gb-gfx": 1}, "1g.24gb"),
        ({"5g.999gb": 1}, None),
    ],
)
def test_unknown_profile_is_guessed_from_its_neighbours(mix: dict[str, int], suggestion: str | None) -> None:
    """The profile that comes nearest, of the GPU that the others belong to."""
    assert [fault.suggestion for fault in faults(mix, models(FACTS))] == [suggestion]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (site(LAYOUT), []),
        (site(LAYOUT, strategy="single"), []),
        (site("{gpus: [0], profiles: {3g.40gb: 2}}, {gpus: [1, 2], profiles: {1g.10gb: 7}}"), []),
        (
            site(
                "{gpus: all, profiles: {1g.24gb+me.all: 1, 1g.24gb-me: 3}}", gpu="model: rtx-pro-6000-blackwell-server"
            ),
            [],
        ),
        (site("{gpus: all, profiles: {1g.5gb: 7}}", gpu="model: a100x"), ["GV404 sharing.configs.one.mig.layouts"]),
        (
            site("{gpus: all, profiles: {mig-1g.10gb.me: 1}}"),
            ['GV401 sharing.configs.one.mig.layouts[0].profiles["mig-1g.10gb.me"]'],
        ),
        (
            site("{gpus: all, profiles: {1g.5gb: 1, 2g.10gb: 3}}"),
            [
                'GV401 sharing.configs.one.mig.layouts[0].profiles["1g.5gb"]',
                'GV401 sharing.configs.one.mig.layouts[0].profiles["2g.10gb"]',
            ],
        ),
        (site("{gpus: all, profiles: {1g.10gb+me: 2}}"), ["GV403 sharing.configs.one.mig.layouts[0].profiles"]),
        (
            site("{gpus: all, profiles: {2g.47gb: 3}}", gpu="model: gb200", more=", arch: arm64"),
            [
                "GV402 sharing.configs.one.mig.layouts",
                "GV416 sharing.configs.one.mig",
            ],
        ),
        (site("{gpus: [0, 8], profiles: {1g.10gb: 7}}"), ["GV406 sharing.configs.one.mig.layouts[0].gpus[1]"]),
        (site(f"{LAYOUT}, {LAYOUT}"), ["GV407 sharing.configs.one.mig.layouts[1].gpus"]),
        (site(f"{LAYOUT}, {LAYOUT}", strategy="single"), ["GV407 sharing.configs.one.mig.layouts[1].gpus"]),
        (
            site(
                "{gpus: [0], profiles: {1g.10gb: 7}}, {gpus: [1, 2, 3, 4, 5, 6, 7], profiles: {2g.20gb: 3}}",
                strategy="single",
            ),
            ["GV409 sharing.configs.one.mig.strategy"],
        ),
    ],
)
def test_layouts_are_judged_against_the_gpus(text: str, found: list[str], said: Said) -> None:
    """One finding for each fault, at the line that can be changed."""
    assert said(text, mig.RULES) == found


def test_unused_layouts_are_not_judged(said: Said) -> None:
    """No pool has the config: there is no GPU that it could not fit."""
    assert said("sharing: {configs: {one: {mig: {layouts: [{gpus: all, profiles: {9g.9gb: 7}}]}}}}\n", mig.RULES) == []


def test_single_without_a_count_is_judged_by_its_profiles(said: Said) -> None:
    """How many GPUs there are is not said; that two profiles differ is."""
    two = "{gpus: all, profiles: {1g.10gb: 2, 2g.20gb: 1}}"
    gpu = "model: h100-sxm5-80gb, count: null"

    assert said(site(two, gpu=gpu, strategy="single"), mig.RULES) == ["GV409 sharing.configs.one.mig.strategy"]
    assert said(site(LAYOUT, gpu=gpu, strategy="single"), mig.RULES) == []


def test_suggestions_can_be_typed(judged: Callable[..., Any]) -> None:
    """The fix is the nearest profile or mix of this GPU."""
    unknown = judged(site("{gpus: all, profiles: {2g.10gb: 3}}"), mig.RULES)
    crowded = judged(site("{gpus: all, profiles: {3g.40gb: 2, 1g.10gb: 1}}"), mig.RULES)
    engines = judged(
        site("{gpus: all, profiles: {1g.24gb+me.all: 1, 1g.24gb: 3}}", gpu="model: rtx-pro-6000-blackwell-server"),
        mig.RULES,
    )

    assert [hit.fix for _, hit in unknown] == ["2g.20gb: 3"]
    assert [hit.fix for _, hit in crowded] == ["profiles: {3g.40gb: 2}"]
    assert [hit.fix for _, hit in engines] == ["profiles: {1g.24gb+me.all: 1, 1g.24gb-me: 3}"]


@pytest.mark.parametrize(
    ("version", "gpu", "layout", "found"),
    [
        ("525.85.12", "h100-sxm5-80gb", "1g.10gb: 7", []),
        ("525.60.13", "h100-sxm5-80gb", "1g.10gb: 7", []),  # does not know the GPU at all, which GV501 says
        ("460.32.03", "a30", "1g.6gb: 4", ["GV413 driver.version"]),
        ("525", "h100-sxm5-80gb", "1g.10gb: 7", []),  # a branch, of which some release will do
        ("460.73.01", "a30", "1g.6gb: 4", []),
        ("460.73.01", "a30", "1g.6gb+me: 1", ["GV413 driver.version"]),  # from R470 on
        ("470.57.02", "a30", "1g.6gb+me: 1", []),
        ("550.54.14", "h200-sxm5-141gb", "1g.18gb: 7", []),
    ],
)
def test_driver_must_be_able_to_split(
    version: str, gpu: str, layout: str, found: list[str], said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first driver with MIG for the GPU, and for the profile; that the oldest of them run no CUDA 12 is left aside."""
    monkeypatch.setattr(mig_driver, "cuda_floor", lambda *_: None)
    text = site(f"{{gpus: all, profiles: {{{layout}}}}}", gpu=f"model: {gpu}") + f'driver: {{version: "{version}"}}\n'

    assert said(text, mig.RULES) == found


@pytest.mark.parametrize(("version", "codes"), [("460.32.03", ["GV507"]), ("525.60.13", ["GV413"])])
def test_an_old_driver_is_said_once(version: str, codes: list[str], said: Said) -> None:
    """One that not even the verification pods run on needs no word on MIG."""
    gpu = "a30" if version < "525" else "h100-pcie-80gb"
    profile = "1g.6gb: 4" if version < "525" else "1g.10gb: 7"
    text = site(f"{{gpus: all, profiles: {{{profile}}}}}", gpu=f"model: {gpu}") + f'driver: {{version: "{version}"}}\n'

    assert [one.split()[0] for one in said(text, [by_code()["GV413"], by_code()["GV507"]])] == codes


@pytest.mark.parametrize(
    ("gpu", "strategy", "profile", "over", "found"),
    [
        ("server", "mixed", "1g.24gb", "", []),
        ("server", "single", "1g.24gb", ", timeSlicing: {replicas: 2}", []),  # 44 + 12 + 7 = 63
        ("server", "mixed", "1g.24gb+gfx", ", timeSlicing: {replicas: 2}", ["GV417 sharing.configs.one.timeSlicing"]),
        ("workstation", "mixed", "1g.24gb", "", []),  # 49 + 12 = 61
        ("workstation", "mixed", "1g.24gb", ", timeSlicing: {replicas: 2}", ["GV417 sharing.configs.one.timeSlicing"]),
        ("maxq", "single", "1g.24gb", "", ["GV417 sharing.configs.one.mig"]),  # 55 + 12 = 67
        ("maxq", "mixed", "1g.24gb", "", ['GV417 sharing.configs.one.mig.layouts[0].profiles["1g.24gb"]']),
    ],
)
def test_labels_are_counted(gpu: str, strategy: str, profile: str, over: str, found: list[str], said: Said) -> None:
    """The name of the card, -MIG- with the profile and -SHARED: 63 characters at most."""
    layout = f"{{gpus: all, profiles: {{{profile}: 4}}}}"
    text = site(layout, gpu=f"model: rtx-pro-6000-blackwell-{gpu}, count: 2", strategy=strategy, over=over)

    assert [one for one in said(text, mig.RULES) if one.startswith("GV417")] == found


@pytest.mark.parametrize(
    ("version", "layout", "found"),
    [
        ("570.148.08", "{gpus: [0], profiles: {1g.10gb: 7}}", ["GV418 driver.version"]),
        ("570.148.08", LAYOUT, []),
        ("570.172.08", "{gpus: [0], profiles: {1g.10gb: 7}}", []),
    ],
)
def test_half_split_nodes_need_a_driver_that_can(version: str, layout: str, found: list[str], said: Said) -> None:
    """Whole GPUs beside split ones, with the releases of R570 that get them wrong."""
    assert said(site(layout) + f'driver: {{version: "{version}"}}\n', mig.RULES) == found


@pytest.mark.parametrize(
    ("operator", "strategy", "profile", "found"),
    [
        ("v26.7.0", "mixed", "1g.10gb+me", 0),
        ("v26.3.3", "mixed", "1g.10gb+me", 1),
        ("v24.9.2", "mixed", "1g.10gb+me", 1),
        ("v26.3.3", "single", "1g.10gb+me", 0),
        ("v26.3.3", "mixed", "1g.10gb", 0),
    ],
)
def test_profiles_are_told_apart_from_device_plugin_0_20_on(
    operator: str, strategy: str, profile: str, found: int, judged: Callable[..., Any]
) -> None:
    """Before it a device goes to the first profile that its name begins with; under single it does not matter."""
    text = (
        site(f"{{gpus: all, profiles: {{{profile}: 1}}}}", strategy=strategy) + f"charts: {{gpuOperator: {operator}}}\n"
    )

    assert [code for code, _ in judged(text, mig.RULES)].count("GV419") == found


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ('driver: {strategy: container, version: "580.173.02"}', ["GV416 sharing.configs.one.mig"]),
        ('driver: {strategy: container, version: "570.172.08"}', []),
        ('driver: {strategy: host, version: "580.173.02"}', []),
        (
            'driver: {version: "580.173.02", moduleParameters: {nvidia: {NVreg_CoherentGPUMemoryMode: numa}}}',
            [],
        ),
    ],
)
def test_coherent_memory_is_the_driver_containers_doing(lines: str, found: list[str], said: Said) -> None:
    """From 580.65.06 on, on Grace, unless the site sets the parameter otherwise."""
    text = (
        site("{gpus: all, profiles: {1g.12gb: 7}}", gpu="model: gh200-96gb, count: 1", more=", arch: arm64")
        + lines
        + "\n"
    )

    assert said(text, mig.RULES) == found


@pytest.mark.parametrize(
    ("earlier", "later", "met"),
    [
        ([], None, None),
        ([(0, 1)], (2,), None),
        ([(0, 1), (3,)], (3, 0), (0, "GPU 0")),
        ([None], (5,), (0, "GPU 5")),
        ([(2,)], None, (0, "GPU 2")),
        ([None], None, (0, "every GPU")),
        ([()], None, None),
        ([None], (), None),
    ],
)
def test_overlap_names_the_gpu(earlier: Any, later: Any, met: Any) -> None:
    """The first earlier set that shares a GPU, None standing for all."""
    assert overlap(earlier, later) == met


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("0x233010DE", None),
        ("0x233010de", None),
        ("0x233010DE:0x16C110DE", None),
        ("0x10DE2330", 'device-filter: "0x233010DE"'),
        ("0x233010EE", 'device-filter: "0x233010DE"'),
        ("233010DE", 'device-filter: "0x233010DE", device before vendor, as in lspci -n'),
        ("H100", 'device-filter: "0x233010DE", device before vendor, as in lspci -n'),
    ],
)
def test_filters_are_put_right(text: str, fix: str | None) -> None:
    """Device before vendor, and the vendor is NVIDIA."""
    found = filter_fault(text)

    assert (found and found[1]) == fix


def values(data: Any) -> Body:
    return Body("values", data, "values.yaml", (), Chart("gpu-operator", "v26.7.0"))


def config_map(name: str, configs: dict[str, Any]) -> list[Body]:
    return [
        Body("config-map", {"metadata": {"name": name}, "data": {"config.yaml": ""}}, "map.yaml"),
        Body("mig-parted", {"version": "v1", "mig-configs": configs}, "map.yaml", ("data", "config.yaml")),
    ]


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ({"name": "mig"}, ["GV425 mig-configs"]),
        ({"name": "mig", "default": "all-disabled"}, ["GV425 mig-configs"]),
        ({"name": "mig", "default": ""}, []),
        ({"name": "other"}, []),
        ({}, []),
    ],
)
def test_config_of_unlabelled_nodes_is_there(config: dict[str, Any], found: list[str]) -> None:
    """The ConfigMap that the values name has all-disabled, unless the operator labels no node by itself."""
    bodies = [values({"migManager": {"config": config}}), *config_map("mig", {"all-1g.10gb": []})]
    hits = judge.together(bodies, FACTS, mig.RULES)

    assert [f"{rule.code} {format_route(hit.route)}" for _, rule, hit in hits] == found


def test_config_map_is_found_among_others_of_its_file() -> None:
    """By the key that the config stands under; with two such keys it is not certain, and nothing is said."""
    named = values({"migManager": {"config": {"name": "mig"}}})
    holder, config = config_map("mig", {"all-1g.10gb": []})
    other = Body("config-map", {"metadata": {"name": "other"}, "data": {"a": ""}}, "map.yaml")
    alike = Body("config-map", {"metadata": {"name": "other"}, "data": {"config.yaml": ""}}, "map.yaml")

    assert len(list(judge.together([named, other, holder, config], FACTS, mig.RULES))) == 1
    assert list(judge.together([named, alike, holder, config], FACTS, mig.RULES)) == []


def test_complete_config_map_is_left_alone() -> None:
    """With all-disabled there is nothing to say."""
    bodies = [values({"migManager": {"config": {"name": "mig"}}}), *config_map("mig", {"all-disabled": []})]

    assert list(judge.together(bodies, FACTS, mig.RULES)) == []
