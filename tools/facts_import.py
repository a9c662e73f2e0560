"""Write genvalues/data from a folder with the reference tables.

    python tools/facts_import.py FOLDER [DATA]

FOLDER holds hardware.json, mig-profiles.json, dcgm-fields.json and nfd-facts.json. Deterministic: the same tables give
the same bytes. Files under data/ that no table produces any more are named, not removed.
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
from facts_text import serialise


def files(folder: Path) -> Iterator[tuple[str, str]]:
    """(path under data/, text) for every fact file."""
    hardware = _read(folder / "hardware.json")
    mig = _read(folder / "mig-profiles.json")
    checked = hardware["generated"]
    charts = _read(Path(__file__).with_name("facts_components.json"))
    plain = (
        *gpu_files(hardware, mig, checked),
        *nfd_files(_read(folder / "nfd-facts.json"), checked),
        *operator_files(hardware, charts, checked),
        *table_files(hardware, mig, checked),
    )
    for path, content in plain:
        yield path, serialise(content)
    split = (*mig_files(mig, checked), *dcgm_files(_read(folder / "dcgm-fields.json"), checked))
    for path, content, inline_from in split:
        yield path, serialise(content, inline_from=inline_from)
    yield "../../tests/vectors/mig-mixes.json", serialise(mixes(mig), inline_from=3)


def main(arguments: list[str]) -> int:
    """Write every file; return the exit code."""
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    target = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).parents[1] / "genvalues" / "data"
    for path, text in files(Path(arguments[0])):
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
    return 0


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
