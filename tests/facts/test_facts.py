"""What the facts say, against values typed from upstream's documents, charts and tests.

Long because it is a list: one case for each fact that people, or we, have had wrong.
"""

import pytest

from genvalues.facts import Facts, load
from genvalues.facts.kinds import Gpu, HostPackages, OperatorRelease


def gpu(facts: Facts, key: str) -> Gpu:
    found = facts.gpu(key)
    assert found is not None
    return found


def release(facts: Facts, version: str) -> OperatorRelease:
    found = facts.operator_release(version)
    assert found is not None
    return found


def test_the_h100_of_an_hgx_board(facts: Facts) -> None:
    """The GPU that most sites have, in the words of NVIDIA's tables."""
    h100 = gpu(facts, "h100-sxm5-80gb")

    assert (h100.product, h100.family, h100.compute_capability) == ("NVIDIA-H100-80GB-HBM3", "hopper", (9, 0))
    assert [(one.vendor, one.device) for one in h100.pci_ids] == [("10de", "2330")]
    assert (h100.mig_model, h100.mig_min_driver, h100.nvswitch_pci) == ("H100-80GB", "525.85.12", "10de:22a3")
    assert (h100.fabric_manager, h100.open_kernel_modules) == ("required-on-nvswitch-systems", "supported")


@pytest.mark.parametrize(
    ("key", "product"),
    [
        ("a100-pcie-40gb", "NVIDIA-A100-PCIE-40GB"),
        ("a100-pcie-80gb", "NVIDIA-A100-80GB-PCIe"),
        ("t4", "Tesla-T4"),
        ("h200-sxm5-141gb", "NVIDIA-H200"),
        ("b300-sxm6", "NVIDIA-B300-SXM6-AC"),
        ("gh200-96gb", "NVIDIA-GH200-480GB"),
        ("rtx-pro-6000-blackwell-server", "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition"),
    ],
)
def test_product_labels_are_those_that_nodes_report(facts: Facts, key: str, product: str) -> None:
    """Names that people get wrong: the case of PCIe, the order of words, Tesla, the Grace memory in GH200."""
    assert product == gpu(facts, key).product
    assert [key] == [one.key for one in facts.gpus_by_product(product)]


def test_older_product_names_lead_to_the_gpu(facts: Facts) -> None:
    """Drivers up to R460 wrote no NVIDIA prefix."""
    assert [one.key for one in facts.gpus_by_product("A100-SXM4-40GB")] == ["a100-sxm4-40gb"]


@pytest.mark.parametrize(
    ("key", "first"),
    [
        ("h200-sxm5-141gb", {"550": "550.90.07"}),
        ("h200-nvl-141gb", {"565": "565.57.01"}),
        ("l40s", {"535": "535.104.05"}),
        ("h20-96gb", {"535": "535.161.07", "550": "550.54.14"}),
        ("b200-sxm6-180gb", {"570": "570.133.20"}),
        ("b300-sxm6", {"580": "580.82.07"}),
        ("rtx-pro-6000-blackwell-server", {"575": "575.57.08"}),
    ],
)
def test_first_drivers_are_those_of_nvidias_readmes(facts: Facts, key: str, first: dict[str, str]) -> None:
    """Per branch the first release that lists the GPU."""
    assert first.items() <= gpu(facts, key).driver.supported_from.items()


def test_branches_that_never_learnt_a_gpu(facts: Facts) -> None:
    """H200 in no R535, H200 NVL in no R550, RTX PRO 6000 Server Edition in no R570."""
    pairs = [("h200-sxm5-141gb", "535"), ("h200-nvl-141gb", "550"), ("rtx-pro-6000-blackwell-server", "570")]

    assert [branch in gpu(facts, key).driver.unsupported_branches for key, branch in pairs] == [True, True, True]
    assert [gpu(facts, key).driver.max_branch for key in ("v100-sxm2-32gb", "t4")] == ["580", None]


def test_known_holes_in_the_driver_table_are_marked(facts: Facts) -> None:
    """The READMEs forgot the T4 for years, and those read are older than the RTX PRO 4500 from R590 on."""
    assert gpu(facts, "t4").driver[5:7] == ("no", None)
    assert gpu(facts, "rtx-pro-4500-blackwell-server").driver[5:7] == ("until", "580")


def test_a2_and_a16_need_their_subsystem(facts: Facts) -> None:
    """Both boards are 10de:25b6; nothing else shares an id."""
    assert [key for key in facts.gpu_keys() if any(one.needs_subsystem for one in gpu(facts, key).pci_ids)] == [
        "a16",
        "a2",
    ]


def test_unknown_is_none(facts: Facts) -> None:
    """Nothing raises, whatever the key: a path leads nowhere."""
    for key in ("", "h100", "../operator/25.10", "/etc/passwd", "h100-sxm5-80gb.json", "\0"):
        assert facts.gpu(key) is None
        assert facts.mig_model(key) is None
        assert facts.driver_branch(key) is None
        assert facts.cuda_toolkit(key) is None
        assert facts.operator_release(key) is None
        assert facts.os_tag(key, "ubuntu", "22.04") is None
        assert facts.dcgm_names(key) is None
        assert facts.dcgm_field(key) is None
        assert facts.dcgm_preset(key) == ()
        assert facts.dcgm_support(key) is None
        assert facts.nfd_release(key) is None
        assert facts.nfd_features(key) == {}
        assert facts.nfd_ops(key) == {}
        assert facts.distribution(key) is None
        assert facts.toolkit_env(key, "v25.10.1") is None
        assert facts.toolkit_env("k3s", key) is None
        assert facts.operating_system(key) is None
        assert facts.host_packages(key, "ubuntu", "580") is None
        assert facts.host_packages("cuda-repo", "ubuntu", key) is None
        assert facts.gpus_by_product(key) == ()
    assert facts.cuda_floor(10) is None


def test_facts_are_read_once() -> None:
    """What was asked for before is the same object."""
    facts = load()

    assert facts.gpu("h100-sxm5-80gb") is facts.gpu("h100-sxm5-80gb")
    assert facts.operator_release("v25.10.1") is facts.operator_release("25.10.1")
    assert facts.dcgm_names("4.4.2-4.7.0") is facts.dcgm_names("4.4.2-4.7.0")


@pytest.mark.parametrize(
    ("toolkit", "driver", "floor"),
    [
        ("12.1.1", "530.30.02", "525.60.13"),
        ("11.8", "520.61.05", "450.80.02"),
        ("12.0", "525.60.13", "525.60.13"),
        ("12.8.0", "570.26", "525.60.13"),
        ("13.0.2", "580.95.05", "580.65.06"),
        ("13.4", None, "580.65.06"),
    ],
)
def test_cuda_floor_is_not_the_toolkit_driver(facts: Facts, toolkit: str, driver: str | None, floor: str) -> None:
    """NVIDIA's release notes have two tables: the driver that came with a toolkit, and the one that suffices."""
    found = facts.cuda_toolkit(toolkit)
    assert found is not None

    assert (driver, floor, floor) == (
        found.toolkit_driver,
        found.floor,
        facts.cuda_floor(int(toolkit.split(".", maxsplit=1)[0])),
    )


@pytest.mark.parametrize(
    ("architecture", "major"), [("maxwell", 13), ("pascal", 13), ("volta", 13), ("turing", None), ("hopper", None)]
)
def test_cuda_13_removed_three_architectures(facts: Facts, architecture: str, major: int | None) -> None:
    """CUDA 13.0 release notes."""
    assert facts.cuda_removed(architecture) == major


def test_cuda_versions_ascend_as_numbers(facts: Facts) -> None:
    """From 11.0 to 13.4, and no patch release before its minor."""
    names = facts.cuda_versions()

    assert (names[0], names[-1]) == ("11.0", "13.4")
    assert names.index("12.8") + 1 == names.index("12.8.1")
    assert names.index("11.8") < names.index("12.0")


def test_branches_have_their_lifecycle(facts: Facts) -> None:
    """From NVIDIA's branch table; the open modules are the installer's choice from R560 on."""
    rows = {row.branch: row for row in facts.driver_branches()}

    assert (rows["580"].type, rows["580"].eol, rows["580"].default_kernel_modules) == ("LTSB", "2028-06", "open")
    assert (rows["535"].type, rows["535"].eol, rows["535"].default_kernel_modules) == ("LTSB", "2026-06", "proprietary")
    assert next(branch for branch, row in rows.items() if row.default_kernel_modules == "open") == "560"
    assert list(rows) == sorted(rows, key=int)
    assert facts.driver_branch("580") is rows["580"]


def test_operator_versions_in_order(facts: Facts) -> None:
    """Every published patch release of five minors, v25.3 before v25.10."""
    assert facts.operator_versions() == (
        "v24.9.0", "v24.9.1", "v24.9.2",
        "v25.3.0", "v25.3.1", "v25.3.2", "v25.3.3", "v25.3.4",
        "v25.10.0", "v25.10.1",
        "v26.3.0", "v26.3.1", "v26.3.2", "v26.3.3",
        "v26.7.0",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("version", "kubernetes", "driver", "components"),
    [
        ("v24.9.2", ((1, 24), (1, 31)), "550.144.03", {"toolkit": "1.17.4", "nfd": "0.16.6", "mig_manager": "0.10.0"}),
        ("v25.3.4", ((1, 29), (1, 33)), "580.82.07", {"device_plugin": "0.17.4", "dcgm_exporter": "4.3.1-4.4.0"}),
        ("v25.10.0", ((1, 30), (1, 34)), "580.95.05", {"toolkit": "1.18.0", "dcgm_exporter": "4.4.1-4.6.0"}),
        ("v25.10.1", ((1, 30), (1, 35)), "580.105.08", {"toolkit": "1.18.1", "dcgm": "4.4.2-1", "nfd": "0.18.2"}),
        ("v26.3.1", ((1, 32), (1, 35)), "580.126.20", {"driver_manager": "0.10.0", "gdrcopy": "2.5.2"}),
        ("v26.3.3", ((1, 32), (1, 36)), "580.126.20", {"device_plugin": "0.19.3", "gfd": "0.19.3"}),
        ("v26.7.0", ((1, 33), (1, 36)), "595.91.07", {"dra_driver": "0.5.0", "dcgm_exporter": "4.6.0-4.8.3"}),
    ],
)
def test_operator_releases_are_those_of_the_charts(
    facts: Facts,
    version: str,
    kubernetes: tuple[tuple[int, int], tuple[int, int]],
    driver: str,
    components: dict[str, str],
) -> None:
    """Ranges from the platform pages, versions from values.yaml of the chart at its tag."""
    found = release(facts, version)

    assert (version, kubernetes, driver) == (found.version, found.kubernetes, found.driver_default)
    assert components.items() <= found.components.items()


def test_cdi_is_on_by_default_from_25_10(facts: Facts) -> None:
    """cdi.enabled went from false to true with v25.10.0."""
    assert {
        found.minor: found.cdi_default for found in (release(facts, version) for version in facts.operator_versions())
    } == {"24.9": False, "25.3": False, "25.10": True, "26.3": True, "26.7": True}


def test_the_containerd_that_never_was_is_corrected(facts: Facts) -> None:
    """The 26.7 page prints 1.8-2.3; there is no containerd 1.8, and the page before says 1.7."""
    assert release(facts, "v26.7.0").containerd == ((1, 7), (2, 3))


def test_known_issues_belong_to_their_patch(facts: Facts) -> None:
    """v25.3.2 ignored CONTAINERD_SOCKET; MOFED_ENABLED was wrong until v26.3.3; Blackwell had no family in 24.9."""
    assert affected(facts, "CONTAINERD_SOCKET") == ["v25.3.2"]
    assert affected(facts, "MOFED_ENABLED") == ["v26.3.0", "v26.3.1", "v26.3.2"]
    assert affected(facts, "gpu.family=undefined") == ["v24.9.0", "v24.9.1", "v24.9.2", "v25.3.0"]


def affected(facts: Facts, words: str) -> list[str]:
    return [
        version
        for version in facts.operator_versions()
        if any(words in issue.text for issue in release(facts, version).known_issues)
    ]


@pytest.mark.parametrize(
    ("version", "os_id", "os_version", "tag"),
    [
        ("v24.9.2", "rhel", "9.4", "rhel9.4"),
        ("v25.10.1", "rocky", "9.4", "rocky9.4"),
        ("v25.10.1", "rhel", "10.0", "rhel10.0"),
        ("v26.3.3", "rhel", "9.4", "rhel9.4"),
        ("v26.3.3", "rhel", "10.1", "rhel10"),
        ("v26.3.3", "rocky", "9.4", "rocky9"),
        ("v26.3.3", "ol", "9.4", "ol9.4"),
        ("v26.3.3", "ubuntu", "24.04", "ubuntu24.04"),
        ("v26.3.3", "talos", "v1.12.6", "talosv1.12.6"),
        ("v26.3.3", "archlinux", "rolling", "archlinuxrolling"),
        ("v26.7.0", "rhel", "9.4", "rhel9"),
        ("v26.7.0", "rhel", "8.10", "rhel8"),
        ("v26.7.0", "rhel", "10.1", "rhel10"),
        ("v26.7.0", "rocky", "9.4", "rocky9"),
        ("v26.7.0", "ol", "9.4", "ol9"),
        ("v26.7.0", "ubuntu", "24.04", "ubuntu24.04"),
    ],
)
def test_os_tag_follows_the_operator(facts: Facts, version: str, os_id: str, os_version: str, tag: str) -> None:
    """The cases of upstream's TestGetOSTag at v26.3.3 and v26.7.0, and the plain rule before 26.3."""
    assert tag == facts.os_tag(version, os_id, os_version)


@pytest.mark.parametrize(
    ("exporter", "names"),
    [
        ("3.3.5-3.4.0", 464 + 2),
        ("3.3.9-3.6.1", 464 + 2),
        ("4.0.0-4.0.1", 517 + 3),
        ("4.1.1-4.0.4", 590 + 3),
        ("4.2.3-4.1.3", 588 + 3),
        ("4.3.1-4.4.0", 618 + 4),
        ("4.4.0-4.5.0", 654 + 4),
        ("4.4.2-4.7.0-distroless", 657 + 4),
        ("4.4.2-4.7.1", 659 + 4),
        ("4.5.1-4.8.0", 665 + 4),
        ("4.5.3-4.8.2", 725 + 4),
        ("4.6.0-4.8.3", 1015 + 4),
    ],
)
def test_each_exporter_accepts_its_names(facts: Facts, exporter: str, names: int) -> None:
    """As many as go-dcgm has constants at the release's commit, and the exporter's own DCGM_EXP_ metrics."""
    assert names == len(facts.dcgm_names(exporter) or ())


def test_exporters_that_nobody_read_are_not_guessed(facts: Facts) -> None:
    """Older than all, newer than all, or in a gap between two that were read."""
    assert [facts.dcgm_names(one) for one in ("3.1.8-3.1.5", "4.7.0-4.9.0", "4.0.0-4.0.2")] == [None, None, None]


@pytest.mark.parametrize(
    ("name", "accepted"),
    [
        ("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", {"v24.9.2", "v25.3.4", "v25.10.1", "v26.3.3", "v26.7.0"}),
        ("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", {"v25.3.4", "v25.10.1", "v26.3.1", "v26.3.3", "v26.7.0"}),
        ("DCGM_FI_DEV_GPU_TEMP", {"v24.9.2", "v25.3.4", "v25.10.1", "v26.3.1", "v26.3.3", "v26.7.0"}),
        ("DCGM_FI_DEV_GPU_TEMP_CELSIUS", {"v26.7.0"}),
        ("DCGM_EXP_P2P_STATUS", {"v25.3.4", "v25.10.1", "v26.3.1", "v26.3.3", "v26.7.0"}),
        ("dcgm_gpu_utilization", {"v24.9.2", "v25.3.4", "v25.10.1", "v26.3.1", "v26.3.3", "v26.7.0"}),
        ("dcgm_fan_speed", set()),
    ],
)
def test_names_come_and_go_with_releases(facts: Facts, name: str, accepted: set[str]) -> None:
    """The throttle reasons changed name twice; the 4.6 spellings are new; old metric names never were fields."""
    versions = ["v24.9.2", "v25.3.4", "v25.10.1", "v26.3.1", "v26.3.3", "v26.7.0"]

    assert accepted == {
        version
        for version in versions
        if name in (facts.dcgm_names(release(facts, version).components["dcgm_exporter"]) or ())
    }


def test_fields_say_how_to_write_them(facts: Facts) -> None:
    """The NVLink bandwidth is a rate though NVIDIA's CSV says counter; topology fields are binary; UUID is text."""
    names = [
        "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
        "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
        "DCGM_FI_DEV_UUID",
        "DCGM_FI_GPU_TOPOLOGY_AFFINITY",
        "DCGM_FI_UNKNOWN",
        "DCGM_EXP_XID_ERRORS_COUNT",
    ]
    fields = [field for name in names if (field := facts.dcgm_field(name)) is not None]

    assert names == [field.name for field in fields]
    assert [field.suggested_type for field in fields] == ["gauge", "counter", "label", "reject", "reject", "gauge"]
    assert [field.reject for field in fields] == [False, False, False, True, True, False]
    assert (fields[0].default_type, fields[0].default_on) == ("counter", True)
    assert "GPM" in (facts.dcgm_support("gpm") or "")


def test_the_throttle_preset_takes_the_name_that_the_exporter_knows(facts: Facts) -> None:
    """One of two spellings, never both; without knowing the exporter, today's."""
    old, new = "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS"

    assert (new, new, old) == (
        facts.dcgm_preset("throttling")[0],
        facts.dcgm_preset("throttling", facts.dcgm_names("4.4.2-4.7.0"))[0],
        facts.dcgm_preset("throttling", facts.dcgm_names("3.3.9-3.6.1"))[0],
    )


def test_nfd_rules_know_what_their_release_has(facts: Facts) -> None:
    """Ge, Le, GeLe and `type: version` came with 0.18, product_name with 0.17, kernel.kvm with 0.19."""
    assert {"Ge", "Le", "GeLe"} == facts.nfd_ops("0.18.3").keys() - facts.nfd_ops("v0.17.4").keys()
    assert [facts.nfd_ops(nfd)["Gt"].typed for nfd in ("0.17.4", "0.18.3")] == [False, True]
    assert [facts.nfd_features(nfd)["system.dmiid"].attributes for nfd in ("0.16.9", "0.17.4")] == [
        ("sys_vendor",),
        ("sys_vendor", "product_name"),
    ]
    assert ["kernel.kvm" in facts.nfd_features(nfd) for nfd in ("0.18.3", "0.19.0")] == [False, True]
    assert "kubernetes.label" not in facts.nfd_features("0.19.0")


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("In", (1, None, "string", False)),
        ("InRegexp", (1, None, "regexp", False)),
        ("Exists", (0, 0, None, False)),
        ("Gt", (1, 1, "integer", False)),
        ("GtLt", (2, 2, "integer", True)),
    ],
)
def test_ops_take_their_number_of_values(
    facts: Facts, op: str, expected: tuple[int, int | None, str | None, bool]
) -> None:
    """As nfd-master counts them when it evaluates an expression."""
    found = facts.nfd_ops("0.19.0")[op]

    assert expected == (found.least, found.most, found.values, found.increasing)


def test_nfd_configuration_keys_by_release(facts: Facts) -> None:
    """resourceLabels went with 0.17, restrictions came with it; ownerRefs is new in 0.19."""
    releases = [found for nfd in ("0.16.9", "0.17.4", "0.19.0") if (found := facts.nfd_release(nfd)) is not None]

    assert ["resourceLabels" in found.master_keys for found in releases] == [True, False, False]
    assert ["restrictions" in found.master_keys for found in releases] == [False, True, True]
    assert [len(found.restrictions_keys) for found in releases] == [0, 6, 6]
    assert ["ownerRefs" in found.core_keys for found in releases] == [False, False, True]


@pytest.mark.parametrize(
    ("distribution", "version", "env"),
    [
        ("kubespray", "v25.10.1", {}),
        ("rke2", "v25.10.1", {"CONTAINERD_SOCKET": "/run/k3s/containerd/containerd.sock"}),
        (
            "k3s",
            "v26.7.0",
            {
                "CONTAINERD_CONFIG": "/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
                "CONTAINERD_SOCKET": "/run/k3s/containerd/containerd.sock",
            },
        ),
        (
            "microk8s",
            "v25.10.1",
            {
                "CONTAINERD_CONFIG": "/var/snap/microk8s/current/args/containerd-template.toml",
                "CONTAINERD_SOCKET": "/var/snap/microk8s/common/run/containerd.sock",
                "RUNTIME_CONFIG_SOURCE": "file=/var/snap/microk8s/current/args/containerd.toml",
            },
        ),
    ],
)
def test_toolkit_is_told_where_containerd_is(
    facts: Facts, distribution: str, version: str, env: dict[str, str]
) -> None:
    """Nothing where containerd sits in its usual place; RKE2 needs the socket alone."""
    assert env == facts.toolkit_env(distribution, version)


def test_microk8s_needed_something_else_before_25_10(facts: Facts) -> None:
    """RUNTIME_CONFIG_SOURCE came with container toolkit 1.18."""
    assert {"CONTAINERD_CONFIG", "CONTAINERD_SOCKET", "CONTAINERD_RUNTIME_CLASS", "CONTAINERD_SET_AS_DEFAULT"} == (
        facts.toolkit_env("microk8s", "v25.3.4") or {}
    ).keys()


@pytest.mark.parametrize(
    ("distribution", "config", "kubeconfig"),
    [
        ("kubespray", "/etc/kubernetes/kubescheduler-config.yaml", "/etc/kubernetes/scheduler.conf"),
        ("rke2", "/etc/rancher/rke2/kube-scheduler.yaml", "/var/lib/rancher/rke2/server/cred/scheduler.kubeconfig"),
        ("k3s", "/etc/rancher/k3s/kube-scheduler.yaml", "/var/lib/rancher/k3s/server/cred/scheduler.kubeconfig"),
    ],
)
def test_scheduler_files_are_where_the_distribution_looks(
    facts: Facts, distribution: str, config: str, kubeconfig: str
) -> None:
    """Kubespray and kubeadm under /etc/kubernetes, RKE2 and k3s under their own folders."""
    found = facts.distribution(distribution)
    assert found is not None
    assert found.scheduler is not None

    assert (config, kubeconfig) == (found.scheduler.config, found.scheduler.kubeconfig)


@pytest.mark.parametrize(
    ("os_id", "since", "repo_dir", "cert"),
    [
        ("ubuntu", None, "/etc/apt/sources.list.d", ("/usr/local/share/ca-certificates", None, ".crt")),
        ("rhel", None, "/etc/yum.repos.d", ("/etc/pki/ca-trust/extracted/pem", "tls-ca-bundle.pem", None)),
        ("rocky", "26.3", "/etc/yum.repos.d", ("/etc/pki/ca-trust/extracted/pem", "tls-ca-bundle.pem", None)),
        ("ol", "26.7", "/etc/yum.repos.d", ("/etc/pki/ca-trust/extracted/pem", "tls-ca-bundle.pem", None)),
        ("sles", "26.3", "/etc/zypp/repos.d", ("/etc/pki/trust/anchors", None, None)),
    ],
)
def test_package_sources_and_certificates_have_their_folders(
    facts: Facts, os_id: str, since: str | None, repo_dir: str, cert: tuple[str, str | None, str | None]
) -> None:
    """RepoConfigPathMap and CertConfigPathMap of the operator, and when each ID came into them."""
    found = facts.operating_system(os_id)
    assert found is not None

    assert (since, repo_dir, cert) == (
        found.since,
        found.repo_dir,
        (found.cert_dir, found.cert_key, found.cert_suffix),
    )


@pytest.mark.parametrize(
    ("kind", "os_id", "branch", "fabric_manager"),
    [
        ("cuda-repo", "ubuntu", "570", "nvidia-fabricmanager-570"),
        ("cuda-repo", "ubuntu", "580", "nvidia-fabricmanager"),
        ("cuda-repo", "debian", "595.91.07", "nvidia-fabricmanager"),
        ("ubuntu-archive", "ubuntu", "580", "nvidia-fabricmanager-580"),
        ("cuda-repo", "rhel", "580", "nvidia-fabricmanager"),
    ],
)
def test_fabric_manager_has_another_name_in_each_repository(
    facts: Facts, kind: str, os_id: str, branch: str, fabric_manager: str
) -> None:
    """The CUDA repository dropped the branch from the name with R580, the Ubuntu archive did not."""
    found = facts.host_packages(kind, os_id, branch)
    assert isinstance(found, HostPackages)

    assert fabric_manager == found.fabric_manager[0]


def test_wrong_labels_have_their_right_ones(facts: Facts) -> None:
    """Labels that public repositories select on and no node has."""
    wrong = facts.wrong_product_labels()

    assert wrong["NVIDIA-H200-SXM5-141GB"] == ("NVIDIA-H200",)
    assert len(wrong["NVIDIA-V100"]) == 5
