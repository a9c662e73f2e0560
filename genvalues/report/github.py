"""Findings as workflow commands of GitHub Actions, which shows them at the lines of a pull request.

Grammar and escapes: github.com/actions/toolkit, packages/core/src/command.ts.
"""

from collections.abc import Mapping, Sequence

from genvalues.finding import Finding
from genvalues.report import RuleMeta, Skipped
from genvalues.visible import visible

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(findings: Sequence[Finding], skipped: Skipped, rules: Mapping[str, RuleMeta]) -> str:
    """One command a line; a skipped file is a notice."""
    lines = [_finding(finding, rules) for finding in findings]
    lines += [f"::notice file={_property(file)},title=skipped::{_data(reason)}" for file, reason in skipped]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding, rules: Mapping[str, RuleMeta]) -> str:
    place = finding.place
    title = f"{finding.code}: {rules[finding.code].title}" if finding.code in rules else finding.code
    properties = {
        "file": place.file,
        "line": str(place.line),
        "col": str(place.column),
        "endColumn": str(place.end_column),
        "title": title,
    }
    notes = [
        f"{other.place.file}:{other.place.line}:{other.place.column}: {other.message}" for other in finding.related
    ]
    text = "\n".join([finding.message, *([f"fix: {finding.fix}"] if finding.fix else []), *notes])
    spelt = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {spelt}::{_data(text)}"


def _data(text: str) -> str:
    """A message: `%` and line ends escaped; anything else unseen is made visible first."""
    return "%0A".join(visible(line).replace("%", "%25") for line in text.split("\n"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
