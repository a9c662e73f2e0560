"""Text from strangers made safe to print: what a terminal obeys or an eye cannot see becomes an escape.

The set is written out instead of asking `str.isprintable`, whose answer grows with each Python's Unicode tables: the
same input must give the same bytes on every Python. Private-use characters count as unseen, emoji do not.
"""

import re

# Controls, odd blanks, soft hyphen, zero-width characters, directional overrides (CVE-2021-42574), line separators,
# Hangul fillers, surrogates, private use, byte order mark, non-characters, tags.
_UNSEEN = (
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\u3164\ud800-\uf8ff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U0010ffff]"
)
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def visible(text: str) -> str:
    """`text` on one line, with every control and unseen character as the escape that YAML and Python both know."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSEEN, _escape, text)


def all_seen(text: str) -> bool:
    """Whether `visible` would leave `text` as it is."""
    return (text.isascii() and text.isprintable()) or re.search(_UNSEEN, text) is None


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
