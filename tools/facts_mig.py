"""MIG tables: one file per model."""

import re
from collections.abc import Iterator
from typing import Any

# Models whose names or placements must be taken from the node; on all the others the sources agree.
DISPUTED = {
    "GB200-186GB": "names follow the total memory that the driver reports: sources give GB200 1g.23gb ... 7g.186gb and 1g.24gb ... 7g.189gb",
    "GB200-189GB": "derived by name arithmetic, not captured; other sources give GB200 1g.23gb ... 7g.186gb",
    "RTX-PRO-5000-48GB": "revisions of NVIDIA's MIG guide disagree: 1g.12gb ... 4g.48gb on four quarters, or 1g.24gb and 2g.48gb on two halves",
    "RTX-PRO-4500-32GB": "placements are not documented, and revisions of NVIDIA's MIG guide disagree on this family",
}


def mig_files(mig: Any, checked: str) -> Iterator[tuple[str, Any]]:
    """(path under data/, content)."""
    for key, model in mig["models"].items():
        sources = dict.fromkeys(name for profile in model["profiles"] for name in profile["source"])
        placements = dict.fromkeys(name for profile in model["profiles"] for name in profile["placement_source"])
        content = {
            "source": f"profiles: {', '.join(sources)}; placements: {', '.join(placements)}",
            "checked": checked,
            "products": model["product"],
            "architecture": model["arch"],
            "total_gb": model["total_gb"],
            "compute_slices": model["compute_slices"],
            "memory_units": model["memory_units"],
            "engine_budget": model["engine_budget"],
            "pci_device_ids": model["pci_device_ids"],
            "min_driver": _driver(model.get("min_driver")),
            "disputed": DISPUTED.get(key),
            "note": model.get("note"),
            "profiles": [_profile(profile) for profile in model["profiles"]],
        }
        yield f"mig/{key}.json", content


def mixes(mig: Any) -> Any:
    """The mixes of the tables with their verdicts, as test vectors."""
    return {
        key: {
            "valid": [{"mix": one["mix"], "status": one["status"], "why": one["why"]} for one in model["known_valid"]],
            "invalid": [
                {"mix": one["mix"], "status": one["status"], "why": one["why"]} for one in model["known_invalid"]
            ],
            "base_profiles": model["base_profiles"],
            "base_feasible_mixes": model["base_feasible_mixes"],
            "base_maximal_mixes": model["base_maximal_mixes"],
        }
        for key, model in mig["models"].items()
    }


def _profile(profile: Any) -> Any:
    gib = profile.get("memory_gib_usable")
    return {
        "name": profile["name"],
        "compute_slices": profile["compute_slices"],
        "memory_slices": profile["memory_slices"],
        "starts": profile["placement"]["starts"],
        "size": profile["placement"]["size"],
        "max_instances": profile["max_instances"],
        "resource": profile["resource_name_mixed"],
        "attributes": profile["attributes"],
        "negative_attributes": profile["negative_attributes"],
        "engines": profile["engines"],
        "memory_mib": profile.get("memory_mib") or (gib and int(gib * 1024)),
        "memory_gib": gib,
        "multiprocessors": profile.get("multiprocessors"),
        "min_driver": _driver(profile.get("min_driver")),
        "sources": list(dict.fromkeys(profile["source"] + profile["placement_source"])),
    }


def _driver(text: str | None) -> str | None:
    """The first driver: "R575 (575.51.03)" names a release, "R470" only a branch."""
    if text is None:
        return None
    release = re.search(r"[0-9]+\.[0-9.]+", text)
    return release.group(0) if release else text.removeprefix("R")
