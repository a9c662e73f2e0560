"""dcgm-exporter's CSV as a tree: its data is the text, and the route of a line is its index."""

import re

from genvalues.finding import Origin, Route
from genvalues.place import Tree

FIELD = re.compile(r"^[ \t]*dcgm_\w+[ \t]*,", re.IGNORECASE | re.MULTILINE)
"""A line that starts with the name of a DCGM field."""

_KEY = re.compile(r"^[\w.-]+:(?: |$)", re.MULTILINE)


def is_csv(text: str) -> bool:
    """Whether a text is a CSV of DCGM fields, and no YAML that holds one."""
    return FIELD.search(text) is not None and _KEY.search(text) is None


def read(text: str, file: str) -> Tree:
    """The tree of a CSV: every line with its place, without the blanks around it."""
    origin: dict[Route, Origin] = {(): _at(file, 0, len(text))}
    position = 0
    for index, line in enumerate(text.split("\n")):
        start = position + len(line) - len(line.lstrip())
        origin[index,] = _at(file, start, position + len(line.rstrip()))
        position += len(line) + 1
    return Tree(text, origin, {file: text})


def _at(file: str, start: int, end: int) -> Origin:
    return Origin(file, start, max(start, end), start, max(start, end))
