"""NFD's settings in a values file, wherever they stand: in its own chart's, or under the subchart of an operator's.

Values are taken as Helm takes them: what the file says over what the chart has by default. Keys of the daemons' files are
found whatever their case, as the daemons find them.
"""

from collections.abc import Iterator, Mapping, Sequence

from genvalues import contracts
from genvalues.contracts.contract import Contract
from genvalues.facts.version import same_or_newer
from genvalues.finding import Json, Route
from genvalues.record import NamedTuple
from genvalues.rules import nfd_catalogue
from genvalues.rules.nfd_catalogue import CHART
from genvalues.rules.nfd_publish import Master
from genvalues.rules.rule import Body

# Defaults of the worker itself (source/pci/pci.go).
PCI_CLASSES = ("03", "0b40", "12")
PCI_FIELDS = ("class", "vendor")

_BUNDLING = ("gpu-operator", "network-operator")  # charts that bring NFD along, under its own name, on by nfd.enabled

_FIRST_BARE = (
    "0.18.0"  # with the gate DisableAutoPrefix names without a namespace are published as they are from here on
)


class Nfd(NamedTuple):
    """The NFD of a values file. `base` is where its values begin in the file, `values` what the file says there.

    `contract` is that of the file's chart.
    """

    body: Body
    base: Route
    values: Mapping[str, Json]
    contract: Contract

    @property
    def version(self) -> str:
        """The version of NFD; the newest known for the Network Operator's, which is a copy without a version."""
        return nfd_catalogue.version(self.body.chart)

    def stated(self, *steps: str) -> tuple[Route, Json] | None:
        """The place of a setting in the file, and its value; None where the file does not say it."""
        node: Json = self.values
        route = self.base
        for step in steps:
            # In the daemons' files, but for the names of sources, which are keys of a map (sourcesConfig.UnmarshalJSON).
            found = _key(node, step, folded="config" in route and route[-1] != "sources")
            if found is None:
                return None
            node, route = node[found], (*route, found)
        return route, node

    def get(self, *steps: str) -> Json:
        """The effective value of a setting: the file's, else the chart's; None where neither has one."""
        said = self.stated(*steps)
        return said[1] if said is not None else self.default(*steps)

    def default(self, *steps: str) -> Json:
        """The chart's own value of a setting."""
        return self.contract.default((*self.base, *steps))

    def at(self, *steps: str) -> Route:
        """Where a setting stands in the file, or would stand."""
        said = self.stated(*steps)
        return said[0] if said is not None else (*self.base, *steps)

    def texts(self, *steps: str) -> tuple[str, ...] | None:
        """The effective value of a list of texts; None where there is none, or it is no such list."""
        value = self.get(*steps)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return None
        return tuple(value)

    def since(self, version: str) -> bool:
        """Whether this NFD is that version or newer."""
        return same_or_newer(self.version, version) is True


def nfd(body: Body) -> Nfd | None:
    """The NFD that a values file installs; None where it installs none, or its chart is not known."""
    if body.kind != "values" or body.chart is None or not isinstance(body.data, Mapping):
        return None
    if body.chart.name != CHART and (body.chart.name not in _BUNDLING or _is_off(body.data)):
        return None
    contract = contracts.load(body.chart.name, body.chart.version)
    if contract is None:
        return None
    if body.chart.name == CHART:
        return Nfd(body, (), body.data, contract)
    inner = body.data.get(CHART)
    return Nfd(body, (CHART,), inner if isinstance(inner, Mapping) else {}, contract)


def _is_off(values: Mapping[str, Json]) -> bool:
    """Whether the values of an operator's chart switch its NFD off, which is on by default in all versions."""
    switch = values.get("nfd")
    return isinstance(switch, Mapping) and switch.get("enabled") in (False, "", 0)


def every(bodies: Sequence[Body]) -> Iterator[Nfd]:
    """The NFDs that several values files install."""
    return (found for body in bodies if (found := nfd(body)) is not None)


def governing(bodies: Sequence[Body]) -> Nfd | None:
    """The NFD that stays where there are two: the stand-alone one, else the first."""
    found = list(every(bodies))
    return next((one for one in found if not one.base), found[0] if found else None)


def label_list(found: Nfd, name: str) -> tuple[tuple[str, ...], Route | None]:
    """The effective extraLabelNs or denyLabelNs of nfd-master, and where the file says it.

    The chart makes a flag of master.<name>, and the flag takes the place of the list in the daemon's file.
    """
    flag = found.texts("master", name)
    steps = ("master", name) if flag else ("master", "config", name)
    said = found.stated(*steps)
    return flag or found.texts(*steps) or (), said[0] if said is not None else None


def master(found: Nfd) -> Master:
    """What nfd-master does with labels."""
    white_list = found.get("master", "config", "labelWhiteList")
    prefixes = found.get("featureGates", "DisableAutoPrefix") is not True
    automatic = found.get("master", "config", "autoDefaultNs") is not False
    return Master(
        extra=label_list(found, "extraLabelNs")[0],
        denied=label_list(found, "denyLabelNs")[0],
        white_list=white_list if isinstance(white_list, str) and white_list else None,
        disabled=found.get("master", "config", "restrictions", "disableLabels") is True,
        prefixes=prefixes and automatic,
        bare=not prefixes and found.since(_FIRST_BARE),
    )


def sources(found: Nfd, name: str, known: frozenset[str]) -> tuple[frozenset[str], Route | None]:
    """The sources that core.featureSources or core.labelSources switches on, and where the file says so.

    The worker goes through the list: `all` stands for all, `-name` takes one away again (nfd-worker, configureCore).
    """
    said = found.stated("worker", "config", "core", name)
    if name == "labelSources":
        said = found.stated("worker", "config", "core", "sources") or said  # the older name, which wins
    names = said[1] if said is not None else found.default("worker", "config", "core", name)
    if not isinstance(names, list):
        return known, None
    on: set[str] = set()
    for item in names:
        if item == "all":
            on |= known
        elif isinstance(item, str):
            on = on - {item[1:]} if item.startswith("-") else on | {item}
    return frozenset(on), said[0] if said is not None else None


def _key(node: Json, step: str, *, folded: bool) -> str | None:
    """The key of a map that a step means; `folded`: whatever its case."""
    if not isinstance(node, Mapping):
        return None
    if step in node:
        return step
    return next((key for key in node if key.lower() == step.lower()), None) if folded else None
