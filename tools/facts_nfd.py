"""NFD facts: features, operators and configuration keys by minor release."""

import re
from collections.abc import Iterator
from typing import Any

MINORS = ("0.15", "0.16", "0.17", "0.18", "0.19")


def nfd_files(table: Any, checked: str) -> Iterator[tuple[str, Any]]:
    """(path under data/, content)."""
    yield (
        "nfd.json",
        {
            "source": table["source"],
            "checked": checked,
            "minors": {minor: _minor(table, minor) for minor in MINORS},
            "ops": {name: _op(name, words, table) for name, words in table["nfr_op_arity"].items()},
            "features": {name: _feature(feature) for name, feature in table["features"].items()},
        },
    )


def _minor(table: Any, minor: str) -> Any:
    core = list(table["worker_core_keys"]["0.15-0.16"])
    if minor >= "0.17":
        core += [key.removeprefix("+") for key in table["worker_core_keys"]["0.17-0.18"]]
    if minor >= "0.19":
        core += [key.removeprefix("+") for key in table["worker_core_keys"]["0.19"]]
    return {
        "master_keys": table["master_config_keys"][minor],
        "restrictions_keys": table["restrictions_keys"] if minor >= "0.17" else [],  # the block came with 0.17
        "core_keys": [re.sub(r"\(.*\)", "", key) for key in core],
        "expression_types": table["nfr_type"]["values"] if minor >= table["nfr_type"]["first"] else [],
    }


def _op(name: str, words: str, table: Any) -> Any:
    matched = re.fullmatch(r"([0-9])(\+)?(?: (RE2|int))?(, v0<v1)?", words)
    if matched is None:
        raise ValueError(f"{name}: cannot read the arity {words!r}")
    least, more, kind, increasing = matched.groups()
    values = None if least == "0" else {"RE2": "regexp", "int": "integer", None: "string"}[kind]
    return {
        "least": int(least),
        "most": None if more else int(least),
        "values": values,
        "increasing": bool(increasing),
        "typed": name in table["nfr_type"]["ops"],
        "since": "0.15" if name in table["nfr_ops"]["0.15-0.17"] else "0.18",
    }


def _feature(feature: Any) -> Any:
    """Attribute -> the first release that has it; a star means that any other name may exist."""
    named = feature.get("attrs", [] if feature["type"].startswith("flag") else None)
    attributes: dict[str, str] = {}
    is_open = feature["type"].startswith("flag")
    for since, names in _by_release(named):
        for text in names:
            if text.startswith("*") or " " in text.split("(")[0].strip():
                is_open = True
                continue
            name, _, remark = text.partition("(")
            first = re.search(r"0\.[0-9]+", remark)
            if "<" in name:
                is_open = True
                continue
            attributes.setdefault(name, first.group(0) if first else max(since, feature.get("first", since)))
    return {
        "type": feature["type"].split("(")[0],
        "since": feature.get("first", "0.15"),
        "open": is_open,
        "attributes": attributes,
    }


def _by_release(named: Any) -> Iterator[tuple[str, list[str]]]:
    if isinstance(named, dict):
        for span, names in named.items():
            yield span.split("-")[0], names
    elif named is not None:
        yield "0.15", named
