"""Verdicts on values. The cases are those of upstream's own experiments: what helm, CRDs and API server make of them."""

import pytest

from genvalues import contracts, source
from genvalues.finding import Hit, Json, Route, format_route, parse_route

ALL = ("v24.9.2", "v25.3.4", "v25.10.1", "v26.3.3", "v26.7.0")
TO_25_10, FROM_25_3, FROM_26_3 = ALL[:3], ALL[1:], ALL[3:]
GPU_CLUSTER = "clusterPolicy: {deployCR: false}\ngpuCluster: {deployCR: true}\ndriver: {nvidiaDriverCRD: {enabled: true}}\n"
V24, V25, V26 = ALL[:1], ("v25.10.1",), ALL[4:]


def check(version: str, text: str, chart: str = "gpu-operator") -> list[Hit]:
    """The hits on a values file as a user types it."""
    tree = source.read(text, "values.yaml").tree
    contract = contracts.load(chart, version)
    assert tree is not None
    assert contract is not None
    return list(contract.check(tree.data, lambda route: tree.raw(route) if route in tree.origin else None))


def said(hits: list[Hit]) -> list[str]:
    return sorted(f"{hit.verdict} {format_route(hit.route)}" for hit in hits if hit.verdict != "undocumented")


def at_versions(cases: list[tuple[tuple[str, ...], str, list[str]]]) -> list[tuple[str, str, list[str]]]:
    return [(version, text, expected) for versions, text, expected in cases for version in versions]


# Reference: gpu-operator.md 4.2. Nothing reaches any object, and every check is silent.
IGNORED = [
    (ALL, "kernelModuleConfig: {name: x}", ["kernelModuleConfig"]),
    (ALL, "repoConfig: {configMapName: x}", ["repoConfig"]),
    (ALL, "dkms: true", ["dkms"]),
    (ALL, "driver: {dkms: true}", ["driver.dkms"]),
    (FROM_25_3, "driver: {useOpenKernelModules: true}", ["driver.useOpenKernelModules"]),
    (V24, "driver: {kernelModuleType: open}", ["driver.kernelModuleType"]),
    (ALL, "migManager: {strategy: mixed}", ["migManager.strategy"]),
    (ALL, "devicePlugin: {migStrategy: mixed}", ["devicePlugin.migStrategy"]),
    (ALL, "migStrategy: mixed", ["migStrategy"]),
    (ALL, "devicePlugin: {config: {map: {a: b}}}", ["devicePlugin.config.map"]),
    (ALL, "devicePlugin: {mps: {root: /x}}", ["devicePlugin.mps.root"]),
    (FROM_25_3, "operator: {defaultRuntime: containerd}", ["operator.defaultRuntime"]),
    (V26, "operator: {initContainer: {image: x}}", ["operator.initContainer"]),
    (V26, "cdi: {default: true}", ["cdi.default"]),
    (TO_25_10, "cdi: {nriPluginEnabled: true}", ["cdi.nriPluginEnabled"]),
    (ALL, "dcgmExporter: {collector: {interval: 100ms}}", ["dcgmExporter.collector"]),
    (ALL, "collector: {interval: 100ms}", ["collector"]),
    (ALL, "dcgmexporter: {enabled: true}", ["dcgmexporter"]),
    (ALL, "nfd: {worker: {tolerations: []}}", ["nfd.worker"]),
    (ALL, "node-feature-discovery: {enabled: true}", ["node-feature-discovery.enabled"]),
    (ALL, "nfd: {nodeFeatureRules: true, deployNodeFeatureRules: true}", ["nfd.deployNodeFeatureRules", "nfd.nodeFeatureRules"]),
    (ALL, "node-feature-discovery: {image: {version: x}}", ["node-feature-discovery.image.version"]),
    (ALL, "daemonsets: {nodeSelector: {a: b}}", ["daemonsets.nodeSelector"]),
    (ALL, "driver: {nodeSelector: {a: b}, tolerations: [a]}", ["driver.nodeSelector", "driver.tolerations"]),
    (ALL, "tolerations: [{operator: Exists}]", ["tolerations"]),
    (ALL[:4], "daemonsets: {podSecurityContext: {runAsUser: 0}}", ["daemonsets.podSecurityContext"]),
    (ALL, "hostPaths: {driverRoot: /}", ["hostPaths.driverRoot"]),
    (ALL[:4], "hostPaths: {kubeletRootDir: /x}", ["hostPaths.kubeletRootDir"]),
    (TO_25_10, "driver: {hostNetwork: true}\nextraObjects: [{kind: X}]", ["driver.hostNetwork", "extraObjects"]),
    (ALL[:2], "driver: {secretEnv: s}", ["driver.secretEnv"]),
    (ALL[:2], "dcgmExporter: {hpcJobMapping: {enabled: true}}", ["dcgmExporter.hpcJobMapping"]),
    (ALL, "psp: {enabled: true}", ["psp"]),
    (ALL, "toolkit: {args: [a]}", ["toolkit.args"]),
    (ALL, "global: {imageRegistry: x}", ["global.imageRegistry"]),
    (ALL[:2], "global: {imagePullSecrets: [{name: x}]}", ["global.imagePullSecrets"]),
    (ALL, "fullnameOverride: x", ["fullnameOverride"]),
    (ALL, "driver: {upgradePolicy: {podDeletion: {force: true}}}", ["driver.upgradePolicy.podDeletion"]),
    (ALL[:2], "sandboxWorkloads: {enabled: true}\nccManager: {enabled: true, env: [{name: A, value: b}]}", ["ccManager.env"]),
    (ALL, "driver: {rdma: {useHostMOFED: true}}", ["driver.rdma.useHostMOFED"]),
    (V26, "driver: {nvidiaDriverCRD: {enabled: true}, repoConfig: {name: x}}", ["driver.repoConfig.name"]),
    (V26, "driver: {nvidiaDriverCRD: {nodeSelector: {a: b}}}", ["driver.nvidiaDriverCRD.nodeSelector"]),
]


@pytest.mark.parametrize(("version", "text", "paths"), at_versions(IGNORED))
def test_a_key_that_no_template_reads_is_ignored(version: str, text: str, paths: list[str]) -> None:
    """One finding per key, at the highest key that is unknown."""
    assert said(check(version, text)) == [f"ignored {path}" for path in paths]


INERT = [
    (ALL, "devicePlugin: {config: {default: any}}", ["devicePlugin.config.default"]),
    (ALL, "dcgmExporter: {config: {create: true, name: x}}", ["dcgmExporter.config.create"]),
    (ALL[:4], "devicePlugin: {config: {create: true}}", ["devicePlugin.config.create"]),
    (ALL[:2], "cdi: {default: true}", ["cdi.default"]),
    (ALL[2:4], "cdi: {default: true}", ["cdi.default"]),
    (V25, "driver: {manager: {imagePullSecrets: [x]}}", ["driver.manager.imagePullSecrets"]),
    (V26, "daemonsets: {podSecurityContext: {runAsUser: 0}}", ["daemonsets.podSecurityContext"]),
    (V25, "driver: {rdma: {useHostMofed: true}}", ["driver.rdma.useHostMofed"]),
    (
        V25,
        "driver: {enabled: false, rdma: {enabled: true}, usePrecompiled: true, kernelModuleType: open, certConfig: {name: c}}",
        ["driver.certConfig.name", "driver.kernelModuleType", "driver.rdma.enabled", "driver.usePrecompiled"],
    ),
    (ALL, "migManager: {enabled: false, config: {name: x}}", ["migManager.config.name"]),
    (ALL, "nfd: {enabled: false}\nnode-feature-discovery: {worker: {hostNetwork: true}}", ["node-feature-discovery"]),
    (ALL, "gds: {version: 2.0.0}", ["gds.version"]),
    (ALL, "dcgm: {env: [{name: A, value: b}]}", ["dcgm.env"]),
    (ALL, "driver: {usePrecompiled: true, repoConfig: {configMapName: r}}", ["driver.repoConfig.configMapName"]),
    (ALL, "driver: {upgradePolicy: {autoUpgrade: false, maxParallelUpgrades: 3}}", ["driver.upgradePolicy.maxParallelUpgrades"]),
    (ALL, "driver: {upgradePolicy: {drain: {force: true}}}", ["driver.upgradePolicy.drain.force"]),
    (ALL, "daemonsets: {updateStrategy: OnDelete, rollingUpdate: {maxUnavailable: '2'}}", ["daemonsets.rollingUpdate.maxUnavailable"]),
    (FROM_26_3, "sandboxWorkloads: {enabled: true, mode: kubevirt}\nccManager: {defaultMode: 'off'}", ["ccManager.defaultMode"]),
    (FROM_26_3, "sandboxWorkloads: {enabled: true}\nkataManager: {enabled: true}", ["kataManager.enabled"]),
    (
        V26,
        GPU_CLUSTER + "toolkit: {version: v1.0.0}\nmig: {strategy: mixed}\nhostPaths: {rootFS: /x}",
        ["hostPaths.rootFS", "mig.strategy", "toolkit.version"],
    ),
    (
        V25,
        "driver: {manager: {env: [{name: ENABLE_AUTO_DRAIN, value: 'true'}, {name: OTHER, value: x}]}}",
        ["driver.manager.env[0]"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("version", "text", "paths"), at_versions(INERT))
def test_a_key_that_another_setting_switches_off_is_inert(version: str, text: str, paths: list[str]) -> None:
    """Template conditions, and what the operator does with its objects."""
    assert said(check(version, text)) == [f"inert {path}" for path in paths]


SILENT = [
    (ALL, "driver: {enabled: false, rdma: {enabled: false}, upgradePolicy: {autoUpgrade: true}}"),
    (ALL, "vfioManager: {enabled: false}\nsandboxDevicePlugin: {enabled: false}\nvgpuDeviceManager: {enabled: false}"),
    (ALL, "dcgm: {enabled: false}\ngds: {enabled: false}\ngdrcopy: {enabled: false}"),
    (V25, "cdi: {default: false}"),
    (V25, "driver: {rdma: {enabled: 'true'}}\nmigManager: {enabled: 'yes'}"),
    (V25, "mig: {strategy: ''}"),
    (ALL, "validator: {driver: {env: [{name: A, value: b}]}, args: [a]}\ndcgmExporter: {args: [a], config: {name: m}}"),
    (ALL, "driver: {args: [a], livenessProbe: {periodSeconds: 5}}\noperator: {version: v1.2.3, labels: {a: b}}"),
    (ALL, 'daemonsets: {labels: {"example.com/row": a}, annotations: {a: b}, tolerations: [{operator: Exists}]}'),
    (ALL, "operator: {affinity: {podAffinity: {anything: [goes]}}, resources: {limits: {cpu: 0.5, memory: 1Gi}}}"),
    (ALL, "toolkit: {env: [{name: CONTAINERD_SOCKET, value: /run/k3s/containerd/containerd.sock}]}"),
    (ALL, "driver: {version: 535}\ntoolkit: {version: 'sha256:0123'}"),
    (ALL, "node-feature-discovery: {worker: {tolerations: [{operator: Exists}]}, image: {tag: v0.18.2}}"),
    (ALL, "gdrcopy: {enabled: true}\ngds: {enabled: true}\ndriver: {rdma: {enabled: true, useHostMofed: true}}"),
    (FROM_25_3, "driver: {kernelModuleType: open}"),
    (V24, "driver: {useOpenKernelModules: true}"),
]


@pytest.mark.parametrize(("version", "text"), [(version, text) for versions, text in SILENT for version in versions])
def test_no_alarm_on_what_works_or_asks_for_nothing(version: str, text: str) -> None:
    """Keys missing in values.yaml that work; values that repeat a default or switch off what is off."""
    assert said(check(version, text)) == []


PRUNED = [
    (V25, "driver: {kernelModuleConfig: {configMapName: x}}", ["driver.kernelModuleConfig.configMapName"]),
    (ALL, "driver: {repoConfig: {name: x}}", ["driver.repoConfig.name"]),
    (V25, "driver: {certConfig: {configMapName: x}, virtualTopology: {name: x}}", ["driver.certConfig.configMapName", "driver.virtualTopology.name"]),
    (ALL[:2], "driver: {licensingConfig: {secretName: x}}", ["driver.licensingConfig.secretName"]),
    (ALL[:4], "dcgmExporter: {serviceMonitor: {enabled: true, scrapeTimeout: 5s}}", ["dcgmExporter.serviceMonitor.scrapeTimeout"]),
    (ALL, "driver: {env: [{name: A, valueFrom: {}}]}", ["driver.env[0].valueFrom"]),
    (ALL, "driver: {startupProbe: {exec: {command: [a]}}}", ["driver.startupProbe.exec"]),
    (V25, "dcgmExporter: {hpcJobMapping: {enabled: true, dir: /x}}", ["dcgmExporter.hpcJobMapping.dir"]),
    (FROM_25_3, "dcgmExporter: {service: {port: 1}}", ["dcgmExporter.service.port"]),
    (ALL, "toolkit: {resources: {limit: {cpu: 1}}}", ["toolkit.resources.limit"]),
    (ALL, "migManager: {gpuClientsConfig: {configMap: x}}", ["migManager.gpuClientsConfig.configMap"]),
    (ALL, "operator: {defaultGPUMode: x}", ["operator.defaultGPUMode"]),
    (
        V26,
        GPU_CLUSTER + "daemonsets: {nodeSelector: {a: b}}",
        ["daemonsets.nodeSelector"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("version", "text", "paths"), at_versions(PRUNED))
def test_a_field_that_the_crd_does_not_have_is_pruned(version: str, text: str, paths: list[str]) -> None:
    """gpu-operator.md 4.4, first list: only a check that reports unknown fields sees these."""
    assert said(check(version, text)) == [f"pruned {path}" for path in paths]


REFUSED = [
    (ALL, "driver: {rdma: true}", ["driver.rdma"]),
    (ALL, "cdi:", ["cdi"]),
    (ALL, "mig: null", ["mig"]),
    (ALL, "driver: null", ["driver"]),
    (ALL, "migManager: {config: null}", ["migManager.config"]),
    (ALL, "driver: {upgradePolicy: {drain: null}}", ["driver.upgradePolicy.drain"]),
    (FROM_26_3, "cdi: {enabled: false, nriPluginEnabled: true}", ["cdi.nriPluginEnabled"]),
    (FROM_26_3, "cdi: {enabled: 'true'}", ["cdi.enabled"]),
    (V26, "gpuCluster: {deployCR: true}\ndriver: {enabled: false}", ["gpuCluster.deployCR"]),
    (V26, "cdi: {nriPluginEnabled: true}\ntoolkit: {enabled: false}", ["toolkit.enabled"]),
    (V26, "devicePlugin: {config: {create: true, name: x}}", ["devicePlugin.config.create"]),
    (V26, "node-feature-discovery: {image: {pullPolicy: Allways}}", ["node-feature-discovery.image.pullPolicy"]),
    (V26, "node-feature-discovery: {master: {nfdApiParallelism: 101}}", ["node-feature-discovery.master.nfdApiParallelism"]),
    (V26, "node-feature-discovery: {worker: {ownerRefs: [job]}}", ["node-feature-discovery.worker.ownerRefs[0]"]),
    (FROM_25_3, "driver: {kernelModuleType: Open}", ["driver.kernelModuleType"]),
    (ALL, "mig: {strategy: multiple}", ["mig.strategy"]),
    (ALL, "migManager: {config: {default: all-1g.10gb}}", ["migManager.config.default"]),
    (ALL, "daemonsets: {updateStrategy: Rolling}", ["daemonsets.updateStrategy"]),
    (ALL, "driver: {startupProbe: {periodSeconds: 0}}", ["driver.startupProbe.periodSeconds"]),
    (ALL, "driver: {resources: {limits: {cpu: 1x}}}", ["driver.resources.limits.cpu"]),
    (ALL, "dcgmExporter: {serviceMonitor: {enabled: true, interval: 0.1s}}", ["dcgmExporter.serviceMonitor.interval"]),
    (ALL, "toolkit: {enabled: ture}", ["toolkit.enabled"]),
    (ALL, "toolkit: {env: {A: b}}", ["toolkit.env"]),
    (ALL, "driver: {env: [{value: x}]}", ["driver.env[0]"]),
    (ALL, "migManager: {config: {create: true, name: m, data: 'a: b'}}", ["migManager.config.data"]),
    (ALL, "devicePlugin: {config: {create: true, name: m, default: a, data: {a: {b: c}}}}", ["devicePlugin.config.data.a"]),
    (ALL, "migManager: {config: {create: true, data: {a: b}}}", ["migManager.config.create"]),
    (TO_25_10, "devicePlugin: {config: {name: x}}", ["devicePlugin.config.name"]),
    (TO_25_10, "devicePlugin: {config: {name: x, default: ''}}", ["devicePlugin.config.default", "devicePlugin.config.name"]),
    (ALL, "psa: {enabled: null}", ["psa.enabled"]),
]


@pytest.mark.parametrize(("version", "text", "paths"), at_versions(REFUSED))
def test_what_stops_the_installation_is_refused(version: str, text: str, paths: list[str]) -> None:
    """gpu-operator.md 4.1 (helm), 4.4 (CRDs and core schemas): a template, the chart, or the API server says no."""
    assert said(check(version, text)) == [f"refused {path}" for path in paths]


MISTYPED = [
    (ALL, "driver: {version: 580.10}", ["driver.version"]),
    (ALL, "toolkit: {version: 1.10}", ["toolkit.version"]),
    (ALL, "dcgmExporter: {version: on}", ["dcgmExporter.version"]),
    (ALL, "gfd: {version: 1000000}", ["gfd.version"]),
    (ALL, "nfd: {enabled: 'false'}", ["nfd.enabled"]),
    (ALL, "driver: {nvidiaDriverCRD: {enabled: 'false'}}", ["driver.nvidiaDriverCRD.enabled"]),
    (ALL, "driver: {env: [{name: A, value: true}, {name: B, value: 5}]}", ["driver.env[0].value", "driver.env[1].value"]),
    (ALL, "operator: {imagePullSecrets: [{name: regcred}]}", ["operator.imagePullSecrets[0]"]),
    (ALL, "driver: {imagePullSecrets: [{name: regcred}]}", ["driver.imagePullSecrets[0]"]),
    (ALL, "node-feature-discovery: {imagePullSecrets: [regcred]}", ["node-feature-discovery.imagePullSecrets[0]"]),
    (ALL, "sandboxWorkloads: {enabled: true, mode: kata}\nccManager: {enabled: true, defaultMode: on}", ["ccManager.defaultMode"]),
    (ALL, "driver: {upgradePolicy: {maxUnavailable: 0}}", ["driver.upgradePolicy.maxUnavailable"]),
    (ALL[:4], "driver: {nvidiaDriverCRD: {enabled: true}, version: '580.10'}", ["driver.version"]),
    (ALL, "driver: {nvidiaDriverCRD: {enabled: true}, licensingConfig: {configMapName: c, nlsEnabled: false}}", ["driver.licensingConfig.nlsEnabled"]),
    (ALL, "dcgmExporter: {config: {create: true, name: x, data: {a: b}}}", ["dcgmExporter.config.data"]),
    (V24, "driver: {manager: {env: []}}", ["driver.manager.env"]),
    (V24, "validator: {plugin: {env: [{name: A, value: b}]}}", ["validator.plugin.env"]),
    (ALL, "driver: {repoConfig: null}", ["driver.repoConfig"]),
    (ALL, "mig: {strategy: null}", ["mig.strategy"]),
    (
        V26,
        GPU_CLUSTER + "daemonsets: {rollingUpdate: {maxUnavailable: 1}}",
        ["daemonsets.rollingUpdate.maxUnavailable"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("version", "text", "paths"), at_versions(MISTYPED))
def test_what_go_reads_otherwise_is_mistyped(version: str, text: str, paths: list[str]) -> None:
    """gpu-operator.md 3.5 and 4.3: silently changed values; numbers, words, nulls and lists."""
    mode = "sandboxWorkloads" in text and version in TO_25_10
    hits = [hit for hit in check(version, text) if not (mode and format_route(hit.route) == "sandboxWorkloads.mode")]

    assert said(hits) == [f"mistyped {path}" for path in paths]


@pytest.mark.parametrize(
    ("version", "text", "path"),
    [
        ("v25.10.1", "dcgmExporter: {config: {name: x}}", "dcgmExporter.config"),
        ("v25.10.1", "validator: {driver: {env: []}}", "validator.driver"),
        ("v24.9.2", "nameOverride: x", "nameOverride"),
        ("v26.3.3", "ccManager: {env: []}\nsandboxWorkloads: {enabled: true, mode: kata}", "ccManager.env"),
    ],
)
def test_a_key_that_works_unshown_is_undocumented(version: str, text: str, path: str) -> None:
    """gpu-operator.md 3.3: in templates, not in values.yaml; told once, at the highest such key."""
    assert [f"{hit.verdict} {format_route(hit.route)}" for hit in check(version, text)] == [f"undocumented {path}"]


@pytest.mark.parametrize(
    ("version", "text", "message", "fix"),
    [
        (
            "v25.10.1",
            "driver: {useOpenKernelModules: true}",
            (
                "driver.useOpenKernelModules does nothing: no template of gpu-operator v25.10.1 reads it (v24.9.2 was the "
                "last that did); driver.kernelModuleType is the key to use"
            ),
            "driver.kernelModuleType: open",
        ),
        (
            "v25.10.1",
            "driver: {enabled: false, rdma: {enabled: true}}",
            "driver.rdma.enabled does nothing while driver.enabled is false (no driver pod is made)",
            "driver.enabled: true, or remove driver.rdma.enabled",
        ),
        (
            "v25.10.1",
            "driver: {version: 580.10}",
            "driver.version is 580.10 without quotes, which Helm reads as 580.1 and prints as 580.1",
            'version: "580.10"',
        ),
        ("v25.10.1", "driver: {kernelModuleTyp: open}", None, "write driver.kernelModuleType"),
        ("v25.10.1", "toolkit: {evn: []}", None, "write toolkit.env"),
        ("v25.10.1", "devicePlugin: {env: [{name: A, value: 0302}]}", None, 'value: "0302"'),
        ("v25.10.1", "driver: {kernelModuleType: Open}", None, "kernelModuleType: open"),
        ("v25.10.1", "driver: {resources: {limit: {cpu: 1}}}", None, "write driver.resources.limits"),
        ("v25.10.1", "operator: {imagePullSecrets: [{name: regcred}]}", None, "- regcred"),
        ("v25.10.1", "hostPaths: {kubeletRootDir: /x}", None, "remove hostPaths.kubeletRootDir"),
        ("v25.10.1", "node-feature-discovery: {enabled: false}", None, "nfd.enabled: false"),
        ("v25.10.1", "nodeSelectr: {a: b}", None, "remove nodeSelectr"),
    ],
)
def test_messages_say_what_it_does_and_what_to_type(version: str, text: str, message: str | None, fix: str) -> None:
    """In this version, since or until when, what replaces it; a fix that can be typed."""
    [hit] = check(version, text)

    assert hit.fix == fix
    assert message in (None, hit.message)


def test_an_inert_key_points_at_the_setting_that_shuts_it() -> None:
    """The other place is named where the user wrote it; a default has no place."""
    [hit] = check("v25.10.1", "driver: {enabled: false, rdma: {enabled: true}}")

    assert hit.related == ((("driver", "enabled"), "driver.enabled is false here"),)
    assert [hit.related for hit in check("v25.10.1", "driver: {rdma: {useHostMofed: true}}")] == [()]


@pytest.mark.parametrize("version", ALL)
def test_the_charts_own_values_have_only_the_known_dead_keys(version: str) -> None:
    """devicePlugin.mps.root in all, and the driver CRD's nodeSelector in v26.7.0: read by nothing, though shipped."""
    contract = contracts.load("gpu-operator", version)
    assert contract is not None
    own = contract.default(())
    own.pop("node-feature-discovery")
    dead = ["devicePlugin.mps.root", *(["driver.nvidiaDriverCRD.nodeSelector"] if version == "v26.7.0" else [])]

    assert said(list(contract.check(own))) == [f"ignored {path}" for path in dead]


NFD = [
    ("0.15.7", "enableNodeFeatureApi: true", []),
    ("0.16.9", "enableNodeFeatureApi: true", []),
    ("0.17.4", "enableNodeFeatureApi: true", ["ignored enableNodeFeatureApi"]),
    ("0.18.3", "enableNodeFeatureApi: true", ["ignored enableNodeFeatureApi"]),
    ("0.19.0", "enableNodeFeatureApi: true", ["ignored enableNodeFeatureApi"]),
    ("0.15.7", "featureGates: {NodeFeatureAPI: true}", ["ignored featureGates"]),
    ("0.17.4", "featureGates: {NodeFeatureAPI: false}", ["refused featureGates.NodeFeatureAPI"]),
    ("0.19.0", "featureGates: {NodeFeatureGroupAPI: true}", []),
    ("0.15.7", "priorityClassName: x", ["ignored priorityClassName"]),
    ("0.16.9", "priorityClassName: x", []),
    ("0.15.7", "worker: {priorityClassName: x}", []),
    ("0.18.3", "master: {priorityClassName: x}\ngc: {priorityClassName: x}", ["ignored gc.priorityClassName", "ignored master.priorityClassName"]),
    ("0.16.9", "master: {resourceLabels: [a]}", []),
    ("0.17.4", "master: {resourceLabels: [a], crdController: true}", ["ignored master.crdController", "ignored master.resourceLabels"]),
    ("0.17.4", "master: {featureRulesController: true}", ["refused master.featureRulesController"]),
    ("0.18.3", "master: {featureRulesController: true}", ["ignored master.featureRulesController"]),
    ("0.17.4", "worker: {metricsPort: 9000, healthPort: 9001}", []),
    ("0.18.3", "worker: {metricsPort: 9000, healthPort: 9001}", ["ignored worker.healthPort", "ignored worker.metricsPort"]),
    ("0.17.4", "worker: {port: 9000}", ["ignored worker.port"]),
    ("0.18.3", "worker: {port: 9000}", []),
    ("0.15.7", "worker: {hostNetwork: true, extraArgs: [a]}", ["ignored worker.extraArgs", "ignored worker.hostNetwork"]),
    ("0.17.4", "postDeleteCleanup: false", ["ignored postDeleteCleanup"]),
    ("0.18.3", "worker: {ownerRefs: [node]}", ["ignored worker.ownerRefs"]),
    ("0.19.0", "worker: {ownerRefs: [node], config: {core: {ownerRefs: [node]}}}", ["inert worker.config.core.ownerRefs"]),
    ("0.16.9", "master: {config: {restrictions: {disableLabels: true}}}", ["pruned master.config.restrictions"]),
    ("0.17.4", "master: {config: {restrictions: {disableLabels: true}}}", []),
    ("0.17.4", "master: {config: {resourceLabels: [a]}}", ["pruned master.config.resourceLabels"]),
    ("0.18.3", "worker: {config: {sources: {pci: {deviceClassWhiteList: ['02']}}, Core: {labelsources: [pci]}}}", []),
    ("0.18.3", "worker: {config: {sources: {pci: {deviceClassWhitelist: [02]}}}}", ["mistyped worker.config.sources.pci.deviceClassWhitelist[0]"]),
    ("0.18.3", "master: {config: {extraLabelNs: nvidia.com}}", ["refused master.config.extraLabelNs"]),
    ("0.18.3", "master: {config: {resyncPeriod: 7200}}", ["mistyped master.config.resyncPeriod"]),
    ("0.18.3", "master: {extraLabelNs: [a], config: {extraLabelNs: [b]}}", ["inert master.config.extraLabelNs"]),
    ("0.18.3", "worker: {config: 'core: {}'}", ["refused worker.config"]),
    ("0.18.3", "topologyUpdater: {tolerations: [{operator: Exists}]}", ["inert topologyUpdater.tolerations"]),
    ("0.18.3", "topologyUpdater: {enable: true, tolerations: [{operator: Exists}]}", []),
]  # fmt: skip


@pytest.mark.parametrize(("version", "text", "expected"), NFD)
def test_nfd_keys_by_version(version: str, text: str, expected: list[str]) -> None:
    """nfd.md, sections 1.1 and 1.2: which release reads what, in the chart and in the daemons' files."""
    assert said(check(version, text, "node-feature-discovery")) == expected


@pytest.mark.parametrize("version", ["25.10.0", "26.1.2", "26.4.1"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deployCR: true", ["ignored deployCR"]),
        ("ofedDriver: {deploy: true}", ["ignored ofedDriver"]),
        ("nfd: {enabled: false, deployNodeFeatureRules: true}", []),
        ("operator: {ofedDriver: {initContainer: {enable: false}}, tolerations: [{operator: Exists}]}", []),
        ("sriovNetworkOperator: {enabled: true}\nsriov-network-operator: {operator: {resourcePrefix: x.com}}", []),
        ("sriov-network-operator: {operator: {resourcePrefix: x.com}}", ["inert sriov-network-operator.operator.resourcePrefix"]),
        ("node-feature-discovery: {worker: {config: {sources: {pci: {deviceClassWhitelist: ['02']}}}}}", []),
        ("node-feature-discovery: {enableNodeFeatureApi: true}", ["ignored node-feature-discovery.enableNodeFeatureApi"]),
    ],
)
def test_network_operator_keys(version: str, text: str, expected: list[str]) -> None:
    """nfd.md, section 5.3: what the chart still reads, and what has belonged to the NicClusterPolicy since 24.10."""
    assert said(check(version, text, "network-operator")) == expected


@pytest.mark.parametrize("values", [None, [], "text", {}, {"driver": {}}, {"": 1}, {"a.b": {"c": [1, {"d": None}]}}])
def test_odd_documents_do_not_raise(values: Json) -> None:
    """Whatever a reader hands over."""
    contract = contracts.load("gpu-operator", "v25.10.1")
    assert contract is not None

    assert all(hit.message for hit in contract.check(values))


def test_routes_of_hits_exist_in_the_document() -> None:
    """A finding can be placed: every route is one of the document's."""
    text = "nfd: {enabled: false}\nnode-feature-discovery: {a: {b: 1}}\ndriver: {env: [{name: A, value: 1}], rdma: 5}\nx: 1\n"
    routes: list[Route] = [hit.route for hit in check("v25.10.1", text)]

    assert sorted(format_route(route) for route in routes) == [
        "driver.env[0].value", "driver.rdma", "node-feature-discovery", "node-feature-discovery.a", "x",
    ]  # fmt: skip
    assert parse_route("driver.rdma") in routes
