"""Which files belong to one cluster, and what is said of them together."""

from collections.abc import Callable
from datetime import date

import pytest

from genvalues import lint
from genvalues.facts import Facts
from genvalues.lint import Linted

Lint = Callable[..., Linted]
Files = Callable[..., list[tuple[str, str, int]]]

VALUES = "devicePlugin:\n  config:\n    name: sharing\n    default: any\n"


def config_map(name: str, *, namespace: str = "", key: str = "any") -> str:
    """A ConfigMap with one sharing config."""
    where = f", namespace: {namespace}" if namespace else ""
    return (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}{where}}}\ndata:\n  {key}: |\n"
        "    version: v1\n    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"
    )


@pytest.fixture(scope="session")
def between(known: Facts) -> Files:
    """The findings about references between files: code, file, line."""

    def run(**files: str) -> list[tuple[str, str, int]]:
        texts = [(name.replace("__", "/") + ".yaml", text) for name, text in files.items()]
        found = lint.files(texts, known, date(2026, 11, 30), chart="gpu-operator@v25.10.1")
        return [(f.code, f.place.file, f.place.line) for f in found.findings if f.code in ("GV910", "GV911")]

    return run


def test_reference_that_fits(between: Files) -> None:
    """The ConfigMap that values name is in another file."""
    assert [] == between(values=VALUES, maps=config_map("sharing"))


def test_reference_to_what_was_not_given(between: Files) -> None:
    """No word about a ConfigMap that may be in a file that was not given."""
    assert [] == between(values=VALUES)
    assert [] == between(values=VALUES, other="apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: b}\n")


def test_reference_under_another_name(between: Files) -> None:
    """A ConfigMap with sharing configs that nothing names is the one that was meant."""
    assert [("GV910", "values.yaml", 3)] == between(values=VALUES, maps=config_map("sharing-config"))


def test_reference_that_another_file_uses(between: Files) -> None:
    """The only sharing ConfigMap is named by something else: ours may be elsewhere."""
    policy = (
        "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec: {devicePlugin: {config: {name: other, default: any}}}\n"
    )

    assert [] == between(values=VALUES, policy=policy, maps=config_map("other"))


def test_map_that_the_chart_makes(between: Files) -> None:
    """`create: true` makes the ConfigMap."""
    assert [] == between(values=VALUES + "    create: true\n", maps=config_map("sharing-config"))


def test_default_of_another_name(between: Files) -> None:
    """The default is a key of the ConfigMap, in values and in a ClusterPolicy."""
    policy = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec:\n  devicePlugin:\n    config:\n      name: sharing\n      default: any\n"

    assert [("GV911", "values.yaml", 4)] == between(values=VALUES, maps=config_map("sharing", key="all"))
    assert [("GV911", "policy.yaml", 7)] == between(policy=policy, maps=config_map("sharing", key="all"))


def test_map_in_another_namespace(between: Files) -> None:
    """The operator reads ConfigMaps of its own namespace alone, where the file says which that is."""
    release = "helm: {{chart: gpu-operator, version: v25.10.1, values: {{devicePlugin: {{config: {{name: sharing, default: any}}}}}}}}\n{}"
    elsewhere = config_map("sharing", namespace="kube-system")

    assert [("GV910", "fleet.yaml", 1)] == between(
        fleet=release.format("defaultNamespace: gpu-operator\n"), maps=elsewhere
    )
    assert [] == between(fleet=release.format("defaultNamespace: kube-system\n"), maps=elsewhere)
    assert [] == between(fleet=release.format(""), maps=elsewhere)


def test_clusters_in_folders(between: Files) -> None:
    """Folders with the same files are clusters: each is judged by its own."""
    right, wrong = config_map("sharing"), config_map("sharing", key="all")

    assert [("GV911", "b/values.yaml", 4)] == between(a__values=VALUES, a__maps=right, b__values=VALUES, b__maps=wrong)


def test_clusters_in_one_folder(between: Files) -> None:
    """Values of several clusters beside one ConfigMap are judged by it, each for itself."""
    found = between(one=VALUES, two=VALUES.replace("any", "all"), maps=config_map("sharing"))

    assert [("GV911", "two.yaml", 4)] == found


def test_clusters_in_one_file(between: Files) -> None:
    """Two releases of the operator in one file are of two clusters: which ConfigMap is whose is not known."""
    text = (
        "releases:\n- {chart: a/gpu-operator, version: v25.10.1, values: [{devicePlugin: {config: {name: sharing, default: x}}}]}\n"
        "- {chart: a/gpu-operator, version: v25.10.1, values: [{devicePlugin: {config: {name: sharing, default: y}}}]}\n"
    )

    assert [] == between(file=text, maps=config_map("sharing"))


@pytest.mark.parametrize(
    "metadata", ["{}", "5", "{name: [a]}", "{name: sharing}\ndata: 5", "{name: sharing}\ndata: [1]"]
)
def test_odd_config_maps(between: Files, metadata: str) -> None:
    """A ConfigMap without a name, or with data that is none, is no ground for anything."""
    assert [] == between(values=VALUES, maps=f"apiVersion: v1\nkind: ConfigMap\nmetadata: {metadata}\n")


def test_two_discoveries(known: Facts) -> None:
    """The operator's own NFD beside one that is installed by itself is found across files."""
    texts = [
        ("operator.yaml", "migManager: {enabled: false}\n"),
        ("nfd.yaml", "enableNodeFeatureApi: true\nworker: {config: {}}\n"),
    ]
    found = lint.files(texts, known, date(2026, 11, 30))

    assert ["GV616"] == [finding.code for finding in found.findings if finding.code == "GV616"]


def test_umbrella_with_its_chart(known: Facts) -> None:
    """A Chart.yaml in the same folder knows alias and version of a dependency."""
    chart = "apiVersion: v2\nname: stack\nversion: 1.0.0\ndependencies:\n- {name: gpu-operator, alias: gpus, version: v25.3.4}\n"
    texts = [("a/values.yaml", "gpus: {foo: 1}\n"), ("a/Chart.yaml", chart)]
    found = lint.files(texts, known, date(2026, 11, 30))
    beside = lint.files(texts[:1], known, date(2026, 11, 30), beside={"a": chart})

    assert (
        [("gpu-operator", "v25.3.4")] == [body.chart for body in found.bodies] == [body.chart for body in beside.bodies]
    )
    assert ["GV901"] == [finding.code for finding in found.findings]


def test_source_in_another_file(known: Facts) -> None:
    """chartRef leads to an OCIRepository of another file of the run."""
    repository = (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: gpu}\n"
        "spec: {url: oci://ghcr.io/x/gpu-operator, ref: {semver: v25.3.4}}\n"
    )
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        "spec: {chartRef: {kind: OCIRepository, name: gpu}, values: {driver: {enabled: false}}}\n"
    )
    found = lint.files([("a.yaml", release), ("b.yaml", repository)], known, date(2026, 11, 30))

    assert ([("gpu-operator", "v25.3.4")], ()) == ([body.chart for body in found.bodies], found.findings)
