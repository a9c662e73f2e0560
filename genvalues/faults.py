"""What is wrong with a text, in words: code, message and fix of each GV0xx finding that `source.py` can make.

What libyaml itself refuses is in `syntax.py`, and what is wrong with `extends` in `extends.py`.
"""

import errno

from genvalues.finding import Json, Route
from genvalues.record import NamedTuple
from genvalues.scalar import readings, resolve
from genvalues.wording import cut, entry, listed, nearest, quoted, shown


class Fault(NamedTuple):
    """A finding without its place."""

    code: str
    message: str
    fix: str


def cannot_read(path: str, error: OSError) -> Fault:
    reasons = {
        errno.ENOENT: ("there is no such file", "write the path of a file that exists"),
        errno.EISDIR: ("this is a folder", f"name a file in it, such as {path.rstrip('/')}/site.yaml"),
        errno.EACCES: ("reading it is not permitted", f"chmod u+r {path}"),
        errno.ENOTDIR: ("a part of the path before the last is no folder", "write the path of a file that exists"),
        errno.ELOOP: ("symbolic links lead round in a circle", "write the path of a file that exists"),
    }
    reason, fix = reasons.get(error.errno or 0, (error.strerror or str(error), "write the path of a readable file"))
    return Fault("GV002", f"cannot read {path}: {reason}", fix)


def not_text(raw: bytes) -> tuple[Fault, int]:
    """The fault of bytes that are no UTF-8 text, and the offset of the first such byte."""
    if raw[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return Fault("GV003", "the file is UTF-16, where UTF-8 is expected", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"), 0
    zero = raw.find(b"\0")
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        if zero < 0:
            message = f"byte {raw[error.start]:#04x} here is no UTF-8"
            fix = "save the file as UTF-8; from Latin-1: iconv -f ISO-8859-1 -t UTF-8"
            return Fault("GV003", message, fix), error.start
        zero = min(zero, error.start)
    return Fault("GV003", f"byte {raw[zero]:#04x} here: the file is binary, no text", "name a YAML file"), zero


def empty() -> Fault:
    return Fault("GV004", "the file is empty; a mapping is expected", "start it with apiVersion: genvalues/v1")


def no_mapping(root: Json) -> Fault:
    what = "a list" if isinstance(root, list) else f"the single value {shown(root)}"
    return Fault("GV004", f"the document is {what}; a mapping is expected", "start it with apiVersion: genvalues/v1")


def repeated(name: str) -> Fault:
    message = f"key `{cut(name)}` stands twice in this mapping; readers keep one of the two, or refuse the file"
    return Fault("GV005", message, "keep one of the two")


def too_deep(limit: int) -> Fault:
    return Fault("GV006", f"more than {limit} collections in one another", "flatten the data from here on")


def too_large(limit: int) -> Fault:
    return Fault("GV006", f"the file is larger than {limit} bytes", "split it: parts that sites share go into a Base")


def too_many_nodes(limit: int) -> Fault:
    return Fault("GV006", f"the document has more than {limit} nodes", "split it: parts that sites share go into a Base")


def too_many_faults(limit: int) -> Fault:
    return Fault("GV006", f"more than {limit} faults up to here; the rest is not read", "correct those above first")


def too_much_repeated(name: str, limit: int) -> Fault:
    message = f"with what alias `*{cut(name)}` stands for, the document has more than {limit} nodes"
    return Fault("GV007", message, "write out what is meant, without aliases of aliases")


def alias_in_itself(name: str) -> Fault:
    message = f"alias `*{cut(name)}` stands inside the node that `&{cut(name)}` names, which would be without end"
    return Fault("GV007", message, "write out what is meant here")


def no_anchor(name: str, anchors: list[str]) -> Fault:
    meant = nearest(name, anchors)
    fix = f"did you mean *{meant}?" if meant else f"set &{cut(name)} before the first use; as a text: {quoted('*' + cut(name))}"
    return Fault("GV007", f"alias `*{cut(name)}` has no anchor `&{cut(name)}` before it", fix)


def second_document() -> Fault:
    message = "a second document starts here, where the file may hold one"
    return Fault("GV008", message, "move it to a file of its own, and remove the line `---` before it")


def tag_refused(typed: str) -> Fault:
    return Fault("GV009", f"tag `{cut(typed)}` asks for more than plain data, which is all that is read here",
                 "remove the tag; a text that starts with ! stands in quotes")  # fmt: skip


def misread(text: str, route: Route, is_word: bool) -> Fault:
    """A plain scalar on whose meaning, or spelling, YAML readers disagree."""
    as_text = entry(route, quoted(text)) if len(text) <= 60 else "put it between double quotes"
    if is_word:
        meant = "true" if text.lower() in {"y", "yes", "on"} else "false"
        return Fault("GV011", f"`{text}` is {_readings(text)}", f"{as_text} (as a boolean: {entry(route, meant)})")
    if text.lower().endswith((".inf", ".nan")):
        return Fault("GV010", f"`{text}` is a number that JSON has not, so Helm and kubectl refuse the file", as_text)
    numbers = {value for _, value in readings(text) if not isinstance(value, str)}
    if not numbers:
        return Fault("GV010", f"`{cut(text)}` is a number of {len(text)} characters, more than readers keep", as_text)
    plain = _number(readings(text)[0][1]) if len(numbers) == 1 else ""
    agreed = isinstance(resolve(plain), (int, float))
    fix = f"{as_text} (as a number: {entry(route, plain)})" if agreed else as_text
    return Fault("GV010", f"`{cut(text)}` is {_readings(text)}", fix)


def misread_key(name: str) -> Fault:
    return Fault("GV011", f"key `{name}` is {_readings(name)}", f"{quoted(name)}:")


def key_not_text(typed: str, value: Json) -> Fault:
    """A key that is a number, a boolean, null or a collection."""
    if isinstance(value, (dict, list)):
        if typed.startswith("{"):
            fix = "quote it; a Helm template has to be rendered first"
            return Fault("GV014", f"`{cut(typed)}` is a mapping where a key or a text is expected", fix)
        return Fault("GV014", f"`{cut(typed)}` is a collection where a key is expected", "use a text as the key")
    typed = typed or '""'
    what = f"the value {shown(value)}" if value is None or isinstance(value, bool) else _readings(typed)
    return Fault("GV014", f"key `{cut(typed)}` is {what}; keys are texts", f"{quoted(cut(typed))}:")


def merges_no_mapping(typed: str) -> Fault:
    message = f"`<<` merges mappings, and `{cut(typed)}` is none"
    return Fault("GV015", message, "write an alias of a mapping, or a list of such aliases")


def _readings(text: str) -> str:
    """`the number 194 to Helm, kubectl and Ansible, the number 302 to YAML 1.2 readers`."""
    readers: dict[str, list[str]] = {}
    for reader, value in readings(text):
        readers.setdefault(_read_as(value), []).append(reader)
    if len(readers) == 1:
        return f"{next(iter(readers))} to every YAML reader"
    return ", ".join(f"{value} to {listed(names, 'and')}" for value, names in readers.items())


def _read_as(value: Json) -> str:
    if isinstance(value, bool):
        return shown(value)
    return f"the text {cut(value)}" if isinstance(value, str) else f"the number {_number(value)}"


def _number(value: Json) -> str:
    """As JSON spells it, whole numbers without a fraction; a text as it is."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)
