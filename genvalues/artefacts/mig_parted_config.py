"""The ConfigMap of MIG layouts that mig-manager applies to nodes."""

from collections.abc import Iterator

from genvalues.artefacts.objects import operator_config_map
from genvalues.document import Builder, Decided, Doc, Why
from genvalues.finding import Json, Route
from genvalues.model import SharingConfig
from genvalues.plan import Plan
from genvalues.plan.kinds import MigEntry
from genvalues.plan.reasons import by_default
from genvalues.plan.sharing import MIG_OFF, mig_entries

KEY = "config.yaml"
"""The only key that mig-manager reads."""

_INTRO = (
    "mig-manager splits a node's GPUs as the config says that its label nvidia.com/mig.config names.",
    "How far it is: label nvidia.com/mig.config.state (pending, success, failed, rebooting).",
)


def render(plan: Plan) -> Iterator[Doc]:
    """Nothing where no pool splits its GPUs."""
    if not plan.sharing.mig:
        return
    builder = operator_config_map(plan, "manifests/mig-parted-config.yaml", plan.sharing.mig_name, _INTRO)
    builder.embed(("data", KEY), _body(plan))
    yield builder.doc()


def _body(plan: Plan) -> Doc:
    body = Builder(KEY, "mig-parted")
    body.fixed(("version",), "v1")
    off = by_default(
        [_entry(MigEntry(None, {}))], "the operator's default for nodes without the label; it must be here"
    )
    body.put(("mig-configs", MIG_OFF), off)
    for config in plan.sharing.mig:
        _config(body, config, plan)
    return body.doc()


def _config(body: Builder, config: SharingConfig, plan: Plan) -> None:
    users = [pool for pool in plan.pools if pool.sharing.config is config]
    routes = tuple(dict.fromkeys(route for pool in users for route in pool.sharing.name.why.routes))
    at: Route = ("mig-configs", config.name)
    body.put(at, Decided([], Why(routes, f"sharing config of {', '.join(pool.name for pool in users)}")))
    layouts: Route = (*config.route, "mig", "layouts")
    for index, entry in enumerate(mig_entries(config, plan.pools)):
        why = Why(((*layouts, index),), "") if entry.profiles else Why((layouts,), "GPUs that are in no layout")
        body.put((*at, index), Decided(_entry(entry), why))


def _entry(entry: MigEntry) -> Json:
    devices: Json = "all" if entry.gpus is None else list(entry.gpus)
    if not entry.profiles:
        return {"devices": devices, "mig-enabled": False}
    return {"devices": devices, "mig-enabled": True, "mig-devices": dict(entry.profiles)}
