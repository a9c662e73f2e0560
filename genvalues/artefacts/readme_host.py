"""The step of the hand-over that prepares nodes: copy the files, install, reboot, check."""

import re
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from genvalues.artefacts.readme_tables import commented, listed, pools_in_words
from genvalues.plan import Plan
from genvalues.plan.kinds import HostPlan, PoolPlan

# What runs containerd on a worker, by distribution; elsewhere containerd is a unit of its own.
_RUNTIMES = {
    "rke2": "rke2-agent",
    "k3s": "k3s-agent",
    "k0s": "k0sworker",
    "microk8s": "snap.microk8s.daemon-containerd",
}


def context(plan: Plan, host: HostPlan) -> Mapping[str, Any]:
    """What the template calls host: folder, pools, trees, commands, notes, checks."""
    own = [pool for pool in host.pools if not pool.driver.in_cluster]
    return {
        "folder": host.folder,
        "pools": pools_in_words(plan, host.pools),
        "trees": list(_trees(host)),
        "commands": [f"sudo {command}" for command in _commands(plan, host)],
        "reboots": host.no_nouveau,
        "notes": list(_notes(plan, host)),
        "checks": _checks(host, own[0]) if own else [],
    }


def _trees(host: HostPlan) -> Iterator[str]:
    """The folders of the rendering that are copied onto a node's root."""
    files = [file.path for file in host.sources]
    if host.certificates is not None:
        files.append(host.certificates.path)
    if host.options or host.no_nouveau or host.modules or host.driver is not None:
        files.append("etc/")
    yield from sorted({path.partition("/")[0] for path in files})


def _commands(plan: Plan, host: HostPlan) -> Iterator[str]:
    if host.certificates is not None:
        yield "update-ca-trust" if host.family == "rhel" else "update-ca-certificates"
    yield from _installation(host)
    if _lacks_ib_umad(host):
        if not host.packages:
            yield "apt-get update"
        yield 'apt-get install -y "linux-modules-extra-$(uname -r)"'
    if host.no_nouveau:
        yield "update-initramfs -u" if host.family == "debian" else "dracut --force"
    for service in host.services:
        yield f"systemctl enable {service}"
    if host.no_nouveau:
        yield "reboot"
        return
    if host.modules:
        yield "systemctl restart systemd-modules-load"
    if host.certificates is not None:
        yield f"systemctl restart {runtime(plan)}"


def runtime(plan: Plan) -> str:
    """The unit that runs the containers of a worker."""
    if plan.cluster.container_runtime == "cri-o":
        return "crio"
    return _RUNTIMES.get(plan.cluster.distribution, "containerd")


def _lacks_ib_umad(host: HostPlan) -> bool:
    """Whether a module to load is in a package that the list of packages has not: Ubuntu's, one for each kernel."""
    return (
        any(module.value == "ib_umad" for module in host.modules)
        and all(pool.pool.os.id == "ubuntu" for pool in host.pools)
        and not any(package.name.startswith("linux-modules-extra-") for package in host.packages)
    )


def _installation(host: HostPlan) -> Iterator[str]:
    if not host.packages:
        return
    separator = "=" if host.family == "debian" else "-"
    names = [
        package.name if package.version is None else quote(f"{package.name}{separator}{package.version}*")
        for package in host.packages
    ]
    compiled = any(pool.driver.host_packages.value == "cuda-repo" for pool in host.pools)
    if host.family == "debian":
        yield "apt-get update"
        headers = ['"linux-headers-$(uname -r)"'] if compiled else []
        yield " ".join(["apt-get install -y", *headers, *names])
    else:
        headers = ['"kernel-devel-$(uname -r)"', '"kernel-headers-$(uname -r)"'] if compiled else []
        lock = ["python3-dnf-plugin-versionlock"] if host.driver is not None else []
        yield " ".join(["dnf install -y", *lock, *headers, *names])
        if host.driver is not None:
            yield f"dnf versionlock add {quote(f'*nvidia*{host.driver.value}*')}"


def _notes(plan: Plan, host: HostPlan) -> Iterator[str]:
    own = [pool for pool in host.pools if not pool.driver.in_cluster]
    for pool in own[:1]:
        yield from _driver_notes(host, pool)
    if keyrings := _keyrings(host):
        yield f"apt takes these sources only with their keys: {listed(keyrings)} must be on the nodes before."
    if any(pool.rdma.gdrcopy.value for pool in own):
        package = "gdrcopy-kmod" if host.family == "rhel" else "gdrdrv-dkms"
        yield f"`gdrdrv` comes with GDRCopy's package `{package}`; without it the module is missing at the next boot."
    if any(pool.rdma.gds.value for pool in own):
        yield "`nvidia-fs` comes with the packages of GPUDirect Storage."
    if any(pool.gpu is not None and pool.gpu.imex for pool in own):
        yield (
            "`nvidia-imex.service` must know all nodes of its rack (`/etc/nvidia-imex/nodes_config.cfg`). Where the DRA driver "
            "manages ComputeDomains, disable and mask it instead."
        )
    if any(pool.pool.os.secure_boot for pool in own):
        yield "Secure Boot: modules that are compiled on the node must be signed with a key that the firmware knows (MOK)."
    if host.certificates is not None:
        yield (
            "The certificate belongs on every node that pulls from the mirror, nodes without GPUs too: NFD and the operator "
            f"run there. The container runtime ({runtime(plan)}) reads it when it starts."
        )


def _keyrings(host: HostPlan) -> list[str]:
    """Files of keys that the package sources name, but for those that every node of the distribution has."""
    named = [name for file in host.sources for name in re.findall(r"(?i)signed-by[=:]\s*(/[^\]\s]+)", file.text.value)]
    own = ("/usr/share/keyrings/ubuntu-archive-", "/usr/share/keyrings/debian-archive-")
    return [f"`{name}`" for name in dict.fromkeys(named) if not name.startswith(own)]


def _driver_notes(host: HostPlan, pool: PoolPlan) -> Iterator[str]:
    driver = pool.driver
    modules = f" with the {driver.modules.value} kernel modules" if driver.modules.value else ""
    version = driver.version.value or "of your choice"
    if not host.packages:
        fabric = f", and Fabric Manager {driver.fabric_manager.value}" if driver.fabric_manager.value else ""
        yield f"Names of packages are not known here: install driver {version}{modules}{fabric} as you are used to."
    if host.driver is not None and host.family == "debian":
        yield (
            f"`etc/apt/preferences.d/genvalues-nvidia` holds apt at {host.driver.value}, so that no upgrade "
            f"{_apart(host, pool)}."
        )
    if host.family == "rhel" and host.packages:
        stream = f"nvidia-driver:{driver.branch}-{'open' if driver.modules.value == 'open' else 'dkms'}"
        yield f"On release 8 and 9 the packages are in a module stream: first `sudo dnf module enable -y {stream}`."
    if host.packages and driver.host_packages.value == "cuda-repo":
        yield "The packages come from NVIDIA's CUDA repository: " + (
            "the mirror must hold it, and a source among the files above name it."
            if host.sources
            else "its installation guide says how to add it to a node, which comes first."
        )
    if pool.rdma.gpu_direct.value == "peermem":
        yield "Install OFED before the driver: nvidia-peermem is compiled against it, and does not load otherwise."


def _apart(host: HostPlan, pool: PoolPlan) -> str:
    """What an upgrade by itself would do."""
    if host.services:
        return "takes the driver and Fabric Manager apart"
    if pool.gpu is not None and pool.gpu.imex:
        return "takes the driver and nvidia-imex apart"
    return "changes the driver under running jobs"


def _checks(host: HostPlan, pool: PoolPlan) -> list[str]:
    driver, count = pool.driver, pool.pool.gpu.per_node
    lines = f"{count} lines" if count else "a line for each GPU"
    version = f", each with {driver.version.value}" if driver.version.value else ""
    checks = [("nvidia-smi --query-gpu=index,name,driver_version --format=csv,noheader", lines + version)]
    if driver.modules.value == "open":
        checks.append(("grep -c 'Open Kernel Module' /proc/driver/nvidia/version", "1"))
    checks += [(f"systemctl is-active {service}", "active") for service in host.services]
    if host.services:
        checks.append(("nvidia-smi -q | grep -A 2 -w Fabric", "State: Completed, Status: Success"))
    if host.modules:
        names = "|".join(module.value.replace("-", "_") for module in host.modules)
        checks.append((f"lsmod | grep -cE '^({names}) '", str(len(host.modules))))
    return commented(*checks)
