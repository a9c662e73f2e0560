"""What a document is, by its content; for what is not ours to judge, why.

Nothing here looks at file names. What can be two things is none, and says so.
"""

import re
from collections.abc import Mapping, Sequence

from genvalues.document import Kind
from genvalues.finding import Json
from genvalues.lint import rows

_OBJECTS: Mapping[tuple[str, str], Kind] = {
    ("nvidia.com", "ClusterPolicy"): "cluster-policy",
    ("nvidia.com", "NVIDIADriver"): "nvidia-driver",
    ("mellanox.com", "NicClusterPolicy"): "nic-cluster-policy",
    ("nfd.k8s-sigs.io", "NodeFeatureRule"): "node-feature-rule",
    ("nfd.openshift.io", "NodeFeatureRule"): "node-feature-rule",
    ("", "ConfigMap"): "config-map",
    ("kubescheduler.config.k8s.io", "KubeSchedulerConfiguration"): "scheduler",
    ("kubeadm.k8s.io", "ClusterConfiguration"): "kubeadm",
}

_SHARING_FLAGS = frozenset((
    "deviceDiscoveryStrategy", "failOnInitError", "gdsEnabled", "gfd", "migStrategy", "mofedEnabled", "mpsRoot", "nvidiaDriverRoot",
    "plugin",
))  # fmt: skip
_OF_PROFILE = frozenset(("percentageOfNodesToScore", "pluginConfig", "plugins", "schedulerName"))
_KUBESPRAY = re.compile(
    r"kube_scheduler_(profiles|extenders|config_extra_opts|client_conn_extra_opts|leader_elect_\w+|feature_gates)"
)

_PROGRAMS = (
    (re.compile(r"\A#!.*\b(ba|da|z|k)?sh\b|^\s*(\S*/)?helm\s+(upgrade|install|template)\b[^|]*?\s--?\w", re.MULTILINE),
     "a shell script; to check what it sets: helm get values RELEASE -o yaml | genvalues lint -"),
    (re.compile(r"^\s*(resource|module|provider|data|variable)\s+\"[^\"]+\"[^\n]*\{|^\s*(locals|terraform)\s*\{", re.MULTILINE),
     "Terraform; to check what it sets: helm get values RELEASE -o yaml | genvalues lint -"),
)  # fmt: skip
_OURS = re.compile(
    r"nvidia|\bgpu|dcgm|\bmig[-.]|migManager|node-?feature|kube-?_?scheduler|mellanox|deviceClassWhitelist|timeSlicing|toolkit:",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\{\{|\{%|\{#")


def program(text: str) -> str:
    """Why a text is no YAML to judge but a program; "" where it looks like none."""
    return next((reason for pattern, reason in _PROGRAMS if pattern.search(text)), "")


def ours(text: str) -> bool:
    """Whether a text that is no YAML speaks of something that would be judged."""
    return _OURS.search(text) is not None


def template(text: str) -> str:
    """Why a text is a template; "" where it holds no mark of one. Quoted marks are text, so YAML has to fail first."""
    match = _TEMPLATE.search(text)
    if match is None:
        return ""
    kind = "a Jinja template" if "{%" in text else "a Helm or Jinja template"
    return f"{kind}: render it first, and check the result (helm template ... | genvalues lint -)"


def object_kind(data: Json) -> Kind | None:
    """The kind of an object that says itself what it is."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        return None
    version = data.get("apiVersion")
    group = version.rpartition("/")[0] if isinstance(version, str) else ""
    return _OBJECTS.get((group, data["kind"]))


def body_kind(data: Json) -> Kind | None:
    """The kind of a body that has no apiVersion: configs of the device plugin and of mig-parted, Kubespray's variables."""
    if not isinstance(data, dict) or "apiVersion" in data:
        return None
    if "mig-configs" in data:
        return "mig-parted"
    sharing, flags = data.get("sharing"), data.get("flags")
    if isinstance(sharing, dict) and not {"timeSlicing", "mps"}.isdisjoint(sharing):
        return "device-plugin"
    if "version" in data and isinstance(flags, dict) and not _SHARING_FLAGS.isdisjoint(flags):
        return "device-plugin"
    if any(isinstance(key, str) and _KUBESPRAY.fullmatch(key) for key in data):
        return "kubespray"
    return "rke2-config" if "kube-scheduler-arg" in data else None


def text_kind(text: str) -> Kind | None:
    """The kind of a text inside another file, before it is read; None where it is none that could be judged."""
    if rows.FIELD.search(text) is not None:
        return "dcgm-csv"
    if re.search(r"^\s*[\"']?mig-configs[\"']?\s*:", text, re.MULTILINE):
        return "mig-parted"
    if re.search(r"^\s*[\"']?(sharing|flags)[\"']?\s*:", text, re.MULTILINE):
        return "device-plugin"
    return "scheduler" if "KubeSchedulerConfiguration" in text else None


def reason(data: Json, candidates: Sequence[str] = ()) -> str:
    """Why a document is not judged. `candidates` are charts that its keys fit equally."""
    if isinstance(data, list):
        tasks = bool(data) and all(isinstance(one, dict) and {"hosts", "tasks", "name"} & one.keys() for one in data)
        return "Ansible tasks" if tasks else "a list, and neither values nor an object"
    if not isinstance(data, dict):
        return "neither values nor an object"
    version, kind = data.get("apiVersion"), data.get("kind")
    if isinstance(version, str) and version.startswith("genvalues/"):
        return "a file of genvalues itself: genvalues check"
    if isinstance(kind, str) and isinstance(version, str):
        return _object(version, kind)
    if {"apiVersion", "name", "version"} <= data.keys() and not {"kind", "metadata"} & data.keys():
        return "a Chart.yaml, which holds no values"
    if any(isinstance(data.get(key), list) for key in ("resources", "patches", "configMapGenerator")):
        return "a kustomization, which names files and holds no values"
    if data.keys() <= _OF_PROFILE and ("plugins" in data or "pluginConfig" in data):
        return "a part of a scheduler profile: put it below profiles: of a KubeSchedulerConfiguration"
    if candidates:
        return (
            f"values of {' or '.join(candidates)}, which cannot be told apart here: say --chart {candidates[0]}@VERSION"
        )
    return "no object, and not values of a chart that genvalues knows; if they are, say --chart NAME@VERSION"


def _object(version: str, kind: str) -> str:
    if kind == "Kustomization" and version.startswith("kustomize."):
        return "a kustomization, which names files and holds no values"
    if kind == "ClusterPolicy" or kind.startswith("Node"):
        return f"a {kind} of {version}, of which genvalues knows nothing"
    return f"{'an' if kind[:1] in 'AEIO' else 'a'} {kind}, which genvalues does not judge"
