"""The programs behind the Makefile: what they decide, with pip and Go replaced."""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tool_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


environment, go_tool, bench = load("environment"), load("go_tool"), load("bench")

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
[project]
dependencies = ["click"]
[project.optional-dependencies]
test = ["pytest"]
lint = ["ruff"]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with an existing .venv."""
    (tmp_path / "genvalues" / "__pycache__").mkdir(parents=True)
    (tmp_path / "schemas").mkdir()
    (tmp_path / ".venv").mkdir()
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (tmp_path / "genvalues" / "a.py").write_text("A = 1\n", encoding="utf-8")
    (tmp_path / "genvalues" / "__pycache__" / "a.pyc").write_text("x", encoding="utf-8")
    (tmp_path / "schemas" / "s.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(environment, "ROOT", str(tmp_path))
    monkeypatch.setattr(environment, "VENV", str(tmp_path / ".venv"))
    return tmp_path


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The calls of pip, none of which does anything."""
    calls: list[tuple[str, ...]] = []

    def record(*arguments: str) -> int:
        calls.append(arguments)
        return 0

    monkeypatch.setattr(environment, "_pip", record)
    return calls


def test_requirements_are_installed_once(project: Path, pip: list[tuple[str, ...]]) -> None:
    """Each requirement once, whatever extras are asked for in which order; a new one alone."""
    environment.install_requirements(["test"])
    environment.install_requirements([])
    environment.install_requirements(["test", "lint"])
    (project / "pyproject.toml").write_text(PYPROJECT.replace('"click"', '"click>=9"'), encoding="utf-8")
    environment.install_requirements(["test"])

    assert pip == [("install", "hatchling", "click", "pytest"), ("install", "ruff"), ("install", "click>=9")]


def test_the_wheel_is_rebuilt_when_its_sources_change(project: Path, pip: list[tuple[str, ...]]) -> None:
    """An edit, a new file and a removed file rebuild it; an untouched tree and compiled files do not."""
    counts = []

    def install() -> None:
        environment.install_wheel()
        counts.append(len(pip))

    install()
    install()
    (project / "genvalues" / "__pycache__" / "b.pyc").write_text("y", encoding="utf-8")
    install()
    (project / "schemas" / "s.json").write_text('{"a": 1}', encoding="utf-8")
    install()
    (project / "genvalues" / "b.py").write_text("", encoding="utf-8")
    install()
    (project / "genvalues" / "b.py").unlink()
    install()

    assert counts == [1, 1, 1, 2, 3, 4]


def test_a_failing_pip_leaves_no_stamp(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error says what to look at, and the next run tries again."""
    monkeypatch.setattr(environment, "_pip", lambda *_: 1)
    monkeypatch.setattr(environment, "make_venv", lambda: None)

    assert environment.main(["test"]) == 1
    assert "is there a package index" in capsys.readouterr().err
    assert list((project / ".venv").iterdir()) == []


@pytest.fixture
def no_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither kubeconform nor Go on PATH, nothing in .tools."""
    monkeypatch.setattr(go_tool, "BIN", str(tmp_path / "bin"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_a_tool_on_path_is_taken(no_tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is built where PATH has it."""
    program = no_tools / "kubeconform"
    program.write_text("", encoding="utf-8")
    program.chmod(0o755)

    assert go_tool.main("kubeconform") == 0
    assert capsys.readouterr().out == f"kubeconform: {program}\n"


@pytest.mark.parametrize(
    ("on_path", "of_pypi", "working", "code", "tried"),
    [
        ("/go", "/pypi/go", {"/go"}, 0, ["/go"]),
        ("/go", "/pypi/go", {"/pypi/go"}, 0, ["/go", "/pypi/go"]),
        (None, "/pypi/go", {"/pypi/go"}, 0, ["/pypi/go"]),
        (None, None, set(), 1, []),
        ("/go", "/pypi/go", set(), 1, ["/go", "/pypi/go"]),
    ],
)
def test_go_of_path_comes_before_go_of_pypi(
    no_tools: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    on_path: str | None,
    of_pypi: str | None,
    working: set[str],
    code: int,
    tried: list[str],
) -> None:
    """One after the other until one builds it; where none does, the exit code and a sentence say so."""
    attempts: list[str] = []

    def build(go: str, _: str) -> bool:
        attempts.append(go)
        return go in working

    monkeypatch.setattr(go_tool, "_build", build)
    monkeypatch.setattr(go_tool, "_go_of_pypi", lambda: of_pypi)
    monkeypatch.setattr(go_tool.shutil, "which", lambda name, **_: on_path if name == "go" else None)

    assert go_tool.main("kubeconform") == code
    assert attempts == tried
    assert ("could not be built" in capsys.readouterr().err) == (code == 1)


def test_a_build_leaves_the_program_and_no_caches(no_tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go is told to keep everything below .tools, and what is not the program goes again."""
    seen: dict[str, Any] = {}

    def run(command: list[str], env: dict[str, str], check: bool) -> SimpleNamespace:
        seen.update(command=command, env=env)
        (no_tools / "build" / "path").mkdir(parents=True)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(go_tool, "TOOLS", str(no_tools))
    monkeypatch.setattr(go_tool.subprocess, "run", run)

    assert go_tool._build("/go", "kubeconform")
    assert seen["command"] == ["/go", "install", "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0"]
    assert seen["env"]["GOBIN"] == str(no_tools / "bin")
    assert not (no_tools / "build").exists()


def test_the_table_compares_within_rounds() -> None:
    """Medians of each column, and the median of each round's own ratio; a failed command shows its exit code."""
    samples = {
        "python -c pass": [(10.0, 9.0, 9.0), (20.0, 9.0, 9.0), (10.0, 9.0, 9.0)],
        "imports": [(100.0, 90.0, 27.0), (200.0, 100.0, 27.0), (150.0, 100.0, 28.0)],
        "genvalues check": [(60.0, 63.0, 20.0), (120.0, 65.0, 21.0), (75.0, 60.0, 22.0)],
    }

    rows = bench.table(samples, {"genvalues check": 3}).splitlines()[4:]

    assert rows == [
        "| python -c pass | 10.0 | 10.0 | 9.0 | 9.0 | 0.10 | 0.09 | 1.0 |",
        "| imports | 150.0 | 100.0 | 100.0 | 27.0 | 1.00 | 1.00 | 10.0 |",
        "| genvalues check (exit 3) | 75.0 | 60.0 | 63.0 | 21.0 | 0.60 | 0.65 | 6.0 |",
    ]


def test_a_run_is_measured_with_its_exit_code() -> None:
    """Wall time, processor time, memory and exit code are those of the child."""
    sample, code = bench.measure([sys.executable, "-c", "import sys, time; time.sleep(0.3); sys.exit(3)"])
    wall, busy, megabytes = sample

    assert code == 3
    assert wall >= 300
    assert busy <= wall
    assert 1 < megabytes < 1000


def test_helm_is_measured_only_with_a_chart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """HELM and CHART name them; a folder without Chart.yaml is no chart."""
    (tmp_path / "helm").write_text("", encoding="utf-8")
    os.chmod(tmp_path / "helm", 0o755)
    monkeypatch.setenv("HELM", str(tmp_path / "helm"))
    monkeypatch.setenv("CHART", str(tmp_path))
    monkeypatch.delenv("GENVALUES_CHARTS", raising=False)
    assert bench.found_helm() == (str(tmp_path / "helm"), None)

    (tmp_path / "Chart.yaml").write_text("", encoding="utf-8")
    assert bench.found_helm() == (str(tmp_path / "helm"), str(tmp_path))
