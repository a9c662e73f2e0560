"""Names that the device plugin and GPU feature discovery give: resources, and values of nvidia.com/gpu.product.

Source: k8s-device-plugin internal/lm/resource.go and mig-strategy.go, internal/rm; pinned by vectors in tests/facts.
Both change with sharing and MIG, so a selector or a quota must be derived, never typed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from genvalues.facts.version import numbers
from genvalues.record import NamedTuple

GPU = "nvidia.com/gpu"
LABEL_LIMIT = 63

Strategy = Literal["none", "single", "mixed"]
Gpus = Sequence[Mapping[str, int] | None]
"""The GPUs of a node: the MIG mix of each, None for one that is not in MIG mode."""


class Exposed(NamedTuple):
    """An extended resource of a node: its name and how many there are. `of` is the resource before renaming."""

    name: str
    number: int
    of: str


def sanitised(name: str) -> str:
    """A product name as a label value: characters that labels cannot hold go, words are joined by "-"."""
    return "-".join(re.sub(r"[^A-Za-z0-9\-_. ]", "", name).split())


def mig_resource(profile: str) -> str:
    """The resource of a MIG profile under strategy mixed: "+" becomes ".", "-" stays."""
    return "nvidia.com/mig-" + profile.replace("+", ".")


def product_label(product: str, profile: str | None = None, *, shared: bool = False) -> str:
    """The product label of a GPU, or of its MIG devices; `shared` means shared and not renamed. May be too long."""
    label = product if profile is None else f"{product}-MIG-{sanitised(profile)}"
    return f"{label}-SHARED" if shared else label


def is_label(value: str) -> bool:
    """Whether the API server takes it as a label value. GPU feature discovery shortens none: too long is refused."""
    return len(value) <= LABEL_LIMIT and re.fullmatch(r"([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?", value) is not None


def single_fault(gpus: Gpus) -> str | None:
    """Why strategy single is invalid on a node with these GPUs, None where it holds. No GPU in MIG mode is fine."""
    mixes = [mix for mix in gpus if mix is not None]
    if not mixes:
        return None
    if len(mixes) < len(gpus):
        return f"{len(gpus) - len(mixes)} of {len(gpus)} GPUs are not in MIG mode"
    if not all(mixes):
        return "a GPU is in MIG mode but has no MIG devices"
    profiles = sorted({profile for mix in mixes for profile in mix})
    return f"{len(profiles)} MIG profiles on one node ({', '.join(profiles)})" if len(profiles) > 1 else None


def resources(strategy: Strategy, gpus: Gpus, replicas: Mapping[str, int], *, renamed: bool) -> tuple[Exposed, ...]:
    """What a node advertises. `replicas` maps a resource to its copies, `renamed` is renameByDefault.

    Empty where strategy single is invalid: the plugin then ends in an error.
    """
    counts: dict[str, int] = {}
    if strategy == "single" and any(mix is not None for mix in gpus):
        if single_fault(gpus) is None:
            counts[GPU] = sum(sum(mix.values()) for mix in gpus if mix is not None)
    else:
        for mix in gpus:
            if mix is None:
                counts[GPU] = counts.get(GPU, 0) + 1
            elif strategy == "mixed":
                for profile, count in mix.items():
                    name = mig_resource(profile)
                    counts[name] = counts.get(name, 0) + count
            else:  # none: MIG devices are not looked at, the GPU counts as one
                counts[GPU] = counts.get(GPU, 0) + 1
    return tuple(_exposed(name, count, replicas, renamed=renamed) for name, count in counts.items())


def node_product(product: str, strategy: Strategy, gpus: Gpus, replicas: Mapping[str, int], *, renamed: bool) -> str:
    """The value of nvidia.com/gpu.product on a node whose GPUs all are that product.

    GPUs in MIG mode are labelled without sharing under mixed; a GPU beside them that is not has the last word.
    """
    shared = replicas.get(GPU, 1) > 1 and not renamed
    if strategy == "single" and any(mix is not None for mix in gpus):
        if single_fault(gpus) is not None:
            return product_label(product, "INVALID")
        profile = next(name for mix in gpus if mix for name in mix)
        return product_label(product, profile, shared=shared)
    return product_label(product, shared=shared and any(mix is None for mix in gpus))


def family(compute_capability: tuple[int, int], device_plugin: str) -> str:
    """The value of nvidia.com/gpu.family that a device plugin release ("0.18.1") writes; "undefined" is one of them."""
    major, minor = compute_capability
    plugin = numbers(device_plugin) or ()
    if major == 8:
        return "ada-lovelace" if minor == 9 else "ampere"
    if major in (10, 12):
        return "blackwell" if plugin >= (0, 17, 2) else "undefined"
    if major == 13:
        return "rubin" if plugin >= (0, 20, 0) else "undefined"
    if major == 7:
        return "volta" if minor < 5 else "turing"
    return {3: "kepler", 5: "maxwell", 6: "pascal", 9: "hopper"}.get(major, "undefined")


def _exposed(name: str, count: int, replicas: Mapping[str, int], *, renamed: bool) -> Exposed:
    copies = replicas.get(name, 1)
    if copies < 2:
        return Exposed(name, count, name)
    return Exposed(f"{name}.shared" if renamed else name, count * copies, name)
