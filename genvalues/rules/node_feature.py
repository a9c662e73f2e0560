"""What stands in a NodeFeatureRule, whatever its shape: rules, terms, expressions, and the labels that rules set.

Everything of the wrong type is passed over here; `node_feature_shape.py` speaks of it.
"""

import re
from collections.abc import Iterator, Mapping

from genvalues.finding import Json, Route
from genvalues.record import NamedTuple
from genvalues.rules.rule import Body

_ACTION = r"(?s)\{\{.*?\}\}"


class NodeRule(NamedTuple):
    """One rule of the object."""

    route: Route
    data: Mapping[str, Json]

    def has_matchers(self) -> bool:
        """Whether anything must hold for the rule to apply."""
        return bool(self.data.get("matchFeatures") or self.data.get("matchAny"))

    def has_template(self) -> bool:
        """Whether the rule makes labels or variables out of what it matches."""
        return bool(self.data.get("labelsTemplate") or self.data.get("varsTemplate"))


class Expression(NamedTuple):
    """One expression of a term. `attribute` None: it is about names (matchName). `values` None: they are no texts."""

    route: Route
    attribute: str | None
    op: str
    values: tuple[str, ...] | None
    data: Mapping[str, Json]


class Term(NamedTuple):
    """One term of a matcher: a feature, and what must hold for it."""

    rule: NodeRule
    route: Route
    feature: str
    expressions: tuple[Expression, ...]
    data: Mapping[str, Json]


class NodeLabel(NamedTuple):
    """A label that a rule sets. `value` None: a template makes it, and `route` is the template's."""

    route: Route
    key: str
    value: str | None


def rules(data: Json) -> Iterator[NodeRule]:
    """The rules of an object."""
    spec = data.get("spec") if isinstance(data, Mapping) else None
    for index, rule in _items(spec.get("rules") if isinstance(spec, Mapping) else None):
        yield NodeRule(("spec", "rules", index), rule)


def terms(data: Json) -> Iterator[Term]:
    """The terms of all rules."""
    for rule in rules(data):
        for matchers in matcher_lists(rule):
            yield from matchers


def matcher_lists(rule: NodeRule) -> Iterator[tuple[Term, ...]]:
    """The terms of a rule by the lists that they stand in: those of matchAny, one list each, then matchFeatures.

    Templates are expanded once for each of these lists that holds, with the features of that list alone.
    """
    for index, branch in _items(rule.data.get("matchAny")):
        yield tuple(_terms(rule, branch.get("matchFeatures"), (*rule.route, "matchAny", index, "matchFeatures")))
    if rule.data.get("matchFeatures"):
        yield tuple(_terms(rule, rule.data["matchFeatures"], (*rule.route, "matchFeatures")))


def expressions(data: Json) -> Iterator[tuple[Term, Expression]]:
    """The expressions of all terms, each with its term."""
    for term in terms(data):
        for expression in term.expressions:
            yield term, expression


def labels(rule: NodeRule) -> Iterator[NodeLabel]:
    """The labels that a rule sets: those written out, and those of a template whose key is a literal text."""
    for key, value in texts(rule.data.get("labels")):
        yield NodeLabel((*rule.route, "labels", key), key, value)
    template = rule.data.get("labelsTemplate")
    for line in template.splitlines() if isinstance(template, str) else ():
        key, sign, _ = re.sub(_ACTION, "\0", line).strip().strip("\0").partition("=")
        if sign and "\0" not in key:
            yield NodeLabel((*rule.route, "labelsTemplate"), key, None)


def all_labels(body: Body) -> Iterator[NodeLabel]:
    """The labels of all rules of an object."""
    for rule in rules(body.data):
        yield from labels(rule)


def texts(node: Json) -> Iterator[tuple[str, str]]:
    """The entries of a map of texts."""
    for key, value in node.items() if isinstance(node, Mapping) else ():
        if isinstance(key, str) and isinstance(value, str):
            yield key, value


def _terms(rule: NodeRule, node: Json, route: Route) -> Iterator[Term]:
    for index, term in _items(node):
        feature = term.get("feature")
        if isinstance(feature, str):
            at = (*route, index)
            yield Term(rule, at, feature, tuple(_expressions(term, at)), term)


def _expressions(term: Mapping[str, Json], route: Route) -> Iterator[Expression]:
    named = term.get("matchExpressions")
    for attribute, expression in named.items() if isinstance(named, Mapping) else ():
        if isinstance(expression, Mapping) and isinstance(expression.get("op"), str):
            yield _expression((*route, "matchExpressions", attribute), attribute, expression)
    about_names = term.get("matchName")
    if isinstance(about_names, Mapping) and isinstance(about_names.get("op"), str):
        yield _expression((*route, "matchName"), None, about_names)


def _expression(route: Route, attribute: str | None, data: Mapping[str, Json]) -> Expression:
    values = data.get("value")
    if values is None:
        return Expression(route, attribute, data["op"], (), data)
    sound = isinstance(values, list) and all(isinstance(value, str) for value in values)
    return Expression(route, attribute, data["op"], tuple(values) if sound else None, data)


def _items(node: Json) -> Iterator[tuple[int, Mapping[str, Json]]]:
    """The mappings of a list, with their positions."""
    for index, item in enumerate(node if isinstance(node, list) else ()):
        if isinstance(item, Mapping):
            yield index, item
