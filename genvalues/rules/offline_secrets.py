"""A rule about pull Secrets in hand-written values: the operator's chart has one list for each component, and none for all."""

from collections.abc import Iterator

from genvalues import contracts
from genvalues.facts import Facts
from genvalues.finding import Hit, Route, node_at, parse_route
from genvalues.record import NamedTuple
from genvalues.rules.offline_hosts import host_of, is_public
from genvalues.rules.rule import Body, Rule


class _Component(NamedTuple):
    """A component whose image comes from a registry that the values name, and its pull Secrets."""

    name: str
    host: str
    repository: Route
    secrets: Route
    named: tuple[str, ...]


def _components(body: Body) -> Iterator[_Component]:
    """Those that are deployed: what has no effect has no pods. A registry of the internet has its own keys for some images."""
    chart = body.chart
    contract = contracts.load("gpu-operator", chart.version) if chart and chart.name == "gpu-operator" else None
    for image in contract.images() if contract is not None else ():
        if "repository" not in image.values or "imagePullSecrets" not in image.values:
            continue
        repository, secrets = parse_route(image.values["repository"]), parse_route(image.values["imagePullSecrets"])
        stated, named = node_at(body.data, repository), node_at(body.data, secrets)
        if (
            isinstance(stated, str)
            and not is_public(stated)
            and contract is not None
            and contract.effective(repository, body.data) is None
        ):
            names = tuple(one for one in named if isinstance(one, str)) if isinstance(named, list) else ()
            yield _Component(image.component, host_of(stated), repository, secrets, names)


def _without_secret(body: Body, _: Facts) -> Iterator[Hit]:
    components = list(_components(body))
    for one in components:
        like = next((other for other in components if other.host == one.host and other.named), None)
        if like is None or one.named:
            continue
        names = ", ".join(like.named)
        yield Hit(
            one.repository,
            f"{one.name} comes from {one.host} like {like.name}, which has a pull Secret for it, and {one.name} has none",
            f"imagePullSecrets: [{names}] beside it",
            ((like.secrets, f"{like.name} has it"),),
        )


RULES: tuple[Rule, ...] = (
    Rule(
        "GV589", "warning", "Component without the registry's pull Secret", "0.1.0", files={"values": _without_secret}
    ),
)
