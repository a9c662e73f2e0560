"""Where the package's own files are: the same answer in a checkout and in an installed wheel."""

import os.path
from functools import cache

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


@cache
def schemas() -> str:
    """The folder of `site.schema.json`, `bodies/` and `kubernetes/`.

    In a wheel it is inside the package (`force-include` in pyproject.toml puts it there), in a checkout beside it.
    """
    inside = os.path.join(_PACKAGE, "schemas")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(_PACKAGE), "schemas")


@cache
def data() -> str:
    """The folder of the fact files and contracts."""
    return os.path.join(_PACKAGE, "data")


@cache
def checkout() -> str | None:
    """The root of the checkout that the package runs from; None in an installed wheel."""
    root = os.path.dirname(_PACKAGE)
    return root if os.path.isfile(os.path.join(root, "pyproject.toml")) else None
