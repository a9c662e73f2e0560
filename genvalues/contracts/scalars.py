"""Scalars as a chart's templates see and print them. How a text becomes a value is `genvalues.scalar`'s business."""

from genvalues.finding import Json
from genvalues.scalar import Misread, resolve

_MARKS = frozenset("'\"|>!&*")


def typed(value: Json, raw: str | None) -> Json:
    """A scalar as Helm reads it: `value` is a reader's view, `raw` the text as typed with its quotes, where known."""
    if raw is None or isinstance(value, (dict, list)) or raw[:1] in _MARKS:
        return value
    return printed_back(raw.strip())


def printed_back(text: str) -> Json:
    """What Helm reads where `text` stands without quotes: a template that prints a string bare may make a number of it."""
    value = resolve(text)
    return value.value if isinstance(value, Misread) else value


def show(value: Json) -> str:
    """A scalar as a template prints it. Helm has numbers as float64, so that 1000000 comes out as 1e+06."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _shortest(float(value))
    return str(value)


def _shortest(number: float) -> str:
    """Go's %v (strconv, format g): the fewest digits that read back, with an exponent below -4 and from 6 on."""
    for precision in range(18):
        text = f"{number:.{precision}e}"
        if float(text) == number:
            break
    mantissa, _, exponent = text.partition("e")
    power = int(exponent)
    if power < -4 or power >= 6:
        return f"{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"
    digits = len(mantissa.replace(".", "").replace("-", ""))
    return f"{number:.{max(digits - 1 - power, 0)}f}"
