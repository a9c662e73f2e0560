"""Scalars as templates print them. Every expectation is what `helm template` (v4.0) printed for GPU Operator's chart."""

import pytest

from genvalues.contracts.scalars import printed_back, show, typed
from genvalues.finding import Json


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (None, ""), (True, "true"), (False, "false"), ("580.10", "580.10"), (580.1, "580.1"), (535, "535"), (194, "194"),
        (100000, "100000"), (123456, "123456"), (999999.5, "999999.5"), (1000000, "1e+06"), (12345678, "1.2345678e+07"),
        (1234567.5, "1.2345675e+06"), (12345678901, "1.2345678901e+10"), (1e21, "1e+21"), (-1.5, "-1.5"),
        (0.0001234, "0.0001234"), (0.00001, "1e-05"), (0, "0"), (0.1, "0.1"),
    ],
)  # fmt: skip
def test_show_prints_as_a_template_does(value: Json, printed: str) -> None:
    """Numbers are float64 to Helm: an exponent from a million on, and below a ten-thousandth."""
    assert show(value) == printed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("580.10", 580.1), ("580.95.05", "580.95.05"), ("y", True), ("on", True), ("No", False), ("0302", 194), ("08", 8),
        ("1e30", 1e30), ("1_000", 1000), ("0o17", 15), ("12:30:45", "12:30:45"), ("2026-01-01", "2026-01-01"), ("v1", "v1"),
        ("tRUE", "tRUE"), ("=", "="), ("0x1F", 31), ("", None), ("~", None),
    ],
)  # fmt: skip
def test_printed_back_reads_as_helm_does(text: str, value: Json) -> None:
    """A text that stands without quotes becomes what YAML 1.1 as go-yaml reads it makes of it."""
    assert printed_back(text) == value


@pytest.mark.parametrize(
    ("value", "raw", "expected"),
    [
        ("on", "on", True), (580.1, "580.10", 580.1), ("580.10", '"580.10"', "580.10"), ("no", "'no'", "no"),
        ("on", None, "on"), ({"a": 1}, "{a: 1}", {"a": 1}), ("text\n", "|\n  text", "text\n"), (5, " 5 ", 5),
    ],
)  # fmt: skip
def test_typed_takes_the_text_over_another_readers_view(value: Json, raw: str | None, expected: Json) -> None:
    """A plain scalar is read anew; what is quoted, a block or a collection stays as it is."""
    assert typed(value, raw) == expected
