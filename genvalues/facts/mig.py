"""Does a MIG layout fit a GPU? Exact, from NVIDIA's placement tables; where it does not, why, and what would.

Neither the sum of compute slices nor that of memory decides: 3g+3g+1g has 7 slices, 4g+2g+2g has 8 memory units, and
neither fits. Every instance needs one of its profile's starts for itself. mig-parted tries every order of creation, so
"some assignment exists" is the right question for it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from genvalues.facts.kinds import MigModel, MigProfile
from genvalues.record import NamedTuple

Mix = Mapping[str, int]
"""Profile name -> how many instances of it on one GPU."""

Placement = tuple[tuple[str, int], ...]
"""(profile name, first memory unit) of each instance, biggest first."""

_NAME = r"(?a)([1-9]\d{0,3})g\.([1-9]\d{0,4})gb(.*)"


class Misfit(NamedTuple):
    """Why a mix cannot be: `reason` in words with the numbers, and what to write instead.

    `profile` is the one at fault where one is (unknown, count, maximum). `suggestion` is a profile name where the name
    is unknown, else a mix in YAML flow style; None where nothing is near.
    """

    kind: Literal["unknown", "count", "maximum", "placement", "engines"]
    reason: str
    suggestion: str | None
    profile: str | None = None


def fits(model: MigModel, mix: Mix) -> Misfit | None:
    """None where one GPU can hold the mix. An empty mix fits: MIG mode on, nothing created."""
    for name in mix:
        if model.profile(name) is None:
            return _unknown(model, name)
    for name, count in mix.items():
        if count < 1:
            reason = f"{count} x {name}: a count is 1 or more, or mig-manager never finds its layout on the GPU"
            return Misfit("count", reason, _flow(nearest(model, mix)), name)
        most = _known(model, name).max_instances
        if count > most:
            reason = f"{count} x {name}: a GPU holds at most {most} of them"
            return Misfit("maximum", reason, _flow(nearest(model, mix)), name)
    if place(model, mix) is None:
        near = nearest(model, mix)
        return Misfit("placement", _crowded(model, mix), _flow(near))
    if short := _missing_engines(model, mix):
        return Misfit("engines", short, _flow(_spared(model, mix) or nearest(model, mix)))
    return None


def place(model: MigModel, mix: Mix) -> Placement | None:
    """Where each instance of a mix of known profiles goes; None where they do not all find a place. Engines apart."""
    profiles = sorted(((_known(model, name), count) for name, count in mix.items()), key=lambda one: -one[0].size)
    wanted = [profile for profile, count in profiles for _ in range(count)]
    if sum(profile.size for profile in wanted) > model.memory_units:
        return None
    starts = _place(wanted, 0, 0, -1)
    return None if starts is None else tuple((p.name, s) for p, s in zip(wanted, starts, strict=True))


def _place(wanted: list[MigProfile], index: int, taken: int, after: int) -> list[int] | None:
    """Starts for `wanted[index:]`, given a bit mask of taken units. Instances of one profile take increasing starts."""
    if index == len(wanted):
        return []
    profile = wanted[index]
    for start in profile.starts:
        units = ((1 << profile.size) - 1) << start
        if start <= after or taken & units:
            continue
        same = index + 1 < len(wanted) and wanted[index + 1] is profile
        rest = _place(wanted, index + 1, taken | units, start if same else -1)
        if rest is not None:
            return [start, *rest]
    return None


def feasible(model: MigModel, limits: Mix) -> Iterator[dict[str, int]]:
    """Every mix that fits and holds no more of each profile than `limits` says; the empty one too."""
    return _feasible(model, list(limits.items()), {})


def _feasible(model: MigModel, limits: list[tuple[str, int]], chosen: dict[str, int]) -> Iterator[dict[str, int]]:
    if not limits:
        yield chosen
        return
    (name, limit), rest = limits[0], limits[1:]
    for count in range(max(0, min(limit, _known(model, name).max_instances)) + 1):
        more = {**chosen, name: count} if count else chosen
        if count and (place(model, more) is None or _missing_engines(model, more)):
            return  # a mix that holds one that does not fit does not fit either
        yield from _feasible(model, rest, more)


def nearest(model: MigModel, mix: Mix) -> Mix | None:
    """The part of a mix of known profiles that loses the fewest instances and fits, then the one that fills most."""
    best = max(feasible(model, mix), key=lambda one: (sum(one.values()), _units(model, one)))
    return best or None


def _crowded(model: MigModel, mix: Mix) -> str:
    """Why the instances of a mix find no places."""
    profiles = [_known(model, name) for name in mix]
    wanted = " and ".join(f"{count} x {name}" for name, count in mix.items())
    slices = sum(profile.compute_slices * mix[profile.name] for profile in profiles)
    if _units(model, mix) > model.memory_units:
        each = _each([(profile.name, profile.size) for profile in profiles], model.memory_units, "memory units")
        return f"{each}: {wanted} need {_units(model, mix)}"
    if slices > model.compute_slices:
        each = _each(
            [(profile.name, profile.compute_slices) for profile in profiles], model.compute_slices, "compute slices"
        )
        return f"{each}: {wanted} need {slices}"
    starts = "; ".join(f"{profile.name} at {', '.join(map(str, profile.starts))}" for profile in profiles)
    return f"{wanted} overlap wherever they go: instances start only at certain memory units ({starts})"


def _each(shares: list[tuple[str, int]], whole: int, unit: str) -> str:
    """What an instance of each profile takes: "3g.40gb takes 4 of 8 memory units, 1g.10gb 1"."""
    (first, size), *rest = shares
    return ", ".join([f"{first} takes {size} of {whole} {unit}", *(f"{name} {share}" for name, share in rest)])


def _missing_engines(model: MigModel, mix: Mix) -> str | None:
    """Which media engines a mix has too few of, in words."""
    for engine, budget in model.engine_budget.items():
        each = {name: _known(model, name).engines.get(engine, 0) * count for name, count in mix.items()}
        total = sum(each.values())
        if total > budget:
            parts = ", ".join(f"{name} {need}" for name, need in each.items() if need)
            return f"together they need {total} {engine.upper()} engines ({parts}), a GPU has {budget}"
    return None


def _spared(model: MigModel, mix: Mix) -> Mix | None:
    """The mix with the -me variant of every profile that does not ask for media engines, where that fits."""
    swapped: dict[str, int] = {}
    for name, count in mix.items():
        profile = _known(model, name)
        if not {"me", "me.all"} & set(profile.attributes):
            without = re.sub(r"[+-].*", "", name) + "-me"
            name = without if model.profile(without) else name  # noqa: PLW2901  the name that counts from here on
        swapped[name] = swapped.get(name, 0) + count
    return swapped if swapped != mix and fits(model, swapped) is None else None


def _unknown(model: MigModel, name: str) -> Misfit:
    spelt = name.removeprefix("nvidia.com/").removeprefix("mig-").removeprefix("all-").lower()
    spelt = re.sub(r"^[1-9]\d*c\.", "", spelt)
    same = next((p.name for p in model.profiles if spelt in (p.name, p.name.replace("+", "."))), None)
    if same is not None:
        return Misfit("unknown", f"{name} is not the name of a MIG profile; the profile is {same}", same, name)
    known = ", ".join(profile.name for profile in model.profiles)
    reason = f"{model.key} has no MIG profile {name}; it has {known}"
    return Misfit("unknown", reason, _closest(model, spelt), name)


def _closest(model: MigModel, name: str) -> str | None:
    """The profile with the same number of compute slices, the same attributes if it can be, and the nearest size."""
    matched = re.fullmatch(_NAME, name)
    if matched is None:
        return None
    slices, size, tail = int(matched.group(1)), int(matched.group(2)), matched.group(3)
    found: list[tuple[bool, int, str]] = []
    for profile in model.profiles:
        other = re.fullmatch(_NAME, profile.name)
        if other is not None and profile.compute_slices == slices:
            found.append((other.group(3) != tail, abs(int(other.group(2)) - size), profile.name))
    return min(found)[2] if found else None


def _known(model: MigModel, name: str) -> MigProfile:
    profile = model.profile(name)
    if profile is None:
        raise KeyError(name)
    return profile


def _units(model: MigModel, mix: Mix) -> int:
    return sum(_known(model, name).size * count for name, count in mix.items())


def _flow(mix: Mix | None) -> str | None:
    """A mix as one types it."""
    return None if mix is None else "{" + ", ".join(f"{name}: {count}" for name, count in mix.items()) + "}"
