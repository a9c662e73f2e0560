"""Rules about MIG layouts against the GPU: is there MIG, are there these profiles, do they fit together."""

import re
from collections.abc import Iterable, Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.kinds import MigModel
from genvalues.facts.mig import fits
from genvalues.finding import Hit
from genvalues.record import NamedTuple
from genvalues.rules import mig_driver, mig_files, mig_layouts
from genvalues.rules.mig_parted import COMPUTE_INSTANCE, PROFILE, Entry, entries, gpus_of, models, models_of
from genvalues.rules.mig_site import splits
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import distance, inline, key, listed

_LIST = "`nvidia-smi mig -lgip` on a node lists the names that there are"


def _no_mig_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    for item in entries(body.data):
        for name in item.filters if item.enabled else ():
            picked = gpus_of(facts, name)
            if picked and all(gpu.mig_capable is False for gpu in picked):
                yield Hit(
                    (*item.route, "device-filter"),
                    f"{name} picks {listed([gpu.display for gpu in picked], 'and')}, which has no MIG",
                    "remove the entry, or name the PCI id of a GPU with MIG",
                )


@rule("GV400", "error", "MIG on a GPU that has none", files={"mig-parted": _no_mig_in_file})
def no_mig(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        config, gpu = pool.sharing.config, pool.gpu
        if config is None or config.mig is None or gpu is None or gpu.mig_capable is not False:
            continue
        yield Hit(
            pool.pool.at.route("sharing"),
            f"{gpu.display} has no MIG, and the sharing config {config.name} splits its GPUs by MIG",
            "sharing: whole, or a config with timeSlicing or mps",
            (((*config.route, "mig"), "MIG here"), (pool.pool.at.route("gpu", "model"), f"{gpu.display} here")),
            pools=(pool.name,),
        )


class Fault(NamedTuple):
    """What is wrong with the profiles of an entry: `profile` is one that does not exist, "" where they do not fit."""

    profile: str
    reason: str
    suggestion: str | None


def faults(counts: Mapping[str, int], candidates: Iterable[MigModel]) -> Iterator[Fault]:
    """Why none of the MIG tables takes these profiles; nothing where one does, or where one is not certain."""
    seen: list[MigModel] = []
    for model in candidates:
        if fits(model, counts) is None or (model.disputed and _has_all(model, counts)):
            return
        seen.append(model)
    unknown = [name for name in counts if not any(model.profile(name) for model in seen)]
    for name in unknown:
        yield Fault(name, f"no GPU that is known has a MIG profile {name}", _meant(name, counts, seen))
    if unknown or not seen:
        return
    fitting = [model for model in seen if _has_all(model, counts)]
    if not fitting:
        names = listed(counts, "and")
        yield Fault("", f"no GPU has the MIG profiles {names} together: their sizes are those of different GPUs", None)
    elif (misfit := fits(fitting[0], counts)) is not None:
        yield Fault("", f"{inline(dict(counts))} does not fit {fitting[0].key}: {misfit.reason}", misfit.suggestion)


def _meant(name: str, counts: Iterable[str], candidates: Iterable[MigModel]) -> str | None:
    """The profile that a name may mean: of the GPU that has most of the others, then the most alike, then the nearest size."""

    def order(found: tuple[MigModel, str]) -> tuple[int, int, int]:
        model, suggestion = found
        known = sum(model.profile(other) is not None for other in counts)
        return -known, distance(suggestion, name), abs(_gigabytes(suggestion) - _gigabytes(name))

    misfits = ((model, fits(model, {name: 1})) for model in candidates)
    meant = [(model, one.suggestion) for model, one in misfits if one is not None and one.suggestion]
    return min(meant, key=order)[1] if meant else None


def _gigabytes(profile: str) -> int:
    size = re.search(r"\.([0-9]{1,5})gb", profile)
    return int(size.group(1)) if size is not None else 0


def _has_all(model: MigModel, counts: Iterable[str]) -> bool:
    return all(model.profile(name) is not None for name in counts)


def _faults_of(item: Entry, facts: Facts) -> Iterator[Fault]:
    """Of an entry of a file: against the GPUs that its filters pick, or against all where it has none."""
    if (
        not item.enabled
        or not item.sound
        or any(re.fullmatch(COMPUTE_INSTANCE, name) or not re.fullmatch(PROFILE, name) for name in item.counts)
    ):
        return
    if not item.filters:
        yield from faults(item.counts, models(facts))
        return
    for name in item.filters:
        if known := models_of(facts, name):
            yield from faults(item.counts, known)


def _unknown_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    for item in entries(body.data):
        for fault in dict.fromkeys(_faults_of(item, facts)):
            if fault.profile:
                fix = f"{key(fault.suggestion)}: {item.counts[fault.profile]}" if fault.suggestion else _LIST
                yield Hit((*item.route, "mig-devices", fault.profile), fault.reason, fix, at="key")


@rule("GV401", "error", "MIG profile that the GPU does not have", files={"mig-parted": _unknown_in_file})
def unknown_profile(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        for route, layout in split.layouts() if split.model and not split.model.disputed else ():
            for name, count in layout.profiles.items():
                misfit = fits(split.model, {name: 1}) if split.model else None
                if misfit is None or misfit.kind != "unknown":
                    continue
                yield Hit(
                    (*route, "profiles", name),
                    misfit.reason,
                    f"{key(misfit.suggestion)}: {count}" if misfit.suggestion else _LIST,
                    ((split.pool.pool.at.route("gpu", "model"), f"the GPU of pool {split.pool.name}"),),
                    at="key",
                    pools=(split.pool.name,),
                )


@rule("GV402", "warning", "MIG profiles of a GPU whose table is not certain")
def uncertain_profiles(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        model, gpu = split.model, split.pool.gpu
        if model is None or gpu is None or not model.disputed:
            continue
        found = [(route, misfit) for route, layout in split.layouts() if (misfit := fits(model, layout.profiles))]
        route, misfit = found[0] if found else ((*split.config.route, "mig", "layouts"), None)
        against = f"; and as far as it is known, {misfit.reason}" if misfit is not None else ""
        yield Hit(
            (*route, "profiles") if misfit is not None else route,
            f"which MIG profiles {gpu.display} has is not certain: {model.disputed}{against}",
            f"{_LIST}: write these, and accept GV402 with that",
            ((split.pool.pool.at.route("gpu", "model"), f"the GPU of pool {split.pool.name}"),),
            pools=(split.pool.name,),
        )


def _misfit_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    for item in entries(body.data):
        for fault in dict.fromkeys(_faults_of(item, facts)):
            if not fault.profile:
                fix = f"mig-devices: {fault.suggestion}" if fault.suggestion else "take profiles of one GPU"
                yield Hit((*item.route, "mig-devices"), fault.reason, fix)


@rule("GV403", "error", "MIG layout that does not fit the GPU", files={"mig-parted": _misfit_in_file})
def does_not_fit(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        if split.model is None or split.model.disputed:
            continue
        for route, layout in split.layouts():
            wrong = fits(split.model, layout.profiles)
            if wrong is None or wrong.kind == "unknown":
                continue
            yield Hit(
                (*route, "profiles"),
                f"{inline(dict(layout.profiles))} does not fit {split.model.key}: {wrong.reason}",
                f"profiles: {wrong.suggestion}" if wrong.suggestion else "fewer or smaller instances",
                ((split.pool.pool.at.route("gpu", "model"), f"the GPU of pool {split.pool.name}"),),
                pools=(split.pool.name,),
            )


@rule("GV404", "info", "MIG layout that cannot be checked")
def unchecked(case: Case) -> Iterator[Hit]:
    for split in splits(case):
        gpu = split.pool.gpu
        if split.model is None and gpu is not None:
            yield Hit(
                (*split.config.route, "mig", "layouts"),
                f"no MIG table of {gpu.display} is known, so neither the names of its profiles nor the layout can be checked",
                f"{_LIST}; its table can be added by --facts",
                ((split.pool.pool.at.route("gpu", "model"), f"the GPU of pool {split.pool.name}"),),
                pools=(split.pool.name,),
            )


RULES: tuple[Rule, ...] = (
    no_mig,
    unknown_profile,
    uncertain_profiles,
    does_not_fit,
    unchecked,
    *mig_layouts.RULES,
    *mig_driver.RULES,
    *mig_files.RULES,
)
