"""Conditions on values: read from their spelling in a contract, evaluated as Go's `if` does.

`driver.enabled` is set, `!driver.enabled` is not, `mode == "kata"` and `mode != null` compare with a JSON value.
` & ` joins tests, ` | ` alternatives; the empty text is met always.
"""

import json
from collections.abc import Callable

from genvalues.contracts.entry import Condition, Gate
from genvalues.finding import Json, Route

Look = Callable[[Route], Json]
"""The value in force at a route: the user's, else the chart's."""


def route_of(pattern: str) -> Route:
    r"""The steps of a path without elements: `a.b\.c` is ("a", "b.c")."""
    return tuple(step.replace("\0", ".") for step in pattern.replace("\\.", "\0").split("."))


def condition(spelt: str) -> Condition:
    """One test from its spelling."""
    for mark, op in ((" == ", "is"), (" != ", "not")):
        path, found, value = spelt.partition(mark)
        if found:
            return Condition(route_of(path), "is" if op == "is" else "not", json.loads(value))
    if spelt.startswith("!"):
        return Condition(route_of(spelt[1:]), "unset")
    return Condition(route_of(spelt), "set")


def alternatives(spelt: str) -> tuple[tuple[Condition, ...], ...]:
    """A condition from its spelling."""
    return tuple(tuple(condition(one) for one in group.split(" & ") if one) for group in spelt.split(" | "))


def holds(test: Condition, look: Look) -> bool:
    """Whether a test is met by the values in force."""
    if test.op == "open":
        return True
    value = look(test.path)
    if test.op in ("set", "unset"):
        return bool(value) is (test.op == "set")  # Go and Python agree on what is empty
    return (value == test.value) is (test.op == "is")


def failing(gate: Gate, look: Look) -> Condition | None:
    """The test that keeps a gate shut: of the alternative that is nearest to being met; None where one is met."""
    nearest: tuple[int, Condition] | None = None
    for group in gate.any_of:
        missing = [test for test in group if not holds(test, look)]
        if not missing:
            return None
        if nearest is None or len(missing) < nearest[0]:
            nearest = len(missing), missing[0]
    return nearest[1] if nearest else Condition((), "open")
