"""Rules about the resources that a sharing config names: whether a node has them, or could."""

import re
from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.product import GPU, mig_resource
from genvalues.finding import Hit
from genvalues.model import SharingConfig
from genvalues.plan.sharing import unshared
from genvalues.rules.mig_parted import models
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.rules.sharing_files import shared_resources
from genvalues.wording import key, listed, nearest

_MIG = "nvidia.com/mig-"


def bare(name: str) -> str:
    """A resource as sharing configs name it, from other ways to write it: without .shared, with nvidia.com/, + as a dot."""
    name = name.removesuffix(".shared").replace("+", ".")
    last = name.rpartition("/")[2]
    if re.match(r"[1-9][0-9]*g\.", last):
        return _MIG + last
    return "nvidia.com/" + last


def _no_such_resource(body: Body, facts: Facts) -> Iterator[Hit]:
    """What no node can have: neither nvidia.com/gpu nor a MIG profile of any GPU that is known."""
    for route, name in shared_resources(body.data):
        full = name if "/" in name else f"nvidia.com/{name}"
        if full == GPU or not _well_formed(full) or _is_mig(full, facts):
            continue
        better = bare(full)
        known = better == GPU or _is_mig(better, facts)
        yield Hit(
            (*route, "name"),
            f"no node has a resource {full}, and the device plugin passes over it without a word",
            f"name: {better}" if known else f"name: {GPU}, or {_MIG} and a profile of the GPU",
        )


def _well_formed(name: str) -> bool:
    """Others are refused by the plugin, and reported as such."""
    return len(name) <= 63 and re.fullmatch(r"nvidia\.com/[a-z0-9]([-a-z0-9.]*[a-z0-9])?", name) is not None


def _is_mig(name: str, facts: Facts) -> bool:
    if not name.startswith(_MIG):
        return False
    return any(name == mig_resource(profile.name) for model in models(facts) for profile in model.profiles)


@rule("GV307", "error", "Replicas of a resource that no node has", files={"device-plugin": _no_such_resource})
def no_such_resource(case: Case) -> Iterator[Hit]:
    for config, exposed in _named(case):
        every = tuple(dict.fromkeys(name for names in exposed.values() for name in names))
        for name in config.time_slicing.resources if config.time_slicing else ():
            if name in every or not every:
                continue
            better = bare(name) if bare(name) in every else nearest(name, every)
            pools = listed(exposed, "and")
            yield Hit(
                (*config.route, "timeSlicing", "resources", name),
                f"nodes of {pools} have no resource {name}: they have {listed(every, 'and')}, and {name} is passed over "
                "without a word",
                f"{key(better)}: {config.time_slicing.resources[name]}"
                if better and config.time_slicing
                else f"name {listed(every)}",
                at="key",
                pools=tuple(exposed),
            )


@rule("GV311", "warning", "Pool on which its sharing config shares nothing")
def shares_nothing(case: Case) -> Iterator[Hit]:
    for config, exposed in _named(case):
        named = config.time_slicing.resources if config.time_slicing else {}
        for name, resources in exposed.items():
            pool = case.site.pool(name)
            some = any(resource in named for names in exposed.values() for resource in names)
            if pool is None or not some or not resources or any(resource in named for resource in resources):
                continue
            yield Hit(
                pool.at.route("sharing"),
                f"{config.name} shares {listed(named, 'and')}, and nodes of pool {name} have {listed(resources, 'and')}",
                f"add {key(resources[0])}: 4 to its resources, or sharing: whole",
                (((*config.route, "timeSlicing", "resources"), "the resources that it shares"),),
                pools=(name,),
            )


def _named(case: Case) -> Iterator[tuple[SharingConfig, Mapping[str, tuple[str, ...]]]]:
    """Configs that name resources, with those of each pool that uses them."""
    for config in case.plan.sharing.device_plugin:
        if config.mps is not None or config.time_slicing is None or not config.time_slicing.resources:
            continue
        yield (
            config,
            {
                pool.name: unshared(config, pool.pool.gpu.per_node)
                for pool in case.plan.pools
                if pool.sharing.config is config
            },
        )


RULES: tuple[Rule, ...] = (no_such_resource, shares_nothing)
