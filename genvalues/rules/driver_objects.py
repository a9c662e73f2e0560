"""Judgements on NVIDIADriver objects that say which GPU they are for: by a node selector on its product."""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.finding import Hit, Route, node_at
from genvalues.rules.driver_support import dropped, suggestion, too_old
from genvalues.rules.label_products import PRODUCT
from genvalues.rules.rule import Body

_VERSION: Route = ("spec", "version")
_SELECTOR: Route = ("spec", "nodeSelector", PRODUCT)
_TYPE: Route = ("spec", "kernelModuleType")


def selected_gpu(body: Body, facts: Facts) -> Gpu | None:
    """The GPU that an object is for; None where it does not say, or by a product that is not known (GV613)."""
    product = node_at(body.data, _SELECTOR)
    if not isinstance(product, str):
        return None
    gpus = facts.gpus_by_product(product.removesuffix("-SHARED").partition("-MIG-")[0])
    return gpus[0] if len(gpus) == 1 else None


def gpu_dropped(body: Body, facts: Facts) -> Iterator[Hit]:
    """GV500: a branch after the last one with the GPU."""
    gpu, version = selected_gpu(body, facts), node_at(body.data, _VERSION)
    last = dropped(gpu, version) if gpu is not None and isinstance(version, str) else None
    if gpu is not None and last is not None:
        text = f"driver {version} has no support for {gpu.display} ({gpu.architecture.capitalize()}): R{last} was the last branch with it"
        yield Hit(_VERSION, text, _fix(body, gpu, facts), ((_SELECTOR, f"{gpu.display} here"),))


def older_than_gpu(body: Body, facts: Facts) -> Iterator[Hit]:
    """GV501: a release before the first one with the GPU."""
    gpu, version = selected_gpu(body, facts), node_at(body.data, _VERSION)
    why = too_old(gpu, version) if gpu is not None and isinstance(version, str) else None
    if gpu is not None and why is not None:
        text = f"driver {version} does not know {gpu.display}: {why}"
        yield Hit(_VERSION, text, _fix(body, gpu, facts), ((_SELECTOR, f"{gpu.display} here"),))


def open_required(body: Body, facts: Facts) -> Iterator[Hit]:
    """GV510: proprietary modules for a GPU that runs on the open ones only."""
    gpu = selected_gpu(body, facts)
    if gpu is not None and gpu.open_kernel_modules == "required" and node_at(body.data, _TYPE) == "proprietary":
        text = f"{gpu.display} runs only on the open kernel modules, and this asks for proprietary ones"
        yield Hit(_TYPE, text, "kernelModuleType: open", ((_SELECTOR, f"{gpu.display} here"),))


def open_impossible(body: Body, facts: Facts) -> Iterator[Hit]:
    """GV511: open modules for a GPU that has none."""
    gpu = selected_gpu(body, facts)
    if gpu is not None and gpu.open_kernel_modules == "unsupported" and node_at(body.data, _TYPE) == "open":
        text = f"the open kernel modules do not support {gpu.display}: they need a GPU with a GSP, Turing or newer"
        yield Hit(_TYPE, text, "kernelModuleType: proprietary", ((_SELECTOR, f"{gpu.display} here"),))


def _fix(body: Body, gpu: Gpu, facts: Facts) -> str:
    release = body.release(facts)
    precompiled = node_at(body.data, ("spec", "usePrecompiled")) is True
    return f'version: "{suggestion(gpu, release, facts, precompiled=precompiled)}"'
