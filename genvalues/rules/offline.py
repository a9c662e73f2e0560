"""Rules about what replaces the internet for images and charts: is everything mirrored, is it a mirror at all."""

import re
from collections.abc import Iterator, Mapping

from genvalues.finding import Hit, Json, Route
from genvalues.plan.charts import VERIFY_IMAGE
from genvalues.plan.kinds import Image, WorkloadPlan
from genvalues.rules import credentials, offline_files, offline_packages, offline_proxy, offline_secrets
from genvalues.rules.offline_hosts import PUBLIC, bare, host_of, is_public
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import key, listed, nearest, quoted

_REGISTRIES: Route = ("offline", "registries")

# A registry, with a port if it has one, and a path; what images are called up to their tag (OCI distribution, reference).
_PREFIX = r"[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*/?"


def covers(prefix: str, reference: str) -> bool:
    """Whether an image lies under a prefix; one written as a URL is another rule's fault, and covers like its host."""
    start = bare(prefix).rstrip("/")
    return reference == start or reference.startswith(start + "/")


def references(case: Case) -> Iterator[tuple[str, bool]]:
    """Every image that runs here, as upstream calls it, and whether the overrides bring it from elsewhere."""
    operator, nfd = (case.site.overrides.get(name, {}) for name in ("gpuOperator", "nodeFeatureDiscovery"))
    for image, values in [
        *((image, operator) for image in case.plan.images if image.on),
        *(((case.plan.nfd_image, nfd),) if case.plan.nfd_image is not None else ()),
    ]:
        if image.upstream:
            yield f"{image.upstream}/{image.image}".rstrip("/"), _own(image, values)
    yield VERIFY_IMAGE.partition(":")[0], False


def of_workloads(case: Case) -> Iterator[tuple[WorkloadPlan, str]]:
    """The workloads that name an image, with its full name."""
    yield from ((work, work.upstream) for work in case.plan.workloads if work.upstream is not None)


def uncovered(case: Case) -> Mapping[str, list[str]]:
    """The images of the charts that nothing replaces, by the host that they would come from."""
    missing: dict[str, list[str]] = {}
    for reference, elsewhere in references(case):
        if not elsewhere and not is_covered(case, reference):
            missing.setdefault(host_of(reference), []).append(reference)
    return missing


def _own(image: Image, values: Json) -> bool:
    """Whether the overrides name a repository that is none of the internet's."""
    node = values
    for step in image.route.get("repository", ("",)):
        node = node.get(step) if isinstance(node, Mapping) else None
    return isinstance(node, str) and host_of(node) not in PUBLIC


@rule("GV570", "error", "Image that no mirror holds")
def unmirrored(case: Case) -> Iterator[Hit]:
    offline = case.site.offline
    if offline is None or not case.plan.operator.known:
        return
    for host, images in uncovered(case).items():
        others = sorted(set(images))
        yield _unmirrored(case, host, others[0] + (f" and {len(others) - 1} more" if len(others) > 1 else ""))


@rule("GV588", "error", "Workload image that no mirror holds")
def unmirrored_workload(case: Case) -> Iterator[Hit]:
    if case.site.offline is None:
        return
    said = set(uncovered(case)) if case.plan.operator.known else set()
    for work, reference in of_workloads(case):
        host = host_of(reference)
        if not is_public(reference) or is_covered(case, reference) or host in said:
            continue
        hit = _unmirrored(case, host, reference)
        if hit.at == "key":
            said.add(host)
            yield hit._replace(related=((work.workload.route("image"), f"the image of {work.workload.name}"),))
        else:
            yield hit._replace(
                route=work.workload.route("image"),
                fix=f"under offline.registries: {hit.fix}",
                related=((_REGISTRIES, "what is mirrored"),),
            )


def _unmirrored(case: Case, host: str, images: str) -> Hit:
    """That images of a host come from the internet: at a prefix that was meant for it, or else at all of them."""
    registries = case.site.offline.registries if case.site.offline is not None else {}
    meant = _meant(case, host)
    why = f"no registry is called {meant}" if meant is not None else f"nothing replaces {host}"
    mirror = registries[meant] if meant is not None else _mirror(case, host)
    text, fix = f"{images} would come from the internet: {why}", f"{host}: {mirror}"
    return Hit(_REGISTRIES, text, fix) if meant is None else Hit((*_REGISTRIES, meant), text, fix, at="key")


def _meant(case: Case, host: str) -> str | None:
    """The prefix that was probably meant for a host: one that covers nothing, and is spelt nearly like it."""
    prefixes = case.site.offline.registries if case.site.offline is not None else {}
    idle = [one for one in prefixes if "://" not in one and not _used(case, one)]
    near = nearest(host, [host_of(one) for one in idle])
    return next((one for one in idle if host_of(one) == near), None)


def _used(case: Case, prefix: str) -> bool:
    return any(covers(prefix, reference) for reference in _every(case))


def _every(case: Case) -> Iterator[str]:
    """Every image that runs here, the workloads' too."""
    yield from (reference for reference, _ in references(case))
    yield from (reference for _, reference in of_workloads(case))


def _mirror(case: Case, host: str) -> str:
    """A mirror for another host, in the way of those that there are."""
    mirrors = list(case.site.offline.registries.values()) if case.site.offline is not None else []
    folder = {"registry.k8s.io": "k8s", "nvcr.io": "nvcr"}.get(host, host.partition(".")[0])
    return f"{mirrors[0].partition('/')[0] if mirrors else 'registry.example.internal'}/{folder}"


@rule("GV571", "warning", "Registry that no image comes from")
def idle_prefix(case: Case) -> Iterator[Hit]:
    offline = case.site.offline
    if offline is None or not case.plan.operator.known or not case.plan.nfd.known:
        return
    needed = [name for _, name in of_workloads(case) if is_public(name) and not is_covered(case, name)]
    hosts = {*uncovered(case), *map(host_of, needed)}
    meant = {_meant(case, host) for host in hosts}
    for prefix in offline.registries:
        if _used(case, prefix) or prefix in meant:
            continue
        known = sorted({host_of(reference) for reference in _every(case)})
        yield Hit(
            (*_REGISTRIES, prefix),
            f"no image of this site is called {prefix}/...: they come from {listed(known, 'and')}",
            "remove it",
            at="key",
        )


def is_covered(case: Case, reference: str) -> bool:
    """Whether a mirror replaces what an image's name begins with."""
    prefixes = case.site.offline.registries if case.site.offline is not None else {}
    return any(covers(prefix, reference) for prefix in prefixes)


def prefix_fault(text: str) -> tuple[str, str] | None:
    """Why a text is no beginning of image names, and what to write; None where it is one."""
    if re.fullmatch(_PREFIX, text):
        return None
    plain = bare(text.strip()).rstrip("/")
    host, _, path = plain.partition("/")
    if "://" in text:
        return "image names have no scheme", plain
    if (cut := re.split(r"[:@]", path)[0]) != path:
        return "a tag or digest belongs to one image, not to a registry", f"{host}/{cut}"
    if path != path.lower():
        return "paths of image names are lower-case", f"{host}/{path.lower()}"
    return "image names consist of a host, a port if need be, and a path of lower-case letters and digits", (
        "registry.example.internal/mirror"
    )


@rule("GV572", "error", "Registry that is no beginning of image names")
def no_prefix(case: Case) -> Iterator[Hit]:
    offline = case.site.offline
    for prefix, mirror in offline.registries.items() if offline is not None else ():
        if (fault := prefix_fault(prefix)) is not None:
            route = (*_REGISTRIES, prefix)
            yield Hit(route, f"{quoted(prefix)} matches no image: {fault[0]}", f"{key(fault[1])}: {mirror}", at="key")
        elif not credentials.holds(mirror) and (fault := prefix_fault(mirror)) is not None:
            text = f"{quoted(mirror)} makes names that no registry has: {fault[0]}"
            yield Hit((*_REGISTRIES, prefix), text, f"{key(prefix)}: {fault[1]}")


@rule("GV573", "error", "Mirror that is on the internet")
def public_mirror(case: Case) -> Iterator[Hit]:
    offline = case.site.offline
    if offline is None:
        return
    stated: list[tuple[Route, str]] = [((*_REGISTRIES, name), mirror) for name, mirror in offline.registries.items()]
    if offline.charts is not None:
        stated.append((("offline", "charts"), offline.charts))
    for route, mirror in stated:
        if host_of(mirror) in PUBLIC:
            yield Hit(
                route,
                f"{host_of(mirror)} is on the internet, from which nothing may come while offline is there",
                "name the site's own registry, such as registry.example.internal",
            )


@rule("GV582", "warning", "Charts that nothing mirrors")
def charts_mirrored(case: Case) -> Iterator[Hit]:
    if case.site.offline is not None and case.site.offline.charts is None:
        yield Hit(
            ("offline", "charts"),
            "the charts would be fetched from the internet: the commands of the hand-over name NVIDIA's and Kubernetes' own "
            "repositories",
            "charts: oci://registry.example.internal/charts",
        )


RULES: tuple[Rule, ...] = (
    unmirrored,
    unmirrored_workload,
    idle_prefix,
    no_prefix,
    public_mirror,
    charts_mirrored,
    *offline_packages.RULES,
    *offline_proxy.RULES,
    *offline_files.RULES,
    *offline_secrets.RULES,
    *credentials.RULES,
)
