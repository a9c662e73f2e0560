"""Rules of the family hardware and pools, beyond what their pages show."""

from collections.abc import Callable

import pytest

from genvalues import facts
from genvalues.finding import Hit
from genvalues.rules import hardware, hardware_names, hardware_pools

FACTS = facts.load()
RULES = [one for one in hardware.RULES if one.code not in ("GV202", "GV207", "GV208")]
Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Hit]]]


def one_pool(gpu: str, more: str = "") -> str:
    return f"hardware:\n  pools:\n  - name: gpu\n    gpu: {{{gpu}}}\n{more}"


def two_pools(first: str, second: str, gpu: str = "h100-sxm5-80gb", other: str = "h100-sxm5-80gb") -> str:
    """Two pools with their lines about nodes ("" for none) and their GPUs."""
    return f"""hardware:
  pools:
  - name: gpu
    gpu: {{model: {gpu}, board: null}}
    {first}
  - name: two
    gpu: {{model: {other}}}
    {second}
"""


def pattern(text: str) -> str:
    return f"nodes: {{namePattern: '{text}'}}"


@pytest.mark.parametrize(
    ("model", "fix"),
    [
        ("h100-smx5-80gb", "model: h100-sxm5-80gb"),
        ("H100_SXM5_80GB", "model: h100-sxm5-80gb"),
        ("NVIDIA-H100-80GB-HBM3", "model: h100-sxm5-80gb"),
        ("Tesla-T4", "model: t4"),
        ("A100-SXM4", "model: a100-sxm4-40gb or model: a100-sxm4-80gb"),
        ("mi300x", "`genvalues gpus` lists the models"),
    ],
)
def test_unknown_model_has_the_nearest_as_fix(judged: Judged, model: str, fix: str) -> None:
    """A slip of the fingers, the product label, or the beginning of a name lead to the models that are meant."""
    found = judged(one_pool(f"model: {model}, board: null"), RULES)

    assert [(code, hit.fix) for code, hit in found] == [("GV200", fix)]


@pytest.mark.parametrize("model", ["jetson-agx-orin", "Thor", "igx-orin"])
def test_integrated_gpu_is_not_just_unknown(said: Said, model: str) -> None:
    """Names of integrated GPUs get the rule that says why they cannot work, and no other."""
    assert said(one_pool(f"model: {model}, board: null"), RULES) == ["GV201 hardware.pools[0].gpu.model"]


# Form factors and NVSwitch systems: hardware.md, tables of GPUs and of Fabric Manager.
@pytest.mark.parametrize(
    ("model", "fitting"),
    [
        ("h100-sxm5-80gb", ["hgx", "pcie"]),
        ("a100-sxm4-80gb", ["hgx", "pcie"]),
        ("b200-sxm6-180gb", ["hgx"]),
        ("v100-sxm3-32gb", ["hgx"]),
        ("h100-pcie-80gb", ["pcie"]),
        ("h200-nvl-141gb", ["pcie"]),
        ("l40s", ["pcie"]),
        ("gb200", ["nvl72", "nvl4"]),
        ("gh200-96gb", ["pcie"]),
    ],
)
def test_boards_of_each_form_factor(said: Said, model: str, fitting: list[str]) -> None:
    """SXM comes on HGX boards, Grace Blackwell in NVL racks, cards on neither."""
    taken = [
        board
        for board in ("hgx", "pcie", "nvl72", "nvl4")
        if "GV203 hardware.pools[0].gpu.board"
        not in said(one_pool(f"model: {model}, board: {board}, count: null"), RULES)
    ]

    assert taken == fitting


@pytest.mark.parametrize(
    ("gpu", "wrong"),
    [
        ("model: h100-sxm5-80gb, board: hgx, count: 8", False),
        ("model: h100-sxm5-80gb, board: hgx, count: 4", False),
        ("model: h100-sxm5-80gb, board: hgx, count: 16", True),
        ("model: a100-sxm4-80gb, board: hgx, count: 16", False),
        ("model: h100-sxm5-80gb, board: null, count: 2", False),
        ("model: b200-sxm6-180gb, board: null, count: 4", True),
        ("model: gb200, board: nvl72, count: 4", False),
        ("model: gb200, board: nvl72, count: 8", True),
        ("model: a16, board: null, count: 4", False),
        ("model: a16, board: null, count: 6", True),
        ("model: l40s, board: pcie, count: 7", False),
        ("model: v100-sxm3-32gb, board: hgx, count: 16", False),
    ],
)
def test_counts_of_each_board(said: Said, gpu: str, wrong: bool) -> None:
    """Four or eight on HGX (A100 also sixteen), eight on HGX B200, four in an NVL72 tray, fours with A16; cards as one likes."""
    assert ("GV206 hardware.pools[0].gpu.count" in said(one_pool(gpu), RULES)) == wrong


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ("", "", True),
        ("", pattern("^b-"), True),
        (pattern("^a-"), pattern("^b-"), False),
        (pattern("^a-"), pattern("^a-"), True),
        (pattern("^gn-"), pattern("^gn-dev-"), True),
        (pattern("^gn-[0-9]"), pattern("^gn-dev-"), False),
        (pattern("^gn-[0-9]+$"), pattern("^gn-1.*"), True),
        (pattern("a-1$"), pattern("^b-"), True),
        (pattern("^(a|b)-"), pattern("^(c|d)-"), False),
        (pattern("^(a|b)-"), pattern("^(b|c)-"), True),
        (pattern("^gn-(?!x)"), pattern("^gn-"), False),
        (pattern(r"\\bgn"), pattern("^gn-"), False),
    ],
)
def test_pools_of_one_gpu_need_names_apart(said: Said, first: str, second: str, shared: bool) -> None:
    """Two pools of one GPU share nodes where some node name is in both patterns; what cannot be told says nothing."""
    found = [one for one in said(two_pools(first, second), hardware_names.RULES) if one.startswith("GV221")]

    assert len(found) == (1 if shared else 0)


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [("a2", "a16", False), ("a2", "a2", True), ("l4", "t4", False), ("a100-pcie-40gb", "a100-pcie-40gb", True)],
)
def test_pools_without_names_are_told_apart_by_the_gpu(said: Said, one: str, other: str, shared: bool) -> None:
    """A2 and A16 have one PCI id and are told apart by their subsystems, as their rules match them."""
    found = [one for one in said(two_pools("", "", one, other), hardware_names.RULES) if one.startswith("GV221")]

    assert len(found) == (1 if shared else 0)


def test_pool_without_model_takes_all_gpus(said: Said) -> None:
    """A pool that names no GPU shares the nodes of every pool without names apart."""
    site = "hardware:\n  pools:\n  - name: gpu\n  - name: any\n"

    assert said(site, hardware_names.RULES) == ["GV221 hardware.pools[1].name"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("^gn-", []),
        ("^gn-[0-9]+$", []),
        ("^(gn|gm)-", []),
        ("gn-", ["GV224"]),
        ("gn-|gm-", ["GV224"]),
        ("^", ["GV225"]),
        ("^GN-", ["GV223"]),
        ("^gpu_", ["GV223"]),
        ("^gn-(?=1)", ["GV222"]),
        ("[", ["GV222"]),
    ],
)
def test_each_pattern_has_one_fault(said: Said, text: str, codes: list[str]) -> None:
    """A pattern that RE2 refuses, one that matches nothing, all, or more than it seems to."""
    assert [
        one.split()[0]
        for one in said(one_pool("model: l40s, board: null", f"    {pattern(text)}\n"), hardware_names.RULES)
    ] == codes


def test_fix_of_an_unanchored_choice_anchors_all_of_it(judged: Judged) -> None:
    """`^a|b` would anchor a alone."""
    found = judged(one_pool("model: l40s, board: null", f"    {pattern('gn-|gm-')}\n"), hardware_names.RULES)

    assert [hit.fix for _, hit in found] == ['namePattern: "^(gn-|gm-)"']


@pytest.mark.parametrize(
    ("taint", "wrong"),
    [
        ("key: nvidia.com/gpu, value: present, effect: NoSchedule", ""),
        ("key: dedicated, effect: NoExecute", ""),
        ("key: nvidia.com/gpu/x, effect: NoSchedule", "key"),
        ("key: Nvidia.com/gpu, effect: NoSchedule", "key"),
        ("key: nvidia.com/, effect: NoSchedule", "key"),
        ("key: -gpu, effect: NoSchedule", "key"),
        ("key: gpu, value: -x, effect: NoSchedule", "value"),
        ("key: gpu, value: a b, effect: NoSchedule", "value"),
        (f"key: gpu, value: {'x' * 63}, effect: NoSchedule", ""),
    ],
)
def test_taints_are_judged_as_kubernetes_does(said: Said, taint: str, wrong: str) -> None:
    """Keys are qualified names, values label values."""
    found = said(f"hardware:\n  pools:\n  - name: gpu\n    taints: [{{{taint}}}]\n", hardware_pools.RULES)

    assert found == ([f"GV241 hardware.pools[0].taints[0].{wrong}"] if wrong else [])


def test_line_that_pools_share_has_one_finding(judged: Judged) -> None:
    """Three pools with one wrong model in the defaults: one finding at that line, about all three."""
    site = """hardware:
  defaults: {gpu: {model: h1000, count: 8}}
  pools:
  - {name: gpu, gpu: {model: h1000, board: null}}
  - {name: b, nodes: {namePattern: ^b-}}
  - {name: c, nodes: {namePattern: ^c-}}
"""
    found = [(hit.route, hit.pools) for code, hit in judged(site, RULES) if code == "GV200"]

    assert found == [
        (("hardware", "pools", 0, "gpu", "model"), ("gpu",)),
        (("hardware", "defaults", "gpu", "model"), ("b", "c")),
    ]


@pytest.mark.parametrize("model", FACTS.gpu_keys())
def test_no_known_gpu_is_at_fault_by_itself(said: Said, model: str) -> None:
    """A pool that says nothing but its model has no error."""
    errors = [one for one in RULES if one.severity == "error"]

    assert said(one_pool(f"model: {model}, board: null, count: null"), errors) == []


def test_pool_of_nodes_without_gpus_is_one_finding(judged: Judged) -> None:
    """Written for CPU nodes, it would take every GPU node: said once, with the way out, and of no other pool."""
    text = """\
hardware:
  pools:
  - {name: cpu, nodes: {count: 10}}
  - {name: l4, gpu: {model: l4, count: 4, board: pcie}, os: {id: ubuntu, version: "24.04"}}
"""
    found = [hit for code, hit in judged(text, hardware.RULES) if code in ("GV202", "GV221")]

    assert [hit.route for hit in found] == [("hardware", "pools", 1, "name")]
    assert "takes the GPU nodes of gpu and l4 as well" in found[0].message
    assert "nodes without GPUs belong in no pool" in found[0].fix


@pytest.mark.parametrize(
    ("os", "found"),
    [
        (
            'id: ubuntu, version: "22.04", kernels: [5.15.0-119-generic, 6.8.0-79-generic]',
            ["GV211 hardware.pools[0].os.kernels[0]"],
        ),
        ('id: ubuntu, version: "22.04", kernels: [5.17.0-1035-oem]', []),
        ('id: rhel, version: "9.6", kernels: [5.14.0-570.el9.x86_64]', []),  # Red Hat's own patches are not known
        ('id: ubuntu, version: "24.04"', []),
    ],
)
def test_kernel_for_nvlink_5(said: Said, os: str, found: list[str]) -> None:
    """Fabric Manager's guide asks for 5.17 on HGX B200; each kernel that is older is named."""
    site = f"hardware:\n  pools:\n  - name: gpu\n    os: {{{os}}}\n    gpu: {{model: b200-sxm6-180gb, count: 8}}\n"

    assert said(site, [rule for rule in RULES if rule.code == "GV211"]) == found


def test_kernel_of_older_boards_is_free(said: Said) -> None:
    """HGX H100 needs no such kernel."""
    site = 'hardware: {pools: [{name: gpu, os: {id: ubuntu, version: "22.04", kernels: [5.15.0-119-generic]}}]}\n'

    assert said(site, [rule for rule in RULES if rule.code == "GV211"]) == []
