"""What leaves a command: the format that is chosen, further reports, and what lists and pages say of every rule."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from genvalues import rules
from genvalues.cli.rules import family

Run = Callable[..., tuple[int, str, str]]

VALUES = "devicePlugin: {config: {nmae: x}}\ndriver: {enabled: ture}\n"


@pytest.fixture
def lint(repository: Path, genvalues: Run) -> Run:
    """`lint` of values with a key that does nothing and one of the wrong type."""
    (repository / "values.yaml").write_text(VALUES, "utf-8")
    return lambda *options: genvalues("lint", "values.yaml", "--chart", "gpu-operator@v26.7.0", *options)


def test_json_of_a_run_is_the_public_form(lint: Run) -> None:
    """The keys that design and documentation promise, in their order; `verdict` on findings about chart values."""
    code, out, _ = lint("--format", "json")
    form = json.loads(out)

    assert code == 1
    assert list(form) == ["version", "findings", "skipped", "counts"]
    assert (form["version"], form["skipped"], form["counts"]) == (1, [], {"error": 2, "warning": 0, "info": 0})
    assert [list(finding) for finding in form["findings"]] == [
        ["code", "severity", "message", "fix", "file", "line", "column", "path", "verdict", "related"]
    ] * 2
    assert [(f["code"], f["line"], f["column"], f["path"], f["verdict"]) for f in form["findings"]] == [
        ("GV901", 1, 25, "devicePlugin.config.nmae", "ignored"),
        ("GV905", 2, 19, "driver.enabled", "mistyped"),
    ]


def test_github_is_picked_by_itself(lint: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Actions findings are annotations with the title of their rule; --format has the last word."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    _, annotations, _ = lint()
    _, text, _ = lint("--format", "text")

    assert [line.split("::")[1] for line in annotations.splitlines()] == [
        "error file=values.yaml,line=1,col=25,endColumn=29,title=GV901%3A A chart value that no template reads",
        "error file=values.yaml,line=2,col=19,endColumn=23,title=GV905%3A A chart value of a type that Go reads otherwise",
    ]
    assert text.startswith("values.yaml:1:25: error GV901: ")


def test_further_reports_go_into_files(lint: Run, repository: Path) -> None:
    """Any number beside the one that is printed, and with the same findings."""
    code, out, _ = lint(
        "--format", "text", "--report", "sarif=a.sarif", "--report", "junit=b.xml", "--report", "json=c.json"
    )
    (run,) = json.loads((repository / "a.sarif").read_text("utf-8"))["runs"]
    rule = run["tool"]["driver"]["rules"][0]

    assert code == 1
    assert out.startswith("values.yaml:1:25: error GV901: ")
    assert [result["ruleId"] for result in run["results"]] == ["GV901", "GV905"]
    assert (rule["id"], rule["help"]["markdown"].split("\n")[0]) == (
        "GV901",
        "# GV901 A chart value that no template reads",
    )
    assert (repository / "b.xml").read_text("utf-8").count("<failure ") == 2
    assert len(json.loads((repository / "c.json").read_text("utf-8"))["findings"]) == 2


@pytest.mark.parametrize("option", ["sarif", "sarif=", "xml=a", "=a"])
def test_report_is_a_format_and_a_file(lint: Run, option: str) -> None:
    """Anything else is wrong use."""
    code, _, err = lint("--report", option)

    assert code == 2
    assert "--report wants FORMAT=FILE" in err


def test_rules_as_json_are_all_and_whole(genvalues: Run) -> None:
    """Code, family, severity, title and since of each, by code; well over the ninety that were asked for."""
    code, out, _ = genvalues("rules", "--format", "json")
    listed = json.loads(out)

    assert code == 0
    assert [tuple(rule) for rule in listed] == [("code", "family", "severity", "title", "since")] * len(listed)
    assert [rule["code"] for rule in listed] == sorted(rules.by_code())
    assert [
        rule for rule in listed if not all(rule.values()) or rule["severity"] not in ("error", "warning", "info")
    ] == []
    assert len(listed) > 90


# design.md, section 7: codes are grouped by number.
@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("GV001", "source"), ("GV101", "shape"), ("GV200", "hardware and pools"), ("GV300", "sharing"), ("GV401", "MIG"), ("GV500", "driver"),
        ("GV539", "driver"), ("GV540", "operator"), ("GV569", "operator"), ("GV570", "offline"), ("GV599", "offline"), ("GV600", "NFD and labels"),
        ("GV660", "RDMA and network"), ("GV699", "RDMA and network"), ("GV700", "DCGM and monitoring"), ("GV800", "scheduling"),
        ("GV900", "output, contracts and drift"), ("GV949", "output, contracts and drift"), ("GV950", "delivery"),
    ],
)  # fmt: skip
def test_families_by_number(code: str, name: str) -> None:
    """The borders are where the numbering has them."""
    assert family(code) == name


@pytest.mark.parametrize("rule", rules.by_code())
def test_every_code_is_explained(genvalues: Run, rule: str) -> None:
    """Why, Bad, Good and Source in this order, or the reason why no page can hold an example."""
    code, out, _ = genvalues("explain", rule)
    headings = re.findall(r"^## (.+)$", out, re.MULTILINE)
    bare = "\nNo example: " in out

    assert code == 0
    assert out.startswith(f"# {rule} {rules.by_code()[rule].title}\n")
    assert list(dict.fromkeys(headings)) == (["Why", "Source"] if bare else ["Why", "Bad", "Good", "Source"])
    assert ("# expect: " in out) != bare
