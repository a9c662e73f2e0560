"""What --fix corrects, and what it leaves."""

from datetime import date

import pytest

from genvalues.facts import Facts
from genvalues.lint import fix

TODAY = date(2026, 11, 30)
CHART = "gpu-operator@v25.10.1"


def corrected(text: str, known: Facts, chart: str = CHART, **options: str) -> str:
    return fix.text(text, "values.yaml", known, TODAY, chart=chart, **options).text  # type: ignore[arg-type]


CASES = {
    "renamed upstream": ("driver:\n  useOpenKernelModules: true  # why\n", "driver:\n  kernelModuleType: open  # why\n"),
    "renamed, other value": ("driver: {useOpenKernelModules: false}\n", "driver: {kernelModuleType: proprietary}\n"),
    "renamed, new one there": (
        "driver:\n  kernelModuleType: auto\n  useOpenKernelModules: true\n",
        "driver:\n  kernelModuleType: auto\n",
    ),
    "dead": ("operator:\n  # runtime\n  defaultRuntime: crio # old\n  upgradeCRD: true\n", "operator:\n  # runtime\n  upgradeCRD: true\n"),
    "dead in a flow mapping": ("operator: {defaultRuntime: crio, upgradeCRD: true}\n", "operator: {upgradeCRD: true}\n"),
    "dead, last of a flow mapping": ("operator: {upgradeCRD: true, defaultRuntime: crio}\n", "operator: {upgradeCRD: true}\n"),
    "dead block": ("vfioManager:\n  enabled: true\n  foo:\n    a: |\n      x\n\n    b: [1,\n      2]\ndriver: {enabled: true}\n",
                   "vfioManager:\n  enabled: true\ndriver: {enabled: true}\n"),
    "dead text at the end": ("devicePlugin:\n  enabled: true\n  foo: |\n    a\n    b\n", "devicePlugin:\n  enabled: true\n"),
    "all of a map dead": ("devicePlugin:\n  mps:\n    root: /x\ndriver: {enabled: true}\n", "driver: {enabled: true}\n"),
    "several at once": (
        "operator:\n  defaultRuntime: crio\n  upgradeCRD: true\ntoolkit:\n  env:\n  - {name: A, value: 0302}\n",
        'operator:\n  upgradeCRD: true\ntoolkit:\n  env:\n  - {name: A, value: "0302"}\n',
    ),
    "quotes": ("driver:\n  version: 580.10\n", 'driver:\n  version: "580.10"\n'),
    "quotes, anchored elsewhere": ("toolkit: {env: [{name: &n A, value: on}]}\n", 'toolkit: {env: [{name: &n A, value: "on"}]}\n'),
    "quotes, repeated elsewhere": (
        "toolkit: {env: &e [{name: A, value: on}]}\nvalidator: {env: *e}\n", 'toolkit: {env: &e [{name: A, value: "on"}]}\nvalidator: {env: *e}\n'
    ),
    "line ends": ("operator:\r\n  defaultRuntime: crio\r\n  upgradeCRD: true\r\n", "operator:\r\n  upgradeCRD: true\r\n"),
    "subchart": ("gpu-operator:\n  driver:\n    useOpenKernelModules: true\n", "gpu-operator:\n  driver:\n    kernelModuleType: open\n"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_safe_corrections(known: Facts, text: str, expected: str) -> None:
    """Renamed keys with their values, dead keys, quotes; comments and layout stay."""
    assert expected == corrected(text, known)


LEFT = {
    "misspelt": "driver:\n  rdma:\n    useHostMOFED: true\n    enabled: true\n",
    "misplaced": "driver:\n  maxParallelUpgrades: 5\n",
    "inert": "driver:\n  enabled: false\n  rdma: {enabled: true}\n",
    "a wrong word": "toolkit:\n  enabled: ture\n",
    "nothing would be left": "psp: {foo: 1}\n",
    "what an alias repeats": "x: &o {defaultRuntime: crio}\noperator: *o\ndriver: {enabled: true}\n",
    "template": "driver:\n  useOpenKernelModules: {{ .x }}\n",
    "folded text": "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec:\n  chart: gpu-operator\n  version: v25.10.1\n"
    '  valuesContent: "operator: {defaultRuntime: crio, upgradeCRD: true}"\n',
    "set on a command line": "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec:\n  chart: gpu-operator\n  version: v25.10.1\n"
    "  set: {operator.defaultRuntime: crio}\n",
}  # fmt: skip


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_left_to_its_author(known: Facts, text: str) -> None:
    """What someone meant something by, or cannot be changed alone, stays as it is."""
    assert text == corrected(text, known)


def test_only_part_can_be_corrected(known: Facts) -> None:
    """One correction that cannot be made does not keep others from being made."""
    text = "x: &o {defaultRuntime: crio}\noperator: *o\ndriver:\n  version: 580.10\n  enabled: true\n"

    assert text.replace("580.10", '"580.10"') == corrected(text, known)


def test_guessed_version(known: Facts) -> None:
    """Without a version only keys go that no version reads; a key that v24.9.2 reads stays."""
    text = "operator:\n  defaultRuntime: crio\ndevicePlugin:\n  mps: {root: /x}\n  enabled: true\n"

    assert "operator:\n  defaultRuntime: crio\ndevicePlugin:\n  enabled: true\n" == corrected(text, known, chart="")


def test_text_in_text(known: Facts) -> None:
    """Values in an Application are corrected where they stand, and nothing else of it moves."""
    text = (
        "# a\napiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    chart: gpu-operator\n    targetRevision: v25.10.1\n"
        "    helm:\n      values: |\n        # b\n        operator:\n          defaultRuntime: crio\n          upgradeCRD: true\n"
        "        driver: {version: 580.10}\n      releaseName: x\n"
    )
    expected = text.replace("          defaultRuntime: crio\n", "").replace("580.10", '"580.10"')

    assert expected == corrected(text, known, chart="")


def test_rules_hold_text(known: Facts) -> None:
    """Every scalar of a NodeFeatureRule is text: a PCI class without quotes gets them."""
    text = (
        "apiVersion: nfd.k8s-sigs.io/v1alpha1\nkind: NodeFeatureRule\nmetadata: {name: a}\nspec:\n  rules:\n  - name: a\n"
        "    labels: {example.com/gpu: y}\n    matchFeatures:\n    - feature: pci.device\n"
        "      matchExpressions: {class: {op: In, value: [0302]}, vendor: {op: In, value: [10de]}}\n"
    )

    assert text.replace("0302", '"0302"').replace("gpu: y", 'gpu: "y"') == corrected(text, known, chart="")


def test_policy_wants_quotes(known: Facts) -> None:
    """A version in a ClusterPolicy as well."""
    text = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: a}\nspec: {driver: {version: 580.10}}\n"

    assert text.replace("580.10", '"580.10"') == corrected(text, known, chart="")


def test_only_what_is_wanted(known: Facts) -> None:
    """Codes that are not asked for are not corrected."""
    text = "operator: {defaultRuntime: crio, upgradeCRD: true}\ndriver: {version: 580.10}\n"
    found = fix.text(text, "values.yaml", known, TODAY, chart=CHART, wanted=lambda code: code == "GV905")

    assert (text.replace("580.10", '"580.10"'), 1) == found


def test_second_run_changes_nothing(known: Facts) -> None:
    """What is corrected stays so."""
    once = corrected(CASES["several at once"][0], known)

    assert once == corrected(once, known)
