"""The CSV of DCGM exporter as its reader takes it: rows, and lines at which it gives up.

Go's encoding/csv with `#` as comment sign and without lazy quotes, then blanks (U+0020 alone) trimmed, then exactly three
fields (dcgm-exporter internal/pkg/counters/counter_config.go). One line at fault and the exporter stops, with all metrics.
"""

import re
from functools import lru_cache

from genvalues.record import NamedTuple
from genvalues.wording import cut, quoted

FIELDS = 3

_NAME = r"[A-Za-z0-9_]+"
_BOM = "\ufeff"
_UNSEEN = {"\t": "a tab", "\u00a0": "a no-break space"}


class Row(NamedTuple):
    """A row that the reader takes: its line (index from 0), and its three cells without blanks around them."""

    line: int
    field: str
    type: str
    help: str


class Fault(NamedTuple):
    """A line that the reader does not take, or that breaks what it prints; `fix` is something one can type."""

    line: int
    message: str
    fix: str


class Csv(NamedTuple):
    """A text as read: the rows in order, and all lines at fault."""

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]


@lru_cache(maxsize=8)  # every rule about rows asks for the same text
def read(text: str) -> Csv:
    """Rows and faults of a text. The reader stops at the first fault; here each of them is found."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    rows, faults, index = [], [], 0
    while index < len(lines):
        line = lines[index]
        following = index + 1
        if line and not line.startswith("#"):
            record = _record(lines, index)
            found = record if isinstance(record, Fault) else _row(index, line, record.cells)
            following = following if isinstance(record, Fault) else record.end
            if isinstance(found, Fault):
                faults.append(found)
            else:
                rows.append(found)
        index = following
    return Csv(tuple(rows), tuple(faults))


class _Record(NamedTuple):
    cells: tuple[str, ...]
    end: int


def _record(lines: list[str], start: int) -> _Record | Fault:
    """The cells of the record at line `start`, and the line behind it: a cell in quotes may hold line breaks."""
    cells, rest, line = [], lines[start], start
    while True:
        if not rest.startswith('"'):
            cell, comma, rest = rest.partition(",")
            if '"' in cell:
                return Fault(start, *_bare_quote(lines[start], cell))
            cells.append(cell)
            if not comma:
                return _Record(tuple(cells), line + 1)
            continue
        cell, rest = "", rest[1:]
        while True:
            inside, quote, rest = rest.partition('"')
            cell += inside
            if not quote:
                line += 1
                if line == len(lines):
                    return Fault(start, "a quote is opened here and never closed", "close it, or leave quotes away")
                cell, rest = cell + "\n", lines[line]
            elif rest.startswith('"'):
                cell, rest = cell + '"', rest[1:]
            else:
                break
        cells.append(cell)
        if not rest:
            return _Record(tuple(cells), line + 1)
        if not rest.startswith(","):
            return Fault(start, f"{quoted(cut(rest))} stands behind a closing quote", "write the help without quotes")
        rest = rest[1:]


def _bare_quote(line: str, cell: str) -> tuple[str, str]:
    if cell.lstrip(" ").startswith('"'):
        tidy = re.sub(r'\s*,\s*"', ',"', line, count=1)
        return "a blank before a quote makes the quote a part of the cell, where none may stand", _bare(tidy)
    return "a quote stands inside a cell that is not in quotes", f"without quotes: {cut(line.replace(chr(34), ''))}"


def _bare(row: str) -> str:
    name, _, rest = row.partition(",")
    kind, _, words = rest.partition(",")
    return f"{name.strip()},{kind.strip()},{words}"


def _row(index: int, line: str, cells: tuple[str, ...]) -> Row | Fault:
    if line.startswith(_BOM):
        return Fault(index, "the text begins with a byte order mark, which becomes a part of the row", cut(line[1:]))
    if not line.strip():
        return Fault(index, "a line of nothing but blanks is a row of one field", "take the blanks out, or the line")
    if line.lstrip().startswith("#"):
        return Fault(
            index,
            "a comment begins in the first column; indented, its line is a row like any other",
            cut(line.strip()),
        )
    name, *others = (cell.strip(" ") for cell in cells)
    if len(cells) != FIELDS:
        return Fault(index, *_miscounted(name, others))
    if re.fullmatch(_NAME, name) is None:
        return Fault(index, *_no_name(name, line))
    kind, words = others
    if "\n" in words:
        message = "the help text holds a line break, and what follows it breaks every scrape"
        return Fault(index, message, cut(f"{name}, {kind}, {words}".replace("\n", " ")))
    return Row(index, name, kind, words)


def _miscounted(name: str, others: list[str]) -> tuple[str, str]:
    count = len(others) + 1
    if count == 1 and ";" in name:
        return "the row is divided by semicolons and so has one field", cut(name.replace(";", ","))
    message = f"the row has {count} field{'s' if count > 1 else ''}, where exactly {FIELDS} are read: name, type, help"
    if count > FIELDS:
        words = ", ".join(others[1:]).replace('"', '""')
        return f"{message}; a comma divides the help text", f'{name},{others[0]},"{words}"'
    return message, cut(", ".join([name, *others, *("...",) * (FIELDS - count)]))


def _no_name(name: str, line: str) -> tuple[str, str]:
    unseen = next((words for sign, words in _UNSEEN.items() if sign in name), None)
    if unseen is not None:
        tidy = re.sub(r"\s+,", ",", "".join(" " if sign in _UNSEEN else sign for sign in line)).strip()
        return f"{unseen} beside the name becomes a part of it: only plain blanks are trimmed", cut(tidy)
    if not name:
        return "the row begins with no field name", "DCGM_FI_DEV_GPU_TEMP, gauge, GPU temperature (C)"
    return f"{quoted(name)} is no field name; the list has no header row", cut(f"# {line}")
