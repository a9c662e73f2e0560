"""A repository of its own for each test, and the command line as a function."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from genvalues.cli.main import run

SITE = """\
apiVersion: genvalues/v1
kind: Site
name: lab
cluster: {kubernetes: "1.34.2", distribution: kubeadm}
charts: {gpuOperator: v26.7.0}
hardware:
  defaults:
    os: {id: ubuntu, version: "24.04"}
    taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
  pools:
  - name: a
    nodes: {namePattern: "^a-"}
    gpu: {model: a100-sxm4-40gb, count: 4, board: pcie}
    sharing: slices
  - name: b
    nodes: {namePattern: "^b-"}
    gpu: {model: l4, count: 2}
    sharing: turns
sharing:
  configs:
    slices: {mig: {layouts: [{gpus: all, profiles: {1g.5gb: 7}}]}}
    turns: {timeSlicing: {replicas: 4}}
"""

Result = tuple[int, str, str]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with the site lab in it, as the working folder."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "site.yaml").write_text(SITE, "utf-8")
    return tmp_path


@pytest.fixture
def genvalues(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run a command line: exit code, standard output, standard error."""

    def call(*arguments: str) -> Result:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    return {os.path.relpath(path, folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
