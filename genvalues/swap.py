"""Replace a folder as a whole: after a kill, a crash or a full disk it is the old one or the new one, never a mixture.

All happens beside the target, in the same file system. For `out/dc1` the steps are:

0. `.dc1.genvalues-lock` is locked, so that two runs do not meet; the lock dies with its process.
1. `.dc1.genvalues-stage` is built: new texts are written, all that stays is linked in (same file, same time), and
   everything is flushed to disk. Nothing outside the stage has changed yet.
2. `dc1` is renamed to `.dc1.genvalues-old`.
3. The stage is renamed to `dc1`.
4. The old folder is emptied. A file in it that the new folder lacks and that was not ours came in meanwhile: it is moved
   over. The old index goes last, because it is what tells ours from theirs.

The next run finds what an interrupted one left, and `recover` puts it right:

* a stage: cut short in step 1 (or it never came to 2): removed;
* an old folder and no target: cut short between 2 and 3: the old folder gets its name back;
* an old folder and a target: cut short in step 4: that step is finished.
"""

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress

from genvalues import index

_WAIT = 30.0
"""Seconds to wait for another run; it holds the lock for some milliseconds."""

_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)


class TreeError(Exception):
    """Something on disk that is not touched: `path`, what is wrong with it, and what one can do."""

    def __init__(self, path: str, message: str, fix: str) -> None:
        super().__init__(f"{path} {message}; {fix}")
        self.path = path
        self.message = message
        self.fix = fix


def beside(target: str, part: str) -> str:
    """The path of one of the protocol's helpers: `part` is "stage", "old" or "lock"."""
    parent, name = os.path.split(target)
    return os.path.join(parent, f".{name}.genvalues-{part}")


def interrupted(target: str) -> bool:
    """Whether an earlier run left something that must be put right or away (or one is at work right now)."""
    return any(os.path.lexists(beside(target, part)) for part in ("stage", "old", "lock"))


@contextmanager
def locked(target: str, wait: float = _WAIT) -> Iterator[None]:
    """Hold the lock of `target`; TreeError when another run does not let go within `wait` seconds."""
    path = beside(target, "lock")
    descriptor = _lock(path, wait)
    try:
        yield
    finally:
        try:
            os.unlink(path)  # while it is locked: whoever waits for it looks whether the name still means this file
        finally:
            os.close(descriptor)


def replace(target: str, write: Mapping[str, bytes], drop: Collection[str]) -> None:
    """Give `target` the files of `write`, take those of `drop` out of it, and keep everything else.

    Steps 1 to 4 of the protocol; the caller holds the lock and has called `recover`. An error, or an interrupt, in steps
    1 to 3 leaves everything as it was; in step 4 the new folder is in place.
    """
    stage, old = beside(target, "stage"), beside(target, "old")
    try:
        _build(stage, target, write, drop)
        if os.path.lexists(target):
            os.rename(target, old)
        os.rename(stage, target)
        _flush(os.path.dirname(target))
        if os.path.lexists(old):
            _settle(old, target)
    except BaseException:
        recover(target)
        raise


def recover(target: str) -> None:
    """Put right what an interrupted run left; the caller holds the lock."""
    stage, old = beside(target, "stage"), beside(target, "old")
    for path in (stage, old):
        if os.path.islink(path):
            raise TreeError(path, "is a symbolic link, where genvalues keeps a folder of its own", f"rm {path}")
    if os.path.lexists(old):
        if os.path.lexists(target):
            _settle(old, target)
        else:
            os.rename(old, target)
        _flush(os.path.dirname(target))
    if os.path.lexists(stage):
        _empty(stage, lambda _path: None)


def _lock(path: str, wait: float) -> int:
    import fcntl  # noqa: PLC0415  # absent where there is no POSIX: reading and checking work there all the same
    import time  # noqa: PLC0415

    deadline = time.monotonic() + wait
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_file(path, descriptor):
                return descriptor
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise TreeError(
                    path, f"another run has been writing here for {wait:g} seconds", "wait for it, or end it"
                ) from None
            time.sleep(0.02)
        except OSError as error:
            if error.errno in _NO_LOCKS:  # some network and user-space file systems: better unlocked than unusable
                return descriptor
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_file(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _build(stage: str, target: str, write: Mapping[str, bytes], drop: Collection[str]) -> None:
    """Step 1. Files are flushed after all are written: the first flush then takes the others along."""
    os.mkdir(stage, 0o755)
    modes: dict[str, int] = {}
    if os.path.lexists(target):
        _carry(target, stage, "", modes, {*write, *drop})
    descriptors: list[int] = []
    try:
        for path, content in write.items():
            full = os.path.join(stage, path)
            os.makedirs(os.path.dirname(full), 0o755, exist_ok=True)
            mode = 0o755 if content.startswith(b"#!") else 0o644
            descriptor = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
            descriptors.append(descriptor)
            if path in modes:
                os.fchmod(descriptor, modes[path])
            _write(descriptor, content)
        for descriptor in descriptors:
            os.fsync(descriptor)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    for folder, _, _ in os.walk(stage):
        _flush(folder)


def _write(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _carry(target: str, stage: str, folder: str, modes: dict[str, int], leave: Collection[str]) -> bool:
    """Link what stays into the stage; whether `folder` (relative, with a slash at its end) has a place there.

    A folder that holds nothing but files to leave has none; one that was empty before is somebody's and stays. The
    modes of files in `leave` are noted: a file that is written anew keeps its mode.
    """
    here = os.stat(os.path.join(target, folder))
    with os.scandir(os.path.join(target, folder)) as scan:
        entries = sorted(scan, key=lambda entry: entry.name)
    stays = not entries
    for entry in entries:
        path = folder + entry.name
        status = entry.stat(follow_symlinks=False)
        if status.st_dev != here.st_dev:
            raise TreeError(entry.path, "is on another file system than the folder around it", "unmount it first")
        if entry.is_dir(follow_symlinks=False):
            stays |= _carry(target, stage, path + "/", modes, leave)
        elif path in leave:
            modes[path] = stat.S_IMODE(status.st_mode)
        else:
            os.makedirs(os.path.join(stage, folder), exist_ok=True)
            _link(entry.path, os.path.join(stage, path))
            stays = True
    if stays:
        full = os.path.join(stage, folder)
        os.makedirs(full, exist_ok=True)
        os.chmod(full, stat.S_IMODE(here.st_mode))
    return stays


def _link(source: str, destination: str) -> None:
    if os.path.islink(source):
        os.symlink(os.readlink(source), destination)
        return
    try:
        os.link(source, destination)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.EXDEV, errno.ENOSYS):
            raise
        if not stat.S_ISREG(os.stat(source).st_mode):
            raise TreeError(
                source, "is no regular file, and this file system has no links to it", f"rm {source}"
            ) from None
        import shutil  # noqa: PLC0415  # only for file systems without hard links

        shutil.copy2(source, destination)


def _settle(old: str, target: str) -> None:
    """Step 4."""
    file = os.path.join(old, index.NAME)
    ours: Collection[str] = ()
    if os.path.isfile(file) and not os.path.islink(file):
        with open(file, "rb") as stream:
            ours = index.read(stream.read()).files

    def rescue(path: str) -> None:
        if path not in ours and path != index.NAME and not os.path.lexists(os.path.join(target, path)):
            os.makedirs(os.path.dirname(os.path.join(target, path)), exist_ok=True)
            os.rename(os.path.join(old, path), os.path.join(target, path))

    _empty(old, rescue)


def _empty(root: str, before: Callable[[str], None], folder: str = "") -> None:
    """Remove a folder, the index in it last; `before` sees each file's relative path and may move it away."""
    with os.scandir(os.path.join(root, folder)) as scan:
        entries = sorted(scan, key=lambda entry: (entry.name == index.NAME, entry.name))
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            _empty(root, before, f"{folder}{entry.name}/")
            continue
        before(folder + entry.name)
        with suppress(FileNotFoundError):
            os.unlink(entry.path)
    os.rmdir(os.path.join(root, folder))


def _flush(folder: str) -> None:
    """Make renames and new names in a folder last; some file systems cannot, and that is no reason to stop."""
    descriptor = os.open(folder or ".", os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
