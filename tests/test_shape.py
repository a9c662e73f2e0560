"""What does not fit the schema of a site, in the user's words."""

import copy
import json
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from jsonschema.validators import extend

from genvalues import mismatch
from genvalues.extends import load
from genvalues.finding import Finding, Json, format_route
from genvalues.paths import checkout, schemas
from genvalues.shape import check
from genvalues.source import read
from genvalues.verdict import is_valid

SCHEMA = json.loads((Path(schemas()) / "site.schema.json").read_text())
SITE = """\
apiVersion: genvalues/v1
kind: Site
name: edge
cluster: {kubernetes: "1.34.2", distribution: rke2}
charts: {gpuOperator: v25.10.1}
hardware:
  pools:
  - {name: l40s, gpu: {model: l40s, count: 4}}
"""
FULL: Json = {
    "apiVersion": "genvalues/v1",
    "kind": "Site",
    "name": "full",
    "cluster": {
        "kubernetes": "1.34.2",
        "distribution": "kubespray",
        "containerRuntime": "containerd",
        "namespaces": {"gpuOperator": "gpu-operator"},
        "proxy": {"http": "http://proxy.example.internal:3128", "noProxy": [".svc", "10.0.0.0/8"]},
    },
    "charts": {"gpuOperator": "v25.10.1", "nodeFeatureDiscovery": "0.18.3"},
    "hardware": {
        "defaults": {"os": {"id": "ubuntu", "version": "22.04", "kernels": ["6.8.0-45-generic"]}, "role": "gpu"},
        "pools": [
            {
                "name": "h100",
                "nodes": {"namePattern": "^gn-", "count": 16},
                "gpu": {"model": "h100-sxm5-80gb", "count": 8},
                "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
                "nics": [{"name": "compute", "fabric": "infiniband", "count": 8}],
                "labels": {"example.internal/row": "a"},
                "sharing": "whole",
            }
        ],
    },
    "driver": {"strategy": "host", "version": "580.95.05", "moduleParameters": {"nvidia": {"NVreg_X": 0}}},
    "sharing": {
        "configs": {
            "dev": {"timeSlicing": {"replicas": 4}},
            "inf": {"mig": {"strategy": "mixed", "layouts": [{"gpus": [0, 1], "profiles": {"1g.10gb": 7}}]}},
        }
    },
    "monitoring": {"dcgm": {"interval": "15s", "presets": ["default", "ecc"], "add": [{"field": "DCGM_FI_DEV_FAN_SPEED"}]}},
    "scheduler": {"packing": {"strategy": "MostAllocated", "weights": {"cpu": 1, "nvidia.com/gpu": 5}}},
    "overrides": {"gpuOperator": {"operator": {"x": None}}},
    "accept": [{"code": "GV512", "reason": "replaced in March, ticket 4711", "until": "2027-03-01"}],
}


def found(text: str) -> list[Finding]:
    """What shape has to say about a text that reading may have spoken of already."""
    source = read(text, "site.yaml")
    assert source.tree is not None
    return check(source.tree, source.findings)


def said(text: str) -> list[tuple[str, int, int, str, str]]:
    return [(f.code, f.place.line, f.place.column, f.message, f.fix) for f in found(text)]


def test_a_fitting_site_has_no_findings() -> None:
    """Ten lines, and everything at once."""
    assert [] == found(SITE)
    assert is_valid(FULL)


CASES = [
    ("extra: 1\n", "GV101", 9, 1, "unknown key `extra` at the top level",
     ("known here: apiVersion, kind, name, extends, cluster, charts, hardware, driver, rdma, toolkit, offline, sharing, "
      "monitoring, scheduler, workloads, overrides and accept")),
    ("drivr: {}\n", "GV101", 9, 1, "unknown key `drivr` at the top level", "did you mean `driver`?"),
    ("driver: {fabricManager: x}\n", "GV101", 9, 10, "unknown key `fabricManager` in `driver`",
     "it belongs below `host`: host: {fabricManager: ...}"),
    ("driver: {offline: {}}\n", "GV101", 9, 10, "unknown key `offline` in `driver`",
     "it belongs at the top level, without indentation: offline:"),
    ("model: t4\n", "GV101", 9, 1, "unknown key `model` at the top level",
     "it belongs below `hardware.pools[].gpu` or `hardware.defaults.gpu`"),
    ("driver: {version: '580', versions: x}\n", "GV101", 9, 26, "unknown key `versions` in `driver`",
     "did you mean `version`, which stands here already?"),
    ("teams: {}\n", "GV102", 9, 1, "`teams` is reserved: nothing renders quotas yet", "remove it until then"),
    ("driver: {version: 580.95}\n", "GV103", 9, 19, "`version` is the number 580.95, where a text is expected",
     'version: "580.95"'),
    ("driver: []\n", "GV103", 9, 9, "`driver` is a list, where a mapping is expected",
     'for example driver: {strategy: host, version: "580.95.05"}'),
    ("offline:\n", "GV103", 9, 1,
     "`offline` has no value, where a mapping is expected; null removes what a base sets, and none does",
     "remove it, or set it, for example offline: {registries: {nvcr.io: registry.example.internal}}"),
    ("monitoring: {alerts: 'true'}\n", "GV103", 9, 22, "`alerts` is the text true, where true or false is expected",
     "alerts: true"),
    ("offline: {imagePullSecrets: regcred}\n", "GV103", 9, 29,
     "`imagePullSecrets` is the text regcred, where a list is expected", "imagePullSecrets: [regcred]"),
    ("driver: {upgradePolicy: {maxUnavailable: [1]}}\n", "GV103", 9, 42,
     "`maxUnavailable` is a list, where a whole number or a text is expected", 'for example maxUnavailable: "25%"'),
    ("driver: {strategy: hosts}\n", "GV104", 9, 20,
     "`strategy` is `hosts`, where host, container or precompiled is expected", "strategy: host"),
    ("driver: {strategy: none}\n", "GV104", 9, 20,
     "`strategy` is `none`, where host, container or precompiled is expected", "for example strategy: host"),
    ("offline: {imagePullSecrets: [a, Reg_Cred]}\n", "GV105", 9, 33,
     "`imagePullSecrets[1]` is `Reg_Cred`, which is not the name of a Kubernetes object", "- reg-cred"),
    ("monitoring: {dcgm: {interval: 15}}\n", "GV103", 9, 31, "`interval` is the number 15, where a text is expected",
     "for example interval: 15s"),
    ("toolkit: {strategy: 3}\n", "GV103", 9, 21, "`strategy` is the number 3, where a text is expected",
     "for example strategy: operator"),
    ("driver: {upgradePolicy: {waitForCompletion: 3}}\n", "GV103", 9, 45,
     "`waitForCompletion` is the number 3, where a mapping is expected", "for example waitForCompletion: {timeoutSeconds: 0}"),
    ("accept: 3\n", "GV103", 9, 9, "`accept` is the number 3, where a list is expected",
     'for example accept: [{code: GV512, pool: h100, reason: "replaced in March, ticket 4711", until: 2027-03-01}]'),
    ("monitoring: {dcgm: {interval: '15'}}\n", "GV105", 9, 31,
     "`interval` is `15`, which is not a whole number with its unit ms, s or m", "for example interval: 15s"),
    ("sharing: {configs: {a b: {mps: {replicas: 2}}}}\n", "GV105", 9, 21,
     ("key `a b` is not a label value: letters, digits, '-', '_' and '.', starting and ending with a letter or digit, "
      "at most 63 characters"), "a-b:"),
    ("sharing: {}\n", "GV106", 9, 1, "`sharing` lacks `configs`: sharing configs by name",
     "add it, for example configs: {dev: {timeSlicing: {replicas: 4}}}"),
    ("sharing: {configs: {a: {mps: {replicas: 1}}}}\n", "GV107", 9, 41, "`replicas` is 1, where at least 2 is expected",
     "replicas: 2"),
    ("scheduler: {packing: {weights: {cpu: 101}}}\n", "GV107", 9, 38, "`cpu` is 101, where at most 100 is expected",
     "cpu: 100"),
    ("offline: {caBundle: ''}\n", "GV107", 9, 21, "`caBundle` is empty", "for example caBundle: pki/ca.pem"),
    ("monitoring: {dcgm: {presets: []}}\n", "GV107", 9, 30, "`presets` is empty", "for example presets: [default, ecc]"),
    ("monitoring: {dcgm: {drop: [DCGM_A, DCGM_B, DCGM_A]}}\n", "GV108", 9, 44, "`DCGM_A` stands in `drop` twice",
     "remove one of the two"),
    ("offline: {registries: {}}\n", "GV109", 9, 11, "`registries` has nothing in it, and so no effect",
     "remove it, or fill it, for example registries: {nvcr.io: registry.example.internal}"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "number", "column", "message", "fix"), CASES, ids=[c[0].strip() for c in CASES])
def test_each_fault_is_one_finding(line: str, code: str, number: int, column: int, message: str, fix: str) -> None:
    """Code, place, words and fix, on the line that is added to a fitting site."""
    assert [(code, number, column, message, fix)] == said(SITE + line)


def test_a_misspelt_required_key_is_one_fault() -> None:
    """Unknown is said, missing is not."""
    assert ["GV101"] == [f.code for f in found(SITE.replace("kubernetes:", "kubernetis:"))]


def test_missing_keys_are_said_at_the_mapping() -> None:
    """One finding each, at the top of the file or the key of the mapping, with the path of what is missing."""
    text = "apiVersion: genvalues/v1\nkind: Site\nname: x\nhardware: {pools: [{}]}\n"

    assert [
        (1, "cluster"), (1, "charts"), (4, "hardware.pools[0].name"),
    ] == [(f.place.line, format_route(f.path)) for f in found(text)]  # fmt: skip


def test_findings_come_by_place() -> None:
    """Whatever order the schema has."""
    text = SITE.replace("name: edge", "name: Edge") + "x: 1\ndriver: {version: 1, strategy: 2, host: 3}\n"
    places = [(f.place.line, f.place.column) for f in found(text)]

    assert 5 == len(places)
    assert sorted(places) == places


def test_where_reading_spoke_shape_is_silent() -> None:
    """580.10 is questioned as a scalar; that it is no text needs no second finding. The same goes for keys."""
    text = SITE + "driver: {version: 580.10}\nmonitoring: {alerts: on}\non: 1\n1: 2\n"

    assert [] == found(text)
    assert ["GV010", "GV011", "GV011", "GV014"] == [f.code for f in read(text, "f").findings]


def test_a_base_needs_nothing_and_must_fit() -> None:
    """No key is required of it, at any depth; those it has are judged."""
    text = "apiVersion: genvalues/v1\nkind: Base\nhardware: {pools: [{gpu: {count: 0}}]}\ncluster: {}\n"

    assert ["GV107"] == [f.code for f in found(text)]


def test_faults_of_a_base_stand_in_the_base() -> None:
    """A merged tree sends each finding to the file that has the text."""
    files = {
        "/r/base.yaml": b"apiVersion: genvalues/v1\nkind: Base\ndriver: {version: 580.95}\n",
        "/r/site.yaml": (SITE + "extends: [base.yaml]\ndriver: {strategy: no-such}\n").encode(),
    }
    loaded = load("/r/site.yaml", read=files.__getitem__, root="/r")
    assert loaded.tree is not None

    assert [("/r/base.yaml", 3, "GV103"), ("/r/site.yaml", 10, "GV104")] == [
        (f.place.file, f.place.line, f.code) for f in check(loaded.tree, loaded.findings)
    ]


def test_no_message_shows_a_pattern_or_a_word_of_json_schema() -> None:
    """Users see words for every pattern, and types by their plain names."""
    jargon = re.compile(r"\^|\\|\[0-9\]|\b(object|array|string|integer|properties|instance|schema|enum|regex)\b")

    assert [] == [(f.message, f.fix) for line, *_ in CASES for f in found(SITE + line) if jargon.search(f.message.replace("Kubernetes object", ""))]


# ---- the schema and what is generated from it


def _parts(part: Any) -> list[dict[str, Any]]:
    if isinstance(part, list):
        return [deeper for item in part for deeper in _parts(item)]
    if not isinstance(part, dict):
        return []
    below = [value for key, value in part.items() if key not in {"properties", "definitions", "examples", "x-reserved"}]
    named = [value for key in ("properties", "definitions") for value in part.get(key, {}).values()]
    return [part, *(deeper for item in below + named for deeper in _parts(item))]


def test_every_keyword_of_the_schema_has_words() -> None:
    """A keyword that the schema starts to use needs words here."""
    without = {"$schema", "$id", "$ref", "title", "description", "examples", "properties", "definitions", "items",
               "propertyNames", "x-pattern-words", "x-reserved"}  # fmt: skip
    used = {keyword for part in _parts(SCHEMA) for keyword in part} - without

    assert set() == used - set(mismatch._WORDS)


def test_every_pattern_has_words_and_every_property_an_example() -> None:
    """They are what findings say."""
    assert [] == [part for part in _parts(SCHEMA) if "pattern" in part and "x-pattern-words" not in part]
    properties = [below for part in _parts(SCHEMA) for below in part.get("properties", {}).values() if "$ref" not in below]
    assert [] == [below for below in properties if not below.get("examples") or not below.get("description")]


def test_the_generated_verdict_is_up_to_date() -> None:
    """What tools/make_verdict.py writes is what is committed."""
    pytest.importorskip("fastjsonschema", reason="only needed to generate the verdict")
    root = checkout()
    if root is None:
        pytest.skip("tools/ is not in an installed wheel")
    spec = spec_from_file_location("make_verdict", Path(root) / "tools" / "make_verdict.py")
    assert spec is not None
    assert spec.loader is not None
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)

    assert tool.VERDICT.read_text() == tool.generate(SCHEMA)


def _exact(_: Any, pattern: str, instance: Json, __: Json) -> Any:
    """JSON Schema's `$` is the very end; Python's also stands before a last line break."""
    if isinstance(instance, str) and not re.search(pattern.replace("$", r"\Z"), instance):
        yield next(Draft7Validator({"not": {}}).iter_errors(instance))


REFERENCE = extend(Draft7Validator, {"pattern": _exact})(SCHEMA)  # type: ignore[no-untyped-call]
LOOSE = extend(Draft7Validator, {"pattern": _exact, "required": lambda *_: ()})  # type: ignore[no-untyped-call]


def _routes(data: Json, route: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [route, *(deeper for step, value in below for deeper in _routes(value, (*route, step)))]


_VALUES = st.one_of(
    st.sampled_from([None, True, False, 0, 1, -1, 65, 101, 1.5, "", "x", "x\n", "Bad_Name", "1.34.2", "580.95.05", "15s", [], {},
                     ["a", "a"], [0, 0], [0, False], {"x": 1}, "a" * 500, "all", "t4"]),
    st.text("ab-_.:^$ \n019é", max_size=5),
)  # fmt: skip
_STEPS = st.lists(st.tuples(st.randoms(use_true_random=False), st.sampled_from(["set", "drop", "add"]), _VALUES), max_size=3)


def _mutated(steps: Any) -> Json:
    data = copy.deepcopy(FULL)
    for random, action, value in steps:
        route = random.choice(_routes(data)[1:] or [()])
        if not route:
            continue
        node = data
        for step in route[:-1]:
            node = node[step]
        if action == "set":
            node[route[-1]] = copy.deepcopy(value)
        elif action == "drop":
            del node[route[-1]]
        elif isinstance(node, dict):
            node[value if isinstance(value, str) else "extra"] = copy.deepcopy(value)
    return data


@settings(max_examples=300, deadline=None)
@given(_STEPS)
def test_the_verdict_is_that_of_jsonschema(steps: Any) -> None:
    """On a full site and its mutations, with required keys and without, and wherever it is no there is a finding."""
    data = _mutated(steps)

    assert REFERENCE.is_valid(data) == is_valid(data)
    assert LOOSE(SCHEMA).is_valid(data) == is_valid(data, required=False)
    if not is_valid(data):
        tree = read(json.dumps(data), "f").tree
        assert tree is not None
        assert data == tree.data
        assert mismatch.findings(tree, is_base=False)


def test_a_fitting_site_does_not_import_jsonschema() -> None:
    """Only a fault is worth its 70 ms."""
    import subprocess  # noqa: PLC0415  here alone

    code = (
        "import sys\nfrom genvalues.source import read\nfrom genvalues.shape import check\n"
        f"print(check(read({SITE!r}, 'f').tree), [m for m in sys.modules if 'jsonschema' in m or m == 'importlib.metadata'])"
    )

    assert "[] []\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
