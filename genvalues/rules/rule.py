"""What a rule is: a code, a page, and up to three adaptors that find one kind of fault.

A judgement is a function of domain values and knows no place. The adaptors bring it to a site (`site`), to one body
found in a file (`files`), or to all bodies of a rendering or a lint run together (`across`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Literal

from genvalues.document import Chart, Kind
from genvalues.facts import Facts
from genvalues.facts.kinds import OperatorRelease
from genvalues.finding import Hit, Json, Route, Severity
from genvalues.model import Site
from genvalues.plan import Plan
from genvalues.record import NamedTuple


class Case(NamedTuple):
    """Everything that a rule over the site may look at. Routes of hits are routes of `site.data`."""

    site: Site
    plan: Plan
    facts: Facts
    today: date

    @property
    def release(self) -> OperatorRelease | None:
        """The release of the GPU Operator that the site installs; None where there are no facts of it."""
        return self.facts.operator_release(self.plan.operator.chart.version)


class Body(NamedTuple):
    """One judged body of a file: what it is, its data, and where in the file's document it sits (`base`).

    Routes of hits are relative to `data`. `chart` is known for values and for what an operator version reads.
    For kind dcgm-csv `data` is the text itself, as it stands in the file, for only there the faults of its syntax can be
    seen. Routes are then `(n,)` for the line of index n (so line n + 1 of the text), and `()` for the text as a whole.
    `namespace` is where values are installed, and `distribution` that of the cluster: "" where the file does not tell.
    """

    kind: Kind
    data: Json
    file: str
    base: Route = ()
    chart: Chart | None = None
    namespace: str = ""
    distribution: str = ""

    def release(self, facts: Facts) -> OperatorRelease | None:
        """The release of the GPU Operator that reads the body; None where that is another chart, or one without facts."""
        if self.chart is None or self.chart.name != "gpu-operator":
            return None
        return facts.operator_release(self.chart.version)


SiteCheck = Callable[[Case], Iterator[Hit]]
FileCheck = Callable[[Body, Facts], Iterator[Hit]]
AcrossCheck = Callable[[Sequence[Body], Facts], Iterator[tuple[Body, Hit]]]


Needs = Literal["", "whole", "version"]
"""What a hand-written file must give before a rule may speak of it: all of the values, a chart version that is stated."""


class Rule(NamedTuple):
    """A rule. Its page is `pages/<code>.md`; its place in the tuple of its family is what makes it run.

    `needs` is "whole" for a rule about what values lack, which other values may have, and "version" for one that holds
    them against what one chart version brings, which would be a guess.
    """

    code: str
    severity: Severity
    title: str
    since: str
    site: SiteCheck | None = None
    files: Mapping[Kind, FileCheck] = {}
    across: AcrossCheck | None = None
    needs: Needs = ""


def rule(
    code: str,
    severity: Severity,
    title: str,
    *,
    since: str = "0.1.0",
    files: Mapping[Kind, FileCheck] | None = None,
    across: AcrossCheck | None = None,
    needs: Needs = "",
) -> Callable[[SiteCheck], Rule]:
    """Make the decorated check over the site a `Rule`; `files` and `across` bring the same judgement to bodies of files."""

    def make(check: SiteCheck) -> Rule:
        return Rule(code, severity, title, since, check, files or {}, across, needs)

    return make
