"""Records behave as those of `typing.NamedTuple`, which is held against them wherever both can be asked."""

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest

from genvalues import record
from genvalues.document import Decided

T = TypeVar("T")


class Ours(record.NamedTuple):
    """Two fields and a method."""

    first: int
    second: str = "b"

    @property
    def both(self) -> str:
        return f"{self.first}{self.second}"


class Typed(typing.NamedTuple):
    """Two fields and a method."""

    first: int
    second: str = "b"

    @property
    def both(self) -> str:
        return f"{self.first}{self.second}"


class Pair(record.NamedTuple, Generic[T]):
    one: T
    other: T


USES: list[Callable[[Any], object]] = [
    lambda made: made(1),
    lambda made: made(1, "c"),
    lambda made: made(second="c", first=1),
    lambda made: (made(1).first, made(1).second, made(1).both),
    lambda made: made(1) == (1, "b"),
    lambda made: hash(made(1)) == hash((1, "b")),
    lambda made: made._fields,
    lambda made: made.__match_args__,
    lambda made: made.__doc__,
    lambda made: made(1)._asdict(),
    lambda made: made(1)._replace(second="d"),
    lambda made: type(made(1)._replace(first=2)).__name__.startswith(("Ours", "Typed")),
    lambda made: pickle.loads(pickle.dumps(made(1))),
    lambda made: copy.deepcopy(made(1)),
    lambda made: repr(made(1)).partition("(")[2],
    lambda made: len(made(1)),
    lambda made: isinstance(made(1), tuple),
    lambda made: hasattr(made(1), "__dict__"),
]
REFUSED: list[Callable[[Any], object]] = [
    lambda made: made(),
    lambda made: made(1, "b", 3),
    lambda made: made(1, third=3),
    lambda made: setattr(made(1), "first", 2),
    lambda made: setattr(made(1), "third", 2),
]


@pytest.mark.parametrize("use", USES)
def test_use_gives_what_a_named_tuple_gives(use: Callable[[Any], object]) -> None:
    """Whatever this package does with its records."""
    assert use(Typed) == use(Ours)


@pytest.mark.parametrize("use", REFUSED)
def test_refusal_is_that_of_a_named_tuple(use: Callable[[Any], object]) -> None:
    """The same kind of error, and its text names the class."""
    with pytest.raises((TypeError, AttributeError)) as theirs:
        use(Typed)
    with pytest.raises(theirs.type) as ours:
        use(Ours)

    assert str(theirs.value).count("Typed") == str(ours.value).count("Ours")


def test_unknown_field_is_not_replaced() -> None:
    """A slip in the name of a field is no silent success (ValueError in CPython up to 3.12, TypeError since)."""
    with pytest.raises((TypeError, ValueError), match="third"):
        Ours(1)._replace(third=3)  # type: ignore[call-arg]


def test_generic_record_takes_its_parameter() -> None:
    """`Decided[str]` is a type to write in annotations."""
    assert Pair(1, 2) == (1, 2)
    assert str(Pair[int]).endswith("Pair[int]")
    assert Decided[str].__origin__ is Decided  # type: ignore[attr-defined]


def test_records_match_by_position() -> None:
    """Patterns see the fields in order."""
    match Ours(1):
        case Ours(first, second):
            assert (1, "b") == (first, second)


