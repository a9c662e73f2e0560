"""Files that a site names and that go into the rendering: the certificate authorities of its mirrors."""

import os.path
import re
from collections.abc import Callable

from genvalues import extends
from genvalues.finding import Finding, Hit, Route, exists
from genvalues.place import Tree, place
from genvalues.record import NamedTuple
from genvalues.source import MAX_BYTES
from genvalues.wording import shown

CODE = "GV025"
_CA: Route = ("offline", "caBundle")
_BEGIN, _END, _KEY = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----", "PRIVATE KEY-----"


class Attached(NamedTuple):
    """What was read; None where the site names no such file, or it cannot be used."""

    ca_text: str | None
    findings: tuple[Finding, ...] = ()


def read(tree: Tree, root: str, opened: Callable[[str], bytes] = extends.read_raw) -> Attached:
    """Read the files that `tree` names, each relative to the file that names it; none may lie outside `root`."""
    if not exists(tree.data, _CA):
        return Attached(None)
    named = tree.data["offline"]["caBundle"]
    path = os.path.join(os.path.dirname(tree.at(_CA).file), named)
    fault = None
    text = ""
    try:
        if extends.is_inside(path, root):
            fault, text = _text(path, named, opened)
        else:
            fault = Hit(_CA, f"{named} lies outside of the repository", "name a file of the repository")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        fault = Hit(_CA, f"cannot read {path}: {reason}", "name a PEM file, relative to this one")
    except ValueError:  # a NUL, or what the file system's encoding has not
        fault = Hit(_CA, f"no file can be called {shown(named)}", "name a PEM file, relative to this one")
    fault = fault or _judge(named, text)
    return (
        Attached(None, (place(fault, CODE, "error", tree),))
        if fault
        else Attached(text if text.endswith("\n") else text + "\n")
    )


def _text(path: str, named: str, opened: Callable[[str], bytes]) -> tuple[Hit | None, str]:
    """The text of a file, or why it is not taken."""
    if extends.is_special(path):
        return Hit(_CA, f"{named} is no regular file", "name a PEM file, relative to this one"), ""
    raw = opened(path)
    if len(raw) > MAX_BYTES:
        fix = "name a file with the authorities of the mirrors only"
        return Hit(_CA, f"{named} is larger than {MAX_BYTES} bytes, which is all that a ConfigMap holds", fix), ""
    try:
        return None, raw.decode("ascii")
    except UnicodeDecodeError:
        return Hit(_CA, f"{named} is binary; certificate authorities are read as PEM", _convert(named)), ""


def _judge(named: str, text: str) -> Hit | None:
    if _KEY in text:
        return Hit(
            _CA, f"{named} holds a private key, which would end up in a ConfigMap", "name a file with certificates only"
        )
    if _BEGIN not in text:
        return Hit(_CA, f"{named} holds no certificate in PEM form", _convert(named))
    whole = re.findall(rf"{_BEGIN}\r?\n[A-Za-z0-9+/=\r\n]+{_END}", text)
    if len(whole) != text.count(_BEGIN) or re.search(r"[^\t\r\n -~]", text):
        return Hit(_CA, f"a certificate in {named} is cut short or damaged", "export the certificates again, as PEM")
    return None


def _convert(named: str) -> str:
    return f"openssl x509 -inform der -in {named} -out ca.pem"
