"""Runs the real kubeconform over manifests, with the schemas that genvalues carries and never from the network.

Which schemas: those of the site's Kubernetes minor release and of its charts' versions; of projects that the site does
not pin (Kueue, Flux, ...) the newest that we carry. Not on the hot path: only `--kubeconform` and tests import this.
"""

import json
import os.path
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from genvalues import paths
from genvalues.finding import Route
from genvalues.record import NamedTuple

Status = Literal["valid", "invalid", "error"]

_TIMEOUT = 120.0  # seconds; a thousand manifests take three
_STATUS: Mapping[str, Status] = {"statusValid": "valid", "statusInvalid": "invalid", "statusError": "error"}
_TEMPLATE = "{{.ResourceKind}}{{.KindSuffix}}.json"
_UNREADABLE = ("%", "#", "?", "{{")  # kubeconform 0.7 reads the path as a URL, and as a Go template


class KubeconformError(Exception):
    """Kubeconform is not there, or did not do its work. The text says what to do."""


class KubeconformResult(NamedTuple):
    """One word of kubeconform about one object of one file: valid, or one fault of it.

    `invalid`: the API server would refuse the object; `error`: no YAML, no object, or a kind without a schema.
    `path` is the route in the object: steps of digits are taken for indices, since kubeconform does not tell the
    difference.
    """

    file: str
    kind: str
    name: str
    status: Status
    message: str
    path: Route


def find() -> str | None:
    """The kubeconform to run: $GENVALUES_KUBECONFORM, the one on PATH, or the one that `make` built in our own checkout.

    Never one from the current folder: that may be a stranger's repository.
    """
    if named := os.environ.get("GENVALUES_KUBECONFORM"):
        return shutil.which(named)
    found, checkout = shutil.which("kubeconform"), paths.checkout()
    if found is None and checkout is not None:
        found = shutil.which(os.path.join(checkout, ".tools", "bin", "kubeconform"))
    return found


def folders(kubernetes: str, charts: Mapping[str, str] | None = None) -> list[str]:
    """The folders of schemas/kubernetes/ for a Kubernetes version ("1.34.2") and chart versions by chart name.

    A version that we do not carry is read as the newest one below it, or as the oldest: the CRDs of one minor release
    hardly change, and an unknown chart version has been refused before anything comes here.
    """
    with open(os.path.join(paths.schemas(), "kubernetes", "SOURCES.json"), encoding="utf-8") as file:
        listed: Mapping[str, Mapping[str, Any]] = json.load(file)["folders"]
    wanted = {"kubernetes": kubernetes, **(charts or {})}
    found = []
    for project in sorted({entry["project"] for entry in listed.values()}):
        known = sorted(
            (_version(version), folder)
            for folder, entry in listed.items()
            if entry["project"] == project
            for version in entry["versions"]
        )
        ceiling = _version(wanted[project]) if project in wanted else known[-1][0]
        found.append(([known[0], *(pair for pair in known if pair[0] <= ceiling)])[-1][1])
    return found


def validate(
    files: Sequence[str | tuple[str, str]],
    kubernetes: str,
    charts: Mapping[str, str] | None = None,
    program: str | None = None,
) -> list[KubeconformResult]:
    """What kubeconform says of files, each a path or (name, text): one result per fault or valid object, in order.

    Raises KubeconformError where it cannot be run, and OSError for a path that cannot be read.
    """
    program = program or find()
    if program is None:
        raise KubeconformError("kubeconform is not installed: run `make kubeconform`, or put it on PATH")
    schemas = os.path.join(paths.schemas(), "kubernetes")
    if any(sign in os.path.abspath(schemas) for sign in _UNREADABLE):
        raise KubeconformError(
            f"kubeconform cannot read schemas below {schemas}: a folder has %, #, ? or {{{{ in its name"
        )
    texts = [entry if isinstance(entry, tuple) else (entry, _read(entry)) for entry in files]
    if not texts:
        return []
    locations = [f"-schema-location={os.path.join(schemas, f, _TEMPLATE)}" for f in folders(kubernetes, charts)]
    with tempfile.TemporaryDirectory(prefix="genvalues-") as folder:
        staged = [os.path.join(folder, f"{index}.yaml") for index in range(len(texts))]  # it skips other file endings
        for path, (_, text) in zip(staged, texts, strict=True):
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        said = _run([program, "-strict", "-verbose", "-output=json", *locations, *staged])
    order = {path: index for index, path in enumerate(staged)}
    results = [(order[r["filename"]], r) for r in said if r["filename"] in order]
    if silent := sorted(set(order.values()) - {index for index, _ in results}):
        raise KubeconformError(f"kubeconform said nothing about {texts[silent[0]][0]}: {_first_words(said)}")
    found = ((index, result) for index, entry in results for result in _results(texts[index][0], entry))
    return [result for _, result in sorted(found, key=_position)]


def _position(pair: tuple[int, KubeconformResult]) -> tuple[int, str, str, str, str]:
    """By file as given, then by object and place: kubeconform works in parallel and answers in any order."""
    index, result = pair
    return index, result.kind, result.name, str(result.path), result.message


def _read(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def _version(text: str) -> tuple[int, ...]:
    """Major and minor of Kubernetes, all three numbers of a chart; pre-releases count as their release."""
    return tuple(int(digits) for digits in re.findall(r"[0-9]+", text.partition("-")[0])[:3])


def _run(command: Sequence[str]) -> list[Mapping[str, Any]]:
    """The `resources` of kubeconform's JSON. Its exit code says no more than they do."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=_TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise KubeconformError(f"kubeconform could not be run: {problem}") from problem
    try:
        resources: list[Mapping[str, Any]] = json.loads(done.stdout)["resources"]
    except (ValueError, KeyError, TypeError) as problem:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise KubeconformError(f"kubeconform failed: {words[0] if words else f'exit {done.returncode}'}") from problem
    return resources


def _first_words(said: Sequence[Mapping[str, Any]]) -> str:
    return next((str(entry["msg"]) for entry in said if entry["msg"]), "nothing at all")


# ---- its words in ours


class _Fault(NamedTuple):
    depth: int
    pointer: str
    text: str


_FAULT = re.compile(r"( *)- at '((?:[^'\\]|\\.)*)': ")
_GROUPS = ("validation failed", "allOf failed")
_CHOICES = ("anyOf failed", "oneOf failed", "not failed")
_NAME = r"'((?:[^'\\]|\\.)*)'"
_MISSING = re.compile(r"missing propert(?:y|ies) (.+)", re.DOTALL)
_UNKNOWN = re.compile(r"additional properties (.+) not allowed", re.DOTALL)
_PATTERN = re.compile(rf"{_NAME} does not match pattern {_NAME}", re.DOTALL)
_FORMS = (  # patterns of tools/kubernetes_schemas.py by a part that they alone have
    ("[KMGTPE]i", "a quantity, such as 500m, 8 or 64Gi"),
    (
        "[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$",
        "a label value: up to 63 letters, digits, -, _ and ., a letter or digit at both ends",
    ),
    ("[-a-z0-9]*[a-z0-9])?(\\.", "a name in lower case: letters, digits, - and ., a letter or digit at both ends"),
    (
        "[-a-z0-9]{0,61}[a-z0-9])?$",
        "a name of up to 63 lower-case letters, digits and -, a letter or digit at both ends",
    ),
)
_WORDS: tuple[tuple[str, str], ...] = (
    (r"got ([a-z]+), want (?:null or )?(.+)", r"is of type \1, must be \2"),
    (r"value must be (?:one of )?(.+?)(?:, <nil>)?", r"must be one of \1"),
    (r"(?:exclusiveM|m)inimum: got (.+), want (.+)", r"is \1, must be at least \2"),
    (r"(?:exclusiveM|m)aximum: got (.+), want (.+)", r"is \1, must be at most \2"),
    (r"minLength: got (.+), want (.+)", r"has \1 characters, needs at least \2"),
    (r"maxLength: got (.+), want (.+)", r"has \1 characters, may have \2"),
    (r"min(?:Items|Properties): got (.+), want (.+)", r"has \1 entries, needs at least \2"),
    (r"max(?:Items|Properties): got (.+), want (.+)", r"has \1 entries, may have \2"),
    (r"items at (\d+) and (\d+) are equal", r"items [\1] and [\2] are equal"),
    (r"could not find schema for (.+)", r"genvalues carries no schema for this \1: is its apiVersion right?"),
    (r"error while parsing: missing '(.+)' key", r"no Kubernetes object: it has no \1"),
    (
        r"error unmarshalling resource: (?:error converting YAML to JSON: )?(?:yaml: )?(?:unmarshal errors:\s*)?(.+)",
        r"\1",
    ),
    (r'((?:line \d+: )?)key "(.+)" already set in map', r"\1\2 stands twice"),
)


def _results(file: str, entry: Mapping[str, Any]) -> Iterator[KubeconformResult]:
    """The results of one entry of kubeconform's list; none for a document without content."""
    if not entry["status"]:
        return
    status, message = _STATUS.get(entry["status"], "error"), str(entry["msg"])
    faults = list(_faults(message)) if status == "invalid" else []
    for pointer, text in faults or [("", message)]:
        yield KubeconformResult(file, entry["kind"], entry["name"], status, _in_words(text), _route(pointer))


def _faults(message: str) -> Iterator[tuple[str, str]]:
    """The leaves of the tree of faults that kubeconform wrote on one line; of a choice only the choice itself."""
    marks = list(_FAULT.finditer(message))
    ends = [*(mark.start() for mark in marks), len(message)][1:]
    tree = [
        _Fault(len(mark[1]), mark[2], message[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)
    ]
    skip_below: int | None = None
    for fault in tree:
        if skip_below is not None and fault.depth > skip_below:
            continue
        skip_below = None
        if fault.text.startswith(_CHOICES):
            skip_below = fault.depth
            yield fault.pointer, "fits none of the forms that are allowed here"
        elif fault.text not in _GROUPS:
            yield fault.pointer, fault.text


def _in_words(text: str) -> str:
    if matched := _PATTERN.fullmatch(text):
        form = _unquoted(matched[2])
        words = next((words for part, words in _FORMS if part in form), f"of the form {form}")
        return f'"{_unquoted(matched[1])}" is not {words}'
    for expression, words in ((_MISSING, "missing"), (_UNKNOWN, "not allowed here")):
        if matched := expression.fullmatch(text):
            names = sorted(_unquoted(name) for name in re.findall(_NAME, matched[1]))  # it has them in no order
            return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} {words}"
    if ": got " in text:
        text = re.sub(r"(?<=\d),(?=\d{3})", "", text)  # 65,535
    for pattern, words in _WORDS:
        if matched := re.fullmatch(pattern, text, re.DOTALL):
            text = matched.expand(words)
    return text


def _route(pointer: str) -> Route:
    """A JSON pointer, quoted as Go quotes it, as a route."""
    steps = _unquoted(pointer).split("/")[1:]
    return tuple(int(s) if s.isdecimal() else s.replace("~1", "/").replace("~0", "~") for s in steps)


def _unquoted(text: str) -> str:
    """A text without the backslashes that Go's %q put in."""
    return re.sub(r"\\(.)", r"\1", text)
