"""The codes of what reading, extending and shape checking report themselves; none of them runs as a rule.

`faults.py` and `syntax.py` find GV001 to GV015, `extends.py` GV020 to GV024, `mismatch.py` GV101 to GV109. GV012 and GV013
stay free: dates are text, and null is a value.
"""

from genvalues.rules.rule import Rule

_SINCE = "0.1.0"

SOURCE_RULES: tuple[Rule, ...] = (
    Rule("GV001", "error", "Text that is no YAML", _SINCE),
    Rule("GV002", "error", "A file that cannot be read", _SINCE),
    Rule("GV003", "error", "A file that is no text", _SINCE),
    Rule("GV004", "error", "A file without a mapping", _SINCE),
    Rule("GV005", "error", "A key that stands twice", _SINCE),
    Rule("GV006", "error", "A file too large or too deep", _SINCE),
    Rule("GV007", "error", "An alias that leads nowhere, or without end", _SINCE),
    Rule("GV008", "error", "A second document in a file", _SINCE),
    Rule("GV009", "error", "A tag that asks for more than data", _SINCE),
    Rule("GV010", "error", "A number that YAML readers read or write otherwise", _SINCE),
    Rule("GV011", "error", "A word that some YAML readers take for true or false", _SINCE),
    Rule("GV014", "error", "A key that is no text", _SINCE),
    Rule("GV015", "error", "A merge of what is no mapping", _SINCE),
    Rule("GV020", "error", "A base that cannot be read", _SINCE),
    Rule("GV021", "error", "Files that extend one another in a circle", _SINCE),
    Rule("GV022", "error", "A base outside the repository", _SINCE),
    Rule("GV023", "error", "A base that is none", _SINCE),
    Rule("GV024", "error", "Too many bases", _SINCE),
    Rule("GV025", "error", "A file that the site names and that cannot be used", _SINCE),
)

SHAPE_RULES: tuple[Rule, ...] = (
    Rule("GV101", "error", "A key that does not exist", _SINCE),
    Rule("GV102", "error", "A key that is reserved", _SINCE),
    Rule("GV103", "error", "A value of the wrong type", _SINCE),
    Rule("GV104", "error", "A value that is none of the possible ones", _SINCE),
    Rule("GV105", "error", "A text of the wrong form", _SINCE),
    Rule("GV106", "error", "A key that is missing", _SINCE),
    Rule("GV107", "error", "A value too small or too large", _SINCE),
    Rule("GV108", "error", "A list item that stands twice", _SINCE),
    Rule("GV109", "error", "A mapping with nothing in it", _SINCE),
)

RULES = SOURCE_RULES + SHAPE_RULES
