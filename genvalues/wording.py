"""Words that findings about the text and the shape of a file share: values as one types them, names that are near."""

import json
import re
from collections.abc import Iterable

from genvalues.finding import Json, Route
from genvalues.scalar import resolve

_LONGEST = 60
_BARE = r"(?![0-9.]+$)[A-Za-z0-9^](?:[\w./ -]*[\w./-])?(?:://[\w./:-]+)?"      # needs no quotes; versions get them all the same


def shown(value: Json) -> str:
    """A value on one line as one would type it in YAML, cut where it is long: `580.95`, `"on"`, `[0, 1]`, `null`."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def cut(text: str) -> str:
    """A text as typed, on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def quoted(text: str) -> str:
    """A text in double quotes, as YAML and JSON read it."""
    return json.dumps(text, ensure_ascii=False)


def inline(value: Json) -> str:
    """A value on one line of YAML, with quotes only where they are needed: `{model: t4, kernels: ["5.10"]}`."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key(name)}: {inline(item)}' for name, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(inline(item) for item in value)}]"
    if isinstance(value, str):
        bare = re.fullmatch(_BARE, value) is not None and isinstance(resolve(value), str)
        return value if bare else quoted(value)
    return json.dumps(value)


def entry(route: Route, typed: str) -> str:
    """The line that sets the node at `route`: `version: "580.95"`, or `- "580.95"` in a list."""
    last = route[-1] if route else ""
    if isinstance(last, int):
        return f"- {typed}"
    return f"{key(last)}: {typed}"


def key(name: str) -> str:
    """A key as one types it: in quotes only where it needs them."""
    return name if re.fullmatch(_BARE, name) and isinstance(resolve(name), str) else quoted(name)


def listed(names: Iterable[str], conjunction: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = names
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that `name` was probably meant to be: it differs in case, punctuation or a few slips, or goes on."""
    candidates = list(names)
    wanted = _squeezed(name)
    if same := [c for c in candidates if _squeezed(c) == wanted]:
        return same[0]
    if len(wanted) > 2 and len(longer := [c for c in candidates if _squeezed(c).startswith(wanted)]) == 1:
        return longer[0]
    most = max(1, len(wanted) // 3)
    near = [(c, squeezed) for c in candidates if _least(wanted, squeezed := _squeezed(c)) <= most]
    slips, best = min(((distance(wanted, squeezed), c) for c, squeezed in near), default=(len(wanted), None))
    return best if slips <= most and slips < len(wanted) else None


def _least(a: str, b: str) -> int:
    """What `distance` is at least, quickly: letters that the one has and the other has not."""
    if abs(len(a) - len(b)) > _LONGEST:
        return abs(len(a) - len(b))
    extra = sum(max(0, a.count(letter) - b.count(letter)) for letter in set(a))
    return max(extra, extra + len(b) - len(a))


def distance(a: str, b: str) -> int:
    """How many letters must be added, taken, changed or swapped with their neighbour (optimal string alignment)."""
    if abs(len(a) - len(b)) > _LONGEST or min(len(a), len(b)) > _LONGEST:
        return max(len(a), len(b))
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            slips = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                slips = min(slips, older[j - 2] + 1)
            row.append(slips)
    return row[-1]


def _squeezed(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())
