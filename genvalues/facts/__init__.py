"""Facts about hardware and software: sourced, typed, loaded when first asked for.

`load()` once per run. Every method is total: an unknown key gives None (or an empty tuple), never an exception.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from genvalues.facts import build
from genvalues.facts.kinds import Gpu
from genvalues.facts.store import Overlay, Store

__all__ = ["Facts", "load"]

T = TypeVar("T")


def load(overlays: Sequence[str] = ()) -> "Facts":
    """All facts, with the user's own overlay files (JSON; paths) laid over them, later ones on top.

    ValueError names the file and the place where an overlay is not in order; OSError where it cannot be read.
    """
    if not overlays:
        return Facts({})
    from genvalues.facts.overlay import read  # noqa: PLC0415  rare, and it brings the checks along

    return Facts(read(overlays))


class Facts:
    """The facts of one run."""

    def __init__(self, overlay: Overlay) -> None:
        self._store = Store(overlay)
        self._built: dict[tuple[str, str], Any] = {}

    def gpu_keys(self) -> tuple[str, ...]:
        """Every GPU that a site may name, in alphabetical order."""
        return self._store.keys("gpus")

    def gpu(self, key: str) -> Gpu | None:
        """The GPU of that key ("h100-sxm5-80gb")."""
        return self._entry("gpus", key, build.gpu)

    def gpus_by_product(self, product: str) -> tuple[Gpu, ...]:
        """The GPUs that report that nvidia.com/gpu.product (without -MIG- and -SHARED), today's name or an older one."""
        every = [gpu for key in self.gpu_keys() if (gpu := self.gpu(key)) is not None]
        return tuple(gpu for gpu in every if product == gpu.product or product in gpu.product_variants)

    def _entry(self, kind: str, key: str, make: Callable[[str, Any], T]) -> T | None:
        if (kind, key) not in self._built:
            raw = self._store.entry(kind, key)
            self._built[kind, key] = None if raw is None else make(key, raw)
        return cast("T | None", self._built[kind, key])
