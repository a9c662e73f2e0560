"""Holds raw facts against the schemas in data/schemas, in plain words, without a JSON Schema library.

Only the keywords that those schemas use are known; any other is a KeyError, so that none is skipped in silence. A test
holds the verdicts against jsonschema's.
"""

import re
from collections.abc import Iterator

from genvalues.finding import Json, Route, format_route

_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "object": (dict, "a mapping"),
    "array": (list, "a list"),
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "boolean": (bool, "true or false"),
    "null": (type(None), "null"),
}
_KNOWN = {
    "$schema", "title", "type", "enum", "pattern", "minLength", "minimum", "required", "properties",
    "additionalProperties", "propertyNames", "items", "minItems", "maxItems",
}  # fmt: skip


def faults(schema: Json, data: Json, route: Route = ()) -> Iterator[str]:
    """Each fault of `data`, as "place: what is wrong"; nothing where it is in order."""
    if unknown := schema.keys() - _KNOWN:
        raise KeyError(f"schema keywords {sorted(unknown)}")
    where = f"{format_route(route)}: " if route else ""
    if "enum" in schema and data not in schema["enum"]:
        listed = ", ".join("null" if one is None else str(one) for one in schema["enum"])
        yield f"{where}{data!r} is none of {listed}"
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_is(data, name) for name in types):
        yield f"{where}{data!r} is not {' or '.join(_TYPES[name][1] for name in types)}"
        return
    if isinstance(data, dict):
        yield from _mapping(schema, data, route)
    elif isinstance(data, list):
        yield from _list(schema, data, route, where)
    elif isinstance(data, str):
        if len(data) < schema.get("minLength", 0):
            yield f"{where}a text is needed here"
        if "pattern" in schema and re.search(schema["pattern"], data) is None:
            yield f"{where}{data!r} does not look like {schema['pattern']}"
    elif _is(data, "number") and data < schema.get("minimum", data):
        yield f"{where}{data} is less than {schema['minimum']}"


def _mapping(schema: Json, data: dict[str, Json], route: Route) -> Iterator[str]:
    properties = schema.get("properties", {})
    names = schema.get("propertyNames", {}).get("pattern")
    other = schema.get("additionalProperties", {})
    for name in schema.get("required", ()):
        if name not in data:
            yield f"{format_route((*route, name))} is missing"
    for name, value in data.items():
        below = (*route, name)
        if names is not None and re.search(names, name) is None:
            yield f"{format_route(below)}: the key {name!r} does not look like {names}"
        if name in properties:
            yield from faults(properties[name], value, below)
        elif other is False:
            yield f"{format_route(below)}: unknown key; known are {', '.join(properties)}"
        else:
            yield from faults(other, value, below)


def _list(schema: Json, data: list[Json], route: Route, where: str) -> Iterator[str]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(data))
    if not least <= len(data) <= most:
        yield f"{where}{len(data)} items where {least if least == most else f'at least {least}'} are needed"
    for index, item in enumerate(data):
        yield from faults(schema.get("items", {}), item, (*route, index))


def completed(schema: Json, data: Json) -> Json:
    """`data` with what is missing and may be unknown filled in: null, an empty list, an empty mapping."""
    if isinstance(data, list):
        return [completed(schema.get("items", {}), item) for item in data]
    if not isinstance(data, dict):
        return data
    properties, other = schema.get("properties", {}), schema.get("additionalProperties") or {}
    filled = {name: completed(properties.get(name, other), value) for name, value in data.items()}
    for name, part in properties.items():
        if name not in filled and (empty := _empty(part)) is not _NEEDED:
            filled[name] = empty
    return filled


_NEEDED = object()


def _empty(schema: Json) -> Json:
    """What stands for "not known" where `schema` allows it."""
    if None in schema.get("enum", ()) or "null" in schema.get("type", ()):
        return None
    if schema.get("type") == "array" and not schema.get("minItems"):
        return []
    if schema.get("type") == "object" and "properties" not in schema:
        return {}
    return _NEEDED


def _is(data: Json, name: str) -> bool:
    if name in ("integer", "number") and isinstance(data, bool):
        return False  # JSON's true is no number, Python's is
    return isinstance(data, _TYPES[name][0])
