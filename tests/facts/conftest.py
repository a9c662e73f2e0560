import sys
from pathlib import Path

import pytest

from genvalues.facts import Facts, load

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))  # tools/ is no package; its modules import each other by name


@pytest.fixture(scope="session")
def facts() -> Facts:
    return load()


@pytest.fixture(scope="session")
def reference() -> Path:
    """The reference folder beside the checkout, where there is one."""
    folder = ROOT.parent / "shared" / "reference"
    if not (folder / "hardware.json").is_file():
        pytest.skip("no reference folder beside the checkout")
    return folder
