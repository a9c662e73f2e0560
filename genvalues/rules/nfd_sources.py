"""Rules about what NFD's worker looks at and publishes: its sources, white lists and switches."""

from collections.abc import Collection, Iterator, Sequence

from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route
from genvalues.rules import nfd_catalogue, nfd_values
from genvalues.rules.nfd_publish import passes
from genvalues.rules.node_feature import terms
from genvalues.rules.node_feature_matchers import pattern_fault
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Rule
from genvalues.wording import inline, listed, nearest, quoted

_SINCE = "0.1.0"

# Sources that discover no features of their own beside those that the catalogue knows (source/custom, source/fake).
_MORE_SOURCES = frozenset(("custom", "fake"))
_NO_SOURCES = frozenset(("rule",))  # rule.matched is nfd-master's
_FIELDS = ("class", "vendor", "device", "subsystem_vendor", "subsystem_device")

_WHITE_LISTS = (("worker", "config", "core", "labelWhiteList"), ("master", "config", "labelWhiteList"))
_GPU = "pci-10de.present"
_KERNEL = "kernel-version.full"


def every_source(body: Body, facts: Facts) -> frozenset[str]:
    """The names of the worker's sources; none where the version is not known."""
    known = nfd_catalogue.domains(nfd_catalogue.features(body.chart, facts))
    return (known - _NO_SOURCES) | _MORE_SOURCES if known else known


def _names(body: Body, facts: Facts) -> Iterator[Hit]:
    """Names that the worker passes over with a line in its log."""
    found, known = nfd_values.nfd(body), every_source(body, facts)
    if found is None or not known:
        return
    for setting in ("featureSources", "labelSources", "sources"):
        said = found.stated("worker", "config", "core", setting)
        yield from _unknown(said, {*known, "all"}, "a source of NFD")
    configured = found.stated("worker", "config", "sources")
    for name in configured[1] if configured is not None and isinstance(configured[1], dict) else ():
        if configured is not None and name not in known:
            close = nearest(name, known)
            why = f"{name} is none of NFD's sources, whose names are in lower case: its settings are passed over"
            yield Hit((*configured[0], name), why, f"{close}: ..." if close else f"remove {name}", at="key")
    fields = found.stated("worker", "config", "sources", "pci", "deviceLabelFields")
    yield from _unknown(fields, _FIELDS, "a field of PCI devices")
    kept_back = found.stated("worker", "config", "core", "noPublishFeatures")
    features = nfd_catalogue.features(body.chart, facts)
    yield from _unknown(kept_back, features, "a feature of NFD")


def _unknown(said: tuple[Route, Json] | None, names: Collection[str], what: str) -> Iterator[Hit]:
    entries = said[1] if said is not None and isinstance(said[1], list) else []
    for index, entry in enumerate(entries):
        bare = entry.removeprefix("-") if isinstance(entry, str) else None
        if said is None or bare is None or bare in names:
            continue
        close = nearest(bare, names)
        yield Hit(
            (*said[0], index),
            f"{quoted(entry)} is not {what}: the worker passes it over",
            f"- {close}" if close else f"- {listed(names)}",
        )


def _nothing(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    if found is None:
        return
    for steps, harmful, what in (
        (("worker", "enable"), False, "no worker runs, so that nothing is discovered"),
        (("master", "enable"), False, "no master runs, so that no node is labelled"),
        (("worker", "config", "core", "noPublish"), True, "the worker keeps all that it finds to itself"),
        (("master", "config", "noPublish"), True, "the master labels no node"),
        (("master", "config", "restrictions", "disableLabels"), True, "the master sets no label at all"),
    ):
        said = found.stated(*steps)
        if said is not None and said[1] is harmful:
            yield Hit(
                said[0],
                f"{what}: the GPU Operator finds no GPU, and waits in silence",
                f"{steps[-1]}: {inline(not harmful)}",
            )


def _features(body: Body, facts: Facts) -> Iterator[Hit]:
    found, known = nfd_values.nfd(body), every_source(body, facts)
    if found is None or not known:
        return
    on, route = nfd_values.sources(found, "featureSources", known)
    if "pci" not in on and route is not None:
        yield Hit(route, *_missing("pci"))
    kept_back = found.texts("worker", "config", "core", "noPublishFeatures") or ()
    if "pci.device" in kept_back:
        where = (*found.at("worker", "config", "core", "noPublishFeatures"), kept_back.index("pci.device"))
        yield Hit(
            where,
            "the worker does not publish pci.device, on which NodeFeatureRules match GPUs and adapters: none of them holds",
            'remove "pci.device"',
        )


def _missing(source: str) -> tuple[str, str]:
    return (
        f"the worker does not look at {source}: NodeFeatureRules that match on {source}.* hold on no node",
        f"featureSources: [all], or with {source} in the list",
    )


def _features_of_rules(bodies: Sequence[Body], facts: Facts) -> Iterator[tuple[Body, Hit]]:
    """Sources other than PCI, which the file by itself is judged for, that rules of the set match on."""
    wanted = {
        term.feature.lower().partition(".")[0] for body in bodies if body.kind == KIND for term in terms(body.data)
    }
    for found in nfd_values.every(bodies):
        known = every_source(found.body, facts)
        on, route = nfd_values.sources(found, "featureSources", known)
        for source in sorted((wanted & known) - on - {"pci"}):
            if route is not None:
                yield found.body, Hit(route, *_missing(source))


def _labels(body: Body, facts: Facts) -> Iterator[Hit]:
    found, known = nfd_values.nfd(body), every_source(body, facts)
    if found is None or not known:
        return
    on, route = nfd_values.sources(found, "labelSources", known)
    if "pci" not in on and route is not None:
        yield Hit(
            route,
            f"the worker makes no labels of source pci: {_GPU} is missing, and the GPU Operator finds no GPU",
            "labelSources: [all], or with pci in the list",
        )
    for steps in _WHITE_LISTS:
        pattern = found.get(*steps)
        if isinstance(pattern, str) and pattern_fault(pattern) is None and passes(pattern, _GPU) is False:
            yield Hit(
                found.at(*steps),
                f"labelWhiteList {inline(pattern)} is not found in {_GPU}: the label is dropped, and the GPU Operator finds no GPU",
                "remove labelWhiteList",
            )


def _driver_labels(body: Body, facts: Facts) -> Iterator[Hit]:
    """Labels that driver pods are chosen and named by: the kernel's version, and the operating system's."""
    found, known = nfd_values.nfd(body), every_source(body, facts)
    if found is None or not known:
        return
    on, route = nfd_values.sources(found, "labelSources", known)
    missing = sorted({"kernel", "system"} - on)
    if missing and route is not None and "pci" in on:
        yield Hit(
            route,
            f"the worker makes no labels of source {listed(missing, 'and')}: driver pods of the GPU and the Network Operator are "
            "chosen by kernel-version.full and system-os_release, and none would start",
            "labelSources: [all]; nothing to do where all drivers are the hosts' own",
        )
    for steps in _WHITE_LISTS:
        pattern = found.get(*steps)
        if isinstance(pattern, str) and passes(pattern, _KERNEL) is False and passes(pattern, _GPU) is not False:
            yield Hit(
                found.at(*steps),
                f"labelWhiteList {inline(pattern)} is not found in {_KERNEL}, by which driver pods are chosen",
                "remove labelWhiteList; nothing to do where all drivers are the hosts' own",
            )


def _patterns(body: Body, _: Facts) -> Iterator[Hit]:
    found = nfd_values.nfd(body)
    for steps in _WHITE_LISTS if found is not None else ():
        said = found.stated(*steps) if found is not None else None
        why = pattern_fault(said[1]) if said is not None and isinstance(said[1], str) else None
        if said is not None and why is not None:
            yield Hit(
                said[0],
                f"{quoted(said[1])} is no regular expression of RE2, and the daemon does not start with it: {why}",
                "remove labelWhiteList",
            )


RULES: tuple[Rule, ...] = (
    Rule("GV617", "error", "Name that NFD passes over", _SINCE, files={"values": _names}),
    Rule("GV628", "error", "NFD that labels no node", _SINCE, files={"values": _nothing}),
    Rule(
        "GV629",
        "error",
        "Features that rules match on and NFD does not look at",
        _SINCE,
        files={"values": _features},
        across=_features_of_rules,
    ),
    Rule("GV630", "error", "Label sources that hide GPUs", _SINCE, files={"values": _labels}),
    Rule("GV631", "warning", "Label sources that driver pods need", _SINCE, files={"values": _driver_labels}),
    Rule("GV633", "error", "White list that is no regular expression", _SINCE, files={"values": _patterns}),
)
