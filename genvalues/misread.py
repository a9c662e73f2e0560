"""What a scalar that YAML readers disagree on (GV010, GV011) was meant to be, where the schema says what is wanted.

Reading knows no schema, so it offers the scalar as text and as what readers take it for. At a key of a site one of the two
would only be the next finding.
"""

import re
from collections.abc import Sequence

from genvalues.finding import Finding, Json
from genvalues.mismatch import for_example, part_at
from genvalues.wording import entry

CODES = ("GV010", "GV011")

_BOTH = re.compile(r"(?P<text>.*) \(as a (?:number|boolean): (?P<other>.*)\)", re.DOTALL)
_DIGITS = re.compile(r'.*"0*(?P<digits>[0-9]{1,15})"', re.DOTALL)


def fitted(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each with the one fix that fits its key; those at keys that the schema does not know as they are."""
    return [_fitted(finding) if finding.code in CODES else finding for finding in findings]


def _fitted(finding: Finding) -> Finding:
    part = part_at(finding.path)
    if part is None or finding.fix.endswith(":"):  # a key as such
        return finding
    types = part.get("type")
    wanted = {types} if isinstance(types, str) else set(types or ())
    both = _BOTH.fullmatch(finding.fix)
    if wanted == {"string"}:
        return finding._replace(fix=both["text"]) if both else finding
    if wanted & {"boolean", "integer", "number"} and "string" not in wanted:
        return finding._replace(fix=_plain(finding, both, part, wanted))
    return finding


def _plain(finding: Finding, both: re.Match[str] | None, part: Json, wanted: set[str]) -> str:
    """The line with a boolean or a number: as readers take it, else the digits that stand there, else an example."""
    is_word = finding.code == "GV011"
    if both is not None and is_word == ("boolean" in wanted):
        return both["other"]
    digits = None if is_word or "boolean" in wanted else _DIGITS.fullmatch(finding.fix)
    return entry(finding.path, digits["digits"]) if digits else for_example(finding.path, part)
