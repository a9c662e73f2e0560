"""`typing.NamedTuple` without its price: a hundred such classes take 12 ms to make, here 2, of the 100 that `check` has.

To type checkers this is `typing.NamedTuple` itself; at run time it is what this package uses of it: fields with
annotations and defaults, methods and properties, `Generic` as a second base, `_fields`, `_replace` and `_asdict`. For
each class CPython compiles the text of a `__new__` and looks at each annotation (collections/__init__.py, typing.py).
Here one function for each number of fields is compiled, and copied with the names of the fields.
"""

import sys
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING or sys.version_info >= (3, 14):  # where annotations are evaluated later, their names are not at hand
    from typing import NamedTuple
else:
    from _collections import _tuplegetter
    from functools import cache
    from types import FunctionType

    @cache
    def _constructor(count: int) -> FunctionType:
        """A `__new__` that takes so many fields."""
        names = [f"_{index}" for index in range(count)]
        text = f"def __new__({', '.join(['_cls', *names])}): return _new(_cls, ({''.join(f'{n},' for n in names)}))"
        made: dict[str, Any] = {"_new": tuple.__new__}
        exec(text, made)  # noqa: S102  nothing but a number goes into the text
        return made["__new__"]

    class _Meta(type):
        """Makes a class body a tuple with a name for each item."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if bases == (tuple,):
                return super().__new__(cls, name, bases, body)  # the base below
            fields = tuple(body.get("__annotations__", ()))
            defaults = tuple(body.pop(field) for field in fields if field in body)
            plain = _constructor(len(fields))
            code = plain.__code__.replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__")
            body["__new__"] = FunctionType(code, plain.__globals__, "__new__", defaults)
            body["__slots__"] = ()
            body["_fields"] = body["__match_args__"] = fields
            body |= {field: _tuplegetter(index, "") for index, field in enumerate(fields)}
            return super().__new__(cls, name, bases, body)

    class NamedTuple(tuple, metaclass=_Meta):
        """What all records share."""

        __slots__ = ()

        def __repr__(self) -> str:
            values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes: Any) -> "NamedTuple":
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"{type(self).__name__} has no field {', '.join(changes)}")
            return made
