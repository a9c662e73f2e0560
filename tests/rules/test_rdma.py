"""Rules about RDMA, beyond what their pages show. Expected values: rules.md R25, R28, R44; hardware.md 5 (NVIDIA's tables)."""

from collections.abc import Callable

import pytest
import yaml

from genvalues import facts, judge
from genvalues.document import Chart, Kind
from genvalues.finding import Hit
from genvalues.rules import rdma
from genvalues.rules.rdma import old_kernel
from genvalues.rules.rule import Body

FACTS = facts.load()
RULES = rdma.RULES
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]

NICS = "nics: [{name: compute, fabric: infiniband, count: 8}]"


def site(
    rdma_keys: str,
    driver: str = "",
    *,
    gpu: str = "h100-sxm5-80gb",
    more: str = NICS,
    kernels: str = "6.8.0-79-generic",
) -> str:
    """A site with one pool of that GPU, which says no count and no board."""
    return f"""
hardware:
  pools:
  - name: gpu
    gpu: {{model: {gpu}, count: null, board: null}}
    os: {{kernels: [{kernels}]}}
    {more}
rdma: {{{rdma_keys}}}
driver: {{{driver}}}
"""


def codes(said: Said, text: str) -> list[str]:
    return [line.split()[0] for line in said(text, RULES)]


# R25: open modules, Linux 5.12, CUDA 11.7 (driver 515.43.04), Turing or newer, no consumer card.
@pytest.mark.parametrize(
    ("gpu", "kernel", "driver", "needs"),
    [
        ("h100-sxm5-80gb", "6.8.0-79-generic", "kernelModuleType: open", []),
        ("h100-sxm5-80gb", "5.12.0-1-generic", "kernelModuleType: open", []),
        ("h100-sxm5-80gb", "5.4.0-200-generic", "kernelModuleType: open", ["Linux 5.12"]),
        ("h100-sxm5-80gb", "4.18.0-553.el8_10.x86_64", "kernelModuleType: open", ["Linux 5.12"]),
        ("h100-sxm5-80gb", "6.8.0-79-generic", "kernelModuleType: proprietary", ["open kernel modules"]),
        (
            "h100-sxm5-80gb",
            "6.8.0-79-generic",
            'version: "535.309.01"',
            ["open kernel modules"],
        ),  # auto is not known there
        ("h100-sxm5-80gb", "5.4.0-200-generic", "kernelModuleType: proprietary", ["open kernel modules", "Linux 5.12"]),
        ("t4", "6.8.0-79-generic", "kernelModuleType: open", []),
        ("v100-sxm2-32gb", "6.8.0-79-generic", 'version: "580.173.02"', ["Turing or newer"]),
        ("a100-sxm4-80gb", "6.8.0-79-generic", 'version: "510.108.03", kernelModuleType: open', ["CUDA 11.7"]),
        ("a100-sxm4-80gb", "6.8.0-79-generic", 'version: "515.105.01", kernelModuleType: open', []),
        ("b200-sxm6-180gb", "6.8.0-79-generic", "kernelModuleType: proprietary", []),  # GV510 says it
    ],
)
def test_dmabuf_needs(judged: Judged, gpu: str, kernel: str, driver: str, needs: list[str]) -> None:
    """Everything that is missing, in one finding at the line that asks for DMA-BUF."""
    found = judged(site("gpuDirect: dmabuf", driver, gpu=gpu, kernels=kernel), RULES)

    assert [("GV660", ("rdma", "gpuDirect"))] * bool(needs) == [(code, hit.route) for code, hit in found]
    assert [] == [need for need in needs if need not in found[0][1].message]
    assert len(needs) == (len(found[0][1].related) if found else 0)


@pytest.mark.parametrize(
    ("kernel", "old"),
    [
        ("5.11.0-generic", True),
        ("5.12.0", False),
        ("6.1.0", False),
        ("5.4", True),
        ("4.18.0-553.el8_10.x86_64", True),
        ("5.14.0-570.el9", False),
        ("next", False),
    ],
)
def test_kernels_are_compared_by_release(kernel: str, *, old: bool) -> None:
    """5.12 and newer will do; what is no release is not judged."""
    assert old == old_kernel(kernel)


def test_an_unknown_gpu_or_host_driver_is_not_held_against_dmabuf(said: Said) -> None:
    """What is not known says nothing."""
    assert [] == codes(said, site("gpuDirect: dmabuf", "strategy: host", gpu="null"))
    assert [] == codes(said, site("gpuDirect: dmabuf", "strategy: host"))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("gpuDirect: dmabuf", ["GV661 rdma.gpuDirect"]),
        ("gpuDirect: peermem, ofed: inbox", ["GV661 rdma.gpuDirect"]),
        ("gdrcopy: true", ["GV661 rdma.gdrcopy"]),
        ("gpuDirect: none, gdrcopy: false", []),
    ],
)
def test_consumer_cards(said: Said, keys: str, expected: list[str]) -> None:
    """One finding for each thing that a GeForce card has not, and none about what it would need."""
    assert expected == said(site(keys, gpu="rtx-4090"), RULES)


@pytest.mark.parametrize(
    ("keys", "driver", "more", "expected"),
    [
        ("gpuDirect: peermem, ofed: host", "", NICS, ["GV673 rdma.gpuDirect"]),
        ("gpuDirect: peermem, ofed: host", "kernelModuleType: proprietary", NICS, []),
        ("gpuDirect: peermem", "", NICS, ["GV662 rdma.gpuDirect"]),
        ("gpuDirect: peermem, ofed: inbox", "", NICS, ["GV662 rdma.ofed"]),
        ("gpuDirect: peermem, ofed: inbox", "strategy: host", NICS, ["GV662 rdma.ofed"]),
        ("gpuDirect: peermem, ofed: container", "", NICS, ["GV663 rdma.ofed"]),
        ("gpuDirect: dmabuf, ofed: container", "", NICS, ["GV663 rdma.ofed"]),
        ("gpuDirect: dmabuf, ofed: inbox", "", NICS, []),
        ("gpuDirect: dmabuf", "", "", ["GV664 rdma.gpuDirect"]),
        ("gpuDirect: none", "", "", []),
        ("ofed: host", "", "", ["GV675 rdma.ofed"]),
        ("ofed: host", "", NICS, []),
        ("gpuDirect: peermem", "", 'nics: [{fabric: ethernet, vendor: "8086"}]', ["GV665 rdma.gpuDirect"]),
        ("gpuDirect: dmabuf", "", 'nics: [{fabric: ethernet, vendor: "8086"}]', []),
        (
            "gpuDirect: peermem, ofed: host",
            "kernelModuleType: proprietary",
            'nics: [{fabric: ethernet, vendor: "8086"}, {fabric: infiniband}]',
            [],
        ),
    ],
)
def test_network_drivers(said: Said, keys: str, driver: str, more: str, expected: list[str]) -> None:
    """R28: what nvidia-peermem needs, who installs it, and whether there is anything to talk to."""
    assert expected == said(site(keys, driver, more=more), RULES)


def test_versions_of_the_network_operator_are_named(judged: Judged) -> None:
    """hardware.md 5: GPU Operator 25.10 goes with 25.7.0, 26.7 with 26.1.0, 25.10.0 and 25.7.0."""
    text = site("gpuDirect: peermem, ofed: container")
    newest = judged(text, RULES)[0][1].fix
    older = judged(f"{text}charts: {{gpuOperator: v25.10.1}}\n", RULES)[0][1].fix

    assert "26.1.0, 25.10.0 or 25.7.0" in newest
    assert "Network Operator 25.7.0 (validated with GPU Operator v25.10.1)" in older


@pytest.mark.parametrize(
    ("keys", "driver", "more", "expected"),
    [
        ("gds: true", "kernelModuleType: open", "", []),
        ("gds: true", "kernelModuleType: proprietary", "", ["GV666 rdma.gds"]),
        ("gdrcopy: true", "kernelModuleType: proprietary", "", []),
        ("gds: true", "strategy: host", "", ["GV668 rdma.gds"]),
        ("gds: true, gdrcopy: true", "strategy: host", "", ["GV668 rdma.gds", "GV668 rdma.gdrcopy"]),
        ("gds: false", "strategy: host", "", []),
    ],
)
def test_storage_and_gdrcopy(said: Said, keys: str, driver: str, more: str, expected: list[str]) -> None:
    """R44, and who brings the modules."""
    assert expected == said(site(keys, driver, more=more), RULES)


def test_storage_on_a_gpu_that_has_no_open_modules(said: Said) -> None:
    """V100: there is nothing to switch to."""
    assert ["GV666 rdma.gds"] == said(site("gds: true", 'version: "580.173.02"', gpu="v100-sxm2-32gb"), RULES)


def test_a_module_for_some_pools(said: Said) -> None:
    """A pool that has what another has not; nothing where all have it, or all drivers are the hosts'."""
    two = """
hardware:
  defaults: {os: {id: ubuntu, version: "24.04"}}
  pools:
  - {name: gpu, nodes: {namePattern: ^a-}, rdma: {gdrcopy: true}}
  - {name: b, nodes: {namePattern: ^b-}, gpu: {model: l40s, count: 4}}
"""
    every = two.replace(", rdma: {gdrcopy: true}", "") + "rdma: {gdrcopy: true}\n"

    assert ["GV674 hardware.pools[0].rdma.gdrcopy"] == said(two, RULES)
    assert [] == said(every, RULES)
    assert ["GV668 hardware.pools[0].rdma.gdrcopy"] == said(f"{two}driver: {{strategy: host}}\n", RULES)


# Files.


def document(kind: Kind, text: str, chart: str = "gpu-operator", version: str = "v25.10.1") -> Body:
    return Body(kind, yaml.safe_load(text), kind, (), Chart(chart, version))


def together(*bodies: Body) -> list[str]:
    return [f"{rule.code} {body.kind}" for body, rule, _ in judge.together(bodies, FACTS, RULES)]


def test_a_network_driver_is_looked_for_in_the_policy() -> None:
    """Only where a NicClusterPolicy is there and brings none; the host's would do."""
    bare = document("nic-cluster-policy", "spec: {secondaryNetwork: {}}", "network-operator", "25.10.0")
    with_driver = document(
        "nic-cluster-policy", "spec: {ofedDriver: {image: doca-driver}}", "network-operator", "25.10.0"
    )
    waiting = document("values", "driver: {rdma: {enabled: true}}")
    by_host = document("values", "driver: {rdma: {enabled: true, useHostMofed: true}}")
    off = document("values", "driver: {enabled: false, rdma: {enabled: true}}")
    objects = document("nvidia-driver", "spec: {rdma: {enabled: true}}")

    assert [] == together(waiting)
    assert ["GV662 values"] == together(waiting, bare)
    assert [] == together(waiting, with_driver)
    assert [] == together(by_host, bare)
    assert ["GV672 values"] == together(by_host, with_driver)
    assert [] == together(off, bare)
    assert ["GV662 nvidia-driver"] == together(objects, bare)


@pytest.mark.parametrize(
    ("gpu", "network", "expected"),
    [
        ("v25.10.1", "25.10.0", ["GV670 values"]),
        ("v26.3.3", "25.10.0", []),
        ("v26.3.3", "26.1.2", []),  # a patch release of 26.1
        ("v26.7.0", "26.4.1", ["GV670 values"]),
    ],
)
def test_pairs_of_operators(gpu: str, network: str, expected: list[str]) -> None:
    """hardware.md 5, by minor release."""
    assert expected == together(
        document("values", "nfd: {enabled: false}", "gpu-operator", gpu),
        document("values", "{}", "network-operator", network),
    )


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("nvidia-driver", "spec: {rdma: {useHostMofed: true}}", ["GV671"]),
        ("nvidia-driver", "spec: {rdma: {enabled: true, useHostMofed: true}}", []),
        ("nvidia-driver", "spec: {rdma: {enabled: false, useHostMofed: false}}", []),
        ("cluster-policy", "spec: {driver: {rdma: {enabled: false, useHostMofed: true}}}", ["GV671"]),
        ("values", "driver: {rdma: {useHostMofed: true}}", ["GV902"]),
    ],
)
def test_use_host_mofed_alone_does_nothing(kind: Kind, text: str, expected: list[str]) -> None:
    """R26; in values the contract says so."""
    assert expected == [rule.code for rule, _ in judge.body(document(kind, text), FACTS, RULES)]


@pytest.mark.parametrize(
    ("text", "code", "fix"),
    [
        (
            "driver: {kernelModuleType: proprietary}\nrdma: {gpuDirect: dmabuf}\n",
            "GV660",
            "driver.kernelModuleType: open",
        ),
        (
            "hardware: {pools: [{name: gpu, driver: {kernelModuleType: proprietary}}]}\nrdma: {gpuDirect: dmabuf}\n",
            "GV660",
            "hardware.pools[0].driver.kernelModuleType: open",
        ),
        (
            "rdma: {gpuDirect: dmabuf, ofed: inbox}\n",
            "GV664",
            "hardware.pools[0].nics: [{name: compute, fabric: infiniband, count: 8}], or rdma: {gpuDirect: none} for the pool",
        ),
    ],
)
def test_fix_elsewhere_says_where(judged: Judged, text: str, code: str, fix: str) -> None:
    """What is to be typed at another key than the faulty one has its whole path."""
    assert [hit.fix for found, hit in judged(text, RULES) if found == code] == [fix]
