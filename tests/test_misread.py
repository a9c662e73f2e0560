"""A scalar that readers disagree on gets the fix that its key takes."""

from datetime import date
from pathlib import Path

import pytest

from genvalues import facts, pipeline

FACTS = facts.load()
SITE = """\
apiVersion: genvalues/v1
kind: Site
name: edge
cluster: {{kubernetes: {kubernetes}, distribution: kubeadm}}
charts: {{gpuOperator: v26.7.0}}
hardware:
  pools:
  - name: gpu
    nodes: {{count: {count}}}
    os: {{id: ubuntu, version: "24.04", secureBoot: {boot}}}
    gpu: {{model: l40s, count: 4}}
    labels: {{example.internal/burn-in: {label}}}
driver: {{version: {driver}, moduleParameters: {{nvidia: {{NVreg_X: {parameter}}}}}}}
{more}"""
SOUND = {
    "kubernetes": '"1.35"',
    "count": "16",
    "boot": "false",
    "label": "a",
    "driver": '"580.173.02"',
    "parameter": "0",
    "more": "",
}


def fixes(folder: Path, **parts: str) -> list[str]:
    """The fixes of what is misread in a site."""
    (folder / "site.yaml").write_text(SITE.format(**SOUND | parts), "utf-8")
    checked = pipeline.check(str(folder / "site.yaml"), FACTS, date(2026, 11, 30))
    return [finding.fix for finding in checked.findings if finding.code in ("GV010", "GV011")]


@pytest.mark.parametrize(
    ("key", "typed", "fix"),
    [
        ("boot", "on", "secureBoot: true"),
        ("boot", "No", "secureBoot: false"),
        ("boot", "010", "for example secureBoot: false"),
        ("count", "16.0", "count: 16"),
        ("count", "0x10", "count: 16"),
        ("count", "1_6", "count: 16"),
        ("count", "0302", "count: 302"),  # 194 to Helm, and nobody meant that
        ("count", "yes", "for example count: 16"),
        ("count", ".inf", "for example count: 16"),
        ("count", "1:30", "for example count: 16"),
        ("count", "9" * 5000, "for example count: 16"),
        ("label", "on", 'example.internal/burn-in: "on"'),
        ("label", "0302", 'example.internal/burn-in: "0302"'),
        ("kubernetes", "1.30", 'kubernetes: "1.30"'),
        ("driver", "580.10", 'version: "580.10"'),
        ("parameter", "0x10", 'NVreg_X: "0x10" (as a number: NVreg_X: 16)'),  # the key takes both
    ],
)
def test_fix_is_what_the_key_takes(tmp_path: Path, key: str, typed: str, fix: str) -> None:
    """Typing it leads to no second finding about the type."""
    assert fixes(tmp_path, **{key: typed}) == [fix]


def test_unknown_key_keeps_both(tmp_path: Path) -> None:
    """Where the schema knows nothing of a key, nothing is left out."""
    assert fixes(tmp_path, more="other: {a: on}\n") == ['a: "on" (as a boolean: a: true)']
