"""The one spelling of a fact file, so that a refresh shows only what changed.

    python tools/facts_text.py FILE...

spells files below genvalues/data that way, in place.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "genvalues" / "data"

INLINE_FROM = {"mig": 3, "dcgm/fields.json": 2}
"""Files whose entries are one line each: (folder or path under data/) -> depth from which a node stays on its line."""


def main(files: Sequence[str]) -> int:
    """Write each file as `spelled` has it; 2 where none is named."""
    for file in files:
        path = Path(file).resolve()
        text = spelled(path.relative_to(DATA).as_posix(), json.loads(path.read_text(encoding="utf-8")))
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0 if files else 2


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
