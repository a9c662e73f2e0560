"""Rules about package sources: of which operating systems, in which files, from where; and the mirrors' certificates."""

import re
from collections.abc import Callable, Iterator, Mapping

from genvalues.finding import Hit, Route
from genvalues.plan.kinds import PoolPlan
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import key, listed, nearest, quoted

_PACKAGES: Route = ("offline", "packages")

_FILE_NAME = r"[A-Za-z0-9][-A-Za-z0-9_.]*"
"""What both a ConfigMap key may be and apt reads (sources.list(5))."""

_PUBLIC = (
    "archive.ubuntu.com",
    "security.ubuntu.com",
    "ports.ubuntu.com",
    "deb.debian.org",
    "developer.download.nvidia.com",
    "nvidia.github.io",
    "cdn.redhat.com",
    "cdn-ubi.redhat.com",
    "dl.fedoraproject.org",
    "mirrors.fedoraproject.org",
    "dl.rockylinux.org",
    "mirrors.rockylinux.org",
    "mirror.centos.org",
    "mirrorlist.centos.org",
    "vault.centos.org",
    "yum.oracle.com",
    "download.opensuse.org",
    "updates.suse.com",
)
"""Package repositories of the internet; mirrors by country are called <cc>.archive.ubuntu.com."""

# Versions of Ubuntu and what their suites are called (ubuntu.com/about/release-cycle).
_SUITES = {"20.04": "focal", "22.04": "jammy", "24.04": "noble", "26.04": "resolute"}

# Sources that the driver images for RHEL are built with, and that are asked whether they are reachable or not
# (NVIDIA/gpu-driver-container, rhel8 to rhel10: Dockerfile and install.sh; NVIDIA/gpu-operator#299).
_BUILT_IN = {
    "8": ("ubi.repo", "cuda-rhel8.repo"),
    "9": ("ubi.repo", "cuda-rhel9.repo", "epel.repo"),
    "10": ("ubi.repo", "cuda-rhel10.repo"),
}


@rule("GV574", "warning", "Package sources of a system that no pool has")
def idle_tag(case: Case) -> Iterator[Hit]:
    tags = [pool.os_tag for pool in case.plan.pools]
    offline = case.site.offline
    if offline is None or None in tags:
        return
    meant = {nearest(tag, offline.packages) for tag in _missing(case)}
    for tag in offline.packages:
        if tag in tags or tag in meant:
            continue
        yield Hit(
            (*_PACKAGES, tag),
            f"no pool runs {tag}, so these sources are written nowhere: pools run {listed(_known(tags), 'and')}",
            f"remove it, or call it {listed(_known(tags))}",
            at="key",
        )


def _known(tags: list[str | None]) -> list[str]:
    return sorted({tag for tag in tags if tag is not None})


def _building(case: Case) -> Iterator[tuple[PoolPlan, str]]:
    """Pools whose driver pods fetch packages, with their OS tag where it is known."""
    return (
        (pool, pool.os_tag)
        for pool in case.plan.pools
        if pool.driver.in_cluster and not pool.driver.precompiled and pool.os_tag is not None
    )


def _missing(case: Case) -> dict[str, list[PoolPlan]]:
    """OS tags for which driver pods would find no packages, with their pools."""
    found: dict[str, list[PoolPlan]] = {}
    for pool, tag in _building(case) if case.site.offline is not None else ():
        if case.site.offline is not None and tag not in case.site.offline.packages:
            found.setdefault(tag, []).append(pool)
    return found


@rule("GV576", "error", "Driver pods that find no packages")
def no_packages(case: Case) -> Iterator[Hit]:
    for tag, pools in _missing(case).items():
        stated = case.site.offline.packages if case.site.offline is not None else {}
        near = nearest(tag, [one for one in stated if one not in {pool.os_tag for pool in case.plan.pools}])
        system = case.facts.operating_system(pools[0].pool.os.id or "")
        needed = listed(system.build_packages, "and") if system and system.build_packages else "the kernel's headers"
        names = listed([pool.name for pool in pools], "and")
        yield Hit(
            (*_PACKAGES, near) if near is not None else _PACKAGES,
            f"driver pods of pool {names} install {needed} at their start, and there are no package sources for {tag}"
            + (f", but for {near}" if near is not None else ""),
            f"{tag}: {{...}}"
            if near is not None
            else f"packages: {{{tag}: {{{_example(tag)}}}}}, or another driver.strategy",
            ((pools[0].pool.driver.at.route("strategy"), f"strategy {pools[0].driver.strategy.value} here"),),
            at="key" if near is not None else "value",
            pools=tuple(pool.name for pool in pools),
        )


def _example(tag: str) -> str:
    return 'mirror.list: "deb https://..."' if tag.startswith(("ubuntu", "debian")) else "mirror.repo: ..."


def _files(case: Case) -> Iterator[tuple[Route, str, str, str, PoolPlan]]:
    """Every package source that some node or driver pod reads: route, name, text, os-release ID, one pool with it."""
    for tag, files in case.site.offline.packages.items() if case.site.offline is not None else ():
        pool = next((pool for pool in case.plan.pools if pool.os_tag == tag), None)
        for name, text in files.items() if pool is not None else ():
            if pool is not None and pool.pool.os.id is not None:
                yield (*_PACKAGES, tag, name), name, text, pool.pool.os.id, pool


@rule("GV575", "error", "Package source in a file that is not read")
def file_is_read(case: Case) -> Iterator[Hit]:
    for route, name, _, os_id, _ in _files(case):
        system = case.facts.operating_system(os_id)
        if not re.fullmatch(_FILE_NAME, name):
            text = f"{quoted(name)} is no name of a file: letters, digits, '-', '_' and '.' only"
            yield Hit(route, text, f"{_stem(name)}{system.repo_suffixes[0] if system else ''}:", at="key")
        elif system is not None and not name.endswith(system.repo_suffixes):
            yield Hit(
                route,
                f"in {system.repo_dir} only files that end in {listed(system.repo_suffixes)} are read, and {name} does not",
                f"{_stem(name)}{system.repo_suffixes[0]}:",
                at="key",
            )


def _stem(name: str) -> str:
    stem = re.sub(r"\.(list|sources|repo|conf|txt)$", "", name)
    return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "mirror"


def _no_list(text: str) -> str | None:
    wrong = next((line for line in _lines(text) if not re.match(r"deb(-src)?\s", line)), None)
    return None if wrong is None else f"each line of a .list file begins with deb, and here stands {quoted(wrong[:40])}"


def _no_sources(text: str) -> str | None:
    fields = {line.partition(":")[0].lower() for line in _lines(text)}
    missing = [name for name in ("Types", "URIs", "Suites") if name.lower() not in fields]
    return f"a .sources file has the fields Types, URIs and Suites, and here is no {missing[0]}" if missing else None


def _no_repo(text: str) -> str | None:
    lines = list(_lines(text))
    if not lines or not lines[0].startswith("["):
        return "a .repo file begins with [a name]"
    keys = {line.partition("=")[0].strip() for line in lines}
    return (
        None if keys & {"baseurl", "mirrorlist", "metalink"} else "a .repo file says by baseurl where its packages are"
    )


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


_FORMS: Mapping[str, tuple[Callable[[str], str | None], str]] = {
    ".list": (_no_list, "deb https://mirror.example.internal/ubuntu jammy main universe"),
    ".sources": (_no_sources, "Types: deb, URIs: https://mirror.example.internal/ubuntu, Suites: jammy, a line each"),
    ".repo": (_no_repo, "[mirror], then name=..., baseurl=https://mirror.example.internal/..., enabled=1, a line each"),
}


@rule("GV577", "error", "Package source that its reader cannot read")
def text_has_form(case: Case) -> Iterator[Hit]:
    for route, name, text, os_id, pool in _files(case):
        suffix = name[name.rfind(".") :] if "." in name else ""
        system = case.facts.operating_system(os_id)
        read = system is None or suffix in system.repo_suffixes
        check, example = _FORMS.get(suffix if read else "", (None, ""))
        wrong = check(text) if check is not None else None
        if wrong is not None:
            suite = _SUITES.get(pool.pool.os.version or "", "jammy")
            yield Hit(route, f"{name} cannot be read: {wrong}", example.replace("jammy", suite))


@rule("GV578", "error", "Built-in package sources of RHEL's driver image that stay")
def built_in(case: Case) -> Iterator[Hit]:
    offline = case.site.offline
    said: set[str] = set()
    for pool, tag in _building(case) if offline is not None else ():
        wanted = _BUILT_IN.get((pool.pool.os.version or "").partition(".")[0], ())
        if pool.pool.os.id != "rhel" or offline is None or tag not in offline.packages or tag in said:
            continue
        missing = [name for name in wanted if name not in offline.packages[tag]]
        said.add(tag)
        if missing:
            yield Hit(
                (*_PACKAGES, tag),
                f"the driver image has {listed(missing, 'and')} of its own, and dnf fails where it cannot reach the internet "
                "by them: the driver pod ends",
                f"{'a file' if len(missing) == 1 else 'files'} of the same name: "
                f"{listed([f'{name}: ...' for name in missing], 'and')}",
                at="key",
            )


def hosts_of(text: str) -> list[str]:
    """The hosts that a package source fetches from, comments left out."""
    found = [_host(part) for line in _lines(text) for part in line.split("://")[1:]]
    return list(dict.fromkeys(host for host in found if host))


def _host(rest: str) -> str:
    """The host that begins what stands behind `://`: up to a path, a port or the end, after a user's name if there is one."""
    authority = re.split(r"[\s/\"']", rest, maxsplit=1)[0].rpartition("@")[2].lower()
    return authority[: authority.find("]") + 1] if authority.startswith("[") else authority.partition(":")[0]


@rule("GV579", "error", "Package source on the internet")
def public_source(case: Case) -> Iterator[Hit]:
    for route, name, text, _, _ in _files(case):
        for host in hosts_of(text):
            if any(host == public or host.endswith("." + public) for public in _PUBLIC):
                yield Hit(
                    route,
                    f"{name} fetches from {host}, which is on the internet",
                    "name the site's own mirror, such as https://mirror.example.internal/...",
                )


@rule("GV580", "error", "Package source of another Ubuntu release")
def suite_of_release(case: Case) -> Iterator[Hit]:
    for route, name, text, os_id, pool in _files(case):
        wanted = _SUITES.get(pool.pool.os.version or "") if os_id == "ubuntu" else None
        words = set(re.split(r"[\s/]+", "\n".join(_lines(text))))
        suites = {word.partition("-")[0] for word in words} & set(_SUITES.values())
        if wanted is None or not suites or wanted in suites:
            continue
        other = min(suites)
        yield Hit(
            route,
            f"{name} is a source of {other}, and nodes of pool {pool.name} run Ubuntu {pool.pool.os.version}, {wanted}: "
            "the kernel's headers are not there",
            f"{wanted} in place of {other}",
            ((pool.pool.at.route("os", "version"), f"Ubuntu {pool.pool.os.version} here"),),
        )


@rule("GV581", "warning", "Certificate authorities that nothing reads")
def idle_certificates(case: Case) -> Iterator[Hit]:
    """They go to the nodes of every pool whose operating system is known, and into driver pods that fetch packages."""
    offline = case.site.offline
    if offline is None or offline.ca_bundle is None or not offline.ca_text:
        return
    plan = case.plan
    in_pods = plan.certificates is not None or any(item.certificates is not None for item in plan.driver_objects)
    if not in_pods and not any(host.certificates is not None for host in plan.hosts):
        names = listed([pool.name for pool in plan.pools], "and")
        yield Hit(
            ("offline", "caBundle"),
            f"{key(offline.ca_bundle)} is written nowhere: no driver pod fetches packages, and which operating system the "
            f"nodes of {names} run is not said",
            'hardware.defaults.os: {id: ubuntu, version: "24.04"}, as os-release on the nodes has it, or remove caBundle',
        )


RULES: tuple[Rule, ...] = (
    idle_tag,
    file_is_read,
    no_packages,
    text_has_form,
    built_in,
    public_source,
    suite_of_release,
    idle_certificates,
)
