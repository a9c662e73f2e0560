"""The rule about credentials: a site, its values and its ConfigMaps are read by everyone who reads the repository.

The words of a finding name the place and never the secret.
"""

import re
from collections.abc import Iterator, Mapping

from genvalues.document import leaves
from genvalues.facts import Facts
from genvalues.facts.version import same_or_newer
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import quoted

# Sources: RFC 3986, userinfo; RFC 7468 on PEM; the vendors' own descriptions of their tokens' prefixes.
_KINDS: tuple[tuple[str, str], ...] = (
    (r"://[^\s/:@]*:[^\s/@]+@", "a password in a URL"),
    (r"-----BEGIN [A-Z ]*PRIVATE KEY-----", "a private key"),
    (r"\bnvapi-[A-Za-z0-9_-]{20}", "an API key of NVIDIA"),
    (r"\b(gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{30})", "a token of GitHub"),
    (r"\bglpat-[A-Za-z0-9_-]{20}", "a token of GitLab"),
    (r"\b(AKIA|ASIA)[A-Z0-9]{16}\b", "an access key of AWS"),
    (r"\beyJ[A-Za-z0-9_-]{10,500}\.eyJ[A-Za-z0-9_-]{10,500}", "a token (JWT)"),
    (r"(?m)^[ \t]*(proxy_)?password[ \t]*=[ \t]*\S", "a password"),
)
_WITHOUT_SCHEME = r"[^\s/:@]+:[^\s/@]+@(?!sha256:)[^\s/]"
_TELLING_NAME = r"(^|_)(PASSWORD|PASSWD|TOKEN|SECRET|API_?KEY|ACCESS_?KEY)$"
_HINTS = (
    "@",
    "-----BEGIN",
    "nvapi-",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "KIA",
    "SIA",
    "eyJ",
    "password",
)


def found(text: str) -> str | None:
    """What kind of credential a text holds; None where it holds none."""
    if not any(hint in text for hint in _HINTS):
        return None
    return next((what for pattern, what in _KINDS if re.search(pattern, text)), None)


def holds(reference: str) -> bool:
    """Whether an image prefix or URL holds a name and a password."""
    return found(reference) is not None or re.match(_WITHOUT_SCHEME, reference) is not None


def _judged(data: Json, base: Route) -> Iterator[tuple[Route, str]]:
    """The leaves below a node that hold credentials, with what they hold."""
    for route, value in leaves(data):
        what = found(value) if isinstance(value, str) else None
        if what is not None:
            yield (*base, *route), what
        elif isinstance(value, str) and value and route[-1:] == ("value",) and _is_secret(data, route):
            yield (*base, *route), "what its variable's name calls a secret"


def _is_secret(data: Json, route: Route) -> bool:
    """Whether `route` is the value of an environment variable whose name says that it is secret."""
    name = node_at(data, (*route[:-1], "name"))
    return isinstance(name, str) and re.search(_TELLING_NAME, name.upper()) is not None


def _in_file(body: Body, _: Facts) -> Iterator[Hit]:
    for route, what in _judged(body.data, ()) if isinstance(body.data, Mapping) else ():
        yield Hit(route, f"{_named(route)} holds {what}, and everyone who reads the repository can read it", _ADVICE)


_ADVICE = (
    "keep it in a Secret of the namespace, and name that: secretKeyRef in a variable, imagePullSecrets for a registry"
)


def _named(route: Route) -> str:
    return next((str(step) for step in reversed(route) if isinstance(step, str)), "the text")


_ELSEWHERE = frozenset(("overrides", "accept"))
"""Parts of a site that are not judged here: overrides are, in the values that they become."""


@rule("GV590", "error", "Credentials in the repository", files={"values": _in_file, "config-map": _in_file})
def credentials(case: Case) -> Iterator[Hit]:
    for part, data in case.site.data.items():
        if part in _ELSEWHERE:
            continue
        for route, what in _judged(data, (part,)):
            text = f"{_named(route)} holds {what}, and everyone who reads the repository can read it"
            yield Hit(route, text, _instead(route, case))
    offline = case.site.offline
    for name, mirror in offline.registries.items() if offline is not None else ():
        if found(mirror) is None and re.match(_WITHOUT_SCHEME, mirror):
            route = ("offline", "registries", name)
            text = f"the mirror of {name} is written with a password, which everyone who reads the repository can read"
            yield Hit(route, text, _instead(route, case))


def _instead(route: Route, case: Case) -> str:
    """Where the credentials of a place of the site belong."""
    if route[:2] == ("cluster", "proxy"):
        if same_or_newer(case.plan.operator.chart.version, "v25.10.0"):
            return (
                f"a Secret with HTTP_PROXY, http_proxy and so on in namespace {case.plan.operator.namespace.value}, named by "
                "overrides: {gpuOperator: {driver: {secretEnv: proxy-credentials}}}"
            )
        return "a proxy that lets the nodes in without a password"
    if route[:2] == ("offline", "registries"):
        return (
            "the registry without it, and imagePullSecrets: [regcred], a Secret of type kubernetes.io/dockerconfigjson"
        )
    if route[:2] == ("offline", "charts"):
        return "the URL without it, and `helm registry login` or `helm repo add --username` where helm runs"
    if route[:2] == ("offline", "packages"):
        return "a mirror that lets the nodes in without a password: driver pods read their sources from a ConfigMap"
    return f"remove it from {quoted(_named(route))}, and keep it in a Secret"


RULES: tuple[Rule, ...] = (credentials,)
