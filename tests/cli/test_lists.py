"""rules, schema, gpus, charts: what genvalues knows."""

import json
from collections.abc import Callable

import pytest

Run = Callable[..., tuple[int, str, str]]


def test_rules_as_json(genvalues: Run) -> None:
    """Code, family, severity, title and since of every rule."""
    code, out, _ = genvalues("rules", "--format", "json")
    rules = {rule["code"]: rule for rule in json.loads(out)}

    expected = {
        "code": "GV005",
        "family": "source",
        "severity": "error",
        "title": "A key that stands twice",
        "since": "0.1.0",
    }

    assert code == 0
    assert expected == rules["GV005"]


def test_schema_is_printed_whole(genvalues: Run) -> None:
    """Editors are given what the command prints."""
    code, out, _ = genvalues("schema")

    assert code == 0
    assert json.loads(out)["$id"] == "urn:genvalues:site:v1"


@pytest.mark.parametrize("model", ["h100-sxm5-80gb", "gb200", "rtx-4090", "t4", "v100-sxm2-16gb"])
def test_gpus_know_their_label(genvalues: Run, model: str) -> None:
    """Labels as GPU feature discovery writes them (reference: hardware, section 1)."""
    labels = {
        "h100-sxm5-80gb": "NVIDIA-H100-80GB-HBM3",
        "gb200": "NVIDIA-GB200",
        "rtx-4090": "NVIDIA-GeForce-RTX-4090",
        "t4": "Tesla-T4",
        "v100-sxm2-16gb": "Tesla-V100-SXM2-16GB",
    }
    code, out, _ = genvalues("gpus", "--format", "json", model)

    assert code == 0
    assert json.loads(out)["product"] == labels[model]


def test_charts_list_what_a_release_brings(genvalues: Run) -> None:
    """Driver and NFD of a GPU Operator release are those of its chart."""
    code, out, _ = genvalues("charts", "--format", "json")
    charts = {(chart["chart"], chart["version"]): chart for chart in json.loads(out)}

    assert code == 0
    assert charts["gpu-operator", "v25.10.1"]["driver"] == "580.105.08"
    assert charts["gpu-operator", "v25.10.1"]["nodeFeatureDiscovery"] == "0.18.2"
    assert ("node-feature-discovery", "0.19.0") in charts


def test_wrong_gpu_model_names_near_ones(genvalues: Run) -> None:
    """Half a name is enough to be told the whole one."""
    code, _, err = genvalues("gpus", "h200")

    assert code == 2
    assert "no GPU model is called 'h200'; near it: h200-nvl-141gb, h200-sxm5-141gb. `genvalues gpus` lists them" in err
