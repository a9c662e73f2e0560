"""Rules about the charts: versions that are known, what the GPU Operator's release is validated with, and its faults."""

from collections.abc import Callable, Iterator

from genvalues import contracts
from genvalues.facts import Facts
from genvalues.facts.kinds import OperatorRelease, Release
from genvalues.facts.version import minor, numbers, same_or_newer
from genvalues.finding import Hit, Route
from genvalues.plan.kinds import ChartPlan, PoolPlan
from genvalues.rules import operator_dra, operator_overrides, operator_runtime
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import listed, nearest

_OPERATOR: Route = ("charts", "gpuOperator")
_NFD: Route = ("charts", "nodeFeatureDiscovery")
_KUBERNETES: Route = ("cluster", "kubernetes")


@rule("GV540", "error", "Unknown GPU Operator version")
def unknown_operator(case: Case) -> Iterator[Hit]:
    yield from _unknown(case.plan.operator, "GPU Operator", _OPERATOR)


@rule("GV541", "error", "Unknown NFD version")
def unknown_nfd(case: Case) -> Iterator[Hit]:
    if case.site.nfd is not None or case.plan.operator.known:
        release = _release(case)
        built = release.components.get("nfd") if release is not None else None
        yield from _unknown(case.plan.nfd, "NFD", _NFD if case.site.nfd is not None else _OPERATOR, built)


def _unknown(plan: ChartPlan, name: str, route: Route, better: str | None = None) -> Iterator[Hit]:
    if plan.known:
        return
    versions = contracts.known().get(plan.chart.name, ())
    same = [name for name in versions if minor(name) == minor(plan.chart.version)]
    spelt = nearest(plan.chart.version, versions)
    near = same[-1] if same else spelt or contracts.closest(plan.chart.name, plan.chart.version)
    yield Hit(
        route,
        f"what the chart of {name} {plan.chart.version} accepts is not known; known are {listed(versions, 'and')}",
        f"{route[-1]}: {better or near}",
    )


@rule("GV542", "info", "NFD of another minor release than the operator's")
def other_nfd(case: Case) -> Iterator[Hit]:
    release = _release(case)
    built = release.components.get("nfd") if release is not None else None
    stated = case.site.nfd
    if built is None or stated is None or not case.plan.nfd.known or minor(stated) == minor(built):
        return
    age = "newer" if same_or_newer(stated, built) else "older"
    yield Hit(
        _NFD,
        f"NFD {stated} is {age} than {built}, which the chart of GPU Operator {case.plan.operator.chart.version} was built "
        "with: NVIDIA does not test the two together",
        f"nodeFeatureDiscovery: {built}, or remove the line",
        ((_OPERATOR, "the operator's version"),),
    )


@rule("GV543", "error", "Kubernetes older than the operator's release supports")
def kubernetes_too_old(case: Case) -> Iterator[Hit]:
    release, version = _release(case), _kubernetes(case)
    if release is not None and version is not None and version < release.kubernetes[0]:
        yield _kubernetes_hit(case, release, version)


@rule("GV544", "warning", "Kubernetes newer than the operator's release was validated with")
def kubernetes_too_new(case: Case) -> Iterator[Hit]:
    release, version = _release(case), _kubernetes(case)
    if release is not None and version is not None and version > release.kubernetes[1]:
        yield _kubernetes_hit(case, release, version)


def _kubernetes_hit(case: Case, release: OperatorRelease, version: Release) -> Hit:
    low, high = (f"{one[0]}.{one[1]}" for one in release.kubernetes)
    fitting = [name for name in _installable(case.facts) if _covers(case.facts, name, version)]
    return Hit(
        _KUBERNETES,
        f"GPU Operator {release.version} is validated with Kubernetes {low} to {high}, and the cluster runs "
        f"{case.site.cluster.kubernetes}; the chart itself installs on any",
        f"charts.gpuOperator: {fitting[-1]}" if fitting else f"a Kubernetes from {low} to {high}",
        ((_OPERATOR, "the operator's version"),),
    )


def _covers(facts: Facts, name: str, version: Release) -> bool:
    release = facts.operator_release(name)
    return release is not None and release.kubernetes[0] <= version <= release.kubernetes[1]


@rule("GV545", "error", "No driver container for the operating system")
def os_without_driver(case: Case) -> Iterator[Hit]:
    for pool, system, release, known in _unlisted(case):
        if pool.driver.strategy.value == "container" and not _has_image(case.facts, release, pool):
            yield Hit(
                pool.pool.at.route("os", "version"),
                f"{system} is none of the systems that NVIDIA lists for driver containers with GPU Operator "
                f"{release.version}: {known}",
                "driver.strategy: host, with the driver installed on the nodes"
                + (f", or charts.gpuOperator: {newer}" if (newer := _listing(case.facts, pool)) else ""),
                ((_OPERATOR, "the operator's version"),),
                pools=(pool.name,),
            )


@rule("GV546", "warning", "Operating system that the operator's release does not list")
def os_unlisted(case: Case) -> Iterator[Hit]:
    for pool, system, release, known in _unlisted(case):
        if not pool.driver.in_cluster or (
            pool.driver.strategy.value == "container" and _has_image(case.facts, release, pool)
        ):
            newer = _listing(case.facts, pool)
            yield Hit(
                pool.pool.at.route("os", "version"),
                f"{system} is none of the systems that NVIDIA lists for GPU Operator {release.version}: {known}",
                f"charts.gpuOperator: {newer}" if newer else "a listed system, or accept GV546 with a reason",
                ((_OPERATOR, "the operator's version"),),
                pools=(pool.name,),
            )


def _unlisted(case: Case) -> Iterator[tuple[PoolPlan, str, OperatorRelease, str]]:
    """Pools whose system the release does not list: with its name, and those that are listed in words."""
    release = _release(case)
    for pool in case.plan.pools:
        os = pool.pool.os
        # OpenShift has its own rows, by its own version, and none of the site's distributions is OpenShift.
        if release is None or os.id is None or os.version is None or os.id == "rhcos" or _lists(release, pool):
            continue
        same = [version for row in release.os if row.id == os.id for version in row.versions]
        every = list(dict.fromkeys(row.id for row in release.os))
        known = f"of {os.id} there are {listed(same, 'and')}" if same else f"there are those of {listed(every, 'and')}"
        yield pool, f"{os.id} {os.version}", release, known


def _lists(release: OperatorRelease, pool: PoolPlan) -> bool:
    os = pool.pool.os
    return any(row.id == os.id and os.version in row.versions for row in release.os)


def _has_image(facts: Facts, release: OperatorRelease, pool: PoolPlan) -> bool:
    """Whether the pool's driver image is that of a listed system: where tags hold the major version only (rocky9)."""
    os_id = pool.pool.os.id or ""
    same = [version for row in release.os if row.id == os_id for version in row.versions]
    return pool.os_tag is not None and pool.os_tag in {facts.os_tag(release.version, os_id, one) for one in same}


def _listing(facts: Facts, pool: PoolPlan) -> str | None:
    """The newest operator version that lists the pool's system."""
    releases = [facts.operator_release(name) for name in _installable(facts)]
    fitting = [release.version for release in releases if release is not None and _lists(release, pool)]
    return fitting[-1] if fitting else None


@rule("GV548", "warning", "GPU Operator past its end of support")
def end_of_support(case: Case) -> Iterator[Hit]:
    yield from _ended(case, "End of Support", "is past its end of support and gets no more fixes")


@rule("GV549", "info", "Deprecated GPU Operator")
def deprecated(case: Case) -> Iterator[Hit]:
    yield from _ended(case, "Deprecated", "is deprecated: its support ends with NVIDIA's next release")


def _ended(case: Case, status: str, what: str) -> Iterator[Hit]:
    release = _release(case)
    if release is None or release.status != status:
        return
    supported = [name for name in _installable(case.facts) if _status(case.facts, name) == "Supported"]
    yield Hit(
        _OPERATOR,
        f"GPU Operator {release.minor} {what}",
        f"charts.gpuOperator: {supported[-1]}" if supported else "a release that NVIDIA supports",
    )


def _status(facts: Facts, name: str) -> str | None:
    release = facts.operator_release(name)
    return release.status if release is not None else None


Applies = Callable[[Case], bool]

# Part of the text of a known issue of the facts -> whether it concerns the site, as far as the site says.
_ISSUES: dict[str, Applies] = {
    "RKE2, k3s and MicroK8s": lambda case: (
        _toolkit(case) and case.site.cluster.distribution in ("rke2", "k3s", "microk8s")
    ),
    "gpu.family=undefined": lambda case: any(
        p.gpu is not None and p.gpu.architecture == "blackwell" for p in case.plan.pools
    ),
    "CDI is not supported on RKE2": lambda case: case.site.cluster.distribution == "rke2" and _cdi(case),
    "CONTAINERD_SOCKET": lambda case: any(name == "CONTAINERD_SOCKET" for name, _ in case.plan.toolkit.env.value),
    "CRI-O": lambda case: case.site.cluster.container_runtime == "cri-o",
    "overwrites `imports`": lambda case: _toolkit(case) and case.site.cluster.container_runtime in (None, "containerd"),
    "SELinux enforcing": lambda case: bool(case.plan.sharing.mig) and any(_selinux(pool) for pool in case.plan.pools),
    "nvidia-peermem container": lambda case: any(pool.rdma.peermem_by_operator for pool in case.plan.pools),
    "MOFED_ENABLED": lambda case: any(nic for pool in case.plan.pools for nic in pool.pool.nics),
}


@rule("GV550", "warning", "Known fault of this chart version")
def known_issue(case: Case) -> Iterator[Hit]:
    release = _release(case)
    for issue in release.known_issues if release is not None else ():
        applies = next((test for part, test in _ISSUES.items() if part in issue.text), None)
        if applies is not None and applies(case):
            version = case.plan.operator.chart.version
            yield Hit(
                _OPERATOR,
                f"GPU Operator {version} has a known fault that concerns this site: {issue.text}",
                f"charts.gpuOperator: {_mended(case.facts, issue.fixed_in)}"
                if issue.fixed_in
                else "work around it, and accept GV550 with that reason",
            )


def _mended(facts: Facts, fixed_in: str) -> str:
    """The first version that can be installed with the fault mended."""
    return next((name for name in _installable(facts) if same_or_newer(name, fixed_in)), fixed_in)


def _toolkit(case: Case) -> bool:
    return case.plan.toolkit.by_operator.value


def _cdi(case: Case) -> bool:
    cdi = case.site.overrides.get("gpuOperator", {}).get("cdi", {})
    return isinstance(cdi, dict) and cdi.get("enabled") is True


def _selinux(pool: PoolPlan) -> bool:
    """Systems that come with SELinux enforcing."""
    return pool.pool.os.id in ("rhel", "rocky", "ol", "centos", "rhcos")


@rule("GV557", "error", "MIG manager that does not start on RHEL 8")
def mig_manager_rhel_8(case: Case) -> Iterator[Hit]:
    """It is run on the host where the driver is the host's (release notes, known issues: GLIBC)."""
    release = _release(case)
    shipped = release.components.get("mig_manager") if release is not None else None
    override = case.site.overrides.get("gpuOperator", {}).get("migManager", {})
    stated = override.get("version") if isinstance(override, dict) else None
    version = stated if isinstance(stated, str) else shipped
    if version is None or same_or_newer(version.removeprefix("v"), "0.13.1") is not True:
        return
    for pool in case.plan.pools:
        os, config = pool.pool.os, pool.sharing.config
        eight = os.id == "rhel" and (os.version or "").partition(".")[0] == "8"
        if eight and not pool.driver.in_cluster and config is not None and config.mig is not None:
            yield Hit(
                pool.sharing.name.why.routes[0],
                f"MIG manager {version.removeprefix('v')} needs a newer GLIBC than RHEL {os.version} has, where it uses the "
                "host's driver",
                "overrides: {gpuOperator: {migManager: {version: v0.12.3}}}",
                ((pool.pool.at.route("os", "version"), f"rhel {os.version} here"),),
                pools=(pool.name,),
            )


def _release(case: Case) -> OperatorRelease | None:
    """The operator's release; None where GV540 says that it is not known."""
    if not case.plan.operator.known:
        return None
    return case.release


def _kubernetes(case: Case) -> Release | None:
    parsed = numbers(case.site.cluster.kubernetes)
    return (parsed[0], parsed[1]) if parsed is not None and len(parsed) > 1 else None


def _installable(facts: Facts) -> tuple[str, ...]:
    """Operator versions with both facts and a contract, oldest first."""
    known = contracts.known().get("gpu-operator", ())
    return tuple(name for name in facts.operator_versions() if name in known)


RULES: tuple[Rule, ...] = (
    unknown_operator,
    unknown_nfd,
    other_nfd,
    kubernetes_too_old,
    kubernetes_too_new,
    os_without_driver,
    os_unlisted,
    end_of_support,
    deprecated,
    known_issue,
    mig_manager_rhel_8,
    *operator_runtime.RULES,
    *operator_overrides.RULES,
    *operator_dra.RULES,
)
