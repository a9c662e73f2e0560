"""The public JSON form, version 1. Keys are added, never taken away or given another meaning."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from genvalues.finding import Finding, count_by_severity, format_route
from genvalues.report import RuleMeta, Skipped


def render(findings: Sequence[Finding], skipped: Skipped, rules: Mapping[str, RuleMeta]) -> str:  # noqa: ARG001
    """One object; ASCII only, so that it survives every locale and terminal."""
    report = {
        "version": 1,
        "findings": [_finding(finding) for finding in findings],
        "skipped": [{"file": file, "reason": reason} for file, reason in skipped],
        "counts": dict(count_by_severity(findings)),
    }
    return json.dumps(report, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
    """`verdict` stands on findings about chart values only."""
    place = finding.place
    verdict = {"verdict": finding.verdict} if finding.verdict else {}
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "fix": finding.fix,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "path": format_route(finding.path),
        **verdict,
        "related": [
            {"file": other.place.file, "line": other.place.line, "column": other.place.column, "message": other.message}
            for other in finding.related
        ],
    }
