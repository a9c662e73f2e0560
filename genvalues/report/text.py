"""Findings for people: `file:line:column: severity CODE: message`, the source line with a caret, and what to type.

The first line of a finding never changes: editors and problem matchers read it. Everything that comes from files is
made visible first, so that no site can write to the terminal of whoever checks it.
"""

from collections.abc import Mapping, Sequence

from genvalues.finding import Finding, Place, count_by_severity
from genvalues.report import RuleMeta, Skipped
from genvalues.visible import visible

_WIDTH = 120
_NARROWEST = 20  # columns of a source line that are worth showing
_TAB = "    "
MANY = 20  # findings from which on a table of codes helps
_COLOURS = {"error": "31", "warning": "33", "info": "36", "bold": "1", "fix": "32", "faint": "2"}


def render(
    findings: Sequence[Finding],
    skipped: Skipped,
    rules: Mapping[str, RuleMeta],
    *,
    quiet: bool = False,
    colour: bool = False,
    width: int = 0,
) -> str:
    """The text; `quiet` leaves out everything but findings. `width` limits source lines only, in columns."""
    paint = _paint if colour else _plain
    blocks = ["".join(f"{line}\n" for line in _finding(finding, paint, width or _WIDTH)) for finding in findings]
    if not quiet:
        summary = [f"skipped {visible(file)}: {visible(reason)}" for file, reason in skipped]
        summary += _summary(findings, rules)
        blocks += ["".join(f"{line}\n" for line in summary)] if summary else []
    return "\n".join(blocks)


def position(place: Place) -> str:
    """`file:line:column`, as the first line of a finding has it."""
    return f"{visible(place.file)}:{place.line}:{place.column}"


def headline(finding: Finding) -> str:
    """The first line of a finding."""
    return f"{position(finding.place)}: {finding.severity} {finding.code}: {visible(finding.message)}"


def _finding(finding: Finding, paint: "_Paint", width: int) -> list[str]:
    head = f"{position(finding.place)}:"
    rest = headline(finding).removeprefix(head)
    kind = f" {finding.severity} {finding.code}:"
    lines = [paint(head, "bold") + paint(kind, finding.severity) + rest.removeprefix(kind)]
    lines += _excerpt(finding.place, finding.severity, paint, width)
    if finding.fix:
        first, *more = finding.fix.rstrip("\n").split("\n")
        lines.append(f"  {paint('fix:', 'fix')} {visible(first)}")
        lines += [f"       {visible(line)}".rstrip() for line in more]
    for related in finding.related:
        lines.append(f"  note: {position(related.place)}: {visible(related.message)}")
    lines.append(paint(f"  explain: genvalues explain {finding.code}", "faint"))
    return lines


def _excerpt(place: Place, severity: str, paint: "_Paint", width: int) -> list[str]:
    """The source line and carets below what is meant, cut around it where the line is too long."""
    cells = [_TAB if char == "\t" else visible(char) for char in place.excerpt]
    widths = [_columns(cell) for cell in cells]
    start = min(place.column - 1, len(cells))
    stop = min(max(place.end_column - 1, start + 1), max(len(cells), start + 1))
    gutter = f"{place.line:>5} | "
    room = max(width - len(gutter), _NARROWEST)
    first, last = _window(widths, start, stop, room)
    left, right = "..." if first else "", "..." if last < len(cells) else ""
    shown = "".join(cells[first:last])
    if not shown.strip():
        return []
    indent = " " * (len(left) + sum(widths[first:start]))
    carets = "^" * max(sum(widths[start : min(stop, last)]), 1)
    return [
        f"{gutter}{left}{shown.rstrip() if not right else shown}{right}",
        f"      | {indent}{paint(carets, severity)}",
    ]


def _window(widths: Sequence[int], start: int, stop: int, room: int) -> tuple[int, int]:
    """Which cells to show in `room` columns: all if they fit, else from a little before `start` on."""
    if sum(widths) <= room:
        return 0, len(widths)
    room -= 6  # for "..." on both sides
    first, used = start, 0
    while first > 0 and used + widths[first - 1] <= room // 3:
        first -= 1
        used += widths[first]
    last = start
    while last < len(widths) and used + widths[last] <= room:
        used += widths[last]
        last += 1
    while first > 0 and used + widths[first - 1] <= room:  # at the end of the line there is room on the left again
        first -= 1
        used += widths[first]
    return first, max(last, min(start + 1, stop, len(widths)))


def _columns(cell: str) -> int:
    """How many columns of a terminal a cell takes."""
    if cell.isascii():
        return len(cell)
    import unicodedata  # noqa: PLC0415  # most lines are ASCII

    wide = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in cell)
    return wide - sum(1 for char in cell if unicodedata.combining(char))


def _summary(findings: Sequence[Finding], rules: Mapping[str, RuleMeta]) -> list[str]:
    if not findings:
        return []
    lines = []
    if len(findings) >= MANY:
        codes = sorted({finding.code for finding in findings})
        for code in codes:
            number = sum(finding.code == code for finding in findings)
            title = f"  {rules[code].title}" if code in rules else ""
            lines.append(f"{number:>5} x {code}{title}")
    words = {"error": ("error", "errors"), "warning": ("warning", "warnings"), "info": ("remark", "remarks")}
    counts = [f"{n} {words[severity][n != 1]}" for severity, n in count_by_severity(findings).items() if n]
    files = len({finding.place.file for finding in findings})
    return [*lines, f"{', '.join(counts)} in {files} {'file' if files == 1 else 'files'}"]


class _Paint:
    """How words are coloured: called with a text and the name of its colour."""

    def __init__(self, colours: Mapping[str, str]) -> None:
        self._colours = colours

    def __call__(self, text: str, name: str) -> str:
        code = self._colours.get(name)
        return f"\x1b[{code}m{text}\x1b[0m" if code else text


_paint = _Paint(_COLOURS)
_plain = _Paint({})
