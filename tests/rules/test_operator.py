"""Rules of the family operator, beyond what their pages show. Expected values: rules.md R40 to R42, gpu-operator.md section 8."""

from collections.abc import Callable

import pytest

from genvalues import contracts, facts, judge
from genvalues.document import Chart, Kind
from genvalues.finding import Hit, Json
from genvalues.rules import operator
from genvalues.rules.operator import _ISSUES
from genvalues.rules.rule import Body, Rule

FACTS = facts.load()
RULES = operator.RULES
BY_CODE = {rule.code: rule for rule in RULES}
QUIET = [rule for rule in RULES if rule.code not in ("GV548", "GV549")]
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]
# A driver of each operator's matrix, so that only the operator is judged.
DRIVERS = {
    "v24.9.2": "550.163.01",
    "v25.3.4": "580.126.16",
    "v25.10.1": "580.178.04",
    "v26.3.3": "580.178.04",
    "v26.7.0": "580.173.02",
}


def charts(version: str, more: str = "") -> str:
    return f'charts: {{gpuOperator: {version}}}\ndriver: {{version: "{DRIVERS.get(version, "580.173.02")}"{more}}}\n'


def rules(*codes: str) -> list[Rule]:
    return [BY_CODE[code] for code in codes]


# rules.md R40: 24.9 1.24-1.31, 25.3 1.29-1.33, 25.10 1.30-1.35, 26.3 1.32-1.36, 26.7 1.33-1.36.
WINDOWS = {"v24.9.2": (24, 31), "v25.3.4": (29, 33), "v25.10.1": (30, 35), "v26.3.3": (32, 36), "v26.7.0": (33, 36)}


@pytest.mark.parametrize("version", WINDOWS)
def test_window_of_kubernetes(said: Said, version: str) -> None:
    """Below the window an error, above it a warning, and nothing at its ends; patch releases do not matter."""
    low, high = WINDOWS[version]
    found = [
        said(charts(version) + f'cluster: {{kubernetes: "1.{minor}.9"}}\n', rules("GV543", "GV544"))
        for minor in (low - 1, low, high, high + 1)
    ]

    assert found == [["GV543 cluster.kubernetes"], [], [], ["GV544 cluster.kubernetes"]]


def test_fix_names_an_operator_that_can_be_installed(judged: Judged) -> None:
    """For Kubernetes 1.36 and operator v25.10.1: the newest known version whose window has it."""
    found = judged(charts("v25.10.1") + 'cluster: {kubernetes: "1.36"}\n', rules("GV544"))

    assert [hit.fix for _, hit in found] == ["charts.gpuOperator: v26.7.0"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("charts: {gpuOperator: v26.8.0}\n", ["GV540 charts.gpuOperator"]),
        (
            'charts: {gpuOperator: 24.9.2}\ncluster: {kubernetes: "1.30"}\nhardware: {pools: [{name: gpu, os: {version: "22.04"}}]}\n',
            [],
        ),
        ("charts: {gpuOperator: v26.7.0, nodeFeatureDiscovery: 0.20.0}\n", ["GV541 charts.nodeFeatureDiscovery"]),
        (
            "charts: {gpuOperator: v26.8.0, nodeFeatureDiscovery: 0.20.0}\n",
            ["GV540 charts.gpuOperator", "GV541 charts.nodeFeatureDiscovery"],
        ),
        ("charts: {gpuOperator: v26.7.0, nodeFeatureDiscovery: v0.19.0}\n", []),
        ("charts: {gpuOperator: v26.7.0, nodeFeatureDiscovery: 0.18.3}\n", ["GV542 charts.nodeFeatureDiscovery"]),
        ("charts: {gpuOperator: v26.3.3, nodeFeatureDiscovery: 0.18.2}\n", []),
    ],
)
def test_versions_of_charts(said: Said, text: str, found: list[str]) -> None:
    """Unknown ones are errors and silence the rules that would judge them; NFD's own minor release may differ in patches."""
    assert said(text, QUIET) == found


def test_fix_for_an_unknown_patch_stays_in_its_minor_release(judged: Judged) -> None:
    """v25.10.0 is not known: v25.10.1, its neighbour, is offered, and not an older minor release."""
    assert [hit.fix for _, hit in judged(charts("v25.10.0"), rules("GV540"))] == ["gpuOperator: v25.10.1"]


# rules.md R40, table of gpu-operator releases in hardware.md section 4.
@pytest.mark.parametrize(
    ("version", "os_id", "os_version", "listed"),
    [
        ("v26.7.0", "ubuntu", "26.04", True),
        ("v26.3.3", "ubuntu", "26.04", False),
        ("v26.7.0", "ubuntu", "20.04", False),
        ("v25.10.1", "ubuntu", "20.04", True),
        ("v26.7.0", "rocky", "9.7", True),
        ("v25.10.1", "rocky", "9.7", False),
        ("v26.7.0", "rhel", "10.1", True),
        ("v25.10.1", "rhel", "9.7", False),
        ("v26.7.0", "rhel", "9.8", True),
        ("v26.7.0", "debian", "12", False),
        ("v26.7.0", "rhcos", "4.18", True),
    ],
)
def test_listed_systems(said: Said, version: str, os_id: str, os_version: str, listed: bool) -> None:
    """An unlisted system is an error with driver pods and a warning with a driver of the host's own."""
    hardware = f'hardware:\n  pools:\n  - name: gpu\n    os: {{id: {os_id}, version: "{os_version}"}}\n'
    codes = [
        [one.split()[0] for one in said(charts(version, f", strategy: {strategy}") + hardware, rules("GV545", "GV546"))]
        for strategy in ("container", "host")
    ]

    assert codes == ([[], []] if listed else [["GV545"], ["GV546"]])


# rules.md R41: 24.9 1.4-1.7, 25.3 1.6-2.1, 25.10 1.7-2.2, 26.3 1.7-2.3; 1.8 never existed.
@pytest.mark.parametrize(
    ("version", "containerd", "wrong"),
    [
        ("v24.9.2", "1.7.27", False),
        ("v24.9.2", "2.0.4", True),
        ("v25.3.4", "2.1.4", False),
        ("v25.3.4", "1.5.11", True),
        ("v25.10.1", "2.2", False),
        ("v25.10.1", "2.3.1", True),
        ("v26.7.0", "1.7.30", False),
        ("v26.7.0", "1.8.0", True),
        ("v26.7.0", "1.6.33", True),
    ],
)
def test_range_of_containerd(said: Said, version: str, containerd: str, wrong: bool) -> None:
    """Inside the range nothing, outside a warning at the version."""
    site = charts(version) + f'cluster: {{containerRuntimeVersion: "{containerd}"}}\n'

    assert said(site, rules("GV547")) == (["GV547 cluster.containerRuntimeVersion"] if wrong else [])


def test_versions_of_cri_o_are_not_held_against_containerd(said: Said) -> None:
    """No range of CRI-O is known."""
    site = 'cluster: {containerRuntime: cri-o, containerRuntimeVersion: "1.34.1"}\n'

    assert said(site, rules("GV547")) == []


def test_lifecycle_of_the_known_versions(said: Said) -> None:
    """rules.md R42: 26.7 supported, 26.3 deprecated, 25.10 and older ended."""
    found = {version: said(charts(version), rules("GV548", "GV549")) for version in DRIVERS}

    assert found == {
        "v24.9.2": ["GV548 charts.gpuOperator"],
        "v25.3.4": ["GV548 charts.gpuOperator"],
        "v25.10.1": ["GV548 charts.gpuOperator"],
        "v26.3.3": ["GV549 charts.gpuOperator"],
        "v26.7.0": [],
    }


def test_every_known_issue_has_one_condition() -> None:
    """Each fault in the facts is recognised by exactly one part of its text, and each part by some fault."""
    releases = [FACTS.operator_release(name) for name in FACTS.operator_versions()]
    texts = {issue.text for release in releases if release for issue in release.known_issues}

    assert {text: sum(part in text for part in _ISSUES) for text in texts} == dict.fromkeys(texts, 1)
    assert [part for part in _ISSUES if not any(part in text for text in texts)] == []


MIG = "sharing: {configs: {split: {mig: {layouts: [{gpus: all, profiles: {1g.10gb: 7}}]}}}}\n"


@pytest.mark.parametrize(
    ("version", "more", "found"),
    [
        ("v25.10.1", 'os: {id: rhel, version: "9.6"}, sharing: split', 1),
        ("v25.10.1", 'os: {id: ubuntu, version: "22.04"}, sharing: split', 0),
        ("v25.10.1", 'os: {id: rhel, version: "9.6"}', 0),
        ("v26.7.0", 'os: {id: rhel, version: "9.6"}, sharing: split', 0),
        ("v24.9.2", "gpu: {model: rtx-pro-6000-blackwell-server, board: null}", 1),
        ("v24.9.2", "gpu: {model: l40s, board: null}", 0),
    ],
)
def test_known_issues_that_concern_the_site(said: Said, version: str, more: str, found: int) -> None:
    """SELinux systems with MIG on v25.10.1; Blackwell on v24.9.2; and nobody else."""
    site = charts(version) + MIG + f"hardware: {{pools: [{{name: gpu, {more}}}]}}\n"

    assert said(site, rules("GV550")) == ["GV550 charts.gpuOperator"] * found


# gpu-operator.md 8.1.
@pytest.mark.parametrize(
    ("distribution", "env", "found"),
    [
        ("kubeadm", "{name: CONTAINERD_SET_AS_DEFAULT, value: 'true'}", []),
        ("k3s", "{name: CONTAINERD_SET_AS_DEFAULT, value: 'true'}", ["GV553"]),
        ("rke2", "{name: CONTAINERD_SOCKET, value: /run/k3s/containerd/containerd.sock}", []),
        ("rke2", "{name: RUNTIME_SOCKET, value: /run/k3s/containerd/containerd.sock}", []),
        ("rke2", "{name: CONTAINERD_CONFIG, value: /etc/x.toml}", ["GV552", "GV553"]),
        ("microk8s", "{name: CONTAINERD_SOCKET, value: /var/snap/microk8s/common/run/containerd.sock}", ["GV553"]),
        ("k0s", "{name: CONTAINERD_SOCKET, value: /run/k0s/containerd.sock}", ["GV553"]),
    ],
)
def test_toolkit_variables_in_overrides(said: Said, distribution: str, env: str, found: list[str]) -> None:
    """A list in the overrides must hold again what the distribution needs, and nothing that breaks it."""
    site = f"cluster: {{distribution: {distribution}}}\noverrides: {{gpuOperator: {{toolkit: {{env: [{env}]}}}}}}\n"

    assert [one.split()[0] for one in said(site, rules("GV552", "GV553"))] == found


def test_fix_for_lost_variables_is_what_the_distribution_needs(judged: Judged) -> None:
    """MicroK8s from 25.10 on needs three variables (gpu-operator.md 8.1); the two that are lost are written out."""
    env = "{name: CONTAINERD_SOCKET, value: /var/snap/microk8s/common/run/containerd.sock}"
    site = f"cluster: {{distribution: microk8s}}\noverrides: {{gpuOperator: {{toolkit: {{env: [{env}]}}}}}}\n"

    fix = (
        '- {name: CONTAINERD_CONFIG, value: "/var/snap/microk8s/current/args/containerd-template.toml"} and '
        '- {name: RUNTIME_CONFIG_SOURCE, value: "file=/var/snap/microk8s/current/args/containerd.toml"}'
    )

    assert [hit.fix for _, hit in judged(site, rules("GV553"))] == [fix]


TEMPLATE = {"name": "CONTAINERD_CONFIG", "value": "/var/lib/rancher/rke2/agent/etc/containerd/config.toml.tmpl"}
SOCKET = {"name": "CONTAINERD_SOCKET", "value": "/run/k3s/containerd/containerd.sock"}


@pytest.mark.parametrize(
    ("kind", "data", "found"),
    [
        ("values", {"toolkit": {"env": [SOCKET, TEMPLATE]}}, [("toolkit", "env", 1, "value")]),
        ("values", {"toolkit": {"env": [SOCKET]}}, []),
        ("values", {"toolkit": None}, []),
        ("cluster-policy", {"spec": {"toolkit": {"env": [TEMPLATE]}}}, [("spec", "toolkit", "env", 0, "value")]),
    ],
)
def test_rke2_template_in_files(kind: Kind, data: Json, found: list[tuple[str | int, ...]]) -> None:
    """NVIDIA/gpu-operator#992: found wherever it is written, whatever the cluster."""
    assert [hit.route for _, hit in judge.body(Body(kind, data, "file.yaml"), FACTS, RULES)] == found


# gpu-operator.md 8.1: containerd 1.7.30, 2.1, 2.2; CRI-O 1.34.
@pytest.mark.parametrize(
    ("runtime", "version", "wrong"),
    [
        ("containerd", "1.7.29", True),
        ("containerd", "1.7.30", False),
        ("containerd", "1.7", False),
        ("containerd", "2.0.5", True),
        ("containerd", "2.1.0", False),
        ("containerd", "2.3.1", False),
        ("containerd", "1.6.38", True),
        ("cri-o", "1.33.4", True),
        ("cri-o", "1.34.0", False),
    ],
)
def test_runtimes_of_the_nri_plugin(said: Said, runtime: str, version: str, wrong: bool) -> None:
    """Only runtimes that are known to be too old are refused."""
    site = f"""cluster: {{containerRuntime: {runtime}, containerRuntimeVersion: "{version}"}}
overrides: {{gpuOperator: {{cdi: {{nriPluginEnabled: true}}}}}}
"""
    assert said(site, rules("GV555")) == (["GV555 overrides.gpuOperator.cdi.nriPluginEnabled"] if wrong else [])


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ("{driver: {version: '580.126.20', env: []}}", ["driver.version"]),
        ("{driver: {upgradePolicy: {drain: {enable: true}}}}", ["driver.upgradePolicy"]),
        ("{dcgmExporter: {env: []}, operator: {logging: {level: info}}}", []),
        ("{mig: {strategy: single}, toolkit: {enabled: false}}", ["toolkit.enabled", "mig.strategy"]),
    ],
)
def test_overrides_of_decisions(said: Said, values: str, found: list[str]) -> None:
    """Keys that the site has words for are told; the rest is what overrides are for."""
    site = f"overrides: {{gpuOperator: {values}}}\n"

    assert said(site, rules("GV556")) == [f"GV556 overrides.gpuOperator.{path}" for path in found]


@pytest.mark.parametrize(
    ("os_id", "strategy", "operator_version", "override", "found"),
    [
        ("rhel", "host", "v26.7.0", "", 1),
        ("rhel", "container", "v26.7.0", "", 0),
        ("rocky", "host", "v26.7.0", "", 0),
        ("rhel", "host", "v25.3.4", "", 0),
        ("rhel", "host", "v26.7.0", "overrides: {gpuOperator: {migManager: {version: v0.12.3}}}\n", 0),
        ("rhel", "host", "v26.7.0", "overrides: {gpuOperator: {migManager: {version: v0.14.2}}}\n", 1),
    ],
)
def test_mig_manager_on_rhel_8(
    said: Said, os_id: str, strategy: str, operator_version: str, override: str, found: int
) -> None:
    """From MIG manager 0.13.1 on (rules.md R52), with the host's driver, unless an override takes an older one."""
    hardware = f'hardware: {{pools: [{{name: gpu, os: {{id: {os_id}, version: "8.10"}}, sharing: split}}]}}\n'
    site = charts(operator_version, f", strategy: {strategy}") + MIG + hardware + override

    assert said(site, rules("GV557")) == ["GV557 hardware.pools[0].sharing"] * found


def test_every_operator_contract_has_facts() -> None:
    """For each chart version that can be rendered the rules know the release."""
    versions = contracts.known()["gpu-operator"]

    assert [version for version in versions if FACTS.operator_release(version) is None] == []


@pytest.mark.parametrize(
    ("version", "known"),
    [("v2.63.3", "v26.3.3"), ("v2.67.0", "v26.7.0"), ("v23.9.2", "v24.9.2"), ("v25.3.0", "v25.3.4")],
)
def test_unknown_version_that_is_a_slip(judged: Judged, version: str, known: str) -> None:
    """A dot in the wrong place is no old release: the fix is what was meant, not the oldest that there is."""
    assert [hit.fix for _, hit in judged(charts(version), rules("GV540"))] == [f"gpuOperator: {known}"]


@pytest.mark.parametrize(
    ("version", "system", "found"),
    [
        (
            "v26.7.0",
            '{id: rocky, version: "9.6"}',
            ["GV546 hardware.pools[0].os.version"],
        ),  # image ...-rocky9, as for 9.7
        ("v26.7.0", '{id: rhel, version: "9.5"}', ["GV546 hardware.pools[0].os.version"]),
        (
            "v26.3.3",
            '{id: rhel, version: "9.5"}',
            ["GV545 hardware.pools[0].os.version"],
        ),  # ...-rhel9.5 was never published
        ("v26.7.0", '{id: rocky, version: "11.0"}', ["GV545 hardware.pools[0].os.version"]),
    ],
)
def test_system_whose_driver_image_is_that_of_a_listed_one(
    said: Said, version: str, system: str, found: list[str]
) -> None:
    """What NVIDIA does not list is a warning where the image is the same, and an error where there is none."""
    text = f"{charts(version)}hardware: {{pools: [{{name: gpu, os: {system}}}]}}\n"

    assert said(text, rules("GV545", "GV546")) == found


DRA = "overrides: {gpuOperator: {clusterPolicy: {deployCR: false}, gpuCluster: {deployCR: true}}}\n"
ASKED = "GV561 overrides.gpuOperator.gpuCluster.deployCR"


# rules.md R43: Kubernetes from 1.34.2 on, a driver from R580 on.
@pytest.mark.parametrize(
    ("kubernetes", "driver", "found"),
    [
        ("1.34.1", 'strategy: host, version: "580.173.02"', [ASKED]),
        ("1.34.2", 'strategy: host, version: "580.173.02"', []),
        ("1.34", 'strategy: host, version: "580.173.02"', []),  # which patch release, it does not tell
        ("1.35.0", 'strategy: host, version: "570.211.01"', ["GV561 driver.version"]),
        ("1.33.4", 'strategy: host, version: "570.211.01"', [ASKED, "GV561 driver.version"]),
    ],
)
def test_what_a_gpu_cluster_needs(said: Said, kubernetes: str, driver: str, found: list[str]) -> None:
    """Kubernetes and the driver of each pool are held against the prerequisites of DRA."""
    text = f'cluster: {{kubernetes: "{kubernetes}"}}\ndriver: {{{driver}}}\n{DRA}'

    assert said(text, rules("GV561")) == found


def test_site_without_a_gpu_cluster_is_not_asked(said: Said) -> None:
    """An old cluster with the device plugin has nothing to do with DRA."""
    text = 'cluster: {kubernetes: "1.33.4"}\ndriver: {strategy: host, version: "570.211.01"}\n'

    assert said(text, rules("GV561")) == []


# rules.md R59. Before v26.3.0 there is no such key (GV901), from v26.7.0 on the chart refuses it itself (GV904).
@pytest.mark.parametrize(("version", "found"), [("v25.10.1", []), ("v26.3.3", ["GV555"]), ("v26.7.0", [])])
def test_nri_plugin_without_the_toolkit(version: str, found: list[str]) -> None:
    """The plugin is part of the toolkit's pods; one finding whoever says it."""
    data: Json = {"cdi": {"nriPluginEnabled": True}, "toolkit": {"enabled": False}}
    body = Body("values", data, "values.yaml", chart=Chart("gpu-operator", version))

    assert [rule.code for rule, _ in judge.body(body, FACTS, rules("GV555")) if rule.code == "GV555"] == found
