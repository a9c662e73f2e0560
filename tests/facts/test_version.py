import pytest

from genvalues.facts import version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("580.95.05", (580, 95, 5)),
        ("580", (580,)),
        ("570.26", (570, 26)),
        ("1.34.2", (1, 34, 2)),
        ("", None),
        ("580.", None),
        (".95", None),
        ("580.95.05-ubuntu22.04", None),
        ("v580", None),
        ("٥٨٠", None),
        ("580\n", None),
        ("1" * 5000, None),
    ],
)
def test_driver_version_is_digits_and_dots(text: str, expected: tuple[int, ...] | None) -> None:
    """Every part counts as a number, so 05 is 5; whatever else stands there makes it no version."""
    assert expected == version.driver(text)


def test_branch_is_the_first_part_of_a_driver() -> None:
    """A release and its branch have the same branch; only the branch alone is one."""
    assert [version.branch(text) for text in ("580.95.05", "580", "R580")] == ["580", "580", None]
    assert [version.is_branch(text) for text in ("580", "580.95.05", "")] == [True, False, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v25.10.1", (25, 10, 1)),
        ("25.10.1", (25, 10, 1)),
        ("0.18.3", (0, 18, 3)),
        ("v26.7.0-rc.2", (26, 7, 0)),
        ("v26.7.0+acme", (26, 7, 0)),
        ("vv26.7", None),
        ("main-latest", None),
    ],
)
def test_chart_version_may_carry_a_v_and_a_suffix(text: str, expected: tuple[int, ...] | None) -> None:
    """Charts are published with and without v; a pre-release counts as its release."""
    assert expected == version.chart(text)


def test_minor_is_the_release_line() -> None:
    """The first two parts, as the facts about operators are filed."""
    assert [version.minor(text) for text in ("v25.10.1", "1.34.2", "0.18.3", "580", "x")] == [
        "25.10",
        "1.34",
        "0.18",
        None,
        None,
    ]


def test_exporter_versions_order_by_the_exporters_own_number() -> None:
    """Upstream writes DCGM's version first, but 4.4.0-4.5.0 came before 4.4.1-4.5.2, 4.4.1-4.6.0 and 4.4.2-4.7.0."""
    tags = ["3.3.9-3.6.1", "4.0.0-4.0.1", "4.2.3-4.2.0", "4.4.0-4.5.0", "4.4.1-4.5.2", "4.4.1-4.6.0", "4.4.2-4.7.0"]
    parsed = [version.exporter(tag) for tag in tags]

    assert version.exporter("4.4.2-4.7.0-distroless") == ((4, 7, 0), (4, 4, 2))
    assert [tag for tag, one in zip(tags, parsed, strict=True) if one is None] == []
    assert parsed == sorted(parsed, key=lambda one: one or ((), ()))
    assert version.exporter("4.4.2") is None


@pytest.mark.parametrize(
    ("text", "than", "expected"),
    [
        ("580.95.05", "580.95.05", True),
        ("580.105.08", "580.95.05", True),
        ("580.95", "580.95.05", False),
        ("580", "580.65.06", False),
        ("570.86.15", "570.124.06", False),
        ("v26.3.0", "26.3", True),
        ("25.10.1", "25.3.4", True),
        ("x", "1", None),
        ("1", "", None),
    ],
)
def test_versions_compare_part_by_part(text: str, than: str, expected: bool | None) -> None:
    """As numbers, not as text: 580.105 is newer than 580.95; missing parts are 0."""
    assert expected is version.same_or_newer(text, than)
