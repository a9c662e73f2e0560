"""What is to be said of one part: the contract of its chart, the CRD of its kind, and the rules over bodies."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from genvalues import judge
from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.finding import Finding, Hit
from genvalues.lint import objects
from genvalues.lint.part import Part
from genvalues.rules import ALL
from genvalues.rules.output import BY_VERDICT
from genvalues.rules.rule import Rule

MOST = 500
"""Findings about one part; nobody reads more, and a hostile file could make each of them cost time."""

_ANCHOR = re.compile(r"(?<!\S)&([^\s,\[\]{}]+)")


@cache
def kinds() -> frozenset[Kind]:
    """The kinds of which something can be said."""
    ruled = {kind for rule in ALL for kind in rule.files}
    return frozenset({"values", "config-map", *objects.KINDS, *ruled})


def findings(part: Part, facts: Facts, extra: Sequence[str]) -> list[Finding]:
    """The findings about a part; where a rule speaks at the place of a CRD's verdict, the rule's."""
    found = islice(judge.body(part.body, facts, raw=part.raw, extra=extra), MOST)
    lacking = {"version": part.assumed, "whole": part.partial}
    ruled = [(rule, hit) for rule, hit in found if not lacking.get(rule.needs) and counts(part, hit)]
    spoken = {hit.route for _, hit in ruled}
    crd = [
        (BY_VERDICT[hit.verdict or "refused"], hit)
        for hit in objects.hits(part)
        if hit.route not in spoken and counts(part, hit)
    ]
    return [part.finding(rule, hit) for rule, hit in _once([*ruled, *crd])]


def _once(found: Sequence[tuple[Rule, Hit]]) -> Iterator[tuple[Rule, Hit]]:
    seen: set[tuple[str, object, str]] = set()
    for rule, hit in found:
        key = (rule.code, hit.route, hit.message)
        if key not in seen:
            seen.add(key)
            yield rule, hit


def counts(part: Part, hit: Hit) -> bool:
    """Whether a hit is one in this file.

    Not about what a later program fills in; nor about the switch of a subchart, `enabled` right under its key, which the
    umbrella's condition usually asks; nor about a key that is there to be repeated elsewhere; nor, where other values are
    laid under or over these, about what a default does to them.
    """
    if part.partial and (hit.fix.startswith("give ") or (hit.verdict == "inert" and not hit.related)):
        return False
    if (part.below and hit.route == ("enabled",)) or (hit.verdict == "ignored" and _holds_anchor(part, hit)):
        return False
    value = part.value(hit.route)
    return not (hit.at == "value" and isinstance(value, str) and ("{{" in value or "${" in value))


def _holds_anchor(part: Part, hit: Hit) -> bool:
    """Whether a node is, or holds, what an alias somewhere else in the text repeats."""
    origin = part.tree.at((*part.inside, *hit.route))
    text = part.tree.texts[origin.file]
    anchors = _ANCHOR.findall(text, origin.key_end, origin.end)
    return any(re.search(rf"(?<!\S)\*{re.escape(name)}(?![^\s,\]}}])", text[origin.end :]) for name in anchors)
