"""Rules about the proxy of driver pods: is it a URL, does somebody read it, and what must not go through it."""

import re
from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.finding import Hit, Json, Route
from genvalues.rules.offline_packages import hosts_of
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed, quoted

_PROXY: Route = ("cluster", "proxy")
_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


@rule("GV585", "warning", "Proxy that nothing reads")
def idle_proxy(case: Case) -> Iterator[Hit]:
    cluster = case.site.cluster
    stated = cluster.proxy_http or cluster.proxy_https or cluster.no_proxy
    if stated and all(not pool.driver.in_cluster or pool.driver.precompiled for pool in case.plan.pools):
        yield Hit(
            _PROXY,
            "only driver pods that fetch packages are given the proxy, and no pool has any; container runtime and package "
            "manager of the nodes have settings of their own",
            "remove proxy",
            at="key",
        )


@rule("GV586", "error", "Proxy that is no URL")
def proxy_is_url(case: Case) -> Iterator[Hit]:
    for name, value in (("http", case.site.cluster.proxy_http), ("https", case.site.cluster.proxy_https)):
        if value and not re.match(r"(https?|socks5h?)://[^\s/]+", value):
            yield Hit(
                (*_PROXY, name),
                f"{quoted(value)} has no scheme, and apt takes no proxy without one",
                f"{name}: http://{re.sub(r'^[a-z0-9+]*:?//', '', value)}",
            )


def goes_direct(host: str, no_proxy: tuple[str, ...]) -> bool:
    """Whether a host is reached without the proxy: a name or a domain above it, an address or a network around it."""
    for entry in no_proxy:
        suffix = entry.lower().lstrip("*").lstrip(".")
        if entry == "*" or (suffix and (host == suffix or host.endswith("." + suffix))) or _within(host, entry):
            return True
    return False


def _within(host: str, entry: str) -> bool:
    if "/" not in entry or not (host[:1].isdigit() or host.startswith("[")):
        return False
    import ipaddress  # noqa: PLC0415  for the few sites whose mirror is an address

    try:
        return ipaddress.ip_address(host.strip("[]")) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False


def _half(body: Body, _: Facts) -> Iterator[Hit]:
    """The driver container reads the variables in both cases."""
    base: Route = ("driver", "env") if body.kind == "values" else ("spec", "env")
    env = body.data
    for step in base:
        env = env.get(step) if isinstance(env, Mapping) else None
    names = {item["name"]: index for index, item in enumerate(_entries(env))}
    for name in _VARIABLES:
        for stated, other in ((name, name.lower()), (name.lower(), name)):
            if stated in names and other not in names:
                yield Hit(
                    (*base, names[stated], "name"),
                    f"driver pods read the proxy in both cases, and {stated} stands here without {other}",
                    f"- {{name: {other}, value: ...}} beside it",
                )
    proxied = next((name for name in names if name.upper() in _VARIABLES[:2]), None)
    if proxied is not None and "NO_PROXY" not in names and "no_proxy" not in names:
        yield Hit(
            (*base, names[proxied], "name"),
            "without NO_PROXY driver pods go through the proxy to internal hosts, too",
            "- {name: NO_PROXY, value: ...} and the same as no_proxy",
        )


def _entries(env: Json) -> list[Mapping[str, Json]]:
    """The entries of an env list; what is none keeps its place under a name that nothing has."""
    items = env if isinstance(env, list) else []
    return [item if isinstance(item, Mapping) and isinstance(item.get("name"), str) else {"name": ""} for item in items]


@rule("GV587", "warning", "Proxy between driver pods and what is near", files={"values": _half, "nvidia-driver": _half})
def near_through_proxy(case: Case) -> Iterator[Hit]:
    cluster = case.site.cluster
    building = [pool for pool in case.plan.pools if pool.driver.in_cluster and not pool.driver.precompiled]
    if not building or not (cluster.proxy_http or cluster.proxy_https):
        return
    packages = case.site.offline.packages if case.site.offline is not None else {}
    texts = [text for pool in building for text in packages.get(pool.os_tag or "", {}).values()]
    hosts = list(dict.fromkeys(host for text in texts for host in hosts_of(text)))
    through = [host for host in hosts if not goes_direct(host, cluster.no_proxy)]
    if through:
        yield Hit(
            (*_PROXY, "noProxy"),
            f"driver pods would fetch from {listed(through, 'and')}, the mirror of the site, through the proxy",
            f"noProxy: [{', '.join((*cluster.no_proxy, *through))}]",
            ((("offline", "packages"), "the mirror's sources"),),
        )
    elif not cluster.no_proxy:
        yield Hit(
            (*_PROXY, "noProxy"),
            "without noProxy driver pods go through the proxy to the cluster's own networks, too",
            "noProxy: [10.0.0.0/8, .svc, .cluster.local], with the networks of pods and Services",
        )


RULES: tuple[Rule, ...] = (idle_proxy, proxy_is_url, near_through_proxy)
