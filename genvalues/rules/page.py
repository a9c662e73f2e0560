"""A rule's page: its documentation and its first test in one. `pages/<code>.md` beside this file."""

import os.path
from collections.abc import Iterator, Sequence
from typing import Literal

from genvalues.record import NamedTuple

FOLDER = os.path.join(os.path.dirname(__file__), "pages")


class Example(NamedTuple):
    """A fenced block of a page. `front_end`: site, values, ...; `chart`: the version it is for, "" where none.

    `line` is the first line of `text` in the page, from 1.
    """

    verdict: Literal["bad", "good"]
    front_end: str
    chart: str
    text: str
    line: int


class Page(NamedTuple):
    """A page in parts; `sections` are the texts below the `##` headings, fences and all."""

    code: str
    title: str
    meta: str
    text: str
    sections: dict[str, str]
    examples: tuple[Example, ...]


def read(code: str) -> Page | None:
    """The page of a rule; None where there is none."""
    file = os.path.join(FOLDER, f"{code}.md")
    if not os.path.isfile(file):
        return None
    with open(file, encoding="utf-8") as stream:
        return parse(code, stream.read())


def parse(code: str, text: str) -> Page:
    """The parts of a page's text."""
    lines = text.split("\n")
    heading = lines[0].removeprefix("# ")
    meta = next((line for line in lines[1:] if line.strip()), "").strip("`")
    sections: dict[str, str] = {}
    for name, body in _sections(lines):
        sections[name] = (sections[name] + "\n\n" + body) if name in sections else body
    title = heading.removeprefix(code).strip()
    return Page(code, title, meta, text, sections, tuple(_examples(lines)))


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    name, fenced = "", False
    body: list[str] = []
    for line in [*lines, "## "]:
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            if name:
                yield name, "\n".join(body).strip()
            name, body = line.removeprefix("## ").strip(), []
        else:
            body.append(line)


def _examples(lines: Sequence[str]) -> Iterator[Example]:
    section, start, info = "", 0, ""
    for number, line in enumerate(lines, 1):
        if line.startswith("```") and not start:
            start, info = number + 1, line.strip("`").strip()
        elif line.startswith("```"):
            words = info.split()
            body = "\n".join(lines[start - 1 : number - 1]) + "\n"
            if section in ("bad", "good") and len(words) > 1:
                yield Example("bad" if section == "bad" else "good", words[1], " ".join(words[2:]), body, start)
            start = 0
        elif line.startswith("## ") and not start:
            section = line.removeprefix("## ").strip().lower()
