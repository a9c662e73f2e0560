"""What a contract says about one values path, as immutable tuples."""

from collections.abc import Mapping
from typing import Literal

from genvalues.finding import Json, Route
from genvalues.record import NamedTuple

Read = Literal["yes", "passthrough", "container", "never", "broken"]
"""How a chart version treats a path.

yes: a template reads it by name. passthrough: it lies below a block that goes out whole (toYaml). container: only its
children are read. never: no template reads it, though values.yaml ships it. broken: read, but to no good (a template
that tests one key and prints another).
"""


class Condition(NamedTuple):
    """One test on another value: `path` is set or unset as Go's `if` has it, or equals `value` (is, not).

    op "open" is a test that values alone do not answer (what the API server offers): it counts as met.
    """

    path: Route
    op: Literal["set", "unset", "is", "not", "open"]
    value: Json = None


class Gate(NamedTuple):
    """Conditions for a key to act: all of at least one alternative. `by` is who tests them; `why` and `source` say more."""

    any_of: tuple[tuple[Condition, ...], ...]
    by: Literal["chart", "operator"] = "chart"
    why: str = ""
    source: str = ""


class Replaced(NamedTuple):
    """What took over from a key: the path to write instead (None: nothing), and how values translate (None: as they are)."""

    path: str | None
    values: tuple[tuple[Json, Json], ...] | None = None
    note: str = ""


class Entry(NamedTuple):
    r"""One values path of one chart version.

    `path` is a pattern: `[]` for any list item, `.*` for any key of a map, `\.` for a dot inside a key. `type` is one
    of boolean, string, integer, number, int-or-string, quantity, scalar, object, array, any. `items` is the type of list
    items where they are scalars. All of `when` must hold for the key to act. `modes` are those of the operator
    in which it can act (empty: the chart has no modes). `targets` are "Kind:field.path" places that it is rendered to.
    `since` and `until` are the first and last chart versions that read it (None: before the first, after the last one
    that we know). `documented`: whether values.yaml ships it, or the CRD describes it below a block that goes out whole.
    """

    path: str
    read: Read
    type: str
    default: Json = None
    enum: tuple[Json, ...] = ()
    pattern: str | None = None
    items: str | None = None
    when: tuple[Gate, ...] = ()
    modes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    note: str = ""
    since: str | None = None
    until: str | None = None
    documented: bool = True


class Image(NamedTuple):
    """One image that a chart names in its values.

    `component` is its block. `repository` is registry and path; it holds the name too where `image` is "". `tag` is
    what the chart installs: None where the user must say it, without the OS suffix that the operator appends where
    `os_suffix` is true. `values` maps repository, image, version, imagePullPolicy, imagePullSecrets (or `reference`, a
    whole reference) to the paths that set them. `enabled_by` is the path that switches the component on, None: always.
    """

    component: str
    repository: str
    image: str
    tag: str | None
    values: Mapping[str, str]
    enabled_by: str | None
    os_suffix: bool
    note: str
