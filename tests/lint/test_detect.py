"""What a file is, by its content, and why it is not judged."""

from collections.abc import Callable

import pytest

from genvalues.finding import format_route
from genvalues.lint import KINDS, Linted, judged

Lint = Callable[..., Linted]

RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu, namespace: flux}
spec:
  chart: {spec: {chart: gpu-operator, version: v25.10.1}}
  values: {driver: {enabled: false}}
"""

CASES = {
    "values by a key of their own": ("devicePlugin: {enabled: true}\nfoo: 1\n", [("values", "")]),
    "values of common keys": ("driver: {enabled: false}\n", [("values", "")]),
    "values of NFD": ("worker: {config: {sources: {pci: {}}}}\n", [("values", "")]),
    "values of the Network Operator": ("sriovNetworkOperator: {enabled: true}\nnfd: {enabled: true}\n", [("values", "")]),
    "umbrella": ("replicas: 1\ngpu-operator: {driver: {enabled: false}}\n", [("values", "gpu-operator")]),
    "umbrella in an umbrella": ("a: {nvidia-gpu-operator: {operator: {}, toolkit: {}}}\n", [("values", "a.nvidia-gpu-operator")]),
    "umbrella by its values": ("gpus: {devicePlugin: {}, migManager: {}}\n", [("values", "gpus")]),
    "several subcharts": (
        "gpu-operator: {driver: {}}\nnode-feature-discovery: {worker: {}}\n",
        [("values", "gpu-operator"), ("values", "node-feature-discovery")],
    ),
    "Flux": (RELEASE, [("values", "spec.values")]),
    "Argo CD, mapping": (
        ("apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    chart: gpu-operator\n"
        "    targetRevision: v25.10.1\n    helm: {valuesObject: {driver: {enabled: false}}}\n"),
        [("values", "spec.source.helm.valuesObject")],
    ),
    "Argo CD, text of one of several sources": (
        ("apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  sources:\n  - {ref: values, repoURL: x}\n"
        "  - chart: gpu-operator\n    targetRevision: v25.10.1\n    helm:\n      values: |\n        driver: {enabled: false}\n"),
        [("values", "spec.sources[1].helm.values")],
    ),
    "Argo CD, set": (
        ("apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec: {template: {spec: {source: {chart: gpu-operator, targetRevision: v25.10.1,\n"
        "  helm: {parameters: [{name: driver.enabled, value: 'false'}]}}}}}\n"),
        [("values", "")],
    ),
    "k3s": (
        ("apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec:\n  chart: gpu-operator\n  version: v25.10.1\n"
        "  valuesContent: |-\n    driver: {enabled: false}\n    toolkit: {enabled: false}\n"),
        [("values", "spec.valuesContent")],
    ),
    "k3s, for a chart that the server brings": (
        ("apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: gpu-operator}\nspec:\n  valuesContent: |-\n"
        "    driver: {enabled: false}\n"),
        [("values", "spec.valuesContent")],
    ),
    "helmfile": (
        "releases:\n- {name: a, chart: nvidia/gpu-operator, version: v25.10.1, values: [{driver: {enabled: false}}]}\n",
        [("values", "releases[0].values[0]")],
    ),
    "Fleet": ("helm: {chart: gpu-operator, version: v25.10.1, values: {driver: {enabled: false}}}\n", [("values", "helm.values")]),
    "kustomize": (
        ("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        "helmCharts: [{name: gpu-operator, version: v25.10.1, valuesInline: {driver: {enabled: false}}}]\n"),
        [("values", "helmCharts[0].valuesInline")],
    ),
    "ConfigMap of values": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v}\ndata:\n  values.yaml: |\n    migManager: {enabled: false}\n",
        [("config-map", ""), ("values", 'data["values.yaml"]')],
    ),
    "ClusterPolicy": ("apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec: {}\n", [("cluster-policy", "")]),
    "NVIDIADriver": ("apiVersion: nvidia.com/v1alpha1\nkind: NVIDIADriver\nspec: {}\n", [("nvidia-driver", "")]),
    "NicClusterPolicy": ("apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nspec: {}\n", [("nic-cluster-policy", "")]),
    "NodeFeatureRule": ("apiVersion: nfd.k8s-sigs.io/v1alpha1\nkind: NodeFeatureRule\nspec: {rules: []}\n", [("node-feature-rule", "")]),
    "NodeFeatureRule of OpenShift": ("apiVersion: nfd.openshift.io/v1\nkind: NodeFeatureRule\n", [("node-feature-rule", "")]),
    "sharing": ("version: v1\nsharing: {timeSlicing: {resources: []}}\n", [("device-plugin", "")]),
    "sharing, flags alone": ("version: v1\nflags: {migStrategy: none}\n", [("device-plugin", "")]),
    "MIG": ("version: v1\nmig-configs: {}\n", [("mig-parted", "")]),
    "ConfigMap of sharing, MIG and metrics": (
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  any: |\n    version: v1\n    sharing:\n      mps: {resources: []}\n"
        "  config.yaml: |\n    mig-configs: {}\n  m.csv: |\n    DCGM_FI_DEV_GPU_UTIL, gauge, use\n  other: |\n    a: 1\n    b: 2\n"),
        [("config-map", ""), ("device-plugin", "data.any"), ("mig-parted", 'data["config.yaml"]'), ("dcgm-csv", 'data["m.csv"]')],
    ),
    "metrics": ("# comment\nDCGM_FI_DEV_GPU_UTIL, gauge, use\n", [("dcgm-csv", "")]),
    "scheduler": ("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n", [("scheduler", "")]),
    "scheduler in an object of another kind": (
        ("apiVersion: example.com/v1\nkind: Scheduler\nspec:\n  raw: |\n    apiVersion: kubescheduler.config.k8s.io/v1\n"
        "    kind: KubeSchedulerConfiguration\n"),
        [("scheduler", "spec.raw")],
    ),
    "Kubespray": ("kube_version: 1.34.2\nkube_scheduler_profiles: []\n", [("kubespray", "")]),
    "JSON": ('{"devicePlugin": {"enabled": true}}', [("values", "")]),
    "a List": (
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: nvidia.com/v1, kind: ClusterPolicy, spec: {}}\n",
        [("cluster-policy", "items[0]")],
    ),
    "several documents": (f"migManager: {{enabled: false}}\n---\n{RELEASE}", [("values", ""), ("values", "spec.values")]),
    "texts in the values of another chart": (
        RELEASE.replace("gpu-operator", "nvidia-device-plugin").replace(
            "{driver: {enabled: false}}", '{config: {map: {any: "version: v1\\nsharing: {timeSlicing: {resources: []}}\\n"}}}'
        ),
        [("device-plugin", "spec.values.config.map.any")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_content_says_what_a_file_is(linted: Lint, text: str, expected: list[tuple[str, str]]) -> None:
    """Every body is found, with its kind and the route where it lies."""
    assert expected == [(body.kind, format_route(body.base)) for body in linted(text).bodies]


SKIPPED = {
    "Helm template": ("{{- if .Values.x }}\ndriver: {enabled: {{ .Values.y }}}\n{{- end }}\n", "a Helm or Jinja template: render it"),
    "Jinja template": ("driver:\n{% if x %}\n  enabled: true\n{% endif %}\n", "a Jinja template: render it first"),
    "unquoted braces alone": ("devicePlugin:\n  enabled: {{ x }}\n", "a Helm or Jinja template"),
    "shell": ("helm upgrade --install gpu nvidia/gpu-operator \\\n  --set driver.enabled=false\n", "a shell script; to check what it sets"),
    "shell by its first line": ("#!/bin/bash\necho: 1\n", "a shell script"),
    "Terraform": ('resource "helm_release" "gpu" {\n  chart = "gpu-operator"\n}\n', "Terraform; to check what it sets"),
    "another chart": ("image: {tag: '1'}\nreplicaCount: 2\n", "no object, and not values of a chart that genvalues knows"),
    "nothing but common keys": ("image: {tag: 0.1}\n", "no object, and not values of a chart"),
    "another chart with a key of ours": ("controllerManager: {featureGates: [{name: A, enabled: true}]}\n", "no object, and not values"),
    "Falco": ("driver: {enabled: true, kind: modern_ebpf}\ntty: true\n", "no object, and not values of a chart"),
    "two charts at once": ("nfd: {enabled: false}\n", "values of gpu-operator or network-operator, which cannot be told apart"),
    "jobs named after a chart": ("scan-gpu-operator: {variables: {}, extends: a, needs: []}\n", "no object, and not values"),
    "a release of another chart": (RELEASE.replace("gpu-operator", "podinfo"), "a Flux HelmRelease: genvalues knows no chart podinfo"),
    "a release without values": (RELEASE.rpartition("  values")[0], "a Flux HelmRelease: it holds no values"),
    "a release with values elsewhere": (
        RELEASE.rpartition("  values")[0] + "  valuesFrom: [{kind: ConfigMap, name: v}]\n",
        "a Flux HelmRelease: the values of gpu-operator are elsewhere (valuesFrom)",
    ),
    "an application without Helm": ("apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: {}\n", "Application that holds no Helm values"),
    "a source of charts": (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: a}\n",
        "sources of charts, which tell the versions of releases in other files",
    ),
    "a site": ("apiVersion: genvalues/v1\nkind: Site\n", "a file of genvalues itself: genvalues check"),
    "kustomization": ("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", "a kustomization, which names files"),
    "kustomization without a kind": ("resources: [a.yaml]\n", "a kustomization, which names files"),
    "Chart.yaml": ("apiVersion: v2\nname: a\nversion: 1.0.0\n", "a Chart.yaml, which holds no values"),
    "another object": ("apiVersion: apps/v1\nkind: Deployment\n", "a Deployment, which genvalues does not judge"),
    "a part of a scheduler profile": ("pluginConfig: []\n", "a part of a scheduler profile: put it below profiles:"),
    "a list": ("- 1\n", "a list, and neither values nor an object"),
    "Ansible tasks": ("- name: a\n  shell: b\n", "Ansible tasks"),
    "a text": ("hello\n", "neither values nor an object"),
    "nothing": ("# only a comment\n", "nothing in it but comments"),
    "prose": ("# Title\n\n* a: b\n  * c `d: e`\n{\n", "no YAML, and nothing in it that would be judged (line "),
}  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), SKIPPED.values(), ids=SKIPPED)
def test_what_is_not_judged_is_named_with_the_reason(linted: Lint, text: str, reason: str) -> None:
    """No finding, no body, and one reason."""
    found = linted(text)

    assert ((), (), ["file.yaml"]) == (found.findings, found.bodies, [file for file, _ in found.skipped])
    assert found.skipped[0][1].startswith(reason), found.skipped


def test_other_documents_of_a_judged_file_are_named_by_their_line(linted: Lint) -> None:
    """The reason of one document among several says which."""
    found = linted("apiVersion: v1\nkind: Namespace\n---\nmigManager: {enabled: false}\n")

    assert (("file.yaml", "the document at line 1: a Namespace, which genvalues does not judge"),) == found.skipped


def test_broken_text_of_ours_is_a_finding(linted: Lint) -> None:
    """A file that is no YAML and speaks of GPUs is reported where it breaks, not skipped."""
    found = linted("profiles:\n- schedulerName: a\n    plugins:\n  x: KubeSchedulerConfiguration\n")

    assert [("GV001", 3)] == [(finding.code, finding.place.line) for finding in found.findings]


def test_user_says_what_content_cannot(linted: Lint) -> None:
    """`as_kind` decides for documents that do not say themselves what they are, and for no others."""
    text = "version: v1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"

    assert ["device-plugin", "config-map"] == [body.kind for body in linted(text, as_kind="device-plugin").bodies]


def test_values_are_what_the_user_says(linted: Lint) -> None:
    """With a kind and a chart any mapping is values of it: here every key does nothing."""
    found = linted("nvidia-dcgm: {enabled: true}\n", as_kind="values", chart="gpu-operator@v25.10.1")

    assert [("GV901", "nvidia-dcgm")] == [(finding.code, format_route(finding.path)) for finding in found.findings]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_said(linted: Lint, kind: str) -> None:
    """Each kind that the command line offers is taken: the document becomes a body of it."""
    found = linted("a: 1\n", as_kind=kind, chart="gpu-operator@v25.10.1")

    assert [kind] == [body.kind for body in found.bodies]


def test_kinds_that_can_be_said_are_those_that_are_judged() -> None:
    """An option that is taken and does nothing is the fault that this tool looks for."""
    assert set(KINDS) == judged.kinds()
