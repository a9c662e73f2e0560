"""genvalues render: check sites, then write their files, or compare them."""

from collections.abc import Sequence

import click

from genvalues import pipeline, tree
from genvalues.cli import options
from genvalues.finding import Finding, Place
from genvalues.pipeline import Checked
from genvalues.visible import visible


@click.command("render")
@click.argument("sites", nargs=-1, required=True, metavar="SITE...")
@click.option(
    "-o", "--out", default="out", show_default=True, type=click.Path(file_okay=False), help="Folder of the renderings."
)
@click.option(
    "--check", "compare", is_flag=True, help="Write nothing: compare with what is there, and show the difference."
)
@click.option("--stdout", "to_stdout", is_flag=True, help="Write nothing: print the files.")
@click.option(
    "--only", metavar="PATH", help="With --stdout or --check: only files whose path begins so, such as manifests/."
)
@click.option("--allow-outside", is_flag=True, help="Let `extends` leave the repository.")
@options.kubeconform
@options.judging
@options.reporting
def command(
    sites: tuple[str, ...],
    out: str,
    compare: bool,
    to_stdout: bool,
    only: str | None,
    allow_outside: bool,
    kubeconform: bool,
    judging: options.Judging,
    reporting: options.Reporting,
) -> int:
    """Check sites, and render those without errors into OUT/<site>/.

    A folder stands for the sites in it, and - for one on standard input.
    """
    _refuse_options(sites, only, to_stdout=to_stdout, compare=compare)
    facts, day = judging
    checked = [
        pipeline.check(path, facts, day, allow_outside=allow_outside, read=options.read)
        for path in options.progress(options.sites(sites))
    ]
    _refuse_same_names(checked)
    findings = [finding for site in checked for finding in site.findings]
    if kubeconform:
        findings += [finding for site in checked for finding in options.conformance(site)]
    lines: list[str] = []
    # All or nothing, over all sites of a run: a fleet is rendered from one commit.
    if all(site.ok for site in checked) and not pipeline.has_errors([f for f in findings if reporting.keeps(f)]):
        if to_stdout:
            _print(checked, only)
        elif compare:
            findings += [finding for site in checked for finding in _drift(site, out, only, lines)]
        else:
            lines += [line for site in checked for line in _write(site, out)]
    code = options.finish(findings, (), reporting, to_stderr=to_stdout)
    if lines and not reporting.quiet and reporting.format == "text":
        click.echo("\n".join(lines))
    return code


def _refuse_options(sites: Sequence[str], only: str | None, *, to_stdout: bool, compare: bool) -> None:
    if only and not (to_stdout or compare):
        raise click.UsageError("--only goes with --stdout or --check: a part of a rendering is not written")
    if "-" in sites and not to_stdout:
        raise click.UsageError("a site on standard input has no name that its files could give: say --stdout")


def _refuse_same_names(checked: Sequence[Checked]) -> None:
    names: dict[str, str] = {}
    for site in checked:
        if site.site is not None:
            other = names.setdefault(site.site.name, site.path)
            if other != site.path:
                raise click.UsageError(
                    f"{other} and {site.path} are both called {site.site.name}, and would share a folder"
                )


def _files(site: Checked, only: str | None) -> dict[str, str]:
    return {path: text for path, text in sorted(pipeline.texts(site).items()) if path.startswith(only or "")}


def _print(checked: Sequence[Checked], only: str | None) -> None:
    for site in checked:
        for path, text in _files(site, only).items():
            click.echo(f"# --- {pipeline.about(site).site}/{path}\n{text}", nl=False)


def _write(site: Checked, out: str) -> list[str]:
    about = pipeline.about(site)
    folder = tree.folder(out, about.site)
    try:
        written = tree.write(folder, pipeline.texts(site), about)
    except (OSError, tree.TreeError) as error:
        raise _refusal(f"cannot write {folder}", error) from error
    counts = [(written.created, "created"), (written.updated, "updated"), (written.removed, "removed")]
    said = ", ".join(f"{len(paths)} {word}" for paths, word in counts if paths) or "nothing to change"
    lines = [f"{folder}: {said}"]
    lines += [f"  overwritten, it had been edited by hand: {path}" for path in written.overwritten]
    lines += [f"  kept, it was edited by hand and is no longer rendered: {path}" for path in written.kept]
    return lines


def _refusal(what: str, error: OSError | tree.TreeError) -> click.ClickException:
    """What the disk has against it, and what one can do; wrong use, but not of the options, so their list is no help."""
    if isinstance(error, tree.TreeError):
        return click.ClickException(visible(f"{what}: {error}"))
    about = f": {error.filename}" if error.filename else ""
    return click.ClickException(visible(f"{what}: {(error.strerror or str(error)).lower()}{about}"))


def _drift(site: Checked, out: str, only: str | None, lines: list[str]) -> list[Finding]:
    about = pipeline.about(site)
    folder = tree.folder(out, about.site)
    try:
        drifts = tree.diff(folder, pipeline.texts(site), about, f"genvalues render {site.path} -o {out}")
    except (OSError, tree.TreeError) as error:
        raise _refusal(f"cannot compare {folder}", error) from error
    found = []
    for drift in drifts:
        if drift.path and not drift.path.startswith(only or ""):
            continue
        path = f"{folder}/{drift.path}" if drift.path else folder
        place = Place(path, drift.line, 1, len(drift.excerpt) + 1, drift.excerpt)
        found.append(Finding(drift.code, "error", drift.message, drift.fix, place, ()))
        if drift.diff:
            lines.append(drift.diff.rstrip("\n"))
    return found
