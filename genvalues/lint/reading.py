"""From a file's text to the parts of it that can be judged, with what is wrong with the text and what is skipped.

Faults of the text are findings only in documents of which something is judged: the rest is not ours.
"""

from collections.abc import Mapping

from genvalues import source
from genvalues.finding import Finding
from genvalues.lint import carriers, detect, rows
from genvalues.lint.part import Part, raw_of
from genvalues.lint.parts import Asked, Collector
from genvalues.lint.textual import braces, counting, misread_numbers
from genvalues.record import NamedTuple
from genvalues.rules.rule import Body

_NOT_YAML = (".md", ".rst", ".txt", ".tf", ".sh", ".py", ".go", ".toml", ".ini", ".conf", ".tpl", ".gotmpl", ".j2")

Sources = Mapping[tuple[str, str], tuple[str, str]]
Dependencies = Mapping[str, tuple[str, str]]


class Read(NamedTuple):
    """What a file holds."""

    parts: tuple[Part, ...]
    findings: tuple[Finding, ...]
    skipped: tuple[tuple[str, str], ...]


def read(text: str, file: str, asked: Asked, sources: Sources, dependencies: Dependencies) -> Read:
    """The parts of a file.

    `sources` are Flux chart sources of other files by (kind, name), `dependencies` those of a Chart.yaml in the file's
    folder by their key in values: (chart, version) each.
    """
    text = text.removeprefix("\ufeff")
    if asked.kind == "dcgm-csv" or (not asked.kind and rows.is_csv(text)):
        tree = rows.read(text, file)
        return Read((Part(Body("dcgm-csv", tree.data, file, (), asked.known()), tree, (), raw_of(tree)),), (), ())
    documents = source.read_all(text, file)
    if why := _not_ours(text, file, documents, asked):
        return Read((), (), ((file, why),))
    trees = [one.tree for one in documents if one.tree is not None]
    mine = dict(filter(None, (carriers.source_of(tree.data) for tree in trees)))
    collector = Collector(file, asked, {**sources, **mine}, dependencies, several=len(trees) > 1)
    found: list[Finding] = []
    for one in documents:
        if one.tree is None:
            found += one.findings
        elif made := collector.document(one.tree):
            found += counting(one.findings, all_text=all(part.body.kind == "node-feature-rule" for part in made))
            found += misread_numbers(one.findings, made, asked.extra)
    findings = (*found, *collector.findings)
    if not (collector.parts or findings or collector.skipped):
        collector.skipped.append((file, "sources of charts, which tell the versions of releases in other files"))
    return Read(tuple(collector.parts), findings, tuple(collector.skipped))


def _not_ours(text: str, file: str, documents: tuple[source.Source, ...], asked: Asked) -> str:
    """Why a file as a whole is not judged; "" where it may be."""
    if not asked.kind and (why := detect.program(text)):
        return why
    faulty = any(one.tree is None for one in documents)
    if (faulty or any(braces(finding) for one in documents for finding in one.findings)) and (
        why := detect.template(text)
    ):
        return why
    if faulty and not (asked.kind or asked.chart) and (file.endswith(_NOT_YAML) or not detect.ours(text)):
        fault = documents[-1].findings[-1]
        return f"no YAML, and nothing in it that would be judged (line {fault.place.line}: {fault.message})"
    return (
        "" if any(one.tree is None or one.tree.data is not None for one in documents) else "nothing in it but comments"
    )
