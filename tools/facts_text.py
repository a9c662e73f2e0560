"""The one spelling of a fact file, so that a refresh shows only what changed."""

import json
from typing import Any

INLINE_FROM = {"mig": 3, "dcgm/fields.json": 2}
"""Files whose entries are one line each: (folder or path under data/) -> depth from which a node stays on its line."""


def spelled(path: str, data: Any) -> str:
    """The text of the fact file at `path` under data/."""
    return serialise(data, inline_from=INLINE_FROM.get(path, INLINE_FROM.get(path.split("/", maxsplit=1)[0], 99)))


def serialise(data: Any, width: int = 120, inline_from: int = 99) -> str:
    """JSON with a node on one line where it fits into `width`, and always from depth `inline_from` on."""
    return _node(data, 0, width, inline_from) + "\n"


def _node(data: Any, depth: int, width: int, inline_from: int, before: int = 0) -> str:
    flat = json.dumps(data, ensure_ascii=False)
    if depth >= inline_from or not isinstance(data, (dict, list)) or not data:
        return flat
    if depth > 0 and depth + before + len(flat) < width:
        return flat
    inner = " " * (depth + 1)
    if isinstance(data, dict):
        lines = []
        for key, value in data.items():
            name = json.dumps(key, ensure_ascii=False) + ": "
            lines.append(inner + name + _node(value, depth + 1, width, inline_from, len(name)))
        return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}"
    items = [inner + _node(item, depth + 1, width, inline_from) for item in data]
    return "[\n" + ",\n".join(items) + "\n" + " " * depth + "]"
