"""Where a rendered value came from: the site is planned again, and the document asked who decided the node."""

import json
import os
from collections.abc import Iterator

import click

from genvalues import index, pipeline
from genvalues.cli import options
from genvalues.document import Doc, Why
from genvalues.finding import Route, at_route, exists, format_route, parse_route
from genvalues.pipeline import Checked
from genvalues.place import locate_route

_DEPTH = 4
"""Folders below the working one in which a site file is looked for."""


def show(file: str, path: str, site_file: str | None, judging: options.Judging) -> int:
    """Print who decided the node at `path` of a rendered file; the exit code."""
    folder, inner = _rendering(file)
    source = site_file or _source(folder)
    checked = pipeline.check(source, judging.facts, judging.today)
    if not checked.ok:
        options.finish(checked.findings, (), options.Reporting("text", quiet=True))
        raise click.UsageError(f"{source} has errors now, so it does not render what {file} holds")
    doc = next((doc for doc in checked.docs if doc.path == inner), None)
    if doc is None:
        raise click.UsageError(
            f"{source} renders no YAML file {inner}; it may be stale, see `genvalues render --check`"
        )
    try:
        route = parse_route(path)
    except ValueError as error:
        raise click.UsageError(f"{path!r} is no path: {error}") from error
    if not _has(doc, route):
        raise click.UsageError(f"{inner} has nothing at {path!r}; near it: {', '.join(_near(doc, route))}")
    for line in _lines(checked, doc, route):
        click.echo(line)
    return 0


def _rendering(file: str) -> tuple[str, str]:
    """The site's folder that a file is in, and the file's path below it."""
    folder = os.path.dirname(os.path.abspath(file))
    while not os.path.isfile(os.path.join(folder, index.NAME)):
        above = os.path.dirname(folder)
        if above == folder:
            raise click.UsageError(f"{file} is in no rendering: no {index.NAME} beside it or above")
        folder = above
    return folder, os.path.relpath(os.path.abspath(file), folder).replace(os.sep, "/")


def _source(folder: str) -> str:
    """The site file that a rendering came from, looked for by its name around the working folder."""
    try:
        with open(os.path.join(folder, index.NAME), encoding="utf-8") as stream:
            name = str(json.load(stream)["source"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise click.UsageError(
            f"{folder}/{index.NAME} does not say which site file it came from; use --site"
        ) from error
    found = [
        found
        for root in dict.fromkeys((os.getcwd(), os.path.dirname(os.path.dirname(folder))))
        for found in _named(root, name)
    ]
    if not found:
        raise click.UsageError(f"found no {name} below this folder; name it with --site")
    return os.path.relpath(found[0])


def _named(root: str, name: str) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "node_modules")
        if folder.count(os.sep) - root.count(os.sep) >= _DEPTH:
            folders.clear()
        if name in files:
            yield os.path.join(folder, name)


def _embedded(doc: Doc, route: Route) -> tuple[Doc, Route] | None:
    """The embedded document that a route leads into, and the rest of the route."""
    return next(
        ((inner, route[len(base) :]) for base, inner in doc.embedded.items() if route[: len(base)] == base), None
    )


def _has(doc: Doc, route: Route) -> bool:
    inner = _embedded(doc, route)
    return exists(inner[0].body, inner[1]) if inner and inner[1] else exists(doc.body, route)


def _near(doc: Doc, route: Route) -> list[str]:
    while route and not exists(doc.body, route):
        route = route[:-1]
    node = at_route(doc.body, route)
    steps = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
    return [format_route((*route, step)) for step in steps[:12]]


def _lines(checked: Checked, doc: Doc, route: Route) -> Iterator[str]:
    inner = _embedded(doc, route)
    owner, rest = inner if inner and inner[1] else (doc, route)
    value = at_route(owner.body, rest)
    shown = json.dumps(value, ensure_ascii=False) if not inner or inner[1] else "(the document below)"
    yield f"{format_route(route) or doc.path} = {shown}"
    why = owner.reason(rest) or (doc.reason(route) if inner else None)
    if why is None:
        parts = [(below, reason) for below, reason in owner.why.items() if below[: len(rest)] == rest]
        yield "  decided part by part:" if parts else "  could not be otherwise: upstream's format demands it"
        yield from (
            f"  {format_route((*route, *below[len(rest) :]))}: {part.text}" for below, part in parts if part.text
        )
        return
    yield f"  {why.text}" if why.text else "  follows from:"
    yield from _places(checked, why)


def _places(checked: Checked, why: Why) -> Iterator[str]:
    assert checked.tree is not None
    if not why.routes:
        yield "  no line of the site decided it: a default of the chart, a fact, or a default of genvalues"
    for route in why.routes:
        place = locate_route(checked.tree, route)
        yield f"  {place.file}:{place.line}:{place.column}: {format_route(route)}"
        yield f"    {place.excerpt.strip()}"
