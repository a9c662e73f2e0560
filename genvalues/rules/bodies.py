"""Bodies that are no API objects against the schemas in schemas/bodies: what their readers refuse.

Where a rule of its own has better words for a fault, it speaks and this one does not: `_spoken_for`.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from genvalues.document import Kind
from genvalues.facts import Facts
from genvalues.finding import Hit, Json, node_at
from genvalues.rules.mig_parted import PROFILE
from genvalues.rules.rule import Body, Rule
from genvalues.rules.sharing_files import wrong_devices
from genvalues.structure import Problem, matches, problems, schema
from genvalues.wording import key, shown

_SCHEMAS: Mapping[Kind, str] = {
    "device-plugin": "device-plugin",
    "mig-parted": "mig-parted",
    "scheduler": "kube-scheduler-configuration",
    "kubespray": "kubespray-scheduler",
}


def _refused(body: Body, _: Facts) -> Iterator[Hit]:
    if body.kind == "device-plugin" and body.data is None:
        return  # an empty config shares nothing, and is fine
    for problem in problems(body.data, _SCHEMAS[body.kind], any_case=body.kind == "device-plugin"):
        spoken_for = _SPOKEN_FOR.get(body.kind)
        if spoken_for is None or not spoken_for(problem, body.data):
            fix = _respelt(problem, body.data) if body.kind == "mig-parted" else None
            yield Hit(problem.route, problem.message, fix or problem.fix, at=problem.at)


def _respelt(problem: Problem, data: Json) -> str | None:
    """The MIG profile that a name of another spelling means: 1g.10gb+me for nvidia.com/mig-1g.10gb.me or 1G.10GB+ME."""
    if problem.keyword != "additionalProperties" or "mig-devices" not in problem.route:
        return None
    name = str(problem.route[-1]).strip().lower().removeprefix("nvidia.com/").removeprefix("mig-").removeprefix("all-")
    spelt = re.sub(r"gb\.(?=[a-z])", "gb+", name)
    return f"{key(spelt)}: {shown(node_at(data, problem.route))}" if re.fullmatch(PROFILE, spelt) else None


def _of_device_plugin(problem: Problem, data: Json) -> bool:
    """GV303 (both ways), GV320 (dropped keys); and what its parser takes as it is meant: null, no version, no prefix."""
    route, value = problem.route, node_at(data, problem.route)
    if problem.keyword == "additionalProperties":
        return not wrong_devices(data, route)
    if problem.keyword == "type" and value is None:
        return route[-1] != "timeSlicing"
    if problem.keyword in ("pattern", "maxLength") and route[-1] == "name" and isinstance(value, str):
        name = schema("device-plugin")["definitions"]["resourceName"]
        full = value if "/" in value else f"nvidia.com/{value}"
        return len(full) <= name["maxLength"] and matches(name["pattern"], full)
    return problem.keyword in ("case", "not") or (problem.keyword, route) == ("required", ("version",))


def _of_mig_parted(problem: Problem, data: Json) -> bool:
    """GV420 (no GPU), GV422 (a zero beside others), GV423 (names), GV401 (profiles); a flag that is none decides nothing."""
    route, keyword, value = problem.route, problem.keyword, node_at(data, problem.route)
    if len(route) == 2:
        return keyword == "additionalProperties" and isinstance(value, list)
    if "device-filter" in route:
        return isinstance(value, str) or keyword in ("uniqueItems", "minItems")
    if "devices" in route:
        return isinstance(value, (int, list)) and keyword in ("minItems", "minimum", "uniqueItems")
    if keyword == "maxProperties":
        return not isinstance(node_at(data, (*route[:-1], "mig-enabled")), bool)
    others = node_at(data, route[:-1])
    counts = others.values() if isinstance(others, Mapping) else ()
    return keyword == "minimum" and value == 0 and any(isinstance(one, int) and one > 0 for one in counts)


def _of_scheduler(problem: Problem, data: Json) -> bool:
    """GV810 and GV812 to GV814 (things that stand twice), GV817 and GV818 (plugins), GV819 (a config without a plugin)."""
    route, last = problem.route, problem.route[-1] if problem.route else None
    if problem.keyword == "uniqueItems":
        return (
            route[-2] in ("profiles", "kube_scheduler_profiles", "pluginConfig", "shape") or "scoringStrategy" in route
        )
    if problem.keyword == "enum" and last == "name":
        known = schema("kube-scheduler-configuration")["definitions"]["pluginName"]["enum"]
        foreign = isinstance(name := node_at(data, route), str) and name not in (*known, "*")
        return foreign and any(step in route for step in ("pluginConfig", "enabled", "disabled"))
    return problem.keyword == "required" and last == "name" and route[-3:-2] == ("pluginConfig",)


def _of_kubespray(problem: Problem, data: Json) -> bool:
    """Other variables of Kubespray stand beside those of the scheduler."""
    if problem.keyword == "additionalProperties" and len(problem.route) == 1:
        return True
    return _of_scheduler(problem, data)


_SPOKEN_FOR: Mapping[Kind, Callable[[Problem, Json], bool]] = {
    "device-plugin": _of_device_plugin,
    "mig-parted": _of_mig_parted,
    "scheduler": _of_scheduler,
    "kubespray": _of_kubespray,
}


REFUSED = Rule(
    "GV912",
    "error",
    "Body that its reader refuses",
    "0.1.0",
    files=dict.fromkeys(_SCHEMAS, _refused),
)

RULES: tuple[Rule, ...] = (REFUSED,)
