"""genvalues lint on the command line: exit codes, standard input, folders, formats, corrections."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

from genvalues.cli.main import run

DEAD = "operator:\n  defaultRuntime: crio  # old\n  upgradeCRD: true\n"
CHART = ("--chart", "gpu-operator@v25.10.1")


def write(folder: Path, **files: str) -> str:
    """Files of a folder, `__` in a name for a slash; the folder."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)


def test_clean_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, and no word."""
    write(tmp_path, a="driver: {enabled: false}\n")

    assert (0, "") == (run(["lint", str(tmp_path / "a.yaml"), *CHART]), capsys.readouterr().out)


def test_faulty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1; the first line has file, line, column, severity, code and message."""
    write(tmp_path, a=DEAD)
    code = run(["lint", str(tmp_path / "a.yaml"), *CHART])

    assert (1, True) == (
        code,
        capsys.readouterr().out.startswith(f"{tmp_path}/a.yaml:2:3: error GV901: operator.defaultRuntime does"),
    )


def test_remark_is_no_failure(tmp_path: Path) -> None:
    """An assumption is an info: exit 0, with --strict as well."""
    write(tmp_path, a="migManager: {enabled: false}\n")

    assert 0 == run(["lint", "--strict", str(tmp_path / "a.yaml")])


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is a finding."""
    assert (1, True) == (run(["lint", "/nowhere.yaml"]), "GV002" in capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("a.yaml", "--chart", "gpu-operator"),
        ("a.yaml", "--chart", "falco@1.0.0"),
        ("a.yaml", "--as", "nonsense"),
        ("a.yaml", "--contract", "/nowhere"),
        ("-", "--fix"),
    ],
)
def test_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    """Exit 2."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))

    assert 2 == run(["lint", *arguments])


def test_folder_without_a_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, and what is looked for."""
    write(tmp_path, a=DEAD)

    assert 2 == run(["lint", str(tmp_path / "a.yaml"), "--contract", str(tmp_path)])
    assert "there is no values.json or index.json" in capsys.readouterr().err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`-` is judged as a file called <stdin>."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DEAD.encode())))

    assert (1, True) == (run(["lint", "-", *CHART]), capsys.readouterr().out.startswith("<stdin>:2:3: error GV901"))


def test_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder stands for the YAML and CSV files in it; hidden ones and others stay out; each file once."""
    folder = write(tmp_path, a__b=DEAD, a__c="kind: Namespace\napiVersion: v1\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.yaml").write_text(DEAD)
    (tmp_path / "a" / "notes.txt").write_text(DEAD)
    (tmp_path / "m.csv").write_text("DCGM_FI_DEV_GPU_UTIX, gauge, use\n")
    code = run(["lint", folder, str(tmp_path / "a"), *CHART, "--format", "json"])
    report = json.loads(capsys.readouterr().out)

    assert 1 == code
    assert [("GV901", "b.yaml"), ("GV700", "m.csv")] == [(f["code"], Path(f["file"]).name) for f in report["findings"]]
    assert [{"file": f"{tmp_path}/a/c.yaml", "reason": "a Namespace, which genvalues does not judge"}] == report[
        "skipped"
    ]


def test_skipped_in_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is skipped is named, and left out with --quiet."""
    write(tmp_path, a="kind: Namespace\napiVersion: v1\n")

    assert 0 == run(["lint", str(tmp_path / "a.yaml")])
    assert f"skipped {tmp_path}/a.yaml: a Namespace, which genvalues does not judge\n" == capsys.readouterr().out
    assert (0, "") == (run(["lint", "-q", str(tmp_path / "a.yaml")]), capsys.readouterr().out)


def test_json_of_a_chart_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The public form has the verdict, and the path from the top of the file."""
    write(tmp_path, a="gpu-operator:\n  operator: {defaultRuntime: crio}\n")
    run(["lint", str(tmp_path / "a.yaml"), *CHART, "--format", "json"])
    [finding] = json.loads(capsys.readouterr().out)["findings"]

    assert ("ignored", "gpu-operator.operator.defaultRuntime", 2, 14) == (
        finding["verdict"], finding["path"], finding["line"], finding["column"],
    )  # fmt: skip


def test_select(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Findings are chosen as by check."""
    write(tmp_path, a=DEAD)

    assert (0, "") == (run(["lint", str(tmp_path / "a.yaml"), *CHART, "--ignore", "GV901"]), capsys.readouterr().out)


def test_diff_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--diff shows what --fix would do, and the findings as they are."""
    write(tmp_path, a=DEAD)
    code = run(["lint", "--diff", str(tmp_path / "a.yaml"), *CHART])
    out = capsys.readouterr().out

    assert (1, DEAD) == (code, (tmp_path / "a.yaml").read_text())
    assert "-  defaultRuntime: crio  # old\n" in out
    assert "error GV901" in out


def test_fix_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--fix corrects the file, keeps its permissions, shows the difference, and reports what is left."""
    write(tmp_path, a=DEAD)
    (tmp_path / "a.yaml").chmod(0o640)
    code = run(["lint", "--fix", str(tmp_path / "a.yaml"), *CHART])

    assert (0, "operator:\n  upgradeCRD: true\n", 0o640) == (
        code, (tmp_path / "a.yaml").read_text(), (tmp_path / "a.yaml").stat().st_mode & 0o777,
    )  # fmt: skip
    assert "-  defaultRuntime: crio  # old\n" in capsys.readouterr().out
    assert ["a.yaml"] == [path.name for path in tmp_path.iterdir()]


def test_fix_beside_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A machine's format stays whole: the difference goes to standard error."""
    write(tmp_path, a=DEAD)
    run(["lint", "--diff", str(tmp_path / "a.yaml"), *CHART, "--format", "json"])
    captured = capsys.readouterr()

    assert ("GV901", True) == (json.loads(captured.out)["findings"][0]["code"], captured.err.startswith("--- "))


def test_chart_beside_the_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The Chart.yaml beside an umbrella's values tells the version of its dependency."""
    write(tmp_path, values="gpu-operator: {operator: {defaultRuntime: crio}}\n")
    (tmp_path / "Chart.yaml").write_text(
        "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies: [{name: gpu-operator, version: v24.9.2}]\n"
    )

    assert (0, "") == (run(["lint", str(tmp_path / "values.yaml")]), capsys.readouterr().out)


def test_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that are no UTF-8 are a finding."""
    (tmp_path / "a.yaml").write_bytes(b"driver: \xff\n")

    assert (1, True) == (run(["lint", str(tmp_path / "a.yaml")]), "GV003" in capsys.readouterr().out)


def test_links_out_of_the_repository_and_pipes_are_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a stranger's branch may hold: a link to a file of the machine, and a pipe that never ends."""
    folder = tmp_path / "repository"
    write(folder, a=DEAD)
    (folder / ".git").mkdir()
    (tmp_path / "environ").write_text("TOKEN=hunter2\0")
    (folder / "b.yaml").symlink_to(tmp_path / "environ")
    os.mkfifo(folder / "c.yaml")
    code = run(["lint", str(folder), *CHART])
    out = capsys.readouterr().out

    assert (1, False) == (code, "hunter2" in out)
    assert [line.split(": ")[1] for line in out.splitlines() if ": error " in line] == ["error GV901", "error GV002"]
