"""Which charts are installed, from where and into which namespaces, and which images they pull."""

from collections.abc import Iterator, Mapping

from genvalues import contracts
from genvalues.document import Chart, Decided
from genvalues.facts import Facts
from genvalues.finding import Json, Route, node_at, parse_route
from genvalues.model import Offline, Site
from genvalues.plan.kinds import ChartPlan, Image
from genvalues.plan.reasons import because, by_default, said

OPERATOR_CHARTS = "https://helm.ngc.nvidia.com/nvidia"
NFD_CHARTS = "https://kubernetes-sigs.github.io/node-feature-discovery/charts"

# The pod that NVIDIA's own end-to-end tests run (NVIDIA/gpu-operator v26.7.0, tests/gpu-pod.yaml).
VERIFY_IMAGE = "nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0-ubuntu22.04"


def operator(site: Site) -> ChartPlan:
    """The GPU Operator's chart; published with a leading v."""
    version = "v" + site.gpu_operator.removeprefix("v")
    namespace = _namespace(site.cluster.gpu_operator_namespace, "gpuOperator", "gpu-operator")
    stated = said(version, ("charts", "gpuOperator"), "the chart version that the site names")
    return _chart(site, "gpu-operator", stated, namespace, OPERATOR_CHARTS)


def nfd(site: Site, facts: Facts) -> ChartPlan:
    """NFD's chart, always stand-alone; published without a leading v."""
    namespace = _namespace(site.cluster.nfd_namespace, "nodeFeatureDiscovery", "node-feature-discovery")
    if site.nfd is not None:
        route: Route = ("charts", "nodeFeatureDiscovery")
        stated = said(site.nfd.removeprefix("v"), route, "the chart version that the site names")
    else:
        operator_version = "v" + site.gpu_operator.removeprefix("v")
        release = facts.operator_release(operator_version)
        built_with = release.components.get("nfd", "") if release else ""
        stated = because(
            built_with,
            (("charts", "gpuOperator"),),
            f"the NFD that the chart of GPU Operator {operator_version} was built with",
        )
    return _chart(site, "node-feature-discovery", stated, namespace, NFD_CHARTS)


def _chart(site: Site, name: str, version: Decided[str], namespace: Decided[str], upstream: str) -> ChartPlan:
    mirror = site.offline.charts if site.offline else None
    oci = mirror is not None and mirror.startswith("oci://")
    return ChartPlan(
        chart=Chart(name, version.value),
        version=version,
        namespace=namespace,
        release=name,
        source=f"{mirror.rstrip('/')}/{name}" if mirror and oci else name,
        repository=None if oci else mirror or upstream,
        known=bool(version.value) and contracts.load(name, version.value) is not None,
    )


def _namespace(stated: str | None, key: str, default: str) -> Decided[str]:
    if stated is not None:
        return said(stated, ("cluster", "namespaces", key), "the namespace that the site names")
    return by_default(default, "the usual namespace")


def mirrored(reference: str, offline: Offline | None) -> Decided[str]:
    """Where an image reference (or its repository) comes from at this site: the longest prefix that the site maps."""
    registries: Mapping[str, str] = offline.registries if offline else {}
    fitting = [prefix for prefix in registries if reference == prefix or reference.startswith(prefix.rstrip("/") + "/")]
    if not fitting:
        return by_default(reference, "the upstream registry")
    prefix = max(fitting, key=len)
    moved = registries[prefix].rstrip("/") + reference[len(prefix.rstrip("/")) :]
    return said(moved, ("offline", "registries", prefix), f"{prefix} is mirrored at {registries[prefix]}")


# GPU Operator up to v25.10, controllers/object_controls.go, TransformDCGMExporter: not without an OPENSHIFT_VERSION.
_OPENSHIFT_ONLY = "operator.initContainer"


def images(chart: ChartPlan, site: Site, switches: Json, overrides: Json) -> Iterator[Image]:
    """The images of a chart as its contract lists them; `switches` are the values by which the plan turns parts on or off.

    An image runs here where the chart's key for it has an effect under the switches and the site's overrides, which may
    name another image, too.
    """
    contract = contracts.load(chart.chart.name, chart.chart.version)
    if contract is None:
        return
    values = laid_over(switches, overrides)
    for image in contract.images():
        route = {part: parse_route(path) for part, path in image.values.items()}
        acting = {part: key for part, key in route.items() if contract.effective(key, values) is None}
        own = {part: node for part, key in route.items() if isinstance(node := node_at(overrides, key), str)}
        yield Image(
            component=image.component,
            on="repository" in acting and image.component != _OPENSHIFT_ONLY,
            repository=mirrored(image.repository, site.offline),
            upstream=own.get("repository", image.repository),
            image=own.get("image", image.image),
            tag=own.get("version", image.tag or ""),
            os_suffix=image.os_suffix,
            route=acting,
        )


def laid_over(values: Json, overlay: Json) -> Json:
    """Values with others over them, as helm merges them: maps merge, all else replaces."""
    if not isinstance(values, Mapping) or not isinstance(overlay, Mapping):
        return overlay
    return {**values, **{key: laid_over(values.get(key), value) for key, value in overlay.items()}}
