"""A folder in place of sites stands for those in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def fleet(repository: Path) -> Path:
    """Two sites, a base, files of others, and a site where none is looked for."""
    site = (repository / "site.yaml").read_text("utf-8")
    (repository / "site.yaml").unlink()
    for path, text in {
        "sites/a/site.yaml": site.replace("name: lab", "name: one"),
        "sites/b.yml": "# a comment\n---\n"
        + site.replace("name: lab", "name: two").replace("kind: Site", 'kind: "Site"'),
        "sites/base.yaml": "apiVersion: genvalues/v1\nkind: Base\n",
        "sites/notes.txt": site,
        "values.yaml": "driver: {enabled: true}\n",
        "broken.yaml": "a: [\n",
        ".hidden/site.yaml": site,
        "node_modules/x/site.yaml": site,
    }.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text, "utf-8")
    return repository


def test_render_takes_the_sites_of_a_folder(fleet: Path, genvalues: Run) -> None:
    """Those that say that they are sites, wherever they lie; bases and files of others are not rendered."""
    code, out, _ = genvalues("render", ".")

    assert code == 0
    assert {line.partition(":")[0] for line in out.splitlines() if line.startswith("out/")} == {"out/one", "out/two"}


def test_a_base_that_breaks_a_site_is_found(fleet: Path, genvalues: Run) -> None:
    """`check .` says what checking the base alone cannot know."""
    (fleet / "sites/base.yaml").write_text(
        "apiVersion: genvalues/v1\nkind: Base\ndriver: {version: 550.54.15}\n", "utf-8"
    )
    site = fleet / "sites/a/site.yaml"
    site.write_text(
        site.read_text("utf-8").replace("a100-sxm4-40gb", "b200-sxm6-180gb") + "extends: [../base.yaml]\n", "utf-8"
    )
    alone, _, _ = genvalues("check", "sites/base.yaml")
    code, out, _ = genvalues("check", ".", "--select", "GV501")

    assert (alone, code) == (0, 1)
    assert out.startswith("sites/base.yaml:3:19: error GV501: ")


def test_a_folder_and_a_file_in_it_are_checked_once(fleet: Path, genvalues: Run) -> None:
    """Whatever stands for it, a site is one site."""
    code, out, _ = genvalues("render", "sites", "sites/b.yml")

    assert code == 0
    assert sum(line.startswith("out/two") for line in out.splitlines()) == 1


def test_a_folder_without_sites_is_wrong_use(fleet: Path, genvalues: Run) -> None:
    """Nothing checked is not clean."""
    (fleet / "empty").mkdir()
    code, _, err = genvalues("check", "empty")

    assert code == 2
    assert "no file in empty is a site" in err
