"""GPU Operator facts: one file per minor release, from the hardware table and the charts' component versions."""

import re
from collections.abc import Iterator
from typing import Any

# Image tags: how VERSION_ID goes into <id><version>. Upstream: getGPUNodeOSInfo in controllers/state_manager.go and
# getOSTag in internal/state/nodepool.go, at the tags. An ID that is not named here keeps its full VERSION_ID.
OS_TAGS = {
    "26.3": {"rocky": "major", "rhel": "major-from-10"},
    "26.7": {"rocky": "major", "rhel": "major", "ol": "major"},
}

# The 26.7 platform page prints containerd 1.8-2.3; there never was a 1.8, and the 26.3 page says 1.7-2.3.
CONTAINERD = {"26.7": "1.7-2.3"}

# First version -> (last version with the fault, what it is, version that mended it). From the release notes.
ISSUES = (
    ("v24.9.0", "v24.9.0", "the container toolkit (1.17.0) fails to start on RKE2, k3s and MicroK8s", "v24.9.1"),
    ("v24.9.0", "v25.3.0", "GPU feature discovery labels Blackwell GPUs nvidia.com/gpu.family=undefined", "v25.3.1"),
    ("v25.3.0", "v25.3.2", "CDI is not supported on RKE2", None),
    ("v25.3.2", "v25.3.2", "a CONTAINERD_SOCKET in toolkit.env is ignored (NVIDIA/gpu-operator#1694)", "v25.3.3"),
    ("v25.10.0", "v25.10.0", "containers fail to start with CRI-O", "v25.10.1"),
    ("v25.10.0", "v25.10.0", "the container toolkit (1.18.0) overwrites `imports` in containerd's configuration", "v25.10.1"),
    ("v25.10.1", "v25.10.1", "with SELinux enforcing the MIG manager is not scheduled unless gfd.env sets USE_NODE_FEATURE_API=true", None),
    ("v26.3.0", "v26.3.0", "the nvidia-peermem container may fail after the driver pod restarts without a reboot; driver.env FORCE_REINSTALL=true avoids it", None),
    ("v26.3.0", "v26.3.2", "the device plugin runs with MOFED_ENABLED and GDS_ENABLED on, so that every InfiniBand verbs device is injected", "v26.3.3"),
)  # fmt: skip


def operator_files(hardware: Any, charts: dict[str, dict[str, str]], checked: str) -> Iterator[tuple[str, Any]]:
    """(path under data/, content) for every minor release."""
    for minor, release in hardware["gpu_operator"]["releases"].items():
        yield f"operator/{minor}.json", _minor(minor, release, charts, checked)


def _minor(minor: str, release: Any, charts: dict[str, dict[str, str]], checked: str) -> Any:
    systems = [_system(text) for text in release["os"]]
    openshift = next((row["versions"][0] for row in systems if row["id"] == "openshift"), None)
    precompiled = dict(release["precompiled"])
    flavors = precompiled.pop("flavors", [])
    return {
        "source": f"{release['source']}; components: the charts at their tags; known issues: release notes",
        "checked": checked,
        "status": release["status_2026_08"],
        "os": _grouped(row for row in systems if row["id"] not in ("openshift", "k3s")),
        "openshift": _range(openshift) if openshift else None,
        "containerd": _range(CONTAINERD.get(minor, release["containerd"])),
        "precompiled": precompiled,
        "precompiled_flavors": flavors,
        "cdi_default": release["cdi_default"],
        "os_tags": OS_TAGS.get(minor, {}),
        "network_operator": [_pair(text) for text in release["network_operator_rdma"]],
        "notes": [note for note in release["notes"] if not re.match(r"[0-9]+\.[0-9]+\.[0-9]", note)],
        "releases": {
            version: _release(version, release, charts[version])
            for version in sorted(charts, key=_key)
            if version.startswith(f"v{minor}.")
        },
    }


def _release(version: str, release: Any, components: dict[str, str]) -> Any:
    matrix = release["driver_matrix"].get(version, {"listed": [], "recommended": []})
    plain = {name: one for name, one in components.items() if name != "driver"}
    return {
        "kubernetes": _kubernetes(version, release["kubernetes"]),
        "driver_default": components["driver"],
        "driver_listed": matrix["listed"],
        "driver_recommended": next(iter(matrix["recommended"]), None),
        "components": dict(sorted(plain.items())),
        "known_issues": [
            {"text": text, "fixed_in": fixed}
            for first, last, text, fixed in ISSUES
            if _key(first) <= _key(version) <= _key(last)
        ],
    }


def _kubernetes(version: str, text: str) -> list[str]:
    """The range of one patch release: "1.30-1.35 (1.35 from 25.10.1)" ends at 1.34 in 25.10.0."""
    low, high = _range(text)
    late = re.search(r"\(([0-9.]+) from ([0-9.]+)\)", text)
    if late and _key(version) < _key(late.group(2)):
        major, minor = late.group(1).split(".")
        high = f"{major}.{int(minor) - 1}"
    return [low, high]


def _range(text: str) -> list[str]:
    low, high = re.findall(r"[0-9]+\.[0-9]+", text)[:2]
    return [low, high]


def _system(text: str) -> Any:
    """One platform row: "RHEL 9.2/9.4 (x86 only ...)"."""
    plain, _, note = text.partition(" (")
    name, _, versions = plain.partition(" ")
    return {"id": name.lower(), "versions": versions.split("/"), "note": note.rstrip(")") or None}


def _grouped(rows: Iterator[Any]) -> list[Any]:
    """Rows of one ID and one note together."""
    groups: dict[tuple[str, str | None], Any] = {}
    for row in rows:
        group = groups.setdefault((row["id"], row["note"]), {**row, "versions": []})
        group["versions"] += row["versions"]
    return list(groups.values())


def _pair(text: str) -> Any:
    version, _, only_for = text.partition(" (")
    return {"version": version, "only_for": only_for.rstrip(")") or None}


def _key(version: str) -> list[int]:
    return [int(part) for part in version.removeprefix("v").split(".")]
