"""The rule about overrides that take a decision from the site, so that the rules judge what does not hold."""

from collections.abc import Iterator, Mapping

from genvalues import contracts
from genvalues.finding import Hit, Json, Route, exists, format_route
from genvalues.plan.charts import laid_over
from genvalues.rules.rule import Case, Rule, rule
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
        node: Json = values
        for step in route:
            node = node[step]
        value = f" {shown(node)}" if not isinstance(node, Mapping) else ""
        yield Hit(
            ("overrides", "gpuOperator", *route),
            f"{format_route(route)}{value} replaces what the site decides by {key}, and no rule judges the result",
            f"say it by {key}, and remove the override",
            at="key",
        )


RULES: tuple[Rule, ...] = (shadowed_decision,)
