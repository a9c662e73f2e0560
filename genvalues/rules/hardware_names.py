"""Rules about which nodes a pool takes: its name pattern, and whether two pools take the same nodes.

What needs more than a look at the text is decided by `name_pattern.py`, which is imported only then: 16 ms, and most sites
have patterns such as `^gn-` that are plain.
"""

from collections.abc import Iterator, Sequence

from genvalues.finding import Hit, Route
from genvalues.model import Pool
from genvalues.plan.kinds import Matcher, PoolPlan
from genvalues.plan.labels import POOL
from genvalues.rules.node_feature_matchers import pattern_fault
from genvalues.rules.rule import Case, Rule, rule
from genvalues.wording import listed, quoted

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def takes_all(case: Case, pool: PoolPlan) -> bool:
    """Whether a pool takes every GPU node of a site that has others as well."""
    return len(case.plan.pools) > 1 and pool.pool.gpu.model is None and pool.pool.name_pattern is None


@rule("GV221", "error", "Pools that nothing tells apart")
def pools_are_distinct(case: Case) -> Iterator[Hit]:
    pools = [pool for pool in case.plan.pools if pool.gpu is not None or pool.pool.gpu.model is None]
    for pool in [pool for pool in pools if takes_all(case, pool)]:
        others = listed([other.name for other in case.plan.pools if other is not pool], "and")
        yield Hit(
            _name(pool.pool),
            f"pool {pool.name} names neither a GPU model nor a pattern of node names: its rule takes the GPU nodes of "
            f"{others} as well, and the later rule overwrites {POOL} and whatever else both set",
            "gpu: {model: l40s, count: 4}, with what `genvalues gpus` calls these; nodes without GPUs belong in no pool",
            pools=(pool.name,),
        )
    pools = [pool for pool in pools if not takes_all(case, pool)]
    for index, pool in enumerate(pools):
        for earlier in pools[:index]:
            shared = _shared_node(earlier, pool)
            if shared is None or earlier.name == pool.name:
                continue
            yield Hit(
                _pattern(pool.pool) if pool.pool.name_pattern is not None else _name(pool.pool),
                f"pools {earlier.name} and {pool.name} take the same nodes{shared}: the rules of both match, and the "
                f"later one overwrites {POOL} and whatever else both set",
                f'nodes: {{namePattern: "^{pool.name}-"}}, with what the names of these nodes alone begin with',
                (
                    (
                        _pattern(earlier.pool) if earlier.pool.name_pattern is not None else _name(earlier.pool),
                        earlier.name,
                    ),
                ),
                pools=(earlier.name, pool.name),
            )
            break


@rule("GV222", "error", "Name pattern that RE2 refuses")
def pattern_is_re2(case: Case) -> Iterator[Hit]:
    for pool, pattern in _patterns(case):
        why = pattern_fault(pattern)
        if why is not None:
            yield Hit(
                _pattern(pool),
                f"{quoted(pattern)} is no regular expression of RE2, which NFD compiles it with: {why}",
                f'namePattern: "^{pool.name}-", or what the names of these nodes begin with',
            )


@rule("GV223", "error", "Name pattern that matches no node")
def pattern_matches(case: Case) -> Iterator[Hit]:
    for pool, pattern in _judged(case):
        if _example(pattern) == "":
            lower = pattern.lower()
            better = lower if lower != pattern and _example(lower) else f"^{pool.name}-"
            yield Hit(
                _pattern(pool),
                f"{quoted(pattern)} matches no node: names consist of lower-case letters, digits, '-' and '.', and begin "
                "and end with a letter or digit",
                f"namePattern: {quoted(better)}",
            )


@rule("GV224", "info", "Name pattern that is not anchored")
def pattern_is_anchored(case: Case) -> Iterator[Hit]:
    for pool, pattern in _judged(case):
        name = _example(pattern)
        if not name or _takes_all(pattern) or not _matches(pattern, f"x-{name}"):
            continue
        yield Hit(
            _pattern(pool),
            f"{quoted(pattern)} is found anywhere in a name: besides {name} it takes x-{name}",
            f"namePattern: {quoted('^' + pattern)}"
            if "|" not in pattern
            else f"namePattern: {quoted(f'^({pattern})')}",
        )


@rule("GV225", "warning", "Name pattern that matches every node")
def pattern_tells_apart(case: Case) -> Iterator[Hit]:
    for pool, pattern in _judged(case):
        if _takes_all(pattern):
            yield Hit(
                _pattern(pool),
                f"{quoted(pattern)} matches every name, so it tells no nodes apart",
                f'namePattern: "^{pool.name}-", or no namePattern at all',
            )


@rule("GV226", "warning", "Name pattern of one node for several nodes")
def pattern_fits_count(case: Case) -> Iterator[Hit]:
    for pool, pattern in _judged(case):
        count = pool.node_count
        inner = pattern.removeprefix("^").removesuffix("$").replace("\\.", "-")
        single = pattern.startswith("^") and pattern.endswith("$") and set(inner) <= _NAME_CHARACTERS
        if count is not None and count > 1 and single:
            yield Hit(
                _pattern(pool),
                f"{quoted(pattern)} matches one name only, and the pool has {count} nodes",
                f"namePattern: {quoted(pattern.removesuffix('$'))}",
                ((("hardware", "pools", pool.position, "nodes", "count"), f"{count} nodes here"),),
            )


def _shared_node(one: PoolPlan, other: PoolPlan) -> str | None:
    """Which nodes both pools take, in words; None where there are none, or where that is not known."""
    if not _same_devices(one.matcher, other.matcher):
        return None
    first, second = one.pool.name_pattern, other.pool.name_pattern
    gpus = f" with {other.gpu.display}" if other.gpu is not None else ""
    if first is None or second is None or first == second:
        return gpus
    if pattern_fault(first) is not None or pattern_fault(second) is not None:
        return None
    one_begins, other_begins = _prefix(first), _prefix(second)
    if one_begins and other_begins:
        if one_begins.startswith(other_begins) or other_begins.startswith(one_begins):
            return f", such as {max(one_begins, other_begins, key=len)}1"
        return None
    name = _example(first, second)
    return f", such as {name}" if name else None


def _same_devices(one: Matcher, other: Matcher) -> bool:
    """Whether some GPU is taken by both: boards of one PCI id are told apart by the subsystem, where both name it."""
    return any(
        _meet(left.devices, right.devices) and _meet(left.subsystems, right.subsystems)
        for left in one.gpus.value
        for right in other.gpus.value
    )


def _meet(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two lists of ids have one in common; an empty one stands for all."""
    return not one or not other or bool(set(one) & set(other))


def _patterns(case: Case) -> Iterator[tuple[Pool, str]]:
    return ((pool, pool.name_pattern) for pool in case.site.pools if pool.name_pattern is not None)


def _judged(case: Case) -> Iterator[tuple[Pool, str]]:
    """Pools whose pattern RE2 takes, and that is not just `^` and what names begin with, which is always right."""
    return ((pool, text) for pool, text in _patterns(case) if not _prefix(text) and pattern_fault(text) is None)


def _prefix(pattern: str) -> str:
    """What names begin with under a pattern such as `^gn-`; "" for any other pattern."""
    literal = pattern.removeprefix("^")
    plain = pattern.startswith("^") and literal[:1].isalnum() and set(literal) <= _NAME_CHARACTERS
    return literal if plain else ""


def _example(*patterns: str) -> str | None:
    from genvalues.name_pattern import example  # noqa: PLC0415  see the docstring of the module

    return example(*patterns)


def _matches(pattern: str, name: str) -> bool:
    from genvalues.name_pattern import matches  # noqa: PLC0415  see the docstring of the module

    return matches(pattern, name) is True


def _takes_all(pattern: str) -> bool:
    from genvalues.name_pattern import example  # noqa: PLC0415  see the docstring of the module

    return example(unlike=pattern) == ""


def _name(pool: Pool) -> Route:
    return ("hardware", "pools", pool.position, "name")


def _pattern(pool: Pool) -> Route:
    return ("hardware", "pools", pool.position, "nodes", "namePattern")


RULES: tuple[Rule, ...] = (
    pools_are_distinct,
    pattern_is_re2,
    pattern_matches,
    pattern_is_anchored,
    pattern_tells_apart,
    pattern_fits_count,
)
