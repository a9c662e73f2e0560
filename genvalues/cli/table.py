"""Plain tables and JSON on standard output, for the commands that list what genvalues knows."""

import json
from collections.abc import Sequence
from typing import Any

import click

format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How it is printed.",
)


def show(format_: str, headings: Sequence[str], rows: Sequence[Sequence[str]], data: Any) -> None:
    """Print rows under headings, or `data` as JSON."""
    if format_ == "json":
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
