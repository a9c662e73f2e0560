"""genvalues explain: a rule's page, or where a rendered value came from."""

import os.path

import click

from genvalues.cli import options

_CODE = ("GV", "gv")


@click.command("explain")
@click.argument("what", metavar="CODE|PATH")
@click.option(
    "--site", "site_file", type=click.Path(dir_okay=False), help="The site file, where it is not found by itself."
)
@options.judging
def command(what: str, site_file: str | None, judging: options.Judging) -> int:
    """Explain a rule (GV402), or a rendered value (out/dc1-h100/gpu-operator/values.yaml:driver.enabled)."""
    if what[:2] in _CODE and what[2:].isdecimal():
        return _rule(what.upper())
    file, colon, path = what.partition(":")
    if not os.path.isfile(file):
        raise click.UsageError(
            f"{what!r} is neither the code of a rule nor a rendered file, with a path in it after a colon"
        )
    from genvalues.cli import provenance  # noqa: PLC0415 - renders the site, which a page does not need

    return provenance.show(file, path if colon else "", site_file, judging)


def _rule(code: str) -> int:
    from genvalues.rules import page  # noqa: PLC0415 - only for a page

    found = page.read(code)
    if found is not None:
        click.echo(found.text.rstrip("\n"))
        return 0
    import difflib  # noqa: PLC0415 - only for a wrong code

    codes = sorted(name.removesuffix(".md") for name in os.listdir(page.FOLDER))
    near = difflib.get_close_matches(code, codes, n=3, cutoff=0.6)
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise click.UsageError(f"no rule has the code {code}{hint}. `genvalues rules` lists them")
