import json
from pathlib import Path
from typing import Any

import pytest

from genvalues.facts import load, mig

NEW_GPU: dict[str, Any] = {
    "source": "measured in our laboratory",
    "checked": "2026-11-30",
    "display": "X1",
    "architecture": "hopper",
    "compute_capability": [9, 0],
    "family": "hopper",
    "form_factor": "PCIe",
    "pci_ids": [{"vendor": "10de", "device": "ffff", "subsystems": [], "needs_subsystem": False}],
    "gpu_class": "datacenter",
    "driver": {"enforce": "no"},
}


def write(folder: Path, data: Any, name: str = "facts.json") -> str:
    file = folder / name
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(file)


def fault(folder: Path, data: Any) -> str:
    """What `load` says of the file, without the file's name."""
    file = write(folder, data)
    with pytest.raises(ValueError) as caught:
        load([file])
    return str(caught.value).removeprefix(file).removeprefix(": ")


def test_a_new_gpu_states_what_is_known(tmp_path: Path) -> None:
    """What is left out is unknown; the GPUs that we know stay."""
    facts = load([write(tmp_path, {"gpus": {"x1": NEW_GPU}})])
    gpu = facts.gpu("x1")
    assert gpu is not None

    assert (gpu.display, gpu.product, gpu.mig_capable, gpu.product_variants) == ("X1", None, None, ())
    assert set(facts.gpu_keys()) - set(load().gpu_keys()) == {"x1"}
    assert facts.gpu("h100-sxm5-80gb") == load().gpu("h100-sxm5-80gb")


def test_an_entry_is_laid_over_ours(tmp_path: Path) -> None:
    """Maps merge key by key; lists and null replace; later files lie on top."""
    first = {"gpus": {"t4": {"memory_mib": 1, "ecc": None, "driver": {"note": "ours"}, "product_variants": ["A", "B"]}}}
    second = {"gpus": {"t4": {"memory_mib": 2, "product_variants": ["C"]}}}
    known, facts = load().gpu("t4"), load([write(tmp_path, first), write(tmp_path, second, "second.json")])
    assert known is not None

    assert facts.gpu("t4") == known._replace(
        memory_mib=2, ecc=None, product_variants=("C",), driver=known.driver._replace(note="ours")
    )


def test_a_mig_table_of_ones_own(tmp_path: Path) -> None:
    """A new table and a GPU that names it; its layouts are judged like any."""
    profile = {
        "name": "1g.10gb", "compute_slices": 1, "memory_slices": 1, "starts": [0, 1], "size": 1, "max_instances": 2,
        "resource": "nvidia.com/mig-1g.10gb",
    }  # fmt: skip
    table = {
        "source": "lgipp", "checked": "2026-11-30", "products": "X1", "architecture": "hopper", "total_gb": 20,
        "compute_slices": 2, "memory_units": 2, "profiles": [profile],
    }  # fmt: skip
    overlay = {"mig": {"X1-20GB": table}, "gpus": {"x1": {**NEW_GPU, "mig_capable": True, "mig_model": "X1-20GB"}}}
    facts = load([write(tmp_path, overlay)])
    model = facts.mig_model("X1-20GB")
    assert model is not None

    assert mig.fits(model, {"1g.10gb": 2}) is None
    assert mig.fits(model, {"1g.10gb": 3}) is not None
    assert len(facts.mig_model_keys()) == 17


def test_a_private_build_of_the_chart(tmp_path: Path) -> None:
    """A version of one's own takes everything that it does not state from its minor release."""
    own = {"kubernetes": ["1.30", "1.35"], "driver_default": "580.95.05", "components": {"toolkit": "1.18.1"}}
    facts = load([write(tmp_path, {"operator": {"25.10": {"releases": {"v25.10.1-acme.1": own}}}})])
    release, known = facts.operator_release("v25.10.1-acme.1"), load().operator_release("v25.10.1")
    assert release is not None
    assert known is not None

    assert (release.driver_default, release.driver_listed, release.driver_recommended) == ("580.95.05", (), None)
    assert (known.os, known.precompiled) == (release.os, release.precompiled)
    assert known == facts.operator_release("v25.10.1")
    assert "v25.10.1-acme.1" in facts.operator_versions()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"gpu": {}}, "gpu: unknown kind of facts; known are gpus, mig, operator"),
        ([], "a mapping is needed, with any of gpus, mig, operator"),
        ({"gpus": {"t4": 1}}, "gpus: a mapping of keys to mappings is needed"),
        ({"gpus": {"../t4": {}}}, "gpus[\"../t4\"]: the key '../t4' does not look like [a-z0-9]+(-[a-z0-9]+)*"),
        ({"gpus": {"t4": {"memory": 15}}}, "gpus.t4.memory: unknown key; known are source, checked, display"),
        ({"gpus": {"t4": {"memory_mib": "15360"}}}, "gpus.t4.memory_mib: '15360' is not a whole number or null"),
        ({"gpus": {"t4": {"memory_mib": True}}}, "gpus.t4.memory_mib: True is not a whole number or null"),
        ({"gpus": {"t4": {"gpu_class": "gaming"}}}, "gpus.t4.gpu_class: 'gaming' is none of datacenter, professional"),
        ({"gpus": {"t4": {"mig_model": "T4"}}}, "gpus.t4.mig_model: there is no MIG table T4"),
        (
            {
                "gpus": {
                    "t4": {
                        "pci_ids": [{"vendor": "10DE", "device": "1eb8", "subsystems": [], "needs_subsystem": False}]
                    }
                }
            },
            "gpus.t4.pci_ids[0].vendor: '10DE' does not look like ^[0-9a-f]{4}$",
        ),
        ({"gpus": {"x1": {**NEW_GPU, "source": ""}}}, "gpus.x1.source: a text is needed here"),
        (
            {"gpus": {"x1": {key: value for key, value in NEW_GPU.items() if key != "driver"}}},
            "gpus.x1.driver is missing",
        ),
        (
            {
                "operator": {
                    "25.10": {"releases": {"v25.3.9": {"kubernetes": ["1.30", "1.35"], "driver_default": "580.95.05"}}}
                }
            },
            'operator["25.10"].releases["v25.3.9"]: not a version of 25.10',
        ),
        ({"operator": {"25.10": {"containerd": ["1.7"]}}}, 'operator["25.10"].containerd: 1 items where 2 are needed'),
        ('{"gpus": {"t4": {}, "t4": {}}}', "the key 't4' stands twice in one mapping"),
        ('{"gpus":\n {]}', ":2:3: no JSON: Expecting property name enclosed in double quotes"),
    ],
)
def test_what_is_out_of_order_is_refused_in_words(tmp_path: Path, data: Any, said: str) -> None:
    """The file, the place in it, what is wrong and what would be right."""
    assert fault(tmp_path, data).startswith(said)


def test_placements_outside_the_gpu_are_refused(tmp_path: Path) -> None:
    """A corrected table must still hold its own profiles."""
    assert "mig.A30-24GB.profiles: 4g.24gb ends at memory unit 4, the GPU has 3" in fault(
        tmp_path, {"mig": {"A30-24GB": {"memory_units": 3}}}
    )


def test_every_fault_of_a_file_is_said_at_once(tmp_path: Path) -> None:
    """Two faults, one message."""
    assert fault(tmp_path, {"gpus": {"t4": {"ecc": 1, "imex": 2}}}).count("is not true or false or null") == 2


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    """Its own kind of error: nothing is wrong with its content."""
    with pytest.raises(FileNotFoundError):
        load([str(tmp_path / "none.json")])
