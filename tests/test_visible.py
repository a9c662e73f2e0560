import pytest

from genvalues.visible import all_seen, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text, C:\\dir", "plain text, C:\\dir"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x1b[2J\x07\x7f\x9b", "\\x1b[2J\\x07\\x7f\\x9b"),
        ("user\u202exyz\u2066", "user\\u202exyz\\u2066"),
        ("a\u200bb\ufeffc\xa0d\u2028", "a\\u200bb\\ufeffc\\xa0d\\u2028"),
        ("\ud800\U000e0041\ue000", "\\ud800\\U000e0041\\ue000"),
        ("Größe 日本 😀", "Größe 日本 😀"),
    ],
)
def test_unseen_characters_become_escapes(text: str, expected: str) -> None:
    """What a terminal obeys or an eye cannot see is spelt out; letters of any script stay."""
    assert (visible(text), all_seen(text)) == (expected, text == expected)
