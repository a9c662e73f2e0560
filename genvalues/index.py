"""`genvalues.index.json`: what a rendering consists of and where it came from; the memory that makes pruning safe.

It holds no time and no version of ours, so that an upgrade that changes nothing is no drift. What is read from disk is
not trusted: a path in it that leaves the folder, or that is none of our names, is as good as not recorded.
"""

import json
import re
from collections.abc import Iterable, Mapping

from genvalues.record import NamedTuple

NAME = "genvalues.index.json"

_STEP = r"(?!\.{1,2}$)[A-Za-z0-9._+=@,][A-Za-z0-9._+=@,-]{0,199}"
_SHA = r"[0-9a-f]{64}"


class About(NamedTuple):
    """Where a rendering came from: site name, base name of the site file, chart name -> version as published."""

    site: str
    source: str
    charts: Mapping[str, str]


class Recorded(NamedTuple):
    """An index as read from disk: path -> sha256 of the files that we wrote; `fault` says why there are none."""

    files: Mapping[str, str]
    fault: str = ""


def digest(content: bytes) -> str:
    """The sha256 of a file's content, in hexadecimal."""
    import hashlib  # noqa: PLC0415  # loads OpenSSL: only for those who write or compare

    return hashlib.sha256(content).hexdigest()


def text(about: About, files: Mapping[str, bytes]) -> str:
    """The index of a rendering: keys sorted, one entry a line."""
    body = {
        "version": 1,
        "site": about.site,
        "source": about.source,
        "charts": dict(sorted(about.charts.items())),
        "files": {path: digest(files[path]) for path in sorted(files)},
    }
    return json.dumps(body, indent=2) + "\n"


def read(content: bytes | None) -> Recorded:
    """What the index file holds; None: there is no such file."""
    if content is None:
        return Recorded({}, "there is none")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return Recorded({}, "it is no JSON (a merge conflict?)")
    files = body.get("files") if isinstance(body, dict) else None
    if not isinstance(files, dict) or body.get("version") != 1:
        return Recorded({}, "it is no index of version 1")
    ours = {path: sha for path, sha in files.items() if is_path(path) and isinstance(sha, str) and re.fullmatch(_SHA, sha)}
    return Recorded(ours)


def is_path(path: str) -> bool:
    """Whether `path` may name a file of a rendering: relative, inside the folder, plain ASCII names, not the index."""
    return path.casefold() != NAME and all(re.fullmatch(_STEP, step) for step in path.split("/"))


def check_paths(paths: Iterable[str]) -> None:
    """ValueError where a path is no `is_path`, or where two would be one file on some file system."""
    seen: dict[str, str] = {}
    for path in sorted(paths):
        if not is_path(path):
            raise ValueError(f"{path!r} cannot name a file of a rendering")
        if (other := seen.get(path.casefold())) is not None:
            raise ValueError(f"{other!r} and {path!r} are one file where case does not count")
        seen[path.casefold()] = path
    for folded, path in seen.items():
        steps = folded.split("/")
        for length in range(1, len(steps)):
            if (other := seen.get("/".join(steps[:length]))) is not None:
                raise ValueError(f"{other!r} is a file and the folder of {path!r}")
