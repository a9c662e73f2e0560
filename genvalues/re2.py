r"""Reads regular expressions as RE2 has them, and says what is wrong with those that it refuses.

NFD compiles patterns with Go's regexp package (NodeFeatureRule, op InRegexp), which has the syntax of
https://github.com/google/re2/wiki/Syntax: no lookaround, no backreferences, no possessive or atomic groups, at most
1000 repetitions. Python's own `re` accepts much that RE2 refuses and can be made to run for ever, so it is not asked.

`parse` gives a tree in which every character class is reduced to the characters of node names (`NAME_CHARACTERS`), which
is all that `name_pattern.py` needs. Where this reader is stricter than RE2 it is on purpose: \C, which Go does not have,
Unicode scripts beyond the usual ones, and more than 100 groups in one another.

One grammar is one class, so the file is longer than most.
"""

import re
from typing import NoReturn

from genvalues.record import NamedTuple

NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-."
"""What the name of a Kubernetes node consists of (RFC 1123 subdomain)."""

MOST_REPEATS = 1000  # regexp/syntax, maxRepeat: also of repetitions in one another, multiplied
DEEPEST = 100
LETTERS = frozenset(NAME_CHARACTERS[:26])
DIGITS = frozenset(NAME_CHARACTERS[26:36])
EVERY = frozenset(NAME_CHARACTERS)
NOTHING: frozenset[str] = frozenset()


class Chars(NamedTuple):
    """One character out of a set, of those that node names consist of."""

    members: frozenset[str]


class Mark(NamedTuple):
    """A place between characters: "begin", "end" (of the text), or "word" (a word boundary, or none)."""

    what: str


class Sequence(NamedTuple):
    """One after the other; empty: the empty text."""

    items: "tuple[Node, ...]"


class Choice(NamedTuple):
    """One of several."""

    items: "tuple[Node, ...]"


class Repeat(NamedTuple):
    """So many times; `most` None: without limit."""

    item: "Node"
    least: int
    most: int | None


Node = Chars | Mark | Sequence | Choice | Repeat


class RefusedError(ValueError):
    """RE2 refuses a pattern: why, and at which character (from 1)."""

    def __init__(self, why: str, position: int) -> None:
        super().__init__(f"{why}, at character {position}")


def parse(pattern: str) -> Node:
    """The tree of a pattern; RefusedError where RE2 would not compile it."""
    return _Reader(pattern).whole()


# Sets by the letter of their escape; capital letters are the complement.
_PERL = {"d": DIGITS, "w": LETTERS | DIGITS, "s": NOTHING}
_POSIX = {
    "alnum": LETTERS | DIGITS, "alpha": LETTERS, "ascii": EVERY, "blank": NOTHING, "cntrl": NOTHING, "digit": DIGITS,
    "graph": EVERY, "lower": LETTERS, "print": EVERY, "punct": frozenset("-."), "space": NOTHING, "upper": NOTHING,
    "word": LETTERS | DIGITS, "xdigit": DIGITS | frozenset("abcdef"),
}  # fmt: skip
_UNICODE = {
    "Any": EVERY, "L": LETTERS, "Ll": LETTERS, "N": DIGITS, "Nd": DIGITS, "P": frozenset("-."), "Pd": frozenset("-"),
    "Po": frozenset("."), "Latin": LETTERS, "Common": EVERY - LETTERS,
}  # fmt: skip
_ELSEWHERE = frozenset((
    "Lu", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "Nl", "No", "Pc", "Ps", "Pe", "Pi", "Pf", "S", "Sm", "Sc", "Sk", "So",
    "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Co", "Cs", "Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari",
    "Georgian", "Greek", "Han", "Hangul", "Hebrew", "Hiragana", "Inherited", "Katakana", "Tamil", "Thai",
))  # fmt: skip
"""Unicode classes without a character that a node name may have."""
_CONTROL = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_GROUP_WORDS = {
    "=": "lookahead (?=", "!": "negative lookahead (?!", "<=": "lookbehind (?<=", "<!": "negative lookbehind (?<!",
    ">": "an atomic group (?>", "#": "a comment (?#", "P=": "a backreference (?P=", "P>": "a subroutine call (?P>",
    "|": "a branch reset (?|", "(": "a conditional (?(",
}  # fmt: skip
_REPETITION = re.compile(r"[*+?]|\{([0-9]{1,9})(,([0-9]{0,9}))?\}")
_FLAGS = re.compile(r"\(\?([imsU]*)(?:-([imsU]+))?([:)])")
_NAMED = re.compile(r"\(\?P?<([A-Za-z0-9_]+)>")
_HEXADECIMAL = re.compile(r"\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})")
_OCTAL = re.compile(r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})")
_NAMED_CLASS = re.compile(r"\[:(\^?)([^\]:]*):\]")


class _Reader:
    """Recursive descent over one pattern. The state is the position and the flags."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._depth = 0
        self._flags = frozenset[str]()

    def whole(self) -> Node:
        node = self._choice()
        if self._at < len(self._text):
            self._refuse("a ) that closes no group")
        if _repeats(node) > MOST_REPEATS:
            self._refuse(f"repetitions in one another that come to more than {MOST_REPEATS}", 0)
        return node

    def _choice(self) -> Node:
        branches = [self._branch()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._branch())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _branch(self) -> Node:
        items: list[Node] = []
        while self._peek() not in ("", "|", ")"):
            repetition = _REPETITION.match(self._text, self._at)
            if repetition is not None:
                if not items:
                    self._refuse(f"{repetition.group()} with nothing before it to repeat")
                items[-1] = self._repeated(items[-1], repetition)
            elif (node := self._one()) is not None:
                items.extend(node)
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _repeated(self, item: Node, repetition: re.Match[str]) -> Node:
        text = repetition.group()
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(text, (0, 0))
        if text[0] == "{":
            least = int(repetition.group(1))
            most = least if repetition.group(2) is None else int(repetition.group(3)) if repetition.group(3) else None
            if least > MOST_REPEATS or (most or 0) > MOST_REPEATS or (most is not None and most < least):
                self._refuse(f"{text}, which is no range up to {MOST_REPEATS}")
        self._at = repetition.end()
        if self._peek() == "?":
            self._at += 1
        again = _REPETITION.match(self._text, self._at)
        if again is not None:
            kind = "a possessive repetition" if again.group() == "+" else "a repetition of a repetition"
            self._refuse(f"{kind}, {text}{again.group()}")
        return Repeat(item, least, most)

    def _one(self) -> "tuple[Node, ...] | None":
        """The next item, as a tuple of none (flags), one, or several (a quoted text)."""
        character = self._text[self._at]
        if character == "(":
            return self._group()
        if character == "\\":
            return self._escape()
        if character == "[":
            return (Chars(self._class()),)
        self._at += 1
        if character in "^$":
            # With (?m) they hold at every line; a node name has one.
            return (Mark("begin" if character == "^" else "end"),)
        return (Chars(EVERY if character == "." else self._literal(character)),)

    def _group(self) -> "tuple[Node, ...] | None":
        before = self._flags
        flags, named = _FLAGS.match(self._text, self._at), _NAMED.match(self._text, self._at)
        if flags is not None:
            self._flags = (before | frozenset(flags.group(1))) - frozenset(flags.group(2) or "")
            self._at = flags.end()
            if flags.group(3) == ")":
                return None
        elif named is not None:
            self._at = named.end()
        elif self._text.startswith("(?", self._at):
            self._refuse(self._group_word())
        else:
            self._at += 1
        opened = self._at
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse(f"more than {DEEPEST} groups in one another")
        node = self._choice()
        self._depth -= 1
        if self._peek() != ")":
            self._refuse("a ( that nothing closes", opened)
        self._at += 1
        self._flags = before
        return (node,)

    def _group_word(self) -> str:
        rest = self._text[self._at + 2 : self._at + 4]
        for start in (rest, rest[:1]):
            if start in _GROUP_WORDS:
                return f"{_GROUP_WORDS[start]}, which RE2 does not have"
        return f"(?{rest}, which starts no group that RE2 knows"

    def _escape(self) -> "tuple[Node, ...] | None":
        letter = self._text[self._at + 1 : self._at + 2]
        if letter in ("A", "z", "b", "B"):
            self._at += 2
            return (Mark({"A": "begin", "z": "end"}.get(letter, "word")),)
        if letter == "Q":
            quoted, _, _ = self._text[self._at + 2 :].partition("\\E")
            self._at += 2 + len(quoted) + (2 if self._text.startswith("\\E", self._at + 2 + len(quoted)) else 0)
            return tuple(Chars(self._literal(character)) for character in quoted) or None
        members = self._class_escape()
        return (Chars(members if members is not None else self._literal(self._character())),)

    def _class_escape(self) -> frozenset[str] | None:
        r"""\d, \W, \pL, \p{Greek}: read where it stands; None (and nothing is read) where it is no such escape."""
        letter = self._text[self._at + 1 : self._at + 2]
        if letter and letter.lower() in _PERL:
            self._at += 2
            members = _PERL[letter.lower()]
            return EVERY - members if letter.isupper() else members
        if letter not in ("p", "P"):
            return None
        name = self._text[self._at + 2 : self._at + 3]
        end = self._at + 3
        if name == "{":
            end = self._text.find("}", self._at) + 1
            name = self._text[self._at + 3 : end - 1] if end else "{"
        negated = (letter == "P") != name.startswith("^")
        name = name.removeprefix("^")
        known = NOTHING if name in _ELSEWHERE else _UNICODE.get(name)
        if known is None:
            self._refuse(f"\\{letter} with {name!r}, which is no Unicode class that genvalues knows")
        self._at = end
        return EVERY - known if negated else known

    def _character(self) -> str:
        """The character that an escape stands for."""
        letter = self._text[self._at + 1 : self._at + 2]
        if not letter:
            self._refuse("a \\ at the end")
        hexadecimal = _HEXADECIMAL.match(self._text, self._at)
        octal = _OCTAL.match(self._text, self._at)
        if hexadecimal is not None and int(hexadecimal.group(1) or hexadecimal.group(2), 16) <= 0x10FFFF:
            self._at = hexadecimal.end()
            return chr(int(hexadecimal.group(1) or hexadecimal.group(2), 16))
        if octal is not None:
            self._at = octal.end()
            return chr(int(octal.group(1), 8))
        if letter.isdigit():
            self._refuse(f"the backreference \\{letter}, which RE2 does not have")
        if letter in _CONTROL or (letter.isascii() and not letter.isalnum()):
            self._at += 2
            return _CONTROL.get(letter, letter)
        return self._refuse(f"\\{letter}, which RE2 does not know")

    def _class(self) -> frozenset[str]:
        opened = self._at
        self._at += 1
        negated = self._peek() == "^"
        self._at += negated
        members: set[str] = set()
        first = True
        while first or self._peek() != "]":
            first = False
            if not self._peek():
                self._refuse("a [ that nothing closes", opened)
            members |= self._class_item()
        self._at += 1
        return EVERY - members if negated else frozenset(members)

    def _class_item(self) -> frozenset[str]:
        named = _NAMED_CLASS.match(self._text, self._at)
        if named is not None:
            if named.group(2) not in _POSIX:
                self._refuse(f"{named.group()}, which is no class that RE2 knows")
            self._at = named.end()
            return EVERY - _POSIX[named.group(2)] if named.group(1) else _POSIX[named.group(2)]
        if self._peek() == "\\" and (members := self._class_escape()) is not None:
            return members
        low = high = self._class_character()
        if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("", "]"):
            self._at += 1
            high = self._class_character()
            if high < low:
                self._refuse(f"the range {low}-{high}, whose end comes before its start")
        found = frozenset(c for c in EVERY if low <= c <= high)
        if "i" in self._flags:
            found |= frozenset(c for c in LETTERS if low <= c.upper() <= high)
        return found

    def _class_character(self) -> str:
        if self._peek() == "\\":
            return self._character()
        self._at += 1
        return self._text[self._at - 1]

    def _literal(self, character: str) -> frozenset[str]:
        folded = character.lower() if "i" in self._flags else character
        return frozenset(folded) & EVERY

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _refuse(self, why: str, at: int | None = None) -> NoReturn:
        raise RefusedError(why, (self._at if at is None else at) + 1)


def _repeats(node: Node) -> int:
    """How often the innermost item is repeated at most, unlimited repetitions counted by their lower bound."""
    if isinstance(node, Repeat):
        bound = node.most if node.most is not None else node.least
        return max(bound, 1) * _repeats(node.item)
    if isinstance(node, (Sequence, Choice)):
        return max((_repeats(item) for item in node.items), default=1)
    return 1
