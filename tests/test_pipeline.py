"""From a site file to findings: where each lands, and what stops what."""

from datetime import date
from pathlib import Path

import pytest

from genvalues import facts, pipeline
from genvalues.finding import format_route

FACTS = facts.load()
SITE = """\
apiVersion: genvalues/v1
kind: Site
name: lab
cluster: {kubernetes: "1.35.0", distribution: kubeadm}
charts: {gpuOperator: v26.7.0}
hardware:
  defaults:
    os: {id: ubuntu, version: "24.04"}
    role: gpu
  pools:
  - {name: a, gpu: {model: l40s, count: 4}}
driver: {version: "580.173.02"}
"""


def found(folder: Path, more: str = "", site: str = SITE) -> list[tuple[str, int]]:
    """Code and line of each finding, by line."""
    (folder / "site.yaml").write_text(site + more, "utf-8")
    findings = pipeline.check(str(folder / "site.yaml"), FACTS, date(2026, 11, 30)).findings
    return sorted(((f.code, f.place.line) for f in findings), key=lambda pair: pair[1])


def test_sound_site_gives_nothing(tmp_path: Path) -> None:
    """The site of these tests is in order, so what they find is what they add."""
    assert [] == found(tmp_path)


def test_dead_override_is_shown_at_its_own_key(tmp_path: Path) -> None:
    """A raw value that no template reads is found at its line, beside a fault of the site itself."""
    more = "overrides:\n  gpuOperator:\n    migManager:\n      strategy: mixed\n"
    broken = SITE.replace("l40s,", "l40x,")

    assert [("GV901", 16)] == found(tmp_path, more)
    assert [("GV200", 11), ("GV901", 16)] == found(tmp_path, more, broken)


def test_override_that_switches_a_decision_off_is_the_one_to_mend(tmp_path: Path) -> None:
    """NFD's flag replaces the list that the pools' roles need: the flag's line is shown, theirs beside it."""
    more = "overrides:\n  nodeFeatureDiscovery:\n    master: {extraLabelNs: [x.io]}\n"
    (tmp_path / "site.yaml").write_text(SITE + more, "utf-8")

    findings = pipeline.check(str(tmp_path / "site.yaml"), FACTS, date(2026, 11, 30)).findings
    inert = next(f for f in findings if f.code == "GV902")

    assert format_route(inert.path) == "overrides.nodeFeatureDiscovery.master.extraLabelNs"
    assert [9] == [r.place.line for r in inert.related if r.place.file.endswith("site.yaml")]
    assert "node-feature-discovery/values.yaml" in [r.place.file for r in inert.related]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("a: [1\n", ["GV001"]),
        (SITE + "nmae: x\n", ["GV101"]),
        (SITE.replace("name: lab", "name: Lab"), ["GV105"]),
    ],
)
def test_what_cannot_be_read_is_not_judged(tmp_path: Path, text: str, codes: list[str]) -> None:
    """A fault of reading or shape comes alone: what it does to the rest is no finding."""
    assert codes == [code for code, _ in found(tmp_path, site=text)]


def test_base_is_checked_for_shape_alone(tmp_path: Path) -> None:
    """A base lacks what sites bring, which is no fault; what it has must fit."""
    base = "apiVersion: genvalues/v1\nkind: Base\noffline: {imagePullSecrets: [regcred]}\n"

    assert [] == found(tmp_path, site=base)
    assert [("GV101", 4)] == found(tmp_path, "offlin: {}\n", site=base)


def test_texts_of_a_site_with_errors_are_refused(tmp_path: Path) -> None:
    """Nothing can be rendered by mistake."""
    (tmp_path / "site.yaml").write_text(SITE.replace("l40s,", "l40x,"), "utf-8")
    checked = pipeline.check(str(tmp_path / "site.yaml"), FACTS, date(2026, 11, 30))

    assert () == checked.docs
    with pytest.raises(ValueError, match="has errors and is not rendered"):
        pipeline.texts(checked)


ACCEPT = "accept:\n- {code: GV548, reason: upgrade is planned for March, until: 2027-03-31%s}\n"


@pytest.mark.parametrize(
    ("pool", "expected"),
    [("", []), (", pool: a", [("GV548", 5), ("GV191", 14)]), (", pool: b", [("GV548", 5), ("GV192", 14)])],
)
def test_acceptance_takes_a_finding_out(tmp_path: Path, pool: str, expected: list[tuple[str, int]]) -> None:
    """With its pool only where the finding is about that pool; one that matches nothing is a finding itself."""
    site = SITE.replace("v26.7.0", "v25.10.1").replace('"1.35.0"', '"1.34.2"').replace("580.173.02", "580.178.04")

    assert expected == found(tmp_path, ACCEPT % pool, site)
