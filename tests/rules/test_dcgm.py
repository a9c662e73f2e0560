"""Rules of DCGM, beyond what their pages show. Expected values: upstream's verdicts in sharing-vectors.json, sharing-dcgm.md section 3."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from genvalues import artefacts, emit, facts, judge, model, plan
from genvalues.document import Chart, Doc, Why
from genvalues.finding import Hit, Json
from genvalues.rules import dcgm
from genvalues.rules.dcgm_csv import read
from genvalues.rules.dcgm_fields import exporter, guess, judge_field, unknown_type
from genvalues.rules.dcgm_hardware import missing
from genvalues.rules.rule import Body

FACTS = facts.load()
RULES = dcgm.RULES
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "sharing-vectors.json").read_text("utf-8"))["dcgm_csv"]
Said = Callable[..., list[str]]


def csv(text: str, chart: str | None = "v25.10.1") -> list[str]:
    """Code and line (from 1) of each finding about a list for the exporter of a chart."""
    body = Body("dcgm-csv", text, "list.csv", (), Chart("gpu-operator", chart) if chart else None)
    found = [(rule.code, hit.route) for rule, hit in judge.body(body, FACTS, RULES)]
    return sorted(f"{code} {int(route[0]) + 1 if route else '-'}" for code, route in found)


# What upstream refuses, and what it takes to nobody's use. Everything else it takes, and so do we.
EXPECTED = {
    "comma in help": ["GV713 1"],
    "bare quote in help": ["GV713 1"],
    "indented comment w 2 commas": ["GV713 1"],
    "whitespace-only line": ["GV713 2"],
    "whitespace-only line first": ["GV713 1"],
    "tab after name": ["GV713 1"],
    "header row": ["GV713 1"],
    "semicolon": ["GV713 1"],
    "Gauge upper": ["GV714 1"],
    "empty type": ["GV714 1"],
    "unknown": ["GV700 1"],
    "prof unknown name": ["GV700 1"],
    "exp typo": ["GV700 1"],
    "exp legacy": ["GV700 1"],
    "marker": ["GV702 1"],
    "4.6 name": ["GV701 1"],
    # accepted by upstream
    "dup": ["GV705 2"],  # every sample twice
    "prof unsupported bad type": ["GV714 1"],  # refused as soon as a GPU has the metric
    "FI_UNKNOWN": ["GV702 1"],  # yields nothing
    "all comments": ["GV710 -"],  # yields nothing
    "multi-line help": ["GV713 1"],  # breaks the scrape
}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vectors(vector: dict[str, str]) -> None:
    """Each list of upstream's vectors gives exactly the findings above, at their lines."""
    assert csv(vector["input"]) == EXPECTED.get(vector["id"], [])


def test_nothing_that_upstream_refuses_is_taken() -> None:
    """Every refused vector has an error, and every vector above is one of the file."""
    severities = {rule.code: rule.severity for rule in RULES}
    refused = {vector["id"] for vector in VECTORS if vector["verdict"] == "reject"}
    erroneous = {name for name, found in EXPECTED.items() if any(severities[one[:5]] == "error" for one in found)}

    assert (refused - erroneous, set(EXPECTED) - {vector["id"] for vector in VECTORS}) == (set(), set())


TEMP = "DCGM_FI_DEV_GPU_TEMP, gauge, x"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\ufeff" + TEMP, ["GV713 1"]),
        (TEMP.replace(" gauge", "\u00a0gauge"), ["GV714 1"]),  # only U+0020 is trimmed
        ("DCGM_FI_DEV_GPU_TEMP\u00a0, gauge, x", ["GV713 1"]),
        ("\tDCGM_FI_DEV_GPU_TEMP, gauge, x", ["GV713 1"]),
        (f"{TEMP}\n\t\n", ["GV713 2"]),
        (f"{TEMP}\n\n\n# c\n", []),
        (f"{TEMP}\r\n\r\n# c\r\n", []),
        (f"{TEMP}\r", []),  # a carriage return before the end of the file is dropped
        ('DCGM_FI_DEV_GPU_TEMP,gauge,"a ""b"" c"', []),
        ('DCGM_FI_DEV_GPU_TEMP,gauge,"a" b', ["GV713 1"]),
        (f'DCGM_FI_DEV_GPU_TEMP,gauge,"a\n{TEMP}\n', ["GV713 1"]),
        (f'DCGM_FI_DEV_FB_USED, gauge, "a, b"\n{TEMP}\n', ["GV713 1"]),
        ("DCGM_FI_DEV_GPU_TEMP, gauge", ["GV713 1"]),
        (", gauge, x", ["GV713 1"]),
        ("", ["GV710 -"]),
        (f"a b, gauge, x\n{TEMP}\nDCGM_FI_DEV_NOPE, Gauge, x\n", ["GV700 3", "GV713 1", "GV714 3"]),
    ],
)
def test_grammar(text: str, found: list[str]) -> None:
    """Go's encoding/csv with blanks trimmed: each faulty line by itself, the others are read on."""
    assert csv(text) == found


def test_rows_keep_their_lines_and_cells() -> None:
    """A quoted cell may hold commas and quotes, and the row behind a comment has its own line."""
    rows = read('# a, b\nF1 ,gauge,"a, ""b"""\r\n  F2, label,  c # d \n').rows

    assert [tuple(row) for row in rows] == [(1, "F1", "gauge", 'a, "b"'), (2, "F2", "label", "c # d")]


@pytest.mark.parametrize(
    ("name", "known", "unknown"),
    [
        # sharing-dcgm.md 3.3: name, chart whose exporter knows it, chart whose exporter does not
        ("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "v25.10.1", "v26.3.1"),
        ("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "v26.3.3", "v26.3.0"),
        ("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "v25.3.0", "v24.9.2"),
        ("DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS", "v25.3.0", "v24.9.2"),
        ("DCGM_FI_DEV_NVSWITCH_LINK_DEVICE_UUID", "v24.9.2", "v25.3.0"),
        ("DCGM_FI_DEV_GPU_TEMP_CELSIUS", "v26.7.0", "v26.3.3"),
        ("DCGM_EXP_P2P_STATUS", "v25.3.4", "v25.3.0"),
        ("DCGM_EXP_GPU_HEALTH_STATUS", "v25.3.0", "v24.9.2"),
    ],
)
def test_names_by_release(name: str, known: str, unknown: str) -> None:
    """The same row is fine for one exporter and ends another; with no chart named it is fine."""
    row = f"{name}, {'label' if name.endswith('_UUID') else 'gauge'}, x\n"

    assert (csv(row, known), csv(row, unknown), csv(row, None)) == ([], ["GV701 1"], [])


def test_other_name_of_an_unknown_field() -> None:
    """Where the release knows the field by another name, that is the fix; else the first operator from which all know it."""
    renamed = judge_field("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", exporter("v26.3.1", FACTS), FACTS)
    newer = judge_field("DCGM_FI_DEV_NVLINK_GET_STATE", exporter("v25.10.1", FACTS), FACTS)

    assert renamed is not None
    assert newer is not None
    assert (renamed.name, newer.name, newer.since) == ("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", None, "v26.3.0")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("dcgm_fan_speed", "DCGM_FI_DEV_FAN_SPEED"),
        ("dcgm_fb_used_bytes", "DCGM_FI_DEV_FB_USED"),
        ("dcgm_fi_dev_gpu_util", "DCGM_FI_DEV_GPU_UTIL"),
        ("DCGM_FI_DEV_SM_ACTIVE", "DCGM_FI_PROF_SM_ACTIVE"),
        ("DCGM_FI_DEV_GPU_UTILIZATION", "DCGM_FI_DEV_GPU_UTIL"),
        ("DCGM_FI_DEV_POWR_USAGE", "DCGM_FI_DEV_POWER_USAGE"),
        ("DCGM_EXP_XID_ERROR_COUNT", "DCGM_EXP_XID_ERRORS_COUNT"),
        ("DCGM_FI_EXP_CLOCK_THROTTLE_REASONS_COUNT", "DCGM_EXP_CLOCK_EVENTS_COUNT"),
        ("DCGM_FI_DEV_FOO", None),
        ("DCGM_FI_DEV_COMPUTE_PIDS", None),  # not COMPUTE_MODE
    ],
)
def test_guesses(wrong: str, right: str | None) -> None:
    """The field that was probably meant; no far-fetched one."""
    assert guess(wrong, exporter("v25.10.1", FACTS), FACTS) == right


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("DCGM_FI_PROF_NVLINK_TX_BYTES, counter, x", ["GV704 1"]),
        ("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION, counter, x", []),
        ("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION, gauge, x", []),  # coarse, but no harm
        ("DCGM_FI_DEV_XID_ERRORS, counter, x", ["GV704 1"]),  # the last code and no count
        ("DCGM_FI_DRIVER_VERSION, label, x", []),
        ("DCGM_FI_DRIVER_VERSION, gauge, x", ["GV703 1"]),
        ("DCGM_FI_DEV_MINOR_NUMBER, label, x", []),  # a number that never changes
        ("DCGM_FI_DEV_GPU_TEMP, summary, x", ["GV704 1"]),
        ("DCGM_EXP_XID_ERRORS_COUNT, gauge, x", []),
        ("DCGM_FI_DEV_SUPPORTED_CLOCKS, label, x", ["GV702 1"]),  # a structure is no text either
        ("dcgm_gpu_temp, gauge, x", []),  # names of exporter 1.x are still taken
    ],
)
def test_types(row: str, found: list[str]) -> None:
    """Texts are labels, rates are no counters, numbers that change are no labels."""
    assert csv(row) == found


def test_default_list_of_the_exporter() -> None:
    """Of NVIDIA's own rows only the NVLink rate that is called a counter is questioned, and it is so in every release."""
    names = FACTS.dcgm_preset("default")
    rows = "\n".join(f"{name}, {(field := FACTS.dcgm_field(name)) and field.default_type}, x" for name in names)
    line = names.index("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL") + 1

    assert [csv(rows, version) for version in ("v25.3.0", "v25.10.1", "v26.7.0")] == [[f"GV704 {line}"]] * 3


def rendered(operator: str, dcgm_part: Json) -> Doc:
    site = {
        "name": "x",
        "cluster": {"kubernetes": "1.34.2", "distribution": "kubeadm"},
        "charts": {"gpuOperator": operator},
        "hardware": {"pools": [{"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}}]},
        "monitoring": {"dcgm": dcgm_part},
    }
    docs = artefacts.documents(plan.resolve(model.build(site), FACTS))
    return next(doc for doc in docs if doc.path == "manifests/dcgm-metrics.yaml")


@pytest.mark.parametrize("operator", FACTS.operator_versions())
def test_our_own_lists_are_in_order(operator: str) -> None:
    """All presets together, for every operator: no rule has anything to say of the rendered text."""
    doc = rendered(operator, {"presets": list(FACTS.dcgm_presets())})
    bodies = [body for body in judge.bodies(doc) if body.kind == "dcgm-csv"]

    assert [isinstance(body.data, str) for body in bodies] == [True]
    assert [(rule.code, hit.message) for body in bodies for rule, hit in judge.body(body, FACTS, RULES)] == []


def test_line_of_a_csv_leads_to_its_row() -> None:
    """A hit at a line of rendered text is placed at the row, so that its reason is found; comments belong to the whole."""
    why = Why((("monitoring", "dcgm", "presets", 0),), "preset default")
    inner = Doc(
        "k", "dcgm-csv", {"rows": [["A", "gauge", "a"], ["B", "gauge", "b"]]}, {("rows", 1): why}, {}, intro=("i",)
    )
    outer = Doc("m.yaml", "config-map", {"data": {"k": ""}}, {}, {("data", "k"): inner})
    body = next(body for body in judge.bodies(outer) if body.kind == "dcgm-csv")

    assert body.data == "# i\nA, gauge, a\n# preset default\nB, gauge, b\n"
    assert [judge.node(outer, body, (line,)) for line in range(4)] == [(), ("rows", 0), (), ("rows", 1)]
    assert judge.reason(outer, body, judge.node(outer, body, (3,))) == why


def test_list_that_cannot_be_written_is_left_to_its_rule() -> None:
    """A help text beyond ASCII keeps the list from being written; judging it all the same does not fail."""
    doc = rendered("v25.10.1", {"presets": ["xid"], "add": [{"field": "DCGM_FI_DEV_PSTATE", "help": "Zust\u00e4nde"}]})

    assert [body.kind for body in judge.bodies(doc)] == ["config-map"]
    with pytest.raises(ValueError, match="ASCII"):
        emit.emit(doc)


ECC = ", ".join(f"DCGM_FI_DEV_ECC_{kind}_{scope}_TOTAL" for kind in ("SBE", "DBE") for scope in ("VOL", "AGG"))


@pytest.mark.parametrize(
    ("dcgm_part", "found"),
    [
        ("{presets: [default, ecc]}", []),
        ("{interval: 15s}", []),
        ("{add: [DCGM_FI_DEV_NOPE, {field: DCGM_FI_DEV_NOPE, type: gauge}]}", ["GV700 add[0]", "GV700 add[1].field"]),
        # a type that has no effect is not judged: the entry is (GV706)
        ("{add: [{field: DCGM_FI_DEV_GPU_TEMP, type: counter}]}", ["GV706 add[0]"]),
        ("{presets: [xid], add: [{field: DCGM_FI_DEV_GPU_TEMP, type: counter}]}", ["GV704 add[0].type"]),
        ("{presets: [xid], add: [DCGM_FI_DEV_PSTATE], drop: [DCGM_FI_DEV_PSTATE]}", ["GV706 add[0]"]),
        ("{presets: [default], drop: [DCGM_FI_DEV_GPU_TEMP]}", []),
        ("{drop: [DCGM_FI_DEV_GPU_TEMP]}", []),  # no presets named: the default one
        ("{presets: [default], drop: [DCGM_FI_DEV_GPU_TEMP_CELSIUS]}", ["GV707 drop[0]"]),
        ("{presets: [default], add: [DCGM_FI_DEV_GPU_TEMP_CELSIUS], drop: [DCGM_FI_DEV_GPU_TEMP]}", []),
        (f"{{presets: [default, ecc], drop: [{ECC}]}}", ["GV711 presets[1]"]),
        (f"{{presets: [ecc], drop: [{ECC}]}}", ["GV710 drop"]),
        ('{presets: [xid], add: [{field: DCGM_FI_DEV_PSTATE, help: "a, \\"b\\""}]}', []),
        ('{presets: [xid], add: [{field: DCGM_FI_DEV_PSTATE, help: "a\\nb"}]}', ["GV712 add[0].help"]),
    ],
)
def test_lists_of_a_site(said: Said, dcgm_part: str, found: list[str]) -> None:
    """What presets, add and drop come to; each fault once."""
    assert said(f"monitoring: {{dcgm: {dcgm_part}}}\n", RULES) == [
        f"{one[:5]} monitoring.dcgm.{one[6:]}" for one in found
    ]


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "h100-sxm5-80gb", "t4"),
        ("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "a100-pcie-80gb", "l40s"),
        ("DCGM_FI_PROF_NVLINK_TX_BYTES", "h200-nvl-141gb", "l4"),
        ("DCGM_EXP_P2P_STATUS", "h100-sxm5-80gb", "rtx-pro-6000-blackwell-server"),
        ("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "t4", "rtx-4090"),
        ("DCGM_FI_DEV_ROW_REMAP_FAILURE", "a30", "v100-sxm2-32gb"),
        ("DCGM_FI_DEV_RETIRED_PENDING", "v100-sxm2-32gb", "a30"),
        ("DCGM_FI_PROF_SM_ACTIVE", "l40s", "rtx-4090"),
        ("DCGM_FI_PROF_PIPE_TENSOR_HMMA_ACTIVE", "h100-pcie-80gb", "a100-sxm4-80gb"),
        ("DCGM_FI_DEV_FAN_SPEED", "rtx-6000-ada", "h100-sxm5-80gb"),
        ("DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS", "b200-sxm6-180gb", "h200-sxm5-141gb"),
    ],
)
def test_hardware(name: str, has: str, lacks: str) -> None:
    """What one GPU gives and another has not; a site with both is not told anything."""
    one, other = FACTS.gpu(has), FACTS.gpu(lacks)
    assert one is not None
    assert other is not None

    assert missing(name, (one,), FACTS) is None
    assert missing(name, (other,), FACTS) is not None
    assert missing(name, (other, one), FACTS) is None


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("dcgm-metrics.csv", TEMP, []),
        ("metrics", TEMP, ["metrics"]),
        ("counters.csv", f"# a list\n\n{TEMP}\n", ["counters.csv"]),
        ("config.yaml", "version: v1\n", []),
        ("notes", "DCGM_FI_DEV_GPU_TEMP is in C", []),
    ],
)
def test_key_of_the_config_map(key: str, text: str, found: list[str]) -> None:
    """Only a list of metrics is one, whatever the key is called."""
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {key: text}}
    hits = [hit for _, hit in judge.body(Body("config-map", data, "m.yaml"), FACTS, RULES)]

    assert [hit.route for hit in hits] == [("data", key) for key in found]


def test_operator_that_a_fix_names_has_a_contract(judged: Callable[..., list[tuple[str, Hit]]]) -> None:
    """The field came with v26.3.0, and v26.3.3 is the first from there on that a site may name."""
    text = "charts: {gpuOperator: v25.10.1}\nmonitoring: {dcgm: {presets: [default], add: [DCGM_FI_DEV_NVLINK_GET_STATE]}}\n"

    assert [hit.fix for code, hit in judged(text, dcgm.RULES) if code == "GV701"] == [
        "remove the entry, or charts.gpuOperator: v26.3.3"
    ]


LINKS = ("CRC_FLIT_ERROR_COUNT", "CRC_DATA_ERROR_COUNT", "REPLAY_ERROR_COUNT", "RECOVERY_ERROR_COUNT", "BANDWIDTH", "TX_BANDWIDTH")
FIELDS = [
    *(f"DCGM_FI_DEV_NVLINK_{what}_L{link}" for what in LINKS for link in range(18)),
    *(f"DCGM_FI_DEV_NVLINK_RX_BANDWIDTH_L{link}" for link in range(18)),
    "DCGM_FI_DEV_GPU_TEMP",
    "DCGM_FI_DEV_GPU_UTIL",
    "DCGM_FI_DEV_POWER_USAGE",
]
"""129 fields of a GPU, one more than DCGM_MAX_FIELD_IDS_PER_FIELD_GROUP of dcgm_structs.h."""


@pytest.mark.parametrize(("count", "expected"), [(128, []), (129, ["GV708 -"])])
def test_a_file_of_more_fields_than_a_group_holds(count: int, expected: list[str]) -> None:
    """128 rows are collected, and one more is refused, about the file as a whole."""
    text = "".join(f"{field}, gauge, help\n" for field in FIELDS[:count])

    assert [found for found in csv(text) if found.startswith("GV708")] == expected


@pytest.mark.parametrize(
    ("written", "meant"), [("Gauge", "gauge"), ("couter", "counter"), ("", "counter"), ("number", "counter")]
)
def test_a_type_that_is_none_becomes_the_nearest(written: str, meant: str) -> None:
    """A slip becomes the type that is meant; what is like none, the type that suits the field."""
    verdict = unknown_type("DCGM_FI_DEV_PCIE_REPLAY_COUNTER", written, FACTS)
    assert verdict is not None

    assert verdict.type == meant
