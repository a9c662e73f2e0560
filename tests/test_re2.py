"""Our reader of regular expressions, held against RE2 itself."""

import random
from typing import Any

import pytest

from genvalues.re2 import RefusedError, parse

re2: Any = pytest.importorskip("re2", reason="google-re2 is not installed; it is what these tests compare with")

QUIET = re2.Options()
QUIET.log_errors = False

# By kind: plain, repetitions and their limits, groups and flags, classes, escapes. \C is not here: Go has none.
WORDS = r"""
^gn- ^gn-[0-9]+$ gn-.* a|b || () (|) (a|b)+ a*? a+? a?? ^* $* (^)* (^){2} x{0} x{2,} x{2,}? x{2,3} {2} a{ a{x a{,5} a{01}
a** a++ a?+ a*?? a??? a{2}{3} a{2}* a{2,1} a{1000} a{1001} a{1001,} (a{10}){100} (a{100}){100} ((a{10}){10}){11} (a*){1000}
*a +a ?a (*a) a|* |* (?i)* a(?i)* (?i)(?s)* (?:){2000}
(?=a) (?!a) (?<=a) (?<!a) (?>a) (?#a) (?|a) (?(1)a) (?P=n) (?P>n) (?1) (?) (?-) (?i-) (?a) (?i) (?i:a) (?:a) (?i-s:a) (?imsU)a
(?P<n>a) (?<n>a) (?P<>a) (?P<a-b>x) (?P<1a>x) ( ) (a a) (?
[a] [] [^] []a] [^]a] [a [z-a] [a-\d] [\d-a] [a-] [-a] [a-b-c] [\x41-\x5a] [a-\] [\1] [\07] [\b] [\Q] [[:alpha:]] [[:^digit:]]
[[:word:]] [[:foo:]] [[:alpha] [:alpha:]
\d \D \w \W \s \S \pL \PL \p{L} \p{^L} \P{^L} \p{Nd} \p{Greek} \p{Foo} \p \p{ \pN \x41 \x{41} \x{10FFFF} \x{110000} \x4 \0 \07
\08 \12 \1 \8 \A \z \Z \b \B \h \K \R \X \G \E \e \u0041 \c \_ \- \/ \a\f\t\n\r\v a\ \Qa.b\E \Qab \Q\E
"""
PATTERNS = WORDS.split()
PARTS = [*"ab()[]{}*+?|^$.\\-,:<>=!P0129idQEwb", "(?", "(?:", "[:alpha:]", "{2}", "{2,3}", "\\d", "(?P<x>", "(?i)"]


def ours(pattern: str) -> bool:
    try:
        parse(pattern)
    except RefusedError:
        return False
    return True


def theirs(pattern: str) -> bool:
    try:
        re2.compile(pattern, options=QUIET)
    except re2.error:
        return False
    return True


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_is_taken_as_by_re2(pattern: str) -> None:
    """A pattern is taken exactly where RE2 takes it."""
    assert ours(pattern) == theirs(pattern)


def test_random_patterns_are_taken_as_by_re2() -> None:
    """Of thirty thousand patterns put together at random, RE2 and we take the same ones."""
    chance = random.Random(20261130)
    patterns = ["".join(chance.choice(PARTS) for _ in range(chance.randint(1, 9))) for _ in range(30_000)]

    taken = [pattern for pattern in patterns if theirs(pattern)]

    assert len(taken) > 5000
    assert [pattern for pattern in patterns if ours(pattern)] == taken


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("^gn-(?!spare)", "negative lookahead (?!, which RE2 does not have, at character 5"),
        ("gn-[0-9]++", "a possessive repetition, ++, at character 10"),
        (r"(a)\1", r"the backreference \1, which RE2 does not have, at character 4"),
        ("(gn-", "a ( that nothing closes, at character 2"),
        ("[0-9", "a [ that nothing closes, at character 1"),
        ("[9-0]", "the range 9-0, whose end comes before its start, at character 5"),
        ("x{1001}", "{1001}, which is no range up to 1000, at character 2"),
    ],
)
def test_refusal_says_what_and_where(pattern: str, message: str) -> None:
    """The words name the construct and the character at which it stands."""
    with pytest.raises(RefusedError) as raised:
        parse(pattern)

    assert str(raised.value) == message


def test_nesting_has_an_end() -> None:
    """A thousand groups in one another are refused instead of overflowing the stack."""
    with pytest.raises(RefusedError, match="more than 100 groups in one another"):
        parse("(" * 1000 + ")" * 1000)
