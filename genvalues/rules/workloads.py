"""Rules about workloads: their CUDA against the driver and the GPU, and whether what the site says of them makes sense.

A driver runs every CUDA of a major from a floor on; the driver that a toolkit was published with is no minimum (CUDA
toolkit release notes, tables 2 and 3). What is not known of an image is never guessed.
"""

from collections.abc import Iterator

from genvalues.facts import Facts
from genvalues.facts.version import branch as branch_of
from genvalues.facts.version import is_branch, numbers, same_or_newer
from genvalues.finding import Hit, Route
from genvalues.plan.kinds import PoolPlan, WorkloadPlan
from genvalues.plan.workloads import cuda_of
from genvalues.rules.driver_support import candidates, cuda_floor, knows, living, model_route, spoken, version_route
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import listed, nearest


def is_older(version: str, needed: str) -> bool:
    """Whether a driver ("550.54.15", or "550" for the newest of its branch) is older than another."""
    newest = f"{version}.999.99" if is_branch(version) else version
    return same_or_newer(newest, needed) is False


def lacks_gpu(work: WorkloadPlan, pool: PoolPlan, facts: Facts) -> int | None:
    """The CUDA major that dropped the pool's GPU, where the workload's is that or a newer one; else None."""
    removed = facts.cuda_removed(pool.gpu.architecture) if pool.gpu is not None else None
    return removed if removed is not None and work.cuda_major is not None and work.cuda_major >= removed else None


@rule("GV517", "error", "Workload that needs a newer driver")
def driver_too_old(case: Case) -> Iterator[Hit]:
    for work, pools, version in _by_driver(case):
        needed = work.driver.value
        if needed is None or not is_older(version, needed):
            continue
        by_cuda = work.driver.why.routes != (work.workload.route("minDriver"),)
        who = f"programs of CUDA {work.cuda.value} run" if by_cuda else f"{work.workload.name} runs"
        yield Hit(
            work.driver.why.routes[0],
            f"{who} on driver {needed} or newer, and {_there(case, pools)}",
            _newer_driver(case, pools[0], needed, work.cuda_major if by_cuda else None),
            ((version_route(pools[0]), "the driver is decided here"),),
            pools=tuple(pool.name for pool in pools),
        )


@rule("GV518", "error", "CUDA without support for the GPU")
def gpu_dropped_by_cuda(case: Case) -> Iterator[Hit]:
    for work in case.plan.workloads:
        for pool in work.pools:
            removed = lacks_gpu(work, pool, case.facts)
            if removed is None or pool.gpu is None:
                continue
            architecture = pool.gpu.architecture.capitalize()
            yield Hit(
                _cuda_route(work),
                f"CUDA {work.cuda.value} has no support for {pool.gpu.display} of pool {pool.name}: CUDA {removed} "
                f"removed {architecture}",
                f"an image of CUDA {removed - 1}, which R{pool.gpu.driver.max_branch or '580'} runs",
                ((model_route(pool), f"{pool.gpu.display} here"),),
                pools=(pool.name,),
            )


@rule("GV537", "warning", "CUDA toolkit newer than the driver")
def toolkit_newer(case: Case) -> Iterator[Hit]:
    for work, pools, version in _by_driver(case):
        toolkit = case.facts.cuda_toolkit(work.cuda.value) if work.cuda.value is not None else None
        published = toolkit.toolkit_driver if toolkit is not None else None
        if toolkit is None or published is None or work.workload.forward_compatibility:
            continue
        if is_older(version, toolkit.floor) or not is_older(version, published):
            continue
        yield Hit(
            _cuda_route(work),
            f"CUDA {work.cuda.value} was published with driver {published}, and {_there(case, pools)}: its programs run by "
            "minor-version compatibility, but PTX of this CUDA is not compiled and newer features end in an error",
            f"{_newer_driver(case, pools[0], published, None)}, or accept GV537 with a reason",
            ((version_route(pools[0]), "the driver is decided here"),),
            pools=tuple(pool.name for pool in pools),
        )


@rule("GV538", "error", "Forward compatibility on a consumer GPU")
def forward_compatibility(case: Case) -> Iterator[Hit]:
    for work in case.plan.workloads:
        for pool in work.pools if work.workload.forward_compatibility else ():
            if pool.gpu is not None and pool.gpu.gpu_class == "consumer":
                yield Hit(
                    work.workload.route("forwardCompatibility"),
                    f"cuda-compat does not work on {pool.gpu.display} of pool {pool.name}: NVIDIA supports it on data center "
                    "GPUs, some RTX cards and Jetson",
                    "remove it, and take a driver that runs the workload's CUDA",
                    ((model_route(pool), f"{pool.gpu.display} here"),),
                    pools=(pool.name,),
                )


def unsourced(stated: str, cuda: str, facts: Facts) -> str | None:
    """Why a stated minimum is not the oldest driver for a CUDA version; None where it is, or the floor is not known."""
    major = int(cuda.partition(".")[0])
    floor = facts.cuda_floor(major)
    if floor is None:
        return None
    # NVIDIA's compatibility guide gives branches (">= 525"), the release notes full versions.
    if numbers(stated) == numbers(floor) or (is_branch(stated) and stated == branch_of(floor)):
        return None
    toolkits = [facts.cuda_toolkit(name) for name in (cuda, *facts.cuda_versions())]
    published = next((t for t in toolkits if t and t.toolkit_driver == stated and t.floor == floor), None)
    if published is not None:
        return (
            f"{stated} is the driver that CUDA {published.version} was published with, and no minimum: programs of "
            f"CUDA {major} run on driver {floor} or newer"
        )
    own = facts.cuda_toolkit(cuda)
    with_it = f"it was published with {own.toolkit_driver}, and " if own and own.toolkit_driver else ""
    return f"no table of NVIDIA's has {stated} for CUDA {cuda}: {with_it}programs of CUDA {major} run on driver {floor} or newer"


@rule("GV539", "warning", "Minimum driver without a source")
def minimum_has_source(case: Case) -> Iterator[Hit]:
    for work in case.plan.workloads:
        stated, cuda = work.workload.min_driver, work.cuda.value
        if stated is None or cuda is None or work.workload.forward_compatibility:
            continue
        why = unsourced(stated, cuda, case.facts)
        if why is not None:
            yield Hit(
                work.workload.route("minDriver"),
                why,
                f'minDriver: "{work.driver.value}", or remove it',
                ((_cuda_route(work), f"CUDA {cuda} here"),),
            )


@rule("GV250", "error", "Workload on a pool that does not exist")
def pools_exist(case: Case) -> Iterator[Hit]:
    known = [pool.name for pool in case.site.pools]
    for work in case.site.workloads:
        for position, name in enumerate(work.pools):
            if name not in known:
                near = nearest(name, known)
                yield Hit(
                    work.route("pools", position),
                    f"no pool is called {name}: there {'is' if len(known) == 1 else 'are'} {listed(known, 'and')}",
                    f"- {near or known[0]}",
                )


@rule("GV251", "warning", "CUDA version that is not known")
def cuda_is_known(case: Case) -> Iterator[Hit]:
    for work in case.plan.workloads:
        version = work.cuda.value
        if version is None or case.facts.cuda_toolkit(version) is not None:
            continue
        known = case.facts.cuda_versions()
        near = _near(version, known)
        stated = work.workload.cuda is not None
        yield Hit(
            _cuda_route(work),
            f"no CUDA {version} is known, from {known[0]} to {known[-1]}: did you mean {near}?",
            f'cuda: "{near}"' if stated else f"an image of CUDA {near}",
        )


@rule("GV252", "info", "Workload of which nothing is checked")
def nothing_is_known(case: Case) -> Iterator[Hit]:
    for work in case.plan.workloads:
        if work.cuda.value is not None or work.workload.min_driver is not None:
            continue
        image = work.workload.image
        source = "the tag of its image does not name one" if image else "it names no image either"
        yield Hit(
            work.workload.route("image") if image else work.workload.route("name"),
            f"the site does not say which CUDA {work.workload.name} was built with, and {source}: nothing holds it against "
            "the drivers",
            'cuda: "12.8", as `nvcc --version` or the release notes of the image have it',
        )


@rule("GV253", "error", "Two workloads of one name")
def names_are_unique(case: Case) -> Iterator[Hit]:
    first: dict[str, Route] = {}
    for work in case.site.workloads:
        earlier = first.setdefault(work.name, work.route("name"))
        if earlier != work.route("name"):
            yield Hit(
                work.route("name"),
                f"another workload is called {work.name}",
                f"name: {work.name}-{work.position + 1}",
                ((earlier, "the first of that name"),),
            )


@rule("GV254", "warning", "CUDA that the tag of the image contradicts")
def tag_agrees(case: Case) -> Iterator[Hit]:
    for work in case.plan.workloads:
        stated, image = work.workload.cuda, work.workload.image
        named = cuda_of(image) if stated is not None and image is not None else None
        if named is None or stated is None or _agree(stated, named):
            continue
        yield Hit(
            work.workload.route("cuda"),
            f"the site says CUDA {stated}, and the tag of the image says {named}",
            f'cuda: "{named}", or remove it',
            ((work.workload.route("image"), f"CUDA {named} here"),),
        )


def _by_driver(case: Case) -> Iterator[tuple[WorkloadPlan, list[PoolPlan], str]]:
    """Each workload with those of its pools that have the same driver, but for pools where another rule speaks already.

    That is so where the driver does not do for the GPU or the verification pods, or CUDA has dropped the GPU.
    """
    for work in case.plan.workloads:
        alike: dict[tuple[str, str], list[PoolPlan]] = {}
        for pool in work.pools:
            version = pool.driver.version.value
            if version is None or (pool.gpu is not None and not knows(pool.gpu, version)):
                continue
            if cuda_floor(case, version) is None and lacks_gpu(work, pool, case.facts) is None:
                alike.setdefault((version, pool.driver.strategy.value), []).append(pool)
        yield from ((work, pools, version) for (version, _), pools in alike.items())


def _there(case: Case, pools: list[PoolPlan]) -> str:
    """What runs on some pools of one driver, as the end of a sentence."""
    names = listed([pool.name for pool in pools], "and")
    release = case.release
    return f"pool{'s' if len(pools) > 1 else ''} {names} {'have' if len(pools) > 1 else 'has'} {spoken(pools[0], release).rstrip(',')}"


def _newer_driver(case: Case, pool: PoolPlan, needed: str, major: int | None) -> str:
    """The line that brings a driver that is new enough, if there is one for the GPU; or an older CUDA."""
    release = case.release
    fitting = [living(case.facts, release, pool, case.today), *candidates(release)]
    version = next((one for one in fitting if not is_older(one, needed)), needed)
    older = f", or an image of CUDA {major - 1}" if major is not None and case.facts.cuda_floor(major - 1) else ""
    return f'driver.version: "{version}"{older}'


def _near(version: str, known: tuple[str, ...]) -> str:
    """The known version, of an ascending list, that was probably meant: of the same digits, else the nearest in number."""
    digits = [name for name in known if name.replace(".", "") == version.replace(".", "")]
    wanted, last = numbers(version) or (), numbers(known[-1]) or ()
    if digits or wanted > last:
        return digits[0] if digits else known[-1]
    major = [parts for name in known if (parts := numbers(name)) is not None and parts[0] == wanted[0]]
    best = min(major, key=lambda parts: (abs(parts[1] - wanted[1]), *(-part for part in (*parts, 0)[:3])), default=None)
    return known[0] if best is None else ".".join(map(str, best))


def _agree(one: str, other: str) -> bool:
    """Whether two versions are the same as far as both are given; 12.4.0 is 12.4."""
    left, right = (tuple(numbers(text) or ()) for text in (one, other))
    return all(a == b for a, b in zip(left, right, strict=False))


def _cuda_route(work: WorkloadPlan) -> Route:
    """Where the workload's CUDA comes from; only for one that has it."""
    return work.cuda.why.routes[0]


RULES: tuple[Rule, ...] = (
    driver_too_old,
    gpu_dropped_by_cuda,
    toolkit_newer,
    forward_compatibility,
    minimum_has_source,
    pools_exist,
    cuda_is_known,
    nothing_is_known,
    names_are_unique,
    tag_agrees,
)
