"""Values in layers are merged as Helm merges them."""

from collections.abc import Callable
from typing import Any

import pytest

from genvalues.lint import Linted, layers

Lint = Callable[..., Linted]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ("a[0].b[1][2]", ("a", 0, "b", 1, 2)),
        (r"labels.example\.com/x", ("labels", "example.com/x")),
        ("", ()),
        ("a..b", ()),
    ],
)
def test_path_of_a_setting(path: str, expected: tuple[Any, ...]) -> None:
    """Steps between dots, indices in brackets, a dot behind a backslash belongs to the name; what is no path is empty."""
    assert expected == layers.steps_of(path)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("true", True),
        ("False", False),
        ("null", None),
        ("12", 12),
        ("0", 0),
        ("012", "012"),
        ("1.5", "1.5"),
        ("x", "x"),
        (3, 3),
    ],
)
def test_type_of_a_setting(typed: Any, expected: Any) -> None:
    """As helm's strvals types them: words and whole numbers; decimals and leading zeros stay text."""
    found = layers.typed(typed)

    assert (expected, type(expected)) == (found, type(found))


def _values(found: Linted) -> Any:
    return next(body.data for body in found.bodies if body.kind == "values")


def test_later_layers_win(linted: Lint) -> None:
    """Maps merge, lists and scalars are replaced, settings lie over all."""
    text = (
        "releases:\n- chart: nvidia/gpu-operator\n  version: v25.10.1\n  values:\n"
        "  - {driver: {enabled: true, env: [{name: A}]}, toolkit: {enabled: true}}\n"
        "  - {driver: {enabled: false, env: []}, mig: {strategy: mixed}}\n"
        "  set: [{name: 'daemonsets.tolerations[1].key', value: x}, {name: toolkit.enabled, value: 'false'}]\n"
    )
    expected = {
        "driver": {"enabled": False, "env": []},
        "toolkit": {"enabled": False},
        "mig": {"strategy": "mixed"},
        "daemonsets": {"tolerations": [None, {"key": "x"}]},
    }

    assert expected == _values(linted(text))


def test_values_object_beats_values(linted: Lint) -> None:
    """Argo CD reads the text only where there is no valuesObject; a forced string stays text."""
    text = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    chart: gpu-operator\n    targetRevision: v25.10.1\n"
        "    helm:\n      values: 'driver: {enabled: false}'\n      valuesObject: {toolkit: {enabled: true}}\n"
        "      parameters: [{name: driver.version, value: '580', forceString: true}]\n"
    )

    assert {"toolkit": {"enabled": True}, "driver": {"version": "580"}} == _values(linted(text))


def test_setting_through_a_scalar(linted: Lint) -> None:
    """A path that runs into a scalar replaces it, and nothing is lost of the rest."""
    text = (
        "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec:\n  chart: gpu-operator\n  version: v25.10.1\n"
        "  set: {driver.rdma.enabled: 'true'}\n  valuesContent: |\n    driver: {rdma: 5, enabled: true}\n"
    )

    assert {"driver": {"rdma": {"enabled": True}, "enabled": True}} == _values(linted(text))


def test_values_of_one_layer_see_another(linted: Lint) -> None:
    """A value that another layer switches off is inert, and found where it stands."""
    text = (
        "releases:\n- chart: nvidia/gpu-operator\n  version: v25.10.1\n  values:\n"
        "  - driver:\n      rdma: {enabled: true}\n  - driver: {enabled: false}\n"
    )

    assert [(6, "releases[0].values[0].driver.rdma.enabled")] == [
        (finding.place.line, _path(finding)) for finding in linted(text).findings if finding.code == "GV902"
    ]


def _path(finding: Any) -> str:
    from genvalues.finding import format_route  # noqa: PLC0415

    return format_route(finding.path)


@pytest.mark.parametrize("value", ["'{{ .version }}'", '"${DRIVER_VERSION}"'])
def test_what_is_filled_in_later_is_not_judged(linted: Lint, value: str) -> None:
    """Placeholders of ApplicationSets and of Flux are no values yet; unknown keys beside them are reported."""
    text = f"helm:\n  chart: gpu-operator\n  version: v25.10.1\n  values:\n    driver: {{kernelModuleType: {value}, dkms: 1}}\n"

    assert ["GV901"] == [finding.code for finding in linted(text).findings]


def test_switch_of_a_subchart_is_the_umbrellas(linted: Lint) -> None:
    """`enabled` right below a subchart's key is what the umbrella's condition asks, and no dead key."""
    text = "gpu-operator:\n  enabled: true\n  driver: {enabled: false}\n  dkms: 1\n"

    assert [("GV901", 4)] == [(f.code, f.place.line) for f in linted(text, chart="gpu-operator@v25.10.1").findings]


def test_key_that_holds_an_anchor(linted: Lint) -> None:
    """A key that is there to be repeated elsewhere is no dead key; one that nothing repeats is."""
    text = "x-env: &env [{name: A, value: b}]\ny-env: &unused []\ntoolkit: {env: *env}\n"

    assert ["y-env"] == [_path(f) for f in linted(text, chart="gpu-operator@v25.10.1").findings if f.code == "GV901"]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [("", ["GV901", "GV902"]), ("  valuesFrom: [{kind: ConfigMap, name: v}]\n", ["GV901"])],
    ids=["all values here", "others elsewhere"],
)
def test_values_that_are_not_here(linted: Lint, rest: str, expected: list[str]) -> None:
    """What a default switches off is no news where other values are laid under these; a dead key stays one."""
    text = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  chart: {spec: {chart: gpu-operator, version: v25.10.1}}\n"
        f"  values: {{dcgmExporter: {{config: {{create: true, name: a}}}}, dkms: true}}\n{rest}"
    )

    assert expected == sorted(f.code for f in linted(text).findings if f.severity == "error")


def test_patch_of_a_release(linted: Lint) -> None:
    """A HelmRelease without a chart is a patch: its values are told by their keys, and lie over others."""
    text = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  values: {dcgmExporter: {config: {create: true}}, devicePlugin: {config: {name: b}}}\n"
    found = linted(text, chart="gpu-operator@v25.10.1")

    assert ([("gpu-operator", "v25.10.1")], []) == (
        [b.chart for b in found.bodies],
        [f.code for f in found.findings if f.severity == "error"],
    )
