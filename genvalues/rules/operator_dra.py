"""Rules about GPUCluster, the operator's way of DRA, which a site can ask for by its overrides only."""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.kinds import OperatorRelease
from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import numbers
from genvalues.finding import Hit, Route, node_at
from genvalues.rules.driver_support import candidates, spoken, version_route
from genvalues.rules.rule import Body, Case, Rule, rule

_ASKED: Route = ("gpuCluster", "deployCR")
_KUBERNETES = (1, 34, 2)
_BRANCH = 580


def _is_old(version: str | None) -> bool:
    branch = branch_of(version) if version is not None else None
    return branch is not None and int(branch) < _BRANCH


def _newer(release: OperatorRelease | None) -> str:
    """A driver of the operator's matrix that is new enough."""
    return next((one for one in candidates(release) if not _is_old(one)), f"{_BRANCH}.<minor>.<patch>")


def _driver_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    """The driver that values bring; which Kubernetes they are for, they do not tell."""
    version = node_at(body.data, ("driver", "version"))
    if node_at(body.data, _ASKED) is not True or node_at(body.data, ("driver", "enabled")) is False:
        return
    release = body.release(facts)
    if isinstance(version, str) and _is_old(version):
        yield Hit(
            ("driver", "version"),
            f"a GPUCluster needs a driver from R{_BRANCH} on, and {version} is older",
            f'version: "{_newer(release)}"',
            ((_ASKED, "asked for here"),),
        )


@rule("GV561", "error", "GPUCluster on what is too old for it", files={"values": _driver_in_file})
def gpu_cluster(case: Case) -> Iterator[Hit]:
    route = ("overrides", "gpuOperator", *_ASKED)
    if node_at(case.site.overrides, route[1:]) is not True:
        return
    stated = case.site.cluster.kubernetes
    known = numbers(stated)
    if known is not None and known < _KUBERNETES[: len(known)]:
        yield Hit(
            route,
            f"a GPUCluster needs Kubernetes 1.34.2 or newer, and the cluster runs {stated}",
            "deployCR: false, with the device plugin of the ClusterPolicy",
            ((("cluster", "kubernetes"), "the cluster's version"),),
        )
    release = case.release
    for pool in case.plan.pools:
        # The driver of a values file is judged there, at the same line.
        if not pool.driver.in_cluster and _is_old(pool.driver.version.value):
            yield Hit(
                version_route(pool),
                f"a GPUCluster needs a driver from R{_BRANCH} on, and {spoken(pool, release)} is older",
                f'driver.version: "{_newer(release)}", installed on the nodes too',
                ((route, "asked for here"),),
                pools=(pool.name,),
            )


RULES: tuple[Rule, ...] = (gpu_cluster,)
