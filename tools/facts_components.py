"""Which component versions each GPU Operator chart installs, read from a clone of its repository.

    python tools/facts_components.py CLONE > tools/facts_components.json

Reads `values.yaml` and `Chart.yaml` at every release tag below. The published component matrix differs from the charts
in places (toolkit 1.18.0 against 1.18.1 in v25.10.1); the chart is what gets installed.
"""

import json
import re
import subprocess
import sys
from typing import Any

import yaml

TAGS = (
    "v24.9.0", "v24.9.1", "v24.9.2",
    "v25.3.0", "v25.3.1", "v25.3.2", "v25.3.3", "v25.3.4",
    "v25.10.0", "v25.10.1",
    "v26.3.0", "v26.3.1", "v26.3.2", "v26.3.3",
    "v26.7.0",
)  # fmt: skip

BLOCKS = {
    "driver": "driver",
    "toolkit": "toolkit",
    "devicePlugin": "device_plugin",
    "gfd": "gfd",
    "dcgm": "dcgm",
    "dcgmExporter": "dcgm_exporter",
    "migManager": "mig_manager",
    "gds": "gds",
    "gdrcopy": "gdrcopy",
    "vgpuDeviceManager": "vgpu_device_manager",
    "sandboxDevicePlugin": "sandbox_device_plugin",
    "kataSandboxDevicePlugin": "kata_sandbox_device_plugin",
    "kataManager": "kata_manager",
    "ccManager": "cc_manager",
    "draDriver": "dra_driver",
}

# The part of an image tag that names the image's base, not the component's version.
SUFFIX = re.compile(r"-(?:ubuntu[0-9.]+|ubi[0-9]+|distroless)$")


def components(clone: str, tag: str) -> dict[str, str]:
    """Component -> version, for one tag."""
    values = yaml.safe_load(_show(clone, tag, "values.yaml"))
    found = {name: values[block]["version"] for block, name in BLOCKS.items() if values.get(block, {}).get("version")}
    found["driver_manager"] = values["driver"]["manager"]["version"]
    for dependency in yaml.safe_load(_show(clone, tag, "Chart.yaml"))["dependencies"]:
        if dependency["name"] == "node-feature-discovery":
            found["nfd"] = dependency["version"]
    return {name: SUFFIX.sub("", str(version)).removeprefix("v") for name, version in found.items()}


def main(arguments: list[str]) -> int:
    """Print the table; return the exit code."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    print(json.dumps({tag: components(arguments[0], tag) for tag in TAGS}, indent=1))
    return 0


def _show(clone: str, tag: str, file: str) -> Any:
    command = ["git", "-C", clone, "show", f"{tag}:deployments/gpu-operator/{file}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
