"""Which faults of a text (GV0xx) count in a file that people wrote for Helm and kubectl.

What YAML readers disagree on (GV010, GV011) is a fault where text is wanted, which contracts and schemas tell; `yes` and
`0644` are someone's right elsewhere. A key that is no text (GV014) is a fault where it is a collection: Helm and kubectl
make text of numbers.
"""

from collections.abc import Iterable

from genvalues.finding import Finding


def braces(finding: Finding) -> bool:
    """Whether a finding is about a collection where a key is wanted, as an unquoted `{{ }}` makes one."""
    return finding.code == "GV014" and finding.place.excerpt[finding.place.column - 1 :][:1] in ("{", "[", "?")


def counting(findings: Iterable[Finding], *, all_text: bool = False) -> list[Finding]:
    """The faults that are faults whatever the text is for. `all_text`: every scalar of it is wanted as text."""
    kept = []
    for finding in findings:
        word_as_key = finding.code == "GV011" and finding.message.startswith("key ")
        misread = finding.code in ("GV010", "GV011", "GV014") and not all_text
        if braces(finding) or word_as_key or not misread:
            kept.append(finding)
    return kept
