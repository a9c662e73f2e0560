"""A part of a file that can be judged, and how its hits become findings in that file."""

from collections.abc import Callable, Mapping

from genvalues.finding import Finding, Hit, Json, Place, Related, Route, node_at
from genvalues.place import Tree, locate_route
from genvalues.record import NamedTuple
from genvalues.rules.rule import Body, Rule

Raw = Callable[[Route], str | None]


class Part(NamedTuple):
    """A body and where it stands: `body.data` lies at `inside` of `tree`, whose origins are places in the file.

    `body.base` is the route in the file's document: for text in a block scalar the text node's, behind which the routes
    of the text go on. `paths` names the routes whose path in the file is another one (a `--set` of an Application).
    `raw` gives a scalar of the body as typed, None where that is not known. `below` says that the body lies under a
    chart's key in the values of an umbrella chart, `partial` that other values are laid under or over it which are not
    here, `assumed` that the version of `body.chart` is a guess.
    """

    body: Body
    tree: Tree
    inside: Route
    raw: Raw
    paths: Mapping[Route, Route] = {}
    below: bool = False
    partial: bool = False
    assumed: bool = False

    def finding(self, rule: Rule, hit: Hit) -> Finding:
        """The finding that a hit on the body becomes."""
        related = tuple(Related(self._place(route), message) for route, message in hit.related)
        where = self._place(hit.route, key=hit.at == "key")
        path = self.paths.get(hit.route, (*self.body.base, *hit.route))
        return Finding(rule.code, rule.severity, hit.message, hit.fix, where, path, related, hit.verdict)

    def value(self, route: Route) -> Json:
        """The node at a route of the body; None where there is none."""
        return node_at(self.body.data, route)

    def _place(self, route: Route, *, key: bool = False) -> Place:
        return locate_route(self.tree, (*self.inside, *route), key=key)


def raw_of(tree: Tree, inside: Route = ()) -> Raw:
    """What gives the scalars below `inside` as typed."""

    def raw(route: Route) -> str | None:
        whole = (*inside, *route)
        return tree.raw(whole) if whole in tree.origin else None

    return raw
