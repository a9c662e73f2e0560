"""The program that spells fact files the one way."""

import json
from pathlib import Path

import facts_text
import pytest


def test_a_file_is_spelt_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One blank for each level, short nodes on one line, one line break at the end; what the folder wants inline, inline."""
    monkeypatch.setattr(facts_text, "DATA", tmp_path)
    (tmp_path / "gpus").mkdir()
    file = tmp_path / "gpus" / "x1.json"
    file.write_text(json.dumps({"display": "X1", "compute_capability": [8, 9], "sources": {}}, indent=4), "utf-8")

    assert facts_text.main([str(file)]) == 0
    assert file.read_text("utf-8") == '{\n "display": "X1",\n "compute_capability": [8, 9],\n "sources": {}\n}\n'


def test_no_file_is_wrong_use() -> None:
    """Somebody who names nothing is told so."""
    assert facts_text.main([]) == 2
