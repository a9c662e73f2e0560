"""Sites by their folder: loaded only where an argument is one."""

import os
import re
from collections.abc import Iterator, Sequence

import click

from genvalues.extends import is_special

_ENDINGS = (".yaml", ".yml")
_BEGINNING = 65536
"""Bytes of a file in which `apiVersion` and `kind` are looked for."""

_IS_SITE = (rb"(?m)^[\"']?apiVersion[\"']?\s*:\s*[\"']?genvalues/", rb"(?m)^[\"']?kind[\"']?\s*:\s*[\"']?Site\b")


def sites(arguments: Sequence[str]) -> list[str]:
    """Site files: of a folder every one in it, in order; hidden folders and what Node.js installs are left out.

    click.UsageError for a folder without any: nothing would be checked, and that must not pass for clean.
    """
    found: list[str] = []
    for argument in arguments:
        below = list(_below(argument)) if os.path.isdir(argument) else [argument]
        if not below:
            raise click.UsageError(f"no file in {argument} is a site: none has apiVersion genvalues/v1 and kind Site")
        found += below
    return list(dict.fromkeys(found))


def _below(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            path = os.path.normpath(os.path.join(folder, name))
            if name.endswith(_ENDINGS) and _is_site(path):
                yield path


def _is_site(path: str) -> bool:
    """Whether a file says so itself. One that cannot be read is none: it may be anybody's."""
    try:
        if is_special(path):
            return False
        with open(path, "rb") as stream:
            text = stream.read(_BEGINNING)
    except OSError:
        return False
    return all(re.search(pattern, text) for pattern in _IS_SITE)
