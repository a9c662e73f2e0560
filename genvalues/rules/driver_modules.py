"""Rules about the kernel modules of the driver: open or proprietary, their parameters, and whether they may load."""

from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts
from genvalues.facts.version import branch as branch_of
from genvalues.finding import Hit, Json, Route, format_route, node_at
from genvalues.plan.driver import PARAMETER_FILES, understands_auto
from genvalues.plan.kinds import PoolPlan
from genvalues.rules import driver_objects
from genvalues.rules.driver_support import knows, model_route, version_route
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed, quoted

GSP = "NVreg_EnableGpuFirmware"

# Prefixes of parameter names by the module that declares them (open-gpu-kernel-modules, kernel-open/*/).
_OWNERS = {"NVreg_": "nvidia", "uvm_": "nvidia-uvm", "peerdirect_": "nvidia-peermem"}

# Files that people put beside those that the driver container reads.
_UNREAD_FILES = ("nvidia-drm.conf", "nvidia_uvm.conf", "nvidia_modeset.conf", "nvidia_peermem.conf", "nvidia_drm.conf")


@rule(
    "GV510",
    "error",
    "GPU that needs the open kernel modules",
    files={"nvidia-driver": driver_objects.open_required},
)
def open_required(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        gpu, driver = pool.gpu, pool.driver
        if gpu is None or gpu.open_kernel_modules != "required" or driver.modules.value != "proprietary":
            continue
        if _falls_back(pool) or not knows(gpu, driver.version.value or ""):
            continue
        stated = driver.module_type.value == "proprietary"
        yield Hit(
            driver.module_type.why.routes[0] if stated else version_route(pool),
            f"{gpu.display} runs only on the open kernel modules, and "
            + (
                "the site asks for proprietary ones"
                if stated
                else f"R{driver.branch} takes the proprietary ones by default"
            ),
            "kernelModuleType: open" + ("" if driver.in_cluster else ", with the open modules installed on the nodes"),
            ((model_route(pool), f"{gpu.display} here"),),
            pools=(pool.name,),
        )


@rule("GV511", "error", "GPU without open kernel modules", files={"nvidia-driver": driver_objects.open_impossible})
def open_impossible(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        gpu, driver = pool.gpu, pool.driver
        if gpu is None or gpu.open_kernel_modules != "unsupported" or driver.modules.value != "open":
            continue
        yield Hit(
            driver.modules.why.routes[0],
            f"the open kernel modules do not support {gpu.display}: they need a GPU with a GSP, Turing or newer",
            "kernelModuleType: proprietary",
            ((model_route(pool), f"{gpu.display} here"),),
            pools=(pool.name,),
        )


@rule("GV512", "error", "Driver container that does not know kernelModuleType auto")
def auto_unknown(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        gpu, driver = pool.gpu, pool.driver
        version = driver.version.value or ""
        if gpu is None or gpu.open_kernel_modules != "required" or not _falls_back(pool) or not knows(gpu, version):
            continue
        routes = driver.module_type.why.routes
        yield Hit(
            routes[0] if routes else version_route(pool),
            f"driver container {version} does not know kernelModuleType auto, which 570.86.15 and those from 570.124.06 "
            f"on do: it builds proprietary modules, and {gpu.display} runs only on the open ones",
            "kernelModuleType: open",
            ((model_route(pool), f"{gpu.display} here"),),
            pools=(pool.name,),
        )


def _gsp_across(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """The parameter in a ConfigMap that a driver with open modules reads."""
    for body in bodies:
        base = {"values": ("driver",), "cluster-policy": ("spec", "driver"), "nvidia-driver": ("spec",)}.get(body.kind)
        driver = node_at(body.data, base) if base is not None else None
        if not isinstance(driver, Mapping) or driver.get("enabled") is False or not _is_open(driver):
            continue
        name = node_at(driver, ("kernelModuleConfig", "name"))
        for other in bodies:
            if name and other.kind == "config-map" and node_at(other.data, ("metadata", "name")) == name:
                yield from ((other, Hit(*said)) for said in _gsp_lines(other))


def _gsp_lines(body: Body) -> Iterator[tuple[Route, str, str]]:
    text = node_at(body.data, ("data", "nvidia.conf"))
    if isinstance(text, str) and any(line.strip() == f"{GSP}=0" for line in text.splitlines()):
        yield ("data", "nvidia.conf"), _GSP_TEXT, f"remove the line {GSP}=0"


_GSP_TEXT = (
    f"{GSP}=0 with open kernel modules: these need the GSP and ignore it, but the driver container then leaves out the "
    "firmware's search path, and the GPUs do not start (No firmware image found)"
)


@rule("GV513", "error", "GSP switched off under open kernel modules", across=_gsp_across)
def gsp_off(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        driver = pool.driver
        if driver.parameters.get("nvidia", {}).get(GSP) != "0" or driver.modules.value != "open":
            continue
        if pool.gpu is not None and pool.gpu.open_kernel_modules == "unsupported":
            continue
        host = f"{GSP}=0 with open kernel modules: these need the GSP and ignore it"
        yield Hit(
            pool.pool.driver.at.route("moduleParameters", "nvidia", GSP),
            _GSP_TEXT if driver.in_cluster else host,
            f"remove {GSP}",
            tuple((route, driver.modules.why.text) for route in driver.modules.why.routes[:1]),
            pools=(pool.name,),
        )


def parameter_fault(name: str, value: str, module: str) -> str | None:
    """What is wrong with a parameter of a module; None where nothing is."""
    if any(character.isspace() for character in value):
        return f"{quoted(value)} holds white space: what stands behind it becomes a parameter of its own"
    if (owner := _owner(name, module)) != module:
        return f"{name} is a parameter of module {owner}, and {module} ignores it"
    return None


def _owner(name: str, module: str) -> str:
    """The module that a parameter belongs to, as far as its name tells; else `module`."""
    return next((owner for prefix, owner in _OWNERS.items() if name.startswith(prefix)), module)


def line_fault(line: str, module: str) -> tuple[str, str] | None:
    """What is wrong with a line of a file of module parameters, and what to write; None where nothing is."""
    text = line.strip()
    if not text:
        return None
    if text.startswith("#"):
        return "the driver container knows no comments: it passes each line to modprobe", "remove the line"
    if text.split()[0] in ("options", "option"):
        last = text.split()[-1]
        message = f"{quoted(text)}: the driver container writes `options {module}` in front of each line by itself"
        return message, last if "=" in last else "one Name=value a line"
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        return f"{quoted(text)} is no Name=value", "one Name=value a line"
    fault = parameter_fault(name.strip(), value, module)
    if fault is None:
        return None
    owner = _owner(name.strip(), module)
    return fault, "one Name=value a line" if owner == module else f"move the line to {owner}.conf"


def _parameter_files(body: Body, _: Facts) -> Iterator[Hit]:
    """The files of a ConfigMap that driver.kernelModuleConfig names: recognised by the names of its keys."""
    data = node_at(body.data, ("data",))
    if not isinstance(data, Mapping):
        return
    read = {f"{module}.conf": module for module in PARAMETER_FILES}
    for file, text in data.items():
        if file in _UNREAD_FILES and (len(data) == 1 or set(data) & set(read)):
            right = file.replace("_", "-")
            fix = f"rename it to {right}" if right in read else f"remove {file}"
            message = f"the driver container reads {listed(read, 'and')}, and no {file}"
            yield Hit(("data", file), message, fix, at="key")
        module = read.get(file)
        faults = [line_fault(line, module) for line in text.splitlines()] if module and isinstance(text, str) else []
        yield from (Hit(("data", file), *fault) for fault in faults if fault is not None)


@rule("GV514", "error", "Module parameter that has no effect as written", files={"config-map": _parameter_files})
def parameters_act(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        for module, values in pool.driver.parameters.items():
            for name, value in values.items():
                fault = parameter_fault(name, value, module)
                if fault is None:
                    continue
                owner, first = _owner(name, module), (value.split() or [""])[0]
                fix = (
                    f"{name}: {first}, and each other parameter by its own name"
                    if owner == module
                    else f"in its place {format_route(pool.pool.driver.at.route('moduleParameters', owner, name))}: {value}"
                )
                yield Hit(pool.pool.driver.at.route("moduleParameters", module, name), fault, fix, pools=(pool.name,))


@rule("GV515", "error", "Unsigned kernel modules under Secure Boot")
def secure_boot(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        os, driver = pool.pool.os, pool.driver
        if not os.secure_boot or not driver.in_cluster:
            continue
        signed = os.id == "ubuntu" and _arch(pool) != "arm64"
        if driver.precompiled and (signed or os.id is None):
            continue
        why = (
            "precompiled modules are signed for Ubuntu on amd64 only"
            if driver.precompiled
            else "modules that the driver pod compiles are not signed"
        )
        yield Hit(
            pool.pool.at.route("os", "secureBoot"),
            f"with Secure Boot the kernel loads signed modules only, and {why}",
            'driver: {strategy: precompiled, version: "580"}'
            if signed
            else "driver.strategy: host, with modules signed by a key of your own (MOK), or secureBoot: false",
            ((pool.pool.driver.at.route("strategy"), f"strategy {driver.strategy.value} here"),),
            pools=(pool.name,),
        )


@rule("GV516", "error", "No driver container for RHEL 9 on arm64")
def rhel_9_arm64(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        os = pool.pool.os
        nine = os.id == "rhel" and (os.version or "").partition(".")[0] == "9"
        if not nine or _arch(pool) != "arm64" or pool.driver.strategy.value != "container":
            continue
        yield Hit(
            pool.pool.driver.at.route("strategy") if pool.pool.driver.strategy else pool.pool.at.route("os", "id"),
            "driver containers that compile on RHEL 9 are published for x86 only, and these nodes are arm64",
            "driver.strategy: host, or Ubuntu on these nodes",
            ((pool.pool.at.route("arch") if pool.pool.arch else model_route(pool), "arm64 here"),),
            pools=(pool.name,),
        )


def _falls_back(pool: PoolPlan) -> bool:
    """Whether auto ends in proprietary modules because the driver container is too old to know it."""
    driver = pool.driver
    version = driver.version.value
    old = version is not None and not understands_auto(version)
    return driver.module_type.value == "auto" and driver.strategy.value == "container" and old


def _is_open(driver: Mapping[str, Json]) -> bool:
    """Whether driver settings of a file certainly end in open modules.

    They say so, or leave it to a driver from R590 on, which has no GPU left that could not use them.
    """
    if driver.get("kernelModuleType") == "open" or driver.get("useOpenKernelModules") is True:
        return True
    branch = branch_of(driver["version"]) if isinstance(driver.get("version"), str) else None
    return driver.get("kernelModuleType", "auto") == "auto" and branch is not None and int(branch) >= 590


def _arch(pool: PoolPlan) -> str | None:
    """The CPU architecture of the pool: the site's word, else what the GPU comes with."""
    if pool.pool.arch is not None:
        return pool.pool.arch
    return "arm64" if pool.gpu is not None and "arm64" in pool.gpu.form_factor else None


RULES: tuple[Rule, ...] = (
    open_required,
    open_impossible,
    auto_unknown,
    gsp_off,
    parameters_act,
    secure_boot,
    rhel_9_arm64,
)
