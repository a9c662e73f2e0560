"""DCGM exporter facts: accepted names per release as differences, and one line per field for what is known of it."""

from collections.abc import Iterator
from typing import Any

SUPPORT = {
    "Blackwell": "blackwell",
    "NVSwitch/NVLink fabric systems": "fabric",
    "actively cooled cards only": "fan",
    "Grace-Hopper/Grace-Blackwell": "grace-gpu",
    "needs ECC on: not on GeForce, L-class only some locations": "ecc",
    "Turing and later": "turing",
    "Ampere and later": "ampere",
    "only after a diagnostic ran": "diagnostic",
    "row remapping: Ampere and later datacentre GPUs": "row-remapping",
    "page retirement: before Ampere": "page-retirement",
    "needs NVLink; error counters of this family up to Hopper": "nvlink",
    "vGPU host (526 also in guests)": "vgpu-host",
    "GB200-class platforms": "gb200",
    "link entity, Blackwell NVLink port registers": "nvlink-ports",
    "NVSwitch systems": "nvswitch",
    "profiling: datacentre GPUs only (Volta/Turing/Ampere through the profiling module, Hopper and later through GPM); row is skipped with a warning elsewhere": "profiling",
    "GPM only (Hopper and later) or newer": "gpm",
    "Grace CPU": "grace-cpu",
    "NVLink5 (Blackwell) only": "nvlink5",
    "ConnectX; the exporter never watches this entity level": "connectx",
    "Blackwell with in-band power smoothing": "power-smoothing",
    "profiling-named but outside 1000-1099, so the exporter does not gate it": "ungated",
}

MIG = {
    "own value per instance": "own",
    "whole GPU; repeated on each instance row, so do not sum": "repeated",
    "whole GPU only": "whole-gpu",
    "not per instance": "none",
    None: None,
}

GENERATION = {"classic": "classic", "4.6 rename": "4.6", "1.x lower-case": "1.x", None: None}

UNRELEASED = "unreleased"


def dcgm_files(table: Any, checked: str) -> Iterator[tuple[str, Any]]:
    """(path under data/, content)."""
    buckets = [name for name in table["buckets"] if name != UNRELEASED]
    accepted = {name: _accepted(field, buckets) for name, field in table["fields"].items()}
    for name, metric in table["exporter_metrics"].items():
        since = metric["accepted_from"].split(" ")[0]
        first = 0 if since == "3.3.x" else buckets.index(since)
        accepted[name] = set(buckets[first:])
    source = "; ".join(f"{key}: {text.rpartition('; ')[2]}" for key, text in table["sources"].items())
    head = {"source": source, "checked": checked}
    yield "dcgm/names.json", {**head, "releases": list(_releases(table, buckets, accepted))}
    yield "dcgm/support.json", {**head, "support": {code: text for text, code in SUPPORT.items()}}
    fields = {name: _field(field) for name, field in table["fields"].items() if accepted[name]}
    fields |= {name: _exporter_metric(metric) for name, metric in table["exporter_metrics"].items()}
    yield "dcgm/fields.json", {**head, "fields": fields}


def _accepted(field: Any, buckets: list[str]) -> set[str]:
    if field["since"] == UNRELEASED:
        return set()
    return set(buckets[buckets.index(field["since"]) :]) - set(field.get("missing_in", ()))


def _releases(table: Any, buckets: list[str], accepted: dict[str, set[str]]) -> Iterator[Any]:
    before: set[str] = set()
    for bucket in buckets:
        now = {name for name, where in accepted.items() if bucket in where}
        first, _, last = bucket.partition("..")
        if last and "-" not in last:  # "4.1.1-4.0.3..4.0.4": the same DCGM
            last = f"{first.split('-')[0]}-{last}"
        yield {
            "first": first,
            "last": last or first,
            "go_dcgm": table["buckets"][bucket]["go_dcgm"],
            "inferred": bucket in table["sources"],
            "added": sorted(now - before),
            "removed": sorted(before - now),
        }
        before = now


def _field(field: Any) -> Any:
    """Everything that is not empty; the loader fills in the rest."""
    default = field.get("default_csv")
    full = {
        "id": field["id"],
        "dtype": field.get("dtype"),
        "unit": field.get("unit"),
        "level": field.get("level"),
        "type": field["suggested_type"],
        "description": field["description"],
        "aliases": field.get("aliases"),
        "generation": GENERATION[field.get("name_generation")],
        "portable": field.get("portable"),
        "profiling": field.get("profiling"),
        "gated": field.get("gated_by_metric_groups"),
        "mig": MIG[field.get("mig")],
        "topics": field.get("topics"),
        "support": [SUPPORT[text] for text in field.get("support", ())],
        "default_type": default and default["type"],
        "default_on": bool(default) and default["state"] == "on",
        "note": field.get("note"),
    }
    return {key: value for key, value in full.items() if value or key == "id"}


def _exporter_metric(metric: Any) -> Any:
    window = metric.get("window_env")
    return {
        "id": None,
        "type": metric["suggested_type"],
        "description": metric["description"],
        **({"note": f"window: {window}"} if window else {}),
    }
