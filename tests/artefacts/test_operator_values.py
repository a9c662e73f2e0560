"""Values of the GPU Operator chart; keys as the charts' templates read them, meanings as NVIDIA documents them."""

from collections.abc import Callable
from typing import Any

import pytest

from genvalues import contracts
from genvalues.document import leaves

PATH = "gpu-operator/values.yaml"
VERSIONS = ("v24.9.2", "v25.3.4", "v25.10.1", "v26.3.3", "v26.7.0")
MIRROR = {"registries": {"nvcr.io": "registry.example.internal"}, "imagePullSecrets": ["regcred"]}


def charts(version: str) -> dict[str, str]:
    return {"gpuOperator": version}


@pytest.fixture
def values(render: Callable[..., Any]) -> Callable[..., Any]:
    """The body of the values file of a site."""

    def of(site: dict[str, Any], ca_text: str | None = None) -> Any:
        return render(site, ca_text, only="operator-values")[PATH].body

    return of


# Drivers


def test_least_values(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """A site that says nothing gets the operator's own way, with NFD off."""
    assert values(site()) == {"nfd": {"enabled": False}, "driver": {"enabled": True}}


def test_host_driver_leaves_nothing_inert(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """Without a driver pod all else under driver would do nothing, and so would GDS and GDRCopy."""
    host = {
        "strategy": "host",
        "version": "580.95.05",
        "kernelModuleType": "open",
        "moduleParameters": {"nvidia": {"NVreg_A": 1}},
        "upgradePolicy": {"autoUpgrade": False},
    }
    rdma = {"gpuDirect": "peermem", "ofed": "host", "gds": True, "gdrcopy": True}

    assert values(site(driver=host, rdma=rdma)) == {"nfd": {"enabled": False}, "driver": {"enabled": False}}


def test_container_driver(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """Version, kind of modules, and the ConfigMaps that the driver pod reads."""
    driver = {
        "strategy": "container",
        "version": "580.95.05",
        "kernelModuleType": "open",
        "moduleParameters": {"nvidia": {"NVreg_A": 1}},
    }
    offline = {"packages": {"ubuntu22.04": {"mirror.list": "deb x"}}, "caBundle": "ca.pem"}

    assert values(site(driver=driver, offline=offline), "PEM\n")["driver"] == {
        "enabled": True,
        "version": "580.95.05",
        "kernelModuleType": "open",
        "repoConfig": {"configMapName": "repo-config"},
        "certConfig": {"name": "repo-certs"},
        "kernelModuleConfig": {"name": "kernel-module-params"},
    }


@pytest.mark.parametrize(
    ("version", "key"),
    [
        ("v24.9.2", {"useOpenKernelModules": True, "env": [{"name": "KERNEL_MODULE_TYPE", "value": "open"}]}),
        ("v25.3.4", {"kernelModuleType": "open"}),
        ("v26.7.0", {"kernelModuleType": "open"}),
    ],
)
def test_module_type_is_spelt_as_the_chart_reads_it(
    version: str, key: dict[str, Any], site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """A switch before v25.3, with the variable that newer driver containers read; a word from then on."""
    body = values(site(charts=charts(version), driver={"strategy": "container", "kernelModuleType": "open"}))

    assert body["driver"] == {"enabled": True, **key}


def test_open_modules_are_asked_for_where_the_chart_does_not_choose(
    site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """Blackwell runs on open modules only; v24.9 has no way to choose by GPU."""
    pools = [{"name": "b200", "gpu": {"model": "b200-sxm6-180gb", "count": 8}}]

    assert values(site(charts=charts("v24.9.2"), pools=pools))["driver"] == {
        "enabled": True,
        "useOpenKernelModules": True,
        "env": [{"name": "KERNEL_MODULE_TYPE", "value": "open"}],
    }
    assert values(site(charts=charts("v25.3.4"), pools=pools))["driver"] == {"enabled": True}


def test_precompiled_driver(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """The branch is always written, since the chart's default is a full version; nothing is fetched, so no sources."""
    offline = {"packages": {"ubuntu22.04": {"mirror.list": "deb x"}}, "caBundle": "ca.pem"}
    proxy = {"kubernetes": "1.34.2", "distribution": "kubeadm", "proxy": {"http": "http://proxy:3128"}}

    body = values(site(driver={"strategy": "precompiled"}, offline=offline, cluster=proxy), "PEM\n")

    assert body["driver"] == {"enabled": True, "usePrecompiled": True, "version": "580"}


@pytest.mark.parametrize(
    ("direct", "ofed", "rdma"),
    [
        ("peermem", "host", {"enabled": True, "useHostMofed": True}),
        ("peermem", "container", {"enabled": True}),
        ("dmabuf", "host", None),
        ("none", "host", None),
    ],
)
def test_rdma(
    direct: str, ofed: str, rdma: dict[str, bool] | None, site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """Only nvidia-peermem needs the operator; useHostMofed acts inside rdma.enabled alone."""
    body = values(site(driver={"strategy": "container"}, rdma={"gpuDirect": direct, "ofed": ofed}))

    assert body["driver"].get("rdma") == rdma


def test_gds_and_gdrcopy(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """Switched on beside the driver pod that carries them."""
    body = values(site(driver={"strategy": "container"}, rdma={"gds": True, "gdrcopy": True}))

    assert (body["gds"], body["gdrcopy"]) == ({"enabled": True}, {"enabled": True})


def test_proxy(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """Driver pods get the variables in both cases, as strings."""
    cluster = {
        "kubernetes": "1.34.2",
        "distribution": "kubeadm",
        "proxy": {"https": "http://proxy:3128", "noProxy": ["10.0.0.0/8", ".svc"]},
    }

    assert values(site(cluster=cluster))["driver"]["env"] == [
        {"name": "HTTPS_PROXY", "value": "http://proxy:3128"},
        {"name": "NO_PROXY", "value": "10.0.0.0/8,.svc"},
        {"name": "https_proxy", "value": "http://proxy:3128"},
        {"name": "no_proxy", "value": "10.0.0.0/8,.svc"},
    ]


def test_upgrade_policy(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """The chart's own keys, each leading to its line, whichever layer of the site it came from."""
    pools = [{"name": "a", "gpu": {"model": "t4"}, "driver": {"upgradePolicy": {"drain": {"enable": True}}}}]
    driver = {"upgradePolicy": {"maxUnavailable": "10%", "drain": {"enable": False, "timeoutSeconds": 60}}}

    doc = render(site(pools=pools, driver=driver), only="operator-values")[PATH]

    assert doc.body["driver"]["upgradePolicy"] == {
        "maxUnavailable": "10%",
        "drain": {"enable": True, "timeoutSeconds": 60},
    }
    policy = ("driver", "upgradePolicy")
    assert doc.reason((*policy, "drain", "enable")).routes == (
        ("hardware", "pools", 0, "driver", "upgradePolicy", "drain", "enable"),
    )
    assert doc.reason((*policy, "drain", "timeoutSeconds")).routes == (
        ("driver", "upgradePolicy", "drain", "timeoutSeconds"),
    )


# The rest of the operator


def test_toolkit_of_the_host(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """A toolkit on the nodes is the operator's to leave alone."""
    assert values(site(toolkit={"strategy": "host"}))["toolkit"] == {"enabled": False}


def test_toolkit_finds_containerd(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """RKE2 keeps its socket elsewhere; nothing more is set there (gpu-operator#992)."""
    body = values(site(cluster={"kubernetes": "1.34.2", "distribution": "rke2"}))

    assert body["toolkit"] == {"env": [{"name": "CONTAINERD_SOCKET", "value": "/run/k3s/containerd/containerd.sock"}]}


def test_tolerations(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Helm replaces lists: the chart's own entry, then the pools' taints; values are left open."""
    pools = [
        {
            "name": "a",
            "gpu": {"model": "t4"},
            "taints": [
                {"key": "example.com/team", "value": "ml", "effect": "NoExecute"},
                {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
            ],
        }
    ]

    doc = render(site(pools=pools), only="operator-values")[PATH]

    assert doc.body["daemonsets"] == {
        "tolerations": [
            {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
            {"key": "example.com/team", "operator": "Exists", "effect": "NoExecute"},
        ]
    }
    assert doc.reason(("daemonsets", "tolerations", 1, "key")).routes == (("hardware", "pools", 0, "taints", 0),)


def test_sharing(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """ConfigMaps by the names that they bear, a default that is a key of theirs, and one MIG strategy."""
    pools = [
        {"name": "a", "gpu": {"model": "t4", "count": 2}, "sharing": "dev"},
        {"name": "b", "gpu": {"model": "a100-sxm4-40gb", "count": 8}, "sharing": "split"},
    ]
    sharing = {
        "configs": {
            "dev": {"timeSlicing": {"replicas": 4}},
            "split": {"mig": {"strategy": "mixed", "layouts": [{"gpus": "all", "profiles": {"1g.5gb": 7}}]}},
        }
    }

    body = values(site(pools=pools, sharing=sharing))

    assert {key: body[key] for key in ("mig", "devicePlugin", "migManager")} == {
        "mig": {"strategy": "mixed"},
        "devicePlugin": {"config": {"name": "device-plugin-config", "default": "whole"}},
        "migManager": {"config": {"name": "mig-parted-config"}},
    }


def test_repeated_defaults_say_so(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """A value that equals the chart's own is there on purpose; its comment tells."""
    pools = [{"name": "b", "gpu": {"model": "a100-sxm4-40gb", "count": 8}, "sharing": "split"}]
    layout = {"gpus": "all", "profiles": {"1g.5gb": 7}}
    sharing = {"configs": {"split": {"mig": {"strategy": "single", "layouts": [layout]}}}}

    doc = render(site(pools=pools, sharing=sharing), only="operator-values")[PATH]

    repeats = {route for route, why in doc.why.items() if why.text.endswith("also the chart's default")}
    assert repeats == {("driver", "enabled"), ("mig", "strategy")}


# Monitoring


def test_exporter(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """The site's metrics by the name of their ConfigMap; the interval in milliseconds, as a string."""
    monitoring = {"dcgm": {"interval": "15s", "presets": ["default"]}}

    assert values(site(monitoring=monitoring))["dcgmExporter"] == {
        "config": {"name": "dcgm-metrics"},
        "env": [{"name": "DCGM_EXPORTER_INTERVAL", "value": "15000"}],
    }


@pytest.mark.parametrize(
    ("dcgm", "kept"),
    [
        ({"interval": "1m"}, ["DCGM_EXPORTER_LISTEN", "DCGM_EXPORTER_KUBERNETES", "DCGM_EXPORTER_COLLECTORS"]),
        ({"interval": "1m", "presets": ["default"]}, ["DCGM_EXPORTER_LISTEN", "DCGM_EXPORTER_KUBERNETES"]),
    ],
)
def test_env_list_of_the_chart_is_kept(
    dcgm: dict[str, Any], kept: list[str], site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """Helm replaces lists, so those of v24.9.2 come first; but for its metrics file where the site brings one."""
    body = values(site(charts=charts("v24.9.2"), monitoring={"dcgm": dcgm}))

    env = {entry["name"]: entry["value"] for entry in body["dcgmExporter"]["env"]}
    assert list(env) == [*kept, "DCGM_EXPORTER_INTERVAL"]
    assert (env["DCGM_EXPORTER_LISTEN"], env["DCGM_EXPORTER_INTERVAL"]) == (":9400", "60000")


@pytest.mark.parametrize(("version", "there"), [("v24.9.2", False), ("v25.3.4", True), ("v26.7.0", True)])
def test_shared_gpus_need_a_mode_of_the_exporter(
    version: str, there: bool, site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """Pods that share a GPU are told apart only in a mode that came with exporter 4.0.3 (operator v25.3)."""
    pools = [{"name": "a", "gpu": {"model": "t4", "count": 2}, "sharing": "dev"}]
    sharing = {"configs": {"dev": {"timeSlicing": {"replicas": 4}}}}

    body = values(site(charts=charts(version), pools=pools, sharing=sharing))

    variable = {"name": "KUBERNETES_VIRTUAL_GPUS", "value": "true"}
    assert (variable in body.get("dcgmExporter", {}).get("env", [])) is there


def test_prometheus(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """A ServiceMonitor that this Prometheus selects."""
    scrape = {"kind": "prometheus", "interval": "1m", "labels": {"release": "kps"}}

    assert values(site(monitoring={"scrape": scrape}))["dcgmExporter"] == {
        "serviceMonitor": {"enabled": True, "interval": "1m", "additionalLabels": {"release": "kps"}}
    }


@pytest.mark.parametrize(
    ("version", "exporter"),
    [("v25.10.1", None), ("v26.3.3", None), ("v26.7.0", {"serviceMonitor": {"enabled": False}})],
)
@pytest.mark.parametrize("kind", ["victoriametrics", "none"])
def test_service_monitor_is_switched_off_where_the_chart_makes_one(
    version: str, exporter: Any, kind: str, site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """From v26.7.0 the chart would make one by itself."""
    body = values(site(charts=charts(version), monitoring={"scrape": {"kind": kind}}))

    assert body.get("dcgmExporter") == exporter


# Images and overrides


@pytest.mark.parametrize("version", VERSIONS)
def test_every_image_that_runs_comes_from_the_mirror(
    version: str, site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """Each component has keys of its own for repository and Secrets; components that are off are left alone."""
    body = values(site(charts=charts(version), driver={"strategy": "host"}, offline=MIRROR))

    nvidia = "registry.example.internal/nvidia"
    repositories = {
        "operator": nvidia,
        "validator": f"{nvidia}/cloud-native" if version in ("v24.9.2", "v25.3.4") else nvidia,
        "toolkit": f"{nvidia}/k8s",
        "devicePlugin": nvidia,
        "gfd": nvidia,
        "dcgmExporter": f"{nvidia}/k8s",
        "migManager": f"{nvidia}/cloud-native",
    }
    found = dict(leaves(body))
    assert {route[:-1]: value for route, value in found.items() if route[-1] == "repository"} == {
        (block,): repository for block, repository in repositories.items()
    }
    assert {route: value for route, value in found.items() if "imagePullSecrets" in route} == {
        (block, "imagePullSecrets", 0): "regcred" for block in repositories
    }


def test_images_of_the_driver_pod(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """The driver manager has a repository of its own and the driver's Secrets."""
    body = values(site(driver={"strategy": "container"}, rdma={"gds": True, "gdrcopy": True}, offline=MIRROR))

    assert body["driver"] == {
        "enabled": True,
        "repository": "registry.example.internal/nvidia",
        "imagePullSecrets": ["regcred"],
        "manager": {"repository": "registry.example.internal/nvidia/cloud-native"},
    }
    carried = {
        "enabled": True,
        "repository": "registry.example.internal/nvidia/cloud-native",
        "imagePullSecrets": ["regcred"],
    }
    assert (body["gds"], body["gdrcopy"]) == (carried, carried)


def test_overrides_come_last(site: Callable[..., Any], render: Callable[..., Any]) -> None:
    """Raw values lie over ours leaf by leaf, each with its own line."""
    overrides = {"gpuOperator": {"driver": {"enabled": False}, "operator": {"logging": {"level": "debug"}}}}

    doc = render(site(overrides=overrides), only="operator-values")[PATH]

    assert doc.body == {
        "nfd": {"enabled": False},
        "driver": {"enabled": False},
        "operator": {"logging": {"level": "debug"}},
    }
    assert doc.reason(("driver", "enabled")).routes == (("overrides", "gpuOperator", "driver", "enabled"),)


# NVIDIADriver objects, and the contract


def pools_with_different_drivers() -> list[dict[str, Any]]:
    return [
        {"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}},
        {"name": "v100", "gpu": {"model": "v100-sxm2-16gb", "count": 4}, "driver": {"version": "570.195.03"}},
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_driver_objects_leave_the_rest_to_the_values(
    version: str, site: Callable[..., Any], values: Callable[..., Any]
) -> None:
    """The values switch the objects on and the chart's own one off. Up to v26.3 the upgrade policy is the cluster's."""
    driver = {"strategy": "container", "version": "580.95.05", "upgradePolicy": {"maxParallelUpgrades": 2}}
    body = values(
        site(
            charts=charts(version),
            pools=pools_with_different_drivers(),
            driver=driver,
            rdma={"gpuDirect": "peermem", "ofed": "host", "gds": True},
            offline=MIRROR,
        )
    )

    policy = {} if version == "v26.7.0" else {"upgradePolicy": {"maxParallelUpgrades": 2}}
    assert body["driver"] == {
        "enabled": True,
        "nvidiaDriverCRD": {"enabled": True, "deployDefaultCR": False},
        **policy,
        "manager": {"repository": "registry.example.internal/nvidia/cloud-native"},
    }
    # The device plugin and the validator act on this switch; the image is the objects' business.
    assert body["gds"] == {"enabled": True}


def test_gds_of_one_pool_is_no_switch_for_all(site: Callable[..., Any], values: Callable[..., Any]) -> None:
    """On nodes without the module the validator would wait for ever."""
    pools = pools_with_different_drivers()
    pools[0]["rdma"] = {"gds": True}

    assert "gds" not in values(site(pools=pools, driver={"strategy": "container", "version": "580.95.05"}))


SITES: dict[str, dict[str, Any]] = {
    "nothing said": {},
    "host driver": {"driver": {"strategy": "host", "version": "580.95.05"}, "offline": MIRROR},
    "container driver": {
        "driver": {
            "strategy": "container",
            "version": "580.95.05",
            "kernelModuleType": "open",
            "moduleParameters": {"nvidia": {"NVreg_A": 1}},
            "upgradePolicy": {"autoUpgrade": True, "maxParallelUpgrades": 2, "drain": {"enable": True}},
        },
        "rdma": {"gpuDirect": "peermem", "ofed": "host", "gds": True, "gdrcopy": True},
        "offline": {**MIRROR, "packages": {"ubuntu22.04": {"mirror.list": "deb x"}}, "caBundle": "ca.pem"},
        "cluster": {
            "kubernetes": "1.34.2",
            "distribution": "k3s",
            "proxy": {"http": "http://proxy:3128", "noProxy": [".svc"]},
        },
        "defaults": {
            "os": {"id": "ubuntu", "version": "22.04"},
            "role": "gpu",
            "taints": [{"key": "gpu", "effect": "NoSchedule"}],
        },
        "monitoring": {
            "dcgm": {"interval": "15s", "presets": ["default"]},
            "scrape": {"kind": "prometheus", "interval": "30s", "labels": {"release": "kps"}},
        },
    },
    "precompiled driver": {"driver": {"strategy": "precompiled", "version": "570"}},
    "sharing": {
        "pools": [
            {"name": "a", "gpu": {"model": "t4", "count": 2}, "sharing": "dev"},
            {"name": "b", "gpu": {"model": "a100-sxm4-40gb", "count": 8}, "sharing": "split"},
        ],
        "sharing": {
            "configs": {
                "dev": {"timeSlicing": {"replicas": 4}},
                "split": {"mig": {"layouts": [{"gpus": "all", "profiles": {"1g.5gb": 7}}]}},
            }
        },
        "toolkit": {"strategy": "host"},
        "monitoring": {"scrape": {"kind": "victoriametrics"}},
    },
    "driver objects": {
        "pools": pools_with_different_drivers(),
        "driver": {"strategy": "container", "version": "580.95.05", "upgradePolicy": {"maxParallelUpgrades": 2}},
        "rdma": {"gds": True},
        "offline": MIRROR,
    },
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("parts", SITES.values(), ids=list(SITES))
def test_every_value_is_alive(
    version: str, parts: dict[str, Any], site: Callable[..., Any], render: Callable[..., Any]
) -> None:
    """The contracts of both charts have nothing to say against what is written."""
    files = render(site(**{**parts, "charts": charts(version)}), "PEM\n")

    found = {}
    for path in ("gpu-operator/values.yaml", "node-feature-discovery/values.yaml"):
        doc = files[path]
        contract = contracts.load(doc.chart.name, doc.chart.version)
        assert contract is not None
        hits = [hit for hit in contract.check(doc.body) if hit.verdict != "undocumented"]  # those work
        found[path] = [(hit.route, hit.verdict, hit.message) for hit in hits]
    assert found == {"gpu-operator/values.yaml": [], "node-feature-discovery/values.yaml": []}


@pytest.mark.parametrize("parts", SITES.values(), ids=list(SITES))
def test_unknown_chart_version_still_renders(
    parts: dict[str, Any], site: Callable[..., Any], render: Callable[..., Any]
) -> None:
    """A rule refuses the version; rendering neither raises nor invents a spelling."""
    files = render(site(**{**parts, "charts": {"gpuOperator": "v99.1.0", "nodeFeatureDiscovery": "9.9.9"}}), "PEM\n")

    driver = files[PATH].body["driver"]
    assert "kernelModuleType" not in driver
    assert "useOpenKernelModules" not in driver
