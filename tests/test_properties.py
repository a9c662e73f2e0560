"""What holds for every site that the schema accepts, however odd, and for every text that is none."""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import strategies
import yaml
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from strategies import yaml_text

from genvalues import artefacts, emit, extends, lint, model, paths, pipeline, report, shape, source, tree
from genvalues.document import Doc, leaves
from genvalues.finding import exists
from genvalues.pipeline import Checked
from genvalues.plan import resolve
from genvalues.visible import all_seen

pytestmark = pytest.mark.no_cover
TODAY = date(2026, 11, 30)
Json = Any

# The folder of a test is shared by its examples; each writes its own site over the last one.
shared = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much]


def examples(count: int) -> settings:
    """The same `count` examples in every run; with HYPOTHESIS_THOROUGH=1 new ones each time, and ten times as many."""
    thorough = bool(os.environ.get("HYPOTHESIS_THOROUGH"))
    times = 10 if thorough else 1
    return settings(
        max_examples=count * times,
        deadline=None,
        derandomize=not thorough,
        suppress_health_check=shared,
        print_blob=False,
    )


def check(folder: Path, text: str) -> Checked:
    path = folder / "site.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return pipeline.check(str(path), strategies.FACTS, TODAY)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / ".git").mkdir()
    (tmp_path / "ca.pem").write_text("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n")
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def test_strategies_draw_what_the_schema_accepts_and_all_of_it() -> None:
    """Sites are read as they were drawn, fit the schema, and have each of its keys; `extends` has tests of its own."""
    schema = json.loads((Path(paths.schemas()) / "site.schema.json").read_text("utf-8"))
    drawn: set[str] = set()

    wanted = set(properties(schema, schema["definitions"])) - {"extends"}

    @given(data=strategies.sites())
    @settings(examples(200), phases=[Phase.generate])
    def draw(data: Json) -> None:
        drawn.update(names(data))
        read = source.read(yaml_text(data), "site.yaml")
        if not read.findings:  # a key of a thousand characters, say, which libyaml does not read
            assert read.tree is not None
            assert data == read.tree.data
            assert [] == shape.check(read.tree)

    # Rare keys may need more than one round: rounds go on, each from a seed of its own, until every key was there.
    for round_ in range(10):
        seed(round_)(draw)()
        if wanted <= drawn:
            break

    assert set() == wanted - drawn


def names(data: Json) -> Iterator[str]:
    """Every key of the data, below the key that it stands under."""
    for key, value in data.items() if isinstance(data, dict) else ():
        yield key
        yield from (f"{key}.{below}" for below in (value if isinstance(value, dict) else {}))
        yield from names(value)
    for item in data if isinstance(data, list) else ():
        yield from names(item)


def properties(part: Json, definitions: Json) -> Iterator[str]:
    """Every property of a schema, below the property that it belongs to."""
    part = definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    for key, named in part.get("properties", {}).items():
        value = definitions[named["$ref"].rpartition("/")[2]] if "$ref" in named else named
        yield key
        yield from (f"{key}.{below}" for below in value.get("properties", {}))
        yield from properties(value, definitions)
    for word in ("items", "additionalProperties"):
        if isinstance(part.get(word), dict):
            yield from properties(part[word], definitions)


def test_strategies_reach_what_stands_behind_the_rules(folder: Path) -> None:
    """Half of the plain sites and a fifth of the mixed ones have no error: what is said of renderings is not said of none."""
    clean: dict[str, list[bool]] = {"plain": [], "mixed": []}

    @given(plain=strategies.plain_sites(), mixed=strategies.mixed_sites())
    @settings(examples(40), phases=[Phase.generate])
    def draw(plain: Json, mixed: Json) -> None:
        clean["plain"].append(check(folder, yaml_text(plain)).ok)
        clean["mixed"].append(check(folder, yaml_text(mixed)).ok)

    draw()

    assert sum(clean["plain"]) > len(clean["plain"]) / 2
    assert sum(clean["mixed"]) > len(clean["mixed"]) / 5


@given(data=st.one_of(strategies.sites(), strategies.mixed_sites()))
@examples(60)
def test_any_site_is_judged(folder: Path, data: Json) -> None:
    """No site raises; every finding says something at a place that exists, and gives a fix."""
    checked = check(folder, yaml_text(data))

    for finding in checked.findings:
        assert finding.message
        assert finding.fix
        assert (1, 1) <= (finding.place.line, finding.place.column) < (finding.place.line, finding.place.end_column)
    if checked.ok:
        assert pipeline.texts(checked)


@given(data=strategies.sites())
@examples(50)
def test_plan_and_artefacts_are_total(data: Json) -> None:
    """Whatever is wrong with a site, there is a plan of it, documents and texts: rules that speak later need them."""
    plan = resolve(model.build(data, "-----BEGIN CERTIFICATE-----\n"), strategies.FACTS, "a/site.yaml")
    texts = {text.path: text.text for text in artefacts.texts(plan)}

    assert texts["README.md"]
    if plan.operator.known and plan.nfd.known:
        assert {"gpu-operator/values.yaml", "node-feature-discovery/values.yaml"} <= {
            doc.path for doc in artefacts.documents(plan)
        }


@given(data=st.one_of(strategies.sites(), strategies.mixed_sites()))
@examples(40)
def test_acceptances_make_nothing_possible_that_is_not(folder: Path, data: Json) -> None:
    """A site that accepts all of its errors is either written like any other, or refused with GV193."""
    codes = sorted({finding.code for finding in check(folder, yaml_text(data)).findings if finding.severity == "error"})
    accept = [{"code": code, "reason": "a reason of ten", "until": "2027-01-01"} for code in codes]
    checked = check(folder, yaml_text({**data, "accept": accept}))

    if checked.ok:
        tree.write(
            str(folder / "out" / checked.plan.site if checked.plan else ""),
            pipeline.texts(checked),
            pipeline.about(checked),
        )
    elif {finding.code for finding in checked.findings if finding.severity == "error"} == {*codes, "GV193"}:
        assert checked.accepted == 0


@given(data=strategies.bases())
@examples(40)
def test_any_base_is_judged(folder: Path, data: Json) -> None:
    """A Base raises no more than a site does, and is held to no more than its shape."""
    assert {"GV0", "GV1"} >= {finding.code[:3] for finding in check(folder, yaml_text(data)).findings}


@given(data=st.one_of(strategies.sites(), strategies.mixed_sites()))
@examples(40)
def test_any_finding_can_be_reported(folder: Path, data: Json) -> None:
    """Whatever a site says in its texts, every report is in its format, and none reaches a terminal as an order."""
    findings = check(folder, yaml_text(data)).findings
    reports = {name: report.render(name, findings, ()) for name in report.FORMATS}

    assert len(findings) == len(json.loads(reports["json"])["findings"])
    assert len(findings) == len(json.loads(reports["sarif"])["runs"][0]["results"])
    assert len(findings) == sum(line.startswith("::") for line in reports["github"].split("\n"))
    ET.fromstring(reports["junit"])
    for name, text in reports.items():
        assert all_seen(text.replace("\n", "")), (name, text)


@given(data=strategies.mixed_sites())
@examples(40)
def test_clean_site_renders_clean(folder: Path, data: Json) -> None:
    """A site without errors is written, its folder is no drift, and a second run has nothing to do."""
    checked = check(folder, yaml_text(data))
    if not checked.ok:
        return
    files, about = pipeline.texts(checked), pipeline.about(checked)
    target = tree.folder(str(folder / "out"), about.site)
    shutil.rmtree(folder / "out", ignore_errors=True)

    assert sorted([*files, "genvalues.index.json"]) == sorted(tree.write(target, files, about).created)
    assert () == tree.diff(target, files, about)
    assert tree.Written() == tree.write(target, files, about)


@given(data=strategies.mixed_sites())
@examples(40)
def test_written_yaml_reads_back_equal(folder: Path, data: Json) -> None:
    """A YAML 1.1 reader reads each document as it was built, and so the texts in it."""
    for doc in check(folder, yaml_text(data)).docs:
        text = emit.emit(doc).text
        expected = body(doc)

        assert expected == yaml.safe_load(text), text


def body(doc: Doc) -> Json:
    """The body of a document with the texts of those that are embedded in it."""
    read = yaml.safe_load(emit.emit(doc._replace(embedded={})).text)
    assert doc.body == read
    for route, inner in doc.embedded.items():
        node = read
        for step in route[:-1]:
            node = node[step]
        node[route[-1]] = emit.emit(inner).text
        if inner.kind != "dcgm-csv":
            assert body(inner) == yaml.safe_load(node[route[-1]])
    return read


@given(data=strategies.mixed_sites())
@examples(40)
def test_lint_has_nothing_against_a_rendering(folder: Path, data: Json) -> None:
    """Both front ends are of one mind: what a site without errors renders to has none, and no other warnings."""
    checked = check(folder, yaml_text(data))
    if not checked.ok:
        return
    files = {name: text for name, text in pipeline.texts(checked).items() if name.endswith((".yaml", ".csv"))}
    linted = lint.files(files.items(), strategies.FACTS, TODAY)
    known = {finding.code for finding in checked.findings}

    assert [] == [f for f in linted.findings if f.severity != "info" and f.code not in known]


@given(data=strategies.mixed_sites())
@examples(40)
def test_names_are_such_as_kubernetes_takes(folder: Path, data: Json) -> None:
    """Names, keys of ConfigMaps, labels and selectors of what a clean site renders to pass the API server's patterns."""
    for doc in check(folder, yaml_text(data)).docs:
        for route, value in leaves(doc.body):
            said = (doc.path, route, value)
            if route == ("metadata", "name"):
                assert NAME.fullmatch(value), said
                assert len(value) <= (63 if doc.body["kind"] == "NVIDIADriver" else 253), said
            elif route == ("metadata", "namespace"):
                assert LABEL.fullmatch(value), said
            elif route[0] == "data" and doc.body["kind"] == "ConfigMap":
                assert KEY.fullmatch(str(route[1])), said
            elif {"labels", "nodeSelector", "matchLabels"} & set(route[:-1]) and isinstance(value, str):
                assert qualified(str(route[-1])), said
                assert LABEL_VALUE.fullmatch(value), said


NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
KEY = re.compile(r"[-._a-zA-Z0-9]{1,253}")
LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")


def qualified(key: str) -> bool:
    """Whether `key` may be the key of a label (IsQualifiedName of apimachinery)."""
    prefix, slash, name = key.rpartition("/")
    named = LABEL_VALUE.fullmatch(name) is not None and bool(name)
    return named and (not slash or (len(prefix) <= 253 and NAME.fullmatch(prefix) is not None))


@given(data=strategies.plain_sites(), shift=st.integers(1, 3))
@examples(40)
def test_order_of_pools_and_keys_names_nothing(folder: Path, data: Json, shift: int) -> None:
    """Pools in another order, keys in another order: the same files."""
    pools = data["hardware"]["pools"]
    turned = [*pools[shift:], *pools[:shift]]
    other = dict(reversed({**data, "hardware": {**data["hardware"], "pools": turned}}.items()))
    first, second = check(folder, yaml_text(data)), check(folder, yaml_text(other))

    assert Counter(f.code for f in first.findings) == Counter(f.code for f in second.findings)
    if first.ok:
        assert set(pipeline.texts(first)) == set(pipeline.texts(second))


@given(data=strategies.sites(), cut=st.integers(0, 400), put=st.text(max_size=4))
@examples(40)
def test_any_text_is_read(folder: Path, data: Json, cut: int, put: str) -> None:
    """Nor does a text that is no site: every one ends in findings or in a site."""
    text = yaml_text(data)
    check(folder, text[:cut] + put + text[cut + len(put) :])


@given(data=strategies.plain_sites())
@examples(30)
def test_merging_changes_nothing(folder: Path, data: Json) -> None:
    """A site split into a base and the rest has the findings of the whole."""
    own = ("apiVersion", "kind", "name")
    rest = {name: value for name, value in data.items() if name in (*own, "hardware", "charts")}
    base = {name: value for name, value in data.items() if name not in rest}
    (folder / "base.yaml").write_text(yaml_text({"apiVersion": "genvalues/v1", "kind": "Base", **base}), "utf-8")
    whole, split = check(folder, yaml_text(data)), check(folder, yaml_text({**rest, "extends": ["base.yaml"]}))

    assert Counter(f.code for f in whole.findings) == Counter(f.code for f in split.findings)
    if whole.ok:
        assert pipeline.texts(whole) == pipeline.texts(split)


@given(data=strategies.sites())
@examples(40)
def test_every_node_knows_its_origin(data: Json) -> None:
    """Each leaf has a place of its own in the text, after a merge with nothing too."""
    read = source.read(yaml_text(data), "site.yaml")
    if read.tree is None:
        return
    merged = extends.merge(read.tree, read.tree._replace(data={}, origin={(): read.tree.origin[()]}))
    for found in (read.tree, merged):
        assert all(route in found.origin and exists(found.data, route) for route, _ in leaves(found.data))
