"""Findings that the report tests share: every severity, nasty texts, related places, all optional parts once."""

import pytest

from genvalues.finding import Finding, Place, Related

_VERSION = Finding(
    "GV041",
    "error",
    "driver.version is read as the number 580.1",
    'version: "580.10"',
    Place("profiles/dc1.yaml", 12, 12, 18, "  version: 580.10"),
    ("driver", "version"),
    (Related(Place("out/dc1/gpu-operator/values.yaml", 7, 3, 20, "  version: 580.1"), "rendered here"),),
)
_TAINT = Finding(
    "GV821",
    "warning",
    "pool h100 has a taint that nothing tolerates",
    "tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists",
    Place("profiles/dc1.yaml", 3, 1, 6, "pools:"),
    ("hardware", "pools", 0, "taints", 0, "nvidia.com/gpu"),
)
_DEAD = Finding(
    "GV902",
    "info",
    "no template of gpu-operator v25.10.1 reads devicePlugin.mps.root",
    "",
    Place("a, b:c%.yaml", 1, 1, 2, ""),
    (),
    (),
    "ignored",
)
_NASTY = Finding(
    "GV600",
    "error",
    'label \x1b[2J\u202e<&"> 100% ]]>\n::error::x',
    "a\tb\n::error::y",
    Place("x\n.yaml", 1, 4, 6, "\x1b]0;t\x07\u4f60: 1"),
    ("labels", "a.b/\x1b"),
)


@pytest.fixture
def version() -> Finding:
    return _VERSION


@pytest.fixture
def taint() -> Finding:
    return _TAINT


@pytest.fixture
def dead() -> Finding:
    return _DEAD


@pytest.fixture
def nasty() -> Finding:
    return _NASTY


@pytest.fixture
def samples() -> list[Finding]:
    return [_TAINT, _VERSION, _DEAD, _NASTY]
