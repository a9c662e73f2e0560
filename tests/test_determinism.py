"""Same input, same bytes: whatever the hash seed, locale, time zone, folder and machine, and in whatever order keys stand.

Each run is a process of its own, as a user's would be. Other versions of Python: the tests themselves run on each.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
import yaml

import genvalues
from genvalues import facts, pipeline

ROOT = Path(__file__).resolve().parents[1]
FACTS = facts.load()
SITES = ["dc1-h100", "lab-shared"]
PROGRAM = "import sys; from genvalues.cli.main import main; sys.argv[0] = 'genvalues'; main()"
PACKAGE = str(Path(genvalues.__file__).resolve().parents[1])

# What a user's shell, a cron job and a container may have set.
ENVIRONMENTS: dict[str, Mapping[str, str]] = {
    "seed": {"PYTHONHASHSEED": "1"},
    "other seed": {"PYTHONHASHSEED": "4242"},
    "C locale": {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "Latin-1": {"LC_ALL": "en_US.ISO-8859-1", "PYTHONIOENCODING": "latin-1"},
    "Kiritimati": {"TZ": "Pacific/Kiritimati"},
    "optimised": {"PYTHONOPTIMIZE": "2"},
}


def render(site: str, out: Path, environment: Mapping[str, str], folder: Path = ROOT) -> dict[str, bytes]:
    """The files of a site, rendered by a process in `folder` with just that environment."""
    path = os.path.relpath(ROOT / "profiles" / f"{site}.yaml", folder)
    command = [sys.executable, "-c", PROGRAM, "render", path, "-o", str(out), "--today", "2026-11-30", "--quiet"]
    done = subprocess.run(
        command, cwd=folder, env={"PATH": os.environ["PATH"], "PYTHONPATH": PACKAGE, **environment}, capture_output=True, check=False
    )  # fmt: skip
    assert (0, b"") == (done.returncode, done.stderr)
    return content(out / site)


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_environment_changes_no_byte(environment: str, tmp_path: Path) -> None:
    """The committed files of out/ come out on every machine."""
    site = SITES[list(ENVIRONMENTS).index(environment) % 2]

    assert content(ROOT / "out" / site) == render(site, tmp_path, ENVIRONMENTS[environment])


def test_folder_changes_no_byte(tmp_path: Path) -> None:
    """Nor does it matter where the command runs, and how the path of the site is written."""
    assert content(ROOT / "out" / "dc1-h100") == render("dc1-h100", tmp_path / "out", {}, tmp_path)


def turned(data: object) -> object:
    """Every mapping with its keys in reverse order."""
    if isinstance(data, dict):
        return {key: turned(value) for key, value in reversed(data.items())}
    return [turned(item) for item in data] if isinstance(data, list) else data


def unordered(data: object) -> object:
    """The same with every list in one order: lists that come from mappings follow the order in the site."""
    if isinstance(data, dict):
        return {key: unordered(value) for key, value in data.items()}
    return sorted(map(unordered, data), key=repr) if isinstance(data, list) else data


@pytest.mark.parametrize("site", SITES)
def test_order_of_keys_decides_nothing(site: str, tmp_path: Path) -> None:
    """Keys in another order: the same files, and in those that hold data the same data, but for its order."""
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    path = tmp_path / "profiles" / f"{site}.yaml"
    path.write_text(yaml.safe_dump(turned(yaml.safe_load(path.read_text("utf-8"))), sort_keys=False), "utf-8")
    checked = pipeline.check(str(path), FACTS, date(2026, 11, 30))
    expected = {
        name: unordered(yaml.safe_load(text))
        for name, text in content(ROOT / "out" / site).items()
        if name.endswith(".yaml")
    }

    files = pipeline.texts(checked)

    assert set(content(ROOT / "out" / site)) == {*files, "genvalues.index.json"}
    assert expected == {name: unordered(yaml.safe_load(text)) for name, text in files.items() if name.endswith(".yaml")}
