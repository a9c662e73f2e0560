"""What patterns over node names match, held against RE2 and against what a person would say."""

import random
import re
from typing import Any

import pytest

from genvalues.name_pattern import example, matches
from genvalues.re2 import RefusedError, parse

re2: Any = pytest.importorskip("re2", reason="google-re2 is not installed; it is what these tests compare with")

NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
PARTS = [*"abg-.0" * 2, *"()|*+?^$G", "[a-f]", "[^a]", "{2}", "\\d", "\\w", "(?i)", "(?:"]


def patterns(count: int, seed: int) -> list[str]:
    """Random patterns that RE2 takes."""
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        pattern = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 8)))
        try:
            parse(pattern)
        except RefusedError:
            continue
        found.append(pattern)
    return found


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        (("^gn-",), "gn-a"),
        (("gn-[0-9]+",), "gn-0"),
        (("^GN-",), ""),
        (("gpu_node",), ""),
        (("^-",), ""),
        (("(?i)^GN-1$",), "gn-1"),
        (("^gn-", "^gn-dev-"), "gn-dev-a"),
        (("^gn-[0-9]", "^gn-dev-"), ""),
        (("^gn-(a|b)[0-9]{2,3}$", "gn-b"), "gn-b00"),
        (("-a$", "^b"), "b-a"),
    ],
)
def test_shortest_name_that_all_match(wanted: tuple[str, ...], name: str) -> None:
    """The name is a shortest one; the empty text where there is none."""
    assert example(*wanted) == name


def test_name_that_a_pattern_leaves_out() -> None:
    """Nothing is unlike a pattern that takes all; `a` is the first name unlike ^gn-."""
    assert (example(unlike=".*"), example(unlike="^gn-")) == ("", "a")


def test_search_agrees_with_re2() -> None:
    """Three thousand random patterns find in random names what RE2 finds."""
    chance = random.Random(1)
    pairs = [(p, "".join(chance.choice("abg0-.") for _ in range(chance.randint(1, 7)))) for p in patterns(3000, 2)]

    assert [(p, name, matches(p, name)) for p, name in pairs] == [(p, n, bool(re2.search(p, n))) for p, n in pairs]


def test_examples_are_names_that_both_patterns_find() -> None:
    """What is said to be in two patterns is a valid name that RE2 finds with both; and no short name shows the contrary."""
    chance, drawn = random.Random(3), patterns(1200, 4)
    short = ["".join(chance.choice("abg0-.") for _ in range(chance.randint(1, 5))) for _ in range(300)]
    names = [name for name in short if NAME.fullmatch(name)]
    shared = {(one, other): example(one, other) for one, other in zip(drawn[::2], drawn[1::2], strict=True)}

    wrong = [
        (pair, name)
        for pair, name in shared.items()
        if name and not (NAME.fullmatch(name) and all(re2.search(p, name) for p in pair))
    ]
    missed = [pair for pair, name in shared.items() if name == "" for n in names if all(re2.search(p, n) for p in pair)]

    assert (wrong, missed) == ([], [])
    assert len([name for name in shared.values() if name]) > 50


@pytest.mark.parametrize("hostile", ["(.{0,60}){16}$", "^(.*a.{12}|b)$", ".*a.{300}b$"])
def test_hostile_pattern_ends_without_an_answer(hostile: str) -> None:
    """Patterns whose automata explode are given up, and say nothing."""
    assert example(hostile, ".*(.?a){300}x.{200}$") is None


def test_word_boundaries_are_not_followed() -> None:
    """A pattern with \\b is not judged."""
    assert (example(r"\bgn"), matches(r"\bgn", "gn")) == (None, None)
