"""Workloads against drivers, GPUs and mirrors. Expected drivers are typed from NVIDIA's CUDA release notes, tables 2 and 3."""

from collections.abc import Callable
from typing import Any

import pytest

from genvalues import facts
from genvalues.plan.workloads import cuda_of, full_name
from genvalues.rules import by_code, offline, workloads
from genvalues.rules.rule import Rule
from genvalues.rules.workloads import unsourced

Said = Callable[..., list[str]]
Judged = Callable[..., list[tuple[str, Any]]]

FACTS = facts.load()


def rules(*codes: str) -> list[Rule]:
    return [by_code()[code] for code in codes]


def pool(model: str, driver: str) -> str:
    return f"driver: {{version: '{driver}'}}\nhardware:\n  pools:\n  - {{name: gpu, gpu: {{model: {model}, count: 2, board: null}}}}\n"


def work(**keys: Any) -> str:
    body = ", ".join(f"{key}: {value}" for key, value in keys.items())
    return f"workloads:\n- {{name: training, {body}}}\n"


@pytest.mark.parametrize(
    ("image", "cuda"),
    [
        ("nvidia/cuda:12.4.1-base-ubuntu22.04", "12.4.1"),
        ("docker.io/nvidia/cuda:11.8.0-cudnn8-devel-ubuntu20.04", "11.8.0"),
        ("nvcr.io/nvidia/cuda:13.0.1-runtime-ubuntu24.04", "13.0.1"),
        ("nvcr.io/nvidia/cuda:12.8.1", "12.8.1"),
        ("registry.example.internal:5000/nvcr/nvidia/cuda:12.4.1-base-ubuntu22.04", "12.4.1"),
        ("nvidia/cuda:12.4.1-base-ubuntu22.04@sha256:" + "0" * 64, "12.4.1"),
        ("nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0-ubuntu22.04", "12.5.0"),
        ("pytorch/pytorch:2.4.0-cuda12.1-cudnn9-runtime", "12.1"),
        ("nvidia/cuda:latest", None),
        ("nvidia/cuda", None),
        ("nvidia/cuda@sha256:" + "0" * 64, None),
        ("nvcr.io/nvidia/pytorch:24.05-py3", None),
        ("nvcr.io/nvidia/cuda-dl-base:24.05-py3", None),
        ("example.internal/team/app:12.4.1", None),
        ("registry.example.internal:5000/app", None),
        ("vllm/vllm-openai:v0.8.5-cu121", None),
    ],
)
def test_cuda_is_read_from_tags_that_name_it(image: str, cuda: str | None) -> None:
    """The leading version of nvidia/cuda's tags, and `cuda12.4` between dashes elsewhere; nothing is guessed."""
    assert cuda_of(image) == cuda


@pytest.mark.parametrize(
    ("image", "name"),
    [
        ("python:3.12", "docker.io/library/python:3.12"),
        ("nvidia/cuda:12.4.1-base", "docker.io/nvidia/cuda:12.4.1-base"),
        ("nvcr.io/nvidia/cuda:12.4.1-base", "nvcr.io/nvidia/cuda:12.4.1-base"),
        ("localhost/app", "localhost/app"),
        ("registry:5000/app", "registry:5000/app"),
    ],
)
def test_names_without_a_host_are_docker_hubs(image: str, name: str) -> None:
    """As the distribution project normalises references: a first part with a dot, a port or `localhost` is a host."""
    assert full_name(image) == name


@pytest.mark.parametrize(
    ("cuda", "driver", "codes"),
    [
        ("11.8", "520.61.05", []),
        ("11.8", "470.256.02", ["GV537"]),
        ("11.8", "450.80.02", ["GV537"]),
        ("11.8", "450.51.05", ["GV517"]),
        ("12.1.1", "530.30.02", []),
        ("12.1.1", "525.60.13", ["GV537"]),
        ("12.1.1", "525.60.11", ["GV517"]),
        ("12.4.1", "550.54.15", []),
        ("12.4.1", "550.54.14", ["GV537"]),
        ("13.0", "580.65.06", []),
        ("13.0", "580.54.01", ["GV517"]),
        ("13.0.2", "580.82.07", ["GV537"]),
        ("13.4", "580.65.06", []),
        ("13.4", "575.57.08", ["GV517"]),
        ("12.99", "550.54.15", []),
        ("10.2", "450.80.02", []),
    ],
)
def test_driver_against_cuda(
    said: Said, cuda: str, driver: str, codes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the floor of the major is an error, from there to the toolkit's own driver a warning; both at the CUDA version."""
    monkeypatch.setattr(workloads, "cuda_floor", lambda *_: None)  # of the verification pods, which are CUDA 12

    found = said(pool("t4", driver) + work(cuda=f"'{cuda}'"), rules("GV517", "GV537"))

    assert found == [f"{code} workloads[0].cuda" for code in codes]


@pytest.mark.parametrize(("driver", "codes"), [("470.256.02", []), ("535.309.01", ["GV517"]), ("580.173.02", [])])
def test_one_fault_of_a_driver_is_said_once(said: Said, driver: str, codes: list[str]) -> None:
    """Where not even the verification pods run, GV507 says so, and a better driver is looked for anyway."""
    found = said(pool("t4", driver) + work(cuda="'13.0'"), rules("GV517"))

    assert [one.split()[0] for one in found] == codes


@pytest.mark.parametrize(
    ("model", "driver", "cuda", "codes"),
    [
        ("v100-sxm2-32gb", "580.173.02", "13.0", ["GV518"]),
        ("v100-sxm2-32gb", "580.173.02", "13.99", ["GV518"]),
        ("v100-sxm2-32gb", "570.211.01", "13.0", ["GV518"]),
        ("v100-sxm2-32gb", "580.173.02", "12.9", []),
        ("t4", "580.173.02", "13.0", []),
        ("h200-sxm5-141gb", "535.309.01", "13.0", []),
    ],
)
def test_gpus_that_cuda_13_dropped(said: Said, model: str, driver: str, cuda: str, codes: list[str]) -> None:
    """Volta, whatever the driver; of a driver that does not know the GPU another rule speaks."""
    found = said(pool(model, driver) + work(cuda=f"'{cuda}'"), rules("GV517", "GV518"))

    assert [one.split()[0] for one in found] == codes


@pytest.mark.parametrize(
    ("model", "codes"),
    [("rtx-4090", ["GV538"]), ("l40s", []), ("rtx-pro-6000-blackwell-server", []), ("a100-sxm4-80gb", [])],
)
def test_forward_compatibility_needs_no_driver_but_the_right_gpu(said: Said, model: str, codes: list[str]) -> None:
    """With cuda-compat neither floor nor toolkit driver counts; consumer GPUs cannot have it."""
    site = pool(model, "575.57.08") + work(cuda="'13.0'", forwardCompatibility="true", minDriver="'1000'")

    assert [one.split()[0] for one in said(site, rules("GV517", "GV537", "GV538", "GV539"))] == codes


@pytest.mark.parametrize(
    ("stated", "cuda", "part"),
    [
        ("525.60.13", "12.1.1", None),
        ("525", "12.1.1", None),
        ("450.80.02", "11.8", None),
        ("580.65.06", "13.4", None),
        ("530.30.02", "12.1.1", "the driver that CUDA 12.1.1 was published with"),
        ("520.61.05", "11.8", "the driver that CUDA 11.8 was published with"),
        ("535.54.03", "12.1.1", "the driver that CUDA 12.2 was published with"),
        ("470.141.03", "11.8", "no table of NVIDIA's has 470.141.03 for CUDA 11.8: it was published with 520.61.05"),
        ("530", "12.1.1", "no table of NVIDIA's has 530 for CUDA 12.1.1"),
        ("500.1", "13.4", "no table of NVIDIA's has 500.1 for CUDA 13.4: programs of CUDA 13 run on driver 580.65.06"),
        ("410.48", "10.0", None),
    ],
)
def test_minimum_is_the_floor_or_has_no_source(stated: str, cuda: str, part: str | None) -> None:
    """A toolkit's own driver is told from figures that stand in no table."""
    why = unsourced(stated, cuda, FACTS)

    assert (why is None) == (part is None)
    assert (part or "") in (why or "")


def test_minimum_counts_where_cuda_is_not_known(said: Said) -> None:
    """Then it is all that is known, and no figure to be corrected."""
    site = pool("t4", "550.163.01") + work(minDriver="'570.86.15'")

    assert said(site, workloads.RULES) == ["GV517 workloads[0].minDriver"]


@pytest.mark.parametrize(
    ("cuda", "near"),
    [
        ("12.41", "12.4.1"),
        ("12.4.7", "12.4.1"),
        ("12.7", "12.8.1"),
        ("10.2", "11.0"),
        ("13.5", "13.4"),
        ("14.0", "13.4"),
    ],
)
def test_unknown_cuda_is_asked_about(judged: Judged, cuda: str, near: str) -> None:
    """With the version that was probably meant."""
    found = [(code, hit.fix) for code, hit in judged(work(cuda=f"'{cuda}'"), rules("GV251"))]

    assert found == [("GV251", f'cuda: "{near}"')]


def test_pools_of_one_driver_are_one_finding(judged: Judged) -> None:
    """A workload is said to be too new once for each driver, with the pools that have it."""
    site = (
        "driver: {version: '570.211.01'}\nhardware:\n  pools:\n"
        "  - {name: gpu, nodes: {namePattern: '^a'}, gpu: {model: t4, count: 1, board: null}}\n"
        "  - {name: b, nodes: {namePattern: '^b'}, gpu: {model: l4, count: 1}, os: {id: ubuntu, version: '24.04'}}\n"
        "  - {name: c, nodes: {namePattern: '^c'}, gpu: {model: l4, count: 1}, os: {id: ubuntu, version: '24.04'},\n"
        "     driver: {version: '550.163.01'}}\n"
    )
    found = judged(site + work(cuda="'13.0'"), rules("GV517"))

    assert [hit.pools for _, hit in found] == [("gpu", "b"), ("c",)]
    assert (
        found[0][1].message
        == "programs of CUDA 13.0 run on driver 580.65.06 or newer, and pools gpu and b have driver 570.211.01"
    )


OFFLINE = """offline:
  registries: {{nvcr.io: registry.example.internal/nvcr, registry.k8s.io: registry.example.internal/k8s{more}}}
  charts: oci://registry.example.internal/charts
"""


@pytest.mark.parametrize(
    ("more", "image", "found"),
    [
        ("", "nvcr.io/nvidia/pytorch:24.05-py3", []),
        ("", "registry.example.internal/nvcr/nvidia/pytorch:24.05-py3", []),
        ("", "pytorch/pytorch:2.4.0", ["GV588 workloads[0].image"]),
        ("", "quay.io/team/app:1", ["GV588 workloads[0].image"]),
        (", docker.io: registry.example.internal/docker", "pytorch/pytorch:2.4.0", []),
        (
            ", dokcer.io: registry.example.internal/docker",
            "pytorch/pytorch:2.4.0",
            ['GV588 offline.registries["dokcer.io"]'],
        ),
        (", docker.io: registry.example.internal/docker", "nvcr.io/x/y:1", ['GV571 offline.registries["docker.io"]']),
    ],
)
def test_images_of_workloads_are_mirrored_too(said: Said, more: str, image: str, found: list[str]) -> None:
    """Public ones need a mirror, the site's own do not; a registry that only workloads need is not idle."""
    site = OFFLINE.format(more=more) + work(cuda="'12.4'", image=image)

    told = ("GV570", "GV571", "GV588")

    assert [one for one in said(site, offline.RULES) if one.startswith(told)] == found


def test_a_registry_that_nothing_replaces_is_one_fault(said: Said) -> None:
    """Where the operator's own images lack the same mirror, the workload's is not a second fault."""
    site = "offline:\n  registries: {registry.k8s.io: registry.example.internal/k8s}\n" + work(
        cuda="'12.4'", image="nvcr.io/nvidia/pytorch:24.05-py3"
    )

    assert said(site, rules("GV570", "GV588")) == ["GV570 offline.registries"]
