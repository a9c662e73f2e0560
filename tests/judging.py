"""A few lines of a site, or a file, judged as the command line would judge them."""

import re
from datetime import date
from pathlib import Path

from genvalues import facts, lint, pipeline
from genvalues.finding import Finding
from genvalues.rules.page import Example

TODAY = date(2026, 11, 30)
FACTS = facts.load()
BASE = Path(__file__).with_name("pages_base.yaml")
OVER_BASE = "apiVersion: genvalues/v1\nkind: Site\nname: page\nextends: [base.yaml]\n"


def site(text: str, folder: Path) -> list[Finding]:
    """The findings about a whole site."""
    (folder / "site.yaml").write_text(text, "utf-8")
    return list(pipeline.check(str(folder / "site.yaml"), FACTS, TODAY).findings)


def lines(text: str, folder: Path) -> list[Finding]:
    """The findings about some lines of a site, which lie over the standard minimal one."""
    (folder / "base.yaml").write_text(BASE.read_text("utf-8"), "utf-8")
    return site(text + OVER_BASE, folder)


def file(text: str, kind: str = "", chart: str = "") -> list[Finding]:
    """The findings about a file; what it is, and for which chart, where it does not say so itself."""
    return list(lint.text(text, "page", FACTS, TODAY, as_kind=kind, chart=chart).findings)


def example(block: Example, folder: Path) -> list[Finding]:
    """The findings about a block of a rule's page."""
    if block.front_end == "site":
        return (lines if block.text.startswith("# base: minimal") else site)(block.text, folder)
    text = block.text
    if block.front_end == "dcgm-csv":  # where a comment would be part of the row
        text = re.sub(r"\s*# expect: GV\d+$", "", text, flags=re.MULTILINE)
    return file(text, block.front_end, block.chart)
