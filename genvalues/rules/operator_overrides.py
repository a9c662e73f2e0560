"""Rules about values that take a decision away: from the site, so that the rules judge what does not hold, or from the chart."""

import re
from collections.abc import Iterator, Mapping

from genvalues import contracts
from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route, exists, format_route, node_at, parse_route
from genvalues.plan.charts import laid_over
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import shown

# Key of the GPU Operator's chart -> where the site says the same.
_DECIDED: tuple[tuple[Route, str], ...] = (
    (("driver", "enabled"), "driver.strategy"),
    (("driver", "version"), "driver.version"),
    (("driver", "usePrecompiled"), "driver.strategy"),
    (("driver", "kernelModuleType"), "driver.kernelModuleType"),
    (("driver", "useOpenKernelModules"), "driver.kernelModuleType"),
    (("driver", "kernelModuleConfig"), "driver.moduleParameters"),
    (("driver", "upgradePolicy"), "driver.upgradePolicy"),
    (("driver", "rdma", "enabled"), "rdma.gpuDirect"),
    (("driver", "rdma", "useHostMofed"), "rdma.ofed"),
    (("driver", "repoConfig"), "offline.packages"),
    (("driver", "certConfig"), "offline.caBundle"),
    (("gds", "enabled"), "rdma.gds"),
    (("gdrcopy", "enabled"), "rdma.gdrcopy"),
    (("toolkit", "enabled"), "toolkit.strategy"),
    (("mig", "strategy"), "sharing.configs.<name>.mig.strategy"),
    (("devicePlugin", "config"), "sharing.configs"),
    (("migManager", "config"), "sharing.configs"),
    (("dcgmExporter", "config"), "monitoring.dcgm"),
)


def said_by(path: str) -> str | None:
    """The site's own key for a key of the GPU Operator's chart, as one writes both; None where it has none."""
    return next((key for route, key in _DECIDED if format_route(route) == path), None)


@rule("GV556", "warning", "Override of what the site decides")
def shadowed_decision(case: Case) -> Iterator[Hit]:
    values: Json = case.site.overrides.get("gpuOperator", {})
    contract = contracts.load("gpu-operator", case.plan.operator.chart.version)
    in_force = laid_over({"driver": {"enabled": any(pool.driver.in_cluster for pool in case.plan.pools)}}, values)
    for route, key in _DECIDED:
        if not isinstance(values, Mapping) or not exists(values, route):
            continue
        if contract is not None and contract.effective(route, in_force) is not None:
            continue  # GV902 says that it does nothing, so it replaces nothing
        node = node_at(values, route)
        value = f" {shown(node)}" if not isinstance(node, Mapping) else ""
        yield Hit(
            ("overrides", "gpuOperator", *route),
            f"{format_route(route)}{value} replaces what the site decides by {key}, and no rule judges the result",
            f"say it by {key}, and remove the override",
            at="key",
        )


# What an image tag says beyond the version: the base of the image.
_BASE = r"-(?:ubuntu|ubi|distroless|centos|rhel)[a-z0-9.]*$"

# Components whose version is the site's to choose, or has rules of its own.
_FREE = ("driver", "vgpuManager", "node-feature-discovery")


def _pinned(body: Body, _: Facts) -> Iterator[Hit]:
    """Versions of components that are not those that the chart was released with. What has no effect is GV902's."""
    contract = contracts.load("gpu-operator", body.chart.version) if body.chart else None
    if contract is None or body.chart is None or body.chart.name != "gpu-operator":
        return
    for image in contract.images():
        if image.component in _FREE or not image.tag or "version" not in image.values:
            continue
        route = parse_route(image.values["version"])
        stated = node_at(body.data, route)
        if (
            not isinstance(stated, str)
            or stated.startswith("sha256:")
            or contract.effective(route, body.data) is not None
        ):
            continue
        if re.sub(_BASE, "", stated) != re.sub(_BASE, "", image.tag):
            yield Hit(
                route,
                f"{image.component} is pinned to {stated}, and the chart of {body.chart.version} was released with "
                f"{image.tag}: NVIDIA tests only that, and the pin stays when the chart moves on",
                f'remove it, or version: "{image.tag}"',
            )


PINNED = Rule("GV560", "info", "Component of another version than the chart's", "0.1.0", files={"values": _pinned}, needs="version")

RULES: tuple[Rule, ...] = (shadowed_decision, PINNED)
