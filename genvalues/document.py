"""What artefacts are made of: documents built from decided values, each leaf remembering who decided it.

The record of reasons in a document is the one source for the comments in the YAML, for `genvalues explain PATH`, and
for placing a finding about the output at the line of the site that caused it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Generic, Literal, TypeVar

from genvalues.finding import Json, Route, at_route, exists
from genvalues.record import NamedTuple

T = TypeVar("T")

Kind = Literal[
    "values",  # Helm values of `subject`
    "manifest",  # any Kubernetes object that has no kind of its own below
    "config-map",
    "node-feature-rule",
    "cluster-policy",
    "nvidia-driver",
    "nic-cluster-policy",
    "kustomization",
    "device-plugin",  # the body of a device-plugin config
    "mig-parted",  # the body of a mig-parted config
    "dcgm-csv",  # rows (field, type, help)
    "scheduler",  # KubeSchedulerConfiguration
    "kubespray",  # Kubespray's group_vars about the scheduler
    "kubeadm",
    "rke2-config",  # config.yaml.d of RKE2 and k3s
]


class Why(NamedTuple):
    """The routes of the site that decided a value (none: a fact or a default did), and one sentence."""

    routes: tuple[Route, ...]
    text: str


class Decided(NamedTuple, Generic[T]):
    """A value together with its reason."""

    value: T
    why: Why


class Chart(NamedTuple):
    """One published chart version: name, and version as published ("v25.10.1", "0.18.3")."""

    name: str
    version: str


class Doc(NamedTuple):
    """One YAML (or CSV) document of a rendering.

    `path` is relative to the site's folder. `why` holds reasons by route; the nearest one above a node speaks for it.
    `embedded` maps the route of a text node (a ConfigMap's data entry, say) to the document whose text it holds.
    `intro` is what the file's header says of this very file.
    """

    path: str
    kind: Kind
    body: Json
    why: Mapping[Route, Why]
    embedded: Mapping[Route, "Doc"]
    chart: Chart | None = None
    intro: tuple[str, ...] = ()

    def reason(self, route: Route) -> Why | None:
        """The reason at `route`, or the nearest one above it; one without words takes those of the one above."""
        nearest: Why | None = None
        for length in range(len(route), -1, -1):
            why = self.why.get(route[:length])
            if why is not None and why.text:
                return why if nearest is None else nearest._replace(text=why.text)
            nearest = nearest or why
        return nearest


class Text(NamedTuple):
    """One file of a rendering that is not YAML: prose, a host file. `comment` starts a comment line in it."""

    path: str
    text: str
    comment: str = "#"


class Builder:
    """Collects one `Doc`. Every write names its reason, so nothing in an artefact is without one."""

    def __init__(self, path: str, kind: Kind, chart: Chart | None = None, intro: Iterable[str] = ()) -> None:
        self._path = path
        self._kind: Kind = kind
        self._chart = chart
        self._intro = tuple(intro)
        self._body: dict[str, Json] = {}
        self._why: dict[Route, Why] = {}
        self._embedded: dict[Route, Doc] = {}

    def put(self, route: Route, decided: Decided[T]) -> None:
        """Set the node at `route` to a decided value; a later write wins.

        Maps and lists on the way are made as needed; the index behind the last item of a list appends one.
        """
        self._set(route, plain(decided.value))
        self._why[route] = decided.why

    def fixed(self, route: Route, value: Json) -> None:
        """Set a node that could not be otherwise: apiVersion, kind, what upstream's shape demands. Needs no reason."""
        self._set(route, plain(value))

    def lay(self, base: Route, overlay: Json, why: Why) -> None:
        """Lay raw values over what is there, leaf by leaf, each leaf with its own line of the site: maps merge, lists replace.

        An empty map over a map changes nothing, as in Helm. `why.routes[0]` is the route of `overlay` in the site.
        """
        if isinstance(overlay, dict) and (overlay or not base or isinstance(self._at(base), dict)):
            for key, value in overlay.items():
                below = why._replace(routes=((*why.routes[0], key), *why.routes[1:]))
                self.lay((*base, key), value, below)
            return
        self._set(base, plain(overlay))
        self._why[base] = why

    def embed(self, route: Route, doc: Doc) -> None:
        """Make the text node at `route` hold another document."""
        self._set(route, "")
        self._embedded[route] = doc

    def doc(self) -> Doc:
        """The finished document."""
        return Doc(self._path, self._kind, self._body, self._why, self._embedded, self._chart, self._intro)

    def _at(self, route: Route) -> Json:
        return at_route(self._body, route) if exists(self._body, route) else None

    def _set(self, route: Route, value: Json) -> None:
        if isinstance(self._at(route), (dict, list)):
            self._forget(route)
        self._embedded.pop(route, None)
        node: Json = self._body
        for step, following in pairwise(route):
            node = _below(node, step, list if isinstance(following, int) else dict)
        _assign(node, route[-1], value)

    def _forget(self, route: Route) -> None:
        """Drop what is known of the nodes below `route`: another value takes their place."""
        for record in (self._why, self._embedded):
            for below in [known for known in record if len(known) > len(route) and known[: len(route)] == route]:
                del record[below]


def _below(node: Json, step: str | int, kind: type[dict[str, Json]] | type[list[Json]]) -> Json:
    """The collection of that kind at `step` of `node`, a new one where there is none."""
    present = exists(node, (step,))
    if not present or not isinstance(node[step], kind):
        _assign(node, step, kind())
    return node[step]


def _assign(node: Json, step: str | int, value: Json) -> None:
    if isinstance(node, list) and step == len(node):
        node.append(value)
    else:
        node[step] = value


def plain(value: Json) -> Json:
    """Value as JSON has it: tuples become lists, mappings become dicts, copied all the way down."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def leaves(data: Json, route: Route = ()) -> Iterator[tuple[Route, Json]]:
    """Every leaf with its route, in order; an empty map or list is a leaf."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, (*route, key))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from leaves(value, (*route, index))
    else:
        yield route, data
