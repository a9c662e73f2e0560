"""Judgements on drivers that several rules share: does a driver know a GPU, which one would, and how to speak of it.

What is not known is never held against a driver.
"""

import re
from datetime import date

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu, OperatorRelease
from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import is_branch, same_or_newer
from genvalues.finding import Route
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.rule import Case


def dropped(gpu: Gpu, version: str) -> str | None:
    """The last branch that supports the GPU, where `version` is newer; else None."""
    branch, last = branch_of(version), gpu.driver.max_branch
    return last if branch is not None and last is not None and int(branch) > int(last) else None


def too_old(gpu: Gpu, version: str) -> str | None:
    """Why a driver ("580.65.06" or "580") does not know the GPU yet, as the end of a sentence; None where it may.

    Branches newer than all that the facts name are taken to know it (open-gpu-kernel-modules README, table by release).
    """
    branch, driver = branch_of(version), gpu.driver
    if branch is None or driver.enforce == "no" or dropped(gpu, version) is not None:
        return None
    if driver.enforce == "until" and int(branch) > int(driver.enforce_until or branch):
        return None
    if driver.min_branch is not None and int(branch) < int(driver.min_branch):
        first = driver.supported_from.get(driver.min_branch)
        return f"the first to know it is {first or 'of R' + driver.min_branch}"
    if branch in driver.unsupported_branches:
        later = next((name for name in sorted(driver.supported_from, key=int) if int(name) > int(branch)), None)
        after = f"; R{later} does from {driver.supported_from[later]} on" if later else ""
        return f"no release of R{branch} knows it{after}"
    first = driver.supported_from.get(branch)
    if first is not None and not is_branch(version) and same_or_newer(version, first) is False:
        return f"R{branch} knows it from {first} on"
    return None


def knows(gpu: Gpu, version: str) -> bool:
    """Whether nothing speaks against a driver for the GPU."""
    return dropped(gpu, version) is None and too_old(gpu, version) is None


def suggestion(gpu: Gpu, release: OperatorRelease | None, facts: Facts, *, precompiled: bool = False) -> str:
    """A driver that knows the GPU; the branch alone for precompiled drivers.

    One that the operator's release offers, else one of the next release that offers any, else the first that the facts
    name for the GPU.
    """
    names = facts.operator_versions()
    later = names[names.index(release.version) + 1 :] if release is not None else names[::-1]
    offered = [*candidates(release), *(one for name in later for one in candidates(facts.operator_release(name)))]
    first = [gpu.driver.supported_from[branch] for branch in sorted(gpu.driver.supported_from, key=int)]
    last = gpu.driver.max_branch or gpu.driver.min_branch or ""
    found = next((version for version in (*offered, *first) if knows(gpu, version)), last)
    return (branch_of(found) or found) if precompiled else found


def candidates(release: OperatorRelease | None) -> tuple[str, ...]:
    """The drivers that an operator release offers, best first: the recommended one, then its matrix from the newest."""
    if release is None:
        return ()
    recommended = (release.driver_recommended,) if release.driver_recommended is not None else ()
    return (*recommended, *release.driver_listed)


def cuda_floor(case: Case, version: str) -> str | None:
    """The oldest driver for the CUDA of the verification pods, where `version` is older; else None."""
    cuda = re.search(r"-cuda([0-9]+)\.", case.plan.verify_image.value)
    floor = case.facts.cuda_floor(int(cuda.group(1))) if cuda is not None else None
    newest = f"{version}.999.99" if is_branch(version) else version
    return floor if floor is not None and same_or_newer(newest, floor) is False else None


def spoken(pool: PoolPlan, release: OperatorRelease | None) -> str:
    """The pool's driver as a sentence names it, with who chose it where that is not the site."""
    version = pool.driver.version.value or ""
    name = f"driver R{version}" if is_branch(version) else f"driver {version}"
    if pool.driver.stated or release is None:
        return name
    return f"{name}, which GPU Operator {release.version} installs by default,"


def months_left(month: str, today: date) -> int:
    """Months from today to a month such as "2028-06"; negative once it is over."""
    year, number = month.split("-")
    return (int(year) - today.year) * 12 + int(number) - today.month


def living(facts: Facts, release: OperatorRelease | None, pool: PoolPlan, today: date) -> str:
    """A driver to change to: of the candidates that know the GPU the one whose branch is kept longest, else the first."""
    newest = facts.operator_release(facts.operator_versions()[-1])
    offered = candidates(release) or candidates(newest)
    fitting = [version for version in offered if pool.gpu is None or knows(pool.gpu, version)]
    kept = {version: _months_kept(facts, version, today) for version in fitting}
    living = [version for version, months in kept.items() if months > 0] or (fitting or offered)[:1]
    best = max(living, key=lambda version: kept.get(version, 0))  # of equals the first, which is the best candidate
    return str(branch_of(best)) if pool.driver.precompiled else best


def _months_kept(facts: Facts, version: str, today: date) -> int:
    """How long the branch of a driver is still kept, in months; 0 where it has ended or that is not known."""
    branch = facts.driver_branch(branch_of(version) or "")
    return 0 if branch is None or branch.eol is None else max(0, months_left(branch.eol, today))


def version_route(pool: PoolPlan) -> Route:
    """The line that decided the pool's driver version."""
    routes = pool.driver.version.why.routes
    return routes[0] if routes else pool.pool.driver.at.route("version")


def model_route(pool: PoolPlan) -> Route:
    return pool.pool.at.route("gpu", "model")
