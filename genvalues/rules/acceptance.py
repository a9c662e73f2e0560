"""Findings that a site lives with: `accept` takes them out, until its day has come."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from genvalues.finding import Hit, Route
from genvalues.model import Acceptance, Site
from genvalues.rules.rule import Rule

EXPIRED = Rule("GV190", "error", "An acceptance has expired", "0.1.0")
UNUSED = Rule("GV191", "warning", "An acceptance matches no finding", "0.1.0")
UNKNOWN = Rule("GV192", "error", "An acceptance names no rule, no pool or no day", "0.1.0")
IN_VAIN = Rule("GV193", "error", "An acceptance of what makes rendering impossible", "0.1.0")

RULES = (EXPIRED, UNUSED, UNKNOWN, IN_VAIN)

Found = tuple[Rule, Hit]

_UNKNOWN_CHARTS = ("GV540", "GV541")
"""After these nothing is known of what the charts bring, and most rules are silent."""


def apply(site: Site, found: Sequence[Found], today: date, codes: Iterable[str]) -> tuple[list[Found], int]:
    """What remains of the findings of a site, with what is to be said of its acceptances; and how many are accepted."""
    if not site.accept:
        return list(found), 0
    live = [a for a in site.accept if (day := _day(a)) is not None and day >= today]
    used = {id(a) for rule, hit in found for a in site.accept if _matches(a, rule, hit, site)}
    remaining = [(r, h) for r, h in found if not any(_matches(a, r, h, site) for a in live)]
    known, reported = frozenset(codes), {rule.code for rule, _ in found}
    said = [
        verdict
        for a in site.accept
        for verdict in _judge(a, site, known, reported, id(a) in used or _unjudged(a, found), a in live)
    ]
    return remaining + said, len(found) - len(remaining)


def _unjudged(acceptance: Acceptance, found: Sequence[Found]) -> bool:
    """Whether an error keeps the rule from speaking: a chart that is not known, or for rules of files any."""
    if any(rule.code in _UNKNOWN_CHARTS for rule, _ in found):
        return True
    return acceptance.code >= "GV9" and any(rule.severity == "error" for rule, _ in found)


def in_vain(reason: str) -> Found:
    """The finding where all errors are accepted and the site cannot be written all the same."""
    message = f"what is accepted here cannot be lived with: {reason}"
    return IN_VAIN, Hit(("accept",), message, "mend the errors that remain, and remove their acceptances", at="key")


def _day(acceptance: Acceptance) -> date | None:
    """The last day of an acceptance; None where the calendar has no such day."""
    try:
        return date.fromisoformat(acceptance.until)
    except ValueError:
        return None


def _matches(acceptance: Acceptance, rule: Rule, hit: Hit, site: Site) -> bool:
    if acceptance.code != rule.code:
        return False
    return acceptance.pool is None or acceptance.pool in _pools(hit, site)


def _pools(hit: Hit, site: Site) -> tuple[str, ...]:
    if hit.pools:
        return hit.pools
    if hit.route[:2] == ("hardware", "pools") and len(hit.route) > 2 and isinstance(hit.route[2], int):
        return (site.pools[hit.route[2]].name,)
    return ()


def _judge(
    acceptance: Acceptance, site: Site, known: frozenset[str], reported: set[str], used: bool, live: bool
) -> Iterator[Found]:
    route: Route = ("accept", acceptance.position)
    if acceptance.code not in known:
        yield (
            UNKNOWN,
            Hit((*route, "code"), f"no rule has the code {acceptance.code}", "see `genvalues rules` for the codes"),
        )
    elif acceptance.pool is not None and site.pool(acceptance.pool) is None:
        pools = ", ".join(pool.name for pool in site.pools)
        yield UNKNOWN, Hit((*route, "pool"), f"the site has no pool {acceptance.pool!r}", f"name one of: {pools}")
    elif _day(acceptance) is None:
        message = f"there is no day {acceptance.until}"
        yield UNKNOWN, Hit((*route, "until"), message, "write a day of the calendar as year-month-day")
    elif not used and acceptance.pool is not None and acceptance.code in reported:
        message = f"{acceptance.code} is reported, but not of pool {acceptance.pool} alone, so this acceptance does nothing"
        yield UNUSED, Hit((*route, "pool"), message, f"remove `pool: {acceptance.pool}`, or the entry")
    elif not used:
        where = f" in pool {acceptance.pool}" if acceptance.pool else ""
        message = f"nothing reports {acceptance.code}{where} any more, so this acceptance does nothing"
        yield UNUSED, Hit(route, message, "remove the entry")
    elif not live:
        message = f"the acceptance of {acceptance.code} ended on {acceptance.until}"
        yield (
            EXPIRED,
            Hit((*route, "until"), message, "mend what it accepts, or set a later day with a reason that still holds"),
        )
