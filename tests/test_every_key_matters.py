"""A key that the schema accepts has an effect: changed to another valid value, it changes the rendering or a finding.

Each row of `CHANGES` names a key, a site that has it, another value, and what the other value does: the file in which it
shows (the hand-over README.md only for what an operator reads and nothing else uses), or the rule that speaks.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from genvalues import facts, pipeline
from genvalues.finding import Json, Route
from genvalues.paths import schemas
from genvalues.verdict import is_valid

TODAY = date(2026, 11, 30)
FACTS = facts.load()
SCHEMA = json.loads((Path(schemas()) / "site.schema.json").read_text("utf-8"))
POOL = ("hardware", "pools", 0)
DEFAULTS = ("hardware", "defaults")
VALUES, NFD, RULES = (
    "gpu-operator/values.yaml",
    "node-feature-discovery/values.yaml",
    "manifests/node-feature-rules.yaml",
)
README, HOST_FILE, PACKAGES = "README.md", "host/etc/modprobe.d/genvalues-nvidia.conf", "host/packages.txt"
PARAMETERS, DEVICE_PLUGIN = "manifests/kernel-module-params.yaml", "manifests/device-plugin-config.yaml"
MIG_PARTED, METRICS, ALERTS = (
    "manifests/mig-parted-config.yaml",
    "manifests/dcgm-metrics.yaml",
    "monitoring/prometheusrule.yaml",
)
SCHEDULER = "scheduler/kube-scheduler-configuration.yaml"

CERTIFICATES = {
    name: f"-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n"
    for name, body in (("ca.pem", "TUlJQg=="), ("other.pem", "TUlJQw=="))
}

HOST: Json = {
    "apiVersion": "genvalues/v1",
    "kind": "Site",
    "name": "dc1",
    "cluster": {"kubernetes": "1.34.2", "distribution": "kubespray", "containerRuntime": "containerd"},
    "charts": {"gpuOperator": "v26.7.0"},
    "hardware": {
        "pools": [
            {
                "name": "h100",
                "nodes": {"namePattern": "^gn-", "count": 16},
                "os": {"id": "ubuntu", "version": "22.04", "kernels": ["6.8.0-45-generic"]},
                "gpu": {"model": "h100-sxm5-80gb", "count": 8, "board": "hgx"},
                "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
                "nics": [{"name": "compute", "fabric": "infiniband", "count": 8}],
            }
        ]
    },
    "driver": {
        "strategy": "host",
        "version": "580.173.02",
        "kernelModuleType": "open",
        "moduleParameters": {"nvidia": {"NVreg_RestrictProfilingToAdminUsers": 0}},
        "host": {"packages": "cuda-repo"},
    },
    "rdma": {"gpuDirect": "dmabuf", "ofed": "host"},
    "offline": {
        "registries": {"nvcr.io": "mirror.example/nvcr", "registry.k8s.io": "mirror.example/k8s"},
        "imagePullSecrets": ["regcred"],
        "charts": "oci://mirror.example/charts",
        "packages": {"ubuntu22.04": {"mirror.list": "deb https://mirror.example/ubuntu jammy main universe\n"}},
        "caBundle": "ca.pem",
    },
    "monitoring": {
        "dcgm": {"interval": "15s", "presets": ["default", "ecc"], "add": [{"field": "DCGM_FI_DEV_PSTATE"}]},
        "scrape": {"kind": "prometheus", "interval": "30s", "labels": {"release": "monitoring"}},
        "alerts": True,
    },
    "scheduler": {"packing": {"weights": {"cpu": 1, "memory": 1, "nvidia.com/gpu": 5}}},
}
"""An offline H100 site with its driver on the hosts."""

CONTAINER: Json = {key: value for key, value in HOST.items() if key != "offline"} | {
    "driver": {
        "strategy": "container",
        "version": "580.173.02",
        "upgradePolicy": {
            "gpuPodDeletion": {"force": False, "timeoutSeconds": 300, "deleteEmptyDir": False},
            "drain": {"enable": True, "force": False, "timeoutSeconds": 300, "deleteEmptyDir": False},
        },
    },
}
"""The same hardware with the driver in containers, and the internet."""

SHARED: Json = CONTAINER | {
    "sharing": {
        "configs": {
            "turns": {"timeSlicing": {"replicas": 4}},
            "named": {"timeSlicing": {"resources": {"nvidia.com/gpu": 4}}},
            "daemon": {"mps": {"replicas": 4}},
            "slices": {"mig": {"strategy": "mixed", "layouts": [{"gpus": [0, 1, 2, 3], "profiles": {"1g.10gb": 7}}]}},
        }
    }
}
"""The same again, with sharing configs to choose from."""


def changed(site: Json, at: Route, value: Json) -> Json:
    """The site with another value at a route, made where it is absent."""
    result = copy.deepcopy(site)
    node = result
    for step, following in pairwise(at):
        if isinstance(node, dict):
            node = node.setdefault(step, [{}] if isinstance(following, int) else {})
        else:
            node = node[step]
    if isinstance(node, list) and at[-1] == len(node):
        node.append(value)
    else:
        node[at[-1]] = value
    return result


ACCEPTING: Json = changed(
    HOST | {"accept": [{"code": "GV709", "reason": "kept alike", "until": "2027-03-01"}]},
    ("monitoring", "dcgm", "add", 0, "field"),
    "DCGM_FI_DEV_FAN_SPEED",
)
"""The first again, with a finding that it lives with."""

WORKING: Json = HOST | {"workloads": [{"name": "training", "cuda": "12.4", "pools": ["h100"]}]}
"""The first again, with what will run there."""

BASE: Json = {"apiVersion": "genvalues/v1", "kind": "Base", "hardware": {"defaults": {"role": "gpu"}}}


Judged = tuple[dict[str, str], dict[str, int]]


class Change(NamedTuple):
    """A key, a site with it, another value, and where that shows: a file of the rendering, or the code of a rule."""

    at: Route
    site: Json
    value: Json
    shows: str


def shared(name: str) -> Json:
    """The site of sharing configs, whose pool uses one of them and which has no other."""
    site = changed(SHARED, (*POOL, "sharing"), name)
    configs = site["sharing"]["configs"]
    site["sharing"]["configs"] = {name: configs[name]}
    return site


def moved(site: Json, key: str) -> Json:
    """The site with a key of its pool under hardware.defaults instead."""
    result = copy.deepcopy(site)
    result["hardware"]["defaults"] = {key: result["hardware"]["pools"][0].pop(key)}
    return result


OF_DRIVER = [
    Change(("strategy",), HOST, "container", VALUES),
    Change(("version",), CONTAINER, "595.91.07", VALUES),
    Change(("version",), HOST, "595.91.07", PACKAGES),
    Change(("kernelModuleType",), CONTAINER, "open", VALUES),
    Change(("kernelModuleType",), HOST, "proprietary", "GV660"),
    Change(("moduleParameters", "nvidia", "NVreg_RestrictProfilingToAdminUsers"), HOST, 1, HOST_FILE),
    Change(("moduleParameters", "nvidia", "NVreg_RestrictProfilingToAdminUsers"), CONTAINER, 1, PARAMETERS),
    Change(("moduleParameters", "nvidia-uvm", "uvm_disable_hmm"), HOST, 1, HOST_FILE),
    Change(("moduleParameters", "nvidia-uvm", "uvm_disable_hmm"), CONTAINER, 1, PARAMETERS),
    Change(("moduleParameters", "nvidia-modeset", "vblank_sem_control"), HOST, 1, HOST_FILE),
    Change(("moduleParameters", "nvidia-modeset", "vblank_sem_control"), CONTAINER, 1, PARAMETERS),
    Change(("moduleParameters", "nvidia-peermem", "peerdirect_support"), HOST, 1, HOST_FILE),
    Change(("moduleParameters", "nvidia-peermem", "peerdirect_support"), CONTAINER, 1, PARAMETERS),
    Change(("host", "packages"), HOST, "ubuntu-archive", PACKAGES),
    Change(("host", "packages"), CONTAINER, "cuda-repo", "GV523"),
    Change(("host", "fabricManager"), HOST, False, "GV520"),
    Change(("host", "fabricManager"), HOST, "580.95.05", "GV520"),
    Change(("upgradePolicy", "autoUpgrade"), HOST, True, "GV525"),
    Change(("upgradePolicy", "autoUpgrade"), CONTAINER, False, "GV527"),
    Change(("upgradePolicy", "maxParallelUpgrades"), CONTAINER, 4, VALUES),
    Change(("upgradePolicy", "maxUnavailable"), CONTAINER, 3, VALUES),
    Change(("upgradePolicy", "maxUnavailable"), CONTAINER, "50%", VALUES),
    Change(("upgradePolicy", "waitForCompletion", "timeoutSeconds"), CONTAINER, 60, VALUES),
    Change(("upgradePolicy", "waitForCompletion", "podSelector"), CONTAINER, "app=training", VALUES),
    Change(("upgradePolicy", "gpuPodDeletion", "force"), CONTAINER, True, VALUES),
    Change(("upgradePolicy", "gpuPodDeletion", "timeoutSeconds"), CONTAINER, 60, VALUES),
    Change(("upgradePolicy", "gpuPodDeletion", "deleteEmptyDir"), CONTAINER, True, VALUES),
    Change(("upgradePolicy", "drain", "enable"), CONTAINER, False, VALUES),
    Change(("upgradePolicy", "drain", "force"), CONTAINER, True, VALUES),
    Change(("upgradePolicy", "drain", "podSelector"), CONTAINER, "app=training", VALUES),
    Change(("upgradePolicy", "drain", "timeoutSeconds"), CONTAINER, 60, VALUES),
    Change(("upgradePolicy", "drain", "deleteEmptyDir"), CONTAINER, True, VALUES),
]

OF_RDMA = [
    Change(("gpuDirect",), HOST, "peermem", "host/etc/modules-load.d/genvalues-gpu.conf"),
    Change(("gpuDirect",), CONTAINER, "peermem", VALUES),
    Change(("ofed",), changed(CONTAINER, ("rdma", "gpuDirect"), "peermem"), "inbox", "GV662"),
    Change(("ofed",), HOST, "container", "GV663"),
    Change(("gdrcopy",), CONTAINER, True, VALUES),
    Change(("gdrcopy",), HOST, True, "GV668"),
    Change(("gds",), CONTAINER, True, VALUES),
    Change(("gds",), HOST, True, "GV668"),
]

OF_NODES = [
    Change(("os", "id"), HOST, "debian", "GV546"),
    Change(("os", "version"), HOST, "24.04", "GV574"),
    Change(("os", "kernels", 0), HOST, "5.4.0-1-generic", "GV660"),
    Change(("os", "secureBoot"), CONTAINER, True, "GV515"),
    Change(("gpu", "model"), HOST, "h200-sxm5-141gb", RULES),
    Change(("gpu", "count"), HOST, 7, "GV206"),
    Change(("gpu", "board"), HOST, "pcie", PACKAGES),
    Change(("arch",), changed(HOST, (*POOL, "gpu"), {"model": "gb200", "count": 4}), "amd64", "GV205"),
    Change(("role",), HOST, "gpu", RULES),
    Change(("taints", 0, "key"), HOST, "example.internal/gpu", VALUES),
    Change(("taints", 0, "value"), HOST, "true", README),
    Change(("taints", 0, "effect"), HOST, "NoExecute", VALUES),
    Change(("nics", 0, "name"), HOST, "storage", README),
    Change(("nics", 0, "fabric"), HOST, "ethernet", README),
    Change(("nics", 0, "count"), HOST, 4, README),
    Change(("nics", 0, "vendor"), HOST, "14e4", "GV246"),
    Change(("instanceType",), HOST, "8xh100-ib", RULES),
    Change(("labels", "example.internal/row"), HOST, "a", RULES),
    Change(("sharing",), SHARED, "turns", RULES),
    *(change._replace(at=("driver", *change.at)) for change in OF_DRIVER),
    *(change._replace(at=("rdma", *change.at)) for change in OF_RDMA),
]

CHANGES = [
    Change(("name",), HOST, "dc2", RULES),
    Change(("cluster", "kubernetes"), HOST, "1.31.0", "GV543"),
    Change(("cluster", "distribution"), HOST, "k3s", VALUES),
    Change(("cluster", "containerRuntime"), changed(HOST, ("cluster", "distribution"), "k3s"), "cri-o", "GV554"),
    Change(("cluster", "containerRuntimeVersion"), HOST, "1.6.20", "GV547"),
    Change(("cluster", "namespaces", "gpuOperator"), HOST, "gpu", "manifests/namespace.yaml"),
    Change(("cluster", "namespaces", "nodeFeatureDiscovery"), HOST, "nfd", "node-feature-discovery/namespace.yaml"),
    Change(("cluster", "proxy", "http"), CONTAINER, "http://proxy.example:3128", VALUES),
    Change(("cluster", "proxy", "https"), CONTAINER, "http://proxy.example:3128", VALUES),
    Change(("cluster", "proxy", "noProxy", 0), CONTAINER, ".svc", VALUES),
    Change(("charts", "gpuOperator"), HOST, "v25.10.1", "GV548"),
    Change(("charts", "nodeFeatureDiscovery"), HOST, "0.18.3", "GV542"),
    Change((*POOL, "name"), HOST, "big", RULES),
    Change((*POOL, "nodes", "namePattern"), HOST, "^node-", RULES),
    Change((*POOL, "nodes", "count"), HOST, 4, README),
    *(change._replace(at=(*POOL, *change.at)) for change in OF_NODES),
    *(change._replace(at=(*DEFAULTS, *change.at)) for change in OF_NODES),
    *(change._replace(at=("driver", *change.at)) for change in OF_DRIVER),
    *(change._replace(at=("rdma", *change.at)) for change in OF_RDMA),
    Change(("toolkit", "strategy"), HOST, "host", VALUES),
    Change(("offline", "registries", "nvcr.io"), HOST, "other.example/nvcr", VALUES),
    Change(("offline", "imagePullSecrets", 0), HOST, "other", VALUES),
    Change(("offline", "charts"), HOST, "oci://other.example/charts", README),
    Change(
        ("offline", "packages", "ubuntu22.04", "mirror.list"),
        HOST,
        "deb https://other.example/ubuntu jammy main\n",
        "host/etc/apt/sources.list.d/mirror.list",
    ),
    Change(("offline", "caBundle"), HOST, "other.pem", "host/usr/local/share/ca-certificates/dc1-ca.crt"),
    Change(("sharing", "configs", "turns", "timeSlicing", "replicas"), shared("turns"), 8, DEVICE_PLUGIN),
    Change(("sharing", "configs", "turns", "timeSlicing", "renameByDefault"), shared("turns"), True, DEVICE_PLUGIN),
    Change(
        ("sharing", "configs", "turns", "timeSlicing", "failRequestsGreaterThanOne"),
        shared("turns"),
        True,
        DEVICE_PLUGIN,
    ),
    Change(
        ("sharing", "configs", "named", "timeSlicing", "resources", "nvidia.com/gpu"),
        shared("named"),
        8,
        DEVICE_PLUGIN,
    ),
    Change(("sharing", "configs", "daemon", "mps", "replicas"), shared("daemon"), 8, DEVICE_PLUGIN),
    Change(("sharing", "configs", "daemon", "mps", "renameByDefault"), shared("daemon"), True, DEVICE_PLUGIN),
    Change(("sharing", "configs", "slices", "mig", "strategy"), shared("slices"), "single", "GV409"),
    Change(("sharing", "configs", "slices", "mig", "layouts", 0, "gpus", 3), shared("slices"), 4, MIG_PARTED),
    Change(
        ("sharing", "configs", "slices", "mig", "layouts", 0, "profiles", "1g.10gb"), shared("slices"), 6, MIG_PARTED
    ),
    Change(("monitoring", "dcgm", "interval"), HOST, "20s", VALUES),
    Change(("monitoring", "dcgm", "presets", 1), HOST, "xid", METRICS),
    Change(("monitoring", "dcgm", "add", 0, "field"), HOST, "DCGM_FI_DEV_ROW_REMAP_PENDING", METRICS),
    Change(("monitoring", "dcgm", "add", 0, "type"), HOST, "counter", "GV704"),
    Change(("monitoring", "dcgm", "add", 0, "help"), HOST, "memory", METRICS),
    Change(("monitoring", "dcgm", "drop", 0), HOST, "DCGM_FI_DEV_ENC_UTIL", METRICS),
    Change(("monitoring", "scrape", "kind"), HOST, "victoriametrics", VALUES),
    Change(("monitoring", "scrape", "interval"), HOST, "60s", VALUES),
    Change(("monitoring", "scrape", "labels", "release"), HOST, "other", VALUES),
    Change(("monitoring", "alerts"), HOST, False, ALERTS),
    Change(("scheduler", "packing", "schedulerName"), HOST, "gpu-pack", SCHEDULER),
    Change(("scheduler", "packing", "strategy"), HOST, "RequestedToCapacityRatio", SCHEDULER),
    Change(("scheduler", "packing", "weights", "nvidia.com/gpu"), HOST, 9, SCHEDULER),
    Change(("scheduler", "packing", "percentageOfNodesToScore"), HOST, 100, SCHEDULER),
    Change(("overrides", "gpuOperator"), HOST, {"operator": {"logging": {"level": "debug"}}}, VALUES),
    Change(("overrides", "nodeFeatureDiscovery"), HOST, {"master": {"replicaCount": 2}}, NFD),
    Change(("workloads", 0, "name"), WORKING, "other", README),
    Change(("workloads", 0, "image"), WORKING, "nvcr.io/nvidia/pytorch:25.06-py3", README),
    Change(("workloads", 0, "cuda"), WORKING, "11.8", README),
    Change(("workloads", 0, "minDriver"), WORKING, "999.10", "GV539"),
    Change(("workloads", 0, "forwardCompatibility"), WORKING, True, README),
    Change(("workloads", 0, "pools", 0), WORKING, "other", "GV250"),
    Change(("extends", 0), HOST, "base.yaml", RULES),
    Change(("kind",), HOST, "Base", RULES),
    Change(("accept", 0, "code"), ACCEPTING, "GV706", "GV709"),
    Change(("accept", 0, "pool"), ACCEPTING, "other", "GV192"),
    Change(("accept", 0, "until"), ACCEPTING, "2026-11-01", "GV190"),
    Change(("accept", 0, "reason"), ACCEPTING, "another reason", README),
]
NONE = {"apiVersion"}
"""Keys that show in nothing: this one has a single valid value."""


def keys_of(schema: Json, path: str = "") -> Iterator[str]:
    """The paths of a schema's leaves: list items as [], free keys as *."""
    while "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
    below = {f"{path}.{key}" if path else key: value for key, value in schema.get("properties", {}).items()}
    if isinstance(free := schema.get("additionalProperties"), dict):
        below[f"{path}.*"] = free
    if isinstance(items := schema.get("items"), dict):
        below[f"{path}[]"] = items
    if not below:
        yield path
    for name, value in below.items():
        yield from keys_of(value, name)


def path_of(at: Route) -> str:
    """The path of the schema that a route leads to."""
    schema, path = SCHEMA, ""
    for step in at:
        while "$ref" in schema:
            schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
        if isinstance(step, int):
            schema, path = schema["items"], f"{path}[]"
        elif step in schema.get("properties", {}):
            schema, path = schema["properties"][step], f"{path}.{step}" if path else step
        else:
            schema, path = schema["additionalProperties"], f"{path}.*"
    return path


def pair(change: Change) -> tuple[Json, Json]:
    """The site without and with the change. What stands under hardware.defaults does so in both, and in no pool."""
    if change.at[:2] != DEFAULTS:
        return change.site, changed(change.site, change.at, change.value)
    key, after = str(change.at[2]), changed(change.site, (*POOL, *change.at[2:]), change.value)
    before = moved(change.site, key) if key in change.site["hardware"]["pools"][0] else change.site
    return before, moved(after, key)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Json], Judged]:
    """The files that a site renders to, and how often each rule speaks; each site is judged once."""
    folder = tmp_path_factory.mktemp("site")
    folder.joinpath("base.yaml").write_text(json.dumps(BASE), "utf-8")
    for name, text in CERTIFICATES.items():
        folder.joinpath(name).write_text(text, "ascii")

    @cache
    def of(text: str) -> Judged:
        folder.joinpath("site.yaml").write_text(text, "utf-8")
        checked = pipeline.check(str(folder / "site.yaml"), FACTS, TODAY)
        codes = [finding.code for finding in checked.findings]
        return pipeline.texts(checked) if checked.ok else {}, {code: codes.count(code) for code in codes}

    return lambda site: of(json.dumps(site))


def data_of(texts: dict[str, str], path: str) -> list[str] | None:
    """The lines of a file, None where there is no such file; without comments, which no component reads."""
    return [line for line in texts[path].splitlines() if not re.match(r"\s*# ", line)] if path in texts else None


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{path_of(change.at)}={change.value}"[:70])
def test_another_value_shows(change: Change, judged: Callable[[Json], Judged]) -> None:
    """It changes the file that the row names, or the rule that the row names speaks where it did not."""
    (before, said), (after, says) = map(judged, pair(change))
    files = {path for path in before.keys() | after.keys() if data_of(before, path) != data_of(after, path)}
    codes = {code for code in says if says[code] > said.get(code, 0)}

    assert before, f"the site itself has errors: {said}"
    assert change.shows in files | codes, f"files {sorted(files)}, rules {sorted(codes)}"
    assert change.shows != README or not files - {README}, f"shows in more than the README: {sorted(files)}"


def test_every_key_of_the_schema_is_tried() -> None:
    """A key that is added to the schema gets a row here."""
    assert sorted(set(keys_of(SCHEMA))) == sorted({path_of(change.at) for change in CHANGES} | NONE)


def test_values_are_valid() -> None:
    """A change that the schema refuses shows nothing of the key."""
    assert [] == [path_of(c.at) for c in CHANGES if not is_valid(pair(c)[1])]
