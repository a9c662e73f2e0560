"""explain: pages of rules, and where a rendered value came from."""

from collections.abc import Callable
from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


def test_code_shows_the_page(repository: Path, genvalues: Run) -> None:
    """The page is printed as it is, whatever the case of the code."""
    code, out, _ = genvalues("explain", "gv010")

    assert code == 0
    assert out.startswith("# GV010 ")
    assert "## Why" in out


def test_unknown_code_names_near_ones(repository: Path, genvalues: Run) -> None:
    """A wrong code is wrong use, with a way on."""
    code, _, err = genvalues("explain", "GV099")

    assert code == 2
    assert "no rule has the code GV099" in err
    assert "genvalues rules" in err


def test_value_leads_to_the_line_that_decided_it(repository: Path, genvalues: Run) -> None:
    """A path into a rendered file gives the value, the reason, and the place in the site."""
    genvalues("render", "site.yaml")

    code, out, _ = genvalues("explain", "out/lab/gpu-operator/values.yaml:mig.strategy")

    assert code == 0
    assert out.startswith('mig.strategy = "mixed"\n')
    assert "site.yaml:21:19: sharing.configs.slices.mig" in out


def test_path_leads_into_embedded_texts(repository: Path, genvalues: Run) -> None:
    """A ConfigMap's body is a document of its own, and is explained like one."""
    genvalues("render", "site.yaml")

    path = "out/lab/manifests/device-plugin-config.yaml:data.turns.sharing.timeSlicing.resources[0].replicas"
    code, out, _ = genvalues("explain", path)

    assert code == 0
    assert out.startswith("data.turns.sharing.timeSlicing.resources[0].replicas = 4\n")
    assert "site.yaml:22:" in out


def test_default_says_that_no_line_decided_it(repository: Path, genvalues: Run) -> None:
    """Where the site is silent, a default spoke."""
    genvalues("render", "site.yaml")

    code, out, _ = genvalues("explain", "out/lab/gpu-operator/values.yaml:devicePlugin.config.default")

    assert code == 0
    assert "no line of the site decided it" in out


def test_wrong_path_names_what_is_there(repository: Path, genvalues: Run) -> None:
    """A path that leads nowhere is answered with the keys beside it."""
    genvalues("render", "site.yaml")

    code, _, err = genvalues("explain", "out/lab/gpu-operator/values.yaml:mig.strat")

    assert code == 2
    assert "mig.strategy" in err


def test_part_of_several_values_lists_the_reason_of_each(repository: Path, genvalues: Run) -> None:
    """A mapping is nobody's decision; what is in it is."""
    genvalues("render", "site.yaml")

    code, out, _ = genvalues("explain", "out/lab/gpu-operator/values.yaml:devicePlugin.config")

    assert code == 0
    assert out.splitlines()[1:] == [
        "  decided part by part:",
        "  devicePlugin.config.name: holds one key for each sharing config that a pool uses",
        "  devicePlugin.config.default: nodes without a pool share nothing",
    ]
