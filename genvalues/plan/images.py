"""The container images that a site pulls, as upstream publishes them and as the site names them."""

from collections.abc import Iterator

from genvalues.plan.charts import VERIFY_IMAGE
from genvalues.plan.kinds import Image, Plan, PoolPlan
from genvalues.record import NamedTuple


class Pulled(NamedTuple):
    """One image: whose it is, where upstream publishes it, and where this site pulls it from."""

    component: str
    upstream: str
    mirror: str


class Incomplete(NamedTuple):
    """Why an image that the site pulls cannot be named."""

    message: str


def pulled(plan: Plan) -> Iterator[Pulled | Incomplete]:
    """Every image of the operator's parts that run here, of NFD, of the verification pods and of the workloads."""
    for image in plan.images:
        if image.on:
            yield from _with_systems(image, plan) if image.os_suffix else _single(image, plan.operator.chart.version)
    if plan.nfd_image is not None:
        yield from _single(plan.nfd_image, "v" + plan.nfd.chart.version)
    yield Pulled("verification pods", VERIFY_IMAGE, plan.verify_image.value)
    for work in plan.workloads:
        # Offline, one that no mirror replaces is the site's own (GV588 sees to that), and needs no copying.
        if work.image is not None and work.upstream is not None and (plan.offline is None or work.image.why.routes):
            yield Pulled(f"workload {work.workload.name}", work.upstream, work.image.value)


def _single(image: Image, chart_version: str) -> Iterator[Pulled]:
    """An image without tag in the values takes the chart's own version (appVersion)."""
    yield _named(image, image.tag or chart_version)


def _with_systems(image: Image, plan: Plan) -> Iterator[Pulled | Incomplete]:
    """Driver images and those built like them: the operator appends the OS of the nodes to the tag."""
    for pool in plan.pools:
        if not pool.driver.in_cluster:
            continue
        if pool.os_tag is None:
            yield Incomplete(
                f"{image.component} of pool {pool.name}: the tag ends in the operating system, which is not given"
            )
        elif image.component == "driver":
            yield from _driver(image, pool)
        else:
            yield _named(image, f"{image.tag}-{pool.os_tag}")


def _driver(image: Image, pool: PoolPlan) -> Iterator[Pulled | Incomplete]:
    version = pool.driver.version.value
    if not pool.driver.precompiled:
        yield _named(image, f"{version or image.tag}-{pool.os_tag}")
        return
    if not pool.pool.os.kernels:
        yield Incomplete(f"driver of pool {pool.name}: precompiled tags hold the kernel, and os.kernels is not given")
    for kernel in pool.pool.os.kernels:
        yield _named(image, f"{pool.driver.branch}-{kernel}-{pool.os_tag}")


def _named(image: Image, tag: str) -> Pulled:
    rest = (f"/{image.image}" if image.image else "") + ("@" if tag.startswith("sha256:") else ":") + tag
    return Pulled(image.component, image.upstream + rest, image.repository.value + rest)
