"""The ConfigMap of the device plugin: one key for each sharing config, and one for nodes that share nothing.

Nothing stands under `flags`: the operator sets these as environment variables, which win over the file
(k8s-device-plugin, cmd/nvidia-device-plugin; gpu-operator, assets/state-device-plugin).
"""

from collections.abc import Iterator

from genvalues.artefacts.objects import operator_config_map
from genvalues.document import Builder, Decided, Doc, Why
from genvalues.finding import Json, Route
from genvalues.model import SharingConfig
from genvalues.plan import Plan
from genvalues.plan.reasons import said
from genvalues.plan.sharing import replicated

_INTRO = (
    "A node takes the key that its label nvidia.com/device-plugin.config names, without the label the default.",
    "The operator does not watch this ConfigMap. After a change restart its readers:",
    "kubectl rollout restart daemonset nvidia-device-plugin-daemonset gpu-feature-discovery -n {namespace}",
)


def render(plan: Plan) -> Iterator[Doc]:
    """Nothing where no pool shares GPUs by time-slicing or MPS."""
    if not plan.sharing.device_plugin:
        return
    intro = [line.format(namespace=plan.operator.namespace.value) for line in _INTRO]
    builder = operator_config_map(plan, "manifests/device-plugin-config.yaml", plan.sharing.device_plugin_name, intro)
    default = plan.sharing.default
    builder.put(("data", default.value), Decided("", default.why))
    builder.embed(("data", default.value), _body(default.value).doc())
    for config in plan.sharing.device_plugin:
        users = [pool for pool in plan.pools if pool.sharing.config is config]
        routes = tuple(route for pool in users for route in pool.sharing.name.why.routes)
        text = f"sharing config of {', '.join(pool.name for pool in users)}"
        builder.put(("data", config.name), Decided("", Why(tuple(dict.fromkeys(routes)), text)))
        builder.embed(("data", config.name), _shared(config, plan))
    yield builder.doc()


def _body(key: str) -> Builder:
    body = Builder(key, "device-plugin")
    body.fixed(("version",), "v1")
    return body


def _shared(config: SharingConfig, plan: Plan) -> Doc:
    body = _body(config.name)
    slicing, mps = config.time_slicing, config.mps
    # The plugin takes mps where both are there (ReplicatedResources); a rule refuses such a config.
    way = "mps" if mps is not None else "timeSlicing"
    settings: dict[str, Json] = {}
    if mps is not None:
        settings["renameByDefault"] = mps.rename_by_default
    elif slicing is not None:
        settings["renameByDefault"] = slicing.rename_by_default
        settings["failRequestsGreaterThanOne"] = slicing.fail_requests_greater_than_one
    route: Route = (*config.route, way)
    for key, value in settings.items():
        if value is not None:
            body.put(("sharing", way, key), said(value, (*route, key), "as the site says"))
    resources = [{"name": name, "replicas": times} for name, times in replicated(config, plan.pools)]
    named = "resources" if mps is None and slicing is not None and slicing.resources else "replicas"
    body.put(("sharing", way, "resources"), said(resources, (*route, named), "so many pods share each of these"))
    return body.doc()
