"""out/ is what profiles/ renders to, byte for byte: example, showcase and golden files at once.

A renderer that changes changes these files; `make golden` writes them, and whoever does so reads the difference.
"""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

import docs
from genvalues import facts, pipeline, tree

ROOT = Path(__file__).resolve().parents[1]
TODAY = date(2026, 11, 30)
FACTS = facts.load()
SITES = sorted((ROOT / "profiles").glob("*.yaml"))
BASES = sorted((ROOT / "profiles" / "base").glob("*.yaml"))

each_site = pytest.mark.parametrize("site", SITES, ids=lambda site: site.stem)


def remarked(site: Path) -> set[str]:
    """The codes that the first comment of a site announces."""
    head = site.read_text("utf-8").partition("\napiVersion:")[0]
    return set(re.findall(r"\bGV\d{3}\b", head))


def findings(path: Path) -> list[str]:
    checked = pipeline.check(str(path), FACTS, TODAY)
    return [f"{f.place.line}: {f.severity} {f.code}: {f.message}" for f in checked.findings]


@each_site
def test_site_has_the_findings_that_its_head_announces(site: Path) -> None:
    """A committed example is clean, but for remarks that its first comment gives the reason of."""
    checked = pipeline.check(str(site), FACTS, TODAY)

    assert remarked(site) == {f.code for f in checked.findings}, findings(site)
    assert checked.ok


@each_site
def test_rendering_is_the_committed_one(site: Path) -> None:
    """Each file of out/<site>/ is as rendered, none is missing, none is left over."""
    checked = pipeline.check(str(site), FACTS, TODAY)
    folder = tree.folder(str(ROOT / "out"), pipeline.about(checked).site)
    drifts = tree.diff(folder, pipeline.texts(checked), pipeline.about(checked))

    assert [] == [f"{drift.code} {drift.path}: {drift.message}\n{drift.diff}" for drift in drifts]


@each_site
def test_folder_holds_nothing_else(site: Path) -> None:
    """Nor does a folder of out/ hold files that no rendering wrote."""
    checked = pipeline.check(str(site), FACTS, TODAY)
    folder = ROOT / "out" / pipeline.about(checked).site
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    assert {*pipeline.texts(checked), "genvalues.index.json"} == written


def test_every_folder_of_out_has_its_site() -> None:
    """A site that goes takes its folder along; folders are named as files of profiles/."""
    assert [site.stem for site in SITES] == sorted(folder.name for folder in (ROOT / "out").iterdir())


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.stem)
def test_base_is_clean_by_itself(base: Path) -> None:
    """What sites share has no finding of its own."""
    assert [] == findings(base)


@pytest.mark.parametrize(
    ("name", "make"), [("rules.md", docs.rule_index), ("schema.md", docs.schema_reference)], ids=["rules", "schema"]
)
def test_generated_reference_is_current(name: str, make: Callable[[], str]) -> None:
    """docs/rules.md and docs/schema.md say what rules and schema say; `make docs` writes them."""
    assert make() == (ROOT / "docs" / name).read_text("utf-8"), "run: make docs"
