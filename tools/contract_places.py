"""Where in an object the outputs of a template land: a text with marks, read as YAML by its indentation."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from contract_defaults import join

T = TypeVar("T")

MARK = re.compile("\ue000([0-9]+)\ue001")
"""A mark in a text, with the number of the output that it stands for (characters for private use)."""


def mark(number: int) -> str:
    """The mark of one output."""
    return f"\ue000{number}\ue001"


def places(document: str, marks: Sequence[T]) -> Iterator[tuple[str, T, str, bool]]:
    """Each mark of a document with the field that it fills, its line, and whether it has the line to itself."""
    stack: list[tuple[int, str]] = []
    block: int | None = None
    opened = False
    for line in document.split("\n"):
        found = [marks[int(number)] for number in MARK.findall(line)]
        bare = MARK.sub("", line).strip()
        if not bare and not found:
            continue
        indent = len(line) - len(line.lstrip(" "))
        alone = not bare
        if block is None or indent <= block:
            block = None
            if alone:
                _climb(stack, indent, opened)
            elif not bare.startswith("#"):
                block = _descend(stack, line)
                opened = not found and bare.endswith(":")
        for mark in found:
            yield join(tuple(step for _, step in stack)), mark, line, alone


def _climb(stack: list[tuple[int, str]], indent: int, opened: bool) -> None:
    """Leave what a block of YAML at `indent` does not belong to; a list may stand as far left as its key.

    `opened`: the line before is a key that still waits for its value.
    """
    while stack and stack[-1][0] >= indent and not (opened and stack[-1][0] == indent):
        opened = stack.pop()[1] == "[]"


_KEY = re.compile(r"(\"[^\"]*\"|'[^']*'|[^\s:#\"'-][^:#]*?|-[^\s:#][^:#]*?) *:(?: |$)(.*)")


def _descend(stack: list[tuple[int, str]], line: str) -> int | None:
    """Enter the key or item of a line; the indentation of the key where a block scalar begins."""
    indent = len(line) - len(line.lstrip(" "))
    rest = line.strip()
    while rest.startswith("- ") or rest == "-":
        while stack and (stack[-1][0] > indent or stack[-1] == (indent, "[]")):
            stack.pop()
        stack.append((indent, "[]"))
        inside = rest[1:].lstrip(" ")
        indent, rest = indent + len(rest) - len(inside), inside
    matched = _KEY.match(rest)
    if matched is None:
        return None
    while stack and stack[-1][0] >= indent:
        stack.pop()
    key = matched[1].strip("\"'").strip()
    stack.append((indent, "*" if MARK.search(key) else key.replace(".", "\\.")))
    return indent if re.fullmatch(r"[|>][+-]?", matched[2].strip()) else None
