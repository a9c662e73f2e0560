"""libyaml's event parser, as ruamel.yaml.clib wraps it, without the rest of ruamel.yaml.

The C module takes its event, token and node classes from ruamel.yaml, and the names of eight exceptions. Importing those
the usual way runs the package's `__init__` and with it every loader and dumper: 50 ms, where the parser alone takes 9
(Python 3.11, two cores). So empty stand-ins take the place of the eight modules for the moment of the import, and are
gone afterwards: whoever imports ruamel.yaml later gets the real one, with the classes that the C module makes. Should
the C module ask for anything else one day, the import is done the usual way.
"""

import os.path
import re
import sys
from types import ModuleType
from typing import Any

_PACKAGE = "ruamel.yaml"
_EXTENSION = "_ruamel_yaml"
_STAND_INS = {
    "reader": "ReaderError",
    "scanner": "ScannerError",
    "parser": "ParserError",
    "composer": "ComposerError",
    "constructor": "ConstructorError",
    "emitter": "EmitterError",
    "serializer": "SerializerError",
    "representer": "RepresenterError",
}


def _load() -> Any:
    folder = _folder()
    if folder is None or _PACKAGE in sys.modules or _EXTENSION in sys.modules:
        return __import__(_EXTENSION)
    package = ModuleType(_PACKAGE)
    package.__path__ = [folder]
    sys.modules[_PACKAGE] = package
    for name, error in _STAND_INS.items():
        stand_in = ModuleType(f"{_PACKAGE}.{name}")
        setattr(stand_in, error, type(error, (Exception,), {}))
        sys.modules[stand_in.__name__] = stand_in
    try:
        return __import__(_EXTENSION)
    except (ImportError, AttributeError):
        sys.modules.pop(_EXTENSION, None)
    finally:
        for name in (_PACKAGE, *(f"{_PACKAGE}.{name}" for name in _STAND_INS)):
            sys.modules.pop(name, None)
    return __import__(_EXTENSION)


def _folder() -> str | None:
    """The folder of ruamel.yaml; `ruamel` is a namespace, so it may be spread over several."""
    folders = [os.path.join(path, "yaml") for path in __import__("ruamel").__path__]
    return next((folder for folder in folders if os.path.isfile(os.path.join(folder, "events.py"))), None)


_library = _load()

Parser = _library.CParser
"""Parser(text): `check_event()` whether there is another event, `get_event()` the next; marks count code points."""

Scalar = _library.ScalarEvent
Alias = _library.AliasEvent
MappingStart = _library.MappingStartEvent
MappingEnd = _library.MappingEndEvent
SequenceStart = _library.SequenceStartEvent
SequenceEnd = _library.SequenceEndEvent
DocumentStart = _library.DocumentStartEvent

SyntaxErrors: tuple[type[Exception], ...] = (_library.ScannerError, _library.ParserError)
"""Raised with the arguments context, mark of the context, problem, mark of the problem; the first two may be None."""

CharacterErrors: tuple[type[Exception], ...] = (_library.ReaderError, UnicodeEncodeError)
"""Raised where a character is none that YAML allows."""

_REFUSED = ("found unexpected ':'", "did not find expected ',' or '}'", "did not find expected ',' or ']'")
_MARKS = {":": "\ue000", "?": "\ue001"}
_INSIDE = r"(?<=[^\s\"'\[\]{},]):(?=\S)|(?<=[^\s,\[\]{}])\?(?=\S)"


def masked(text: str, error: Exception) -> str | None:
    """The text for a second try, where it is only this libyaml that does not take it; None where that is of no use.

    In flow collections it refuses `:` and `?` inside plain scalars (`{url: https://host/path, image: a:1}`), which Go's
    reader, so Helm and kubectl, and YAML 1.2 allow. Such signs are hidden behind private ones, so that no offset moves;
    `unmasked` brings them back.
    """
    problem = error.args[2] if len(error.args) > 2 else None
    if problem not in _REFUSED or any(mark in text for mark in _MARKS.values()):
        return None
    hidden = re.sub(_INSIDE, lambda match: _MARKS[match[0]], text)
    return None if hidden == text else hidden


def unmasked(event: Any) -> Any:
    """The same event with the signs that `masked` hid."""
    if type(event) is Scalar:
        for sign, mark in _MARKS.items():
            event.value = event.value.replace(mark, sign)
    return event
