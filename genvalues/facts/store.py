"""Reads the data files, each when first asked for, and lays a user's own facts over them.

The layout under data/ is split so that one site loads little: a file per GPU, per MIG model and per operator minor.
"""


import json
import os
from collections.abc import Mapping
from typing import cast

from genvalues.finding import Json

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")

Overlay = Mapping[str, Mapping[str, Json]]
"""Kind ("gpus", "mig", "operator") -> key -> what to lay over the entry of that key."""


class Store:
    """Raw facts by kind and key. Nothing is read twice; what it returns is shared and must not be changed."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay
        self._read: dict[str, Json] = {}
        self._keys: dict[str, tuple[str, ...]] = {}

    def keys(self, kind: str) -> tuple[str, ...]:
        """Every key of a kind that has a folder, in alphabetical order."""
        if kind not in self._keys:
            stems = {name[:-5] for name in os.listdir(os.path.join(DATA, kind)) if name.endswith(".json")}
            self._keys[kind] = tuple(sorted(stems | set(self._overlay.get(kind, ()))))
        return self._keys[kind]

    def entry(self, kind: str, key: str) -> Json | None:
        """The entry of that key, None where there is none. A key that is a path leads nowhere: it is no file's stem."""
        if key not in self.keys(kind):
            return None
        name = f"{kind}/{key}.json"
        if name not in self._read:
            over = self._overlay.get(kind, {}).get(key)
            base = self._load(name) if over is None or os.path.exists(os.path.join(DATA, name)) else {}
            self._read[name] = base if over is None else merged(base, over)
        return self._read[name]

    def table(self, name: str) -> Mapping[str, Json]:
        """One of the tables that are not split: "cuda", "drivers", "nfd", ..."""
        if name not in self._read:
            self._read[name] = self._load(f"{name}.json")
        return cast("Mapping[str, Json]", self._read[name])

    def text(self, name: str) -> str:
        """A data file as text, for the one that is searched rather than parsed."""
        with open(os.path.join(DATA, name), encoding="utf-8") as file:
            return file.read()

    def _load(self, name: str) -> Json:
        return json.loads(self.text(name))


def merged(base: Json, over: Json) -> Json:
    """`over` laid over `base`: maps merge, everything else (lists, null) replaces."""
    if isinstance(base, dict) and isinstance(over, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in over.items()}}
    return over
