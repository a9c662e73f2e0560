"""genvalues check: everything that can be said of sites, without writing anything."""

import click

from genvalues import pipeline
from genvalues.cli import options


@click.command("check")
@click.argument("sites", nargs=-1, required=True, metavar="SITE...")
@click.option("--allow-outside", is_flag=True, help="Let `extends` leave the repository.")
@options.kubeconform
@options.judging
@options.reporting
def command(
    sites: tuple[str, ...],
    allow_outside: bool,
    kubeconform: bool,
    judging: options.Judging,
    reporting: options.Reporting,
) -> int:
    """Check sites: their shape, the rules, and the files they render to. Writes nothing.

    A folder stands for the sites in it, and - for one on standard input.
    """
    facts, day = judging
    findings = []
    for path in options.progress(options.sites(sites)):
        checked = pipeline.check(path, facts, day, allow_outside=allow_outside, read=options.read)
        findings += [*checked.findings, *(options.conformance(checked) if kubeconform else ())]
    return options.finish(findings, (), reporting)
