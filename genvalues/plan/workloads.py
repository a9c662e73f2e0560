"""What the site says will run on its GPUs: on which pools, with which CUDA, from which registry."""

import re
from collections.abc import Iterator

from genvalues.document import Decided
from genvalues.facts import Facts
from genvalues.model import Site, Workload
from genvalues.plan.charts import mirrored
from genvalues.plan.kinds import PoolPlan, WorkloadPlan
from genvalues.plan.reasons import because, by_default, said

# Tags of nvidia/cuda start with the version ("12.4.1-base-ubuntu22.04"); others name it ("2.4.0-cuda12.1-cudnn9-runtime").
_CUDA_IMAGE = r"(?:.+/)?nvidia/cuda"
_LEADING = r"([0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?:-|$)"
_NAMED = r"(?:^|[-_])cuda-?([0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?)(?=[-_]|$)"


def workloads(site: Site, pools: tuple[PoolPlan, ...], facts: Facts) -> Iterator[WorkloadPlan]:
    """The workloads; of pools that do not exist nothing is said here."""
    for work in site.workloads:
        upstream = full_name(work.image) if work.image is not None else None
        cuda = _cuda(work)
        yield WorkloadPlan(
            workload=work,
            pools=tuple(pool for pool in pools if not work.pools or pool.name in work.pools),
            cuda=cuda,
            driver=_driver(work, cuda, facts),
            upstream=upstream,
            image=mirrored(upstream, site.offline) if upstream is not None else None,
        )


def _cuda(work: Workload) -> Decided[str | None]:
    if work.cuda is not None:
        return said(work.cuda, work.route("cuda"), f"the site says that {work.name} was built with CUDA {work.cuda}")
    named = cuda_of(work.image) if work.image is not None else None
    if named is not None:
        return said(named, work.route("image"), f"the tag of its image names CUDA {named}")
    return by_default(None, "neither the site nor the tag of an image names a CUDA version")


def _driver(work: Workload, cuda: Decided[str | None], facts: Facts) -> Decided[str | None]:
    """A CUDA major runs on drivers from a floor on (CUDA toolkit release notes, table of minor-version compatibility)."""
    if work.forward_compatibility:
        return said(None, work.route("forwardCompatibility"), "it brings cuda-compat, for drivers older than its CUDA")
    floor = None if cuda.value is None else facts.cuda_floor(int(cuda.value.partition(".")[0]))
    if floor is not None:
        return because(floor, cuda.why.routes, f"{cuda.why.text}, which runs on this driver and newer ones")
    if work.min_driver is not None:
        return said(work.min_driver, work.route("minDriver"), "the oldest driver that the site names for it")
    return by_default(None, cuda.why.text)


def cuda_of(image: str) -> str | None:
    """The CUDA version that an image's tag names: "12.4.1" of nvidia/cuda:12.4.1-base-ubuntu22.04; None where it names none."""
    name, tag = _split(image)
    found = re.match(_LEADING, tag) if re.fullmatch(_CUDA_IMAGE, name) else re.search(_NAMED, tag)
    return None if found is None else found.group(1)


def full_name(image: str) -> str:
    """An image by its full name: `nvidia/cuda:12.4.1` is docker.io/nvidia/cuda:12.4.1 (distribution reference, normalised)."""
    first, slash, _ = image.partition("/")
    if not slash:
        return f"docker.io/library/{image}"
    is_host = "." in first or ":" in first or first == "localhost"
    return image if is_host else f"docker.io/{image}"


def _split(image: str) -> tuple[str, str]:
    """Repository and tag of a reference, without its digest; the tag is "" where there is none."""
    name = image.partition("@")[0]
    head, slash, last = name.rpartition("/")
    last, _, tag = last.partition(":")
    return head + slash + last, tag
