"""A site together with the bases below it: one tree in which every node still knows its file and place.

Maps merge, lists replace, pools merge by name, a later file wins, and null removes what a file below sets. A null that
removes nothing stays, for the shape to judge: `offline:` with nothing behind it must not quietly mean "online". Under
`overrides` it stays for Helm, to which it means "without the chart's default".

`apiVersion`, `kind` and `name` are each file's own. Bases are files of the repository; nothing is fetched.
"""

import os.path
from collections.abc import Callable

from genvalues.compose import children, finding
from genvalues.faults import Fault
from genvalues.finding import Finding, Json, Origin, Related, Route, at_route
from genvalues.place import Tree, locate_route
from genvalues.record import NamedTuple
from genvalues.source import MAX_BYTES, Source, read_bytes, unreadable
from genvalues.wording import cut, shown

MAX_CHAIN = 16
"""Bases of bases."""
MAX_FILES = 64
"""Files that a site may be made of."""

_API = "genvalues/v1"
_OWN = ("apiVersion", "kind", "name")      # keys that say what a file is, not what a site has
_POOLS: Route = ("hardware", "pools")


class Loaded(NamedTuple):
    """A file with its bases merged in: no tree where one of them could not be read.

    `files` are all that were read, the first the file itself, as paths that can be opened. `root` is the folder that
    paths in them must not leave.
    """

    tree: Tree | None
    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    root: str


def read_raw(path: str) -> bytes:
    """The content of a file, at most one byte more than one may have; OSError as `open`."""
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def load(
    path: str, *, allow_outside: bool = False, read: Callable[[str], bytes] = read_raw, root: str | None = None
) -> Loaded:
    """The site or base at `path` with everything it extends. Never raises: faults are findings GV0xx.

    `root` is by default the repository that the file is in, see `find_root`. `read` raises OSError where it cannot.
    """
    loader = _Loader(read, None if allow_outside else root or find_root(path))
    tree = loader.tree(path)
    return Loaded(tree, tuple(loader.findings), tuple(loader.files), root or find_root(path))


def find_root(path: str) -> str:
    """The nearest folder above a file that holds `.git`, or the file's own folder where none does."""
    own = os.path.dirname(os.path.realpath(path))
    return _repository(own) or own


def _repository(folder: str) -> str | None:
    """The nearest folder that holds `.git`, from a folder upwards."""
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def leads_out(path: str) -> Fault | None:
    """The fault of a file that is a symbolic link out of its repository: a stranger's, into files of the machine."""
    if not os.path.islink(path):
        return None
    root = _repository(os.path.realpath(os.path.dirname(path)))
    if root is None or is_inside(path, root):
        return None
    message = f"{path} is a symbolic link out of {os.path.basename(root) or root}/, and nothing outside is read"
    return Fault("GV002", message, f"name the file itself: {os.path.realpath(path)}")


def is_special(path: str) -> bool:
    """Whether something is there that is neither a file nor a folder, such as a pipe, which might never end."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def is_inside(path: str, root: str) -> bool:
    """Whether a path, with its symbolic links followed, is in the folder `root` or below."""
    real, root = os.path.realpath(path), os.path.realpath(root)
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


class _Loader:
    """Reads each file once, however many extend it. `root` None: bases may be anywhere."""

    def __init__(self, read: Callable[[str], bytes], root: str | None) -> None:
        self._read = read
        self._root = root
        self._done: dict[str, Tree | None] = {}
        self._too_many = False
        self._open: list[tuple[str, Tree, Route]] = []      # real path, tree, and the entry of `extends` being followed
        self.findings: list[Finding] = []
        self.files: list[str] = []

    def tree(self, path: str) -> Tree | None:
        """The file that is asked for, with its bases."""
        fault = leads_out(path) if self._root is not None else None
        try:
            source = Source(None, (unreadable(path, fault),)) if fault else read_bytes(self._read(path), path)
        except OSError as error:
            source = Source(None, (unreadable(path, error),))
        self.files.append(path)
        self.findings += source.findings
        return self._over_bases(source.tree, path) if source.tree else None

    def _over_bases(self, tree: Tree, path: str) -> Tree | None:
        """A tree laid over its bases; None if one of them is missing. An `extends` that is no list of texts stays."""
        entries = tree.data.get("extends")
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            return tree
        below: Tree | None = None
        whole = True
        for index, entry in enumerate(entries):
            self._open.append((os.path.realpath(path), tree, ("extends", index)))
            base = self._base(entry, path)
            self._open.pop()
            whole = whole and base is not None
            below = merge(below, base) if below and base else base or below
        own = {key: value for key, value in tree.data.items() if key != "extends"}
        tree = tree._replace(data=own)
        return None if not whole else merge(below, tree) if below else tree

    def _base(self, entry: str, path: str) -> Tree | None:
        """What one entry of `extends` stands for: the base, its own bases below it, without what is each file's own."""
        file = os.path.normpath(os.path.join(os.path.dirname(path), entry))
        try:
            real = os.path.realpath(file)
        except ValueError:      # a NUL, or what the file system's encoding has not
            self._report(Fault("GV020", f"no file can be called {cut(shown(entry))}", "write the path of a file that exists"))
            return None
        if real in self._done:
            return self._done[real]
        if self._too_many:
            return None      # said once
        if (refusal := self._refusal(entry, real)) is not None:
            self._too_many = refusal[0].code == "GV024"
            self._report(*refusal)
            return None
        try:
            raw = self._read(file)
        except OSError as error:
            reason = unreadable(file, error).message
            self._report(Fault("GV020", reason, f"paths in `extends` are relative to {path}; correct it, or remove it"))
            return None
        self.files.append(file)
        source = read_bytes(raw, file)
        self.findings += source.findings
        tree = source.tree
        if tree is not None and (fault_in_head := _fault_in_head(tree.data, file)) is not None:
            self._report(fault_in_head)
            tree = None
        if tree is not None:
            tree = self._over_bases(tree, file)
        if tree is not None:
            tree = tree._replace(data={key: value for key, value in tree.data.items() if key not in _OWN})
        self._done[real] = tree
        return tree

    def _refusal(self, entry: str, real: str) -> tuple[Fault, tuple[Related, ...]] | None:
        """Why a base is not even read."""
        if "://" in entry:
            return Fault("GV020", f"{cut(entry)} is no file; nothing is fetched", "put the base into the repository"), ()
        if is_special(real):
            return Fault("GV020", f"{cut(entry)} is no regular file", "write the path of a file that exists"), ()
        opened = [place for place, _, _ in self._open]
        if real in opened:
            ring = self._open[opened.index(real) :]
            names = " -> ".join(os.path.basename(place) for place in (*(place for place, _, _ in ring), real))
            related = tuple(Related(locate_route(tree, route), "by way of this") for _, tree, route in ring[:-1])
            return Fault("GV021", f"the files extend one another in a circle: {names}", "remove one of these entries"), related
        if self._root is not None and not is_inside(real, self._root):
            message = f"{cut(entry)} is outside {os.path.basename(self._root) or self._root}/, the folder that a site's bases must be in"
            return Fault("GV022", message, "move the base below that folder, or pass --allow-outside"), ()
        if len(self._open) > MAX_CHAIN:
            return Fault("GV024", f"more than {MAX_CHAIN} bases below one another", "merge some of them"), ()
        if len(self.files) >= MAX_FILES:
            return Fault("GV024", f"the site is made of more than {MAX_FILES} files", "merge some of the bases"), ()
        return None

    def _report(self, fault: Fault, related: tuple[Related, ...] = ()) -> None:
        """Add a finding at the entry of `extends` that is being followed."""
        _, tree, route = self._open[-1]
        self.findings.append(finding(fault, locate_route(tree, route), route, related))


def _fault_in_head(data: Json, file: str) -> Fault | None:
    """What makes a file no base: bases say so, so that nobody renders half a site or extends a whole one."""
    if data.get("kind") == "Site":
        fix = "move what both share into a file of kind: Base, and let both extend that"
        return Fault("GV023", f"{file} is a Site, and a Site cannot be extended", fix)
    for key, wanted in (("kind", "Base"), ("apiVersion", _API)):
        if data.get(key) != wanted:
            found = f"has {key} {cut(shown(data[key]))}" if key in data else f"has no {key}"
            return Fault("GV023", f"{file} {found}; a base has `{key}: {wanted}`", f"write {key}: {wanted} in {file}")
    return None


def merge(low: Tree, high: Tree) -> Tree:
    """`high` laid over `low`; every node keeps its origin."""
    return _Merge(low, high).tree()


class _Merge:
    """One merge: data is shared with both trees, origins and the places of pools are collected anew."""

    def __init__(self, low: Tree, high: Tree) -> None:
        self._low = low
        self._high = high
        self._origin: dict[Route, Origin] = {}
        self._pools: dict[tuple[int, str], int] = {}

    def tree(self) -> Tree:
        data = self._maps((), (), ())
        return Tree(data, self._origin, {**self._low.texts, **self._high.texts}, self._pools)

    def _maps(self, low: Route, high: Route, new: Route) -> dict[str, Json]:
        """Two maps merged: routes of the lower, the upper and the merged one."""
        lower, upper = at_route(self._low.data, low), at_route(self._high.data, high)
        self._origin[new] = self._high.origin[high]
        merged: dict[str, Json] = {}
        for key, value in lower.items():
            if key not in upper:
                merged[key] = self._keep(self._low, value, (*low, key), (*new, key))
            elif upper[key] is not None:
                merged[key] = self._over(value, upper[key], (*low, key), (*high, key), (*new, key))
        for key, value in upper.items():
            if key not in lower:
                merged[key] = self._keep(self._high, value, (*high, key), (*new, key))
        return merged

    def _over(self, lower: Json, upper: Json, low: Route, high: Route, new: Route) -> Json:
        if isinstance(lower, dict) and isinstance(upper, dict):
            return self._maps(low, high, new)
        if new == _POOLS and isinstance(lower, list) and isinstance(upper, list):
            return self._merge_pools(lower, upper)
        return self._keep(self._high, upper, high, new)

    def _merge_pools(self, lower: list[Json], upper: list[Json]) -> list[Json]:
        """Pools of one name merged, in the order of the base; new ones behind them."""
        self._origin[_POOLS] = self._high.origin[_POOLS]
        left = dict(enumerate(upper))
        merged: list[Json] = []
        for index, pool in enumerate(lower):
            new = (*_POOLS, index)
            self._note(self._low, index, index)
            above = next((i for i, other in left.items() if _same_pool(pool, other)), None)
            if above is None:
                merged.append(self._keep(self._low, pool, new, new))
            else:
                del left[above]
                self._note(self._high, above, index)
                merged.append(self._maps(new, (*_POOLS, above), new))
        for index, pool in left.items():
            self._note(self._high, index, len(merged))
            merged.append(self._keep(self._high, pool, (*_POOLS, index), (*_POOLS, len(merged))))
        return merged

    def _note(self, tree: Tree, old: int, new: int) -> None:
        """Remember at which index of each of its files a pool stands."""
        for file in tree.texts:
            self._pools[new, file] = tree.pools.get((old, file), old)

    def _keep(self, tree: Tree, data: Json, old: Route, new: Route) -> Json:
        """A node of one tree as it is, with the origins of everything below."""
        self._origin[new] = tree.origin[old]
        if new == _POOLS:
            for index in range(len(data) if isinstance(data, list) else 0):
                self._note(tree, index, index)
        for step, value in children(data):
            self._keep(tree, value, (*old, step), (*new, step))
        return data


def _same_pool(pool: Json, other: Json) -> bool:
    return isinstance(pool, dict) and isinstance(other, dict) and "name" in pool and pool["name"] == other.get("name")
