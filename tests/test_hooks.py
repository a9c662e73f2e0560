"""The hooks that pre-commit is offered. How pre-commit itself installs and runs them needs a network, and is tried by hand."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from genvalues.cli.main import run

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook
    for hook in yaml.safe_load(Path(__file__).parents[1].joinpath(".pre-commit-hooks.yaml").read_text("utf-8"))
}
SITE = """\
apiVersion: genvalues/v1
kind: Site
name: lab
cluster: {kubernetes: "1.35.0", distribution: kubeadm}
charts: {gpuOperator: v26.7.0}
hardware:
  pools:
  - {name: l40s, os: {id: ubuntu, version: "24.04"}, gpu: {model: l40s, count: 4}}
"""


def test_three_hooks_are_offered() -> None:
    """Their names are what repositories refer to."""
    assert sorted(HOOKS) == ["genvalues-check", "genvalues-lint", "genvalues-render"]


# As pre-commit matches: re.search of `files`, and not of `exclude`.
@pytest.mark.parametrize(
    ("file", "hooks"),
    [
        ("site.yaml", ["check", "lint", "render"]),
        ("clusters/a/site.yml", ["check", "lint", "render"]),
        ("sites/base/common.yaml", ["check", "lint", "render"]),
        ("profiles/pki/ca.pem", ["check", "render"]),
        ("out/lab/gpu-operator/values.yaml", ["render"]),
        ("out/lab/host/etc/modprobe.d/genvalues-nvidia.conf", ["render"]),
        ("charts/values.yaml", ["lint"]),
        ("dcgm/metrics.csv", ["lint"]),
        ("about/values.yaml", ["lint"]),
        ("website.yaml", ["lint"]),
        ("README.md", []),
    ],
)
def test_files_that_start_a_hook(file: str, hooks: list[str]) -> None:
    """Sites and what belongs to them; renderings for the hook that compares them; any other YAML or CSV for lint."""
    started = [
        name
        for name, hook in sorted(HOOKS.items())
        if re.search(hook["files"], file) and not re.search(hook.get("exclude", "^$"), file)
    ]

    assert started == [f"genvalues-{name}" for name in hooks]


@pytest.mark.parametrize(
    ("hook", "spoilt", "code"),
    [
        ("genvalues-check", None, 0),
        ("genvalues-check", ("sites/lab.yaml", "l40s, count", "l40ss, count"), 1),
        ("genvalues-render", None, 0),
        ("genvalues-render", ("out/lab/gpu-operator/values.yaml", "driver", "driverr"), 1),
        ("genvalues-lint", None, 0),
        ("genvalues-lint", ("values.yaml", "toolkit", "toolkitt"), 1),
    ],
)
def test_entries_are_command_lines(
    hook: str, spoilt: tuple[str, str, str] | None, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each runs as pre-commit would run it, in a repository that is in order and in one that is not."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "lab.yaml").write_text(SITE, "utf-8")
    (tmp_path / "values.yaml").write_text(
        "driver: {version: 580.173.02}\ntoolkit: {enabled: true}\nmigManager: {}\n", "utf-8"
    )
    assert run(["render", "sites/lab.yaml"]) == 0
    if spoilt is not None:
        path, old, new = spoilt
        (tmp_path / path).write_text((tmp_path / path).read_text("utf-8").replace(old, new), "utf-8")
    program, *arguments = shlex.split(HOOKS[hook]["entry"])
    passed = [] if HOOKS[hook].get("pass_filenames") is False else ["values.yaml"]

    assert program == "genvalues"
    assert run([*arguments, *passed]) == code
