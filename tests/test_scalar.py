"""Plain scalars: what Helm and PyYAML read, and which of them are questioned."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from genvalues.scalar import Misread, readings, resolve

VECTORS = json.loads((Path(__file__).parent / "vectors" / "yaml-scalars.json").read_text())["scalars"]


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["text"])
def test_helm_reads_what_we_say_it_reads(row: dict[str, Any]) -> None:
    """A plain value is Helm's; of a questioned scalar, `readings` has Helm's value, and null is null."""
    if row.get("helm_refuses"):
        assert isinstance(resolve(row["text"]), Misread)
        return
    value = resolve(row["text"])
    ours = dict(readings(row["text"]))["Helm"] if isinstance(value, Misread) else value

    assert _same(row["helm"], ours)


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["text"])
def test_pyyaml_reads_what_we_say_it_reads(row: dict[str, Any]) -> None:
    """Where nothing is questioned PyYAML agrees, dates apart; a questioned scalar has PyYAML's value for Ansible."""
    value, theirs = resolve(row["text"]), yaml.safe_load(row["text"])
    if row.get("helm_refuses"):      # infinite, or no number
        assert isinstance(theirs, float)
        return
    ours = dict(readings(row["text"]))["Ansible"] if isinstance(value, Misread) else value

    assert _same(row["text"] if isinstance(theirs, (date, datetime)) else theirs, ours)


@pytest.mark.parametrize(
    "text",
    ["580.10", "0302", "1e30", "1_000", "0x1F", ".5", "12:30:45", "1.0", "-0", "+5", "08", "12345678901234567890",
     "on", "off", "yes", "No", "y", "N", ".inf", ".NaN"],
)  # fmt: skip
def test_what_readers_disagree_on_is_questioned(text: str) -> None:
    """Numbers that JSON spells otherwise, and the boolean words of YAML 1.1."""
    assert isinstance(resolve(text), Misread)


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), ("-3", -3), ("0", 0), ("0.5", 0.5), ("true", True), ("False", False), ("~", None), ("", None)],
)
def test_plain_values_are_values(text: str, value: Any) -> None:
    """Numbers, booleans and null as JSON has them, with their types."""
    assert (value, type(value)) == (resolve(text), type(resolve(text)))


@pytest.mark.parametrize(
    "text", ["580.95.05", "2027-03-01", "v25.10.1", "10Gi", "8xh100-ib", "15b3", "0x", "nO", "nan", "1:60", "_1"]
)
def test_texts_stay_texts(text: str) -> None:
    """Versions with two dots, dates, sizes and words that no reader takes for something else."""
    assert text == resolve(text)


def test_a_number_of_a_million_digits_is_questioned_and_not_computed() -> None:
    """No time is spent on a number that no reader keeps."""
    text = "9" * 1_000_000

    assert Misread(text, is_word=False) == resolve(text)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool) or a is None or isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and a == b
    return float(a) == float(b)
