"""Our own renderings, read as anybody's files."""

from datetime import date
from pathlib import Path

import pytest

from genvalues import lint
from genvalues.facts import Facts

OUT = Path(__file__).parents[2] / "out"
SITES = sorted(path.name for path in OUT.iterdir() if path.is_dir())


def _texts(*sites: str) -> list[tuple[str, str]]:
    files = [file for site in sites for file in sorted((OUT / site).rglob("*.yaml"))]
    return [(str(file.relative_to(OUT)), file.read_text("utf-8")) for file in files]


@pytest.mark.parametrize("site", SITES)
def test_rendering_of_a_site_is_in_order(known: Facts, site: str) -> None:
    """No error and no warning, no assumed version: the files say which chart they are for."""
    found = lint.files(_texts(site), known, date(2026, 11, 30))

    assert [] == [f"{f.place.file}:{f.place.line} {f.code} {f.message}" for f in found.findings if f.code != "GV906"]
    assert {"values", "node-feature-rule"} <= {body.kind for body in found.bodies}


def test_renderings_of_all_sites_at_once(known: Facts) -> None:
    """Sites beside one another are not taken for one cluster."""
    found = lint.files(_texts(*SITES), known, date(2026, 11, 30))

    assert [] == [f"{f.place.file}:{f.place.line} {f.code} {f.message}" for f in found.findings if f.code != "GV906"]
