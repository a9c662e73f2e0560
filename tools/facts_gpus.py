"""GPU facts from the reference's hardware table."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

NVSWITCH_PCI = {
    "gen2": "10de:1af1",
    "gen3": "10de:22a3",
}  # hardware.json nvswitch_pci; gen1 has no source, gen4 is no 10de device

# Boards that carry MIG tables under another product name. hardware.json gives the PCI id, mig-profiles.json the tables;
# these have no PCI id there, but the table's `product` names them.
MIG_BY_PRODUCT = {
    "a800-sxm4-40gb": "A100-40GB",
    "h100-sxm5-94gb": "H100-94GB",
    "rtx-pro-6000-blackwell-workstation": "RTX-PRO-6000-96GB",
    "rtx-pro-6000-blackwell-maxq": "RTX-PRO-6000-96GB",
    "rtx-pro-4500-blackwell-server": "RTX-PRO-4500-32GB",
}


def gpu_files(hardware: Any, mig: Any, checked: str) -> Iterator[tuple[str, Any]]:
    """(path under data/, content) for every GPU."""
    for key, gpu in hardware["gpus"].items():
        yield f"gpus/{key}.json", _gpu(key, gpu, mig, hardware["sources"].keys(), checked)


def _gpu(key: str, gpu: Any, mig: Any, known: Iterable[str], checked: str) -> Any:
    """One file; as long as a GPU has fields."""
    switch = gpu["nvswitch"]
    since, platform_note = _platform(gpu["gpu_operator"]["listed_in_platform_page_since"])
    notes = [gpu["notes"], gpu["gpu_operator"]["note"], platform_note]
    capable = gpu["mig"]["capable"]
    model = _mig_model(key, gpu, mig) if capable else None
    mig_note = gpu["mig"].get("min_driver_note")
    if capable and model is None:
        mig_note = _join([mig_note, "no MIG table read lists this board: its profiles are not known"])
    return {
        "source": "; ".join(_abbreviations(gpu["sources"], known)),
        "checked": checked,
        "display": gpu["display"].partition(" (")[0],  # what stands in brackets is no part of the name in a sentence
        "architecture": gpu["architecture"],
        "compute_capability": [int(part) for part in gpu["compute_capability"].split(".")],
        "family": gpu["gfd_family_label"],
        "memory_gb": gpu["memory_gb"],
        "memory_mib": gpu["memory_mib"],
        "form_factor": gpu["form_factor"],
        "pci_ids": [_pci(entry) for entry in gpu["pci_ids"]],
        "product": gpu["gfd_product_label"],
        "product_variants": [_sanitise(name) for name in _variants(gpu["nvml_name_variants"])],
        "gpu_class": gpu["class"],
        "mig_capable": capable,
        "mig_max_instances": gpu["mig"]["max_instances"],
        "mig_min_driver": gpu["mig"]["min_driver"],
        "mig_model": model,
        "mig_note": mig_note,
        "gpudirect_rdma": gpu["gpudirect_rdma"],
        "gpudirect_dmabuf": gpu["gpudirect_rdma_dmabuf"],
        "fabric_manager": switch["fabric_manager"],
        "nvswitch_systems": switch["in_systems"],
        "nvswitch_pci": NVSWITCH_PCI.get((switch["generation"] or "").split(" ")[0]),
        "nvlsm": switch["nvlsm"],
        "imex": switch["imex"],
        "nvswitch_note": switch.get("note"),
        "open_kernel_modules": gpu["open_kernel_modules"],
        "driver": _driver(gpu["driver"]),
        "ecc": gpu["ecc"],
        "row_remapping": gpu["row_remapping"],
        "confidential_computing": gpu["confidential_computing"],
        "platform_since": since,
        "notes": _join(notes),
        "sources": gpu["sources"],
    }


def _pci(entry: Any) -> Any:
    vendor, device = entry["id"].split(":")
    return {
        "vendor": vendor,
        "device": device,
        "subsystems": entry["subsystems_listed"] or [],
        "needs_subsystem": bool(entry.get("must_match_subsystem")),
    }


def _driver(driver: Any) -> Any:
    words = driver["enforce"]
    until = re.fullmatch(r"only branches <= ([0-9]+): (.*)", words)
    reason = until.group(2) if until else words.partition(": ")[2]
    return {
        "min_documented": driver["min_documented"],
        "max_branch": driver["max_branch"],
        "min_branch": driver["min_branch"],
        "supported_from": driver["supported_from"] or {},
        "unsupported_branches": driver["unsupported_branches"] or [],
        "enforce": "until" if until else words.partition(":")[0],
        "enforce_until": until.group(1) if until else None,
        "note": _join([driver["note"], reason or None]),
    }


def _mig_model(key: str, gpu: Any, mig: Any) -> str | None:
    if key in MIG_BY_PRODUCT:
        return MIG_BY_PRODUCT[key]
    devices = {f"0x{entry['id'].split(':')[1].upper()}10DE" for entry in gpu["pci_ids"]}
    matching = [name for name, model in mig["models"].items() if devices & set(model["pci_device_ids"])]
    if (
        len(matching) > 1
    ):  # GB200 has two tables: the driver's total memory tells them apart (KiB are lost in MiB, so round up)
        total = -(-gpu["memory_mib"] // 1024)
        matching = [name for name in matching if mig["models"][name]["total_gb"] == total]
    return matching[0] if matching else None


def _variants(names: list[str] | None) -> list[str]:
    """Names only: the reference adds remarks in brackets, and two names of one board after a slash or comma."""
    plain = [re.sub(r"\s*\([^)]*\)\s*$", "", name) for name in names or []]
    return [part.strip() for name in plain for part in name.split(",")]


def _sanitise(name: str) -> str:
    """As GPU feature discovery makes a label of a product name (k8s-device-plugin internal/lm/resource.go)."""
    return "-".join(re.sub(r"[^A-Za-z0-9-_. ]", "", name).split())


def _platform(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    first = re.search(r"[0-9]+\.[0-9]+", text)
    plain = first.group(0) if first else None
    return plain, None if text in (plain, f"<={plain}") else f"platform page: {text}"


def _abbreviations(sources: dict[str, str], known: Iterable[str]) -> list[str]:
    words = [word for text in sources.values() for word in re.findall(r"[A-Z][A-Z0-9]+", text)]
    return [word for word in dict.fromkeys(words) if word in known]


def _join(parts: list[str | None]) -> str | None:
    return "; ".join(part for part in parts if part) or None
