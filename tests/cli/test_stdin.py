"""- is a site on standard input."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def piped(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a text on standard input."""

    def pipe(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return pipe


def test_piped_site_is_checked(repository: Path, genvalues: Run, piped: Callable[[str], None]) -> None:
    """Findings name it <stdin>."""
    piped((repository / "site.yaml").read_text("utf-8").replace("sharing: turns", "sharing: turn"))

    code, out, _ = genvalues("check", "-")

    assert code == 1
    assert "<stdin>:18:14: error GV300: " in out


def test_piped_site_extends_files_here(repository: Path, genvalues: Run, piped: Callable[[str], None]) -> None:
    """Its bases are looked for in the working folder."""
    (repository / "base.yaml").write_text(
        "apiVersion: genvalues/v1\nkind: Base\ndriver: {version: '580.173.02'}\n", "utf-8"
    )
    piped((repository / "site.yaml").read_text("utf-8") + "extends: [base.yaml]\n")

    assert genvalues("check", "-")[0] == 0


def test_piped_site_is_printed_and_not_written(repository: Path, genvalues: Run, piped: Callable[[str], None]) -> None:
    """--stdout renders it; a folder needs a file that its header can name."""
    piped((repository / "site.yaml").read_text("utf-8"))
    code, out, _ = genvalues("render", "-", "--stdout", "--only", "verify/b")

    assert code == 0
    assert "name: verify-b" in out
    assert genvalues("render", "-")[0] == 2
    assert not (repository / "out").exists()
