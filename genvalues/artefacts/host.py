"""Files for the nodes, under the paths that they have there: `etc` and `usr` are copied onto the root as they are.

Nobody applies these for the cluster: README.md has the commands. A file that would hold nothing is not written.
Names of our own keep the files apart from those of the driver's packages, which a file of the same name would hide.
"""

from collections.abc import Iterable, Iterator

from genvalues.document import Text
from genvalues.plan import Plan
from genvalues.plan.kinds import HostPlan

_NOUVEAU = ("blacklist nouveau", "options nouveau modeset=0")


def render(plan: Plan) -> Iterator[Text]:
    """The files of each group of pools whose nodes need the same."""
    for host in plan.hosts:
        for path, lines, comment in _files(host):
            yield Text(f"{host.folder}/{path}", "".join(f"{line}\n" for line in lines), comment)
        for file in host.sources:
            yield Text(f"{host.folder}/{file.path}", file.text.value)
        if host.certificates is not None:
            # No header: the readers of certificate folders want nothing but certificates in a file.
            yield Text(f"{host.folder}/{host.certificates.path}", host.certificates.text.value, "")


def _files(host: HostPlan) -> Iterator[tuple[str, list[str], str]]:
    if host.packages:
        yield "packages.txt", _explained(_packages(host)), "#"
    if host.driver is not None and host.family == "debian":
        yield "etc/apt/preferences.d/genvalues-nvidia", _pin(host.driver.value), "#"
    if host.options:
        yield "etc/modprobe.d/genvalues-nvidia.conf", [f"options {option.value}" for option in host.options], "#"
    if host.no_nouveau:
        why = "# nouveau would take the GPUs before the driver; the initramfs must be made again after a change here"
        yield "etc/modprobe.d/genvalues-nouveau.conf", [why, *_NOUVEAU], "#"
    if host.modules:
        modules = [(module.why.text, module.value) for module in host.modules]
        yield "etc/modules-load.d/genvalues-gpu.conf", _explained(modules), "#"


def _packages(host: HostPlan) -> Iterator[tuple[str, str]]:
    """Each package with its reason, its version as apt and dnf take it."""
    separator = "=" if host.family == "debian" else "-"
    for package in host.packages:
        yield package.why, package.name if package.version is None else f"{package.name}{separator}{package.version}*"


def _explained(lines: Iterable[tuple[str, str]]) -> list[str]:
    """Lines with their reasons as comments above them, a reason that several share once."""
    written: list[str] = []
    last = ""
    for why, line in lines:
        written += [line] if why == last else [f"# {why}", line]
        last = why
    return written


def _pin(version: str) -> list[str]:
    """Preferences that keep apt at one driver version: metapackages depend on that version or any newer one."""
    return [
        f"Explanation: every package of the driver stays at {version} until this file says otherwise",
        "Package: *nvidia* cuda-drivers* libnvsdm*",
        f"Pin: version {version}*",
        "Pin-Priority: 1001",
    ]
