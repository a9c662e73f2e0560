"""The hand-over of a site: README.md at the top of its folder.

The words stand in templates/, what they say of this site is gathered here and in the `readme_` modules: commands with
this site's names and versions, tables from the plan and its reasons. No section without its subject.
"""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from genvalues.artefacts import readme_faults, readme_host, readme_tables
from genvalues.document import Text
from genvalues.plan import Plan, config_maps
from genvalues.plan.kinds import ChartPlan
from genvalues.visible import visible

PATH = "README.md"

_SCRAPERS = {"prometheus": "The Prometheus Operator", "victoriametrics": "The VictoriaMetrics operator"}
_SERVICES = {"rke2": "rke2-server", "k3s": "k3s"}


def render(plan: Plan) -> Iterator[Text]:
    """The one page that whoever is on call needs."""
    from genvalues.artefacts import jinja  # noqa: PLC0415  jinja2 takes 30 ms, which only those who render texts pay

    text = jinja.environment().get_template("README.md.j2").render(_context(plan))
    yield Text(PATH, _tidy(text), "<!--")


def _tidy(text: str) -> str:
    """One empty line where leaving out sections left several."""
    lines: list[str] = []
    for line in text.rstrip("\n").split("\n"):
        stripped = line.rstrip()
        if stripped or (lines and lines[-1]):
            lines.append(stripped)
    return "\n".join(lines) + "\n"


def _context(plan: Plan) -> Mapping[str, Any]:
    steps = list(_steps(plan))
    return {
        "site": plan.site,
        "source": visible(plan.source),
        "kubernetes": plan.cluster.kubernetes,
        "distribution": plan.cluster.distribution,
        "operator": _chart(plan.operator),
        "nfd": _chart(plan.nfd),
        "mirrors": _mirrors(plan),
        "mirror_hosts": _mirror_hosts(plan),
        "secrets": [quote(secret) for secret in plan.pull_secrets.value],
        "namespaces": list(dict.fromkeys((plan.operator.namespace.value, plan.nfd.namespace.value))),
        "namespace_files": _namespace_files(plan),
        "config_maps": _config_map_names(plan),
        "service_monitor": plan.monitoring.scrape.value == "prometheus",
        "monitoring": _SCRAPERS.get(plan.monitoring.scrape.value, ""),
        "scheduler": _scheduler(plan),
        "steps": steps,
        "gitops": _gitops(plan, steps),
        "login": _login(plan),
        "by_objects": plan.by_objects,
        "accepted": plan.accept,
        "runtime_class": next((pod.runtime_class.value for pod in plan.verify if pod.runtime_class), None),
        "metrics": _metrics(plan),
        "changes": list(_changes(plan, steps)),
        **readme_tables.context(plan),
        **readme_faults.context(plan, _numbers(steps)),
    }


def _chart(chart: ChartPlan) -> Mapping[str, str]:
    """`chart` is what helm is given: an OCI reference or a name with its repository, and the version."""
    source = (
        quote(chart.source) if chart.repository is None else f"{quote(chart.source)} --repo {quote(chart.repository)}"
    )
    return {
        "version": chart.chart.version,
        "namespace": chart.namespace.value,
        "release": chart.release,
        "chart": f"{source} --version {chart.chart.version}",
    }


def _mirrors(plan: Plan) -> list[Mapping[str, str]]:
    registries = plan.offline.registries if plan.offline else {}
    return [{"upstream": upstream, "place": place} for upstream, place in registries.items()]


def _mirror_hosts(plan: Plan) -> list[str]:
    hosts = (mirror["place"].partition("/")[0] for mirror in _mirrors(plan))
    return list(dict.fromkeys(hosts)) or ["the registry"]


def _namespace_files(plan: Plan) -> list[str]:
    own = plan.operator.namespace.value != plan.nfd.namespace.value
    return ["node-feature-discovery/namespace.yaml", *(["manifests/namespace.yaml"] if own else [])]


def _config_map_names(plan: Plan) -> list[str]:
    names = [ref.name.value for ref in config_maps(plan)]
    if plan.sharing.device_plugin:
        names.append(plan.sharing.device_plugin_name.value)
    if plan.sharing.mig:
        names.append(plan.sharing.mig_name.value)
    if plan.monitoring.groups is not None:
        names.append(plan.monitoring.config_map.value)
    return [f"`{name}`" for name in names]


def _steps(plan: Plan) -> Iterator[Mapping[str, Any]]:
    """The steps of the installation: `key` for references, `title`, `template`, and what the template needs."""
    for host in plan.hosts:
        pools = readme_tables.pools_in_words(plan, host.pools)
        yield {
            "key": "host",
            "title": f"Prepare the nodes of {pools}",
            "template": "step-host.md.j2",
            "host": readme_host.context(plan, host),
        }
    secrets = " and pull Secrets" if plan.pull_secrets.value else ""
    yield {"key": "namespaces", "title": f"Namespaces{secrets}", "template": "step-namespaces.md.j2"}
    yield {"key": "nfd", "title": "Node Feature Discovery", "template": "step-nfd.md.j2"}
    yield {"key": "manifests", "title": "Rules and ConfigMaps", "template": "step-manifests.md.j2"}
    if any(pool.rdma.ofed.value == "container" for pool in plan.pools):
        yield {"key": "network", "title": "Network Operator", "template": "step-network.md.j2"}
    yield {"key": "operator", "title": "GPU Operator", "template": "step-operator.md.j2"}
    if plan.by_objects:
        yield {"key": "drivers", "title": "Drivers", "template": "step-drivers.md.j2"}
    if _has_monitoring(plan):
        yield {"key": "monitoring", "title": "Monitoring", "template": "step-monitoring.md.j2"}
    if plan.scheduler is not None:
        yield {"key": "scheduler", "title": "Scheduler", "template": "step-scheduler.md.j2"}


def _has_monitoring(plan: Plan) -> bool:
    scrape, alerts = plan.monitoring.scrape.value, plan.monitoring.alerts.value
    return scrape == "victoriametrics" or (scrape == "prometheus" and alerts)


def _login(plan: Plan) -> str:
    """The registry that helm must be logged in to; empty where charts come over plain HTTP."""
    if plan.operator.repository is not None or plan.offline is None:
        return ""
    return quote((plan.offline.charts or "").removeprefix("oci://").partition("/")[0])


def _numbers(steps: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
    """How each kind of step is referred to: "step 3", or "steps 1 to 2" where there are several of it."""
    numbers: dict[str, list[int]] = {}
    for number, step in enumerate(steps, 1):
        numbers.setdefault(step["key"], []).append(number)
    return {key: f"step {n[0]}" if len(n) == 1 else f"steps {n[0]} to {n[-1]}" for key, n in numbers.items()}


def _gitops(plan: Plan, steps: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Numbers of the first and last step that a GitOps tool can take over, and the folders that it cannot."""
    numbers = [number for number, step in enumerate(steps, 1) if step["key"] not in ("host", "scheduler")]
    present = {"host": bool(plan.hosts), "scheduler": plan.scheduler is not None, "verify": True}
    never = readme_tables.listed([f"`{folder}/`" for folder, here in present.items() if here])
    return {"first": numbers[0], "last": numbers[-1], "never": never}


def _scheduler(plan: Plan) -> Mapping[str, Any] | None:
    scheduler = plan.scheduler
    if scheduler is None:
        return None
    name = scheduler.name.value
    about = f"Pods that name the scheduler `{name}` (`spec.schedulerName`) are packed; all others are placed as before."
    if scheduler.replaces_default:
        about = f"Every pod is packed onto as few nodes as possible; {scheduler.bystanders}."
    path = scheduler.wiring.rpartition("/")[2] if scheduler.wiring else ""
    return {
        "about": about,
        "distribution": scheduler.distribution,
        "config": scheduler.config_path,
        "wiring": scheduler.wiring,
        "fragment": f"config.yaml.d/{path}",
        "service": _SERVICES.get(scheduler.distribution, ""),
        "inside": scheduler.distribution == "k3s" or scheduler.config_path is None,
    }


def _metrics(plan: Plan) -> Mapping[str, Any]:
    return {
        "custom": plan.monitoring.groups is not None,
        "scraped": plan.monitoring.scrape.value != "none",
        "count": len(plan.monitoring.collected),
    }


def _changes(plan: Plan, steps: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, str]]:
    """What to do for each part of the rendering that a change can touch."""
    step = _numbers(steps)
    restart = f"`kubectl rollout restart daemonset {{}} -n {plan.operator.namespace.value}`"
    if plan.hosts:
        yield {
            "what": "`host/`",
            "action": f"{step['host']} on every node of the pool, one drained node at a time",
        }
    yield {"what": "`node-feature-discovery/values.yaml`", "action": step["nfd"]}
    yield {
        "what": "`manifests/node-feature-rules.yaml`",
        "action": f"{step['manifests']}; labels follow by themselves",
    }
    for name, action in _restarts(plan, restart):
        yield {"what": f"ConfigMap `{name}`", "action": f"{step['manifests']}, then {action}"}
    yield {"what": "`gpu-operator/values.yaml`", "action": step["operator"] + _drivers_follow(plan)}
    for key, folder in (
        ("drivers", "gpu-operator/resources"),
        ("monitoring", "monitoring"),
        ("scheduler", "scheduler"),
    ):
        if key in step:
            yield {"what": f"`{folder}/`", "action": step[key]}


def _drivers_follow(plan: Plan) -> str:
    """What becomes of driver pods; the controller labels the nodes with its progress."""
    if not any(pool.driver.in_cluster for pool in plan.pools):
        return ""
    return (
        "; a new driver goes from node to node, which `kubectl get nodes -L nvidia.com/gpu-driver-upgrade-state` shows"
    )


def _restarts(plan: Plan, restart: str) -> Iterator[tuple[str, str]]:
    """Which pods read a ConfigMap only at their start: the operator watches none of them."""
    if plan.sharing.device_plugin:
        readers = "nvidia-device-plugin-daemonset gpu-feature-discovery"
        if any(config.mps is not None for config in plan.sharing.device_plugin):
            readers += " nvidia-device-plugin-mps-control-daemon"
        yield plan.sharing.device_plugin_name.value, restart.format(readers)
    if plan.sharing.mig:
        text = (
            restart.format("nvidia-mig-manager")
            + ": nodes whose layout differs lose their GPU pods and are split again"
        )
        yield plan.sharing.mig_name.value, text
    if plan.monitoring.groups is not None:
        yield plan.monitoring.config_map.value, restart.format("nvidia-dcgm-exporter")
    pod = "kubectl delete pod -l app.kubernetes.io/component=nvidia-driver --field-selector spec.nodeName=NODE"
    for ref in config_maps(plan):
        yield ref.name.value, f"node by node, drained: `{pod} -n {plan.operator.namespace.value}`"
