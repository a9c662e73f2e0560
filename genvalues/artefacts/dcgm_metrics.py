"""The ConfigMap with the CSV of fields that DCGM exporter collects.

The operator mounts exactly the key dcgm-metrics.csv and points the exporter at it (NVIDIA/gpu-operator#1616). One bad
row stops the whole exporter, so the rows are data here and `emit` spells them.
"""

from collections.abc import Iterator

from genvalues.artefacts.objects import operator_config_map
from genvalues.document import Doc
from genvalues.plan import Plan
from genvalues.plan.kinds import MetricGroup

PATH = "manifests/dcgm-metrics.yaml"
KEY = "dcgm-metrics.csv"

_INTRO = (
    "What DCGM exporter collects. It reads the list at its start only. After a change restart it:",
    "kubectl rollout restart daemonset nvidia-dcgm-exporter -n {namespace}",
)


def render(plan: Plan) -> Iterator[Doc]:
    """Nothing where the site leaves the choice of metrics to the chart."""
    groups = plan.monitoring.groups
    if groups is None:
        return
    intro = [line.format(namespace=plan.operator.namespace.value) for line in _INTRO]
    builder = operator_config_map(plan, PATH, plan.monitoring.config_map, intro)
    builder.embed(("data", KEY), _csv(groups.value))
    yield builder.doc()


def _csv(groups: tuple[MetricGroup, ...]) -> Doc:
    rows = [(group.why, [row.field, row.type, row.help]) for group in groups for row in group.rows]
    return Doc(
        path=KEY,
        kind="dcgm-csv",
        body={"rows": [row for _, row in rows]},
        why={("rows", position): why for position, (why, _) in enumerate(rows)},
        embedded={},
        intro=("field, Prometheus type, help",),
    )
