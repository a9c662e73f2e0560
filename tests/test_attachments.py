"""Files that a site names: read beside the file that names them, and refused where they cannot be what they should."""

import os
from pathlib import Path

import pytest

from genvalues import attachments, extends

SITE = """\
apiVersion: genvalues/v1
kind: Site
name: x
extends: [base/offline.yaml]
"""
BASE = """\
apiVersion: genvalues/v1
kind: Base
offline: {caBundle: pki/ca.pem}
"""
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site over a base that names pki/ca.pem."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "base" / "pki").mkdir(parents=True)
    (tmp_path / "site.yaml").write_text(SITE, "utf-8")
    (tmp_path / "base" / "offline.yaml").write_text(BASE, "utf-8")
    return tmp_path


def attached(site: Path) -> attachments.Attached:
    loaded = extends.load(str(site / "site.yaml"))
    assert loaded.tree is not None
    return attachments.read(loaded.tree, loaded.root)


def test_bundle_is_read_beside_the_file_that_names_it(site: Path) -> None:
    """A base's path is relative to the base; the text ends in a newline."""
    (site / "base" / "pki" / "ca.pem").write_text(PEM, "ascii")

    assert (PEM + "\n", ()) == attached(site)


def test_no_bundle_is_no_fault(site: Path) -> None:
    """A site need not name one."""
    (site / "base" / "offline.yaml").write_text(BASE.replace("offline: {caBundle: pki/ca.pem}\n", ""), "utf-8")

    assert (None, ()) == attached(site)


FAULTS = {
    "missing": (None, "cannot read"),
    "der": (b"\x30\x82\x01\x0a", "is binary"),
    "not pem": (b"hello\n", "holds no certificate in PEM form"),
    "key": (PEM.encode() + b"\n-----BEGIN PRIVATE KEY-----\n", "holds a private key"),
    "cut short": (PEM.encode()[:40], "is cut short or damaged"),
    "one of two cut short": (PEM.encode() + b"\n" + PEM.encode()[:40], "is cut short or damaged"),
    "damaged": (PEM.replace("MIIB", "MI IB").encode(), "is cut short or damaged"),
    "with escapes": (b"\x1b[31m\n" + PEM.encode(), "is cut short or damaged"),
    "more than a ConfigMap holds": (b"#" * 2**20 + PEM.encode(), "is larger than 1048576 bytes"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_unusable_bundle_is_a_finding_at_its_line(site: Path, name: str) -> None:
    """GV025 at the line of the base, with words of its own for each fault."""
    content, words = FAULTS[name]
    if content is not None:
        (site / "base" / "pki" / "ca.pem").write_bytes(content)

    text, (finding,) = attached(site)

    assert text is None
    assert (finding.code, finding.place.line) == ("GV025", 3)
    assert words in finding.message
    assert finding.fix


def test_bundle_outside_of_the_repository_is_refused(site: Path) -> None:
    """A site of a stranger reads no file of the machine."""
    (site / "base" / "offline.yaml").write_text(BASE.replace("pki/ca.pem", "../../../../etc/ssl/cert.pem"), "utf-8")

    _, (finding,) = attached(site)

    assert "lies outside of the repository" in finding.message


def test_bundle_with_line_ends_of_windows_and_comments(site: Path) -> None:
    """What openssl and update-ca-certificates take is taken."""
    text = f"# our CA\r\n{PEM}\r\n{PEM}".replace("\nMIIB\n", "\r\nMIIB\r\n")
    (site / "base" / "pki" / "ca.pem").write_bytes(text.encode())

    assert (text + "\n", ()) == attached(site)


def test_pipe_is_no_bundle(site: Path) -> None:
    """Reading it might never end."""
    os.mkfifo(site / "base" / "pki" / "ca.pem")

    text, (finding,) = attached(site)

    assert (text, finding.code) == (None, "GV025")
    assert "is no regular file" in finding.message
