"""Write genvalues/data from a folder with the reference tables.

    python tools/facts_import.py FOLDER [DATA]

FOLDER holds hardware.json, mig-profiles.json, dcgm-fields.json and nfd-facts.json. The same tables give the same bytes.
distributions.json, operating-systems.json, host-packages.json and dcgm/presets.json have no table: kept by hand.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from facts_dcgm import dcgm_files
from facts_gpus import gpu_files
from facts_mig import mig_files, mixes
from facts_nfd import nfd_files
from facts_operator import operator_files
from facts_tables import table_files
from facts_text import serialise, spelled

ROOT = Path(__file__).resolve().parents[1]


def files(folder: Path) -> Iterator[tuple[str, str]]:
    """(path under data/, text) for every fact file that comes from the tables."""
    hardware = _read(folder / "hardware.json")
    mig = _read(folder / "mig-profiles.json")
    charts = _read(Path(__file__).with_name("facts_components.json"))
    checked = hardware["generated"]
    contents = (
        *gpu_files(hardware, mig, checked),
        *mig_files(mig, checked),
        *dcgm_files(_read(folder / "dcgm-fields.json"), checked),
        *nfd_files(_read(folder / "nfd-facts.json"), checked),
        *operator_files(hardware, charts, checked),
        *table_files(hardware, mig, checked),
    )
    for path, content in contents:
        yield path, spelled(path, content)


def vectors(folder: Path) -> str:
    """tests/vectors/mig-mixes.json: the mixes of the MIG tables with their verdicts."""
    return serialise(mixes(_read(folder / "mig-profiles.json")), inline_from=3)


def main(arguments: list[str]) -> int:
    """Write every file; return the exit code."""
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    target = Path(arguments[1]) if len(arguments) == 2 else ROOT / "genvalues" / "data"
    for path, text in files(folder):
        _write(target / path, text)
    if len(arguments) == 1:
        _write(ROOT / "tests" / "vectors" / "mig-mixes.json", vectors(folder))
    return 0


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8", newline="\n")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
