"""Bodies that are no API objects, held against their schemas in schemas/bodies: what does not fit, in the user's words.

The part of JSON Schema (draft 7) that those schemas use, decided here because jsonschema takes longer to import than a
site to check; a test holds both verdicts against each other. `x-words` beside a keyword says why, `x-fix` what to type.
One module, though a little long: a function for each keyword.
"""

import json
import operator
import os.path
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from genvalues.finding import At, Json, Route, format_route
from genvalues.paths import schemas
from genvalues.record import NamedTuple
from genvalues.wording import cut, entry, inline, listed, nearest, shown

TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
"""The types of JSON Schema in the user's words."""


class Problem(NamedTuple):
    """One thing that does not fit: where, what, and what to type. `keyword` is the keyword of the schema it breaks."""

    route: Route
    keyword: str
    message: str
    fix: str
    at: At = "value"


@cache
def schema(name: str) -> Json:
    """The schema of a kind of body: "device-plugin", "mig-parted", ..."""
    with open(os.path.join(schemas(), "bodies", f"{name}.schema.json"), "rb") as file:
        return json.load(file)


def problems(data: Json, name: str, *, any_case: bool = False) -> Iterator[Problem]:
    """What of `data` does not fit the schema of that name, each fault once.

    `any_case`: the reader takes keys of any case (encoding/json of Go): what stands below such a key is judged as well.
    """
    yield from _problems(data, schema(name), (), _Context(schema(name), any_case))


def against(data: Json, part: Json) -> Iterator[Problem]:
    """The same for a schema that is at hand: of a CRD, say."""
    yield from _problems(data, part, (), _Context(part, any_case=False))


class _Context(NamedTuple):
    """The document that references are into, and how to judge; `wordless` where only the verdict counts (if, anyOf, not)."""

    root: Json
    any_case: bool
    wordless: bool = False

    def resolved(self, part: Json) -> tuple[Json, "_Context"]:
        """The part that a reference leads to, and the document around it."""
        if not isinstance(part, Mapping) or "$ref" not in part:
            return part, self
        document, _, pointer = part["$ref"].partition("#")
        context = self if not document else self._replace(root=schema(document.split(":")[-2]))
        node = context.root
        for step in pointer.strip("/").split("/"):
            node = node[step] if step else node
        return context.resolved(node)


Found = Iterator[Problem]

_WORDLESS = Problem((), "", "", "")

_OF_KEYS = frozenset(("properties", "patternProperties", "additionalProperties"))


def _problems(data: Json, part: Json, route: Route, context: _Context) -> Found:
    part, context = context.resolved(part)
    if isinstance(part, bool):
        if not part:
            yield Problem(route, "false", f"{_name(route)} has no effect here", "remove it", "key")
        return
    wanted = part.get("type")
    if wanted is not None and not any(_is(data, one) for one in ([wanted] if isinstance(wanted, str) else wanted)):
        if context.wordless:
            yield _WORDLESS
        else:
            yield _mistyped(data, [wanted] if isinstance(wanted, str) else wanted, part, route)
        return
    for keyword in part:
        check = _CHECKS.get(keyword)
        if check is not None:
            yield from check(data, part, route, context)
    if isinstance(data, dict) and not _OF_KEYS.isdisjoint(part):
        yield from _keys(data, part, route, context)


def _is(data: Json, wanted: str) -> bool:
    """Whether data is of a type of JSON Schema; 2.0 is an integer there, true is none."""
    if isinstance(data, bool) or data is None:
        return wanted == ("boolean" if data is not None else "null")
    if isinstance(data, float):
        return wanted == "number" or (wanted == "integer" and data.is_integer())
    kinds = {"string": str, "integer": int, "number": int, "array": list, "object": dict}
    return wanted in kinds and isinstance(data, kinds[wanted])


def _same(one: Json, other: Json) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _mistyped(data: Json, wanted: list[str], part: Json, route: Route) -> Problem:
    words = listed(TYPES[name] for name in wanted)
    what = "has no value" if data is None else f"is {_shown(data)}"
    message = f"{_name(route)} {what}, where {words} is expected"
    retyped = data if isinstance(data, str) and data in ("true", "false") and "boolean" in wanted else None
    if retyped is None and isinstance(data, str) and data.isascii() and data.isdigit() and "integer" in wanted:
        retyped = str(int(data))
    if retyped is None and "array" in wanted and isinstance(data, int) and not isinstance(data, bool):
        retyped = f"[{data}]"
    fix = entry(route, retyped) if retyped is not None else part.get("x-fix") or f"write {words}, or remove it"
    return Problem(route, "type", _with_reason(message, part), fix)


def _enum(data: Json, part: Json, route: Route, context: _Context) -> Found:
    values = part["enum"] if "enum" in part else [part["const"]]
    if any(_same(data, value) for value in values):
        return
    if context.wordless:
        yield _WORDLESS
        return
    few = listed(inline(value) for value in values) if len(values) <= 8 else "one of those that exist"
    near = nearest(data, [value for value in values if isinstance(value, str)]) if isinstance(data, str) else None
    meant = near if near is not None else values[0] if len(values) == 1 else None
    fix = entry(route, inline(meant)) if meant is not None else part.get("x-fix") or f"write {few}"
    yield Problem(route, "enum", _with_reason(f"{_name(route)} is {_shown(data)}, where {few} is expected", part), fix)


def _pattern(data: Json, part: Json, route: Route, _: _Context) -> Found:
    if isinstance(data, str) and not matches(part["pattern"], data):
        words = part.get("x-pattern-words")
        message = (
            f"{_name(route)} is {_shown(data)}, which is not {words}"
            if words
            else (f"{_name(route)} is {_shown(data)}, which has not the form that is expected")
        )
        yield Problem(route, "pattern", _with_reason(message, part), part.get("x-fix") or "correct it, or remove it")


def matches(pattern: str, text: str) -> bool:
    """As in JSON Schema: anywhere in the text, and `$` is the very end of it."""
    return re.search(re.sub(r"(?<!\\)\$", r"\\Z", pattern), text) is not None


def _range(keyword: str, broken: Callable[[Json, Json], bool], unit: str = "") -> Callable[..., Found]:
    """A check of a bound: of a number, or of how many characters, items or keys there are."""
    kinds: Mapping[str, type] = {"characters": str, "items": list, "keys": dict}
    side = "at least" if keyword.startswith("min") else "at most"

    def check(data: Json, part: Json, route: Route, _: _Context) -> Found:
        if isinstance(data, bool) or not isinstance(data, kinds.get(unit, (int, float))):
            return
        bound = part[keyword]
        size = len(data) if isinstance(data, (str, list, dict)) else data
        if not broken(size, bound):
            return
        message = f"{_name(route)} is {size}, where {side} {bound} is expected"
        if unit:
            message = (
                f"{_name(route)} has {size} {unit}, where {side} {bound} may be" if size else f"{_name(route)} is empty"
            )
        if unit and bound == 0:
            message = f"{_name(route)} must be empty here"
        fix = "fill it, or remove it" if unit and not size else "shorten it" if unit else entry(route, str(bound))
        yield Problem(route, keyword, _with_reason(message, part), part.get("x-fix", fix))

    return check


def _unique(data: Json, part: Json, route: Route, _: _Context) -> Found:
    if not part["uniqueItems"] or not isinstance(data, list):
        return
    first: dict[str, int] = {}
    for index, item in enumerate(data):
        text = json.dumps(item, sort_keys=True)
        if first.setdefault(text, index) != index:
            yield Problem(
                (*route, index), "uniqueItems", f"{_shown(item)} stands in {_name(route)} twice", "remove one"
            )


def _required(data: Json, part: Json, route: Route, context: _Context) -> Found:
    if not isinstance(data, dict):
        return
    known = part.get("properties", {})
    closed = part.get("additionalProperties") is False
    misspelt = {nearest(name, known) for name in data if name not in known} if closed else set()  # unknown keys
    present = {name.lower() for name in data} if context.any_case else data.keys()
    for name in part["required"]:
        if (name.lower() if context.any_case else name) not in present and name not in misspelt:
            where = f"{_name(route)} lacks" if route else "the document lacks"
            below, _ = context.resolved(known.get(name, {}))
            example = inline(below["enum"][0]) if "enum" in below else "..."
            fix = part.get("x-fix") or below.get("x-fix") or f"add it: {entry((name,), example)}"
            yield Problem((*route, name), "required", _with_reason(f"{where} {name}", part), fix)


def _keys(data: Mapping[str, Json], part: Json, route: Route, context: _Context) -> Found:
    """properties, patternProperties and additionalProperties, which belong together."""
    known, patterns = part.get("properties", {}), part.get("patternProperties", {})
    others = part.get("additionalProperties", True)
    for name, value in data.items():
        below = (*route, name)
        fitting = [*([known[name]] if name in known else []), *(s for p, s in patterns.items() if matches(p, name))]
        if not fitting and context.any_case:
            meant = next((one for one in known if one.lower() == name.lower()), None)
            if meant is not None:
                message = f"{name} is spelt {meant}; the reader takes it all the same"
                yield Problem(below, "case", message, f"{meant}:", "key")
                fitting = [known[meant]]
        for one in fitting:
            yield from _problems(value, one, below, context)
        if not fitting and others is False:
            yield _unknown(name, data, part, route)
        elif not fitting and others is not True:
            yield from _problems(value, others, below, context)


def _unknown(name: str, data: Json, part: Json, route: Route) -> Problem:
    known = [one for one in part.get("properties", {}) if one not in data]
    where = f"in {_name(route)}" if route else "at the top level"
    near = nearest(name, known)
    fix = part.get("x-fix") or (f"did you mean {near}?" if near else f"remove {cut(name)}")
    message = _with_reason(f"there is no key {cut(name)} {where}", part)
    return Problem((*route, name), "additionalProperties", message, fix, "key")


def _items(data: Json, part: Json, route: Route, context: _Context) -> Found:
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from _problems(item, part["items"], (*route, index), context)


def _contains(data: Json, part: Json, route: Route, context: _Context) -> Found:
    if isinstance(data, list) and not any(_passes(item, part["contains"], route, context) for item in data):
        yield Problem(
            route, "contains", _with_reason(f"{_name(route)} lacks an entry", part), part.get("x-fix", "add it")
        )


def _if(data: Json, part: Json, route: Route, context: _Context) -> Found:
    branch = "then" if _passes(data, part["if"], route, context) else "else"
    if branch in part:
        yield from _problems(data, part[branch], route, context)


def _all(data: Json, part: Json, route: Route, context: _Context) -> Found:
    for one in part["allOf"]:
        yield from _problems(data, one, route, context)


def _any(data: Json, part: Json, route: Route, context: _Context) -> Found:
    if not any(_passes(data, one, route, context) for one in part["anyOf"]):
        message = part.get("x-words", f"{_name(route)} is none of the forms that are expected")
        yield Problem(route, "anyOf", message, part.get("x-fix", "correct it"))


def _not(data: Json, part: Json, route: Route, context: _Context) -> Found:
    if _passes(data, part["not"], route, context):
        message = part.get("x-words", f"{_name(route)} combines what does not go together")
        yield Problem(route, "not", message, part.get("x-fix", "remove one of them"))


def _passes(data: Json, part: Json, route: Route, context: _Context) -> bool:
    return next(_problems(data, part, route, context._replace(wordless=True)), None) is None


_below, _above = operator.lt, operator.gt

_CHECKS: Mapping[str, Callable[[Json, Json, Route, _Context], Found]] = {
    "enum": _enum,
    "const": _enum,
    "pattern": _pattern,
    "minimum": _range("minimum", _below),
    "maximum": _range("maximum", _above),
    "minLength": _range("minLength", _below, "characters"),
    "maxLength": _range("maxLength", _above, "characters"),
    "minItems": _range("minItems", _below, "items"),
    "maxItems": _range("maxItems", _above, "items"),
    "minProperties": _range("minProperties", _below, "keys"),
    "maxProperties": _range("maxProperties", _above, "keys"),
    "uniqueItems": _unique,
    "required": _required,
    "items": _items,
    "contains": _contains,
    "if": _if,
    "allOf": _all,
    "anyOf": _any,
    "not": _not,
}


def _shown(value: Json) -> str:
    if isinstance(value, dict):
        return "a mapping"
    return "a list" if isinstance(value, list) else shown(value)


def _name(route: Route) -> str:
    """The last key of a route, with the indices behind it: `resources[0]`."""
    keys = [index for index, step in enumerate(route) if isinstance(step, str)]
    return str(route[keys[-1]]) + format_route(route[keys[-1] + 1 :]) if keys else "the document"


def _with_reason(message: str, part: Json) -> str:
    return f"{message}: {part['x-words']}" if "x-words" in part else message
