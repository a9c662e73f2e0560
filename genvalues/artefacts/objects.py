"""How every Kubernetes object of a rendering begins."""

from collections.abc import Iterable

from genvalues.document import Builder, Chart, Decided, Kind
from genvalues.plan.kinds import Plan


def begin(
    path: str,
    kind: Kind,
    api_version: str,
    object_kind: str,
    name: Decided[str],
    chart: Chart | None = None,
    intro: Iterable[str] = (),
) -> Builder:
    """A cluster-scoped object with its name."""
    builder = Builder(path, kind, chart, intro)
    builder.fixed(("apiVersion",), api_version)
    builder.fixed(("kind",), object_kind)
    builder.put(("metadata", "name"), name)
    return builder


def operator_config_map(plan: Plan, path: str, name: Decided[str], intro: Iterable[str] = ()) -> Builder:
    """A ConfigMap that pods of the GPU Operator read: they find it in the operator's own namespace only."""
    builder = begin(path, "config-map", "v1", "ConfigMap", name, plan.operator.chart, intro)
    namespace = plan.operator.namespace
    why = namespace.why._replace(text="the operator's namespace: its pods read no ConfigMap of another one")
    builder.put(("metadata", "namespace"), Decided(namespace.value, why))
    return builder
