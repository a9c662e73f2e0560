"""What the README shows is what the tool says."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from genvalues import facts, pipeline, report
from genvalues.finding import Finding

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def block(info: str) -> str:
    """The first fenced block of a language."""
    found = re.search(rf"```{info}\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found.group(1)


def findings(site: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Finding, ...]:
    (folder / "lab.yaml").write_text(site, "utf-8")
    monkeypatch.chdir(folder)
    return pipeline.check("lab.yaml", facts.load(), date(2026, 11, 30)).findings


def test_example_gives_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen in the README is the very output for the site above it."""
    said = report.render("text", findings(block("yaml"), tmp_path, monkeypatch), ())

    assert block("text") == said


def links(file: Path) -> Iterator[tuple[Path, str]]:
    """The relative links of a page, with the file that has them."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
        if "://" not in target:
            yield file, target


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(("file", "target"), [pair for page in PAGES for pair in links(page)])
def test_links_lead_somewhere(file: Path, target: str) -> None:
    """Relative links in the documentation name files that are there."""
    assert (file.parent / target).exists()
