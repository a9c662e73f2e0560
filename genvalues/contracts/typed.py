"""Types as Go's templates, the CRDs and the API server see them: what is wrong with one value.

A chart prints a value bare (`{{ .Values.x }}`), inside quotes or a text, or passes a block on whole (`toYaml`). Bare text
is read as YAML once more, so that the string "580.10" becomes a number; a block keeps the types that the user wrote.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from genvalues.contracts.scalars import printed_back, show
from genvalues.finding import Json
from genvalues.record import NamedTuple
from genvalues.wording import inline, listed, nearest, quoted, shown

Record = Mapping[str, Any]
Met = Callable[[Record, str], bool]
"""Whether the condition under a key of a record holds."""


class Fault(NamedTuple):
    """One fault of a value. `text` goes on after the path; `typed` is the value to type instead, "" where none is known.

    `fix` says what to type elsewhere.
    """

    verdict: Literal["mistyped", "refused"]
    text: str
    typed: str = ""
    fix: str = ""


def named(value: Json, record: Record, met: Met, raw: str | None) -> Iterator[Fault]:
    """Faults of a value that templates print or test by its path."""
    kind = record["type"]
    if isinstance(value, (dict, list)):
        yield from _collection(value, record)
    elif "map" in record and met(record, "map"):
        right = f"{{enabled: {show(value)}}}" if isinstance(value, bool) else "{}"
        yield Fault("refused", f"is {shown(value)}, and a template goes below it: helm stops with an error", right)
    elif not value and record.get("guarded"):
        return  # left out, as if it were not there
    elif kind in ("object", "array"):
        if kind == "object" and isinstance(value, str) and "default" not in record:
            yield _misfit(value, kind, raw, "the API server refuses it")
        else:
            yield Fault("refused", f"is {shown(value)} where {_A[kind]} is wanted", _EMPTY[kind])
    elif kind == "boolean":
        yield from _boolean(value, record, met)
    elif "enum" in record or "pattern" in record or kind in ("string", "scalar", "int-or-string"):
        yield from _string(value, record, met, raw)
    elif kind in ("integer", "number"):
        yield from _number(value, record)
    if "instead" in record and value is not None and not value and value not in ("", record["instead"]) and _bare(record, met):
        instead = show(record["instead"])
        yield Fault("mistyped", f"is {shown(value)}, which the template takes for empty, so that it prints {instead}", instead)


def passed(value: Json, field: str, fields: Mapping[str, Record], raw: str | None) -> Iterator[Fault]:
    """Faults of a value that goes out as it is to a field whose type is known."""
    known = fields[field]
    kind = known["type"]
    if kind in ("any", "scalar"):
        return
    if not _FITS[kind](value):
        fault = _misfit(value, kind, raw, known.get("why", "the API server refuses it"))
        yield fault._replace(typed=quoted(f"{show(value)}{known['unit']}")) if "unit" in known else fault
    elif kind == "object":
        yield from _required(value, field, fields)
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        yield from _limits(value, known)


def null(record: Record, met: Met) -> str:
    """What a null leads to: "fails" (a template goes below it), "refused" (the API server gets a null), "gone"."""
    if "nil" in record and met(record, "nil"):
        return "fails"
    if "null" in record and "fallback" not in record and not record.get("loose") and met(record, "null"):
        return "refused"
    return "gone"


def _collection(value: Json, record: Record) -> Iterator[Fault]:
    kind, name = record["type"], "map" if isinstance(value, dict) else "list"
    if kind == "any" or kind == ("object" if isinstance(value, dict) else "array"):
        return
    if kind in ("object", "array"):
        yield Fault("refused", f"is a {name} where {_A[kind]} is wanted")
    elif isinstance(value, dict) and isinstance(value.get("name"), str):
        only = value["name"]
        yield Fault("mistyped", f"is a map, and the template prints it as map[name:{only}]: it takes plain names", inline(only))
    else:
        yield Fault("mistyped", f"is a {name} where {_A[kind]} is wanted: the template prints it as Go shows it")


def _boolean(value: Json, record: Record, met: Met) -> Iterator[Fault]:
    if isinstance(value, bool):
        return
    word = isinstance(value, str) and isinstance(printed_back(value), bool)
    right = show(printed_back(value)) if word else "true"
    if record.get("strict"):
        yield Fault("refused", f"is {shown(value)}, and a template compares it with a boolean: helm stops with an error", right)
    elif isinstance(value, str) and value and record.get("alters") and (not word or right == "false"):
        yield Fault("mistyped", f"is the text {quoted(value)}, and a template's `if` takes any text for true", right)
    elif not record.get("loose") and not word and _bare(record, met):
        yield Fault("refused", f"is {shown(value)} where a boolean is wanted: the API server refuses it", right)


def _string(value: Json, record: Record, met: Met, raw: str | None) -> Iterator[Fault]:
    printed = show(value)
    typed = raw.strip() if raw is not None and not isinstance(value, str) else None
    wants = not record.get("loose") and record["type"] == "string"
    if not isinstance(value, str) and typed is not None and typed != printed:
        yield Fault("mistyped", f"is {typed} without quotes, which Helm reads as {shown(value)} and prints as {printed}", quoted(typed))
    elif not isinstance(value, str) and (printed != str(value).lower() or (isinstance(value, float) and not isinstance(value, bool))):
        yield Fault("mistyped", f"is a number to Helm, which prints it as {printed}; trailing zeros are lost", quoted(typed or printed))
    elif not isinstance(value, str) and "enum" in record and printed not in record["enum"]:
        yield from _misenum(value, record)
    elif not isinstance(value, str) and wants and _bare(record, met):
        yield Fault("mistyped", f"is {shown(value)} where a string is wanted, and is printed without quotes: the API server refuses it", quoted(typed or printed))
    elif isinstance(value, str) and value and wants and _bare(record, met) and not isinstance(printed_back(value), str):
        text = f"is printed without quotes, so that {value} is read as {shown(printed_back(value))}: the API server refuses it"
        yield Fault("mistyped", text)
    elif value == "" and wants and "fallback" not in record and "null" in record and met(record, "null"):
        yield Fault("refused", "is empty and printed without quotes: the object has a null there, which the API server refuses")
    else:
        yield from _limits(value if isinstance(value, (str, int)) else printed, record)


def _misenum(value: Json, record: Record) -> Iterator[Fault]:
    word = next((one for one in record["enum"] if isinstance(value, bool) and printed_back(one) is value), None)
    text = f"is {shown(value)} to YAML"
    if word is not None:
        yield Fault("mistyped", f"{text}; without quotes `{word}` is a boolean", quoted(word))
    else:
        yield Fault("refused", f"{text}; one of {_choice(record['enum'])} is wanted")


def _number(value: Json, record: Record) -> Iterator[Fault]:
    if record.get("loose"):
        return
    seen = printed_back(value) if isinstance(value, str) and "bare" in record else value
    whole = isinstance(seen, int) and not isinstance(seen, bool)
    if not whole and not (record["type"] == "number" and isinstance(seen, float)):
        yield Fault("refused", f"is {shown(value)} where {_A[record['type']]} is wanted: the API server refuses it")
    elif isinstance(seen, int):
        yield from _limits(seen, record)


def _limits(value: str | int, record: Record) -> Iterator[Fault]:
    if (enum := record.get("enum")) and value not in enum:
        close = nearest(value, [one for one in enum if one]) if isinstance(value, str) else None
        fix = "" if close else f"write {_choice(enum)}"
        yield Fault("refused", f"is {shown(value)}; only {_choice(enum)} is allowed", inline(close) if close else "", fix)
    elif isinstance(value, str) and "pattern" in record and not re.search(record["pattern"], value) and (value or "text" not in record):
        yield Fault("refused", f"is {shown(value)}, which the API server refuses: {_pattern(record['pattern'])}")
    elif isinstance(value, int) and "minimum" in record and value < record["minimum"]:
        least = record["minimum"]
        yield Fault("refused", f"is {value}, below the least value, {least}", str(least))
    elif isinstance(value, int) and "maximum" in record and value > record["maximum"]:
        most = record["maximum"]
        yield Fault("refused", f"is {value}, above the largest value, {most}", str(most))


def _misfit(value: Json, kind: str, raw: str | None, then: str) -> Fault:
    if kind == "string" and not isinstance(value, (dict, list)):
        typed = raw.strip() if raw is not None else show(value)
        return Fault("mistyped", f"is {_what(value, typed)} where a string is wanted: {then}", quoted(typed))
    if kind == "string" and isinstance(value, dict) and isinstance(value.get("name"), str):
        return Fault("mistyped", f"is a map where a plain string is wanted: {then}", inline(value["name"]))
    if kind == "object" and isinstance(value, str):
        return Fault("mistyped", f"is {shown(value)} where a map is wanted: {then}", f"{{name: {inline(value)}}}" if value else "")
    right = show(printed_back(value)) if isinstance(value, str) and _FITS[kind](printed_back(value)) else ""
    return Fault("refused", f"is {shown(value)} where {_A[kind]} is wanted: {then}", right)


def _what(value: Json, typed: str) -> str:
    if isinstance(value, bool):
        return f"the boolean {show(value)}" if typed == show(value) else f"{typed} without quotes, the boolean {show(value)},"
    return f"the number {shown(value)}" if typed == shown(value) else f"{typed} without quotes, the number {shown(value)},"


def _required(value: Json, field: str, fields: Mapping[str, Record]) -> Iterator[Fault]:
    start = f"{field}." if field else ""
    for path, record in fields.items():
        name = path[len(start) :]
        if record.get("required") and path.startswith(start) and "." not in name and "[" not in name and name not in value:
            yield Fault("refused", f"has no {name}, which the API server wants", fix=f"add {name}")


def _bare(record: Record, met: Met) -> bool:
    return "bare" in record and met(record, "bare")


def _choice(enum: Any) -> str:
    return listed(shown(one) for one in enum)


def _pattern(pattern: str) -> str:
    """What a pattern of the CRDs means, for those that occur."""
    if "KMGTPE" in pattern:
        return "a quantity is wanted, such as 500m or 2Gi"
    if "([0-9]+)y)?" in pattern:
        return "a duration is wanted, such as 15s or 1m30s, without fractions"
    return f"it must match {pattern}"


def _whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_A = {
    "object": "a map", "array": "a list", "string": "a string", "boolean": "a boolean", "integer": "a whole number",
    "number": "a number", "int-or-string": "a whole number or a string", "quantity": "a quantity", "scalar": "a single value",
}  # fmt: skip
_EMPTY = {"object": "{}", "array": "[]"}
_FITS: Mapping[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": _whole,
    "number": lambda value: _whole(value) or isinstance(value, float),
    "int-or-string": lambda value: _whole(value) or isinstance(value, str),
    "quantity": lambda value: _whole(value) or isinstance(value, (str, float)),
}
