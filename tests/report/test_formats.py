"""The machine-readable formats, and how a format is chosen."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from genvalues import report
from genvalues.finding import Finding
from genvalues.report import RuleMeta

META = {
    "GV041": RuleMeta("Scalar that readers disagree on", "# GV041\n\nWhy.\n", "https://docs.example.internal/GV041")
}


def test_json_is_the_public_form(version: Finding, dead: Finding) -> None:
    """Key for key what the documentation promises; `verdict` only where there is one."""
    text = report.render("json", [version, dead], [("b.yaml", "is empty")])

    assert json.loads(text) == {
        "version": 1,
        "findings": [
            {
                "code": "GV902",
                "severity": "info",
                "message": "no template of gpu-operator v25.10.1 reads devicePlugin.mps.root",
                "fix": "",
                "file": "a, b:c%.yaml",
                "line": 1,
                "column": 1,
                "path": "",
                "verdict": "ignored",
                "related": [],
            },
            {
                "code": "GV041",
                "severity": "error",
                "message": "driver.version is read as the number 580.1",
                "fix": 'version: "580.10"',
                "file": "profiles/dc1.yaml",
                "line": 12,
                "column": 12,
                "path": "driver.version",
                "related": [
                    {"file": "out/dc1/gpu-operator/values.yaml", "line": 7, "column": 3, "message": "rendered here"},
                ],
            },
        ],
        "skipped": [{"file": "b.yaml", "reason": "is empty"}],
        "counts": {"error": 1, "warning": 0, "info": 1},
    }


def test_json_is_printable_ascii(nasty: Finding, samples: list[Finding]) -> None:
    """No byte of it can harm a terminal or fail in a locale."""
    text = report.render("json", samples)

    assert all(char == "\n" or " " <= char <= "~" for char in text)
    assert json.loads(text)["findings"][-1]["message"] == nasty.message


def test_json_without_findings() -> None:
    """The same object, empty."""
    assert json.loads(report.render("json", [])) == {
        "version": 1, "findings": [], "skipped": [], "counts": {"error": 0, "warning": 0, "info": 0},
    }  # fmt: skip


def test_github_commands(samples: list[Finding]) -> None:
    """One command a finding, its file, place and title as properties; colons and commas escaped there, `%` everywhere."""
    assert report.render("github", samples, [("c.yaml", "100%")], META).split("\n") == [
        (
            "::notice file=a%2C b%3Ac%25.yaml,line=1,col=1,endColumn=2,title=GV902"
            "::no template of gpu-operator v25.10.1 reads devicePlugin.mps.root"
        ),
        (
            "::warning file=profiles/dc1.yaml,line=3,col=1,endColumn=6,title=GV821"
            "::pool h100 has a taint that nothing tolerates%0Afix: tolerations:%0A  - key: nvidia.com/gpu%0A    operator: Exists"
        ),
        (
            "::error file=profiles/dc1.yaml,line=12,col=12,endColumn=18,title=GV041%3A Scalar that readers disagree on"
            '::driver.version is read as the number 580.1%0Afix: version: "580.10"'
            "%0Aout/dc1/gpu-operator/values.yaml:7:3: rendered here"
        ),
        (
            "::error file=x%0A.yaml,line=1,col=4,endColumn=6,title=GV600"
            '::label \\x1b[2J\\u202e<&"> 100%25 ]]>%0A::error::x%0Afix: a\\tb%0A::error::y'
        ),
        "::notice file=c.yaml,title=skipped::100%25",
        "",
    ]


def sarif(*arguments: Any) -> Any:
    return json.loads(report.render("sarif", *arguments))


def test_sarif_result_in_full(version: Finding) -> None:
    """Rule with its page, place in code points, the other place, the route, a fingerprint."""
    log = sarif([version], [("b c.yaml", "is empty")], META)
    (run,) = log["runs"]
    fingerprint = run["results"][0].pop("partialFingerprints")

    assert (log["version"], list(fingerprint), len(fingerprint["genvalues/v1"])) == ("2.1.0", ["genvalues/v1"], 64)
    assert run == {
        "tool": {
            "driver": {
                "name": "genvalues",
                "rules": [
                    {
                        "id": "GV041",
                        "defaultConfiguration": {"level": "error"},
                        "shortDescription": {"text": "Scalar that readers disagree on"},
                        "help": {"text": "# GV041\n\nWhy.\n", "markdown": "# GV041\n\nWhy.\n"},
                        "helpUri": "https://docs.example.internal/GV041",
                    }
                ],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            {
                "ruleId": "GV041",
                "ruleIndex": 0,
                "level": "error",
                "message": {"text": 'driver.version is read as the number 580.1\nfix: version: "580.10"'},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": "profiles/dc1.yaml", "uriBaseId": "%SRCROOT%"},
                            "region": {
                                "startLine": 12, "startColumn": 12, "endColumn": 18, "snippet": {"text": "  version: 580.10"},
                            },
                        },
                        "logicalLocations": [{"fullyQualifiedName": "driver.version"}],
                    }
                ],
                "relatedLocations": [
                    {
                        "id": 1,
                        "physicalLocation": {
                            "artifactLocation": {"uri": "out/dc1/gpu-operator/values.yaml", "uriBaseId": "%SRCROOT%"},
                            "region": {"startLine": 7, "startColumn": 3, "endColumn": 20, "snippet": {"text": "  version: 580.1"}},
                        },
                        "message": {"text": "rendered here"},
                    }
                ],
            }
        ],
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {
                        "level": "note",
                        "message": {"text": "skipped: is empty"},
                        "locations": [
                            {"physicalLocation": {"artifactLocation": {"uri": "b%20c.yaml", "uriBaseId": "%SRCROOT%"}}}
                        ],
                    }
                ],
            }
        ],
    }  # fmt: skip


def test_sarif_fingerprint_is_of_the_finding_not_of_its_line(version: Finding) -> None:
    """It stays when the line moves, and differs for another route and for a second finding at the same route."""
    moved = version._replace(place=version.place._replace(line=99))
    other = version._replace(path=("driver",))
    prints = [
        result["partialFingerprints"]["genvalues/v1"] for result in sarif([version, other, moved])["runs"][0]["results"]
    ]

    assert (sarif([moved])["runs"][0]["results"][0]["partialFingerprints"]["genvalues/v1"], len(set(prints))) == (
        prints[0],
        3,
    )


def test_sarif_rules_and_levels(samples: list[Finding]) -> None:
    """Each rule once, results point at theirs; info is a note; a verdict is a property; odd names are escaped."""
    (run,) = sarif(samples)["runs"]

    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
        ("GV902", "note"), ("GV821", "warning"), ("GV041", "error"), ("GV600", "error"),
    ]  # fmt: skip
    assert run["results"][0]["properties"] == {"verdict": "ignored"}
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert uris == ["a%2C%20b%3Ac%25.yaml", "profiles/dc1.yaml", "profiles/dc1.yaml", "x%0A.yaml"]


def test_sarif_absolute_path_is_a_file_address(version: Finding) -> None:
    """Only relative paths are relative to the checkout."""
    absolute = version._replace(place=version.place._replace(file="/srv/a b.yaml"))
    location = sarif([absolute])["runs"][0]["results"][0]["locations"][0]

    assert location["physicalLocation"]["artifactLocation"] == {"uri": "file:///srv/a%20b.yaml"}


@pytest.mark.skipif(
    "SARIF_SCHEMA" not in os.environ,
    reason="SARIF_SCHEMA does not name the official schema (sarif-2.1.0.json, as in npm's @microsoft/sarif-multitool-linux)",
)
def test_sarif_is_valid_by_the_official_schema(samples: list[Finding]) -> None:
    """OASIS's own schema accepts the log, with findings and without."""
    schema = json.loads(Path(os.environ["SARIF_SCHEMA"]).read_text(encoding="utf-8-sig"))

    for findings in ([], samples):
        jsonschema.validate(sarif(findings, [("b.yaml", "r")], META), schema)


def test_junit_counts_and_cases(version: Finding, samples: list[Finding]) -> None:
    """A suite per file, a case per finding: errors and warnings fail, infos pass with output, skipped files are skipped."""
    root = ET.fromstring(report.render("junit", samples, [("c.yaml", "is empty")]))

    assert root.attrib == {"name": "genvalues", "tests": "5", "failures": "3", "errors": "0"}
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("skipped")) for suite in root] == [
        ("a, b:c%.yaml", "1", "0", "0"),
        ("profiles/dc1.yaml", "2", "2", "0"),
        ("x\\n.yaml", "1", "1", "0"),
        ("c.yaml", "1", "0", "1"),
    ]
    assert [(case.get("name"), case.get("line"), [part.tag for part in case]) for case in root.iter("testcase")] == [
        ("GV902 (line 1)", "1", ["system-out"]),
        ('GV821 hardware.pools[0].taints[0]["nvidia.com/gpu"] (line 3)', "3", ["failure"]),
        ("GV041 driver.version (line 12)", "12", ["failure"]),
        ('GV600 labels["a.b/\\x1b"] (line 1)', "1", ["failure"]),
        ("skipped", None, ["skipped"]),
    ]
    failure = [case.find("failure") for case in root.iter("testcase")][2]
    assert failure is not None
    assert (failure.get("type"), failure.get("message"), failure.text) == (
        "error",
        version.message,
        (
            "profiles/dc1.yaml:12:12: error GV041: driver.version is read as the number 580.1\n"
            'fix: version: "580.10"\nnote: out/dc1/gpu-operator/values.yaml:7:3: rendered here'
        ),
    )


def test_junit_without_findings_has_a_case_that_passes() -> None:
    """An empty report looks broken to some systems."""
    root = ET.fromstring(report.render("junit", []))

    assert [(case.get("name"), list(case)) for case in root.iter("testcase")] == [("no findings", [])]


def test_junit_names_twins_apart(version: Finding) -> None:
    """Two findings of one code at one place are two cases."""
    root = ET.fromstring(report.render("junit", [version, version._replace(message="another")]))

    assert [case.get("name") for case in root.iter("testcase")] == [
        "GV041 driver.version (line 12)",
        "GV041 driver.version (line 12) 2",
    ]


def test_findings_are_sorted(version: Finding, taint: Finding, samples: list[Finding]) -> None:
    """By file, line, column, code and message, whatever order they come in, in every format."""
    same = [version._replace(code="GV040"), version._replace(message="a"), version]
    for name in report.FORMATS:
        assert report.render(name, [*same, *samples]) == report.render(name, [*reversed(samples), *reversed(same)])
    codes = [found["code"] for found in json.loads(report.render("json", [version, taint, *same]))["findings"]]
    assert codes == ["GV821", "GV040", "GV041", "GV041", "GV041"]


def test_every_format_is_there_and_no_other() -> None:
    """`get` knows exactly `FORMATS`."""
    assert [callable(report.get(name)) for name in report.FORMATS] == [True] * 5
    with pytest.raises(KeyError):
        report.get("xml")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, "text"), ({"GITHUB_ACTIONS": "true"}, "github"), ({"GITHUB_ACTIONS": "false"}, "text")],
)
def test_default_format(environment: dict[str, str], expected: str) -> None:
    """GitHub Actions says so by itself."""
    assert report.default_format(environment) == expected


def test_default_format_reads_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process's own, where none is given."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert report.default_format() == "github"


class Stream:
    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {"NO_COLOR": ""}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(terminal: bool, environment: dict[str, str], expected: bool) -> None:
    """Never into a file or a pipe, and not where NO_COLOR is set to anything."""
    assert report.wants_colour(Stream(terminal), environment) is expected


def test_text_and_json_load_little() -> None:
    """The formats of the hot path bring in no library beyond json and what the words already need."""
    code = (
        "import re, sys, typing, collections, json, genvalues.finding\n"
        "before = set(sys.modules)\n"
        "from genvalues import report\n"
        "report.render('text', [], []); report.render('json', [], [])\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.split() == [
        "genvalues.report",
        "genvalues.report.json",
        "genvalues.report.text",
        "genvalues.visible",
    ]
