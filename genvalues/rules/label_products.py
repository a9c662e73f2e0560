"""Rules about selectors on what GPU feature discovery says of a GPU: its product and its family.

A selector on a value that no GPU reports selects nothing, and its pods stay Pending.
"""

from collections.abc import Iterator, Mapping

from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.facts.product import family, sanitised
from genvalues.finding import Hit, Json, Route
from genvalues.rules.rule import Body, Rule
from genvalues.wording import listed, nearest, quoted

_SINCE = "0.1.0"

PRODUCT = "nvidia.com/gpu.product"
FAMILY = "nvidia.com/gpu.family"

_KINDS: tuple[Kind, ...] = ("nvidia-driver", "values", "cluster-policy")
_BLACKWELL = (10, 0)
_MORE_FAMILIES = ("kepler", "maxwell", "pascal", "rubin", "undefined")  # getArchFamily; no GPU of the facts is of these


def selected(node: Json, key: str, route: Route = ()) -> Iterator[tuple[Route, str]]:
    """Every place below a node that selects on a label, with the value: node selectors, and terms of affinities."""
    if isinstance(node, Mapping):
        if isinstance(node.get(key), str):
            yield (*route, key), node[key]
        if node.get("key") == key and node.get("operator") in ("In", "NotIn") and isinstance(node.get("values"), list):
            for index, value in enumerate(node["values"]):
                if isinstance(value, str):
                    yield (*route, "values", index), value
        for step, below in node.items():
            yield from selected(below, key, (*route, step))
    elif isinstance(node, list):
        for index, below in enumerate(node):
            yield from selected(below, key, (*route, index))


def product_fault(value: str, facts: Facts) -> tuple[str, tuple[str, ...]] | None:
    """Why no GPU reports a product, and what those reported that are meant; None where one does, or it is not known.

    The facts know many GPUs and not all: a name is held against them only where it is certainly a slip for one of them.
    """
    base, mig, profile = value.removesuffix("-SHARED").partition("-MIG-")
    sharing = "-SHARED" if value.endswith("-SHARED") else ""
    if (gpus := facts.gpus_by_product(base)) != ():
        models = [model for gpu in gpus if gpu.mig_model and (model := facts.mig_model(gpu.mig_model)) is not None]
        profiles = {sanitised(one.name): one.name for model in models for one in model.profiles}
        if not mig or profile == "INVALID" or not profiles or profile in profiles:
            return None
        size = profile.partition(".")[0]
        alike = [one for one in sorted(profiles, key=len) if one.partition(".")[0] == size]
        right = tuple(f"{base}-MIG-{one}{sharing}" for one in alike[:1] or list(profiles)[:3])
        return f"{base} has no MIG profile {profile}", right
    meant = facts.wrong_product_labels().get(base) or _alike(base, facts)
    if not meant:
        return None
    return f"no driver reports a GPU as {base}", tuple(f"{one}{mig}{profile}{sharing}" for one in meant)


def _alike(product: str, facts: Facts) -> tuple[str, ...]:
    """Products that differ from a name in case and punctuation only, or in the maker's name before it."""
    wanted = _bare(product)
    gpus = [gpu for key in facts.gpu_keys() if (gpu := facts.gpu(key)) is not None and gpu.product is not None]
    alike = [gpu for gpu in gpus if wanted in (_bare(gpu.product or ""), _bare(gpu.key), _bare(gpu.display))]
    return tuple(dict.fromkeys(gpu.product for gpu in alike if gpu.product is not None))


def _bare(name: str) -> str:
    letters = "".join(c for c in name.lower() if c.isalnum())
    return letters.removeprefix("nvidia").removeprefix("tesla")


def _products(body: Body, facts: Facts) -> Iterator[Hit]:
    for route, value in selected(body.data, PRODUCT):
        wrong = product_fault(value, facts)
        if wrong is not None:
            yield Hit(route, f"{quoted(value)} selects nothing: {wrong[0]}", f"{PRODUCT}: {listed(wrong[1])}")


def families(facts: Facts) -> frozenset[str]:
    """The families that GPU feature discovery may report, with any device plugin."""
    newest = facts.operator_release(facts.operator_versions()[-1])
    plugin = newest.components.get("device_plugin", "") if newest is not None else ""
    gpus = (facts.gpu(key) for key in facts.gpu_keys())
    found = {family(gpu.compute_capability, plugin) for gpu in gpus if gpu is not None}
    return frozenset((*found, *_MORE_FAMILIES))


def _families(body: Body, facts: Facts) -> Iterator[Hit]:
    found = list(selected(body.data, FAMILY))
    known = families(facts) if found else frozenset()
    for route, value in found:
        if value not in known:
            close = "ada-lovelace" if value.startswith("ada") else nearest(value, known)
            why = f"{quoted(value)} selects nothing: GPU feature discovery reports no such family"
            yield Hit(route, why, f"{FAMILY}: {close or listed(sorted(known - {'undefined'}))}")


def _undefined(body: Body, facts: Facts) -> Iterator[Hit]:
    release = body.release(facts)
    plugin = release.components.get("device_plugin") if release is not None else None
    if release is None or plugin is None or family(_BLACKWELL, plugin) == "blackwell":
        return
    for route, value in selected(body.data, FAMILY):
        if value == "blackwell":
            yield Hit(
                route,
                f"the device plugin {plugin} of GPU Operator {release.version} reports Blackwell GPUs as undefined",
                f'{PRODUCT}: ..., or nvidia.com/gpu.compute.major: "10"',
            )


RULES: tuple[Rule, ...] = (
    Rule("GV613", "error", "GPU product that no driver reports", _SINCE, files=dict.fromkeys(_KINDS, _products)),
    Rule("GV614", "error", "GPU family that does not exist", _SINCE, files=dict.fromkeys(_KINDS, _families)),
    Rule(
        "GV615",
        "warning",
        "GPU family that this device plugin does not know",
        _SINCE,
        files=dict.fromkeys(_KINDS, _undefined),
    ),
)
