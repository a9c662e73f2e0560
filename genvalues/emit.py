"""The only writer of YAML and CSV text.

Style: block collections, two blanks of indent, list items two blanks below their key (what yamllint and prettier ask
for by default, and how the charts' own values.yaml are written), one line per scalar, never folded.

A string is plain only where every reader of the trade takes it for that same string: YAML 1.1 (PyYAML, libyaml, and
Go's yaml.v2 and sigs.k8s.io/yaml, so Helm, kubectl and the operators) as well as YAML 1.2 (ruamel, yaml.v3). All else
is double-quoted: `"on"`, `"0302"`, `"1e30"`, `"580.10"`. Text of several lines is a literal block, unless a line ends
in a blank, or holds a tab or anything unseen, or the text ends in more than one newline: editors' and pre-commit's
whitespace fixers would change such a block, and with it the value.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from genvalues.document import Doc
from genvalues.finding import Json, Place, Route
from genvalues.record import NamedTuple
from genvalues.visible import all_seen, visible

WIDTH = 110
"""Columns at which comments wrap, indent included."""

_LONGEST_KEY = 1000
"""libyaml and its ports give up on a key without `?` after 1,024 characters."""

# Starts with a letter, `_`, `/` or `^` (or is a long option); holds printable ASCII; no ": ", no " #", no blank or
# colon at the end.
_PLAIN = r"(?:--)?[A-Za-z_/^](?:[!-9;-~]|:(?=[!-~])| +(?=[!\"$-~]))*"
# Starts with a digit but holds a letter that no number, time or date of any reader has: 8xh100-ib, 1g.10gb, 64Gi.
_PLAIN_COUNT = r"(?=.*[G-NQ-SUVWYg-nq-suvwy])[0-9](?:[!-9;-~]|:(?=[!-~])| +(?=[!\"$-~]))*"
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})
_SURROGATE = "[\ud800-\udfff]"
_TRAILING_BLANK = " (?:\n|$)"

_CSV_COLUMNS = 3


class Emitted(NamedTuple):
    """A file's text, and the line (from 1) on which each node's key or list dash stands.

    Nodes of an embedded document have the route of the text node followed by their own.
    """

    text: str
    lines: Mapping[Route, int]

    def line(self, route: Route) -> int:
        """The line of the node at `route`, or of the nearest one above it; 1 where the text has none."""
        for length in range(len(route), -1, -1):
            if (line := self.lines.get(route[:length])) is not None:
                return line
        return 1

    def place(self, file: str, route: Route) -> Place:
        """The same as a spot in `file`: from the first character of the line that is no blank to its end."""
        line = self.line(route)
        excerpt = self.text.split("\n", line)[line - 1]
        return Place(file, line, len(excerpt) - len(excerpt.lstrip(" ")) + 1, len(excerpt) + 1, excerpt)


def emit(doc: Doc, header: Sequence[str] = ()) -> Emitted:
    """The text of a document under its header (lines without comment signs) and its intro.

    `doc.embedded` is looked up for nodes that hold a string, as `Builder.embed` leaves them.
    Comments come from the reasons that nodes have of their own. ValueError where the body holds what YAML or the CSV
    cannot (a lone surrogate, a key beyond 1,000 characters): rules and the schema keep those out.
    """
    writer = _Writer(doc)
    writer.head(header)
    if doc.kind == "dcgm-csv":
        writer.rows()
    else:
        writer.document()
    return Emitted("".join(f"{line}\n" for line in writer.lines), writer.index)


def yaml(doc: Doc, header: Sequence[str] = ()) -> str:
    """The YAML text of `doc`, see `emit`."""
    return emit(doc, header).text


def csv(doc: Doc, header: Sequence[str] = ()) -> str:
    """The dcgm-exporter CSV text of `doc`; its body is `{"rows": [[field, type, help], ...]}`, see `emit`.

    The reason of a row, at route ("rows", index), is the comment above it: rows of one preset share one reason, which
    makes it the title of their section.
    """
    return emit(doc, header).text


def scalar(value: Json) -> str:
    """How a string, number, boolean or null is spelt in YAML, on one line; also for fixes that users shall type."""
    if isinstance(value, str):
        return _string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    raise TypeError(f"no YAML scalar for {type(value).__name__}")


class _Writer:
    """Collects the lines of one document; every element of `lines` is exactly one line."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self.lines: list[str] = []
        self.index: dict[Route, int] = {}
        self._said: set[tuple[str, str | int]] = set()

    def head(self, header: Sequence[str]) -> None:
        intro = self.doc.intro
        for line in (*header, *([""] if header and intro else []), *intro):
            self.lines.extend(_comment(line, "") if line else ["#"])
        if header:
            self.lines.append("")

    def document(self) -> None:
        body = self.doc.body
        if why := self.doc.why.get(()):
            self.lines.extend(_comment(why.text, ""))
        self.index[()] = len(self.lines) + 1
        if not self._nest(body, (), "", ""):
            self.lines.append(_flat(body))

    def rows(self) -> None:
        last = ""
        self.index[()] = self.index["rows",] = len(self.lines) + 1
        for number, row in enumerate(self.doc.body["rows"]):
            route: Route = ("rows", number)
            why = self.doc.why.get(route)
            if why and why.text != last:
                self.lines.extend(_comment(_ascii(why.text), ""))
            last = why.text if why else ""
            self.index[route] = len(self.lines) + 1
            self.lines.append(_row(row))

    def _nest(self, value: Json, route: Route, pad: str, first: str) -> bool:
        """Write a collection that is not empty, its entries at column `pad`; the first one after `first`, if that is set.

        `first` is the dash, or dashes, of the list items that begin on the same line.
        """
        if isinstance(value, dict) and value:
            self._map(value, route, pad, first)
        elif isinstance(value, list) and value:
            self._list(value, route, pad, first)
        else:
            return False
        return True

    def _map(self, node: dict[str, Json], route: Route, pad: str, first: str) -> None:
        spaced = not route and self.doc.kind == "values"  # a chart's values are long: air between their parts
        last, big, lead, margin = "", False, first or pad, _margin(first, pad)
        for key, value in node.items():
            below = (*route, key)
            why = self.doc.why.get(below)
            said = why.text if why else ""
            wanted = bool(said) and said != last and (said, key) not in self._said
            before, big = big, isinstance(value, (dict, list)) and bool(value)
            if spaced and (before or big or wanted) and self.lines and self.lines[-1]:
                self.lines.append("")
            if wanted:
                self._said.add((said, key))
                self.lines.extend(_comment(said, margin))
            self._value(f"{lead}{_key(key, route)}:", value, below, pad)
            last, lead, margin = said, pad, pad

    def _list(self, node: list[Json], route: Route, pad: str, first: str) -> None:
        last, lead, margin = "", first or pad, _margin(first, pad)
        for number, value in enumerate(node):
            below = (*route, number)
            why = self.doc.why.get(below)
            said = why.text if why else ""
            if said and said != last:
                self.lines.extend(_comment(said, margin))
            if self._nest(value, below, pad + "  ", f"{lead}- "):
                head = next(iter(value)) if isinstance(value, dict) else 0
                self.index[below] = self.index[(*below, head)]
            else:
                self._value(f"{lead}-", value, below, pad)
            last, lead, margin = said, pad, pad

    def _value(self, prefix: str, value: Json, route: Route, pad: str) -> None:
        """One entry, its key or dash already in `prefix`, the column of which is `pad`."""
        self.index[route] = start = len(self.lines) + 1
        if isinstance(value, str):
            if (inner := self.doc.embedded.get(route)) is not None:
                below = emit(inner)
                self.index.update({route + step: start + line for step, line in below.lines.items() if step})
                self._literal(prefix, below.text, pad)
            elif "\n" in value and _fits_block(value):
                self._literal(prefix, value, pad)
            else:
                self.lines.append(f"{prefix} {_string(value)}")
        elif value and isinstance(value, (dict, list)):
            self.lines.append(prefix)
            self._nest(value, route, pad + "  ", "")
        else:
            self.lines.append(f"{prefix} {_flat(value)}")

    def _literal(self, prefix: str, value: str, pad: str) -> None:
        hint = "2" if value.startswith((" ", "\n")) else ""
        chomp = "" if value.endswith("\n") else "-"
        self.lines.append(f"{prefix} |{hint}{chomp}")
        self.lines.extend(f"{pad}  {line}" if line else "" for line in value.removesuffix("\n").split("\n"))


def _key(key: Json, route: Route) -> str:
    if not isinstance(key, str):
        raise TypeError(f"key {key!r} at {route} is no string")
    spelt = _string(key)
    if len(spelt) > _LONGEST_KEY:
        raise ValueError(f"key of {len(spelt)} characters at {route}: YAML readers stop at 1024")
    return spelt


@lru_cache(maxsize=4096)
def _string(value: str) -> str:
    if value.isascii() and value.lower() not in _WORDS and (re.fullmatch(_PLAIN, value) or re.fullmatch(_PLAIN_COUNT, value)):
        return value
    if re.search(_SURROGATE, value):
        raise ValueError(f"{value!r} holds half a character (a lone surrogate), which no YAML text can")
    return '"' + visible(value.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _float(value: float) -> str:
    if value != value:  # noqa: PLR0124  # NaN, without importing math
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    spelt = repr(value)
    mantissa, exponent, power = spelt.partition("e")
    if exponent and "." not in mantissa:
        return f"{mantissa}.0e{power}"  # YAML 1.1 wants the point: PyYAML reads 1e+16 as a string
    return spelt


def _flat(value: Json) -> str:
    if isinstance(value, dict):
        return "{}"
    return "[]" if isinstance(value, list) else scalar(value)


def _margin(first: str, pad: str) -> str:
    """Where the comment of an entry goes: above its own column, or above the dash that its line starts with."""
    return first[: first.index("-")] if first else pad


def _fits_block(value: str) -> bool:
    """Whether a text of several lines survives as a literal block; reasons in the module's docstring."""
    if value.endswith("\n\n") or not value.strip("\n") or re.search(_TRAILING_BLANK, value):
        return False
    return all_seen(value.replace("\n", ""))


def _comment(sentence: str, pad: str) -> list[str]:
    """Comment lines of at most `WIDTH` columns; a longer word stands alone. No text can leave its comment."""
    flat = visible(" ".join(sentence.split()))
    if len(pad) + 2 + len(flat) <= WIDTH:
        return [f"{pad}# {flat}"]
    lines: list[str] = []
    line = f"{pad}#"
    for word in flat.split(" "):
        if len(line) + 1 + len(word) > WIDTH and len(line) > len(pad) + 1:
            lines.append(line)
            line = f"{pad}#"
        line = f"{line} {word}"
    return [*lines, line]


def _row(row: Sequence[str]) -> str:
    """One line for dcgm-exporter: Go's encoding/csv without lazy quotes, then blanks trimmed; a bad line stops it.

    A blank before a quote is fatal, so a help text with a comma gets a row without blanks. ASCII: a no-break space or
    a tab is not trimmed and makes the field name unknown.
    """
    if len(row) != _CSV_COLUMNS:
        raise ValueError(f"row {row!r} has {len(row)} fields, not 3")
    for cell in row:
        if not (cell.isascii() and cell.isprintable()):
            raise ValueError(f"row {row!r}: {cell!r} is not printable ASCII")
    field, kind, words = (cell.strip(" ") for cell in row)
    if not field or field.startswith("#") or any(sign in field + kind for sign in ',"'):
        raise ValueError(f"row {row!r} does not start with a field name and a type")
    if "," in words or '"' in words:
        escaped = words.replace('"', '""')
        return f'{field},{kind},"{escaped}"'
    return f"{field}, {kind}, {words}".rstrip(" ")


def _ascii(words: str) -> str:
    return words.encode("ascii", "backslashreplace").decode("ascii")
