"""One chart version's contract: looking a path up, and checking values."""

import json
import os.path
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from genvalues.contracts.entry import Entry
from genvalues.finding import Hit, Json, Route, Severity, Verdict

VERDICT_CODES: Mapping[Verdict, tuple[str, Severity]] = {
    "ignored": ("GV901", "error"),
    "inert": ("GV902", "error"),
    "pruned": ("GV903", "error"),
    "refused": ("GV904", "error"),
    "mistyped": ("GV905", "error"),
    "undocumented": ("GV906", "info"),
}
"""The rule that a verdict on a chart value belongs to, and its severity."""

Raw = Callable[[Route], str | None]
Loader = Callable[[str, str], "Contract | None"]
_Record = Mapping[str, Any]


class Contract:
    """What one version of a chart accepts. Routes are routes of a values file of that chart."""

    def __init__(self, data: Mapping[str, Any], folder: str, version: str, loader: Loader) -> None:
        self.chart: str = data["chart"]
        self.version = version
        self._folder = folder
        self._paths: Mapping[str, _Record] = data["paths"]
        self._shapes: Mapping[str, Mapping[str, _Record]] = data["shapes"]
        self._loader = loader

    @classmethod
    def read(cls, folder: str, version: str, loader: Loader) -> "Contract":
        """The contract in `folder` (values.json), spoken of as `version`."""
        return cls(_read(folder, "values.json"), folder, version, loader)

    def at(self, route: Route) -> Entry | None:
        """What is known of the node at `route`; None where the chart does not know the path."""
        raise NotImplementedError

    def default(self, route: Route) -> Json:
        """The chart's own value at `route` (lists whole); None where it has none."""
        raise NotImplementedError

    def check(self, values: Json, raw: Raw | None = None) -> Iterator[Hit]:
        """What becomes of values that do not work as their author expects, each with its verdict.

        `values` is what the user wrote, not yet merged with the defaults. `raw` gives a scalar's text as typed,
        quotes included, so that it is judged as Go reads it.
        """
        raise NotImplementedError

    def images(self) -> tuple[Mapping[str, Any], ...]:
        """The images of the chart version, each with the values paths that set it."""
        images: tuple[Mapping[str, Any], ...] = tuple(_read(self._folder, "images.json")["images"])
        return images


def _read(folder: str, name: str) -> dict[str, Any]:
    with open(os.path.join(folder, name), encoding="utf-8") as stream:  # noqa: PTH123
        data: dict[str, Any] = json.load(stream)
    return data
