"""Files that people wrote by hand: what they are, what is in them that can be judged, and what is to be said of it.

    text or files -> reading (documents, parts, skipped) -> judged (one part) -> across (parts of one cluster) -> Linted

Everything here is pure; `cli/lint.py` reads the files.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from genvalues import report, source
from genvalues.facts import Facts
from genvalues.finding import Finding
from genvalues.lint import across, carriers, judged, reading, umbrella
from genvalues.lint.part import Part
from genvalues.lint.parts import Asked
from genvalues.record import NamedTuple
from genvalues.rules.rule import Body

__all__ = ["KINDS", "Linted", "files", "text"]

KINDS = (
    "values", "config-map", "cluster-policy", "nvidia-driver", "nic-cluster-policy", "node-feature-rule", "device-plugin", "mig-parted",
    "dcgm-csv", "scheduler", "kubespray",
)  # fmt: skip
"""What `as_kind` can say."""


class Linted(NamedTuple):
    """Findings in order, what was skipped and why, and the bodies that were judged."""

    findings: tuple[Finding, ...]
    skipped: tuple[tuple[str, str], ...]
    bodies: tuple[Body, ...]


def text(
    text: str,
    file: str,
    facts: Facts,
    today: date,
    *,
    as_kind: str = "",
    chart: str = "",
    extra_contracts: Sequence[str] = (),
) -> Linted:
    """What is to be said of one file; see `files`."""
    return files([(file, text)], facts, today, as_kind=as_kind, chart=chart, extra_contracts=extra_contracts)


def files(
    texts: Iterable[tuple[str, str]],
    facts: Facts,
    today: date,  # noqa: ARG001  part of the interface: rules over files may come to ask for it, as those over sites do
    *,
    as_kind: str = "",
    chart: str = "",
    extra_contracts: Sequence[str] = (),
    beside: Mapping[str, str] = {},
) -> Linted:
    """What is to be said of several files (name, text) that belong to one run.

    `as_kind` is one of KINDS, for documents that do not say themselves what they are; "" detects. `chart` is
    "gpu-operator@v25.10.1", or "" for the version that a file names. `extra_contracts` are folders as
    `contracts.load` takes them. `beside` holds the text of a Chart.yaml by its folder, where one lies beside the files.
    """
    texts = list(texts)
    name, _, version = chart.partition("@")
    asked = Asked(as_kind, name, version, tuple(extra_contracts))
    sources = dict(pair for _, content in texts for pair in _sources(content))
    dependencies = {folder: _dependencies(content, folder) for folder, content in {**_beside(texts), **beside}.items()}
    found: list[Finding] = []
    parts: list[Part] = []
    skipped: list[tuple[str, str]] = []
    for file, content in texts:
        read = reading.read(content, file, asked, sources, dependencies.get(_folder(file), {}))
        kept = [part for part in read.parts if part.body.kind in judged.kinds()]
        silent = {part.body.kind for part in read.parts} - judged.kinds()
        found += read.findings
        skipped += read.skipped
        skipped += [(file, f"a body of kind {kind}, about which no rule says anything") for kind in sorted(silent)]
        parts += kept
        for part in kept:
            mine = judged.findings(part, facts, asked.extra)
            found += mine
            if len(mine) >= judged.MOST:
                skipped.append((file, f"more than {judged.MOST} findings: the rest is not looked for"))
    found += across.findings(parts, facts)
    return Linted(_ordered(found), tuple(skipped), tuple(part.body for part in parts))


def _ordered(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in order; where a scalar is misread anyway (GV010, GV011), nothing else about what it came to."""
    misread = {finding.place[:3] for finding in found if finding.code in ("GV010", "GV011")}
    kept = [finding for finding in found if finding.code < "GV1" or finding.place[:3] not in misread]
    return tuple(sorted(kept, key=report.order))


def _sources(content: str) -> Iterable[tuple[tuple[str, str], tuple[str, str]]]:
    """Flux chart sources of a file."""
    if "source.toolkit.fluxcd.io" not in content:
        return ()
    trees = [one.tree for one in source.read_all(content, "") if one.tree is not None]
    return filter(None, (carriers.source_of(tree.data) for tree in trees))


def _beside(texts: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    return {
        _folder(file): content for file, content in texts if file.replace("\\", "/").rpartition("/")[2] == "Chart.yaml"
    }


def _dependencies(content: str, folder: str) -> Mapping[str, tuple[str, str]]:
    tree = source.read(content, f"{folder}/Chart.yaml").tree
    return umbrella.dependencies(tree.data) if tree is not None else {}


def _folder(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[0]
