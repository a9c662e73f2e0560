"""Which faults of a text (GV0xx) count in a file that people wrote for Helm and kubectl.

What YAML readers disagree on (GV010, GV011) is a fault where text is wanted, which contracts and schemas tell; `yes` and
`0644` are someone's right elsewhere; where a number is wanted, one that readers read as different numbers. A key that is no text (GV014) is a fault where it is a collection: Helm and kubectl
make text of numbers.
"""

from collections.abc import Iterable, Sequence

from genvalues import contracts
from genvalues.finding import Finding
from genvalues.lint.part import Part
from genvalues.scalar import readings

_NUMBERS = ("integer", "number", "int-or-string")


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


def misread_numbers(findings: Iterable[Finding], parts: Sequence[Part], extra: tuple[str, ...]) -> list[Finding]:
    """Those of GV010 that stand where a chart wants a number, and are not the same one to all readers: `010`."""
    return [finding for finding in findings if finding.code == "GV010" and _wants_number(finding, parts, extra)]


def _wants_number(finding: Finding, parts: Sequence[Part], extra: tuple[str, ...]) -> bool:
    place = finding.place
    typed = place.excerpt[place.column - 1 : place.end_column - 1]
    if len({value for _, value in readings(typed)}) < 2:
        return False
    for part in parts:
        base, chart = part.body.base, part.body.chart
        if part.body.kind == "values" and chart is not None and finding.path[: len(base)] == base:
            contract = contracts.load(chart.name, chart.version, extra)
            entry = contract.at(finding.path[len(base) :]) if contract else None
            if entry is not None and entry.type in _NUMBERS:
                return True
    return False
