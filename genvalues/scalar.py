"""What a plain scalar is, and what YAML readers make of those on which they disagree.

Three readers matter to a GPU site: Go's, in Helm and kubectl (sigs.k8s.io/yaml on go-yaml v2); PyYAML, in Ansible and so
in Kubespray (YAML 1.1); and editors and validators (the core schema of YAML 1.2). A scalar on which they agree, and
which JSON would spell the same way, is plain data; any other that one of them takes for a number or a boolean is
`Misread`. Dates are text to Helm and kubectl, and here.

Everything is decided by regular expression first: `int` takes `1_000` and refuses 4,300 digits.
"""

import re

from genvalues.finding import Json
from genvalues.record import NamedTuple


class Misread(NamedTuple):
    """A plain scalar that readers disagree on, or spell otherwise when they write it. `value` is what Helm reads."""

    value: Json
    is_word: bool


_CONSTANTS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_YES = frozenset(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"))
_NO = frozenset(("n", "N", "no", "No", "NO", "off", "Off", "OFF"))
_WORDS = _YES | _NO
_STARTS_NUMBER = frozenset("0123456789+-.")

_JSON = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?")
_SUSPECT = re.compile(
    r"""[-+]?(?:
          0[xX][0-9a-fA-F_]+ | 0[bB][01_]+ | 0[oO][0-7_]+
        | [0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?
        | \.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?
        | [1-9][0-9_]*(?::[0-5]?[0-9])+
        | [0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*
        | \.(?:inf|Inf|INF)
      ) | \.(?:nan|NaN|NAN)""",
    re.VERBOSE,
)
_GO_FLOAT = r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"   # yamlStyleFloat of go-yaml; the same in YAML 1.2
_PRECISE = 15      # decimal digits that a 64-bit float holds for certain; Helm turns every number into one
_EXACT = 2**53     # the largest whole number up to which such a float holds every one
_LONGEST = 100     # no reader makes sense of longer numbers


def resolve(text: str) -> Json:
    """The value of a plain scalar: None, bool, int, float or str; a `Misread` where readers disagree."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _STARTS_NUMBER:
        return Misread(text in _YES, True) if text in _WORDS else text
    match = _JSON.fullmatch(text)
    if match is None:
        return Misread(_go(text), False) if _SUSPECT.fullmatch(text) else text
    if len(text) <= _PRECISE:
        if match[1] is None:
            return int(text) if text != "-0" else Misread(0, False)
        if not text.endswith("0"):
            return float(text)
    return Misread(_go(text), False)


def readings(text: str) -> tuple[tuple[str, Json], ...]:
    """What each reader makes of a plain scalar: (name of the reader, value)."""
    go = _go(text)
    return (("Helm", go), ("kubectl", go), ("Ansible", _yaml11(text)), ("YAML 1.2 readers", _yaml12(text)))


def _go(text: str) -> Json:
    """As go-yaml v2 resolves it: strconv.ParseInt with base 0, then ParseFloat; what overflows stays text."""
    if text in _WORDS:
        return text in _YES
    if len(text) > _LONGEST or text.startswith("_"):
        return text
    bare = text.replace("_", "")
    for pattern, base in (
        (r"[-+]?0[xX][0-9a-fA-F]+", 16),
        (r"[-+]?0[bB][01]+", 2),
        (r"[-+]?0[oO]?[0-7]+", 8),
        (r"[-+]?(?:0|[1-9][0-9]*)", 10),
    ):
        if re.fullmatch(pattern, bare):
            value = int(bare.replace("O", "").replace("o", "") if base == 8 else bare, base)
            return value if abs(value) <= _EXACT else float(value)
    return _float(bare, otherwise=text)


def _yaml11(text: str) -> Json:
    """As PyYAML's resolver and constructor read it (yaml/resolver.py)."""
    if len(text) > 1 and text in _WORDS:
        return text in _YES
    bare = text.replace("_", "")
    for pattern, read in (
        (r"[-+]?0b[0-1_]+", lambda: int(bare, 2)),
        (r"[-+]?0[0-7_]+", lambda: int(bare, 8)),
        (r"[-+]?(?:0|[1-9][0-9_]*)", lambda: int(bare)),
        (r"[-+]?0x[0-9a-fA-F_]+", lambda: int(bare, 16)),
        (r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+", lambda: int(_sexagesimal(bare))),
        (r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?", lambda: float(bare)),
        (r"\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?", lambda: float(bare)),
        (r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*", lambda: _sexagesimal(bare)),
    ):
        if len(text) <= _LONGEST and re.fullmatch(pattern, text):
            return read()
    return text


def _yaml12(text: str) -> Json:
    """As the core schema of YAML 1.2.2 reads it (section 10.3.2)."""
    for pattern, base in ((r"[-+]?[0-9]+", 10), (r"0o[0-7]+", 8), (r"0x[0-9a-fA-F]+", 16)):
        if len(text) <= _LONGEST and re.fullmatch(pattern, text):
            return int(text, base)
    return _float(text, otherwise=text)


def _float(text: str, otherwise: str) -> Json:
    if len(text) > _LONGEST or not re.fullmatch(_GO_FLOAT, text):
        return otherwise
    value = float(text)
    return value if abs(value) < float("inf") else otherwise


def _sexagesimal(text: str) -> float:
    value = 0.0
    for part in text.lstrip("+-").split(":"):
        value = value * 60 + float(part or 0)
    return -value if text.startswith("-") else value
