"""Rules about labels of NodeFeatureRules that nfd-master does not publish: they need its settings beside the rules."""

from collections.abc import Iterator, Sequence

from genvalues.facts import Facts
from genvalues.finding import Hit
from genvalues.plan.labels import is_closed
from genvalues.record import NamedTuple
from genvalues.rules import nfd_catalogue, nfd_values
from genvalues.rules.label_form import key_fault, split
from genvalues.rules.label_owners import owner_fault
from genvalues.rules.nfd_publish import Cause, published
from genvalues.rules.nfd_values import Nfd
from genvalues.rules.node_feature import NodeLabel, all_labels
from genvalues.rules.node_feature_shape import KIND
from genvalues.rules.rule import Body, Rule
from genvalues.wording import inline, listed

_SINCE = "0.1.0"
_SHOWN = 3


class _Dropped(NamedTuple):
    """Labels that are dropped for one reason: by one list, in one namespace, by one pattern."""

    cause: Cause
    namespace: str
    labels: tuple[tuple[Body, NodeLabel], ...]

    def keys(self) -> str:
        keys = list(dict.fromkeys(label.key for _, label in self.labels))
        return listed(keys[:_SHOWN] + ([f"{len(keys) - _SHOWN} more"] if len(keys) > _SHOWN else []), "and")


def _dropped(bodies: Sequence[Body], facts: Facts) -> Iterator[tuple[Body, Hit]]:
    """Labels that the NFD of the set drops; of two NFDs, the one that is to stay."""
    found = nfd_values.governing(bodies)
    if found is not None:
        yield from (_hit(group, found) for group in _groups(bodies, found, facts))


def _groups(bodies: Sequence[Body], found: Nfd, facts: Facts) -> Iterator[_Dropped]:
    master, known = nfd_values.master(found), nfd_catalogue.features(found.body.chart, facts)
    _, opening = nfd_values.label_list(found, "extraLabelNs")
    groups: dict[tuple[Cause, str], list[tuple[Body, NodeLabel]]] = {}
    for body in bodies:
        for label in _labels(body):
            verdict = published(label.key, label.value, master, known, facts)
            namespace, _ = split(label.key)
            # Keys, values and references have rules of their own, and so has an NFD that publishes nothing.
            if verdict.cause in ("closed", "denied") and not _lost_by_flag(found, namespace):
                # A list that is there lacks them all together; else each namespace is missed where a label needs it.
                where = "" if verdict.cause == "closed" and opening is not None else namespace
                groups.setdefault((verdict.cause, where), []).append((body, label))
            elif verdict.cause in ("white-list", "unprefixed"):
                groups.setdefault((verdict.cause, ""), []).append((body, label))
    yield from (_Dropped(cause, namespace, tuple(labels)) for (cause, namespace), labels in groups.items())


def _lost_by_flag(found: Nfd, namespace: str) -> bool:
    """Whether the daemon's file opens the namespace, but a flag takes the place of its list: the contract says so."""
    return bool(found.texts("master", "extraLabelNs")) and namespace in (
        found.texts("master", "config", "extraLabelNs") or ()
    )


def _hit(group: _Dropped, found: Nfd) -> tuple[Body, Hit]:
    first = group.labels[0]
    cause, namespace = group.cause, group.namespace
    if cause == "white-list":
        steps = ("master", "config", "labelWhiteList")
        pattern = found.get(*steps)
        said = f"labelWhiteList {inline(pattern)} is not found in the name of {group.keys()}: NFD drops what does not match"
        return found.body, Hit(found.at(*steps), said, "remove labelWhiteList, or let these names match")
    if cause == "unprefixed":
        gate = found.stated("featureGates", "DisableAutoPrefix")
        said = f"NFD {found.version} puts no namespace before {group.keys()} with these settings, and drops keys without one"
        place = gate[0] if gate is not None else found.at("master", "config", "autoDefaultNs")
        return found.body, Hit(place, said, f"feature.node.kubernetes.io/{first[1].key} in the rule")
    if cause == "denied":
        return found.body, _denied(group, found)
    extra, route = nfd_values.label_list(found, "extraLabelNs")
    missing = sorted({split(label.key)[0] for _, label in group.labels})
    fix = f"extraLabelNs: {inline([*extra, *missing])}"
    if route is not None:
        near = any(_is_near(one, extra) for one in missing)
        hint = " (only the namespace itself counts, no parent and no wildcard)" if near else ""
        said = f"extraLabelNs lacks {listed(missing, 'and')}{hint}: NFD drops {group.keys()} in silence"
        return found.body, Hit(route, said, fix)
    said = f"NFD drops {group.keys()} in silence: its values do not open namespace {namespace}"
    return first[0], Hit(first[1].route, said, f"master: {{config: {{{fix}}}}} in NFD's values", at="key")


def _denied(group: _Dropped, found: Nfd) -> Hit:
    denied, route = nfd_values.label_list(found, "denyLabelNs")
    own = " and with them NFD's own labels" if any(entry in ("*", "*.kubernetes.io") for entry in denied) else ""
    return Hit(
        route or found.at("master", "config", "denyLabelNs"),
        f"denyLabelNs {inline(list(denied))} closes namespace {group.namespace}: NFD drops {group.keys()}{own}",
        f"remove the entry from denyLabelNs, or extraLabelNs: [{group.namespace}]",
    )


def _is_near(namespace: str, extra: tuple[str, ...]) -> bool:
    """Whether an entry was meant to open the namespace: a parent of it, or a pattern."""
    return any(namespace.endswith(f".{entry.lstrip('*.')}") or "*" in entry for entry in extra)


def _unopened(bodies: Sequence[Body], _: Facts) -> Iterator[tuple[Body, Hit]]:
    """Labels in closed namespaces, where no values of an NFD are there to say whether it opens them."""
    if any(nfd_values.every(bodies)):
        return
    for body in bodies:
        first: dict[str, NodeLabel] = {}
        for label in _labels(body):
            namespace, _name = split(label.key)
            if is_closed(namespace) and key_fault(label.key) is None:
                first.setdefault(namespace, label)
        for namespace, label in first.items():
            yield (
                body,
                Hit(
                    label.route,
                    f"NFD drops {label.key} in silence unless its configuration opens namespace {namespace}",
                    f"master: {{config: {{extraLabelNs: [{namespace}]}}}} in NFD's values",
                    at="key",
                ),
            )


def _labels(body: Body) -> Iterator[NodeLabel]:
    """The labels of a rule's body, but for those that no rule should set at all (GV605)."""
    return (label for label in all_labels(body) if not owner_fault(label.key)) if body.kind == KIND else iter(())


RULES: tuple[Rule, ...] = (
    Rule("GV604", "error", "Label that NFD drops", _SINCE, across=_dropped),
    Rule("GV657", "warning", "Label that NFD drops unless it is told otherwise", _SINCE, across=_unopened),
)
