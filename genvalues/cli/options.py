"""Options that several commands share, and the one way in which findings leave a command."""

import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

import click

from genvalues import extends, report
from genvalues.facts import Facts
from genvalues.facts import load as load_facts
from genvalues.finding import Finding, count_by_severity
from genvalues.pipeline import Checked
from genvalues.record import NamedTuple
from genvalues.source import MAX_BYTES

_MANY = 20
"""Sites from which on a progress bar is worth its line."""

Command = TypeVar("Command", bound=Callable[..., Any])


class Reporting(NamedTuple):
    """How findings are chosen and shown."""

    format: str = "text"
    reports: tuple[tuple[str, str], ...] = ()
    quiet: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False

    def keeps(self, finding: Finding) -> bool:
        """Whether --select and --ignore leave a finding; the longer of two fitting prefixes wins, faults of reading stay."""
        return self.keeps_code(finding.code)

    def keeps_code(self, code: str) -> bool:
        """The same for the code of a finding."""
        chosen = max((len(p) for p in self.select if code.startswith(p)), default=-1)
        ignored = max((len(p) for p in self.ignore if code.startswith(p)), default=-1)
        if code.startswith("GV0"):
            return True
        return chosen >= ignored if chosen >= 0 else not self.select and ignored < 0


class Judging(NamedTuple):
    """What sites and files are judged by."""

    facts: Facts
    today: date


def reporting(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options about findings; the command gets them as `reporting`, a `Reporting`."""

    @functools.wraps(command)
    def call(
        format_: str | None,
        reports: Sequence[str],
        quiet: bool,
        select: Sequence[str],
        ignore: Sequence[str],
        strict: bool,
        **others: Any,
    ) -> int:
        chosen = format_ or report.default_format()
        files = tuple(_report_file(text) for text in reports)
        return command(reporting=Reporting(chosen, files, quiet, _codes(select), _codes(ignore), strict), **others)

    for option in (
        click.option("--strict", is_flag=True, help="Fail on warnings too."),
        click.option(
            "--ignore", multiple=True, metavar="CODES", help="Leave out these codes or prefixes, comma-separated."
        ),
        click.option("--select", multiple=True, metavar="CODES", help="Only these codes or prefixes, comma-separated."),
        click.option("--quiet", "-q", is_flag=True, help="Print findings only, no summary."),
        click.option(
            "--report", "reports", multiple=True, metavar="FORMAT=FILE", help="A further report, into a file."
        ),
        click.option(
            "--format",
            "format_",
            type=click.Choice(report.FORMATS),
            help="How findings are printed; text by default, github in GitHub Actions.",
        ),
    ):
        call = option(call)
    return call


def judging(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options about facts and time; the command gets them as `judging`, a `Judging`."""

    @functools.wraps(command)
    def call(overlays: Sequence[str], today: datetime | None, **others: Any) -> int:
        day = today.date() if today else date.today()  # noqa: DTZ011 - the day where the tool is run
        return command(judging=Judging(facts(overlays), day), **others)

    for option in (
        click.option(
            "--today", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Judge ends of life as of this day."
        ),
        click.option(
            "--facts",
            "overlays",
            multiple=True,
            type=click.Path(dir_okay=False),
            help="Further facts (JSON), laid over ours.",
        ),
    ):
        call = option(call)
    return call


def _report_file(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not equals or not file or name not in report.FORMATS:
        known = ", ".join(report.FORMATS)
        raise click.UsageError(f"--report wants FORMAT=FILE with FORMAT one of {known}, not {text!r}")
    return name, file


kubeconform = click.option(
    "--kubeconform", is_flag=True, help="Run kubeconform over the manifests, with genvalues' own schemas."
)


def conformance(checked: Checked) -> list[Finding]:
    """What kubeconform says of a rendering; click.UsageError where it cannot be run."""
    from genvalues.conformance import findings  # noqa: PLC0415 - starts a program, and only when asked to
    from genvalues.kubeconform import KubeconformError  # noqa: PLC0415

    try:
        return findings(checked)
    except KubeconformError as error:
        raise click.UsageError(f"--kubeconform: {error}") from error


def _codes(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(code.strip().upper() for text in texts for code in text.split(",") if code.strip())


def facts(overlays: Sequence[str]) -> Facts:
    """The facts, overlays included; click.UsageError where an overlay is not in order."""
    try:
        return load_facts(overlays)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--facts: {error}") from error


def finish(
    findings: Sequence[Finding], skipped: Sequence[tuple[str, str]], reporting: Reporting, *, to_stderr: bool = False
) -> int:
    """Print and file the findings; the exit code that they deserve."""
    kept = sorted((f for f in findings if reporting.keeps(f)), key=report.order)
    colour = report.wants_colour(sys.stderr if to_stderr else sys.stdout, os.environ)
    text = report.render(reporting.format, kept, skipped, quiet=reporting.quiet, colour=colour)
    if text:
        click.echo(text, err=to_stderr, nl=not text.endswith("\n"))
    for name, file in reporting.reports:
        _file(file, report.render(name, kept, skipped, quiet=True))
    counts = count_by_severity(kept)
    return 1 if counts["error"] or (reporting.strict and counts["warning"]) else 0


def _file(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except OSError as error:
        raise click.UsageError(f"--report: cannot write {path}: {error.strerror}") from error


STDIN = "<stdin>"
"""What a site on standard input is called; on the command line it is -."""


def read(path: str) -> bytes:
    """The content of a site file or a base, from standard input where that is meant."""
    return sys.stdin.buffer.read(MAX_BYTES + 1) if path == STDIN else extends.read_raw(path)


def sites(arguments: Sequence[str]) -> Sequence[str]:
    """The site files that arguments stand for; - is standard input, for folders see `folders.sites`."""
    arguments = [STDIN if argument == "-" else argument for argument in arguments]
    if not any(os.path.isdir(argument) for argument in arguments):
        return arguments
    from genvalues.cli import folders  # noqa: PLC0415  only where a folder is named

    return folders.sites(arguments)


def progress(paths: Sequence[str]) -> Iterator[str]:
    """The paths, with a progress bar on a terminal where there are many."""
    if len(paths) < _MANY or not sys.stderr.isatty():
        yield from paths
        return
    with click.progressbar(paths, file=sys.stderr, label="sites") as bar:
        yield from bar
