"""Reads the data files, each when first asked for, and lays a user's own facts over them.

The layout under data/ is split so that one site loads little: a file per GPU, per MIG model and per operator minor.
"""

import json
import os
import re
from collections.abc import Mapping
from typing import cast

from genvalues import paths
from genvalues.finding import Json

_LINES = re.compile(r'\n  "([^"]+)": (.*)')

Overlay = Mapping[str, Mapping[str, Json]]
"""Kind ("gpus", "mig", "operator") -> key -> what to lay over the entry of that key."""


class Store:
    """Raw facts by kind and key. Nothing is read twice; what it returns is shared and must not be changed."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay
        self._read: dict[str, Json] = {}
        self._keys: dict[str, frozenset[str]] = {}

    def keys(self, kind: str) -> frozenset[str]:
        """Every key of a kind that has a folder."""
        if kind not in self._keys:
            names = os.listdir(os.path.join(paths.data(), kind))
            own = frozenset(name[:-5] for name in names if name.endswith(".json"))
            self._keys[kind] = own | self._overlay.get(kind, {}).keys()
        return self._keys[kind]

    def entry(self, kind: str, key: str) -> Json | None:
        """The entry of that key, None where there is none. A key that is a path leads nowhere: it is no file's stem."""
        if key not in self.keys(kind):
            return None
        name = f"{kind}/{key}.json"
        if name not in self._read:
            over = self._overlay.get(kind, {}).get(key)
            base = self._load(name) if over is None or os.path.exists(os.path.join(paths.data(), name)) else {}
            self._read[name] = base if over is None else merged(base, over)
        return self._read[name]

    def table(self, name: str) -> Mapping[str, Json]:
        """One of the files that are not split: "cuda", "drivers", "nfd", "dcgm/names", ..."""
        if name not in self._read:
            self._read[name] = self._load(f"{name}.json")
        return cast("Mapping[str, Json]", self._read[name])

    def line(self, name: str, key: str) -> Json | None:
        """The value of one key in a file that gives each key a line of its own; only that line is parsed.

        Parsing the thousand DCGM fields takes three times as long as finding their lines, and a site uses thirty.
        """
        if name not in self._read:
            self._read[name] = dict(_LINES.findall(self._text(f"{name}.json")))
        value = self._read[name].get(key)
        return None if value is None else json.loads(value.removesuffix(","))

    def _load(self, name: str) -> Json:
        return json.loads(self._text(name))

    def _text(self, name: str) -> str:
        with open(os.path.join(paths.data(), name), "rb") as file:
            return file.read().decode()  # in one go, where a text stream decodes piece by piece


def merged(base: Json, over: Json) -> Json:
    """`over` laid over `base`: maps merge, everything else (lists, null) replaces."""
    if isinstance(base, dict) and isinstance(over, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in over.items()}}
    return over
