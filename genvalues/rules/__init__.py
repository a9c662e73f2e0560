"""The rules, one module per family. A rule runs because it stands in its family's tuple, and the family in `ALL`."""

from genvalues.rules import (
    acceptance,
    bodies,
    dcgm,
    driver,
    hardware,
    labels,
    linting,
    mig,
    monitoring,
    nfd,
    node_feature_rules,
    offline,
    operator,
    output,
    rdma,
    reading,
    scheduling,
    sharing,
    workloads,
)
from genvalues.rules.rule import Rule

ALL: tuple[Rule, ...] = (
    *reading.RULES,
    *hardware.RULES,
    *sharing.RULES,
    *mig.RULES,
    *driver.RULES,
    *workloads.RULES,
    *offline.RULES,
    *operator.RULES,
    *nfd.RULES,
    *labels.RULES,
    *node_feature_rules.RULES,
    *rdma.RULES,
    *dcgm.RULES,
    *monitoring.RULES,
    *scheduling.RULES,
    *output.RULES,
    *bodies.RULES,
    *linting.RULES,
    *acceptance.RULES,
)
"""Every rule, in the order of families: those that look at a site, at a file, or across files, and those that reading,
shape checking and writing report themselves."""


def by_code() -> dict[str, Rule]:
    """The rules by their codes."""
    return {rule.code: rule for rule in ALL}
