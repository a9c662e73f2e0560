"""--kubeconform: the real one's word, at the line of the site."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from genvalues import conformance, facts, kubeconform, pipeline
from genvalues.document import Doc
from genvalues.kubeconform import KubeconformResult

Run = Callable[..., tuple[int, str, str]]


def test_own_rendering_passes(repository: Path, genvalues: Run) -> None:
    """Every manifest of a sound site is valid."""
    if kubeconform.find() is None:
        pytest.skip("kubeconform is neither on PATH nor built: make kubeconform")

    code, out, _ = genvalues("check", "--kubeconform", "site.yaml", "--format", "json")

    assert [f for f in json.loads(out)["findings"] if f["code"] == "GV930"] == []
    assert code == 0


def test_without_kubeconform_it_is_wrong_use(repository: Path, genvalues: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for and not there: exit 2, with the way to get it."""
    monkeypatch.setattr(kubeconform, "find", lambda: None)

    code, _, err = genvalues("check", "--kubeconform", "site.yaml")

    assert code == 2
    assert "make kubeconform" in err


def test_fault_is_placed_at_the_line_that_decided_it(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused label leads to the label's line in the site."""
    text = (repository / "site.yaml").read_text("utf-8").replace("sharing: turns", "sharing: turns\n    role: gpu")
    (repository / "site.yaml").write_text(text, "utf-8")

    checked = pipeline.check("site.yaml", facts.load(), date(2026, 11, 30))
    rule = next(doc for doc in checked.docs if doc.kind == "node-feature-rule")
    route = ("spec", "rules", 1, "labels", "node-role.kubernetes.io/gpu")

    def refuse(texts: object, *_: object) -> list[KubeconformResult]:
        return [KubeconformResult(rule.path, "NodeFeatureRule", "lab", "invalid", "is of type x", route)]

    monkeypatch.setattr(kubeconform, "validate", refuse)
    found = conformance.findings(checked)

    assert isinstance(rule, Doc)
    assert [(f.code, f.place.line, f.related[0].place.file) for f in found] == [("GV930", 19, rule.path)]
