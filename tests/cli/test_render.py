"""render: all or nothing, and nothing that is not ours is touched."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    return {os.path.relpath(path, folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_render_says_what_it_wrote(repository: Path, genvalues: Run) -> None:
    """The summary names the folder and how many files came."""
    code, out, _ = genvalues("render", "site.yaml")

    assert code == 0
    assert f"out/lab: {len(content(repository / 'out' / 'lab'))} created" in out


def test_layout_is_the_agreed_one(repository: Path, genvalues: Run) -> None:
    """GitOps repositories point at these paths (design, section 3)."""
    genvalues("render", "site.yaml")

    expected = {
        "README.md", "genvalues.index.json", "gpu-operator/values.yaml", "node-feature-discovery/values.yaml",
        "node-feature-discovery/namespace.yaml", "manifests/kustomization.yaml", "manifests/namespace.yaml",
        "manifests/node-feature-rules.yaml", "manifests/device-plugin-config.yaml", "manifests/mig-parted-config.yaml",
        "verify/a.yaml", "verify/b.yaml",
    }  # fmt: skip

    assert expected == set(content(repository / "out" / "lab"))


def test_rendering_again_changes_nothing(repository: Path, genvalues: Run) -> None:
    """The same site gives the same bytes, and an equal file is not written again."""
    genvalues("render", "site.yaml")
    values = repository / "out/lab/gpu-operator/values.yaml"
    before, time = content(repository / "out"), values.stat().st_mtime_ns

    _, out, _ = genvalues("render", "site.yaml")

    assert before == content(repository / "out")
    assert time == values.stat().st_mtime_ns
    assert "out/lab: nothing to change" in out


def test_order_of_pools_changes_no_names(repository: Path, genvalues: Run) -> None:
    """Files are named after what they are, not after where it stands."""
    genvalues("render", "site.yaml")
    before = set(content(repository / "out"))
    text = (repository / "site.yaml").read_text("utf-8")
    head, first, second = (
        text.partition("  - name: a\n")[0],
        text[text.index("  - name: a\n") : text.index("  - name: b\n")],
        "",
    )
    second = text[text.index("  - name: b\n") : text.index("sharing:\n  configs")]
    rest = text[text.index("sharing:\n  configs") :]
    (repository / "site.yaml").write_text(head + second + first + rest, "utf-8")

    code, _, _ = genvalues("render", "site.yaml")

    assert code == 0
    assert before == set(content(repository / "out"))


def test_error_leaves_the_folder_as_it_was(repository: Path, genvalues: Run) -> None:
    """A finding of severity error writes nothing, byte for byte."""
    genvalues("render", "site.yaml")
    before = content(repository / "out")
    text = (repository / "site.yaml").read_text("utf-8")
    (repository / "site.yaml").write_text(text.replace("sharing: turns", "sharing: turn"), "utf-8")

    code, out, _ = genvalues("render", "site.yaml")

    assert code == 1
    assert "error GV3" in out
    assert before == content(repository / "out")


def test_error_in_one_site_stops_the_whole_run(repository: Path, genvalues: Run) -> None:
    """Several sites are rendered together or not at all."""
    (repository / "bad.yaml").write_text("apiVersion: genvalues/v1\nkind: Site\nname: bad\n", "utf-8")

    code, _, _ = genvalues("render", "site.yaml", "bad.yaml")

    assert code == 1
    assert not (repository / "out").exists()


def test_removed_sharing_configs_take_their_files_and_nothing_else(repository: Path, genvalues: Run) -> None:
    """What is no longer rendered goes; what others put there stays."""
    genvalues("render", "site.yaml")
    (repository / "out/lab/manifests/mine.yaml").write_text("kind: ConfigMap\n", "utf-8")
    before = set(content(repository / "out/lab"))
    text = (repository / "site.yaml").read_text("utf-8")
    text = (
        text[: text.index("sharing:\n  configs")]
        .replace("    sharing: slices\n", "")
        .replace("    sharing: turns\n", "")
    )
    (repository / "site.yaml").write_text(text, "utf-8")

    code, _, _ = genvalues("render", "site.yaml")

    gone = {"manifests/device-plugin-config.yaml", "manifests/mig-parted-config.yaml"}
    assert code == 0
    assert before - gone == set(content(repository / "out/lab"))


def test_check_finds_every_kind_of_drift(repository: Path, genvalues: Run) -> None:
    """Missing, changed, stale and edited by hand have a code each; nothing is written."""
    genvalues("render", "site.yaml")
    folder = repository / "out/lab"
    (folder / "verify/a.yaml").unlink()
    (folder / "manifests/namespace.yaml").write_text("edited: true\n", "utf-8")
    text = (repository / "site.yaml").read_text("utf-8")
    (repository / "site.yaml").write_text(
        text.replace("replicas: 4", "replicas: 5").replace("name: a\n", "name: c\n"), "utf-8"
    )
    before = content(repository)

    code, out, _ = genvalues("render", "--check", "site.yaml", "--format", "json")

    found = {(f["code"], f["file"]) for f in json.loads(out)["findings"] if f["code"].startswith("GV94")}
    assert code == 1
    assert ("GV940", "out/lab/verify/c.yaml") in found
    assert ("GV941", "out/lab/manifests/device-plugin-config.yaml") in found
    assert ("GV943", "out/lab/manifests/namespace.yaml") in found
    assert before == content(repository)


def test_clean_check_is_silent(repository: Path, genvalues: Run) -> None:
    """Straight after a render there is no drift."""
    genvalues("render", "site.yaml")

    assert genvalues("render", "--check", "site.yaml")[0] == 0


def test_stdout_writes_nothing(repository: Path, genvalues: Run) -> None:
    """--stdout prints the files, --only a part of them."""
    code, out, _ = genvalues("render", "--stdout", "--only", "manifests/namespace", "site.yaml")

    assert code == 0
    assert out.startswith("# --- lab/manifests/namespace.yaml\n# Generated by genvalues from site.yaml")
    assert not (repository / "out").exists()


def test_two_sites_of_one_name_are_refused(repository: Path, genvalues: Run) -> None:
    """They would overwrite each other."""
    (repository / "other.yaml").write_text((repository / "site.yaml").read_text("utf-8"), "utf-8")

    code, _, err = genvalues("render", "site.yaml", "other.yaml")

    assert code == 2
    assert "site.yaml and other.yaml are both called lab" in err


@pytest.mark.parametrize(
    "arguments", [("render",), ("render", "--only", "x", "site.yaml"), ("nonsense",), ("render", "--nope")]
)
def test_wrong_use_is_exit_2(repository: Path, genvalues: Run, arguments: tuple[str, ...]) -> None:
    """A wrong command line is told apart from findings."""
    assert genvalues(*arguments)[0] == 2
    assert not (repository / "out").exists()


def test_folder_that_cannot_be_written_says_what_to_do(repository: Path, genvalues: Run) -> None:
    """A link in the way is no fault of the options: what it is, and a way out, without the list of options."""
    (repository / "real").mkdir()
    (repository / "out").symlink_to("real")

    code, _, err = genvalues("render", "site.yaml")

    way_out = f"remove it, or name the folder itself: -o {repository / 'real'}"
    assert (code, err) == (2, f"Error: cannot write out/lab: out is a symbolic link; {way_out}\n")


def test_disk_that_refuses_is_named(repository: Path, genvalues: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operating system's own words, and the file that they are about."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "out/lab/README.md")

    monkeypatch.setattr("genvalues.tree.write", full)
    code, _, err = genvalues("render", "site.yaml")

    assert (code, err) == (2, "Error: cannot write out/lab: no space left on device: out/lab/README.md\n")
