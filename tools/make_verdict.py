"""Write genvalues/verdict.py: the yes or no of schemas/site.schema.json as plain Python, made by fastjsonschema.

    python tools/make_verdict.py            write it
    python tools/make_verdict.py --check    exit 1 where it is not up to date

What fastjsonschema writes is cut down to what a verdict needs: no messages (`shape.py` finds the words with jsonschema),
patterns compiled when first used, no import of fastjsonschema, and a switch for `required`, which a Base has not.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import fastjsonschema

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "schemas" / "site.schema.json"
VERDICT = ROOT / "genvalues" / "verdict.py"

HEADER = '''"""Whether data has the shape of schemas/site.schema.json: generated from it by `make verdict`, not to be edited."""

import re

# ruff: noqa
# mypy: disable-error-code="no-untyped-def,no-untyped-call"


class InvalidError(Exception):
    """The data has another shape."""


def is_valid(data: object, required: bool = True) -> bool:
    """The verdict; without `required`, as for a Base, no key need be there."""
    try:
        {root}(data, required)
    except InvalidError:
        return False
    return True


'''

_REWRITES = (
    # the reason is not wanted, only that there is one
    (r"raise JsonSchemaValueException\(.*\)$", "raise InvalidError"),
    (r"except \(JsonSchemaValueException, JsonSchemaValuesException\):", "except InvalidError:"),
    (r", Decimal\)", ")"),
    (r"\(list, tuple\)", "list"),
    (r"custom_formats=\{\}, name_prefix=None", "required"),
    (r", custom_formats, \(name_prefix or \"data\"\).*\)$", ", required)"),
    (r"\w+__missing_keys = set\((\[.*\])\) - (\w+)\.keys\(\)\n +if \w+__missing_keys:",
     r"if required and not \2.keys() >= set(\1):"),
    # fastjsonschema compiles them all at import; `re` keeps compiled patterns itself
    (r"REGEX_PATTERNS\[('[^\n]*?')\]\.search\(", lambda match: f"re.search({_anchored(match[1])}, "),
    (r"isinstance\((\w+), \((\w+)\)\)", r"isinstance(\1, \2)"),
    (r" +(\w+)_is_(dict|list) = isinstance\(\1, \2\)\n( +)if \1_is_\2:", r"\3if isinstance(\1, \2):"),
)  # fmt: skip


def generate(schema: Any) -> str:
    """The module for a schema."""
    code = fastjsonschema.compile_to_code(_without_prose(schema), use_default=False, detailed_exceptions=False)
    functions = code[code.index("\ndef validate") :].strip() + "\n"
    for pattern, replacement in _REWRITES:
        functions = re.sub(pattern, replacement, functions, flags=re.MULTILINE)
    functions = re.sub(r"\n+def ", "\n\n\ndef ", functions)
    for left in ("JsonSchema", "custom_formats", "name_prefix", "REGEX_PATTERNS", "Decimal"):
        if left in functions:
            raise SystemExit(f"{left} is left in what fastjsonschema {fastjsonschema.VERSION} writes: adapt _REWRITES")
    root = re.search(r"def (validate_urn\w*)\(", functions)
    return HEADER.replace("{root}", root[1] if root else "validate") + functions


def _anchored(literal: str) -> str:
    """A pattern for Python: `$` there also matches before a last line break, where JSON Schema means the very end."""
    return re.sub(r"(?<!\\)\$", r"\\\\Z", literal)


def _without_prose(schema: Any) -> Any:
    """The schema without what only people read, so that better words do not change the code."""
    if isinstance(schema, list):
        return [_without_prose(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    named = {"properties", "definitions"}
    return {
        key: {name: _without_prose(below) for name, below in value.items()} if key in named else _without_prose(value)
        for key, value in schema.items()
        if key not in {"title", "description", "examples"} and not key.startswith("x-")
    }


def main() -> int:
    text = generate(json.loads(SCHEMA.read_text()))
    if "--check" in sys.argv[1:]:
        is_same = VERDICT.exists() and VERDICT.read_text() == text
        print(f"{VERDICT.name} is {'up to date' if is_same else 'not up to date: make verdict'}")
        return 0 if is_same else 1
    VERDICT.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
