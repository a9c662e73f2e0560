"""Findings as JUnit XML, for CI systems that show test reports: a suite per file, a case per finding.

Errors and warnings are failures (`type` says which), infos pass with their text as output, skipped files are skipped.
Without any of them there is one case that passes: some systems take an empty report for a broken one. There is no schema
that all systems share; the report is valid by that of Jenkins' xUnit plugin (junit-10.xsd) but for `file` and `line` of a
case, by which GitLab links to the source. GitLab shows only the first of several cases of one name, so twins are numbered.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from genvalues.finding import Finding, format_route
from genvalues.report import RuleMeta, Skipped, text
from genvalues.visible import visible

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def render(findings: Sequence[Finding], skipped: Skipped, rules: Mapping[str, RuleMeta]) -> str:  # noqa: ARG001
    """One `testsuites` document; findings of one file must stand together, as sorting leaves them."""
    failures = sum(finding.severity != "info" for finding in findings)
    total = len(findings) + len(skipped) or 1
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="genvalues" tests="{total}" failures="{failures}" errors="0">',
    ]
    for file, group in groupby(findings, key=lambda finding: finding.place.file):
        lines += _suite(file, list(group))
    for file, reason in skipped:
        lines += [
            f'  <testsuite name="{_safe(file)}" tests="1" failures="0" errors="0" skipped="1">',
            f'    <testcase classname="{_safe(file)}" name="skipped"><skipped message="{_safe(reason)}"/></testcase>',
            "  </testsuite>",
        ]
    if not findings and not skipped:
        lines += [
            '  <testsuite name="genvalues" tests="1" failures="0" errors="0" skipped="0">',
            '    <testcase classname="genvalues" name="no findings"/>',
            "  </testsuite>",
        ]
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(file: str, findings: Sequence[Finding]) -> Iterator[str]:
    failures = sum(finding.severity != "info" for finding in findings)
    yield f'  <testsuite name="{_safe(file)}" tests="{len(findings)}" failures="{failures}" errors="0" skipped="0">'
    seen: Counter[str] = Counter()
    for finding in findings:
        path = format_route(finding.path)
        name = " ".join([finding.code, *([path] if path else []), f"(line {finding.place.line})"])
        seen[name] += 1
        name += f" {seen[name]}" if seen[name] > 1 else ""
        yield f'    <testcase classname="{_safe(file)}" name="{_safe(name)}" file="{_safe(file)}" line="{finding.place.line}">'
        if finding.severity == "info":
            yield f"      <system-out>{_body(finding)}</system-out>"
        else:
            yield f'      <failure type="{finding.severity}" message="{_safe(finding.message)}">{_body(finding)}</failure>'
        yield "    </testcase>"
    yield "  </testsuite>"


def _body(finding: Finding) -> str:
    lines = [text.headline(finding)]
    if finding.fix:
        lines += [f"fix: {finding.fix}"]
    lines += [f"note: {text.position(other.place)}: {other.message}" for other in finding.related]
    return "\n".join(_safe(line) for whole in lines for line in whole.split("\n"))


def _safe(words: str) -> str:
    """Characters that XML 1.0 cannot hold become visible escapes, its own become entities."""
    return "".join(_ESCAPES.get(char, char) for char in visible(words))
