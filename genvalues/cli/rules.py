"""genvalues rules: every rule, by code."""

import click

from genvalues import rules
from genvalues.cli import table

# Codes are grouped by number, see docs/rules.md.
_FAMILIES = (
    (0, "source"), (100, "shape"), (200, "hardware and pools"), (300, "sharing"), (400, "MIG"), (500, "driver"),
    (540, "operator"), (570, "offline"), (600, "NFD and labels"), (660, "RDMA and network"), (700, "DCGM and monitoring"),
    (800, "scheduling"), (900, "output, contracts and drift"), (950, "delivery"),
)  # fmt: skip


def family(code: str) -> str:
    """The family that a code belongs to."""
    number = int(code.removeprefix("GV"))
    return next(name for first, name in reversed(_FAMILIES) if number >= first)


@click.command("rules")
@table.format_option
def command(format_: str) -> None:
    """List the rules. `genvalues explain CODE` tells all about one."""
    known = sorted(rules.by_code().values(), key=lambda rule: rule.code)
    data = [
        {"code": r.code, "family": family(r.code), "severity": r.severity, "title": r.title, "since": r.since}
        for r in known
    ]
    table.show(
        format_,
        ("code", "severity", "family", "title"),
        [(r.code, r.severity, family(r.code), r.title) for r in known],
        data,
    )
