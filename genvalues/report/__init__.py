"""Findings as text, JSON, GitHub annotations, SARIF or JUnit. A format is loaded when it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from genvalues.finding import Finding
from genvalues.record import NamedTuple

FORMATS = ("text", "json", "github", "sarif", "junit")


class RuleMeta(NamedTuple):
    """What a report may say about a rule: its title, its page (Markdown), and the page's address if it has one."""

    title: str
    help: str = ""
    page: str = ""


Skipped = Sequence[tuple[str, str]]
"""Files that were not looked at, each with the reason."""

Render = Callable[[Sequence[Finding], Skipped, Mapping[str, RuleMeta]], str]
"""One report: findings (in order), skipped files, and rules by code (those not in it go without title and page)."""


class _Environment(Protocol):
    def get(self, key: str, /) -> str | None: ...


class _Stream(Protocol):
    def isatty(self) -> bool: ...


def render(
    name: str,
    findings: Sequence[Finding],
    skipped: Skipped = (),
    rules: Mapping[str, RuleMeta] | None = None,
    *,
    quiet: bool = False,
    colour: bool = False,
    width: int = 0,
) -> str:
    """The report in format `name`, findings sorted. `quiet`, `colour` and `width` (columns, 0: as we like) are text's.

    Without `rules` their titles, and for SARIF their pages, are looked up where the format shows them.
    """
    findings = sorted(findings, key=order)
    if name == "text":
        from genvalues.report import text  # noqa: PLC0415

        rules = titles() if rules is None and len(findings) >= text.MANY else rules
        return text.render(findings, skipped, rules or {}, quiet=quiet, colour=colour, width=width)
    if rules is None and findings and name in ("sarif", "github"):
        rules = pages({finding.code for finding in findings}) if name == "sarif" else titles()
    return get(name)(findings, skipped, rules or {})


def get(name: str) -> Render:
    """The function that makes the report called `name`; KeyError where there is none."""
    if name == "text":
        from genvalues.report import text  # noqa: PLC0415

        return text.render
    if name == "json":
        from genvalues.report import json  # noqa: PLC0415

        return json.render
    if name == "github":
        from genvalues.report import github  # noqa: PLC0415

        return github.render
    if name == "sarif":
        from genvalues.report import sarif  # noqa: PLC0415

        return sarif.render
    if name == "junit":
        from genvalues.report import junit  # noqa: PLC0415

        return junit.render
    raise KeyError(name)


def order(finding: Finding) -> tuple[str, int, int, str, str]:
    """The sort key of findings: file, line, column, code, message."""
    return (finding.place.file, finding.place.line, finding.place.column, finding.code, finding.message)


def default_format(environment: _Environment | None = None) -> str:
    """`github` in GitHub Actions, `text` elsewhere. `environment` is the process's own by default."""
    if environment is None:
        import os  # noqa: PLC0415

        environment = os.environ
    return "github" if environment.get("GITHUB_ACTIONS") == "true" else "text"


def wants_colour(stream: _Stream, environment: _Environment) -> bool:
    """Whether text on `stream` may be coloured: a terminal that can, and no NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def titles() -> Mapping[str, RuleMeta]:
    """What the rules are called."""
    from genvalues.rules import by_code  # noqa: PLC0415  # loaded already where there are findings of rules

    return {code: RuleMeta(rule.title) for code, rule in by_code().items()}


def pages(codes: set[str]) -> Mapping[str, RuleMeta]:
    """What the rules' own pages say, for reports that carry it along."""
    from genvalues.rules import page  # noqa: PLC0415  # only for SARIF

    found = {code: page.read(code) for code in sorted(codes)}
    return {code: RuleMeta(one.title, one.text) for code, one in found.items() if one is not None}
