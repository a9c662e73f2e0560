"""genvalues schema: the JSON Schema of a site, for editors and other tools."""

import os.path

import click

from genvalues import paths


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of a site file."""
    with open(os.path.join(paths.schemas(), "site.schema.json"), encoding="utf-8") as stream:
        click.echo(stream.read(), nl=False)
