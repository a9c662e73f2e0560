"""A user's own facts: a JSON file that adds to or corrects what is known of GPUs, MIG tables and operator releases.

    {"gpus": {"h100-sxm5-80gb": {"memory_mib": 81920}}, "mig": {}, "operator": {"25.10": {"releases": {...}}}}

An entry is laid over ours: maps merge, lists and null replace. A new entry may leave out what is not known.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence

from genvalues import paths
from genvalues.facts.check import completed, faults
from genvalues.facts.store import Overlay, Store, merged
from genvalues.finding import Json, format_route

KEYS = {
    "gpus": r"[a-z0-9]+(-[a-z0-9]+)*",
    "mig": r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*",
    "operator": r"[0-9]+\.[0-9]+",
}


def read(files: Sequence[str]) -> Overlay:
    """The overlays of several files as one, later files on top; each entry complete and in order.

    ValueError with the file and every fault in it; OSError where a file cannot be read.
    """
    overlay: dict[str, dict[str, Json]] = {kind: {} for kind in KEYS}
    own = Store({})
    schemas = {kind: _json(os.path.join(paths.data(), "schemas", f"{kind}.json")) for kind in KEYS}
    for file in files:
        stated = _json(file)
        found = list(_layout(stated))
        if not found:
            for kind, entries in stated.items():
                for key, entry in entries.items():
                    below = overlay[kind].get(key, own.entry(kind, key) or {})
                    overlay[kind][key] = completed(schemas[kind], merged(below, entry))
                    found += faults(schemas[kind], overlay[kind][key], (kind, key))
            found = found or list(_unsound(stated, overlay, own))
        if found:
            raise ValueError(f"{file}: " + "; ".join(found))
    return overlay


def _layout(stated: Json) -> Iterator[str]:
    if not isinstance(stated, dict):
        yield f"a mapping is needed, with any of {', '.join(KEYS)}"
        return
    for kind, entries in stated.items():
        place = format_route((kind,))
        if kind not in KEYS:
            yield f"{place}: unknown kind of facts; known are {', '.join(KEYS)}"
        elif not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            yield f"{place}: a mapping of keys to mappings is needed"
        else:
            for key in entries:
                if re.fullmatch(KEYS[kind], key) is None:
                    yield f"{format_route((kind, key))}: the key {key!r} does not look like {KEYS[kind]}"


def _unsound(stated: Json, overlay: Overlay, own: Store) -> Iterator[str]:
    """What the shape alone does not show: references that lead nowhere, places outside the GPU."""
    for key in stated.get("gpus", {}):
        model = overlay["gpus"][key]["mig_model"]
        if model is not None and model not in own.keys("mig") | overlay["mig"].keys():
            yield f"{format_route(('gpus', key, 'mig_model'))}: there is no MIG table {model}"
    for key in stated.get("mig", {}):
        table = overlay["mig"][key]
        for profile in table["profiles"]:
            end = max(profile["starts"]) + profile["size"]
            if end > table["memory_units"]:
                place = format_route(("mig", key, "profiles"))
                yield f"{place}: {profile['name']} ends at memory unit {end}, the GPU has {table['memory_units']}"
    for minor in stated.get("operator", {}):
        for version in overlay["operator"][minor]["releases"]:
            if not version.startswith(f"v{minor}."):
                yield f"{format_route(('operator', minor, 'releases', version))}: not a version of {minor}"


def _json(file: str) -> Json:
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ValueError(f"{file}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    except _Twice as error:
        raise ValueError(f"{file}: the key {error.args[0]!r} stands twice in one mapping") from None


class _Twice(Exception):  # noqa: N818  never leaves this module
    """A key that stands twice."""


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise _Twice(key)
        found[key] = value
    return found
