"""Short ways to state a decision with its reason."""

from typing import TypeVar

from genvalues.document import Decided, Why
from genvalues.finding import Route

T = TypeVar("T")


def said(value: T, route: Route, text: str) -> Decided[T]:
    """A value that the site states at `route`."""
    return Decided(value, Why((route,), text))


def by_default(value: T, text: str) -> Decided[T]:
    """A value that a fact, the chart or genvalues decides, because the site is silent."""
    return Decided(value, Why((), text))


def because(value: T, routes: tuple[Route, ...], text: str) -> Decided[T]:
    """A value that follows from several places of the site."""
    return Decided(value, Why(routes, text))
