"""genvalues images: every image that a site pulls, for its mirror."""

import json
from collections.abc import Iterator

import click

from genvalues import pipeline
from genvalues.cli import options
from genvalues.plan.images import Incomplete, Pulled, pulled


@click.command("images")
@click.argument("site", metavar="SITE")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["list", "copy", "json"]),
    default="list",
    show_default=True,
    help="list: upstream references; copy: upstream and mirror, for a copying tool; json: all that is known.",
)
@options.judging
def command(site: str, format_: str, judging: options.Judging) -> int:
    """List every container image that SITE pulls. Fails where the list cannot be complete."""
    checked = pipeline.check(site, judging.facts, judging.today)
    if checked.plan is None or not checked.ok:
        return options.finish(checked.findings, (), options.Reporting("text"))
    found = list(pulled(checked.plan))
    images = [item for item in found if isinstance(item, Pulled)]
    for line in _lines(images, format_):
        click.echo(line)
    missing = [item for item in found if isinstance(item, Incomplete)]
    for gap in missing:
        click.echo(f"genvalues: {site}: not complete: {gap.message}", err=True)
    return 1 if missing else 0


def _lines(images: list[Pulled], format_: str) -> Iterator[str]:
    if format_ == "json":
        yield json.dumps([image._asdict() for image in images], indent=2)
        return
    for upstream, mirror in sorted({(image.upstream, image.mirror) for image in images}):
        yield f"{upstream} {mirror}" if format_ == "copy" else upstream
