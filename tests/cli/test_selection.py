"""--select, --ignore and --strict: which findings are shown, and which exit code they make; and many findings."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

FAULTS = """\
apiVersion: genvalues/v1
kind: Site
name: lab
cluster: {kubernetes: "1.35.0", distribution: kubeadm}
charts: {gpuOperator: v26.7.0}
hardware:
  pools:
  - name: gpu
    os: {id: ubuntu, version: "24.04"}
    gpu: {model: l40s, count: 4, board: pcie}
driver: {version: "535.309.01"}
overrides: {gpuOperator: {operator: {logLevel: debug}}}
sharing: {configs: {idle: {timeSlicing: {replicas: 4}}}}
"""
"""An error of the output (GV901), and warnings on sharing (GV301) and drivers (GV504), all as of 2026-11-30."""


@pytest.fixture
def codes(repository: Path, genvalues: Run) -> Callable[..., tuple[int, list[str]]]:
    """Exit code and codes of `check` with some options, for the site above."""
    (repository / "site.yaml").write_text(FAULTS, "utf-8")

    def of(*options: str) -> tuple[int, list[str]]:
        code, out, _ = genvalues("check", "site.yaml", "--today", "2026-11-30", "--format", "json", *options)
        return code, sorted(finding["code"] for finding in json.loads(out)["findings"])

    return of


Codes = Callable[..., tuple[int, list[str]]]


@pytest.mark.parametrize(
    ("options", "code", "shown"),
    [
        ([], 1, ["GV301", "GV504", "GV901"]),
        (["--select", "GV9"], 1, ["GV901"]),
        (["--select", "gv301, GV504"], 0, ["GV301", "GV504"]),
        (["--select", "GV3", "--select", "GV901"], 1, ["GV301", "GV901"]),
        (["--select", "GV7"], 0, []),
        (["--ignore", "GV901"], 0, ["GV301", "GV504"]),
        (["--ignore", "GV5,GV9"], 0, ["GV301"]),
        (["--ignore", "GV"], 0, []),
        (["--ignore", "GV", "--select", "GV901"], 1, ["GV901"]),
        (["--select", "GV", "--ignore", "GV901"], 0, ["GV301", "GV504"]),
        (["--select", "GV50", "--ignore", "GV5"], 0, ["GV504"]),
        (["--strict"], 1, ["GV301", "GV504", "GV901"]),
        (["--strict", "--ignore", "GV901"], 1, ["GV301", "GV504"]),
        (["--strict", "--ignore", "GV3,GV5,GV9"], 0, []),
    ],
)
def test_codes_are_selected_and_ignored(codes: Codes, options: list[str], code: int, shown: list[str]) -> None:
    """By code or prefix, comma-separated or repeated; the longer prefix wins; what is left out fails nothing."""
    assert codes(*options) == (code, shown)


def test_remarks_never_fail(repository: Path, codes: Codes) -> None:
    """--strict is about warnings; R595 is near its end in November 2026, which is a remark (GV505)."""
    text = FAULTS.replace("535.309.01", "595.91.07").partition("overrides")[0]
    (repository / "site.yaml").write_text(text, "utf-8")

    assert codes("--strict") == (0, ["GV505"])


def test_faults_of_reading_cannot_be_left_out(repository: Path, codes: Codes) -> None:
    """What cannot be read has not been checked."""
    (repository / "site.yaml").write_text(FAULTS + "name: again\n", "utf-8")

    assert codes("--ignore", "GV", "--select", "GV9") == (1, ["GV005"])


@pytest.mark.parametrize(
    ("options", "code"),
    [([], 1), (["--ignore", "GV9"], 0), (["--select", "GV7"], 0), (["--ignore", "GV9", "--strict"], 0)],
)
def test_lint_selects_alike(repository: Path, genvalues: Run, options: list[str], code: int) -> None:
    """The same options, and the same meaning."""
    (repository / "values.yaml").write_text("operator: {logLevel: debug}\n", "utf-8")

    assert genvalues("lint", "values.yaml", "--chart", "gpu-operator@v26.7.0", *options)[0] == code


def test_ignoring_an_error_does_not_render(repository: Path, genvalues: Run) -> None:
    """--ignore is about what is shown: a site with an error is not written; that takes an entry under `accept`."""
    (repository / "site.yaml").write_text(FAULTS, "utf-8")
    genvalues("render", "site.yaml", "--ignore", "GV901")

    assert not (repository / "out").exists()


def many(count: int) -> str:
    """Values of which `count` keys do nothing, each on its line, and one is of the wrong type."""
    keys = "".join(f"  unknown{number}: x\n" for number in range(count))
    return f"operator:\n{keys}driver: {{enabled: ture}}\n"


def test_many_findings_are_counted_by_code(repository: Path, genvalues: Run) -> None:
    """From twenty on, a line for each code with its title, and the sum as the last line."""
    (repository / "values.yaml").write_text(many(30), "utf-8")
    code, out, _ = genvalues("lint", "values.yaml", "--chart", "gpu-operator@v26.7.0", "--format", "text")

    assert code == 1
    assert out.splitlines()[-3:] == [
        "   30 x GV901  A chart value that no template reads",
        "    1 x GV905  A chart value of a type that Go reads otherwise",
        "31 errors in 1 file",
    ]


def test_few_findings_are_not_counted_by_code(repository: Path, genvalues: Run) -> None:
    """Below twenty they can be read."""
    (repository / "values.yaml").write_text(many(3), "utf-8")
    _, out, _ = genvalues("lint", "values.yaml", "--chart", "gpu-operator@v26.7.0", "--format", "text")

    assert out.splitlines()[-1] == "4 errors in 1 file"
    assert " x GV" not in out


def test_quiet_leaves_out_the_counts(repository: Path, genvalues: Run) -> None:
    """Findings only."""
    (repository / "values.yaml").write_text(many(30), "utf-8")
    _, out, _ = genvalues("lint", "values.yaml", "--chart", "gpu-operator@v26.7.0", "--format", "text", "--quiet")

    assert out.splitlines()[-1] == "  explain: genvalues explain GV905"
