"""What becomes of values under a contract: every key that does not do what its author expects, with its verdict."""

from collections.abc import Iterator

from genvalues.contracts.contract import ROOT, Contract, Raw, Spot
from genvalues.finding import Hit, Json, Route, format_route


def judge(contract: Contract, values: Json, raw: Raw | None = None) -> Iterator[Hit]:
    """The hits of one values document."""
    if isinstance(values, dict):
        yield from _walk(contract, values, (), ROOT)


def _walk(contract: Contract, node: dict[str, Json], route: Route, spot: Spot) -> Iterator[Hit]:
    for key, value in node.items():
        below = contract.step(spot, key)
        if not route and key in (*contract.subcharts, "global"):
            continue
        if below.key is None and not any(field is not None for _, field in below.blocks):
            path = format_route((*route, key))
            text = f"{path} does nothing: no template of {contract.chart} {contract.version} reads it"
            yield Hit((*route, key), text, f"remove {path}", at="key", verdict="ignored")
        elif isinstance(value, dict):
            yield from _walk(contract, value, (*route, key), below)
