"""What a regular expression over node names matches: which names, whether all or none, whether two have a name in common.

NFD searches the pattern anywhere in the name (op InRegexp). Patterns become automata over the characters of node names, so
that every answer is exact and comes in bounded time, whatever the pattern; None means that the automaton got too large,
or that the pattern asks for word boundaries, which are not followed.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from genvalues.re2 import EVERY, NAME_CHARACTERS, Chars, Choice, Mark, Node, Repeat, Sequence, parse
from genvalues.record import NamedTuple

_MOST_STATES = 4000
_MOST_WORK = 300_000  # states looked at: a fifth of a second; patterns that people write need some hundreds
_LONGEST = 253  # of the name of a node (RFC 1123 subdomain)


class _Step(NamedTuple):
    """One state of the automaton: where it leads without a character (`free`), or with one of `members` (`target`).

    `mark`: the free steps hold only there.
    """

    free: tuple[int, ...] = ()
    mark: str = ""
    members: frozenset[str] = frozenset()
    target: int = -1


class _TooLargeError(Exception):
    """The automaton would get too large, or would have to know about word boundaries."""


class _State(NamedTuple):
    """Where a search stands after some characters: live states before free steps, and whether it has matched already."""

    live: frozenset[int]
    matched: bool


class Search:
    """The search for one pattern in a name, character by character."""

    def __init__(self, pattern: str) -> None:
        """RefusedError where RE2 refuses the pattern; _TooLargeError where it is too large."""
        self._steps: list[_Step] = [_Step()]
        self._work = 0
        self._start = self._build(parse(pattern), 0)

    def sets(self) -> Iterator[frozenset[str]]:
        """Every set of characters that the pattern tells apart."""
        return (step.members for step in self._steps if step.target >= 0)

    def begin(self) -> _State:
        return self._settled(frozenset((self._start,)), at_begin=True)

    def after(self, state: _State, character: str) -> _State:
        """The state after one more character; the search may start again behind it."""
        if state.matched:
            return state
        steps = self._steps
        moved = {steps[index].target for index in state.live if character in steps[index].members}
        return self._settled(frozenset(moved | {self._start}), at_begin=False)

    def matches(self, state: _State) -> bool:
        """Whether a name that ends here is matched."""
        return state.matched or 0 in self._closure(state.live, ("end",))

    def _settled(self, live: frozenset[int], *, at_begin: bool) -> _State:
        closure = self._closure(live, ("begin",) if at_begin else ())
        return _State(frozenset() if 0 in closure else closure, 0 in closure)

    def _closure(self, live: Iterable[int], marks: tuple[str, ...]) -> frozenset[int]:
        seen: set[int] = set()
        waiting = list(live)
        while waiting:
            index = waiting.pop()
            if index in seen:
                continue
            seen.add(index)
            step = self._steps[index]
            if not step.mark or step.mark in marks:
                waiting.extend(step.free)
        self._work += len(seen)
        if self._work > _MOST_WORK:
            raise _TooLargeError
        return frozenset(seen)

    def _build(self, node: Node, then: int) -> int:
        """Add the states of `node`, which lead on to the state `then`; gives the first of them."""
        if isinstance(node, Chars):
            return self._add(_Step(members=node.members, target=then))
        if isinstance(node, Mark):
            if node.what == "word":
                raise _TooLargeError
            return self._add(_Step(free=(then,), mark=node.what))
        if isinstance(node, Sequence):
            for item in reversed(node.items):
                then = self._build(item, then)
            return then
        if isinstance(node, Choice):
            return self._add(_Step(free=tuple([self._build(item, then) for item in node.items])))
        return self._repeated(node, then)

    def _repeated(self, node: Repeat, then: int) -> int:
        if node.most is None:
            loop = self._add(_Step())
            self._steps[loop] = _Step(free=(self._build(node.item, loop), then))
            then = loop
        else:
            end = then
            for _ in range(node.most - node.least):
                then = self._add(_Step(free=(self._build(node.item, then), end)))
        for _ in range(node.least):
            then = self._build(node.item, then)
        return then

    def _add(self, step: _Step) -> int:
        if len(self._steps) >= _MOST_STATES:
            raise _TooLargeError
        self._steps.append(step)
        return len(self._steps) - 1


def example(*patterns: str, unlike: str | None = None) -> str | None:
    """The shortest node name that all `patterns` match and `unlike` does not; "" where there is none, None: not known.

    RefusedError where RE2 refuses one of them.
    """
    try:
        wanted = [Search(pattern) for pattern in patterns]
        avoided = [Search(unlike)] if unlike is not None else []
        return _walk(wanted, avoided)
    except _TooLargeError:
        return None


def matches(pattern: str, name: str) -> bool | None:
    """Whether NFD finds `pattern` in `name`; None: not known. RefusedError where RE2 refuses the pattern."""
    try:
        search = Search(pattern)
    except _TooLargeError:
        return None
    state = search.begin()
    for character in name:
        state = search.after(state, character)
    return search.matches(state)


def _walk(wanted: list[Search], avoided: list[Search]) -> str | None:
    """Breadth first through the names, so that the first that fits is a shortest one."""
    every = [*wanted, *avoided]
    alphabet = _alphabet(every)
    begin = tuple(search.begin() for search in every)
    seen = {(begin, "")}
    waiting = deque([(begin, "")])
    while waiting:
        states, name = waiting.popleft()
        verdicts = [search.matches(state) for search, state in zip(every, states, strict=True)]
        if name[-1:].isalnum() and verdicts == [True] * len(wanted) + [False] * len(avoided):
            return name
        for character in alphabet if len(name) < _LONGEST else ():
            if not _may_follow(name[-1:], character):
                continue
            following = tuple(search.after(state, character) for search, state in zip(every, states, strict=True))
            key = (following, "a" if character.isalnum() else character)
            if key not in seen:
                seen.add(key)
                waiting.append((following, name + character))
    return ""


def _may_follow(last: str, character: str) -> bool:
    """Whether a name may go on so: each part between dots begins and ends with a letter or digit."""
    if character == "-":
        return last not in ("", ".")
    return character != "." or last.isalnum()


def _alphabet(searches: list[Search]) -> str:
    """One character for each set of characters that no search tells apart; letters and digits apart from '-' and '.'."""
    classes = [frozenset("-"), frozenset("."), EVERY - frozenset("-.")]
    for members in {members for search in searches for members in search.sets()}:
        classes = [part for whole in classes for part in (whole & members, whole - members) if part]
    return "".join(sorted((min(part, key=NAME_CHARACTERS.index) for part in classes), key=NAME_CHARACTERS.index))
