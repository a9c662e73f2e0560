"""Rules of the family driver, beyond what their pages show. Expected values: rules.md, hardware.md (NVIDIA's tables)."""

from collections.abc import Callable
from datetime import date

import pytest

from genvalues import facts, judge
from genvalues.document import Chart, Kind
from genvalues.finding import Hit, Json
from genvalues.rules import driver, driver_lifecycle, driver_modules
from genvalues.rules.driver import version_form
from genvalues.rules.driver_modules import line_fault
from genvalues.rules.driver_rollout import unavailable_fault
from genvalues.rules.driver_support import dropped, knows, suggestion, too_old
from genvalues.rules.rule import Body

FACTS = facts.load()
RULES = driver.RULES
BY_CODE = {rule.code: rule for rule in RULES}
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]


def pool(gpu: str, more: str = "") -> str:
    return f"hardware:\n  pools:\n  - name: gpu\n    gpu: {{model: {gpu}, board: null, count: null}}\n{more}"


def rules(*codes: str) -> list[object]:
    return [BY_CODE[code] for code in codes]


# rules.md R01 and R03; hardware.md, table of GPUs and table of branches.
@pytest.mark.parametrize(
    ("model", "version", "verdict"),
    [
        ("v100-sxm2-32gb", "580.173.02", "fits"),
        ("v100-sxm2-32gb", "590.48.01", "dropped"),
        ("v100-pcie-16gb", "620", "dropped"),
        ("h200-sxm5-141gb", "550.90.07", "fits"),
        ("h200-sxm5-141gb", "550.54.15", "old"),
        ("h200-sxm5-141gb", "535.309.01", "old"),
        ("h200-nvl-141gb", "550.163.01", "old"),
        ("h200-nvl-141gb", "565.57.01", "fits"),
        ("l40s", "535.104.05", "fits"),
        ("l40s", "535.86.10", "old"),
        ("l40s", "530.41.03", "old"),
        ("h100-nvl-94gb", "535.86.10", "old"),
        ("h20-96gb", "535.161.07", "fits"),
        ("h20-96gb", "545.29.06", "old"),
        ("h20-96gb", "550.54.14", "fits"),
        ("b200-sxm6-180gb", "570.133.20", "fits"),
        ("b200-sxm6-180gb", "570.124.06", "old"),
        ("b300-sxm6", "580.65.06", "old"),
        ("b300-sxm6", "580.82.07", "fits"),
        ("gb300", "570.211.01", "old"),
        ("rtx-pro-6000-blackwell-server", "575.57.08", "fits"),
        ("rtx-pro-6000-blackwell-server", "570.211.01", "old"),
        ("rtx-pro-6000-blackwell-server", "575.51.03", "old"),
        ("t4", "470.256.02", "fits"),
        ("a100-sxm4-80gb", "470.256.02", "fits"),
        ("rtx-pro-4500-blackwell-server", "580.126.20", "old"),
        ("rtx-pro-4500-blackwell-server", "580.142", "fits"),
        ("rtx-pro-4500-blackwell-server", "595.91.07", "fits"),
        ("h200-sxm5-141gb", "620.15", "fits"),
        ("h200-sxm5-141gb", "550", "fits"),
        ("h200-sxm5-141gb", "535", "old"),
        ("h200-sxm5-141gb", "latest", "fits"),
    ],
)
def test_which_drivers_know_which_gpu(model: str, version: str, verdict: str) -> None:
    """As the open modules' tables and NVIDIA's branch table have it; newer branches than they name pass."""
    gpu = FACTS.gpu(model)
    assert gpu is not None
    found = "dropped" if dropped(gpu, version) else "old" if too_old(gpu, version) else "fits"

    assert found == verdict


@pytest.mark.parametrize("model", FACTS.gpu_keys())
def test_suggested_driver_knows_the_gpu(model: str) -> None:
    """For every GPU and operator version there is a driver to suggest, and no rule would speak against it."""
    gpu = FACTS.gpu(model)
    assert gpu is not None
    releases = [None, *(FACTS.operator_release(name) for name in FACTS.operator_versions())]
    every = [suggestion(gpu, release, FACTS) for release in releases]

    assert [version for version in every if not version or not knows(gpu, version)] == []


@pytest.mark.parametrize(
    ("operator", "kubernetes", "codes"),
    [("v26.7.0", "1.35.0", ["GV500"]), ("v26.3.3", "1.35.0", []), ("v25.10.1", "1.34.2", [])],
)
def test_default_driver_of_the_operator_is_judged(said: Said, operator: str, kubernetes: str, codes: list[str]) -> None:
    """V100: the default is R595 in v26.7.0, which has dropped it, and R580 in v26.3.3 and v25.10.1."""
    site = f'charts: {{gpuOperator: {operator}}}\ncluster: {{kubernetes: "{kubernetes}"}}\ndriver: {{version: null}}\n'

    found = said(site + pool("v100-sxm2-32gb"), rules("GV500", "GV501"))

    assert found == [f"{code} charts.gpuOperator" for code in codes]


def test_message_names_who_chose_the_driver(judged: Judged) -> None:
    """The driver that the operator installs by default is said to be that."""
    (_, hit), *_ = judged("driver: {version: null}\n" + pool("v100-sxm2-32gb"), rules("GV500"))

    assert hit.message == (
        "driver 595.91.07, which GPU Operator v26.7.0 installs by default, has no support for Tesla V100 SXM2 32GB (Volta): "
        "R580 was the last branch with it"
    )
    assert hit.fix == 'driver.version: "580.173.02"'


@pytest.mark.parametrize(
    ("version", "precompiled", "better"),
    [
        ("580.95.05", False, None),
        ("580", True, None),
        ("580", False, ""),
        ("580.95.05", True, "580"),
        ("580.142", False, None),
        ("535.183.06-ubuntu22.04", False, "535.183.06"),
        ("535.183.06-rhel9.4", True, "535"),
        ("sha256:0123", False, None),
        ("580.95.05-mybuild", False, None),
    ],
)
def test_forms_of_a_version(version: str, precompiled: bool, better: str | None) -> None:
    """Full versions compile, branches are precompiled, and neither holds the OS; digests and tags of one's own pass."""
    found = version_form(version, precompiled=precompiled)

    assert (None if found is None else found[1]) == better


# hardware.md, table of branches: R580 until 2028-06, R595 until 2027-03, R535 until 2026-06; R550 has no date, but is EOL.
@pytest.mark.parametrize(
    ("version", "today", "codes"),
    [
        ("580.173.02", date(2026, 11, 30), []),
        ("580.173.02", date(2027, 11, 30), []),
        ("580.173.02", date(2027, 12, 1), ["GV505"]),
        ("580.173.02", date(2028, 6, 30), ["GV505"]),
        ("580.173.02", date(2028, 7, 1), ["GV504"]),
        ("595.91.07", date(2026, 8, 31), []),
        ("595.91.07", date(2026, 11, 30), ["GV505"]),
        ("535.309.01", date(2026, 6, 30), ["GV505"]),
        ("535.309.01", date(2026, 7, 1), ["GV504"]),
        ("550.163.01", date(2024, 1, 1), ["GV504"]),
    ],
)
def test_end_of_life_by_the_calendar(said: Said, version: str, today: date, codes: list[str]) -> None:
    """The month of the end still counts; half a year before it is announced; without a date NVIDIA's word counts."""
    site = f'driver: {{version: "{version}"}}\n' + pool("a30")

    assert said(site, rules("GV504", "GV505"), today) == [f"{code} driver.version" for code in codes]


@pytest.mark.parametrize(
    ("site", "codes"),
    [
        ('driver: {version: "470.256.02", strategy: host}\n' + pool("t4"), ["GV507"]),
        ('driver: {version: "550.163.01"}\n' + pool("t4"), ["GV504"]),
        ('driver: {version: "580.95.05"}\n' + pool("t4"), ["GV506"]),
        ('driver: {version: "535.309.01"}\n' + pool("h200-sxm5-141gb"), ["GV501"]),
        ('driver: {version: "450.80.02", strategy: host}\n' + pool("h200-sxm5-141gb"), ["GV501"]),
        ('driver: {version: "595.91.07"}\n' + pool("v100-sxm2-32gb"), ["GV500"]),
        ('driver: {version: "580"}\n' + pool("t4"), ["GV502"]),
        ('driver: {version: "580", strategy: host}\n' + pool("t4"), ["GV503"]),
    ],
)
def test_one_fault_of_a_version_gives_one_finding(said: Said, site: str, codes: list[str]) -> None:
    """A driver that cannot run is not also called old, unlisted or near its end."""
    assert said(site, RULES) == [f"{code} driver.version" for code in codes]


# rules.md R02, R04, R05 and hardware.md: GH200 and Blackwell open only, Volta proprietary only, auto from 570.124.06.
@pytest.mark.parametrize(
    ("model", "settings", "found"),
    [
        ("b200-sxm6-180gb", 'version: "580.173.02"', []),
        ("b200-sxm6-180gb", 'version: "580.173.02", kernelModuleType: proprietary', ["GV510 driver.kernelModuleType"]),
        ("gh200-96gb", 'version: "550.163.01"', ["GV512 driver.version"]),
        ("gh200-96gb", 'version: "550.163.01", kernelModuleType: auto', ["GV512 driver.kernelModuleType"]),
        ("gh200-96gb", 'version: "550.163.01", kernelModuleType: open', []),
        ("gh200-96gb", 'version: "570.86.15"', []),
        ("gh200-96gb", 'version: "550.163.01", strategy: host', ["GV510 driver.version"]),
        ("a100-sxm4-80gb", 'version: "550.163.01"', []),
        ("v100-sxm2-32gb", 'version: "580.173.02"', []),
        ("v100-sxm2-32gb", 'version: "580.173.02", kernelModuleType: open', ["GV511 driver.kernelModuleType"]),
        ("b200-sxm6-180gb", 'version: "550.163.01", kernelModuleType: proprietary', []),
    ],
)
def test_kernel_modules_by_gpu(said: Said, model: str, settings: str, found: list[str]) -> None:
    """Asked for or by default; and nothing is said of modules where the driver does not know the GPU anyway."""
    site = f"driver: {{{settings}}}\n" + pool(model)

    assert said(site, rules("GV510", "GV511", "GV512")) == found


@pytest.mark.parametrize(
    ("modules", "found"),
    [("open", ["GV513"]), ("auto", ["GV513"]), ("proprietary", [])],
)
def test_gsp_off_matters_to_open_modules(said: Said, modules: str, found: list[str]) -> None:
    """R580 takes the open modules by itself on an H100; the proprietary ones may do without the GSP."""
    site = f"driver: {{kernelModuleType: {modules}, moduleParameters: {{nvidia: {{NVreg_EnableGpuFirmware: 0}}}}}}\n"
    route = "driver.moduleParameters.nvidia.NVreg_EnableGpuFirmware"

    assert said(site, rules("GV513")) == [f"{code} {route}" for code in found]


def body(kind: Kind, data: Json, chart: str | None = None) -> Body:
    return Body(kind, data, "file.yaml", (), Chart("gpu-operator", chart) if chart else None)


PARAMETERS = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "params"},
    "data": {"nvidia.conf": "NVreg_EnableMSI=1\nNVreg_EnableGpuFirmware=0\n"},
}


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"kernelModuleType": "open", "kernelModuleConfig": {"name": "params"}}, 1),
        ({"useOpenKernelModules": True, "kernelModuleConfig": {"name": "params"}}, 1),
        ({"version": "595.91.07", "kernelModuleConfig": {"name": "params"}}, 1),
        ({"version": "580.95.05", "kernelModuleConfig": {"name": "params"}}, 0),
        ({"kernelModuleType": "proprietary", "kernelModuleConfig": {"name": "params"}}, 0),
        ({"kernelModuleType": "open", "kernelModuleConfig": {"name": "others"}}, 0),
        ({"kernelModuleType": "open", "enabled": False, "kernelModuleConfig": {"name": "params"}}, 0),
    ],
)
def test_gsp_off_in_a_config_map_that_values_name(settings: dict[str, Json], found: int) -> None:
    """Found in the ConfigMap where the modules are certainly open, and only where the driver reads that ConfigMap."""
    bodies = [body("values", {"driver": settings}), body("config-map", PARAMETERS)]

    hits = [(rule.code, hit.route) for _, rule, hit in judge.together(bodies, FACTS, RULES)]

    assert hits == [("GV513", ("data", "nvidia.conf"))] * found


# The bad lines are those of a public ConfigMap (rules.md R15) and of hardware.md, section on kernelModuleConfig.
@pytest.mark.parametrize(
    ("line", "module", "fix"),
    [
        ("NVreg_EnableMSI=1", "nvidia", None),
        ("", "nvidia", None),
        ("options nvidia NVreg_EnableMSI=1", "nvidia", "NVreg_EnableMSI=1"),
        ("# comment", "nvidia", "remove the line"),
        ("NVreg_EnableMSI", "nvidia", "one Name=value a line"),
        ("NVreg_EnableMSI=1 NVreg_UsePageAttributeTable=1", "nvidia", "one Name=value a line"),
        ("uvm_disable_hmm=1", "nvidia", "move the line to nvidia-uvm.conf"),
        ("uvm_disable_hmm=1", "nvidia-uvm", None),
        ('NVreg_RegistryDwords="a=1;b=2"', "nvidia", None),
    ],
)
def test_lines_of_module_parameters(line: str, module: str, fix: str | None) -> None:
    """One Name=value of the module a line; the driver container writes `options` itself."""
    fault = line_fault(line, module)

    assert (None if fault is None else fault[1]) == fix


@pytest.mark.parametrize(
    ("data", "routes"),
    [
        ({"nvidia.conf": "NVreg_EnableMSI=1", "nvidia-drm.conf": "modeset=1"}, [("data", "nvidia-drm.conf")]),
        ({"nvidia_uvm.conf": "uvm_disable_hmm=1"}, [("data", "nvidia_uvm.conf")]),
        ({"nvidia.conf": "NVreg_EnableMSI=1", "README": "# text"}, []),
        ({"nvidia-drm.conf": "modeset=1", "other.conf": "x"}, []),
    ],
)
def test_files_that_the_driver_container_reads(data: dict[str, str], routes: list[tuple[str, str]]) -> None:
    """Four files are read; others that look like them are told, where the ConfigMap is certainly one for the driver."""
    config_map = {**PARAMETERS, "data": data}

    assert [hit.route for _, hit in judge.body(body("config-map", config_map), FACTS, driver_modules.RULES)] == routes


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("secureBoot: true", ["GV515 hardware.pools[0].os.secureBoot"]),
        ("secureBoot: false", []),
        ('secureBoot: true}\n    driver: {strategy: precompiled, version: "580"', []),
        (
            'secureBoot: true}\n    arch: arm64\n    driver: {strategy: precompiled, version: "580"',
            ["GV515 hardware.pools[0].os.secureBoot"],
        ),
        ("secureBoot: true}\n    driver: {strategy: host", []),
    ],
)
def test_secure_boot_wants_signed_modules(said: Said, more: str, found: list[str]) -> None:
    """Canonical signs precompiled modules for amd64; what the driver pod compiles nobody signs."""
    assert said(pool("l40s", f"    os: {{{more}}}\n"), rules("GV515")) == found


HGX = "hardware:\n  pools:\n  - name: gpu\n    gpu: {model: h100-sxm5-80gb, count: 8, board: hgx}\n"


@pytest.mark.parametrize(
    ("settings", "hardware", "codes"),
    [
        ("", HGX, []),
        ('host: {fabricManager: "580.173.02"}', HGX, []),
        ('host: {fabricManager: "580.173.2"}', HGX, ["GV520"]),
        ("host: {fabricManager: false}", HGX, ["GV520"]),
        ("host: {fabricManager: false}", pool("l40s"), []),
        ('host: {fabricManager: "580.173.02"}', pool("l40s"), ["GV521"]),
        ('host: {fabricManager: "595.91.07"}', pool("gb200"), ["GV521"]),
        ("host: {fabricManager: true}", pool("gb200"), ["GV521"]),
        ("host: {fabricManager: true}", pool("l40s"), ["GV521"]),
        ("host: {packages: runfile}", HGX, ["GV528"]),
        ("host: {packages: runfile}", pool("l40s"), []),
        ("host: {packages: runfile}", pool("b200-sxm6-180gb"), ["GV522"]),
        ("host: {packages: cuda-repo}", pool("b200-sxm6-180gb"), []),
    ],
)
def test_fabric_manager_on_the_host(said: Said, settings: str, hardware: str, codes: list[str]) -> None:
    """The driver's version by default; nothing else on NVSwitch boards, and nothing at all elsewhere."""
    site = f"driver:\n  strategy: host\n  {settings}\n" + hardware

    assert [one.split()[0] for one in said(site, RULES)] == codes


MIXED = """hardware:
  pools:
  - name: gpu
    nodes: {namePattern: "^gn-"}
  - name: own
    nodes: {namePattern: "^own-"}
    os: {id: ubuntu, version: "24.04"}
    gpu: {model: l40s, count: 4}
    driver: {strategy: host, version: "580.173.02"}
"""


@pytest.mark.parametrize(
    ("site", "found"),
    [
        ("driver: {upgradePolicy: {maxParallelUpgrades: 2}}\n" + MIXED, []),
        ("driver: {host: {packages: cuda-repo}}\n" + MIXED, []),
        (
            "driver: {upgradePolicy: {maxParallelUpgrades: 2}, strategy: host}\n" + HGX,
            ["GV525 driver.upgradePolicy"],
        ),
        ("driver: {host: {packages: cuda-repo}}\n" + HGX, ["GV523 driver.host.packages"]),
    ],
)
def test_settings_that_one_pool_uses_are_in_use(said: Said, site: str, found: list[str]) -> None:
    """What the site says for all pools is a fault only where no pool of that kind reads it."""
    assert said(site, rules("GV523", "GV525")) == found


# kubernetes intstr: a number or a percentage; the chart's template takes the number 0 for not set (gpu-operator.md 4.3).
@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (1, False),
        ("25%", False),
        ("3", False),
        (0, True),
        ("0", True),
        ("0%", True),
        ("half", True),
        ("25 %", True),
        (None, False),
    ],
)
def test_max_unavailable(value: Json, wrong: bool) -> None:
    """A number of nodes or a percentage above zero."""
    assert (unavailable_fault(value) is not None) == wrong


@pytest.mark.parametrize(
    ("operator", "differ", "found"),
    [("v26.7.0", True, []), ("v26.3.3", True, ["GV529"]), ("v26.7.0", False, ["GV529"])],
)
def test_upgrade_policies_of_pools(said: Said, operator: str, differ: bool, found: list[str]) -> None:
    """Only NVIDIADriver objects, which pools get that differ, have policies of their own, and only from v26.7.0 on."""
    os = "22.04" if differ else "24.04"
    site = f"""charts: {{gpuOperator: {operator}}}
hardware:
  pools:
  - name: gpu
    nodes: {{namePattern: "^gn-"}}
    driver: {{upgradePolicy: {{maxParallelUpgrades: 1}}}}
  - name: two
    nodes: {{namePattern: "^two-"}}
    os: {{id: ubuntu, version: "{os}"}}
    gpu: {{model: l40s, count: 4}}
    driver: {{upgradePolicy: {{maxParallelUpgrades: 2}}}}
"""
    assert [one.split()[0] for one in said(site, rules("GV529"))] == found


@pytest.mark.parametrize(
    ("os", "version", "found"),
    [
        ('version: "24.04", kernels: [6.8.0-45-generic]', "580", []),
        ('version: "24.04", kernels: [6.8.0-45-generic]', "595", []),
        ('version: "24.04", kernels: [6.8.0-45-generic]', "570", ["GV531 driver.version"]),
        ('version: "24.04", kernels: [6.11.0-9-generic]', "580", ["GV531 hardware.pools[0].os.kernels[0]"]),
        ('version: "22.04", kernels: [5.15.0-97-generic, 6.8.0-45-generic]', "580", []),
        ('version: "26.04", kernels: [7.0.0-5-generic]', "580", ["GV531 driver.version"]),
        ('version: "20.04", kernels: [5.4.0-5-generic]', "580", ["GV531 hardware.pools[0].os.version"]),
        ('version: "24.04", kernels: [6.8.0-45-nvidia]', "580", []),
        ('version: "24.04", kernels: [6.8.0-1012-azure-fde]', "580", []),
        ('version: "24.04", kernels: [6.8.0-45-lowlatency]', "580", ["GV532 hardware.pools[0].os.kernels[0]"]),
    ],
)
def test_published_precompiled_images(said: Said, os: str, version: str, found: list[str]) -> None:
    """Those of GPU Operator 26.7: 24.04 with 6.8 and 580/595, 22.04 with 5.15/6.8 and 580/595, 26.04 with 7.0 and 595."""
    site = f'driver: {{strategy: precompiled, version: "{version}"}}\n' + pool("a30", f"    os: {{{os}}}\n")

    assert said(site, rules("GV531", "GV532", "GV533")) == found


def test_matrix_in_hand_written_values_needs_the_chart() -> None:
    """Values of an unknown chart version are not held against a matrix."""
    values = {"driver": {"version": "580.95.05"}}
    found = {
        chart: [rule.code for rule, _ in judge.body(body("values", values, chart), FACTS, driver_lifecycle.RULES)]
        for chart in ("v26.7.0", "v25.10.1", "v99.1.0", None)
    }

    assert found == {"v26.7.0": ["GV506"], "v25.10.1": [], "v99.1.0": [], None: []}


def test_faults_that_do_not_depend_on_each_other_are_all_told(said: Said) -> None:
    """Five pools, six faults, each at its own line; what only some pools do not use is none."""
    site = """driver: {strategy: host, host: {fabricManager: "580.1.1"}, upgradePolicy: {autoUpgrade: true}}
hardware:
  pools:
  - name: gpu
  - {name: old, nodes: {namePattern: ^o}, os: {id: ubuntu, version: "24.04"}, gpu: {model: v100-pcie-32gb},
     driver: {strategy: container, version: "595.91.07"}}
  - {name: new, nodes: {namePattern: ^n}, os: {id: ubuntu, version: "24.04"}, gpu: {model: b300-sxm6, board: hgx},
     driver: {strategy: container, version: "580.173.02", kernelModuleType: proprietary}}
  - {name: pre, nodes: {namePattern: ^p}, os: {id: ubuntu, version: "24.04"}, gpu: {model: l4},
     driver: {strategy: precompiled, version: "580"}, rdma: {gds: true}}
  - {name: sb, nodes: {namePattern: ^s}, os: {id: ubuntu, version: "24.04", secureBoot: true}, gpu: {model: l4},
     driver: {strategy: container, version: "580.173.02"}}
"""
    found = said(site, [rule for rule in RULES if rule.severity != "info"])

    assert sorted(found) == [
        "GV500 hardware.pools[1].driver.version",
        "GV510 hardware.pools[2].driver.kernelModuleType",
        "GV515 hardware.pools[4].os.secureBoot",
        "GV520 driver.host.fabricManager",
        "GV530 hardware.pools[3].rdma.gds",
        "GV533 hardware.pools[3].os.kernels",
    ]


ODD: list[Json] = [
    None,
    [],
    "x",
    1,
    {"driver": None},
    {"driver": {"version": 1}},
    {"spec": []},
    {"spec": {"driver": "x"}},
]
ODD += [
    {"data": None},
    {"data": {"nvidia.conf": None}},
    {"toolkit": {"env": [1, {"name": 2}]}},
    {"gds": {"enabled": "x"}},
]


@pytest.mark.parametrize("kind", ["values", "cluster-policy", "nvidia-driver", "config-map"])
def test_odd_bodies_say_nothing(kind: Kind) -> None:
    """Whatever a file holds, the front ends for files neither fail nor invent a fault."""
    bodies = [body(kind, data, "v26.7.0") for data in ODD]
    found = [
        rule.code
        for one in bodies
        for rule in RULES
        for check in [rule.files.get(kind)]
        if check
        for _ in check(one, FACTS)
    ]

    assert (found, list(judge.together(bodies, FACTS, RULES))) == ([], [])


@pytest.mark.parametrize(("branch", "version"), [("580", "580.173.02"), ("575", "595.91.07")])
def test_compiled_driver_in_place_of_a_precompiled_one_has_a_full_version(
    judged: Callable[..., list[tuple[str, Hit]]], branch: str, version: str
) -> None:
    """The branch alone would be GV502: the fix of GV530 names a driver of the operator's matrix, of that branch if it can."""
    text = (
        f'driver: {{strategy: precompiled, version: "{branch}"}}\n'
        "rdma: {gds: true}\n"
        "hardware: {pools: [{name: gpu, os: {kernels: [6.8.0-45-generic]}}]}\n"
    )
    fix = f'driver: {{strategy: container, version: "{version}"}}, or remove gds'

    assert [hit.fix for code, hit in judged(text, RULES) if code == "GV530"] == [fix]


def test_parameter_of_another_module_is_written_there(judged: Callable[..., list[tuple[str, Hit]]]) -> None:
    """With its whole path, in the layer that has it now."""
    text = "hardware: {pools: [{name: gpu, driver: {moduleParameters: {nvidia: {uvm_disable_hmm: 1}}}}]}\n"

    assert [hit.fix for code, hit in judged(text, RULES) if code == "GV514"] == [
        "in its place hardware.pools[0].driver.moduleParameters.nvidia-uvm.uvm_disable_hmm: 1"
    ]


V100, H200, B200 = "Tesla-V100-SXM2-32GB", "NVIDIA-H200", "NVIDIA-B200"


@pytest.mark.parametrize(
    ("product", "spec", "found"),
    [
        (V100, {"version": "595", "usePrecompiled": True}, [("GV500", 'version: "580"')]),
        (f"{V100}-SHARED", {"version": "595.91.07"}, [("GV500", 'version: "580.173.02"')]),
        (V100, {"version": "580.173.02", "kernelModuleType": "auto"}, []),
        (f"{H200}-MIG-1g.18gb", {"version": "550.54.15"}, [("GV501", 'version: "595.91.07"')]),
        (B200, {"version": "595.91.07", "kernelModuleType": "proprietary"}, [("GV510", "kernelModuleType: open")]),
        ("NVIDIA-RTX-9999", {"version": "450.80.02"}, []),  # nothing is known of it, and nothing said
        (None, {"version": "450.80.02"}, []),
    ],
)
def test_driver_object_for_a_gpu(product: str | None, spec: dict[str, Json], found: list[tuple[str, str]]) -> None:
    """An NVIDIADriver that selects on a product is held against that GPU, whatever sharing adds to its name."""
    selector: dict[str, Json] = {"nodeSelector": {"nvidia.com/gpu.product": product}} if product else {}
    data: Json = {"spec": {"driverType": "gpu", **spec, **selector}}
    body = Body("nvidia-driver", data, "driver.yaml", chart=Chart("gpu-operator", "v26.7.0"))

    assert [(rule.code, hit.fix) for rule, hit in judge.body(body, FACTS, RULES)] == found


# R580 is the last branch with Volta (hardware.md); by 2040 none of today's is kept.
@pytest.mark.parametrize(
    ("settings", "fix"),
    [
        ('version: "550.163.01"', 'driver.version: "580.173.02"'),
        ('strategy: precompiled, version: "550"', 'driver.version: "580"'),
    ],
)
def test_where_no_branch_is_kept_the_best_one_with_the_gpu_is_named(judged: Judged, settings: str, fix: str) -> None:
    """Never one that has dropped the GPU; of precompiled drivers the branch."""
    site = f"driver: {{{settings}}}\n" + pool("v100-sxm2-32gb")
    found = judged(site, rules("GV504"), date(2040, 1, 1))

    assert [hit.fix for _, hit in found] == [fix]
