"""Rules about the age of drivers: the end of life of their branch, and NVIDIA's matrix for the operator's release."""

from collections.abc import Iterator, Mapping
from datetime import date

from genvalues.facts import Facts
from genvalues.facts.kinds import DriverBranch, OperatorRelease
from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import is_branch
from genvalues.finding import Hit
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.driver_support import candidates, cuda_floor, knows, living, months_left, spoken, version_route
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed

_SIX_MONTHS = 6


@rule("GV504", "warning", "Driver branch past its end of life")
def end_of_life(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool, branch in _branches(case):
        if not _ended(branch, case.today):
            continue
        since = f" since {branch.eol}" if branch.eol else ""
        yield Hit(
            version_route(pool),
            f"{_is(pool, release, branch)} past its end of life{since}: it gets no more fixes",
            f'driver.version: "{living(case.facts, release, pool, case.today)}"',
            pools=(pool.name,),
        )


@rule("GV505", "info", "Driver branch near its end of life")
def near_end_of_life(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool, branch in _branches(case):
        if branch.eol is not None and 0 <= months_left(branch.eol, case.today) <= _SIX_MONTHS:
            yield Hit(
                version_route(pool),
                f"{_is(pool, release, branch)} near its end of life, {branch.eol}",
                f"plan the next branch: {_longer_kept(case, branch)}",
                pools=(pool.name,),
            )


def not_listed(version: str, release: OperatorRelease) -> tuple[str, str] | None:
    """That NVIDIA's matrix for an operator version lacks a driver, and what to write; None where it has it."""
    if is_branch(version) or branch_of(version) is None or version in release.driver_listed:
        return None
    branch = branch_of(version)
    same = [name for name in release.driver_listed if branch_of(name) == branch]
    text = (
        f"NVIDIA lists {listed(same, 'and')} of R{branch}" if same else f"NVIDIA lists no driver of R{branch}"
    ) + f" for GPU Operator {release.version}, and not {version}"
    return text, (same or candidates(release))[0]


def _not_listed_in_file(body: Body, facts: Facts) -> Iterator[Hit]:
    release = body.release(facts)
    driver = body.data.get("driver") if isinstance(body.data, Mapping) else None
    if release is None or not isinstance(driver, Mapping) or driver.get("enabled") is False:
        return
    version = driver.get("version")
    wrong = not_listed(version, release) if isinstance(version, str) else None
    if wrong is not None:
        yield Hit(("driver", "version"), wrong[0], f'version: "{wrong[1]}"')


@rule("GV506", "warning", "Driver outside the operator's matrix", files={"values": _not_listed_in_file}, needs="version")
def in_matrix(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool in case.plan.pools:
        version = pool.pool.driver.version
        wrong = not_listed(version, release) if version is not None and release is not None else None
        branch = case.facts.driver_branch(pool.driver.branch or "")
        if (
            wrong is None
            or not _is_usable(case, pool, version or "")
            or (branch is not None and _ended(branch, case.today))
        ):
            continue
        yield Hit(
            version_route(pool),
            wrong[0],
            f'driver.version: "{wrong[1]}", or accept GV506 with a reason',
            ((("charts", "gpuOperator"), "the operator's version"),),
            pools=(pool.name,),
        )


def _branches(case: Case) -> Iterator[tuple[PoolPlan, DriverBranch]]:
    """Pools with the branch of their driver, but for drivers that do not serve the GPU anyway."""
    for pool in case.plan.pools:
        branch = case.facts.driver_branch(pool.driver.branch) if pool.driver.branch else None
        version = pool.driver.version.value or ""
        if branch is not None and _is_usable(case, pool, version):
            yield pool, branch


def _is(pool: PoolPlan, release: OperatorRelease | None, branch: DriverBranch) -> str:
    """The beginning of a sentence on the branch of a pool's driver, which names the branch once."""
    name = spoken(pool, release)
    return f"{name} is" if is_branch(pool.driver.version.value or "") else f"{name} belongs to R{branch.branch}, which is"


def _is_usable(case: Case, pool: PoolPlan, version: str) -> bool:
    """Whether no rule says already that this driver does not do."""
    return (pool.gpu is None or knows(pool.gpu, version)) and cuda_floor(case, version) is None


def _ended(branch: DriverBranch, today: date) -> bool:
    """Whether a branch is past its end of life: by its date, or where none is known by NVIDIA's word."""
    if branch.eol is None:
        return (branch.status or "").startswith("EOL")
    return months_left(branch.eol, today) < 0


def _longer_kept(case: Case, branch: DriverBranch) -> str:
    """The branches whose end of life comes later, in words."""
    later = [row for row in case.facts.driver_branches() if row.eol is not None and row.eol > (branch.eol or "")]
    return listed([f"R{row.branch} is kept until {row.eol}" for row in later], "and") if later else "none is known yet"


RULES: tuple[Rule, ...] = (end_of_life, near_end_of_life, in_matrix)
