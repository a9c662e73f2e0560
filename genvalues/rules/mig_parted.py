"""A mig-parted config as rules see it: its entries, whatever else is wrong with the body. NVIDIA/mig-parted api/spec/v1."""

from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu, MigModel
from genvalues.finding import Json, Route
from genvalues.record import NamedTuple

FILTER = r"0x([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})(?::0x[0-9A-Fa-f]{8})?"
"""A device-filter: device and vendor, since v0.15 with the subsystem behind it."""

COMPUTE_INSTANCE = r"[1-9][0-9]*c\..+"
"""The name of a part of a MIG device, which mig-parted takes and never finds again."""

PROFILE = r"([1-9][0-9]*c\.)?[1-9][0-9]*g\.[1-9][0-9]*gb([+-][a-z]+(\.[a-z]+)*(,[a-z]+(\.[a-z]+)*)*)?"
"""What its parser takes for the name of a profile."""

NVIDIA = "10DE"


class Entry(NamedTuple):
    """One entry. `gpus` None: all; `counts` are the profiles with a usable count, `sound` whether all have one."""

    route: Route
    config: str
    gpus: tuple[int, ...] | None
    filters: tuple[str, ...]
    enabled: bool
    counts: Mapping[str, int]
    sound: bool


def entries(data: Json) -> Iterator[Entry]:
    """The entries of every config in a body; what has not their shape is left to the schema."""
    configs = data.get("mig-configs") if isinstance(data, Mapping) else None
    for name, items in configs.items() if isinstance(configs, Mapping) else ():
        for index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, Mapping):
                yield _entry(("mig-configs", name, index), str(name), item)


def _entry(route: Route, config: str, item: Mapping[str, Json]) -> Entry:
    devices, devices_of = item.get("devices"), item.get("mig-devices")
    filters = item.get("device-filter")
    stated = devices_of if isinstance(devices_of, Mapping) else {}
    counts = {str(name): count for name, count in stated.items() if _is_index(count) and count > 0}
    return Entry(
        route=route,
        config=config,
        gpus=tuple(one for one in devices if _is_index(one)) if isinstance(devices, list) else None,
        filters=(filters,) if isinstance(filters, str) else _texts(filters),
        enabled=item.get("mig-enabled") is True,
        counts=counts,
        sound=len(counts) == len(stated),
    )


def _is_index(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(items: Json) -> tuple[str, ...]:
    return tuple(item for item in items if isinstance(item, str)) if isinstance(items, list) else ()


def models(facts: Facts) -> Iterator[MigModel]:
    """Every MIG table; lazily, since most bodies fit one of the first."""
    for key in facts.mig_model_keys():
        model = facts.mig_model(key)
        if model is not None:
            yield model


def models_of(facts: Facts, device_filter: str) -> tuple[MigModel, ...]:
    """The tables of the GPU that a device-filter picks: several where its memory comes in several sizes, () not known."""
    wanted = device_filter[:10].upper()
    return tuple(model for model in models(facts) if wanted in (one.upper() for one in model.pci_device_ids))


def gpus_of(facts: Facts, device_filter: str) -> tuple[Gpu, ...]:
    """The GPUs that a device-filter picks."""
    device = device_filter[2:6].lower()
    every = (facts.gpu(key) for key in facts.gpu_keys())
    return tuple(gpu for gpu in every if gpu is not None and any(device == pci.device for pci in gpu.pci_ids))
