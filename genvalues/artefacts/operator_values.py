"""Values of the GPU Operator chart: only what differs from the chart's defaults, or what a reader should see stated."""

from collections.abc import Iterator

from genvalues.artefacts.values import ChartValues, module_env, module_type, toleration
from genvalues.document import Decided, Doc, Why
from genvalues.finding import Route
from genvalues.plan import Plan
from genvalues.plan.kinds import ConfigMapRef, PoolPlan
from genvalues.plan.monitoring import SCRAPE, duration
from genvalues.plan.reasons import because, by_default, said

_NAMED_BY_OBJECTS = {"driver", "gds", "gdrcopy"}
"""Images that the ClusterPolicy does not bring where drivers come from NVIDIADriver objects: these name their own."""

UPGRADES = "how the operator replaces driver pods"

_EXPORTER: Route = ("dcgmExporter",)


def render(plan: Plan) -> Iterator[Doc]:
    """One values file; the site's overrides come last."""
    values = ChartValues(plan.operator, "gpu-operator/values.yaml")
    values.put(
        ("nfd", "enabled"), by_default(False, "NFD is installed by itself: a second one would fight over labels")
    )
    _tolerations(values, plan)
    _driver(values, plan)
    _toolkit(values, plan)
    _sharing(values, plan)
    _exporter(values, plan)
    _images(values, plan)
    values.lay(plan.overrides.get("gpuOperator", {}), ("overrides", "gpuOperator"))
    yield values.doc()


def _tolerations(values: ChartValues, plan: Plan) -> None:
    """The operands'. The operator's own pod runs on control planes, which the chart's default tolerates."""
    if any(pool.pool.taints for pool in plan.pools):
        items = [Decided(toleration(tolerated), reason.why) for tolerated, reason in plan.tolerations]
        values.put_items(("daemonsets", "tolerations"), items)


def _driver(values: ChartValues, plan: Plan) -> None:
    pool = plan.cluster_driver
    if plan.by_objects:
        _driver_objects(values, plan)
    elif pool is not None:
        _cluster_driver(values, plan, pool)
    else:
        strategies = [pool.driver.strategy for pool in plan.pools]
        routes = tuple(dict.fromkeys(route for strategy in strategies for route in strategy.why.routes))
        values.put(("driver", "enabled"), because(False, routes, "the driver is installed on the nodes"))
    for switch in ("gds", "gdrcopy"):
        decided = plan.gds if switch == "gds" else plan.gdrcopy
        if decided.value:
            values.put((switch, "enabled"), decided)


def _driver_objects(values: ChartValues, plan: Plan) -> None:
    """Only what the ClusterPolicy still decides; all else stands in the objects."""
    routes = tuple(
        dict.fromkeys(route for item in plan.driver_objects for route in item.pool.driver.strategy.why.routes)
    )
    why = Why(routes, "pools need different drivers: each has an NVIDIADriver object in resources/")
    values.put(("driver", "enabled"), Decided(True, why))
    values.put(("driver", "nvidiaDriverCRD", "enabled"), Decided(True, why))
    values.put(
        ("driver", "nvidiaDriverCRD", "deployDefaultCR"),
        because(False, routes, "the chart's own object would claim the same nodes"),
    )
    _upgrades(values, plan)


def _cluster_driver(values: ChartValues, plan: Plan, pool: PoolPlan) -> None:
    driver = pool.driver
    values.put(("driver", "enabled"), Decided(True, driver.strategy.why))
    if driver.precompiled:
        values.put(("driver", "usePrecompiled"), Decided(True, driver.strategy.why))
    if driver.version.value is not None and (driver.stated or driver.precompiled):
        values.put(("driver", "version"), driver.version)
    if (spelt := module_type(values.contract, driver.module_type)) is not None:
        values.put(*spelt)
    _config_map(values, ("driver", "repoConfig", "configMapName"), plan.packages)
    _config_map(values, ("driver", "certConfig", "name"), plan.certificates)
    _config_map(values, ("driver", "kernelModuleConfig", "name"), plan.parameters)
    if pool.rdma.peermem_by_operator:
        values.put(("driver", "rdma", "enabled"), Decided(True, pool.rdma.gpu_direct.why))
        if pool.rdma.ofed.value == "host":
            values.put(("driver", "rdma", "useHostMofed"), Decided(True, pool.rdma.ofed.why))
    env = module_env(values.contract, driver.module_type)
    if not driver.precompiled:
        env += [(name, Decided(value, plan.proxy_env.why)) for name, value in plan.proxy_env.value]
    values.put_env(("driver", "env"), env)
    _upgrades(values, plan)


def _upgrades(values: ChartValues, plan: Plan) -> None:
    if plan.upgrade_policy:
        values.put(("driver", "upgradePolicy"), by_default({}, UPGRADES))
    for route, decided in plan.upgrade_policy:
        values.put(("driver", "upgradePolicy", *route), decided)


def _config_map(values: ChartValues, route: Route, ref: ConfigMapRef | None) -> None:
    if ref is not None:
        values.put(route, ref.name)


def _toolkit(values: ChartValues, plan: Plan) -> None:
    if not plan.toolkit.by_operator.value:
        values.put(("toolkit", "enabled"), plan.toolkit.by_operator)
        return
    env = [(name, Decided(value, plan.toolkit.env.why)) for name, value in plan.toolkit.env.value]
    values.put_env(("toolkit", "env"), env)


def _sharing(values: ChartValues, plan: Plan) -> None:
    sharing = plan.sharing
    if sharing.mig_strategy is not None:
        values.put(("mig", "strategy"), sharing.mig_strategy)
    if sharing.device_plugin:
        values.put(("devicePlugin", "config", "name"), sharing.device_plugin_name)
        values.put(("devicePlugin", "config", "default"), sharing.default)
    if sharing.mig:
        values.put(("migManager", "config", "name"), sharing.mig_name)


def _exporter(values: ChartValues, plan: Plan) -> None:
    monitoring = plan.monitoring
    if monitoring.groups is not None:
        values.put((*_EXPORTER, "config", "name"), monitoring.config_map)
    env: list[tuple[str, Decided[str]]] = []
    if monitoring.interval is not None:
        env.append(("DCGM_EXPORTER_INTERVAL", Decided(str(monitoring.interval.value), monitoring.interval.why)))
    if monitoring.virtual_gpus.value:
        env.append(("KUBERNETES_VIRTUAL_GPUS", Decided("true", monitoring.virtual_gpus.why)))
    # The operator sets it for a ConfigMap of the site's; a variable of ours would be laid over that.
    without = "DCGM_EXPORTER_COLLECTORS" if monitoring.groups is not None else ""
    values.put_env((*_EXPORTER, "env"), env, without=without)
    _service_monitor(values, plan)


def _service_monitor(values: ChartValues, plan: Plan) -> None:
    monitoring, route = plan.monitoring, (*_EXPORTER, "serviceMonitor")
    if monitoring.scrape.value != "prometheus":
        if values.default((*route, "enabled")) is True:
            text = f"the chart would make a ServiceMonitor; {monitoring.scrape.why.text}"
            values.put((*route, "enabled"), Decided(False, monitoring.scrape.why._replace(text=text)))
        return
    values.put((*route, "enabled"), Decided(True, monitoring.scrape.why))
    if monitoring.scrape_interval is not None:
        interval = duration(monitoring.scrape_interval.value)
        values.put((*route, "interval"), Decided(interval, monitoring.scrape_interval.why))
    for key, value in monitoring.scrape_labels.items():
        label = said(value, (*SCRAPE, "labels", key), "Prometheus selects ServiceMonitors by this label")
        values.put((*route, "additionalLabels", key), label)


def _images(values: ChartValues, plan: Plan) -> None:
    """Where every image that runs here comes from, and with which Secrets. Nothing in the chart sets that for all."""
    for image in plan.images:
        if not image.on or (plan.by_objects and image.component in _NAMED_BY_OBJECTS):
            continue
        if image.repository.value != image.upstream and "repository" in image.route:
            values.put(image.route["repository"], image.repository)
        if plan.pull_secrets.value and "imagePullSecrets" in image.route:
            values.put(image.route["imagePullSecrets"], plan.pull_secrets)
