"""Whatever a values file holds: contracts judge it without raising, place every hit, and import little."""

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from genvalues import contracts
from genvalues.contracts import Contract
from genvalues.finding import Json, exists

CONTRACTS = [found for chart, versions in contracts.known().items() for v in versions if (found := contracts.load(chart, v))]
NAMES = sorted({step for contract in CONTRACTS for path in contract.paths for step in path.replace("[]", "").split(".")})

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2**60), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "on", "580.10", "open", "x", "1Gi", "{{ x }}"]), st.text(max_size=5),
)  # fmt: skip
keys = st.one_of(st.sampled_from(NAMES), st.text(max_size=6))
values = st.recursive(scalars, lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=4), max_leaves=12)


def nested(path: str, value: Json) -> Json:
    for step in reversed([part for part in path.split(".") if part]):
        name = step.replace("[]", "")
        value = {name: [value] if step.endswith("[]") else value}
    return value


@given(st.sampled_from(CONTRACTS), values)
@settings(max_examples=300, deadline=None)
def test_any_values_are_judged(contract: Contract, data: Json) -> None:
    """No exception; every hit has a message, a fix, a verdict, and a route of the document."""
    for hit in contract.check(data):
        assert hit.message
        assert hit.fix
        assert hit.verdict is not None
        assert exists(data, hit.route)


@given(st.data(), st.sampled_from(CONTRACTS), values)
@settings(max_examples=300, deadline=None)
def test_any_value_at_a_known_path_is_judged(data: st.DataObject, contract: Contract, value: Json) -> None:
    """The same for values at paths that the chart names, where types and conditions come in."""
    path = data.draw(st.sampled_from(sorted(contract.paths)))
    document = nested(path, value)

    assert all(exists(document, hit.route) and hit.fix for hit in contract.check(document))


@given(st.data(), st.sampled_from(CONTRACTS))
@settings(max_examples=200, deadline=None)
def test_a_default_written_out_is_no_finding_unless_dead(data: st.DataObject, contract: Contract) -> None:
    """Repeating what the chart says anyway is silent, except for keys that nothing reads."""
    path = data.draw(st.sampled_from(sorted(path for path, record in contract.paths.items() if "default" in record)))
    record = contract.paths[path]
    if record["default"] is None or "\\" in path:
        return

    verdicts = {hit.verdict for hit in contract.check(nested(path, record["default"]))}

    assert verdicts == ({"ignored"} if record.get("read") == "never" else set())


def test_judging_imports_nothing_slow() -> None:
    """Of the standard library only what a check has loaded anyway (design, section 10)."""
    code = (
        "import sys; import genvalues.contracts as c; list(c.load('gpu-operator', 'v25.10.1').check({'x': 1, 'driver': {'a': 1}}));"
        "print(' '.join(sorted(m for m in ('difflib', 'dataclasses', 'importlib.resources', 'importlib.metadata', 'tempfile',"
        " 'packaging', 'jsonschema', 'jinja2', 'ruamel.yaml', 'yaml', 'pathlib', 'inspect', 'ast') if m in sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == []
