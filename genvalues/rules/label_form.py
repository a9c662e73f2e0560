"""Judgements on keys and values as the API server takes them: of labels, annotations and extended resources.

Source: k8s.io/apimachinery pkg/util/validation, IsQualifiedName and IsValidLabelValue.
"""

import re

LONGEST_NAME = 63
LONGEST_PREFIX = 253

_VALUE = r"(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?"
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?"
_PREFIX = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*"
_OTHER = r"[^A-Za-z0-9_.-]+"


def split(key: str) -> tuple[str, str]:
    """Namespace (the part before the slash, "" where there is none) and name of a key."""
    prefix, slash, name = key.partition("/")
    return (prefix, name) if slash else ("", key)


def key_fault(key: str) -> str | None:
    """Why the API server refuses a key, as the end of a sentence; None where it does not."""
    prefix, name = split(key)
    if "/" in name:
        return "a key has one '/' at most"
    if "/" in key and not (len(prefix) <= LONGEST_PREFIX and re.fullmatch(_PREFIX, prefix)):
        return f"what stands before the '/' is a DNS name in lower case, of up to {LONGEST_PREFIX} characters"
    if len(name) > LONGEST_NAME:
        return f"the name has {len(name)} characters, and may have {LONGEST_NAME}"
    if re.fullmatch(_NAME, name) is None:
        return "the name consists of letters, digits, '-', '_' and '.', and begins and ends with a letter or digit"
    return None


def value_fault(value: str) -> str | None:
    """Why the API server refuses the value of a label, as the end of a sentence; None where it does not."""
    if len(value) > LONGEST_NAME:
        return f"it has {len(value)} characters, and may have {LONGEST_NAME}"
    if re.fullmatch(_VALUE, value) is None:
        return "a value consists of letters, digits, '-', '_' and '.', and begins and ends with a letter or digit"
    return None


def tidied(text: str) -> str:
    """A text as near to the given one as a label's value or a key's name may be."""
    return re.sub(_OTHER, "-", text).strip("-_.")[:LONGEST_NAME].strip("-_.") or "x"


def tidied_key(key: str) -> str:
    """A key as near to the given one as it may be."""
    *prefixes, name = key.split("/")
    if not prefixes:
        return tidied(name)
    labels = [re.sub(r"[^a-z0-9-]+", "-", part).strip("-") for part in "-".join(prefixes).lower().split(".")]
    prefix = ".".join(filter(None, labels))[:LONGEST_PREFIX].strip("-.") or "example.internal"
    return f"{prefix}/{tidied(name)}"
