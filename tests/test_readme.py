"""What the documentation shows is what the tool says, and what the package holds."""

import json
import re
import textwrap
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path

import click
import pytest

from genvalues import facts, pipeline, report
from genvalues.cli.main import COMMANDS
from genvalues.finding import Finding, Place

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


GUIDE = ROOT / "docs" / "guide"
TODAY = date(2026, 11, 30)


def fenced(page: str, info: str) -> list[str]:
    """The fenced blocks of a language in a page of the guide."""
    return re.findall(rf"```{info}\n(.*?)```", (GUIDE / page).read_text("utf-8"), re.DOTALL)


def test_first_site_is_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site of the guide has the one remark that its last section accepts."""
    first, accepted = fenced("first-site.md", "yaml")
    alone = findings(first, tmp_path, monkeypatch)

    assert [finding.code for finding in alone] == ["GV549"]
    assert findings(first + accepted, tmp_path, monkeypatch) == ()


def test_json_of_the_guide_is_the_public_form() -> None:
    """Its keys are those that a report has."""
    [shown] = fenced("ci.md", "json")
    finding = Finding("GV402", "error", "", "", Place("site.yaml", 1, 1, 2, ""), ())
    given, written = json.loads(shown), json.loads(report.render("json", (finding,), ()))

    assert given.keys() == written.keys()
    assert given["findings"][0].keys() == written["findings"][0].keys()
    assert given["counts"].keys() == written["counts"].keys()


def options(command: str) -> set[str]:
    """The options of a command as the command line takes them."""
    known: click.Command = import_module(f"genvalues.cli.{command}").command
    return {"--help", *(option for parameter in known.params for option in parameter.opts)}


SAID = [
    (page.name, command, words)
    for page in PAGES
    for command, words in re.findall(
        r"(?:^ {4}(?:.*\| )?|`)genvalues ([a-z]+)((?: [^\s`|]+)*)", page.read_text("utf-8"), re.MULTILINE
    )
]
"""What stands in backticks, or on an indented line by itself or behind a pipe."""


@pytest.mark.parametrize(("page", "command", "words"), SAID)
def test_commands_of_the_documentation_exist(page: str, command: str, words: str) -> None:
    """Each command that is written down is one, with options that it has."""
    assert command in COMMANDS, page
    assert {word for word in words.split() if word.startswith("--")} - options(command) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_options_of_the_documentation_exist(page: Path) -> None:
    """Each option that begins a piece of code is one of some command."""
    every = {option for command in COMMANDS for option in options(command)}
    named = set(re.findall(r"`(--[a-z-]+)", page.read_text("utf-8")))

    assert named - every == set()


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CODE = [
    textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```$", CONTRIBUTING, re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize("code", CODE, ids=["rule", "artefact"])
def test_code_that_contributors_are_shown_is_ours(code: str) -> None:
    """Word for word, so that it cannot go stale."""
    assert [file for file in (ROOT / "genvalues").rglob("*.py") if code in file.read_text("utf-8")]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"^ +make (\w+)", CONTRIBUTING, re.MULTILINE))))
def test_make_has_the_targets_that_contributors_are_told(target: str) -> None:
    """Every target that CONTRIBUTING names is in the Makefile."""
    assert f"\n{target}: " in (ROOT / "Makefile").read_text("utf-8")
