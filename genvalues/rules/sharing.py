"""Rules about sharing configs: which there are, who uses them, and what time-slicing and MPS can do on the pool's GPUs."""

from collections.abc import Iterator, Mapping, Sequence

from genvalues.facts import Facts
from genvalues.facts.kinds import Gpu
from genvalues.facts.product import GPU
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.model import SharingConfig
from genvalues.plan.kinds import PoolPlan
from genvalues.plan.sharing import MIG_OFF, WHOLE, mig_strategy
from genvalues.rules import sharing_files, sharing_names, sharing_values
from genvalues.rules.driver_support import model_route
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed, nearest, quoted

_MPS_WINS = "timeSlicing and mps stand side by side: the device plugin takes mps, and drops timeSlicing without a word"

# Start of the control daemon (k8s-device-plugin, cmd/mps-control-daemon/mps/device.go), and k8s-device-plugin#647 on Pascal.
_MPS_CLIENTS = (((7, 5), 48), ((7, 0), 16))


@rule("GV300", "error", "Sharing config that does not exist")
def unknown_config(case: Case) -> Iterator[Hit]:
    for pool in case.plan.pools:
        if pool.sharing.known:
            continue
        name, names = pool.sharing.name.value, [WHOLE, *case.site.sharing]
        near = nearest(name, names)
        known = f"there are {listed(case.site.sharing, 'and')}" if case.site.sharing else "the site defines none"
        yield Hit(
            pool.pool.at.route("sharing"),
            f"there is no sharing config {quoted(name)}: {known}, and the word {WHOLE}",
            f"sharing: {near}" if near is not None else f"define it: sharing: {{configs: {{{name}: ...}}}}",
            pools=(pool.name,),
        )


@rule("GV301", "warning", "Sharing config that no pool uses")
def unused_config(case: Case) -> Iterator[Hit]:
    used = {pool.sharing.name.value for pool in case.plan.pools}
    meant = {nearest(name, case.site.sharing) for name in used if name not in case.site.sharing}
    for name, config in case.site.sharing.items():
        if name in used or name in meant or name in _reserved(config):
            continue
        yield Hit(
            config.route,
            f"no pool has the sharing config {name}, so it is written nowhere",
            f"sharing: {name} at a pool, or remove it",
            at="key",
        )


@rule("GV302", "error", "Sharing config with a reserved name")
def reserved_name(case: Case) -> Iterator[Hit]:
    for name, config in case.site.sharing.items():
        if name in _reserved(config):
            what = (
                "GPUs that are not shared" if name == WHOLE else "nodes whose MIG is off, which the operator asks for"
            )
            yield Hit(config.route, f"{name} is the reserved name of {what}", f"call it shared-{name}", at="key")


def _reserved(config: SharingConfig) -> tuple[str, ...]:
    """A MIG config shares the ConfigMap with the one that the operator asks for by default."""
    return (WHOLE, MIG_OFF) if config.mig is not None else (WHOLE,)


def _both_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    sharing = body.data.get("sharing") if isinstance(body.data, Mapping) else None
    if isinstance(sharing, Mapping) and sharing.get("timeSlicing") is not None and sharing.get("mps") is not None:
        beside = ((("sharing", "mps"), "mps here"),)
        yield Hit(("sharing", "timeSlicing"), _MPS_WINS, "remove timeSlicing, or mps", beside, at="key")


@rule("GV303", "error", "Time-slicing and MPS in one config", files={"device-plugin": _both_in_file})
def one_way(case: Case) -> Iterator[Hit]:
    for config in case.site.sharing.values():
        if config.time_slicing is not None and config.mps is not None:
            beside = (((*config.route, "mps"), "mps here"),)
            yield Hit((*config.route, "timeSlicing"), _MPS_WINS, "remove timeSlicing, or mps", beside, at="key")


@rule("GV304", "error", "MPS on GPUs that are split by MIG")
def mps_with_mig(case: Case) -> Iterator[Hit]:
    for config in case.site.sharing.values():
        if config.mps is not None and config.mig is not None:
            yield Hit(
                (*config.route, "mps"),
                "the device plugin refuses MPS on MIG devices, and GPU feature discovery ends in an error",
                f"timeSlicing: {{replicas: {config.mps.replicas}}} instead, or remove mig",
                (((*config.route, "mig"), "MIG here"),),
                at="key",
            )


def _mps_beside_mixed(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """The operator hands its mig.strategy to every device plugin; what a config says itself does not count."""
    values = [body for body in bodies if body.kind == "values" and node_at(body.data, ("mig", "strategy")) == "mixed"]
    for body in bodies if values else ():
        if body.kind == "device-plugin" and node_at(body.data, ("sharing", "mps")) is not None:
            hit = Hit(("sharing", "mps"), _MIXED, "timeSlicing instead of mps, or mig.strategy: single", at="key")
            yield body, hit


_MIXED = (
    "the device plugin does not start with MPS under MIG strategy mixed, and the operator has one strategy for the whole "
    "cluster"
)


@rule("GV305", "error", "MPS in a cluster with MIG strategy mixed", across=_mps_beside_mixed)
def mps_beside_mixed(case: Case) -> Iterator[Hit]:
    mixed = next((config for config in case.plan.sharing.mig if mig_strategy(config) == "mixed"), None)
    for config in case.plan.sharing.device_plugin if mixed is not None else ():
        if config.mps is None or config.mig is not None or mixed is None:
            continue
        yield Hit(
            (*config.route, "mps"),
            _MIXED,
            f"timeSlicing: {{replicas: {config.mps.replicas}}} instead, or strategy: single for {mixed.name}",
            (((*mixed.route, "mig"), "strategy mixed here"),),
            at="key",
        )


@rule("GV306", "error", "Time-slicing without replicas, or with two kinds")
def replicas_once(case: Case) -> Iterator[Hit]:
    for config in case.site.sharing.values():
        slicing = config.time_slicing
        if slicing is None or config.mps is not None or (slicing.replicas is None) != (not slicing.resources):
            continue
        route: Route = (*config.route, "timeSlicing")
        if slicing.replicas is None:
            yield Hit(route, f"{config.name} does not say into how many copies", "replicas: 4", at="key")
        else:
            yield Hit(
                (*route, "replicas"),
                f"resources says which resources are shared, so that replicas: {slicing.replicas} is not looked at",
                "remove replicas, or resources",
                (((*route, "resources"), "resources here"),),
                at="key",
            )


def mps_clients(gpu: Gpu) -> int:
    """How many clients the MPS daemon takes on a GPU; 0 where it does not work."""
    return next((limit for least, limit in _MPS_CLIENTS if gpu.compute_capability >= least), 0)


def _clients_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    """A file does not tell the GPU: what is too many for every one."""
    most = max(limit for _, limit in _MPS_CLIENTS)
    for route, _name in sharing_files.shared_resources(body.data):
        replicas = node_at(body.data, (*route, "replicas"))
        if str(route[1]).lower() == "mps" and isinstance(replicas, int) and replicas > most:
            yield Hit(
                (*route, "replicas"),
                f"the MPS daemon takes {most} clients on a GPU at most, on Volta 16, and not {replicas}: it does not start",
                f"replicas: {most}",
            )


@rule("GV308", "error", "More MPS clients than the GPU takes", files={"device-plugin": _clients_in_file})
def mps_limit(case: Case) -> Iterator[Hit]:
    for pool, config in _shared(case):
        gpu = pool.gpu
        if config.mps is None or config.mig is not None or gpu is None or config.mps.replicas <= mps_clients(gpu):
            continue
        most = mps_clients(gpu)
        yield Hit(
            (*config.route, "mps", "replicas"),
            f"the MPS daemon takes {most} clients on {gpu.display}, not {config.mps.replicas}: it does not start"
            if most
            else f"{gpu.display} is too old for MPS under the device plugin",
            f"replicas: {most}" if most else "timeSlicing instead of mps",
            ((model_route(pool), f"the GPU of pool {pool.name}"),),
            pools=(pool.name,),
        )


@rule("GV309", "warning", "Selector on a product label that sharing changes")
def product_selected(case: Case) -> Iterator[Hit]:
    """Only where something selects on it: that a label changes is no fault in itself."""
    changed = {
        pool.gpu.product: pool
        for pool in case.plan.pools
        if pool.gpu is not None
        and pool.gpu.product is not None
        and pool.sharing.product not in (None, pool.gpu.product)
    }
    still = {pool.sharing.product for pool in case.plan.pools}
    for route, value in _selected(dict(case.site.overrides), ("overrides",)) if changed else ():
        pool = changed.get(value)
        if pool is not None and value not in still:
            yield Hit(
                route,
                f"no node has the product label {value}: as pool {pool.name} shares its GPUs, its nodes have "
                f"{pool.sharing.product}",
                f"nvidia.com/gpu.product: {pool.sharing.product}",
                ((pool.sharing.name.why.routes[0], f"the sharing config of pool {pool.name}"),),
            )


def _selected(node: Json, route: Route) -> Iterator[tuple[Route, str]]:
    """Every value that is asked of the label nvidia.com/gpu.product below a node, by map or by expression."""
    if isinstance(node, Mapping):
        if node.get("key") == f"{GPU}.product" and isinstance(node.get("values"), list):
            for position, value in enumerate(node["values"]):
                if isinstance(value, str):
                    yield (*route, "values", position), value
        for name, below in node.items():
            if name == f"{GPU}.product" and isinstance(below, str):
                yield (*route, name), below
            else:
                yield from _selected(below, (*route, name))
    elif isinstance(node, list):
        for position, below in enumerate(node):
            yield from _selected(below, (*route, position))


def _shared(case: Case) -> Iterator[tuple[PoolPlan, SharingConfig]]:
    return ((pool, pool.sharing.config) for pool in case.plan.pools if pool.sharing.config is not None)


RULES: tuple[Rule, ...] = (
    unknown_config,
    unused_config,
    reserved_name,
    one_way,
    mps_with_mig,
    mps_beside_mixed,
    replicas_once,
    mps_limit,
    product_selected,
    *sharing_names.RULES,
    *sharing_files.RULES,
    *sharing_values.RULES,
)
