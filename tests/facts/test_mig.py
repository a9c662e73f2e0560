import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genvalues.facts import Facts, load, mig
from genvalues.facts.kinds import MigModel

ROOT = Path(__file__).resolve().parents[2]
VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "vectors" / "mig-mixes.json").read_text(encoding="utf-8"))
SEVEN = [name for name, table in VECTORS.items() if table["base_feasible_mixes"] == 77]
VALID = [(model, one["mix"]) for model, table in VECTORS.items() for one in table["valid"]]
INVALID = [(model, one["mix"]) for model, table in VECTORS.items() for one in table["invalid"]]


def table(facts: Facts, key: str) -> MigModel:
    found = facts.mig_model(key)
    assert found is not None
    return found


@pytest.mark.parametrize(("key", "mix"), VALID)
def test_documented_and_captured_mixes_fit(facts: Facts, key: str, mix: dict[str, int]) -> None:
    """Every mix of NVIDIA's documents, default configs and public captures fits its GPU, each instance at a place."""
    placed = mig.place(table(facts, key), mix)

    assert mig.fits(table(facts, key), mix) is None
    assert placed is not None
    assert mix == Counter(name for name, _ in placed)


@pytest.mark.parametrize(("key", "mix"), INVALID)
def test_impossible_mixes_are_refused_with_a_way_out(facts: Facts, key: str, mix: dict[str, int]) -> None:
    """Each impossible mix is refused, and the layout that is suggested instead fits."""
    misfit = mig.fits(table(facts, key), mix)
    assert misfit is not None
    assert misfit.suggestion is not None
    pairs = misfit.suggestion.strip("{}").split(", ")
    suggested = {name: int(count) for name, count in (pair.split(": ") for pair in pairs)}

    assert mig.fits(table(facts, key), suggested) is None


def test_counts_of_vectors() -> None:
    """The vectors cover sixteen tables, and twelve of them are boards of seven slices."""
    assert (len(VECTORS), len(SEVEN)) == (16, 12)


@pytest.mark.parametrize(
    ("key", "feasible", "maximal"),
    [*((key, 77, 28) for key in SEVEN), ("A30-24GB", 9, 4), ("RTX-PRO-6000-96GB", 9, 4)],
)
def test_as_many_mixes_fit_as_upstreams_tables_allow(facts: Facts, key: str, feasible: int, maximal: int) -> None:
    """77 mixes of plain profiles, 28 of them maximal, on seven slices; 9 and 4 on the boards of four."""
    model = table(facts, key)
    names = VECTORS[key]["base_profiles"]
    found = [mix for mix in mig.feasible(model, dict.fromkeys(names, 99)) if mix]
    full = [
        mix for mix in found if all(mig.fits(model, {**mix, name: mix.get(name, 0) + 1}) is not None for name in names)
    ]

    assert (feasible, maximal) == (len(found), len(full))
    assert sorted(map(sorted_items, VECTORS[key]["base_maximal_mixes"])) == sorted(map(sorted_items, full))


def sorted_items(mix: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(mix.items())


@pytest.mark.parametrize(
    ("mix", "reason", "suggestion"),
    [
        (
            {"3g.40gb": 2, "1g.10gb": 1},
            "3g.40gb takes 4 of 8 memory units, 1g.10gb 1: 2 x 3g.40gb and 1 x 1g.10gb need 9",
            "{3g.40gb: 2}",
        ),
        (
            {"4g.40gb": 1, "2g.20gb": 2},
            "4g.40gb takes 4 of 7 compute slices, 2g.20gb 2: 1 x 4g.40gb and 2 x 2g.20gb need 8",
            "{4g.40gb: 1, 2g.20gb: 1}",
        ),
        ({"1g.10gb": 8}, "8 x 1g.10gb: a GPU holds at most 7 of them", "{1g.10gb: 7}"),
        ({"1g.10gb+me": 2}, "2 x 1g.10gb+me: a GPU holds at most 1 of them", "{1g.10gb+me: 1}"),
        (
            {"1g.10gb": 0, "2g.20gb": 1},
            "0 x 1g.10gb: a count is 1 or more, or mig-manager never finds its layout on the GPU",
            "{2g.20gb: 1}",
        ),
        ({"1g.10gb": -1}, "-1 x 1g.10gb: a count is 1 or more, or mig-manager never finds its layout on the GPU", None),
        ({"1g.10gb.me": 1}, "1g.10gb.me is not the name of a MIG profile; the profile is 1g.10gb+me", "1g.10gb+me"),
        (
            {"nvidia.com/mig-3g.40gb": 1},
            "nvidia.com/mig-3g.40gb is not the name of a MIG profile; the profile is 3g.40gb",
            "3g.40gb",
        ),
        ({"1c.3g.40gb": 1}, "1c.3g.40gb is not the name of a MIG profile; the profile is 3g.40gb", "3g.40gb"),
        (
            {"2g.10gb": 1},
            "H100-80GB has no MIG profile 2g.10gb; it has 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb",
            "2g.20gb",
        ),
        (
            {"1g.24gb+me": 1},
            "H100-80GB has no MIG profile 1g.24gb+me; it has 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb",
            "1g.10gb+me",
        ),
        (
            {"half": 1},
            "H100-80GB has no MIG profile half; it has 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb",
            None,
        ),
    ],
)
def test_reasons_name_the_numbers(facts: Facts, mix: dict[str, int], reason: str, suggestion: str | None) -> None:
    """A misfit says in words what takes what, and what to write instead."""
    misfit = mig.fits(table(facts, "H100-80GB"), mix)
    assert misfit is not None

    assert (reason, suggestion) == (misfit.reason, misfit.suggestion)


def test_places_can_be_wrong_where_all_sums_are_right(facts: Facts) -> None:
    """Two profiles that both start only at unit 0 overlap, though slices and memory would do."""
    model = table(facts, "H100-80GB")
    profiles = tuple(
        p._replace(starts=(0,), compute_slices=3) if p.name in ("3g.40gb", "4g.40gb") else p for p in model.profiles
    )
    misfit = mig.fits(model._replace(profiles=profiles), {"3g.40gb": 1, "4g.40gb": 1})
    assert misfit is not None

    assert misfit.reason == (
        "1 x 3g.40gb and 1 x 4g.40gb overlap wherever they go: instances start only at certain memory units"
        " (3g.40gb at 0; 4g.40gb at 0)"
    )


def test_all_media_engines_leave_none_to_neighbours(facts: Facts) -> None:
    """Beside +me.all only profiles without media engines can be, and those are what is suggested."""
    misfit = mig.fits(table(facts, "RTX-PRO-6000-96GB"), {"1g.24gb+me.all": 1, "1g.24gb": 3})
    assert misfit is not None

    assert misfit.reason == "together they need 7 NVDEC engines (1g.24gb+me.all 4, 1g.24gb 3), a GPU has 4"
    assert misfit.suggestion == "{1g.24gb+me.all: 1, 1g.24gb-me: 3}"


def test_mig_mode_without_instances_is_possible(facts: Facts) -> None:
    """An empty mix fits: the operator's own all-enabled is one."""
    assert mig.fits(table(facts, "H100-80GB"), {}) is None


MODELS = {key: found for key in VECTORS if (found := load().mig_model(key)) is not None}


@st.composite
def mixes(draw: st.DrawFn) -> tuple[MigModel, dict[str, int]]:
    model = MODELS[draw(st.sampled_from(sorted(MODELS)))]
    names = draw(st.lists(st.sampled_from([profile.name for profile in model.profiles]), unique=True, max_size=4))
    return model, {name: draw(st.integers(1, 4)) for name in names}


@settings(max_examples=150, deadline=None)
@given(mixes())
def test_a_verdict_agrees_with_brute_force(drawn: tuple[MigModel, dict[str, int]]) -> None:
    """A mix fits exactly if some choice of starts is disjoint, maxima hold and engines suffice, tried blindly."""
    model, mix = drawn
    profiles = [profile for name, count in mix.items() if (profile := model.profile(name)) for _ in range(count)]
    budget = all(sum(p.engines.get(e, 0) for p in profiles) <= most for e, most in model.engine_budget.items())
    most = all(mix[p.name] <= p.max_instances for p in profiles)
    reachable = {0}  # sets of taken units, as bit masks, after each instance
    for profile in profiles:
        units = [sum(1 << unit for unit in range(start, start + profile.size)) for start in profile.starts]
        reachable = {taken | one for taken in reachable for one in units if not taken & one}

    assert (bool(reachable) and budget and most) == (mig.fits(model, mix) is None)
