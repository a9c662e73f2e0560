"""What the tests of lint share: the facts, one call for one text, and the public files in the reference folder."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from genvalues import facts, lint
from genvalues.facts import Facts
from genvalues.lint import Linted

TODAY = date(2026, 11, 30)

Lint = Callable[..., Linted]


@pytest.fixture(scope="session")
def known() -> Facts:
    """The facts."""
    return facts.load()


@pytest.fixture(scope="session")
def linted(known: Facts) -> Lint:
    """lint.text of one text, called `file` unless it says otherwise."""

    def run(text: str, file: str = "file.yaml", **options: Any) -> Linted:
        return lint.text(text, file, known, TODAY, **options)

    return run


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The public files in the reference folder beside the checkout."""
    folder = Path(__file__).parents[3] / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip("no reference folder beside the checkout: the public files are not part of the repository")
    return folder
