r"""From routes to places: data that knows where in its texts every node stands, and findings with line and column.

Offsets and columns count code points. A line ends at `\n` and nowhere else, as editors count and as libyaml, for which
U+2028 ends one too, does not.
"""

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache

from genvalues.finding import Finding, Hit, Json, Origin, Place, Related, Route, Severity
from genvalues.record import NamedTuple

_LONGEST_EXCERPT = 500      # a minified file is one line of a megabyte


class Tree(NamedTuple):
    """Data, and the origin of every node in it: `origin[()]` is the document's, and every route of `data` has one.

    `texts` holds each file that an origin names. `pools` is for trees merged from several files: the index that the
    pool at an index of `data` has in a file.
    """

    data: Json
    origin: Mapping[Route, Origin]
    texts: Mapping[str, str]
    pools: Mapping[tuple[int, str], int] = {}

    def at(self, route: Route) -> Origin:
        """The origin of the node at `route`, or of its nearest ancestor."""
        while route not in self.origin:
            route = route[:-1]
        return self.origin[route]

    def raw(self, route: Route) -> str:
        """The node at `route` as typed, with its quotes; of a collection, all of its text. KeyError without a node."""
        origin = self.origin[route]
        return self.texts[origin.file][origin.start : origin.end]

    def in_file(self, route: Route, file: str) -> Route:
        """`route` as it is in `file`: pools that were merged by name may stand at another index there."""
        if len(route) > 2 and route[:2] == ("hardware", "pools") and isinstance(route[2], int):
            return (*route[:2], self.pools.get((route[2], file), route[2]), *route[3:])
        return route


def place(hit: Hit, code: str, severity: Severity, tree: Tree) -> Finding:
    """The finding that a rule's hit becomes. A route without a node is placed at the key of its nearest ancestor."""
    where = locate_route(tree, hit.route, key=hit.at == "key")
    related = tuple(Related(locate_route(tree, route), message) for route, message in hit.related)
    path = tree.in_file(hit.route, where.file)
    return Finding(code, severity, hit.message, hit.fix, where, path, related, hit.verdict)


def locate_route(tree: Tree, route: Route, *, key: bool = False) -> Place:
    """The place of the value at `route`; of the key if asked, if there is no value, or if it starts on a later line."""
    origin = tree.at(route)
    text = tree.texts[origin.file]
    if key or route not in tree.origin or origin.start == origin.end or "\n" in text[origin.key_end : origin.start]:
        return locate(origin.file, text, origin.key_start, origin.key_end)
    return locate(origin.file, text, origin.start, origin.end)


def locate(file: str, text: str, start: int, end: int) -> Place:
    """The place from offset `start` to `end`, or to the end of its line where `end` is on a later one."""
    starts = _line_starts(text)
    line = bisect_right(starts, start)
    first = starts[line - 1]
    newline = text.find("\n", first)
    last = len(text) if newline < 0 else newline
    excerpt = text[first:last].rstrip("\r")
    column = start - first + 1
    stop = end - first if end <= last else len(excerpt.rstrip())
    return Place(file, line, column, max(stop + 1, column + 1), excerpt[:_LONGEST_EXCERPT])


@lru_cache(maxsize=32)
def _line_starts(text: str) -> list[int]:
    starts, position = [0], 0
    while (position := text.find("\n", position) + 1) > 0:
        starts.append(position)
    return starts
