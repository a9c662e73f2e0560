"""The data files: in shape, in one spelling, and true to themselves."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from facts_text import spelled
from jsonschema import Draft202012Validator

from genvalues import paths
from genvalues.facts import Facts, mig, version
from genvalues.facts.check import faults
from genvalues.facts.kinds import Gpu, MigModel
from genvalues.facts.product import is_label, sanitised

DATA = Path(paths.data())
FILES = sorted(
    str(path.relative_to(DATA))
    for path in DATA.rglob("*.json")
    if path.relative_to(DATA).parts[0] not in ("schemas", "contracts")
)


def read(path: str) -> Any:
    return json.loads((DATA / path).read_text(encoding="utf-8"))


def schema_of(path: str) -> Any:
    """The schema of a file: of its folder where a folder holds many of one kind, else of its own."""
    parts = path.removesuffix(".json").split("/")
    name = parts[0] if parts[0] in ("gpus", "mig", "operator") else "-".join(parts)
    return read(f"schemas/{name}.json")


def gpus(facts: Facts) -> list[Gpu]:
    return [gpu for key in facts.gpu_keys() if (gpu := facts.gpu(key)) is not None]


def models(facts: Facts) -> list[MigModel]:
    return [model for key in facts.mig_model_keys() if (model := facts.mig_model(key)) is not None]


@pytest.mark.parametrize("path", FILES)
def test_file_has_the_shape_of_its_kind(path: str) -> None:
    """Every property that the schema names, none that it does not, by jsonschema and by our own checks alike."""
    schema = schema_of(path)
    Draft202012Validator.check_schema(schema)

    assert [error.message for error in Draft202012Validator(schema).iter_errors(read(path))] == []
    assert list(faults(schema, read(path))) == []


@pytest.mark.parametrize("path", FILES)
def test_file_is_spelt_the_one_way(path: str) -> None:
    """Reading a file and writing it again gives the same bytes, so that a refresh shows only what changed."""
    assert spelled(path, read(path)) == (DATA / path).read_bytes().decode("utf-8"), "run: python tools/facts_text.py FILE"


def test_every_file_is_known() -> None:
    """Folders of GPUs, MIG tables, operator minors and DCGM, and the tables beside them: a file elsewhere is read by nobody."""
    assert {"gpus", "mig", "operator", "dcgm"} == {path.split("/")[0] for path in FILES if "/" in path}
    assert {
        "cuda.json", "distributions.json", "drivers.json", "host-packages.json", "labels.json", "nfd.json",
        "operating-systems.json", "sources.json",
    } == {path for path in FILES if "/" not in path}  # fmt: skip


def test_abbreviations_of_sources_are_spelt_out() -> None:
    """What a GPU or MIG file gives as its source stands in sources.json."""
    known = read("sources.json")["sources"].keys()
    used = {
        word
        for path in FILES
        if path.startswith(("gpus/", "mig/"))
        for word in re.findall(r"\b[A-Z][A-Z0-9_]+", re.sub(r"\([^)]*\)|\S+/\S+ \w+", "", read(path)["source"]))
    }

    assert {"OGKM", "UG", "LGIPP_H100"} < used
    assert set() == used - known


# The fields of a GPU by what its `sources` call them, where that is not the field's own name.
SOURCED = {
    "product": "gfd_product_label",
    "platform_since": "gpu_operator",
    "gpudirect_dmabuf": "gpudirect_rdma",
    "mig_capable": "mig",
    "mig_model": "mig",
}
FIELDS = (
    "architecture", "compute_capability", "memory_gb", "pci_ids", "product", "mig_capable", "mig_model", "gpudirect_rdma",
    "gpudirect_dmabuf", "open_kernel_modules", "driver", "row_remapping", "platform_since", "memory_mib", "ecc",
    "confidential_computing",
)  # fmt: skip


@pytest.mark.parametrize("path", [path for path in FILES if path.startswith("gpus/")])
def test_every_known_field_of_a_gpu_has_a_source(path: str) -> None:
    """A field that is not null says where that comes from; what no source tells is null."""
    gpu = read(path)
    sources = gpu["sources"].keys()

    assert [field for field in FIELDS if gpu[field] is not None and SOURCED.get(field, field) not in sources] == []


def test_labels_of_gpus_are_labels(facts: Facts) -> None:
    """At most 63 characters of a label's alphabet, already sanitised, and no two GPUs with one label."""
    products = [gpu.product for gpu in gpus(facts) if gpu.product is not None]

    assert [name for name in products if not is_label(name) or sanitised(name.replace("-", " ")) != name] == []
    assert len(products) == len(set(products))
    assert {"a100x", "a30x"} == {gpu.key for gpu in gpus(facts) if gpu.product is None}


def test_pci_ids_tell_gpus_apart(facts: Facts) -> None:
    """A device id belongs to one GPU, or all that share it need the subsystem and have disjoint ones."""
    owners: dict[str, list[tuple[str, frozenset[str], bool]]] = {}
    for gpu in gpus(facts):
        for one in gpu.pci_ids:
            owners.setdefault(one.device, []).append((gpu.key, frozenset(one.subsystems), one.needs_subsystem))
    shared = {device: rows for device, rows in owners.items() if len(rows) > 1}

    assert {"25b6"} == shared.keys()
    assert all(needs for rows in shared.values() for _, _, needs in rows)
    assert frozenset() == frozenset.intersection(*(subsystems for _, subsystems, _ in shared["25b6"]))
    assert {"10de"} == {one.vendor for gpu in gpus(facts) for one in gpu.pci_ids}


def test_mig_capable_gpus_have_a_table_or_say_why_not(facts: Facts) -> None:
    """A GPU that can MIG names its table; the three boards that no table lists carry a note instead."""
    without = [gpu for gpu in gpus(facts) if gpu.mig_capable and gpu.mig_model is None]

    assert [gpu.key for gpu in without] == ["a100x", "a30x", "h20-3e-141gb"]
    assert [gpu.key for gpu in without if "no MIG table" not in (gpu.mig_note or "")] == []
    assert [
        gpu.key for gpu in gpus(facts) if gpu.mig_model and not (gpu.mig_capable and facts.mig_model(gpu.mig_model))
    ] == []


def test_mig_tables_belong_to_the_gpus_memory(facts: Facts) -> None:
    """The table's GB are the GiB that nvidia-smi shows, rounded up; slices as many as the GPU may have instances."""
    pairs = [(gpu, model) for gpu in gpus(facts) if gpu.mig_model and (model := facts.mig_model(gpu.mig_model))]

    assert [
        (gpu.key, model.key)
        for gpu, model in pairs
        if gpu.memory_mib is not None and -(-gpu.memory_mib // 1024) != model.total_gb
    ] == []
    assert [(gpu.key, model.key) for gpu, model in pairs if gpu.mig_max_instances != model.compute_slices] == []


def test_mig_placements_lie_inside_the_gpu(facts: Facts) -> None:
    """Starts ascend, an instance ends within the memory units, and as many fit as the table says, no more."""
    for model in models(facts):
        for profile in model.profiles:
            assert sorted(set(profile.starts)) == list(profile.starts), (model.key, profile.name)
            assert max(profile.starts) + profile.size <= model.memory_units, (model.key, profile.name)
            assert mig.fits(model, {profile.name: profile.max_instances}) is None, (model.key, profile.name)


def test_mig_names_follow_upstreams_arithmetic(facts: Facts) -> None:
    """go-nvlib: eighths of memory, rounded up, of the total GB, rounded half up; the resource spells + as a dot."""
    for model in models(facts):
        for profile in model.profiles:
            eighths = -(-8 * profile.memory_slices // model.memory_units)
            size = int(eighths * model.total_gb / 8 + 0.5)
            plus = "".join(f"+{one}" for one in profile.attributes)
            minus = "".join(f"-{one}" for one in profile.negative_attributes)

            assert f"{profile.compute_slices}g.{size}gb{plus}{minus}" == profile.name, model.key
            assert "nvidia.com/mig-" + profile.name.replace("+", ".") == profile.resource


def test_mig_tables_that_are_not_certain_say_so(facts: Facts) -> None:
    """GB200's names follow the driver, the guide's revisions disagree on the small RTX PRO boards."""
    assert [model.key for model in models(facts) if model.disputed] == [
        "GB200-186GB",
        "GB200-189GB",
        "RTX-PRO-4500-32GB",
        "RTX-PRO-5000-48GB",
    ]


def test_first_drivers_belong_to_their_branch(facts: Facts) -> None:
    """A first driver is of its branch, and no branch both has one and lacks the GPU."""
    for gpu in gpus(facts):
        driver = gpu.driver
        assert [name for name, first in driver.supported_from.items() if version.branch(first) != name] == [], gpu.key
        assert set() == driver.supported_from.keys() & set(driver.unsupported_branches), gpu.key
        assert (driver.enforce == "until") == (driver.enforce_until is not None), gpu.key
        if driver.min_branch is not None:
            assert driver.min_branch == min(driver.supported_from, key=int), gpu.key


def test_drivers_of_operators_are_of_known_branches(facts: Facts) -> None:
    """Every driver that a release installs, lists or recommends has a row in the branch table."""
    for name in facts.operator_versions():
        release = facts.operator_release(name)
        assert release is not None
        named = [release.driver_default, *release.driver_listed, release.driver_recommended]
        assert [d for d in named if d is None or facts.driver_branch(version.branch(d) or "") is None] == [], name
        assert release.driver_recommended in release.driver_listed, name


def test_operator_components_are_complete(facts: Facts) -> None:
    """Each release names the components that sites depend on, and we know its exporter's names and its NFD."""
    needed = {
        "toolkit", "device_plugin", "gfd", "dcgm", "dcgm_exporter", "mig_manager", "nfd", "driver_manager", "gds", "gdrcopy",
    }  # fmt: skip
    for name in facts.operator_versions():
        release = facts.operator_release(name)
        assert release is not None
        assert set() == needed - release.components.keys(), name
        assert release.components["device_plugin"] == release.components["gfd"], name
        assert facts.dcgm_names(release.components["dcgm_exporter"]) is not None, name
        assert facts.nfd_release(release.components["nfd"]) is not None, name
        assert release.kubernetes[0] < release.kubernetes[1], name


def test_precompiled_images_are_for_systems_of_the_release(facts: Facts) -> None:
    """An OS tag with precompiled images is one that the release supports."""
    for name in facts.operator_versions():
        release = facts.operator_release(name)
        assert release is not None
        tags = {facts.os_tag(name, row.id, number) for row in release.os for number in row.versions}
        assert set() == release.precompiled.keys() - tags, name


def test_dcgm_names_come_in_order_and_have_fields() -> None:
    """Releases follow each other without overlap; what one adds was not there, what it removes was; all have a line."""
    releases = read("dcgm/names.json")["releases"]
    fields = read("dcgm/fields.json")["fields"]
    ends = [version.exporter(one[end]) for one in releases for end in ("first", "last")]
    present: set[str] = set()
    for one in releases:
        assert set() == present & set(one["added"])
        assert set() == set(one["removed"]) - present
        present = present - set(one["removed"]) | set(one["added"])

    assert None not in ends
    assert ends == sorted(ends, key=lambda one: one or ((), ()))
    assert {name for one in releases for name in one["added"]} == fields.keys()


def test_dcgm_aliases_share_their_id() -> None:
    """Two names are aliases of each other exactly if they have one id; range markers, which no CSV may hold, apart."""
    fields = {name: field for name, field in read("dcgm/fields.json")["fields"].items() if field["type"] != "reject"}
    names: dict[int, set[str]] = {}
    for name, field in fields.items():
        if field["id"] is not None:
            names.setdefault(field["id"], set()).add(name)

    assert [
        name
        for name, field in fields.items()
        if field["id"] is not None and set(field.get("aliases", ())) & fields.keys() != names[field["id"]] - {name}
    ] == []


def test_dcgm_fields_need_hardware_that_has_words() -> None:
    """Every code of `support` is explained, every explanation used; binary fields are rejected, texts are labels."""
    fields = read("dcgm/fields.json")["fields"].values()

    assert read("dcgm/support.json")["support"].keys() == {
        code for field in fields for code in field.get("support", ())
    }
    assert {"binary": {"reject"}, "string": {"label"}} == {
        dtype: {field["type"] for field in fields if field.get("dtype") == dtype} for dtype in ("binary", "string")
    }


def test_presets_hold_what_a_csv_may_hold(facts: Facts) -> None:
    """On every operator each preset has rows, none that the exporter rejects, and no field under two names."""
    for name in facts.operator_versions():
        release = facts.operator_release(name)
        assert release is not None
        accepted = facts.dcgm_names(release.components["dcgm_exporter"])
        for preset in facts.dcgm_presets():
            fields = [facts.dcgm_field(one) for one in facts.dcgm_preset(preset, accepted)]
            ids = [field.id for field in fields if field is not None and field.id is not None]
            assert fields, (name, preset)
            assert [field for field in fields if field is None or field.reject] == [], (name, preset)
            assert len(ids) == len(set(ids)), (name, preset)


def test_the_default_preset_is_the_exporters_own_list(facts: Facts) -> None:
    """The 26 active rows of NVIDIA's CSV, and no other."""
    fields = read("dcgm/fields.json")["fields"]

    assert {name for name, field in fields.items() if field.get("default_on")} == set(facts.dcgm_preset("default"))
    assert len(facts.dcgm_preset("default")) == 26


def test_what_a_site_may_name_is_known(facts: Facts) -> None:
    """Distributions and metric presets of the site's schema have facts behind them, and the schema offers them all."""
    schema = json.loads((Path(paths.schemas()) / "site.schema.json").read_text(encoding="utf-8"))

    assert set(read("distributions.json")["distributions"]) == set(enum(schema, "distribution"))
    assert set(facts.dcgm_presets()) == set(enum(schema, "presets"))


def enum(node: Any, name: str) -> list[str]:
    """The enum of the first property of that name."""
    if isinstance(node, dict):
        found = node.get("properties", {}).get(name)
        if found is not None:
            return list(found.get("enum") or found["items"]["enum"])
        for value in node.values():
            if result := enum(value, name):
                return result
    return []


def test_wrong_labels_are_wrong_and_right_ones_right(facts: Facts) -> None:
    """No GPU reports a label that counts as wrong, under today's drivers, and some GPU reports each correction."""
    products = {gpu.product for gpu in gpus(facts)}
    wrong = facts.wrong_product_labels()

    assert set() == wrong.keys() & products
    assert set() == {label for right in wrong.values() for label in right} - products


def test_names_of_gpus_stand_in_sentences(facts: Facts) -> None:
    """What messages and the hand-over call a GPU has no brackets, slashes or quotes in it."""
    names = [gpu.display for key in facts.gpu_keys() if (gpu := facts.gpu(key)) is not None]

    assert [name for name in names if set(name) & set("()/'\";")] == []
