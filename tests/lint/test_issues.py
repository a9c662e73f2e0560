"""Public bug reports that are about a file: each is reported, at its place, with a fix that is right.

The inputs are reduced and rewritten from the reports; numbers are those of the reference's list, with the address of each.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from genvalues.finding import format_route
from genvalues.lint import Linted

Lint = Callable[..., Linted]


class Issue(NamedTuple):
    """A report: its file, and what has to be found: (code, path, fix)."""

    text: str
    expected: list[tuple[str, str, str]]
    chart: str = "gpu-operator@v25.10.1"


ISSUES = {
    # github.com/NVIDIA/gpu-operator/issues/460
    "25 strategy single with mixed slices": Issue(
        """\
mig: {strategy: single}
migManager:
  config:
    name: a30
    create: true
    data:
      config.yaml: |
        version: v1
        mig-configs:
          all-disabled: [{devices: all, mig-enabled: false}]
          mixed: [{devices: all, mig-enabled: true, mig-devices: {"2g.12gb": 1, "1g.6gb": 2}}]
""",
        [("GV409", "mig.strategy", "strategy: mixed")],
    ),
    # github.com/NVIDIA/gpu-operator/issues/406
    "01 gpu-operator failing on rke2": Issue(
        """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: gpu-operator, namespace: kube-system}
spec:
  chart: gpu-operator
  version: v25.10.1
  valuesContent: |-
    toolkit:
      enabled: true
""",
        [
            (
                "GV558",
                "spec.valuesContent.toolkit",
                "toolkit: {env: [{name: CONTAINERD_SOCKET, value: /run/k3s/containerd/containerd.sock}]}",
            )
        ],
        "",
    ),
    # github.com/NVIDIA/gpu-operator/issues/473
    "03 default runtime on rke2": Issue(
        """\
toolkit:
  env:
  - {name: CONTAINERD_CONFIG, value: /var/lib/rancher/rke2/agent/etc/containerd/config.toml}
  - {name: CONTAINERD_SET_AS_DEFAULT, value: "true"}
""",
        [("GV559", "toolkit.env[1]", "runtimeClassName: nvidia in the pods, and this entry removed")],
        "gpu-operator@v25.3.4",
    ),
    # github.com/NVIDIA/gpu-operator/issues/2115
    "07 a boolean misspelt, blanks in a list": Issue(
        """\
toolkit:
  enabled: ture
devicePlugin:
  env:
  - {name: DEVICE_LIST_STRATEGY, value: "envvar, cdi-annotations, cdi-cri"}
""",
        [
            ("GV334", "devicePlugin.env[0].value", "value: envvar,cdi-annotations,cdi-cri"),
            ("GV904", "toolkit.enabled", "enabled: true"),
        ],
    ),
    # github.com/NVIDIA/gpu-operator/pull/2748
    "19 driver version as a number": Issue(
        "driver:\n  version: 580.10\n", [("GV905", "driver.version", 'version: "580.10"')]
    ),
    # github.com/NVIDIA/gpu-operator/issues/174
    "21 emptied keys": Issue(
        "driver:\n  licensingConfig:\n    configMapName:\n  repoConfig:\n",
        [
            ("GV905", "driver.licensingConfig.configMapName", 'remove the line, or write configMapName: ""'),
            ("GV905", "driver.repoConfig", "remove the line"),
        ],
        "gpu-operator@v24.9.2",
    ),
    # github.com/NVIDIA/gpu-operator/issues/384
    "27 the operator's own ConfigMap": Issue(
        """\
apiVersion: v1
kind: ConfigMap
metadata: {name: default-mig-parted-config, namespace: gpu-operator}
data:
  config.yaml: |
    version: v1
    mig-configs:
      all-disabled: [{devices: all, mig-enabled: false}]
      mine: [{devices: all, mig-enabled: true, mig-devices: {"1g.10gb": 7}}]
""",
        [("GV426", "metadata.name", "another name, and migManager.config.name set to it")],
    ),
    # github.com/NVIDIA/k8s-device-plugin/issues/1433
    "29 renameByDefault under flags": Issue(
        """\
version: v1
flags:
  renameByDefault: true
sharing:
  timeSlicing:
    resources:
    - {name: nvidia.com/gpu, replicas: 8}
""",
        [("GV320", "flags.renameByDefault", "sharing: {timeSlicing: {renameByDefault: ..., resources: [...]}}")],
    ),
    # github.com/NVIDIA/gpu-operator/issues/412
    "31 no default, another namespace": Issue(
        """\
helm:
  chart: gpu-operator
  version: v26.3.3
  values:
    devicePlugin:
      config:
        name: nvidia-time-slicing-config
defaultNamespace: gpu-operator
---
apiVersion: v1
kind: ConfigMap
metadata: {name: nvidia-time-slicing-config, namespace: kube-system}
data:
  slice-4: |-
    version: v1
    sharing:
      timeSlicing:
        resources:
        - {name: nvidia.com/gpu, replicas: 4}
""",
        [
            ("GV331", "helm.values.devicePlugin.config.name", "default: any, a key of the ConfigMap"),
            ("GV910", "helm.values.devicePlugin.config.name", "namespace: gpu-operator in the ConfigMap"),
        ],
        "",
    ),
    # github.com/NVIDIA/k8s-device-plugin/issues/929
    "33 more than one share under MPS": Issue(
        """\
version: v1
sharing:
  mps:
    failRequestsGreaterThanOne: false
    resources: [{name: nvidia.com/gpu, replicas: 10}]
""",
        [("GV323", "sharing.mps.failRequestsGreaterThanOne", "remove it, and ask for one replica in each pod")],
    ),
    # github.com/NVIDIA/gpu-operator/issues/1469
    "35 the device id in NFD's labels": Issue(
        """\
worker:
  config:
    sources:
      pci:
        deviceClassWhitelist: ["0200", "03", "12"]
        deviceLabelFields: ["vendor", "device"]
""",
        [
            (
                "GV623",
                "worker.config.sources.pci.deviceLabelFields",
                "deviceLabelFields: [vendor], with labels by model from a NodeFeatureRule",
            )
        ],
        "node-feature-discovery@0.18.3",
    ),
    # github.com/NVIDIA/k8s-device-plugin/issues/1934
    "39 a toleration of one value": Issue(
        """\
toolkit: {enabled: true}
node-feature-discovery:
  worker:
    tolerations:
    - {key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}
""",
        [
            (
                "GV637",
                "node-feature-discovery.worker.tolerations[0]",
                "- {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}",
            )
        ],
    ),
    # github.com/NVIDIA/gpu-operator/issues/202
    "43 a pull Secret for the operator alone": Issue(
        """\
operator:
  repository: registry.example.com/nvidia
  imagePullSecrets: [regcred]
driver:
  repository: registry.example.com/staging/nvcr.io/nvidia
""",
        [("GV589", "driver.repository", "imagePullSecrets: [regcred] beside it")],
    ),
    # github.com/NVIDIA/gpu-monitoring-tools/issues/122
    "47 fields that are no numbers": Issue(
        "DCGM_FI_DEV_GPU_UTIL,gauge,use\nDCGM_FI_DEV_VGPU_PER_PROCESS_UTILIZATION,gauge,per process\n",
        [("GV702", "[1]", "remove the row")],
    ),
    # github.com/kubernetes-sigs/kubespray/issues/9252
    "49 arguments of no plugin": Issue(
        """\
kube_scheduler_profiles:
- pluginConfig:
  - args:
      scoringStrategy:
        type: RequestedToCapacityRatio
        resources: [{name: nvidia.com/gpu, weight: 5}]
        requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}
""",
        [("GV819", "kube_scheduler_profiles[0].pluginConfig[0]", "name: NodeResourcesFit")],
    ),
    # github.com/kubernetes-sigs/scheduler-plugins/issues/168
    "51 an extension point that is gone": Issue(
        """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}
profiles:
- plugins:
    unreserve: {enabled: [{name: VolumeBinding}]}
""",
        [("GV912", "profiles[0].plugins.unreserve", "did you mean reserve?")],
    ),
    # github.com/NVIDIA/gpu-operator/pull/1541: the keys of the pull request came to no chart
    "53 DRA beside the device plugin": Issue(
        "devicePlugin: {enabled: true}\ndraDriver: {gpus: {enabled: true}}\n",
        [("GV901", "draDriver.gpus.enabled", "remove draDriver.gpus.enabled")],
        "gpu-operator@v26.7.0",
    ),
    # github.com/NVIDIA/gpu-operator/issues/901
    "55 the driver manager's own drain": Issue(
        """\
driver:
  upgradePolicy: {autoUpgrade: true}
  manager:
    env:
    - {name: ENABLE_AUTO_DRAIN, value: "true"}
""",
        [
            (
                "GV902",
                "driver.manager.env[0]",
                "driver.upgradePolicy.autoUpgrade: false, or remove driver.manager.env[0]",
            )
        ],
    ),
    # github.com/NVIDIA/gpu-operator/issues/1851
    "59 on without quotes": Issue(
        "sandboxWorkloads: {enabled: true}\nccManager:\n  enabled: true\n  defaultMode: on\n",
        [("GV905", "ccManager.defaultMode", 'defaultMode: "on"')],
    ),
}

# github.com/NVIDIA/gpu-operator/issues/299: which files replace the distribution's own depends on the OS and on whether
# the nodes reach the internet, and no file tells either. A site does: GV578.
UNDECIDED = (
    "driver:\n  repoConfig: {configMapName: repo-config}\n---\napiVersion: v1\nkind: ConfigMap\n"
    'metadata: {name: repo-config}\ndata: {my.repo: "[base]"}\n'
)


@pytest.mark.parametrize("issue", ISSUES.values(), ids=ISSUES)
def test_report_is_found(linted: Lint, issue: Issue) -> None:
    """Exactly the faults of the report are found, each at its path and with its fix."""
    found = linted(issue.text, chart=issue.chart)

    assert sorted(issue.expected) == sorted((f.code, format_route(f.path), f.fix) for f in found.findings)


def test_what_no_file_can_tell_is_not_guessed(linted: Lint) -> None:
    """A report whose fault depends on what is in no file gets no finding about it."""
    assert [] == [finding.code for finding in linted(UNDECIDED, chart="gpu-operator@v25.10.1").findings]
