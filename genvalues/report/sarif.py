"""Findings as SARIF 2.1.0 (OASIS), for code scanning and editors. Columns count code points, and the log says so."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from genvalues.finding import Finding, Place, format_route
from genvalues.index import digest
from genvalues.report import RuleMeta, Skipped

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(findings: Sequence[Finding], skipped: Skipped, rules: Mapping[str, RuleMeta]) -> str:
    """One log with one run. Rules are those that found something; skipped files are notifications of the run."""
    codes = sorted({finding.code for finding in findings})
    severities = {finding.code: finding.severity for finding in findings}
    run = {
        "tool": {
            "driver": {
                "name": "genvalues",
                "rules": [_rule(code, _LEVELS[severities[code]], rules.get(code)) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": _results(findings, codes),
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(file, reason) for file, reason in skipped],
            }
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str, level: str, meta: RuleMeta | None) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": code, "defaultConfiguration": {"level": level}}
    if meta:
        rule["shortDescription"] = {"text": meta.title or code}
        if meta.help:
            rule["help"] = {"text": meta.help, "markdown": meta.help}
        if meta.page.startswith(("https://", "http://")):
            rule["helpUri"] = meta.page
    return rule


def _results(findings: Sequence[Finding], codes: Sequence[str]) -> list[dict[str, Any]]:
    """A fingerprint is code, file and route, so that a finding stays itself when lines move; twins are numbered."""
    seen: Counter[tuple[str, str, str]] = Counter()
    results = []
    for finding in findings:
        key = (finding.code, finding.place.file, format_route(finding.path))
        seen[key] += 1
        identity = "\0".join([*key, str(seen[key])])
        result: dict[str, Any] = {
            "ruleId": finding.code,
            "ruleIndex": codes.index(finding.code),
            "level": _LEVELS[finding.severity],
            "message": {"text": f"{finding.message}\nfix: {finding.fix}" if finding.fix else finding.message},
            "locations": [_location(finding.place, key[2])],
            "partialFingerprints": {"genvalues/v1": digest(identity.encode("utf-8", "backslashreplace"))},
        }
        if finding.related:
            result["relatedLocations"] = [
                {"id": number, **_location(other.place), "message": {"text": other.message}}
                for number, other in enumerate(finding.related, 1)
            ]
        if finding.verdict:
            result["properties"] = {"verdict": finding.verdict}
        results.append(result)
    return results


def _location(place: Place, path: str = "") -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": place.line, "startColumn": place.column, "endColumn": place.end_column}
    if place.excerpt:
        region["snippet"] = {"text": place.excerpt}
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(place.file), "region": region}}
    if path:
        location["logicalLocations"] = [{"fullyQualifiedName": path}]
    return location


def _artifact(file: str) -> dict[str, str]:
    """A relative path is relative to the root of the checkout, as code scanning expects."""
    path = quote(file.replace("\\", "/").removeprefix("./").encode("utf-8", "backslashreplace"))
    return {"uri": f"file://{path}"} if path.startswith("/") else {"uri": path, "uriBaseId": "%SRCROOT%"}


def _notification(file: str, reason: str) -> dict[str, Any]:
    return {
        "level": "note",
        "message": {"text": f"skipped: {reason}"},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(file)}}],
    }
