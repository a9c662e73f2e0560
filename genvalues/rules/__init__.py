"""The rules, one module per family. A rule runs because it stands in its family's tuple, and the family in `ALL`."""

from genvalues.rules import driver, hardware, output, operator, acceptance
from genvalues.rules.rule import Rule

ALL: tuple[Rule, ...] = (
    *hardware.RULES,
    *driver.RULES,
    *operator.RULES,
    *output.RULES,
    *acceptance.RULES,
)
"""Every rule that looks at a site, at a file, or across files, in the order of families."""


def by_code() -> dict[str, Rule]:
    """The rules by their codes, those included that reading and shape checking report themselves."""
    return {rule.code: rule for rule in ALL}
