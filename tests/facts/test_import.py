"""The programs that make fact files: from the reference's tables they make what is committed."""

import json
from pathlib import Path

import facts_components
import facts_import

from genvalues import paths

DATA = Path(paths.data())
BY_HAND = {"distributions.json", "operating-systems.json", "host-packages.json", "dcgm/presets.json"}


def test_committed_files_are_what_the_tables_give(reference: Path) -> None:
    """Byte for byte; a file that no table gives is one of those kept by hand."""
    made = dict(facts_import.files(reference))
    committed = {
        str(path.relative_to(DATA)): path.read_text(encoding="utf-8")
        for path in DATA.rglob("*.json")
        if path.relative_to(DATA).parts[0] not in ("schemas", "contracts")
    }

    assert committed.keys() - made.keys() == BY_HAND
    assert [path for path, text in made.items() if committed.get(path) != text] == []


def test_committed_mixes_are_those_of_the_tables(reference: Path) -> None:
    """The vectors of MIG mixes as well."""
    committed = Path(__file__).parents[1] / "vectors" / "mig-mixes.json"

    assert facts_import.vectors(reference) == committed.read_text(encoding="utf-8")


def test_files_are_written_where_asked(reference: Path, tmp_path: Path) -> None:
    """With a second argument nothing in the checkout is touched; without one argument at all it says how to call it."""
    assert facts_import.main([str(reference), str(tmp_path)]) == 0
    assert facts_import.main([]) == 2
    assert (DATA / "cuda.json").read_bytes() == (tmp_path / "cuda.json").read_bytes()


def test_component_versions_agree_with_the_reference(reference: Path) -> None:
    """What the program read from the charts at their tags is what the hardware table says of the five it describes."""
    charts = json.loads(Path(facts_components.__file__).with_name("facts_components.json").read_text(encoding="utf-8"))
    releases = json.loads((reference / "hardware.json").read_text(encoding="utf-8"))["gpu_operator"][
        "releases"
    ].values()

    assert set(facts_components.TAGS) == charts.keys()
    assert [
        (release["patch_read"], name, chart, table)
        for release in releases
        for name, table in release["components"].items()
        if (chart := charts[release["patch_read"]]["driver" if name == "driver_default" else name])
        != table.split(" ")[0]
    ] == []
