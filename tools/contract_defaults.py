"""The values that a chart ships, by path; and how paths and conditions are spelt in a contract."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from contract_conditions import Atom, Dnf, Path, in_order


def join(path: Path) -> str:
    """The spelling of a path in a contract: dots inside keys escaped, "[]" and ".*" for elements."""
    text = ""
    for step in path:
        text += step if step == "[]" else f".{step}" if text else step
    return text


def spell(dnf: Dnf) -> str:
    """A condition as contracts spell it."""
    return " | ".join(" & ".join(_spell(atom) for atom in one) for one in in_order(dnf))


def _spell(atom: Atom) -> str:
    path = join(atom.path)
    if atom.op in {"set", "unset"}:
        return path if atom.op == "set" else f"!{path}"
    return f"{path} {'==' if atom.op == 'is' else '!='} {json.dumps(atom.value)}"


def leaves(defaults: Mapping[str, Any], referred: Iterable[str], prefix: Path = ()) -> dict[Path, Any]:
    """Every leaf of the values, an empty map or list included; `referred` are keys at the top to leave out."""
    found: dict[Path, Any] = {}
    for key, value in defaults.items():
        path = (*prefix, key.replace(".", "\\."))
        if not prefix and key in referred:
            continue
        if isinstance(value, dict) and value:
            found |= leaves(value, (), path)
        else:
            found[path] = value
    return found


def containers(paths: Iterable[Path]) -> list[Path]:
    """The maps above the given paths."""
    above = {path[:length] for path in paths for length in range(1, len(path)) if "[]" not in path[:length]}
    return sorted(path for path in above if "*" not in path)


def value(defaults: Any, path: Path) -> Any:
    """The default at a path; None where there is none."""
    for step in path:
        if not isinstance(defaults, dict):
            return None
        defaults = defaults.get(step.replace("\\.", "."))
    return defaults


def shipped(defaults: Any, path: Path) -> bool:
    """Whether values.yaml has a path."""
    for step in path:
        if step in {"[]", "*"}:
            return True  # an element belongs to its list
        if not isinstance(defaults, dict) or (key := step.replace("\\.", ".")) not in defaults:
            return False
        defaults = defaults[key]
    return True


def kind(value: Any) -> str:
    """The type of a value, as contracts name it; "any" for null."""
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return "any"
