"""Judgements on the names of features and their attributes, against what a version of NFD discovers."""

from collections.abc import Mapping

from genvalues import contracts
from genvalues.document import Chart
from genvalues.facts import Facts
from genvalues.facts.kinds import NfdFeature
from genvalues.wording import nearest, quoted

CHART = "node-feature-discovery"

# Domains that people take for features, and where to find what they look for (node-feature-discovery-operator#268).
_ELSEWHERE = {
    "kubernetes": "feature: system.name with nodename is the name of the node; NFD sees no labels of others",
    "node": "feature: system.name with nodename is the name of the node; NFD sees no labels of others",
    "gpu": 'feature: pci.device with vendor: {op: In, value: ["10de"]}',
}

# Source of made-up features that upstream tests with; off unless it is asked for.
_FAKE = "fake"


def version(chart: Chart | None) -> str:
    """The version of NFD that a chart installs: its own, that of its subchart; the newest known for no chart."""
    if chart is not None and chart.name == CHART:
        return chart.version
    if chart is not None:
        contract = contracts.load(chart.name, chart.version)
        if contract is not None and CHART in contract.subcharts:
            return contract.subcharts[CHART].contract.version
    return contracts.known()[CHART][-1]


def features(chart: Chart | None, facts: Facts) -> Mapping[str, NfdFeature]:
    """What that NFD discovers, by name; none where its version is not known."""
    return facts.nfd_features(version(chart))


def feature_fault(name: str, known: Mapping[str, NfdFeature], facts: Facts) -> tuple[str, str] | None:
    """That NFD discovers no feature of that name, and what to write; None where it does, or another program may.

    Names are compared in lower case. Domains that NFD itself has not may come from NodeFeature objects of others.
    """
    wanted = name.lower()
    if not known or wanted in known:
        return None
    domain, dot, _ = wanted.partition(".")
    if not dot:
        of_domain = [one for one in known if one.startswith(f"{wanted}.")]
        fix = " or ".join(f"feature: {one}" for one in of_domain[:3]) or "feature: pci.device"
        return f"{quoted(name)} is no feature: a feature is written as domain.feature", fix
    later = facts.nfd_features(contracts.known()[CHART][-1])
    if wanted in later:
        return f"this NFD does not discover {name} yet", _since(wanted, facts)
    if domain in _ELSEWHERE:
        return f"NFD discovers no feature {name}", _ELSEWHERE[domain]
    close = nearest(wanted, known)
    if domain == _FAKE or (close is None and domain not in domains(known)):
        return None
    others = [one for one in known if one == close or (close is None and one.startswith(f"{domain}."))]
    fix = " or ".join(f"feature: {one}" for one in others)
    return f"NFD discovers no feature {name}, so that nothing ever matches", fix


def attribute_fault(feature: NfdFeature, name: str, facts: Facts) -> tuple[str, str] | None:
    """That a feature has no attribute of that name, and which to write; None where it has, or may have, it."""
    if feature.name == "kernel.config" and name.startswith("CONFIG_"):
        return f"{name} is written without CONFIG_ here", name.removeprefix("CONFIG_")
    if feature.name == "kernel.loadedmodule" and "-" in name:
        why = f"/proc/modules, which {feature.name} is read from, has no '-' in the names of modules"
        return why, name.replace("-", "_")
    if feature.open or name in feature.attributes:
        return None
    close = nearest(name, feature.attributes)
    newest = facts.nfd_features(contracts.known()[CHART][-1]).get(feature.name)
    if newest is not None and name in newest.attributes:
        return f"this NFD has no {name} in {feature.name} yet", close or feature.attributes[0]
    why = f"{feature.name} has no attribute {name}, so that no node ever has it"
    return why, close or " or ".join(feature.attributes)


def reference_fault(value: str, known: Mapping[str, NfdFeature], facts: Facts) -> tuple[str, str] | None:
    """Why nfd-master cannot put a value in the place of `@domain.feature.attribute`, and what to write; None where it may.

    Only features with attributes can be referred to (nfd-master, getDynamicValue).
    """
    parts = value.removeprefix("@").split(".", 2)
    if len(parts) < 3 or not all(parts):
        return f"{quoted(value)} is no reference: it is written as @domain.feature.attribute", '"@system.name.nodename"'
    name, attribute = f"{parts[0]}.{parts[1]}", parts[2]
    feature = known.get(name)
    if feature is None:
        # Unlike a matcher's, the name of a reference is looked up as it is written.
        if name.lower() in known:
            why = f"{quoted(value)} does not resolve: features of references are looked up as they are written"
            return why, value.replace(name, name.lower(), 1)
        missing = feature_fault(name, known, facts)
        return None if missing is None else (f"{quoted(value)} does not resolve: {missing[0]}", missing[1])
    if feature.type != "attribute":
        has = "flags" if feature.type == "flag" else "devices"
        return (
            f"{quoted(value)} does not resolve: {name} has {has}, and only attributes can be referred to",
            "labelsTemplate, which sees what the rule matches",
        )
    wrong = attribute_fault(feature, attribute, facts)
    return None if wrong is None else (f"{quoted(value)} does not resolve: {wrong[0]}", f"@{name}.{wrong[1]}")


def domains(known: Mapping[str, NfdFeature]) -> frozenset[str]:
    """The first parts of the features' names, which are also the names of NFD's sources."""
    return frozenset(name.partition(".")[0] for name in known)


def _since(feature: str, facts: Facts) -> str:
    first = next(one for one in contracts.known()[CHART] if feature in facts.nfd_features(one))
    return f"it needs NFD {first} or newer"
