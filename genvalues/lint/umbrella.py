"""Umbrella charts: values of a chart that we know under a key of another chart's values, one or two levels down.

The key is the dependency's name or alias, so it may be anything; a name like the chart's, or values that leave no doubt,
decide. A Chart.yaml beside the file knows.
"""

from collections.abc import Iterator, Mapping

from genvalues.finding import Json, Route
from genvalues.lint import charts


def dependencies(data: Json) -> Mapping[str, tuple[str, str]]:
    """The dependencies of a Chart.yaml, by their key in values: (chart, version)."""
    listed = data.get("dependencies") if isinstance(data, dict) and "name" in data and "apiVersion" in data else None
    found: dict[str, tuple[str, str]] = {}
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict) and isinstance(one.get("name"), str):
            found[str(one.get("alias") or one["name"])] = (one["name"], str(one.get("version") or ""))
    return found


def subcharts(
    values: Json, known: Mapping[str, tuple[str, str]], extra: tuple[str, ...] = ()
) -> list[tuple[Route, str, str]]:
    """Where values of a chart that we know lie: route, chart, and version ("" where nothing tells)."""
    if not isinstance(values, dict) or charts.recognised(values, extra):
        return []
    return list(_below(values, (), known, extra))


def _below(
    values: Mapping[str, Json], route: Route, known: Mapping[str, tuple[str, str]], extra: tuple[str, ...]
) -> Iterator[tuple[Route, str, str]]:
    for key, child in values.items():
        if not isinstance(child, dict):
            continue
        chart, version = known.get(key, ("", "")) if not route else ("", "")
        chart = chart or _named(key, child, extra)
        inner = [] if route else list(_below(child, (key,), {}, extra))
        found = charts.recognised(child, extra)
        if not found and inner:
            yield from inner
        elif chart in charts.known(extra):
            yield (*route, key), chart, version
        elif len(found) == 1 and _certain(child, found[0], extra):
            yield (*route, key), found[0], version


def _named(key: str, child: Mapping[str, Json], extra: tuple[str, ...]) -> str:
    """The chart that a key is named after, if half of what lies below are keys of that chart."""
    chart = by_name(key, extra)
    return chart if chart and 2 * charts.known_keys(child, chart, extra) >= len(child) else ""


def by_name(key: str, extra: tuple[str, ...]) -> str:
    """The chart that a key is named after: `gpu-operator`, `nvidia-gpu-operator`."""
    return next((chart for chart in charts.known(extra) if key == chart or key.endswith(f"-{chart}")), "")


def _certain(values: Mapping[str, Json], chart: str, extra: tuple[str, ...]) -> bool:
    return charts.own_keys(values, chart, extra) > 0
