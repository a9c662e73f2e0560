"""What a chart's templates do with each values path: the events of `tools/contract` (Go) turned into sites.

A site is one place where a path is read: how, under which conditions, and to which field of which kind it goes. The
field is found by laying all branches of a template out as one text with a mark for every output, and reading that text
as YAML by its indentation.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from contract_conditions import TRUE, Dnf, Expression, Path, every, truth
from contract_places import MARK, mark, places

Use = Literal["bare", "quoted", "text", "yaml", "test", "range", "hash", "guard"]
"""bare: printed as it is. quoted: printed in quotes. text: part of a longer text. yaml: the whole block. test: decides
over other output. range: its items are walked. hash: only a checksum of it. guard: decides whether the render fails."""

Event = Mapping[str, Any]


class Read(NamedTuple):
    """One path in one expression; see Site."""

    path: Path
    use: Use
    when: Dnf
    instead: Any = None
    covered: bool = False



class Site(NamedTuple):
    """One read. `when` holds every condition around it, tests of the path itself included.

    `target` is "Kind:field.path", None where nothing is printed. `strict`: compared with a boolean literal, where Go
    refuses any other type. `alters`: a test whose block prints more than the tested value. `instead`: what the template
    prints for a value that Go calls empty (false, 0, ""); `covered`: it prints something else for such a value. `chart`: the subchart's key in values.
    """

    file: str
    path: Path
    use: Use
    when: Dnf
    target: str | None = None
    strict: bool = False
    alters: bool = False
    instead: Any = None
    covered: bool = False
    chart: str = ""


class Guard(NamedTuple):
    """A `fail` of the chart: under `when` the render stops with `message`."""

    when: Dnf
    message: str


class Scan(NamedTuple):
    """All sites and guards of a chart; those of subcharts have the subchart's key in front of their paths."""

    sites: tuple[Site, ...]
    guards: tuple[Guard, ...]


def scan(chart: str, subcharts: Mapping[str, str], go: str = "go") -> Scan:
    """Read the templates of an unpacked chart.

    `subcharts` maps a folder below charts/ to its key in values; other subcharts are left out.
    """
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contract")
    command = [go, "run", ".", os.path.abspath(chart)]
    ran = subprocess.run(command, cwd=program, capture_output=True, check=True)
    sites: list[Site] = []
    guards: list[Guard] = []
    for events in json.loads(ran.stdout):
        folder = events["dir"].removeprefix("charts/")
        if folder and folder not in subcharts:
            continue
        prefix = (subcharts[folder],) if folder else ()
        for template in events["templates"] or ():
            follow = _Template(os.path.join(events["dir"], template["file"]))
            follow.run(template["events"] or [])
            sites += (placed for site in follow.sites for placed in _below(site, prefix))
            guards += (Guard(_under(guard.when, prefix), guard.message) for guard in follow.guards)
    return Scan(tuple(sites), tuple(guards))


def _below(site: Site, prefix: Path) -> Iterator[Site]:
    """A subchart's site as the parent sees it. Helm merges `global` of the parent and what stands below the subchart's key."""
    placed = site._replace(path=_full(site.path, prefix), when=_under(site.when, prefix), chart="".join(prefix))
    yield placed
    if prefix and site.path[0] == "global":
        others = frozenset(frozenset(atom for atom in one if atom.path[:1] != ("global",)) for one in placed.when)
        yield placed._replace(path=(*prefix, *site.path), when=others)


def _under(when: Dnf, prefix: Path) -> Dnf:
    return frozenset(frozenset(atom._replace(path=_full(atom.path, prefix)) for atom in one) for one in when)


def _full(path: Path, prefix: Path) -> Path:
    """Helm hands `global` down to subcharts, so it has no subchart's key in front."""
    return path if not path or path[0] == "global" else (*prefix, *path)


class _Mark(NamedTuple):
    reads: tuple[Read, ...]


class _Template:
    """Follows the events of one template: tests as they come, outputs as marks in a skeleton text."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.sites: list[Site] = []
        self.guards: list[Guard] = []
        self.marks: list[_Mark] = []

    def run(self, events: Sequence[Event]) -> None:
        skeleton = self.text(events, TRUE)
        for document in re.split(r"(?m)^---.*$", skeleton):
            kind = re.search(r"(?m)^kind: *([A-Za-z]+)", document)
            for field, output, line, alone in places(document, self.marks):
                self._fill(output, f"{kind[1]}:{field}" if kind else None, line, alone)

    def text(self, events: Sequence[Event], when: Dnf) -> str:
        """The skeleton of a run of events, both sides of every branch in it."""
        text = ""
        stack: list[tuple[Dnf, Expression]] = [(when, {})]
        for position, event in enumerate(events):
            if "text" in event:
                text += event["text"]
            elif "open" in event:
                self._test(event, stack[-1][0], _body(events[position + 1 :]))
                stack.append((every([stack[-1][0], truth(event["open"])]), event["open"]))
            elif event.get("else"):
                subject = stack.pop()[1]
                stack.append((every([stack[-1][0], truth(subject, positive=False)]), subject))
            elif event.get("close"):
                stack.pop()
            else:
                text += self._out(event["out"], stack[-1][0])
        return text

    def _out(self, expression: Expression, when: Dnf) -> str:
        if expression.get("fn") == "fail":
            self.guards.append(Guard(when, str(expression["args"][0].get("lit", ""))))
            return ""
        inner, indent, leading = _unwrap(expression)
        if "include" in inner:
            body = self.text(inner.get("body") or [], when)
            if indent is not None:
                body = "\n".join(" " * indent + line if line else line for line in body.split("\n"))
            return "\n" + body if leading else body
        self.marks.append(_Mark(tuple(_reads(expression, when, "bare"))))
        placed = mark(len(self.marks) - 1)
        return f"\n{' ' * (indent or 0)}{placed}" if leading else placed

    def _test(self, event: Event, when: Dnf, body: Sequence[Event]) -> None:
        use: Use = "range" if event["kind"] == "range" else "guard" if _only_fails(body) else "test"
        for read in _reads(event["open"], when, use):
            if read.when:
                more = _prints_more(body, read.path)
                strict = _strict(event["open"])
                self.sites.append(Site(self.file, read.path, read.use, read.when, None, strict, more))

    def _fill(self, output: _Mark, target: str | None, line: str, alone: bool) -> None:
        rest = MARK.sub("", line).partition(": ")[2].strip()
        longer = len(MARK.findall(line)) > 1 or bool(rest.strip("\"'"))
        for read in output.reads:
            use = read.use
            if use == "bare" and not alone:
                use = "text" if longer else "quoted" if rest else "bare"
            if read.when:
                place = None if use in {"test", "hash"} else target
                self.sites.append(Site(self.file, read.path, use, read.when, place, instead=read.instead, covered=read.covered))


# Expressions


def _reads(expression: Expression, when: Dnf, use: Use) -> Iterator[Read]:
    """The paths that an expression reads, each under what else must hold for it to matter."""
    if "path" in expression or "key" in expression:
        yield Read(tuple(expression.get("path") or expression["key"]), use, when)
    elif "include" in expression:
        yield from _included(expression.get("body") or [], when, use)
    elif "when" in expression:
        below = every([when, *(truth(condition) for condition in expression["when"])])
        yield from _reads(expression["args"][0], below, use)
    else:
        yield from _arguments(expression.get("fn", ""), expression.get("args") or [], when, use)


def _arguments(name: str, args: Sequence[Expression], when: Dnf, use: Use) -> Iterator[Read]:
    for position, arg in enumerate(args):
        if name in {"and", "or"}:
            others = [truth(other, name == "and") for other in args if other is not arg]
            yield from _reads(arg, every([when, *others]), use)
        elif name in {"default", "coalesce"}:
            first = args[position + 1 :] if name == "default" else args[:position]
            missing = every([when, *(truth(other, positive=False) for other in first)])
            covered = name == "default" and position > 0
            instead = (args[0].get("lit") or None) if covered else None
            yield from (read._replace(instead=instead, covered=covered) if covered else read for read in _reads(arg, missing, use))
        elif name == "ternary" and position < 2:
            yield from _reads(arg, every([when, truth(args[2], position == 0)]), use)
        else:
            yield from _reads(arg, when, _through(name, position == len(args) - 1, use))


_SAME = {"trim", "trunc", "trimSuffix", "trimPrefix", "nindent", "indent", "required", "choice", "append", "list"}
_YAML = {"toYaml", "toJson", "toPrettyJson", "omit", "pick", "tpl"}
_TEST = {"eq", "ne", "not", "empty", "has", "contains", "hasKey", "kindIs", "typeIs", "gt", "lt", "ge", "le", "len"}


def _through(name: str, last: bool, use: Use) -> Use:
    """How an argument of a function is used, when its result is used as `use`."""
    if name == "sha256sum" or use == "hash":
        return "hash"
    if use in {"test", "guard", "range"} or name in _SAME:
        return use
    if name == "dict" and use == "yaml":
        return "quoted"  # a value of a map that goes out whole
    if name in _YAML:
        return "yaml" if last or name in {"omit", "tpl"} else "test"
    if name in {"quote", "squote"}:
        return "yaml" if use == "yaml" else "quoted"
    return "test" if name in _TEST else use if name == "" else "text"


def _included(events: Sequence[Event], when: Dnf, use: Use) -> Iterator[Read]:
    """The reads of a named template whose output is worked on as one text."""
    inner = _Template("")
    inner.text(events, when)
    for site in inner.sites:
        yield Read(site.path, "hash" if use == "hash" else site.use, site.when)
    for output in inner.marks:
        for read in output.reads:
            scalar: Use = "text" if read.use in {"bare", "quoted"} else read.use
            yield read._replace(use=use if use in {"hash", "test", "guard"} else scalar)


def _unwrap(expression: Expression) -> tuple[Expression, int | None, bool]:
    """What an output prints, the indentation put before it, and whether a line break comes first."""
    name: str = expression.get("fn", "")
    args: Sequence[Expression] = expression.get("args") or ()
    if name in {"indent", "nindent"}:
        inner = _unwrap(args[1])[0]
        return inner, int(args[0]["lit"]), name == "nindent"
    if name in {"toYaml", "quote", "trim"} and args:
        return (args[0], None, False) if "include" in args[0] else (expression, None, False)
    return expression, None, False


def _strict(subject: Expression) -> bool:
    name: str = subject.get("fn", "")
    args: Sequence[Expression] = subject.get("args") or ()
    if name in {"eq", "ne"}:
        return len(args) == 2 and isinstance(args[1].get("lit"), bool)
    return name in {"and", "or", "not"} and any(_strict(arg) for arg in args)


# Bodies of blocks


def _body(events: Sequence[Event]) -> Sequence[Event]:
    """The events of the block that has just been opened, up to its `else` or end."""
    depth = 0
    for position, event in enumerate(events):
        if depth == 0 and (event.get("else") or event.get("close")):
            return events[:position]
        depth += ("open" in event) - bool(event.get("close"))
    return events


def _only_fails(body: Sequence[Event]) -> bool:
    outs = [event["out"] for event in body if "out" in event]
    texts = "".join(event["text"] for event in body if "text" in event)
    return bool(outs) and not texts.strip() and all(out.get("fn") == "fail" for out in outs)


def _prints_more(body: Sequence[Event], path: Path) -> bool:
    """Whether a block prints more than one line about the path that it tests."""
    texts = "".join(event["text"] for event in body if "text" in event)
    read = {found.path for event in body if "out" in event for found in _reads(event["out"], TRUE, "bare")}
    return len(texts.strip().split("\n")) > 1 or read != {path}
