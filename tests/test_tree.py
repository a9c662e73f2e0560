"""Drift, writing, and what a kill, a full disk or a stranger's links can do to a folder (nothing)."""

import errno
import fcntl
import hashlib
import json
import multiprocessing
import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from genvalues import swap, tree
from genvalues.tree import About, Drift, TreeError, Written

ABOUT = About("dc1", "dc1.yaml", {"node-feature-discovery": "0.18.3", "gpu-operator": "v25.10.1"})
INDEX = "genvalues.index.json"
FILES = {
    "README.md": "# dc1\n",
    "gpu-operator/values.yaml": "a: 1\nb: 2\n",
    "manifests/cm.yaml": "x: 1\n",
    "old/one.yaml": "1\n",
}
NEXT = {
    "README.md": "# dc1\n",
    "gpu-operator/values.yaml": "a: 1\nb: 3\n",
    "manifests/ns.yaml": "y: 1\n",
    "host/run.sh": "#!/bin/sh\n",
}


@pytest.fixture
def target(tmp_path: Path) -> str:
    return tree.folder(str(tmp_path / "out"), "dc1")


def contents(root: str | Path) -> dict[str, str]:
    """Relative path -> text; links as `-> where`, empty folders as `path/`."""
    found = {}
    for path in sorted(Path(root).rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_text(encoding="utf-8")
        elif not list(path.iterdir()):
            found[f"{name}/"] = ""
    return found


def without_index(root: str) -> dict[str, str]:
    return {path: text for path, text in contents(root).items() if path != INDEX}


def codes(target: str, files: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(drift.code, drift.path) for drift in tree.diff(target, files, ABOUT)]


def leftovers(target: str) -> list[str]:
    return [name for name in os.listdir(os.path.dirname(target)) if name != "dc1"]


def test_first_rendering_is_written_whole(target: str) -> None:
    """All files and the index, under a folder that did not exist; nothing else is left beside it."""
    written = tree.write(target, FILES, ABOUT)

    assert written == Written(created=tuple(sorted([*FILES, INDEX])))
    assert (without_index(target), leftovers(target), codes(target, FILES)) == (FILES, [], [])


def test_index_records_origin_and_hashes(target: str) -> None:
    """Version, site, base name of the source, charts, sha256 of each file, keys sorted; nothing of time or of ours."""
    tree.write(target, {"b.txt": "b", "a.txt": "ä\n"}, ABOUT)
    sha_of_a = hashlib.sha256(b"\xc3\xa4\n").hexdigest()

    assert Path(target, INDEX).read_text() == (
        "{\n"
        '  "version": 1,\n'
        '  "site": "dc1",\n'
        '  "source": "dc1.yaml",\n'
        '  "charts": {\n'
        '    "gpu-operator": "v25.10.1",\n'
        '    "node-feature-discovery": "0.18.3"\n'
        "  },\n"
        '  "files": {\n'
        f'    "a.txt": "{sha_of_a}",\n'
        f'    "b.txt": "{hashlib.sha256(b"b").hexdigest()}"\n'
        "  }\n"
        "}\n"
    )


def test_second_rendering_touches_nothing(target: str) -> None:
    """Equal files keep their inode and time, and so does the folder above."""
    tree.write(target, FILES, ABOUT)
    before = {
        path: os.stat(path) for path in [os.path.dirname(target), target, *(f"{target}/{file}" for file in FILES)]
    }

    assert tree.write(target, FILES, ABOUT) == Written()
    assert {path: (os.stat(path).st_ino, os.stat(path).st_mtime_ns) for path in before} == {
        path: (status.st_ino, status.st_mtime_ns) for path, status in before.items()
    }


def test_rendering_over_an_older_one(target: str) -> None:
    """New, changed and removed files are told apart; unchanged ones keep inode, time and mode; empty folders go."""
    tree.write(target, FILES, ABOUT)
    os.chmod(f"{target}/README.md", 0o600)
    os.chmod(f"{target}/gpu-operator/values.yaml", 0o640)
    before = os.stat(f"{target}/README.md")

    written = tree.write(target, NEXT, ABOUT)

    assert written == Written(
        created=("host/run.sh", "manifests/ns.yaml"),
        updated=("genvalues.index.json", "gpu-operator/values.yaml"),
        removed=("manifests/cm.yaml", "old/one.yaml"),
    )
    after = os.stat(f"{target}/README.md")
    assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (before.st_ino, before.st_mtime_ns, before.st_mode)
    assert (without_index(target), os.path.exists(f"{target}/old"), leftovers(target)) == (NEXT, False, [])
    assert stat.S_IMODE(os.stat(f"{target}/gpu-operator/values.yaml").st_mode) == 0o640


def test_modes_of_new_files(target: str) -> None:
    """0644, and 0755 for folders and for a script that starts with `#!`."""
    before = os.umask(0o022)
    try:
        tree.write(target, NEXT, ABOUT)
    finally:
        os.umask(before)

    paths = ["", "host", "host/run.sh", "README.md", INDEX]
    assert [oct(stat.S_IMODE(os.stat(os.path.join(target, path)).st_mode)) for path in paths] == [
        "0o755", "0o755", "0o755", "0o644", "0o644",
    ]  # fmt: skip


def foreign(target: str) -> dict[str, str]:
    """Put files, a link and an empty folder of somebody else's into the target."""
    os.makedirs(f"{target}/notes/deep/empty", exist_ok=True)
    Path(target, "notes/todo.txt").write_text("mine\n")
    Path(target, "manifests/extra.yaml").write_text("extra: 1\n")
    if not os.path.lexists(f"{target}/notes/link"):
        os.symlink("/etc/passwd", f"{target}/notes/link")
    return {
        "notes/todo.txt": "mine\n",
        "manifests/extra.yaml": "extra: 1\n",
        "notes/link": "-> /etc/passwd",
        "notes/deep/empty/": "",
    }


def test_files_of_others_stay(target: str) -> None:
    """Whatever the index does not record is carried over as the same file, links and empty folders included."""
    tree.write(target, FILES, ABOUT)
    extra = foreign(target)
    inode = os.stat(f"{target}/notes/todo.txt").st_ino

    written = tree.write(target, {}, ABOUT)

    assert written.removed == tuple(sorted(FILES))
    assert (without_index(target), os.stat(f"{target}/notes/todo.txt").st_ino) == (extra, inode)


def test_files_of_others_stay_where_there_are_no_hard_links(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without links gets copies with the same time."""

    def no_link(*_: Any, **__: Any) -> None:
        raise OSError(errno.EPERM, "no links here")

    tree.write(target, FILES, ABOUT)
    extra = foreign(target)
    os.utime(f"{target}/notes/todo.txt", (1, 1))
    monkeypatch.setattr(os, "link", no_link)

    tree.write(target, NEXT, ABOUT)

    assert (without_index(target), os.stat(f"{target}/notes/todo.txt").st_mtime) == ({**NEXT, **extra}, 1)


def test_hand_edited_stale_file_is_kept_and_reported(target: str) -> None:
    """What somebody changed is not thrown away when the site no longer renders it; afterwards it is theirs."""
    tree.write(target, FILES, ABOUT)
    Path(target, "old/one.yaml").write_text("changed\n")

    before, written, after = codes(target, NEXT), tree.write(target, NEXT, ABOUT), codes(target, NEXT)

    assert ("GV943", "old/one.yaml") in before
    assert (written.kept, written.removed, after) == (("old/one.yaml",), ("manifests/cm.yaml",), [])
    assert Path(target, "old/one.yaml").read_text() == "changed\n"


def test_hand_edited_file_is_overwritten_and_reported(target: str) -> None:
    """A rendered file that is not as we wrote it, or that we never wrote, is replaced, and `overwritten` names it."""
    tree.write(target, FILES, ABOUT)
    Path(target, "README.md").write_text("edited\n")
    Path(target, "manifests/ns.yaml").write_text("foreign\n")

    written = tree.write(target, NEXT, ABOUT)

    assert written.overwritten == ("README.md", "manifests/ns.yaml")
    assert without_index(target) == NEXT


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda path: path.unlink(), [("GV940", "gpu-operator/values.yaml")]),
        (lambda path: path.write_text("a: 1\nb: 9\n"), [("GV943", "gpu-operator/values.yaml")]),
        (lambda path: path.with_name("mine.yaml").write_text("foreign\n"), []),
        (lambda path: path.chmod(0o600), []),
    ],
)
def test_drift_on_disk(target: str, change: Callable[[Path], Any], expected: list[tuple[str, str]]) -> None:
    """A missing file and a hand edit are drift; a file of somebody else's and a mode are not."""
    tree.write(target, FILES, ABOUT)
    change(Path(target, "gpu-operator/values.yaml"))

    assert codes(target, FILES) == expected


def test_drift_of_the_rendering(target: str) -> None:
    """Each kind has its code, its words, a fix, and the first line that differs with a diff."""
    tree.write(target, FILES, ABOUT)

    assert tree.diff(target, NEXT, ABOUT) == (
        Drift(
            "GV941",
            "gpu-operator/values.yaml",
            "gpu-operator/values.yaml is not what the site renders to now",
            "genvalues render dc1.yaml",
            2,
            "b: 2",
            "--- gpu-operator/values.yaml\n+++ gpu-operator/values.yaml (rendered)\n@@ -1,3 +1,3 @@\n a: 1\n-b: 2\n+b: 3\n \n",
        ),
        Drift("GV940", "host/run.sh", "host/run.sh is missing", "genvalues render dc1.yaml"),
        Drift(
            "GV942",
            "manifests/cm.yaml",
            "manifests/cm.yaml is left over: the site does not render it any more",
            "genvalues render dc1.yaml",
        ),
        Drift("GV940", "manifests/ns.yaml", "manifests/ns.yaml is missing", "genvalues render dc1.yaml"),
        Drift(
            "GV942",
            "old/one.yaml",
            "old/one.yaml is left over: the site does not render it any more",
            "genvalues render dc1.yaml",
        ),
    )


def test_fixes_name_the_command_that_was_given(target: str) -> None:
    """Whoever knows the path of the site file says so; a hand edit is to go into the site first."""
    tree.write(target, FILES, ABOUT)
    Path(target, "README.md").write_text("edited\n")
    Path(target, "old/one.yaml").write_text("edited\n")
    drifts = tree.diff(target, NEXT, ABOUT, "genvalues render sites/dc1.yaml")

    assert {drift.path: drift.fix for drift in drifts if drift.code != "GV940"} == {
        "README.md": "bring the change into dc1.yaml (overrides takes any chart value), then genvalues render sites/dc1.yaml",
        "gpu-operator/values.yaml": "genvalues render sites/dc1.yaml",
        "manifests/cm.yaml": "genvalues render sites/dc1.yaml",
        "old/one.yaml": f"rm {target}/old/one.yaml",
    }


def test_folder_that_was_never_rendered_is_one_drift(target: str) -> None:
    """One fault, one finding."""
    assert codes(target, FILES) == [("GV940", "")]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "GV940"),
        ("<<<<<<< HEAD\n", "GV941"),
        ("[" * 100000, "GV941"),
        ("[]", "GV941"),
        ('{"version": 2, "files": {}}', "GV941"),
    ],
)
def test_lost_or_broken_index_is_drift_and_is_mended(target: str, content: str | None, code: str) -> None:
    """Equal files are ours again after the next render, whatever had become of the index."""
    tree.write(target, FILES, ABOUT)
    path = Path(target, INDEX)
    path.unlink() if content is None else path.write_text(content)

    before, written, after = codes(target, FILES), tree.write(target, FILES, ABOUT), codes(target, FILES)

    assert (before, [*written.created, *written.updated], after) == ([(code, INDEX)], [INDEX], [])


def test_index_about_other_charts_is_drift(target: str) -> None:
    """Files may be equal while the charts they are meant for are not."""
    tree.write(target, FILES, ABOUT)

    other = ABOUT._replace(charts={"gpu-operator": "v26.3.3"})

    assert [(drift.code, drift.path, drift.line) for drift in tree.diff(target, FILES, other)] == [("GV941", INDEX, 6)]


def test_broken_index_makes_differing_files_nobodys(target: str) -> None:
    """Without a record nobody can say who changed a file, and nothing is pruned."""
    tree.write(target, FILES, ABOUT)
    Path(target, INDEX).write_text("{")

    assert codes(target, NEXT) == [
        ("GV943", "gpu-operator/values.yaml"), ("GV940", "host/run.sh"), ("GV940", "manifests/ns.yaml"),
    ]  # fmt: skip
    assert tree.write(target, NEXT, ABOUT).removed == ()


def test_diff_cannot_write_to_the_terminal(target: str) -> None:
    """Controls in a hand-edited file, and bytes that are no UTF-8, come out as escapes."""
    tree.write(target, FILES, ABOUT)
    Path(target, "README.md").write_bytes(b"\x1b[2J\xff\r\n")

    (drift,) = tree.diff(target, FILES, ABOUT)

    assert (drift.excerpt, "-\\x1b[2J\\xff\\r\n" in drift.diff) == ("\\x1b[2J\\xff\\r", True)


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/x",
        "a/../b",
        "a//b",
        "",
        ".",
        "a/",
        "a\\b",
        "a\nb",
        "ä",
        "-x",
        "a/..",
        INDEX,
        "Genvalues.Index.json",
        "x" * 201,
    ],
)
def test_path_cannot_leave_the_folder(target: str, path: str) -> None:
    """A rendering with such a name is refused before anything is written."""
    with pytest.raises(ValueError, match="cannot name"):
        tree.write(target, {path: ""}, ABOUT)
    assert not os.path.exists(os.path.dirname(target))


@pytest.mark.parametrize("paths", [["a", "A"], ["a", "a/b"], ["B/c", "b"]])
def test_two_paths_are_not_one(target: str, paths: list[str]) -> None:
    """Names that differ in case only, or a file where a folder is, would fall together on some machine."""
    with pytest.raises(ValueError, match=" and "):
        tree.write(target, dict.fromkeys(paths, ""), ABOUT)


@pytest.mark.parametrize("site", ["", ".", "..", "a/b", "A", "-a", "a-", "a" * 64, ".a", "a\n"])
def test_site_name_cannot_leave_out(site: str) -> None:
    """Only a DNS label names a folder."""
    with pytest.raises(ValueError, match="cannot name"):
        tree.folder("out", site)


@pytest.mark.parametrize("target", ["", "out/", "out/..", "out/A", "out/.git"])
def test_target_is_the_folder_of_a_site(target: str) -> None:
    """Whoever calls, nothing is written into a folder with another kind of name."""
    with pytest.raises(ValueError, match="cannot name"):
        tree.write(target, {}, ABOUT)


def test_index_from_a_stranger_prunes_nothing_outside(target: str) -> None:
    """Paths in an index on disk are not trusted, whatever hash they bear."""
    tree.write(target, FILES, ABOUT)
    outside = Path(target).parent / "precious.txt"
    outside.write_text("p")
    body = json.loads(Path(target, INDEX).read_text())
    sha = hashlib.sha256(b"p").hexdigest()
    body["files"] = {"../precious.txt": sha, str(outside): sha, "manifests/../../precious.txt": sha, "x": 1}
    Path(target, INDEX).write_text(json.dumps(body))

    tree.write(target, {}, ABOUT)

    assert outside.read_text() == "p"


def link(where: str) -> Callable[[Path, Path], None]:
    def make(root: Path, outside: Path) -> None:
        path = root / where
        if path.is_dir() and not path.is_symlink():
            path.rename(outside / "moved")
        else:
            path.unlink(missing_ok=True)
        path.symlink_to(outside)

    return make


@pytest.mark.parametrize(
    "where", ["out", "out/dc1", "out/dc1/manifests", "out/dc1/README.md", "out/.dc1.genvalues-old", f"out/dc1/{INDEX}"]
)
def test_symbolic_links_are_refused(tmp_path: Path, target: str, where: str) -> None:
    """No way of ours leads over a link: not the folders, not a file, not the helpers beside the target."""
    tree.write(target, FILES, ABOUT)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("p")
    link(where)(tmp_path, outside)
    before = contents(outside)

    with pytest.raises(TreeError, match="is a symbolic link") as refused:
        tree.write(target, NEXT, ABOUT)

    assert (refused.value.path, contents(outside)) == (str(tmp_path / where), before)


@pytest.mark.parametrize(
    ("path", "make", "words"),
    [
        ("README.md", os.mkdir, "is a folder where a file of the rendering belongs"),
        ("README.md", os.mkfifo, "is no regular file where a file of the rendering belongs"),
        ("manifests", lambda path: Path(path).write_text("x"), "is a file where a folder of the rendering belongs"),
        ("", lambda path: Path(path).write_text("x"), "is a file where the folder of a site belongs"),
    ],
)
def test_something_else_in_the_way_is_refused(target: str, path: str, make: Callable[[str], Any], words: str) -> None:
    """A folder for a file, a pipe (which would hang), a file for a folder: said, with what to type, and left alone."""
    os.makedirs(os.path.dirname(target) if not path else target)
    full = os.path.join(target, path).rstrip("/")
    make(full)

    for act in (tree.diff, tree.write):
        with pytest.raises(TreeError) as refused:
            act(target, FILES, ABOUT)
        assert (refused.value.message, refused.value.fix) == (words, f"move it: mv {full} {full}.orig")


SYSTEM = [
    "mkdir",
    "open",
    "write",
    "link",
    "symlink",
    "chmod",
    "fchmod",
    "fsync",
    "close",
    "rename",
    "unlink",
    "rmdir",
    "scandir",
]


class Killed(BaseException):
    pass


def at_step(number: int, act: Callable[[str], None]) -> Callable[[], None]:
    """Have `act` called with the name before the system call `number` that the writer makes; returns how to undo it."""
    calls = 0
    originals = {name: getattr(os, name) for name in SYSTEM}

    def wrap(name: str) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            due = calls == number
            if due and name != "close":
                act(name)
            result = originals[name](*args, **options)
            if due:
                act(name)  # close() closes whatever it reports
            return result

        return call

    for name in SYSTEM:
        setattr(os, name, wrap(name))

    def undo() -> None:
        for name, original in originals.items():
            setattr(os, name, original)

    return undo


def killed_at(number: int, target: str) -> bool:
    """Write NEXT in a child process that dies, without any clean-up, before its system call `number`; whether it did."""
    child = os.fork()
    if child == 0:
        at_step(number, lambda _name: os._exit(9))
        try:
            tree.write(target, NEXT, ABOUT)
        except BaseException:  # noqa: BLE001  # the child must not run the parent's tests
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


def setup(target: str) -> tuple[dict[str, str], dict[str, str]]:
    """A target that holds FILES, somebody's files and a hand edit; what it must hold before and after writing NEXT."""
    tree.write(target, FILES, ABOUT)
    Path(target, "old/one.yaml").write_text("edited\n")
    extra = {**foreign(target), "old/one.yaml": "edited\n"}
    return {**FILES, **extra}, {**NEXT, **extra}


@pytest.mark.parametrize("again", [False, True], ids=["once", "and again during the repair"])
def test_kill_at_any_step_costs_nothing(tmp_path: Path, again: bool) -> None:
    """Before: old or new whole, or the old one under its helper name; after the next run: new, and nothing left over."""
    number, seen = 0, set()
    while True:
        number += 1
        target = str(tmp_path / str(number) / "dc1")
        old, new = setup(target)
        if not killed_at(number, target):
            break
        state = without_index(target) if os.path.exists(target) else None
        shelved = swap.beside(target, "old")
        seen.add("old" if state == old else "new" if state == new else "shelved" if state is None else "mixture")
        if state is None:
            assert without_index(shelved) == old
        if again:
            killed_at(number * 5 % 23 + 1, target)
        tree.write(target, NEXT, ABOUT)
        assert (without_index(target), leftovers(target), codes(target, NEXT)) == (new, [], [])
    assert (seen, number > 40, without_index(target)) == ({"old", "new", "shelved"}, True, new)


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), Killed()], ids=["disk full", "interrupt"]
)
def test_error_at_any_step_costs_nothing(tmp_path: Path, error: BaseException) -> None:
    """The folder is the old one or the new one whole at once, without waiting for another run, and the error comes out."""
    number, seen = 0, set()
    while True:
        number += 1
        target = str(tmp_path / str(number) / "dc1")
        old, new = setup(target)
        failed = ""

        def fail(name: str) -> None:
            nonlocal failed
            failed = name
            raise error

        undo = at_step(number, fail)
        with suppress(OSError, Killed):
            tree.write(target, NEXT, ABOUT)
        undo()
        if not failed:
            break
        state = without_index(target)
        seen.add("old" if state == old else "new" if state == new else f"mixture after {failed}")
        assert [name for name in leftovers(target) if not name.endswith("-lock")] == []
        tree.write(target, NEXT, ABOUT)
        assert (without_index(target), leftovers(target)) == (new, [])
    assert (seen, number > 40) == ({"old", "new"}, True)


def test_file_that_comes_in_during_the_swap_is_not_lost(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody saves a new file into the old folder after it was read: it is found in the new one."""
    tree.write(target, FILES, ABOUT)
    rename = os.rename

    def late(source: str, destination: str) -> None:
        if source == target:
            os.makedirs(f"{target}/late", exist_ok=True)
            Path(target, "late/note.txt").write_text("late\n")
        rename(source, destination)

    monkeypatch.setattr(os, "rename", late)
    tree.write(target, NEXT, ABOUT)

    assert without_index(target) == {**NEXT, "late/note.txt": "late\n"}


def hold(target: str, ready: Any, done: Any) -> None:
    with swap.locked(target):
        ready.set()
        done.wait(20)


def test_two_runs_do_not_meet(target: str) -> None:
    """While one holds the lock the other waits, and says so in the end; a lock file without a holder stops nobody."""
    os.makedirs(os.path.dirname(target))
    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()
    process = context.Process(target=hold, args=(target, ready, done))
    process.start()
    assert ready.wait(20)
    with pytest.raises(TreeError, match="another run"), swap.locked(target, wait=0.1):
        pass
    done.set()
    process.join(20)
    Path(swap.beside(target, "lock")).write_text("")

    tree.write(target, FILES, ABOUT)

    assert (without_index(target), leftovers(target)) == (FILES, [])


def test_relative_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-o .` and `-o out` work from the current folder."""
    monkeypatch.chdir(tmp_path)
    for target in ("dc1", "out/dc1", "./dc2"):
        tree.write(target, FILES, ABOUT)
        tree.write(target, NEXT, ABOUT)

        assert without_index(target) == NEXT


def test_file_system_without_locks(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be locked, writing works unlocked; any other trouble with the lock is said."""

    def failing(number: int) -> Callable[[int, int], None]:
        def flock(_descriptor: int, _operation: int) -> None:
            raise OSError(number, os.strerror(number))

        return flock

    monkeypatch.setattr(fcntl, "flock", failing(errno.ENOLCK))
    tree.write(target, FILES, ABOUT)
    monkeypatch.setattr(fcntl, "flock", failing(errno.EIO))

    with pytest.raises(OSError, match="Input/output error"):
        tree.write(target, NEXT, ABOUT)
    assert without_index(target) == FILES


def test_pipe_that_cannot_be_carried_is_refused(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's pipe is linked over; without links it stops the rendering instead of being lost."""
    tree.write(target, FILES, ABOUT)
    os.mkfifo(f"{target}/pipe")
    tree.write(target, NEXT, ABOUT)

    def no_link(*_: Any, **__: Any) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_link)
    with pytest.raises(TreeError, match="is no regular file, and this file system has no links") as refused:
        tree.write(target, FILES, ABOUT)

    assert refused.value.path == f"{target}/pipe"
    assert (stat.S_ISFIFO(os.stat(f"{target}/pipe").st_mode), leftovers(target)) == (True, [])
    assert Path(target, "gpu-operator/values.yaml").read_text() == NEXT["gpu-operator/values.yaml"]
