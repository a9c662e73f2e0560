"""What does not fit schemas/site.schema.json, in the user's words, each fault once and at its place (GV1xx).

jsonschema finds the faults; its own words are not used. What it is to say stands in the schema: `description` and
`examples` of every property, `x-pattern-words` beside every pattern, `x-reserved` with the reason beside properties
that are refused until something renders them.
"""

import json
import os.path
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

from genvalues.finding import Finding, Hit, Json, Route, format_route
from genvalues.paths import schemas
from genvalues.place import Tree, place
from genvalues.record import NamedTuple
from genvalues.scalar import resolve
from genvalues.structure import TYPES, matches
from genvalues.wording import cut, entry, inline, key, listed, nearest, quoted, shown


class Misfit(NamedTuple):
    """One error of jsonschema: the keyword of the schema that `value` breaks, and what that keyword wants.

    `part` is the part of the schema with that keyword. `of_key` is for a key as such: `route` is then its mapping's.
    """

    route: Route
    value: Json
    keyword: str
    wanted: Any
    part: Json
    of_key: bool
    raw: str


Said = Iterator[tuple[str, Hit]]
"""Codes and hits that one misfit becomes."""


def findings(tree: Tree, is_base: bool) -> list[Finding]:
    """Every fault of shape, by place; at least one where `verdict.is_valid` says no."""
    found: dict[tuple[str, Hit], Finding] = {}
    misfits = list(_misfits(tree))
    mistyped = {misfit.route for misfit in misfits if misfit.keyword == "type"}
    for misfit in misfits:
        if misfit.keyword != "type" and misfit.route in mistyped:
            continue
        for code, hit in _WORDS[misfit.keyword](misfit):
            if not (code == "GV106" and is_base):
                found[code, hit] = place(hit, code, "error", tree)
    return sorted(found.values(), key=lambda finding: finding.place[:3])


def _misfits(tree: Tree) -> Iterator[Misfit]:
    for error in _validator().iter_errors(tree.data):
        route = tuple(error.absolute_path)
        of_key = "propertyNames" in error.absolute_schema_path
        yield Misfit(
            route, error.instance, str(error.validator), error.validator_value, error.schema, of_key, cut(tree.raw(route))
        )


@cache
def schema() -> Json:
    """The schema of a site, as published."""
    with open(os.path.join(schemas(), "site.schema.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def _validator() -> Draft7Validator:
    return extend(Draft7Validator, {"pattern": _pattern})(schema())  # type: ignore[no-any-return,no-untyped-call]


def _pattern(_: Any, pattern: str, instance: Json, __: Json) -> Iterator[ValidationError]:
    """As in JSON Schema: `$` is the very end, where for Python it may stand before a last line break."""
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError("")


def _unknown(misfit: Misfit) -> Said:
    known, reserved = misfit.part.get("properties", {}), misfit.part.get("x-reserved", {})
    for name in misfit.value:
        if name in reserved:
            message = f"`{name}` is reserved: {reserved[name]}"
            yield "GV102", Hit((*misfit.route, name), message, "remove it until then", at="key")
        elif name not in known:
            where = f"in `{_name(misfit.route)}`" if misfit.route else "at the top level"
            fix = _meant(name, known, misfit.value)
            yield "GV101", Hit((*misfit.route, name), f"unknown key `{cut(name)}` {where}", fix, at="key")


def _meant(name: str, known: Json, present: Json) -> str:
    """What an unknown key was meant to be: another name, another place, or one of those that there are."""
    if (meant := nearest(name, [other for other in known if other not in present])) is not None:
        return f"did you mean `{meant}`?"
    for parent, below in known.items():
        if name in _resolved(below).get("properties", {}):
            return f"it belongs below `{parent}`: {parent}: {{{key(name)}: ...}}"
    if name in schema()["properties"]:
        return f"it belongs at the top level, without indentation: {key(name)}:"
    if homes := sorted(_homes(name, schema(), ""), key=len)[:3]:
        return f"it belongs below {listed(f'`{home}`' for home in homes)}"
    if (meant := nearest(name, known)) is not None:
        return f"did you mean `{meant}`, which stands here already?"
    return f"known here: {listed(known, 'and')}"


def _homes(name: str, part: Json, path: str) -> Iterator[str]:
    """Where in the schema a key is known, as `hardware.pools[].gpu`."""
    part = _resolved(part)
    for key_, below in part.get("properties", {}).items():
        if key_ == name and path:
            yield path
        yield from _homes(name, below, f"{path}.{key_}" if path else key_)
    if "items" in part:
        yield from _homes(name, part["items"], f"{path}[]")


def _type(misfit: Misfit) -> Said:
    wanted = [misfit.wanted] if isinstance(misfit.wanted, str) else misfit.wanted
    words, value = listed(TYPES[name] for name in wanted), misfit.value
    if value is None:
        message = f"`{_name(misfit.route)}` has no value, where {words} is expected; null removes what a base sets, and none does"
        yield "GV103", Hit(misfit.route, message, f"remove it, or set it, for example {entry(misfit.route, _example(misfit.part))}")
        return
    typed = misfit.raw
    if isinstance(value, (dict, list)):
        what = TYPES["object" if isinstance(value, dict) else "array"]
    else:
        what = f"the text {cut(value)}" if isinstance(value, str) else typed if isinstance(value, bool) else f"the number {typed}"
    retyped = _retyped(value, typed, wanted, misfit.part)
    fix = entry(misfit.route, retyped) if retyped else _for_example(misfit)
    yield "GV103", Hit(misfit.route, f"`{_name(misfit.route)}` is {what}, where {words} is expected", fix)


def _retyped(value: Json, typed: str, wanted: list[str], part: Json) -> str | None:
    """The same value as the wanted type, where that is only a matter of spelling."""
    if "string" in wanted and isinstance(value, (bool, int, float)):
        fits = typed in part.get("enum", [typed]) and matches(part.get("pattern", ""), typed)
        return quoted(typed) if fits else None
    if isinstance(value, str):
        kind = type(resolve(value))
        if (kind is bool and "boolean" in wanted) or (kind is int and {"integer", "number"} & set(wanted)):
            return value
    if "array" in wanted and not isinstance(value, (dict, list)) and _resolved(part["items"]).get("type") != "object":
        return f"[{typed if isinstance(value, str) else quoted(typed)}]"
    return None


def _enum(misfit: Misfit) -> Said:
    values = misfit.wanted
    meant = nearest(misfit.value, values) if isinstance(misfit.value, str) else None
    if meant is None and len(values) == 1:
        meant = values[0]
    message = f"`{_name(misfit.route)}` is {_typed(misfit.value)}, where {listed(map(str, values))} is expected"
    yield "GV104", Hit(misfit.route, message, entry(misfit.route, inline(meant)) if meant else _for_example(misfit))


def _not_matching(misfit: Misfit) -> Said:
    words = misfit.part.get("x-pattern-words") or misfit.part.get("description", "")
    if misfit.of_key:
        fix = _slug(misfit.value, misfit.wanted)
        message = f"key `{cut(misfit.value)}` is not {words}"
        yield "GV105", Hit((*misfit.route, misfit.value), message, f"{key(fix)}:" if fix else "rename it", at="key")
        return
    message = f"`{_name(misfit.route)}` is {_typed(misfit.value)}, which is not {words}"
    slug = _slug(misfit.value, misfit.wanted)
    fix = entry(misfit.route, slug) if slug else _for_example(misfit)
    yield "GV105", Hit(misfit.route, message, fix)


def _slug(text: str, pattern: str) -> str | None:
    """The text with `-` for what a name cannot have, if that fits the pattern."""
    same_case = re.sub(r"[^A-Za-z0-9]+", "-", text[:300]).strip("-")
    return next((slug for slug in (same_case, same_case.lower()) if matches(pattern, slug)), None)


def _required(misfit: Misfit) -> Said:
    known = misfit.part["properties"]
    misspelt = {nearest(name, known) for name in misfit.value if name not in known}      # GV101 speaks of those
    for name in misfit.wanted:
        if name not in misfit.value and name not in misspelt:
            below = _resolved(known[name])
            where = f"`{_name(misfit.route)}` lacks" if misfit.route else "the site lacks"
            message = f"{where} `{name}`: {below['description'][0].lower()}{below['description'][1:].rstrip('.')}"
            yield "GV106", Hit((*misfit.route, name), message, f"add it, for example {entry((name,), _example(below))}")


def _range(misfit: Misfit) -> Said:
    bound, is_least = misfit.wanted, misfit.keyword.startswith("min")
    if misfit.keyword in {"minimum", "maximum"}:
        side = "at least" if is_least else "at most"
        message = f"`{_name(misfit.route)}` is {shown(misfit.value)}, where {side} {bound} is expected"
        yield "GV107", Hit(misfit.route, message, entry(misfit.route, str(bound)))
        return
    unit = "character" if "Length" in misfit.keyword else "item"
    count = len(misfit.value)
    has = f"has {count} {unit}{'' if count == 1 else 's'}, {'fewer' if is_least else 'more'} than {bound}"
    message = f"`{_name(misfit.route)}` {has if count else 'is empty'}"
    yield "GV107", Hit(misfit.route, message, _for_example(misfit))


def _repeated(misfit: Misfit) -> Said:
    first: dict[str, int] = {}
    for index, item in enumerate(misfit.value):
        text = json.dumps(item, sort_keys=True)
        if text in first:
            message = f"{_typed(item)} stands in `{_name(misfit.route)}` twice"
            related = (((*misfit.route, first[text]), "it stands here first"),)
            yield "GV108", Hit((*misfit.route, index), message, "remove one of the two", related)
        first.setdefault(text, index)


def _empty(misfit: Misfit) -> Said:
    fix = f"remove it, or fill it, {_for_example(misfit)}"
    yield "GV109", Hit(misfit.route, f"`{_name(misfit.route)}` has nothing in it, and so no effect", fix, at="key")


_WORDS: dict[str, Callable[[Misfit], Said]] = {
    "additionalProperties": _unknown,
    "type": _type,
    "enum": _enum,
    "pattern": _not_matching,
    "required": _required,
    "minimum": _range,
    "maximum": _range,
    "minLength": _range,
    "maxLength": _range,
    "minItems": _range,
    "maxItems": _range,
    "uniqueItems": _repeated,
    "minProperties": _empty,
}


def _resolved(below: Json) -> Json:
    """A part of the schema, its reference followed."""
    return schema()["definitions"][below["$ref"].rpartition("/")[2]] if "$ref" in below else below


def part_at(route: Route) -> Json | None:
    """The part of the schema for the node at a route; None where the schema has none."""
    part = schema()
    for step in route:
        part = _resolved(part)
        below = part.get("items") if isinstance(step, int) else part.get("properties", {}).get(step)
        part = below if below is not None or isinstance(step, int) else part.get("additionalProperties")
        if not isinstance(part, dict):
            return None
    return _resolved(part)


def for_example(route: Route, part: Json) -> str:
    """The line with the schema's own example."""
    return f"for example {entry(route, _example(part))}"


def _for_example(misfit: Misfit) -> str:
    return for_example(misfit.route, misfit.part)


def _example(part: Json) -> str:
    return inline(part["examples"][0]) if part.get("examples") else "..."


def _typed(value: Json) -> str:
    return f"`{cut(value)}`" if isinstance(value, str) else shown(value)


def _name(route: Route) -> str:
    """The last key of a route, with the indices behind it: `pools[0]`."""
    keys = [index for index, step in enumerate(route) if isinstance(step, str)]
    return format_route(route[keys[-1] :]) if keys else "the document"
