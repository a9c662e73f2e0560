"""genvalues lint: files that people wrote by hand, whatever carries the values."""

import os
import sys
from collections.abc import Iterator, Sequence
from datetime import date

import click

from genvalues import contracts, extends, lint, source
from genvalues.cli import options
from genvalues.facts import Facts
from genvalues.finding import Finding
from genvalues.record import NamedTuple

_ENDINGS = (".yaml", ".yml", ".csv")
_STDIN = "<stdin>"


class _Loaded(NamedTuple):
    """The texts of files, findings about those that cannot be read, and Chart.yaml files beside them by folder."""

    texts: list[tuple[str, str]]
    findings: list[Finding]
    beside: dict[str, str]


@click.command("lint")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--chart", default="", metavar="NAME@VERSION", help="The chart version that the files are for.")
@click.option(
    "--as", "as_kind", type=click.Choice(lint.KINDS), help="What the files are, where their content does not tell."
)
@click.option(
    "--contract",
    "extra",
    multiple=True,
    type=click.Path(exists=True),
    metavar="DIR|FILE",
    help="Contracts of charts that genvalues does not know, as tools/contract.py writes them.",
)
@click.option("--fix", is_flag=True, help="Correct what is safe to correct, and show the difference.")
@click.option("--diff", "show", is_flag=True, help="Show what --fix would change, and change nothing.")
@options.judging
@options.reporting
def command(
    files: tuple[str, ...],
    chart: str,
    as_kind: str | None,
    extra: tuple[str, ...],
    fix: bool,
    show: bool,
    judging: options.Judging,
    reporting: options.Reporting,
) -> int:
    """Check hand-written files: Helm values and what carries them, objects, sharing and MIG configs, DCGM CSVs, scheduler configs.

    A folder stands for the .yaml, .yml and .csv files in it, and - for standard input.
    """
    facts, day = judging
    asked = _Asked(as_kind or "", _chart(chart, folders := _folders(extra)), folders)
    loaded = _load(files)
    found = _lint(loaded, facts, day, asked)
    if fix or show:
        if fix and "-" in files:
            raise click.UsageError("--fix cannot write to standard input: say --diff")
        changed = _fixed(loaded, facts, day, asked, reporting, write=fix and not show)
        found = _lint(loaded._replace(texts=changed), facts, day, asked) if fix and not show else found
    return options.finish([*loaded.findings, *found.findings], found.skipped, reporting)


class _Asked(NamedTuple):
    as_kind: str
    chart: str
    extra: tuple[str, ...]


def _lint(loaded: _Loaded, facts: Facts, day: date, asked: _Asked) -> lint.Linted:
    return lint.files(
        loaded.texts,
        facts,
        day,
        as_kind=asked.as_kind,
        chart=asked.chart,
        extra_contracts=asked.extra,
        beside=loaded.beside,
    )


def _chart(text: str, extra: Sequence[str]) -> str:
    """--chart, if it is one; click.UsageError where it names no chart that we know."""
    name, at, version = text.partition("@")
    known = contracts.known(extra)
    if text and (not at or not version or name not in known):
        raise click.UsageError(f"--chart wants NAME@VERSION with NAME one of {', '.join(known)}, not {text!r}")
    return text


def _folders(extra: Sequence[str]) -> tuple[str, ...]:
    """The folders of --contract, of which each holds a contract, or several under an index."""
    folders = tuple(os.path.dirname(path) or "." if os.path.isfile(path) else path for path in extra)
    for path, folder in zip(extra, folders, strict=True):
        if not any(os.path.isfile(os.path.join(folder, name)) for name in ("values.json", "index.json")):
            raise click.UsageError(f"--contract: {path} holds no contract: there is no values.json or index.json")
    return folders


def _load(paths: Sequence[str]) -> _Loaded:
    loaded = _Loaded([], [], {})
    files = dict.fromkeys(file for path in paths for file in _walk(path))
    for path in options.progress(list(files)):
        text = _read(path)
        if isinstance(text, str):
            loaded.texts.append((_STDIN if path == "-" else path, text))
            _read_beside(path, loaded.beside)
        else:
            loaded.findings.append(text)
    return loaded


def _walk(path: str) -> Iterator[str]:
    """The path itself; of a folder the files in it that may be ours, in order, hidden ones left out."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if not name.startswith("."))
        files = (os.path.join(folder, name) for name in sorted(names) if name.endswith(_ENDINGS))
        yield from (file for file in files if not extends.is_special(file))


def _read(path: str) -> str | Finding:
    if path == "-":
        return source.decode(sys.stdin.buffer.read(source.MAX_BYTES + 1), _STDIN)
    if (fault := extends.leads_out(path)) is not None:
        return source.unreadable(path, fault)
    try:
        with open(path, "rb") as stream:
            raw = stream.read(source.MAX_BYTES + 1)
    except OSError as error:
        return source.unreadable(path, error)
    return source.decode(raw, path)


def _read_beside(path: str, beside: dict[str, str]) -> None:
    """Read the Chart.yaml in the file's folder, which knows the versions of an umbrella chart's dependencies."""
    folder = os.path.dirname(path)
    file = os.path.join(folder, "Chart.yaml")
    if path != "-" and folder not in beside and os.path.isfile(file):
        text = _read(file)
        beside[folder] = text if isinstance(text, str) else ""


def _fixed(
    loaded: _Loaded, facts: Facts, day: date, asked: _Asked, reporting: options.Reporting, *, write: bool
) -> list[tuple[str, str]]:
    """The texts with what is safe corrected; shows the difference, and writes if asked."""
    import difflib  # noqa: PLC0415  only on demand, and the next as well

    from genvalues.lint import fix  # noqa: PLC0415

    changed = []
    for file, text in loaded.texts:
        new = fix.text(
            text,
            file,
            facts,
            day,
            as_kind=asked.as_kind,
            chart=asked.chart,
            extra_contracts=asked.extra,
            wanted=reporting.keeps_code,
        ).text
        changed.append((file, new))
        if new == text:
            continue
        lines = difflib.unified_diff(text.splitlines(keepends=True), new.splitlines(keepends=True), file, file)
        shown = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
        click.echo(shown, nl=False, err=reporting.format != "text")
        if write:
            _write(file, new)
    return changed


def _write(file: str, text: str) -> None:
    """Write a file whole or not at all, with the permissions that it has."""
    staged = f"{file}.genvalues-new"
    try:
        with open(staged, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(staged, os.stat(file).st_mode)
        os.replace(staged, file)
    except OSError as error:
        raise click.UsageError(f"--fix: cannot write {file}: {error.strerror}") from error
