"""Versions as tuples of ints, so that they compare; None for what is no version.

`packaging` would turn 580.95.05 into 580.95.5, which is not what NVIDIA publishes, and costs 10 ms to import.
"""

import re
from functools import lru_cache

Parsed = tuple[int, ...]

# fullmatch below; ASCII digits only, for int() and \d would take other scripts' digits as well. Nine digits are enough
# for any version and keep a hostile text from costing time.
_NUMBERS = r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}"
_CHART = r"v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})(?:[-+][0-9A-Za-z.+-]*)?"
_EXPORTER = r"([0-9]{1,9}(?:\.[0-9]{1,9}){2})-([0-9]{1,9}(?:\.[0-9]{1,9}){2})(?:-[0-9A-Za-z.]+)?"


@lru_cache(maxsize=1024)
def numbers(text: str) -> Parsed | None:
    """(1, 34, 2) for "1.34.2": digits and dots only, one to six parts."""
    if re.fullmatch(_NUMBERS, text) is None:
        return None
    return tuple(int(part) for part in text.split("."))


def driver(text: str) -> Parsed | None:
    """(580, 95, 5) for the driver "580.95.05"; (580,) for a branch."""
    return numbers(text)


def branch(text: str) -> str | None:
    """The branch of a driver version: "580" for "580.95.05" and for "580"."""
    parsed = numbers(text)
    return None if parsed is None else str(parsed[0])


def is_branch(text: str) -> bool:
    """Whether the text names a branch ("580") and no release of it."""
    parsed = numbers(text)
    return parsed is not None and len(parsed) == 1


def chart(text: str) -> Parsed | None:
    """(25, 10, 1) for the chart "v25.10.1" or "25.10.1"; a pre-release or build suffix is left out."""
    matched = re.fullmatch(_CHART, text)
    return None if matched is None else numbers(matched.group(1))


def minor(text: str) -> str | None:
    """The minor release of a chart or of Kubernetes: "25.10" for "v25.10.1"."""
    parsed = chart(text)
    return None if parsed is None or len(parsed) < 2 else f"{parsed[0]}.{parsed[1]}"


def exporter(text: str) -> tuple[Parsed, Parsed] | None:
    """((4, 7, 0), (4, 4, 2)) for the DCGM exporter tag "4.4.2-4.7.0-distroless": its own version, then DCGM's.

    Upstream writes DCGM first, but releases follow each other by the second number.
    """
    matched = re.fullmatch(_EXPORTER, text)
    if matched is None:
        return None
    dcgm, own = numbers(matched.group(1)), numbers(matched.group(2))
    return None if dcgm is None or own is None else (own, dcgm)


def same_or_newer(text: str, than: str) -> bool | None:
    """Whether a driver or chart version is `than` or newer; None where either is no version.

    Missing parts count as 0, so "580" is older than "580.95.05", and "v" and suffixes do not matter.
    """
    left, right = chart(text), chart(than)
    if left is None or right is None:
        return None
    length = max(len(left), len(right))
    return left + (0,) * (length - len(left)) >= right + (0,) * (length - len(right))
