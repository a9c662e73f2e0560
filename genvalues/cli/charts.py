"""genvalues charts: the chart versions whose contracts genvalues has."""

from collections.abc import Mapping

import click

from genvalues import contracts
from genvalues.cli import options, table


@click.command("charts")
@table.format_option
def command(format_: str) -> None:
    """List the chart versions that genvalues knows, and what each GPU Operator release brings."""
    facts = options.facts(())
    rows, data = [], []
    for chart, versions in contracts.known().items():
        for version in versions:
            release = facts.operator_release(version) if chart == "gpu-operator" else None
            entry = {
                "chart": chart,
                "version": version,
                "status": release.status if release else None,
                "kubernetes": ["{}.{}".format(*bound) for bound in release.kubernetes] if release else None,
                "driver": release.driver_default if release else None,
                "nodeFeatureDiscovery": release.components.get("nfd") if release else None,
            }
            data.append(entry)
            rows.append((chart, version, *_cells(entry)))
    table.show(format_, ("chart", "version", "Kubernetes", "driver", "NFD", "support"), rows, data)


def _cells(entry: Mapping[str, object]) -> tuple[str, str, str, str]:
    kubernetes = entry["kubernetes"]
    bounds = " to ".join(kubernetes) if isinstance(kubernetes, list) else ""
    return bounds, str(entry["driver"] or ""), str(entry["nodeFeatureDiscovery"] or ""), str(entry["status"] or "")
