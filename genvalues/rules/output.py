"""Rules over what is rendered: chart values against the contract, and references between files."""

from collections.abc import Iterator, Sequence

from genvalues.contracts.contract import VERDICT_CODES
from genvalues.facts import Facts
from genvalues.finding import Hit, Route, Verdict, node_at
from genvalues.rules.rule import Body, Rule
from genvalues.wording import nearest

_TITLES: dict[Verdict, str] = {
    "ignored": "A chart value that no template reads",
    "inert": "A chart value that another setting switches off",
    "pruned": "A chart value that the CRD drops",
    "refused": "A chart value that helm, the API server or the component refuses",
    "mistyped": "A chart value of a type that Go reads otherwise",
    "undocumented": "A chart value that works but stands in no values.yaml",
}

BY_VERDICT: dict[Verdict, Rule] = {
    verdict: Rule(code, severity, _TITLES[verdict], "0.1.0") for verdict, (code, severity) in VERDICT_CODES.items()
}
"""The rule of each verdict of a chart contract; `judge` runs the contract once for all of them."""

# Where a document names a ConfigMap: (kind of document, route of the name, whether the key below matters).
_CONFIG_MAP_NAMES: tuple[tuple[str, Route], ...] = (
    ("values", ("devicePlugin", "config", "name")),
    ("values", ("migManager", "config", "name")),
    ("values", ("dcgmExporter", "config", "name")),
    ("values", ("driver", "kernelModuleConfig", "name")),
    ("values", ("driver", "repoConfig", "configMapName")),
    ("values", ("driver", "certConfig", "name")),
    ("cluster-policy", ("spec", "devicePlugin", "config", "name")),
    ("cluster-policy", ("spec", "migManager", "config", "name")),
    ("cluster-policy", ("spec", "dcgmExporter", "config", "name")),
    ("nvidia-driver", ("spec", "kernelModuleConfig", "name")),
    ("nvidia-driver", ("spec", "repoConfig", "name")),
    ("nvidia-driver", ("spec", "certConfig", "name")),
)

# Keys that the reader of a ConfigMap insists on (gpu-operator assets: the mounts of mig-manager and dcgm-exporter).
_REQUIRED_KEYS: dict[Route, str] = {
    ("migManager", "config", "name"): "config.yaml",
    ("dcgmExporter", "config", "name"): "dcgm-metrics.csv",
}

# ConfigMaps that the operator or mig-manager makes itself.
_OPERATORS_OWN = frozenset({"default-mig-parted-config", "default-gpu-clients"})


def references(body: Body) -> Iterator[tuple[Route, str]]:
    """The names of ConfigMaps that a body gives, with their routes; not of those that the chart or the operator makes."""
    for kind, route in _CONFIG_MAP_NAMES:
        name = node_at(body.data, route) if body.kind == kind else None
        made = kind == "values" and node_at(body.data, (*route[:-1], "create")) is True
        if isinstance(name, str) and name and name not in _OPERATORS_OWN and not made:
            yield route, name


def _config_maps_exist(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Every ConfigMap that is referred to is there, where its reader looks, and has the key that the reader mounts."""
    maps = {body.data["metadata"]["name"]: body.data for body in bodies if body.kind == "config-map"}
    for body in bodies:
        for route, name in references(body):
            key = _REQUIRED_KEYS.get(route if body.kind == "values" else route[1:])
            namespace = maps[name]["metadata"].get("namespace") if name in maps else None
            if name not in maps:
                known = ", ".join(sorted(maps)) or "none"
                meant = nearest(name, list(maps)) or (next(iter(maps)) if len(maps) == 1 else None)
                fix = f"{route[-1]}: {meant}" if meant else "the name of one that there is"
                yield body, Hit(route, f"no ConfigMap is called {name!r}; there are: {known}", fix)
            elif namespace and body.namespace and namespace != body.namespace:
                said = f"ConfigMap {name!r} is in namespace {namespace}, and the operator's pods in {body.namespace} read none of it"
                yield body, Hit(route, said, f"namespace: {body.namespace} in the ConfigMap")
            elif key is not None and key not in maps[name].get("data", {}):
                said = f"ConfigMap {name!r} has no key {key!r}, the only one that is read"
                yield body, Hit(route, said, f"add the key {key}")


def _default_is_a_key(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """devicePlugin.config.default is a key of the ConfigMap; that there is none at all is GV331's business."""
    maps = {body.data["metadata"]["name"]: body.data for body in bodies if body.kind == "config-map"}
    for body in bodies:
        above: Route = ("spec",) if body.kind == "cluster-policy" else ()
        config = node_at(body.data, (*above, "devicePlugin", "config"))
        if body.kind not in ("values", "cluster-policy") or not isinstance(config, dict):
            continue
        keys = maps.get(str(config.get("name")), {}).get("data")
        if keys and config.get("default") and config["default"] not in keys:
            text = f"the default {config['default']!r} is no key of ConfigMap {config['name']!r}: {', '.join(keys)}"
            yield body, Hit((*above, "devicePlugin", "config", "default"), text, f"default: {next(iter(keys))}")


CONFIG_MAPS_EXIST = Rule(
    "GV910", "error", "A reference to a ConfigMap that is not there", "0.1.0", across=_config_maps_exist
)
DEFAULT_IS_A_KEY = Rule(
    "GV911",
    "error",
    "A default device-plugin config that is no key of its ConfigMap",
    "0.1.0",
    across=_default_is_a_key,
)

KUBECONFORM = Rule("GV930", "error", "A manifest that kubeconform refuses", "0.1.0")

_DRIFTS = (
    ("GV940", "A rendered file that is missing"),
    ("GV941", "A rendered file that is not what the site renders to"),
    ("GV942", "A rendered file that the site no longer renders to"),
    ("GV943", "A rendered file that was edited by hand"),
)

DRIFTS = tuple(Rule(code, "error", title, "0.1.0") for code, title in _DRIFTS)
"""What `render --check` finds; `tree.diff` tells them apart."""

RULES = (*BY_VERDICT.values(), CONFIG_MAPS_EXIST, DEFAULT_IS_A_KEY, KUBECONFORM, *DRIFTS)
