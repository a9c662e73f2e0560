"""Conditions of Go templates as disjunctions of conjunctions of tests on values paths."""

import json
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, Literal, NamedTuple

Path = tuple[str, ...]
"""Steps of a values path; "*" is the element of a range, and becomes "[]" or ".*" once types are known."""

Expression = Mapping[str, Any]
"""One expression as the Go program prints it."""


Op = Literal["set", "unset", "is", "not", "open"]


class Atom(NamedTuple):
    """One test on a values path; see `Condition` in genvalues/contracts/entry.py for the ops."""

    path: Path
    op: Op
    value: Any = None


OPEN = Atom((), "open")
"""A test that values do not decide: what the API server offers, names, kinds. It counts as possible."""

Conjunction = frozenset[Atom]
Dnf = frozenset[Conjunction]

TRUE: Dnf = frozenset([frozenset()])
FALSE: Dnf = frozenset()
_UNDECIDED: Dnf = frozenset([frozenset([OPEN])])


def truth(expression: Expression, positive: bool = True) -> Dnf:
    """When an expression is true (or, with `positive` off, false) as Go's `if` sees it."""
    if "path" in expression:
        return _atom(expression["path"], "set" if positive else "unset")
    if "when" in expression:
        parts = [truth(part, positive) for part in (*expression["when"], *expression["args"])]
        return every(parts) if positive else some(parts)
    if "lit" in expression:
        return TRUE if bool(expression["lit"]) is positive else FALSE
    return _call(expression.get("fn", ""), expression.get("args") or [], positive)


def _call(name: str, args: list[Expression], positive: bool) -> Dnf:
    if name in {"not", "empty"}:
        return truth(args[-1], not positive)
    if name in {"and", "or", "default", "choice", "coalesce"}:
        parts = [truth(arg, positive) for arg in args]
        return every(parts) if (name == "and") is positive else some(parts)
    if name in {"eq", "ne"} and len(args) == 2 and "path" in args[0]:
        return _compare(args[0]["path"], args[1], positive is (name == "eq"))
    if name == "kindIs" and "path" in args[-1]:
        null = args[0].get("lit") == "invalid"
        return _atom(args[-1]["path"], "is" if null is positive else "not")
    return _UNDECIDED


def _compare(path: list[str], right: Expression, equal: bool) -> Dnf:
    if isinstance(right.get("lit"), bool):
        return _atom(path, "set" if right["lit"] is equal else "unset")
    if "lit" in right:
        return _atom(path, "is" if equal else "not", right["lit"])
    if right.get("unknown") == "nil":
        return _atom(path, "is" if equal else "not")
    return _UNDECIDED


def _atom(path: list[str], op: Op, value: Any = None) -> Dnf:
    return frozenset([frozenset([Atom(tuple(path), op, value)])])


def some(parts: Iterable[Dnf]) -> Dnf:
    """At least one of the conditions."""
    return simplify(frozenset[Conjunction]().union(*parts))


def every(parts: Iterable[Dnf]) -> Dnf:
    """All of the conditions."""
    found: Dnf = TRUE
    for part in parts:
        found = simplify(frozenset(left | right for left, right in product(found, part)))
    return found


def simplify(dnf: Dnf) -> Dnf:
    """The same condition with contradictory, superfluous and complementary alternatives removed."""
    if len(dnf) == 1:
        return frozenset(one for one in dnf if not _contradicts(one))
    alternatives = {one for one in dnf if not _contradicts(one)}
    while (pair := _complementary(alternatives)) is not None:
        left, right = pair
        alternatives -= {left, right}
        alternatives.add(left & right)
    return frozenset(one for one in alternatives if not any(other < one for other in alternatives))


def in_order(dnf: Dnf) -> list[list[Atom]]:
    """A condition in a fixed order, the shortest alternative first."""
    alternatives = [sorted(one, key=_key) for one in dnf]
    return sorted(alternatives, key=lambda one: (len(one), [_key(atom) for atom in one]))


def without_self(dnf: Dnf, path: Path) -> Dnf:
    """The condition for setting `path` to matter: tests that setting it answers are left out."""
    return simplify(frozenset(frozenset(atom for atom in one if not _answered(atom, path)) for one in dnf))


def decided(dnf: Dnf) -> Dnf:
    """The condition with undecided tests, and those on elements of a range, counted as passed."""
    return simplify(frozenset(frozenset(atom for atom in one if atom.path and "*" not in atom.path) for one in dnf))


def certain(dnf: Dnf) -> Dnf:
    """The alternatives that values alone decide."""
    return frozenset(one for one in dnf if all(atom.path for atom in one))


def _answered(atom: Atom, path: Path) -> bool:
    return path[: len(atom.path)] == atom.path and (atom.op == "set" or (atom.op == "not" and atom.value is None))


def _complementary(alternatives: set[Conjunction]) -> tuple[Conjunction, Conjunction] | None:
    ordered = sorted(alternatives, key=lambda one: sorted(_key(atom) for atom in one))
    for left, right in product(ordered, repeat=2):
        odd = left ^ right
        if len(odd) == 2 and left - right and right - left and _opposite(*odd):
            return left, right
    return None


def _key(atom: Atom) -> tuple[Path, str, str]:
    return (atom.path, atom.op, json.dumps(atom.value))


def _opposite(one: Atom, other: Atom) -> bool:
    if one.path != other.path:
        return False
    return {one.op, other.op} == {"set", "unset"} or ({one.op, other.op} == {"is", "not"} and one.value == other.value)


def _contradicts(conjunction: Conjunction) -> bool:
    return any(_opposite(one, other) for one in conjunction for other in conjunction)
