"""Rules about which driver runs: against the GPU, the form of its version, its end of life, NVIDIA's matrix, and CUDA."""

import re
from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu, OperatorRelease
from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import is_branch, same_or_newer
from genvalues.finding import Hit, node_at
from genvalues.plan.kinds import PoolPlan
from genvalues.rules import (
    driver_host,
    driver_lifecycle,
    driver_modules,
    driver_objects,
    driver_precompiled,
    driver_rollout,
)
from genvalues.rules.driver_support import (
    candidates,
    cuda_floor,
    dropped,
    knows,
    living,
    model_route,
    spoken,
    suggestion,
    too_old,
    version_route,
)
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import quoted

# A driver version with the OS tag that the operator appends by itself (NVIDIA/gpu-operator#690).
_WITH_OS = r"([0-9]{3}(?:\.[0-9]+){1,2})-(?:ubuntu|rhel|rhcos|rocky|ol|centos|sles|sl-micro|debian)[0-9.]*"
_SIX_MONTHS = 6


@rule("GV500", "error", "GPU dropped by the driver branch", files={"nvidia-driver": driver_objects.gpu_dropped})
def gpu_dropped(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool, gpu, version in _drivers(case):
        last = dropped(gpu, version)
        if last is None:
            continue
        better = suggestion(gpu, release, case.facts, precompiled=pool.driver.precompiled)
        yield Hit(
            version_route(pool),
            f"{spoken(pool, release)} has no support for {gpu.display} ({gpu.architecture.capitalize()}): R{last} was "
            "the last branch with it",
            f'driver.version: "{better}"',
            ((model_route(pool), f"{gpu.display} here"),),
            pools=(pool.name,),
        )


@rule("GV501", "error", "Driver older than the GPU", files={"nvidia-driver": driver_objects.older_than_gpu})
def older_than_gpu(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool, gpu, version in _drivers(case):
        why = too_old(gpu, version)
        if why is None:
            continue
        better = suggestion(gpu, release, case.facts, precompiled=pool.driver.precompiled)
        yield Hit(
            version_route(pool),
            f"{spoken(pool, release)} does not know {gpu.display}: {why}",
            f'driver.version: "{better}"',
            ((model_route(pool), f"{gpu.display} here"),),
            pools=(pool.name,),
        )


def version_form(version: str, *, precompiled: bool) -> tuple[str, str] | None:
    """What is wrong with the form of driver.version, and what to write; None where nothing is."""
    suffixed = re.fullmatch(_WITH_OS, version)
    if suffixed is not None:
        plain = branch_of(suffixed.group(1)) if precompiled else suffixed.group(1)
        return f"{quoted(version)} ends with an OS tag, which the operator appends by itself", str(plain)
    if branch_of(version) is None:
        return None
    if precompiled and not is_branch(version):
        branch = str(branch_of(version))
        return f"precompiled driver images are named by branch, and {quoted(version)} is a full version", branch
    if not precompiled and is_branch(version):
        return f"{quoted(version)} is a branch, and driver images are named by full version", ""
    return None


def _version_form_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    base = {"values": ("driver",), "cluster-policy": ("spec", "driver")}.get(body.kind, ("spec",))
    driver = node_at(body.data, base)
    if not isinstance(driver, Mapping) or driver.get("enabled") is False or not isinstance(driver.get("version"), str):
        return
    wrong = version_form(driver["version"], precompiled=driver.get("usePrecompiled") is True)
    if wrong is not None:
        message, better = wrong
        yield Hit((*base, "version"), message, f'version: "{better or _full(driver["version"], None, None)}"')


@rule(
    "GV502",
    "error",
    "Driver version of the wrong form",
    files={
        "values": _version_form_in_file,
        "cluster-policy": _version_form_in_file,
        "nvidia-driver": _version_form_in_file,
    },
)
def version_has_form(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool in case.plan.pools:
        version = pool.pool.driver.version
        if version is None or not pool.driver.in_cluster:
            continue
        wrong = version_form(version, precompiled=pool.driver.precompiled)
        if wrong is None:
            continue
        message, better = wrong
        yield Hit(
            version_route(pool),
            message,
            f'driver.version: "{better or _full(version, pool.gpu, release)}"',
            ((pool.pool.driver.at.route("strategy"), f"strategy {pool.driver.strategy.value} here"),),
            pools=(pool.name,),
        )


@rule("GV503", "warning", "Host driver of unknown version")
def host_version(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        version = pool.driver.version.value
        if pool.driver.in_cluster or (version is not None and not is_branch(version)):
            continue
        known = "says only the branch of the driver" if version else "does not say which driver"
        yield Hit(
            pool.pool.driver.at.route("version"),
            f"the site {known} {'that ' if version else ''}is installed on the nodes, so neither the GPU nor CUDA nor "
            "Fabric Manager can be checked against it",
            f'driver.version: "{_full(version or "580", pool.gpu, case.release)}", as nvidia-smi on the nodes shows it',
            ((pool.pool.driver.at.route("strategy"), "the driver is the host's"),),
            pools=(pool.name,),
        )


@rule("GV507", "error", "Driver too old for the CUDA of the verification pods")
def cuda_of_verification(case: Case) -> Iterator[Hit]:
    release = case.release
    for pool in case.plan.pools:
        version = pool.driver.version.value
        floor = cuda_floor(case, version) if version is not None else None
        if floor is None or (pool.gpu is not None and not knows(pool.gpu, version or "")):
            continue
        yield Hit(
            version_route(pool),
            f"{spoken(pool, release)} runs no programs of the CUDA that the verification pods have: they need "
            f"{floor} or newer",
            f'driver.version: "{living(case.facts, case.release, pool, case.today)}"',
            pools=(pool.name,),
        )


@rule("GV508", "warning", "RTX PRO 6000 boards that the driver may not know")
def rtx_pro_6000_boards(case: Case) -> Iterator[Hit]:
    for pool, gpu, version in _drivers(case):
        if gpu.key != "rtx-pro-6000-blackwell-server" or is_branch(version) or too_old(gpu, version) is not None:
            continue
        if same_or_newer(version, "580.126.09") is False or branch_of(version) == "590":
            yield Hit(
                version_route(pool),
                f"driver {version} does not know the newer boards of {gpu.display} (PCI subsystem 10de:220b): they are "
                "in R580 from 580.126.09 on, and in no R590",
                f'driver.version: "{_with_newer_boards(case.release)}"',
                ((model_route(pool), f"{gpu.display} here"),),
                pools=(pool.name,),
            )


@rule("GV509", "info", "RTX PRO 6000 may need uvm_disable_hmm")
def rtx_pro_6000_hmm(case: Case) -> Iterator[Hit]:
    for pool, gpu, _ in _drivers(case):
        if gpu.key.startswith("rtx-pro-6000-") and "uvm_disable_hmm" not in pool.driver.parameters.get(
            "nvidia-uvm", {}
        ):
            yield Hit(
                model_route(pool),
                f"on some systems CUDA does not start on {gpu.display} until heterogeneous memory management is off",
                "where cuInit fails: driver.moduleParameters: {nvidia-uvm: {uvm_disable_hmm: 1}}",
                pools=(pool.name,),
            )


def _with_newer_boards(release: OperatorRelease | None) -> str:
    fitting = (one for one in candidates(release) if same_or_newer(one, "580.126.09") and branch_of(one) != "590")
    return next(fitting, "580.126.09")


def _drivers(case: Case) -> Iterator[tuple[PoolPlan, Gpu, str]]:
    """Pools whose GPU and effective driver are known."""
    for pool in case.plan.pools:
        if pool.gpu is not None and pool.driver.version.value is not None:
            yield pool, pool.gpu, pool.driver.version.value


def _full(version: str, gpu: Gpu | None, release: OperatorRelease | None) -> str:
    """A full version of the branch of `version`: of the release's matrix, else the GPU's first one, else its form."""
    branch = branch_of(version) or version
    of_matrix = next((name for name in release.driver_listed if branch_of(name) == branch), None) if release else None
    first = gpu.driver.supported_from.get(branch) if gpu is not None else None
    return of_matrix or first or f"{branch}.<minor>.<patch>"


RULES: tuple[Rule, ...] = (
    gpu_dropped,
    older_than_gpu,
    version_has_form,
    host_version,
    cuda_of_verification,
    rtx_pro_6000_boards,
    rtx_pro_6000_hmm,
    *driver_lifecycle.RULES,
    *driver_modules.RULES,
    *driver_host.RULES,
    *driver_rollout.RULES,
    *driver_precompiled.RULES,
)
