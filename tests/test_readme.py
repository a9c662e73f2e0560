"""What the documentation shows is what the tool says, and what the package holds."""

import re
import textwrap
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


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CODE = [textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```$", CONTRIBUTING, re.DOTALL | re.MULTILINE)]


@pytest.mark.parametrize("code", CODE, ids=["rule", "artefact"])
def test_code_that_contributors_are_shown_is_ours(code: str) -> None:
    """Word for word, so that it cannot go stale."""
    assert [file for file in (ROOT / "genvalues").rglob("*.py") if code in file.read_text("utf-8")]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"^ +make (\w+)", CONTRIBUTING, re.MULTILINE))))
def test_make_has_the_targets_that_contributors_are_told(target: str) -> None:
    """Every target that CONTRIBUTING names is in the Makefile."""
    assert f"\n{target}: " in (ROOT / "Makefile").read_text("utf-8")
