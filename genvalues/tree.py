"""The only writer of files: a rendering against the folder that it belongs in.

`diff` says how the folder differs, `write` makes it the rendering, `swap` does so all or nothing. Only what the index
records as ours is ever removed, and only while it is as we wrote it; everything else in the folder stays.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping

from genvalues import index, swap
from genvalues.index import About
from genvalues.record import NamedTuple
from genvalues.swap import TreeError
from genvalues.visible import visible

__all__ = ["About", "Drift", "TreeError", "Written", "diff", "folder", "write"]

_SITE = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"


class Drift(NamedTuple):
    """One file that is not as rendered: its path in the folder ("" is the folder itself), and what `render` would do.

    GV940 missing, GV941 changed since (the site, the facts or genvalues), GV942 stale (no longer rendered),
    GV943 edited by hand. `line` is the first that differs, `excerpt` that line on disk, `diff` from disk to rendering.
    """

    code: str
    path: str
    message: str
    fix: str
    line: int = 1
    excerpt: str = ""
    diff: str = ""


class Written(NamedTuple):
    """What `write` did, paths sorted. `kept`: edited by hand and no longer rendered, left in place and now nobody's.

    `overwritten` are those of `updated` that were not as we wrote them: edited by hand, or not ours to begin with.
    """

    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    overwritten: tuple[str, ...] = ()


class _Survey(NamedTuple):
    """The rendering as bytes, index included; what is on disk of it and of what the index records."""

    rendered: Mapping[str, bytes]
    disk: Mapping[str, bytes | None]
    recorded: index.Recorded

    def as_written(self, path: str) -> bool:
        content = self.disk[path]
        return content is not None and self.recorded.files.get(path) == index.digest(content)


def folder(out: str, site: str) -> str:
    """The folder of a site; ValueError where the name is no DNS label and so might lead elsewhere."""
    if not re.fullmatch(_SITE, site):
        raise ValueError(f"{site!r} cannot name the folder of a site")
    return os.path.join(out, site)


def diff(target: str, files: Mapping[str, str], about: About, render: str = "") -> tuple[Drift, ...]:
    """How `target` differs from the rendering `files` (relative path -> text), sorted by path; nothing is changed.

    `render` is the command that would mend it, for the fixes; by default the one that names the site file alone.

    A folder that is not there at all is one drift, and an index that differs only because files do is none. TreeError
    where the way to a file leads over a symbolic link or where something else stands in its place.
    """
    survey = _survey(target, files, about)
    render = render or f"genvalues render {about.source}"
    if not os.path.lexists(target):
        return (Drift("GV940", "", f"{target} is missing: site {about.site} has not been rendered", render),)
    found = sorted(
        [*_rendered_drifts(survey, about.source, render), *_stale_drifts(target, survey, render)],
        key=lambda drift: drift.path,
    )
    return tuple(found) or tuple(_index_drift(survey, render))


def write(target: str, files: Mapping[str, str], about: About) -> Written:
    """Make `target` the rendering `files` (relative path -> text), all or nothing; what is equal is not touched.

    OSError (a full disk, no permission) and TreeError leave the folder as it was, see `swap`. ValueError where a path leads out of
    the folder or two paths are one.
    """
    if not swap.interrupted(target) and not _changes(survey := _survey(target, files, about)):
        return Written(kept=_kept(survey))
    os.makedirs(os.path.dirname(target) or ".", 0o755, exist_ok=True)
    with swap.locked(target):
        swap.recover(target)
        survey = _survey(target, files, about)
        if changes := _changes(survey):
            new = {path: survey.rendered[path] for path in changes if path in survey.rendered}
            swap.replace(target, new, [path for path in changes if path not in new])
    created = [path for path in changes if survey.disk[path] is None]
    updated = [path for path in changes if path in survey.rendered and survey.disk[path] is not None]
    return Written(
        tuple(created),
        tuple(updated),
        tuple(path for path in changes if path not in survey.rendered),
        _kept(survey),
        tuple(path for path in updated if path != index.NAME and not survey.as_written(path)),
    )


def _survey(target: str, files: Mapping[str, str], about: About) -> _Survey:
    parent, name = os.path.split(target)
    if not re.fullmatch(_SITE, name):
        raise ValueError(f"{name!r} cannot name the folder of a site")
    index.check_paths(files)
    for path in (parent, target):
        if path and os.path.islink(path):
            raise TreeError(
                path, "is a symbolic link", f"remove it, or name the folder itself: -o {os.path.realpath(path)}"
            )
    if (status := _status(target)) is not None and not stat.S_ISDIR(status.st_mode):
        raise TreeError(
            target, f"is {_what(status)} where the folder of a site belongs", f"move it: mv {target} {target}.orig"
        )
    rendered = {path: files[path].encode("utf-8") for path in sorted(files)}
    rendered[index.NAME] = index.text(about, rendered).encode("ascii")
    parents: set[str] = set()
    old = _read(target, index.NAME, parents)
    recorded = index.read(old)
    disk = {path: _read(target, path, parents) for path in sorted({*rendered, *recorded.files}) if path != index.NAME}
    return _Survey(rendered, {**disk, index.NAME: old}, recorded)


def _read(target: str, path: str, parents: set[str]) -> bytes | None:
    """The content of a file of ours, None where there is none; never through a link, a device or a pipe."""
    full = target
    for step in path.split("/")[:-1]:
        full = os.path.join(full, step)
        if full not in parents:
            if (status := _status(full)) is None:
                return None
            if not stat.S_ISDIR(status.st_mode):
                raise TreeError(
                    full,
                    f"is {_what(status)} where a folder of the rendering belongs",
                    f"move it: mv {full} {full}.orig",
                )
            parents.add(full)
    full = os.path.join(target, path)
    if (status := _status(full)) is None:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise TreeError(
            full, f"is {_what(status)} where a file of the rendering belongs", f"move it: mv {full} {full}.orig"
        )
    with open(full, "rb") as stream:
        return stream.read()


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _what(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "a symbolic link"
    if stat.S_ISDIR(status.st_mode):
        return "a folder"
    return "a file" if stat.S_ISREG(status.st_mode) else "no regular file"


def _changes(survey: _Survey) -> list[str]:
    """Paths to write or to remove, sorted."""
    return sorted(
        path
        for path, content in survey.disk.items()
        if (survey.rendered[path] != content if path in survey.rendered else survey.as_written(path))
    )


def _kept(survey: _Survey) -> tuple[str, ...]:
    return tuple(path for path in survey.disk if _is_kept(survey, path))


def _is_kept(survey: _Survey, path: str) -> bool:
    return path not in survey.rendered and survey.disk[path] is not None and not survey.as_written(path)


def _rendered_drifts(survey: _Survey, source: str, render: str) -> Iterator[Drift]:
    for path, content in survey.rendered.items():
        old = survey.disk[path]
        if path == index.NAME or old == content:
            continue
        if old is None:
            yield Drift("GV940", path, f"{path} is missing", render)
            continue
        if survey.as_written(path):
            code, message, fix = "GV941", f"{path} is not what the site renders to now", render
        elif path in survey.recorded.files:
            code, message = "GV943", f"{path} was edited by hand after genvalues wrote it"
            fix = f"bring the change into {source} (overrides takes any chart value), then {render}"
        else:
            reason = f" ({survey.recorded.fault})" if survey.recorded.fault else ""
            code, message = (
                "GV943",
                f"{path} is no file that {index.NAME} records{reason}, and not what the site renders to",
            )
            fix = f"{render} overwrites it: move it away if it matters"
        yield _compared(Drift(code, path, message, fix), old, content)


def _stale_drifts(target: str, survey: _Survey, render: str) -> Iterator[Drift]:
    for path, old in survey.disk.items():
        if path in survey.rendered or old is None:
            continue
        if survey.as_written(path):
            yield Drift("GV942", path, f"{path} is left over: the site does not render it any more", render)
        else:
            message = f"{path} is left over and was edited by hand after genvalues wrote it, so render keeps it"
            yield Drift("GV943", path, message, f"rm {os.path.join(target, path)}")


def _index_drift(survey: _Survey, render: str) -> Iterator[Drift]:
    old, new = survey.disk[index.NAME], survey.rendered[index.NAME]
    if old is None:
        yield Drift("GV940", index.NAME, f"{index.NAME} is missing", render)
    elif old != new:
        fault = survey.recorded.fault or "it does not describe these files, this site file or these charts"
        yield _compared(Drift("GV941", index.NAME, f"{index.NAME} is out of date: {fault}", render), old, new)


def _compared(drift: Drift, old: bytes, new: bytes) -> Drift:
    """The drift with its first line that differs and a unified diff, safe to print."""
    import difflib  # noqa: PLC0415  # only where there is something to show

    before = [visible(line) for line in old.decode("utf-8", "backslashreplace").split("\n")]
    after = [visible(line) for line in new.decode("utf-8").split("\n")]
    first = 0
    while first < len(before) - 1 and before[first : first + 1] == after[first : first + 1]:
        first += 1
    lines = difflib.unified_diff(before, after, drift.path, f"{drift.path} (rendered)", lineterm="")
    return drift._replace(line=first + 1, excerpt=before[first], diff="".join(f"{line}\n" for line in lines))
