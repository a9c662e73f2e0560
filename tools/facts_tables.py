"""The tables that are small enough for one file: driver branches, CUDA toolkits, labels, sources."""

import re
from collections.abc import Iterator
from typing import Any


def table_files(hardware: Any, mig: Any, checked: str) -> Iterator[tuple[str, Any]]:
    """(path under data/, content)."""
    yield "drivers.json", _drivers(hardware["driver_branches"], checked)
    yield "cuda.json", _cuda(hardware["cuda"], checked)
    yield "labels.json", _labels(hardware, checked)
    yield "sources.json", _sources(hardware, mig, checked)


def _drivers(table: Any, checked: str) -> Any:
    rows = {
        row["branch"]: {
            "type": row["type"],
            "eol": row["eol"],
            "status": row["status"],
            "default_kernel_modules": row["default_kernel_modules"].partition(" ")[0],
            "note": row["note"] and row["note"].replace("stored pages", "pages read"),
        }
        for row in table["branches"]
    }
    return {"source": table["source"], "checked": checked, "branches": rows}


def _cuda(table: Any, checked: str) -> Any:
    toolkits = {
        row["version"]: {"toolkit_driver": row["toolkit_driver_linux"], "note": row.get("note")}
        for row in table["toolkits"]
    }
    floors = {major.removesuffix(".x"): row["min"] for major, row in table["minor_version_compat"].items()}
    for row in table["toolkits"]:
        if row["minor_version_compat_floor_linux"] != floors[row["version"].split(".")[0]]:
            raise ValueError(f"CUDA {row['version']}: its floor is not that of its major")
    removed = {
        name.removeprefix("cuda-"): text.partition(" removed")[0].lower().split(", ")
        for name, text in table["dropped_architectures"].items()
        if name.startswith("cuda-")
    }
    head = {"source": f"{table['source']}; removed: {table['dropped_architectures']['source']}", "checked": checked}
    return {**head, "floors": floors, "removed": removed, "toolkits": toolkits}


def _labels(hardware: Any, checked: str) -> Any:
    labels = hardware["labels"]
    products = [gpu["gfd_product_label"] for gpu in hardware["gpus"].values() if gpu["gfd_product_label"]]
    wrong = {}
    for seen, right in labels["wrong_labels_in_the_wild"].items():
        start = right.removesuffix("…")
        wrong[seen] = [right] if start == right else sorted(name for name in products if name.startswith(start))
    return {"source": labels["source"], "checked": checked, "wrong_products": wrong}


def _sources(hardware: Any, mig: Any, checked: str) -> Any:
    named = {**hardware["sources"], **mig["sources"]}
    return {
        "source": "what the abbreviations in the other files stand for",
        "checked": checked,
        "sources": {name: _public(text) for name, text in sorted(named.items())},
    }


def _public(text: str) -> str:
    """Without the remarks that mean something only to whoever collected the tables."""
    text = re.sub(r"\s*\(?(?:id|ids) [0-9]{6,}[^)]*\)?", "", text)
    text = text.replace(" (charts unpacked in charts)", "")
    text = re.sub(r",? ?(?:found (?:with|in) public (?:search|material))", "", text)
    return re.sub(r"\s+", " ", text).strip()
