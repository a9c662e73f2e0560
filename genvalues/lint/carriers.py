"""What carries Helm values: Flux, Argo CD, k3s and RKE2, helmfile, Fleet, kustomize. Where the values are, and of which chart.

Sources: Flux helm.toolkit.fluxcd.io/v2 and source.toolkit.fluxcd.io/v1, Argo CD argoproj.io/v1alpha1 (valuesObject beats
values, parameters beat both), k3s-io/helm-controller helm.cattle.io/v1, helmfile releases, Rancher Fleet fleet.yaml,
kustomize helmCharts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from genvalues.finding import Json, Route
from genvalues.lint.charts import named
from genvalues.record import NamedTuple


class Set(NamedTuple):
    """One value as on helm's command line: the path as `--set` has it, the value, the routes of value and path.

    `as_text` says that it stays text (`--set-string`).
    """

    path: str
    value: Json
    at: Route
    named: Route
    as_text: bool = False


class Release(NamedTuple):
    """One release of a chart in a document.

    `chart` and `version` are as in the file, "" where it does not say; `at` is the route to point at when speaking of
    them. `values` are routes of values, later over earlier: mappings, or texts of YAML; `sets` lie over them. `refers`
    names a chart source by kind and name. `elsewhere` says which values the document does not hold. `distribution` is that
    of the clusters that know the carrier.
    """

    what: str
    at: Route
    chart: str = ""
    version: str = ""
    values: tuple[Route, ...] = ()
    sets: tuple[Set, ...] = ()
    refers: tuple[str, str] = ("", "")
    elsewhere: str = ""
    namespace: str = ""
    distribution: str = ""


def releases(data: Json) -> Iterator[Release]:
    """The releases of a document; none where it is no carrier."""
    if not isinstance(data, dict):
        return
    group, kind = _text(data, "apiVersion").partition("/")[0], _text(data, "kind")
    reader = _READERS.get((group, kind))
    if reader is not None:
        yield from reader(data)
    elif not group and isinstance(data.get("releases"), list):
        yield from _helmfile(data)
    elif not group and isinstance(data.get("helm"), dict) and {"chart", "values", "version"} & data["helm"].keys():
        yield from _fleet(data)


def is_carrier(data: Json) -> bool:
    """Whether a document is of a kind that carries values, though it may hold none."""
    return isinstance(data, dict) and (
        (_text(data, "apiVersion").partition("/")[0], _text(data, "kind")) in _READERS
        or next(releases(data), None) is not None
    )


def source_of(data: Json) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """(kind, name) of a Flux chart source, and the (chart, version) that it stands for."""
    if not isinstance(data, dict) or _text(data, "apiVersion").partition("/")[0] != "source.toolkit.fluxcd.io":
        return None
    spec, name = _map(data, "spec"), _text(_map(data, "metadata"), "name")
    if data.get("kind") == "OCIRepository":
        ref = _map(spec, "ref")
        return ("OCIRepository", name), (named(_text(spec, "url"))[0], _text(ref, "tag") or _text(ref, "semver"))
    if data.get("kind") == "HelmChart":
        return ("HelmChart", name), (named(_text(spec, "chart"))[0], _text(spec, "version"))
    return None


def _flux(data: Json) -> Iterator[Release]:
    spec = _map(data, "spec")
    chart, ref = _map(_map(spec, "chart"), "spec"), _map(spec, "chartRef")
    at: Route = ("spec", "chartRef", "name") if ref else _first(data, ("spec", "chart", "spec"), "version", "chart")
    yield Release(
        "a Flux HelmRelease",
        at,
        named(_text(chart, "chart"))[0],
        _text(chart, "version"),
        (("spec", "values"),) if isinstance(spec.get("values"), dict) else (),
        refers=(_text(ref, "kind"), _text(ref, "name")),
        elsewhere="valuesFrom" if spec.get("valuesFrom") else "" if chart or ref else "other values",
        namespace=_text(spec, "targetNamespace") or _text(_map(data, "metadata"), "namespace"),
    )


def _application(data: Json) -> Iterator[Release]:
    yield from _argo(_map(data, "spec"), ("spec",), "an Argo CD Application")


def _application_set(data: Json) -> Iterator[Release]:
    yield from _argo(
        _map(_map(_map(data, "spec"), "template"), "spec"), ("spec", "template", "spec"), "an Argo CD ApplicationSet"
    )


def _argo(spec: Mapping[str, Json], base: Route, what: str) -> Iterator[Release]:
    sources: list[tuple[Route, Json]] = [((*base, "source"), spec.get("source"))]
    if isinstance(spec.get("sources"), list):
        sources = [((*base, "sources", index), one) for index, one in enumerate(spec["sources"])]
    for route, source in sources:
        if not isinstance(source, dict) or ("helm" not in source and "chart" not in source):
            continue
        helm, url = _map(source, "helm"), _text(source, "repoURL")
        chart = _text(source, "chart") or (named(url)[0] if url.startswith("oci://") else "")
        at = (*route, "targetRevision" if "targetRevision" in source else next(iter(source)))
        inside: Route = (
            (*route, "helm", "valuesObject")
            if isinstance(helm.get("valuesObject"), dict)
            else (*route, "helm", "values")
        )
        yield Release(
            what,
            at,
            chart,
            _text(source, "targetRevision") if chart else "",
            (inside,) if helm.get(str(inside[-1])) else (),
            tuple(_parameters(helm.get("parameters"), (*route, "helm", "parameters"))),
            elsewhere="valueFiles" if helm.get("valueFiles") else "",
            namespace=_text(_map(spec, "destination"), "namespace"),
        )


def _cattle(data: Json) -> Iterator[Release]:
    spec, metadata = _map(data, "spec"), _map(data, "metadata")
    kind = "HelmChart" if data.get("kind") == "HelmChart" else "HelmChartConfig"
    chart, version = named(_text(spec, "chart"))
    sets = _map(spec, "set")
    yield Release(
        f"a {kind} of k3s or RKE2",
        _first(data, ("spec",), "version", "chart", "valuesContent"),
        chart if kind == "HelmChart" else _text(metadata, "name"),
        _text(spec, "version") or version,
        tuple(("spec", key) for key in ("valuesContent", "values") if spec.get(key)),
        tuple(Set(path, value, ("spec", "set", path), ("spec", "set", path)) for path, value in sets.items()),
        namespace=_text(spec, "targetNamespace") or _text(metadata, "namespace"),
        elsewhere="" if kind == "HelmChart" else "other values",
        distribution="rke2" if kind == "HelmChart" else "",
    )


def _helmfile(data: Json) -> Iterator[Release]:
    for index, release in enumerate(data["releases"]):
        if not isinstance(release, dict) or not isinstance(release.get("chart"), str):
            continue
        route: Route = ("releases", index)
        values = _list(release, "values")
        yield Release(
            "a helmfile",
            _first(data, route, "version", "chart"),
            named(release["chart"])[0],
            _text(release, "version") or named(release["chart"])[1],
            tuple((*route, "values", place) for place, one in enumerate(values) if isinstance(one, dict)),
            tuple(_parameters(release.get("set"), (*route, "set"))),
            elsewhere="files of values" if any(isinstance(one, str) for one in values) else "",
            namespace=_text(release, "namespace"),
        )


def _fleet(data: Json) -> Iterator[Release]:
    helm = data["helm"]
    yield Release(
        "a fleet.yaml",
        _first(data, ("helm",), "version", "chart", "values"),
        named(_text(helm, "chart"))[0],
        _text(helm, "version"),
        (("helm", "values"),) if isinstance(helm.get("values"), dict) else (),
        elsewhere="valuesFiles" if helm.get("valuesFiles") else "",
        namespace=_text(data, "defaultNamespace"),
    )


def _kustomize(data: Json) -> Iterator[Release]:
    for index, chart in enumerate(_list(data, "helmCharts")):
        if isinstance(chart, dict):
            route: Route = ("helmCharts", index)
            yield Release(
                "a kustomization with helmCharts",
                _first(data, route, "version", "name"),
                _text(chart, "name"),
                _text(chart, "version"),
                ((*route, "valuesInline"),) if isinstance(chart.get("valuesInline"), dict) else (),
                elsewhere="valuesFile" if chart.get("valuesFile") else "",
                namespace=_text(chart, "namespace"),
            )


_READERS: Mapping[tuple[str, str], Callable[[Json], Iterator[Release]]] = {
    ("helm.toolkit.fluxcd.io", "HelmRelease"): _flux,
    ("argoproj.io", "Application"): _application,
    ("argoproj.io", "ApplicationSet"): _application_set,
    ("helm.cattle.io", "HelmChart"): _cattle,
    ("helm.cattle.io", "HelmChartConfig"): _cattle,
    ("kustomize.config.k8s.io", "Kustomization"): _kustomize,
}


def _parameters(listed: Json, route: Route) -> Iterator[Set]:
    for index, one in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(one, dict) and isinstance(one.get("name"), str) and "value" in one:
            below: Route = (*route, index)
            yield Set(one["name"], one["value"], (*below, "value"), (*below, "name"), one.get("forceString") is True)


def _first(data: Json, base: Route, *keys: str) -> Route:
    """The route of the first of the keys that is there; else that of their mapping."""
    node: Json = data
    for step in base:
        node = node[step] if isinstance(step, int) else node.get(step, {}) if isinstance(node, dict) else {}
    return next(((*base, key) for key in keys if isinstance(node, dict) and key in node), base)


def _map(data: Json, key: str) -> Mapping[str, Json]:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _list(data: Json, key: str) -> Sequence[Json]:
    value = data.get(key)
    return value if isinstance(value, list) else ()


def _text(data: Json, key: str) -> str:
    """A text; a number that YAML made of one (`version: 0.18`) as text."""
    value = data.get(key) if isinstance(data, Mapping) else None
    return (
        value
        if isinstance(value, str)
        else str(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else ""
    )
