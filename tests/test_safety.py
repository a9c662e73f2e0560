"""A site file may come from a stranger: it ends in findings with a place and a fix, it is quick, and nothing leaves out/.

Through the command line, as a stranger's pull request would come: exit code 1, no traceback, nothing written.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import genvalues
from genvalues.cli.main import run

PACKAGE = str(Path(genvalues.__file__).resolve().parents[1])
Call = Callable[..., tuple[int, str, str]]

SITE = """\
apiVersion: genvalues/v1
kind: Site
name: lab
cluster: {kubernetes: "1.34.2", distribution: kubeadm}
charts: {gpuOperator: v26.7.0}
hardware:
  pools:
  - name: a
    os: {id: ubuntu, version: "24.04"}
    gpu: {model: l40s, count: 4}
driver: {version: "580.173.02"}
"""
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository as the working folder, and beside it what no site may reach."""
    folder = tmp_path / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (tmp_path / "outside.yaml").write_text("apiVersion: genvalues/v1\nkind: Base\n", "utf-8")
    (tmp_path / "ca.pem").write_text(CERTIFICATE, "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return folder


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def called(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return called


def found(call: Call, *arguments: str) -> list[dict[str, Any]]:
    """The findings of `check site.yaml`, which must end in some and in exit code 1."""
    code, out, err = call("check", "site.yaml", "--format", "json", *arguments)
    assert (1, "") == (code, err)
    findings: list[dict[str, Any]] = json.loads(out)["findings"]
    return findings


def write(repository: Path, text: str | bytes) -> None:
    """The site, and what some of the sites below name."""
    (repository / "site.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (repository / "circle.yaml").write_text("apiVersion: genvalues/v1\nkind: Base\n\nextends: [circle.yaml]\n", "utf-8")
    (repository / "link.yaml").symlink_to("../outside.yaml")
    (repository / "key.pem").write_text(CERTIFICATE + "-----BEGIN PRIVATE KEY-----\n", "utf-8")


def bomb(levels: int) -> str:
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


# What the first issue lists, and kin: what the file holds; code, line and column of the finding; a word of its message
# and of its fix. Lines and columns are counted by hand in SITE, whose line 4 is `cluster`, 10 the GPU, 11 the driver.
BAD: dict[str, tuple[str | bytes, str, int, int, str, str]] = {
    "unknown key": (SITE.replace("distribution:", "distributon:"), "GV101", 4, 33, "distributon", "distribution"),
    "wrong type": (SITE.replace("count: 4", "count: four"), "GV103", 10, 31, "whole number", "count: 8"),
    "missing base": (SITE + "extends: [base/none.yaml]\n", "GV020", 12, 11, "no such file", "extends"),
    "circle": (SITE + "extends: [circle.yaml]\n", "GV021", 4, 11, "circle", "remove"),
    "duplicate key": (SITE + "driver: {}\n", "GV005", 12, 1, "driver", "keep one"),
    "tab": (SITE.replace("  pools", "\tpools"), "GV001", 7, 1, "tab", "spaces"),
    "empty": ("", "GV004", 1, 1, "empty", "apiVersion: genvalues/v1"),
    "comments only": ("# nothing\n", "GV004", 1, 1, "empty", "apiVersion: genvalues/v1"),
    "binary": (b"\x7fELF\x00\x01", "GV003", 1, 5, "binary", "YAML"),
    "Latin-1": (SITE.encode() + b"# caf\xe9\n", "GV003", 12, 6, "0xe9", "iconv"),
    "unquoted float": (SITE.replace('"580.173.02"', "580.10"), "GV010", 11, 19, "580.1", 'version: "580.10"'),
    "unquoted word": (SITE.replace("l40s", "on"), "GV011", 10, 18, "on", 'model: "on"'),
    "unquoted octal": (SITE.replace("count: 4", "count: 0302"), "GV010", 10, 31, "194", "count: 302"),
    "typo in a model": (SITE.replace("l40s", "l4os"), "GV200", 10, 18, "l4os", "l40s"),
    "50 levels": (SITE + "accept: " + "[" * 50 + "]" * 50 + "\n", "GV103", 12, 10, "accept", ""),
    "100,000 levels": (SITE + "accept: " + "[" * 100_000, "GV006", 12, 72, "64", "flatten"),
    "alias bomb": (bomb(12) + SITE, "GV007", 5, 0, "alias", "aliases of aliases"),
    "alias in itself": (SITE + "accept: &a [*a]\n", "GV007", 12, 13, "without end", "write out"),
    "megabytes": (SITE + "# " + "x" * (1 << 20), "GV006", 1, 1, "larger", "split"),
    "tag": (SITE + "accept: !!python/object/apply:os.system [id]\n", "GV009", 12, 9, "python/object", "remove the tag"),
    "second document": (SITE + "---\n" + SITE, "GV008", 13, 1, "second document", "file of its own"),
    "not closed": (SITE + 'toolkit: {strategy: "operator}\n', "GV001", 12, 21, "", ""),
    "no mapping": ("- a\n", "GV004", 1, 1, "list", "apiVersion: genvalues/v1"),
    "reserved": (SITE + "teams: []\n", "GV102", 12, 1, "teams", "remove"),
    "name as a path": (SITE.replace("name: lab", "name: ../lab"), "GV105", 3, 7, "../lab", ""),
    "pool as a path": (SITE.replace("name: a", "name: ../a"), "GV105", 8, 11, "../a", ""),
    "base outside": (SITE + "extends: [../outside.yaml]\n", "GV022", 12, 11, "outside", "--allow-outside"),
    "base of the system": (SITE + "extends: [/etc/passwd]\n", "GV022", 12, 11, "outside", "--allow-outside"),
    "base by a link": (SITE + "extends: [link.yaml]\n", "GV022", 12, 11, "outside", "--allow-outside"),
    "base with a NUL": (SITE + 'extends: ["a\\0b"]\n', "GV020", 12, 11, "no file can be called", "path"),
    "base by URL": (SITE + "extends: [https://example.com/base.yaml]\n", "GV020", 12, 11, "nothing is fetched", "repository"),
    "authorities outside": (SITE + "offline: {caBundle: ../ca.pem}\n", "GV025", 12, 21, "outside", "file of the repository"),
    "private key": (SITE + "offline: {caBundle: key.pem}\n", "GV025", 12, 21, "private key", "certificates only"),
    "password": (SITE.replace("kubeadm", 'kubeadm, proxy: {http: "http://u:pw@proxy:3128"}'), "GV590", 4, 70, "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_a_finding(name: str, repository: Path, call: Call) -> None:
    """The finding names file, line and column, says what is wrong, and has a fix; exit 1, nothing on standard error."""
    text, code, line, column, message, fix = BAD[name]
    write(repository, text)

    finding = next(f for f in found(call) if f["code"] == code)

    assert (line, column or finding["column"]) == (finding["line"], finding["column"])
    assert finding["file"] == ("circle.yaml" if name == "circle" else "site.yaml")
    assert message in finding["message"]
    assert finding["fix"]
    assert fix in finding["fix"]


@pytest.mark.parametrize("name", BAD)
def test_bad_input_writes_nothing(name: str, repository: Path, call: Call) -> None:
    """render says the same as check, at once, and leaves the folder as it was."""
    text, code, *_ = BAD[name]
    write(repository, text)
    (repository / "out").mkdir()
    started = time.process_time()

    exit_code, out, err = call("render", "site.yaml")

    assert (1, "") == (exit_code, err)
    assert f"error {code}: " in out
    assert "Traceback" not in out
    assert [] == list((repository / "out").iterdir())
    assert time.process_time() - started < 10  # not how fast it is, but that it ends: 100,000 brackets once took 27 s


def test_site_is_clean_without_a_fault(repository: Path, call: Call) -> None:
    """Every fault above is that of the line that was changed."""
    (repository / "site.yaml").write_text(SITE, "utf-8")

    code, out, err = call("check", "site.yaml", "--format", "json", "--today", "2026-11-30")

    assert (0, "") == (code, err)
    assert [] == json.loads(out)["findings"]


@pytest.mark.parametrize("name", ["../x.list", "a/b.list", "/etc/x.list", "..", ".", "x\ny.list", "-x.list"])
def test_package_files_stay_in_their_folder(name: str, repository: Path, call: Call) -> None:
    """Names of package files become names in host/: one that is a path, or an option, is refused."""
    packages = json.dumps({"ubuntu24.04": {name: "deb https://mirror.example.internal/ubuntu noble main"}})
    (repository / "site.yaml").write_text(
        SITE.replace('"580.173.02"', '"580.173.02", strategy: host') + f"offline: {{packages: {packages}}}\n", "utf-8"
    )

    assert "GV575" in {finding["code"] for finding in found(call)}


@pytest.mark.parametrize("where", ["out", "out/lab", "out/lab/manifests"])
def test_nothing_is_written_through_a_link(where: str, repository: Path, tmp_path: Path, call: Call) -> None:
    """A link in place of a folder of ours would lead elsewhere: said with its path and what to do, and nothing written."""
    (repository / "site.yaml").write_text(SITE, "utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = repository / where
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)

    code, _, err = call("render", "site.yaml", "--today", "2026-11-30")

    assert code == 2
    assert f"{where} is a symbolic link" in err
    assert "; remove it" in err or "; move it: mv " in err
    assert [] == list(elsewhere.iterdir())


def test_output_of_a_stranger_gives_no_orders_to_a_terminal(repository: Path, call: Call) -> None:
    """Escape sequences in keys and values come out as text."""
    (repository / "site.yaml").write_text(SITE + '"\\e[31mred": "\\e]0;title\\a"\n', "utf-8")

    _, out, _ = call("check", "site.yaml")

    assert "\x1b" not in out
    assert "\\x1b[31mred" in out


def test_password_is_not_repeated(repository: Path, call: Call) -> None:
    """What a finding says of a credential, it says without it; only the site's own line is shown."""
    text = SITE.replace("kubeadm", 'kubeadm, proxy: {http: "http://user:s3cret@proxy:3128"}')
    (repository / "site.yaml").write_text(text, "utf-8")

    assert not [f for f in found(call) if "s3cret" in f["message"] + f["fix"]]


def test_site_cannot_be_read_twice_by_names(repository: Path, call: Call) -> None:
    """Two sites of one name would share a folder: nothing is written for either."""
    (repository / "a.yaml").write_text(SITE, "utf-8")
    (repository / "b.yaml").write_text(SITE, "utf-8")

    code, _, err = call("render", "a.yaml", "b.yaml", "--today", "2026-11-30")

    assert code == 2
    assert "share a folder" in err
    assert not os.path.exists(repository / "out")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_fits_any_terminal(encoding: str, repository: Path) -> None:
    """What a terminal's encoding has not comes out as an escape, and is no fault of ours."""
    (repository / "site.yaml").write_text(SITE + "名: é\n", "utf-8")
    program = "import sys; from genvalues.cli.main import main; sys.argv[0] = 'genvalues'; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "site.yaml"],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": PACKAGE},
        capture_output=True,
        check=False,
    )

    assert (1, b"") == (done.returncode, done.stderr)
    assert b"error GV101: unknown key" in done.stdout
