"""What each chart version accepts and what takes effect: `load` a contract, then `check` values against it.

Contracts are derived from charts by `tools/contract.py` and lie in `data/contracts/<chart>/<version>/`; `effects.json`
beside the versions is written by hand and adds what only the operator's source tells.
"""

import json
import os.path
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from genvalues import paths
from genvalues.contracts.contract import VERDICT_CODES, Contract
from genvalues.contracts.entry import Condition, Entry, Gate, Image, Read, Replaced

__all__ = [
    "VERDICT_CODES", "Condition", "Contract", "Entry", "Gate", "Image", "Read", "Replaced", "closest", "known", "load",
]


_FILE = "values.json"


def load(chart: str, version: str, extra: Sequence[str] = ()) -> Contract | None:
    """The contract of one exact chart version, with or without its leading v; None where there is none.

    A version that is proven to have the templates, CRDs and values of a stored one gets that one's contract. `extra`
    are asked first: further folders of the same layout, folders of one contract (`values.json` in them), or such a file
    of any name. What is written by hand about a chart holds for them too.
    """
    for root in (*extra, _root()):
        if (contract := _load(root, chart, version.removeprefix("v"))) is not None:
            return contract
    return None


def known(extra: Sequence[str] = ()) -> Mapping[str, tuple[str, ...]]:
    """Chart name -> versions as published, oldest first, those that a stored one covers included."""
    found: dict[str, dict[str, None]] = {}
    for root in (_root(), *extra):
        for chart, versions in _index(root).items():
            found.setdefault(chart, {}).update(dict.fromkeys(versions))
    return {chart: tuple(sorted(versions, key=_order)) for chart, versions in found.items()}


def closest(chart: str, version: str) -> str | None:
    """The known version that one we do not know most likely behaves like; None for a chart that we do not know.

    That is the newest that is not newer, else the oldest.
    """
    versions = known().get(chart)
    if not versions:
        return None
    wanted = _order(version)
    older = [candidate for candidate in versions if _order(candidate) <= wanted]
    return older[-1] if older else versions[0]


def _root() -> str:
    return os.path.join(paths.data(), "contracts")


@cache
def _index(root: str) -> Mapping[str, Mapping[str, str]]:
    """Chart -> version as published -> the file below `root` that holds its contract."""
    index = os.path.join(root, "index.json")
    if os.path.isfile(index):
        return {
            chart: {name: f"{chart}/{version}/{_FILE}" for version, covers in versions.items() for name in (version, *covers)}
            for chart, versions in _read(index).items()
        }
    single = root if os.path.isfile(root) else os.path.join(root, _FILE)
    if os.path.isfile(single):
        data = _read(single)
        return {str(data["chart"]): {str(data["version"]): os.path.basename(single)}}
    return {}


@cache
def _load(root: str, chart: str, version: str) -> Contract | None:
    for name, file in _index(root).get(chart, {}).items():
        if name.removeprefix("v") == version:
            folder = os.path.dirname(root) if os.path.isfile(root) else root
            return Contract.read(os.path.normpath(os.path.join(folder, file)), name, load)
    return None


def _read(file: str) -> dict[str, Any]:
    with open(file, "rb") as stream:
        data: dict[str, Any] = json.load(stream)
    return data


def _order(version: str) -> tuple[tuple[int, str], ...]:
    """A sort key for versions: numbers by value, anything else after its letters."""
    parts = version.removeprefix("v").replace("-", ".").split(".")
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
