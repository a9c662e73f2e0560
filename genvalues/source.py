"""YAML text to data in which every node knows its origin; faults of the text are findings GV0xx.

Null is a value here: what it removes is the business of `extends.py`. `compose.py` says where aliases stand.
"""

from genvalues import faults
from genvalues.compose import MAX_DEPTH, MAX_NODES, documents, finding
from genvalues.finding import Finding, Place, Related
from genvalues.place import Tree, locate
from genvalues.record import NamedTuple

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_NODES", "Source", "Tree", "decode", "read", "read_all", "read_bytes", "read_file",
           "unreadable"]  # fmt: skip

MAX_BYTES = 1 << 20
"""Of a file; the largest sites known are a hundredth of it."""


class Source(NamedTuple):
    """One document: its tree, None where the text holds none, and what is wrong with the text (GV0xx)."""

    tree: Tree | None
    findings: tuple[Finding, ...]


def read_file(path: str) -> Source:
    """The one document of a file. Never raises: what cannot be read is a finding at the start of the file."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        return Source(None, (unreadable(path, error),))
    return read_bytes(raw, path)


def unreadable(path: str, error: OSError | faults.Fault) -> Finding:
    """The finding that a failed reading of a file becomes, or one that is not tried."""
    fault = faults.cannot_read(path, error) if isinstance(error, OSError) else error
    return finding(fault, Place(path, 1, 1, 1, ""))


def read_bytes(raw: bytes, file: str) -> Source:
    """The one document of a file's content."""
    text = decode(raw, file)
    return read(text, file) if isinstance(text, str) else Source(None, (text,))


def decode(raw: bytes, file: str) -> str | Finding:
    """The text of a file (UTF-8; a byte-order mark is dropped), or why it is none."""
    if len(raw) > MAX_BYTES:
        return finding(faults.too_large(MAX_BYTES), Place(file, 1, 1, 1, ""))
    try:
        if b"\0" not in raw:
            return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        pass
    fault, position = faults.not_text(raw)
    start = len(raw[:position].decode(errors="replace"))
    return finding(fault, locate(file, raw.decode(errors="replace"), start, start + 1))


def read(text: str, file: str) -> Source:
    """The one document of a text, which must be a mapping: sites, bases and values files."""
    text = text.lstrip("\ufeff")
    sources = [source for source in read_all(text, file) if source.tree is None or source.tree.data is not None]
    findings = [finding for source in sources for finding in source.findings]
    if not sources:
        findings.append(finding(faults.empty(), locate(file, text, 0, 0)))
    trees = [source.tree for source in sources if source.tree is not None]
    roots = [locate(file, text, tree.origin[()].start, tree.origin[()].end) for tree in trees[:2]]
    if not trees or len(trees) < len(sources):
        return Source(None, tuple(findings))
    if not isinstance(trees[0].data, dict):
        return Source(None, (*findings, finding(faults.no_mapping(trees[0].data), roots[0])))
    if len(trees) > 1:
        first = Related(roots[0], "the first document starts here")
        findings.append(finding(faults.second_document(), roots[1], (), (first,)))
    return Source(trees[0], tuple(findings))


def read_all(text: str, file: str) -> tuple[Source, ...]:
    """Every document of a text, of whatever kind. A fault that ends the reading comes last, without a tree."""
    if len(text) > MAX_BYTES:
        return (Source(None, (finding(faults.too_large(MAX_BYTES), Place(file, 1, 1, 1, "")),)),)
    # libyaml takes a byte-order mark at the start away without counting it
    return tuple(Source(tree, found) for tree, found in documents(text.lstrip("\ufeff"), file))
