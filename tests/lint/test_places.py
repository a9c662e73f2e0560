"""Findings stand where the faulty text stands, however deep it lies in other text."""

from collections.abc import Callable

import pytest

from genvalues.finding import Finding, format_route
from genvalues.lint import Linted

Lint = Callable[..., Linted]

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
spec:
  source:
    chart: gpu-operator
    targetRevision: v25.10.1
    helm:
      parameters:
      - name: devicePlugin.migStrategy
        value: single
      values: |
        # why
        driver:

          dkms: true      # at line 15
        devicePlugin:
          config:
            name: a
            default: any
            create: true
            data:
              any: |-
                version: v1
                sharing:
                  timeSlicing:
                    resources:
                    - {name: nvidia.com/gpu, replicas: 1}
"""


def _places(found: Linted, code: str) -> list[tuple[int, str, str]]:
    """Line, the text that is pointed at, and the path, of the findings with a code."""
    return [(f.place.line, _pointed(f), format_route(f.path)) for f in found.findings if f.code == code]


def _pointed(finding: Finding) -> str:
    return finding.place.excerpt[finding.place.column - 1 : finding.place.end_column - 1]


def test_text_in_a_literal_block(linted: Lint) -> None:
    """A key in the values of an Application is at its own line and column; one that is set is where its name stands."""
    expected = [
        (9, "devicePlugin.migStrategy", "spec.source.helm.parameters[0].value"),
        (15, "dkms", "spec.source.helm.values.driver.dkms"),
    ]

    assert expected == _places(linted(APPLICATION), "GV901")


def test_text_in_text_in_text(linted: Lint) -> None:
    """A sharing config in values in an Application is at its own line and column."""
    path = "spec.source.helm.values.devicePlugin.config.data.any.sharing.timeSlicing.resources[0].replicas"

    assert [(27, "1", path)] == _places(linted(APPLICATION), "GV912")


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_line_ends(linted: Lint, ending: str) -> None:
    """Lines end with \\n or \\r\\n: places are the same."""
    text = APPLICATION.replace("\n", ending)

    assert (15, "dkms", "spec.source.helm.values.driver.dkms") in _places(linted(text), "GV901")


@pytest.mark.parametrize(
    "scalar",
    ['"driver:\\n  dkms: true\\n"', ">\n    driver:\n\n      dkms: true\n"],
    ids=["quoted", "folded"],
)
def test_other_scalars_have_one_place(linted: Lint, scalar: str) -> None:
    """In a quoted or folded scalar everything stands where the scalar's key or first line stands; the path is exact."""
    text = f"apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec:\n  chart: gpu-operator\n  version: v25.10.1\n  valuesContent: {scalar}\n"
    [(line, _, path)] = _places(linted(text), "GV901")

    assert (6, "spec.valuesContent.driver.dkms") == (line, path)


def test_indentation_indicator(linted: Lint) -> None:
    """A block with an indentation indicator and a first line that is indented deeper is read and placed."""
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  dcgm-metrics.csv: |2-\n     # indented\n    DCGM_FI_DEV_GPU_UTIX, gauge, x\n"

    assert [(7, "DCGM_FI_DEV_GPU_UTIX, gauge, x", 'data["dcgm-metrics.csv"][1]')] == _places(linted(text), "GV700")


def test_rows_of_a_csv(linted: Lint) -> None:
    """A row of a CSV is a line of its file, whatever stands around it."""
    text = "# head\n\nDCGM_FI_DEV_GPU_UTIL, gauge, x\nDCGM_FI_DEV_GPU_UTIX, gauge, x  \n"

    assert [(4, "DCGM_FI_DEV_GPU_UTIX, gauge, x", "[3]")] == _places(linted(text), "GV700")


def test_faults_of_the_inner_text(linted: Lint) -> None:
    """A key that stands twice in a ConfigMap's entry is reported at its second line, with the first one beside it."""
    text = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  any: |\n    version: v1\n    sharing:\n"
        "      timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}\n    version: v1\n"
    )
    [finding] = [finding for finding in linted(text).findings if finding.code == "GV005"]

    assert (9, "version", [6]) == (
        finding.place.line,
        _pointed(finding),
        [other.place.line for other in finding.related],
    )


def test_values_under_a_subchart_key(linted: Lint) -> None:
    """The path of a finding in an umbrella chart's values begins at the top of the file."""
    found = linted("# a\ngpu-operator:\n  driver:\n    dkms: true\n", chart="gpu-operator@v25.10.1")

    assert [(4, "dkms", "gpu-operator.driver.dkms")] == _places(found, "GV901")


def test_second_document(linted: Lint) -> None:
    """Places count from the start of the file, not of the document."""
    found = linted("kind: Namespace\n---\nmigManager: {strategy: single}\n", chart="gpu-operator@v25.10.1")

    assert [(3, "strategy", "migManager.strategy")] == _places(found, "GV901")


def test_reason_beside_the_finding(linted: Lint) -> None:
    """The setting that switches a value off is named where its name stands, in whatever layer."""
    text = (
        APPLICATION.replace("devicePlugin.migStrategy", "driver.enabled")
        .replace("single", "'false'")
        .replace("dkms", "version")
    )
    [finding] = [finding for finding in linted(text).findings if finding.code == "GV902"]

    assert (15, [9]) == (finding.place.line, [other.place.line for other in finding.related])
