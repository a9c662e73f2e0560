"""Measure the installed genvalues as a whole process, and write a Markdown table (`make bench`).

Each round runs every command once, in turn, so that a slow moment of the machine strikes all of them: the ratios are
medians of the rounds' own ratios. Wall time and processor time in milliseconds, peak resident memory in MB. Where other
programs take the processors, their own time disturbs the ratio of processor times less.

SITE, RUNS, HELM, CHART and GENVALUES_CHARTS come from the environment: the site (profiles/dc1-h100.yaml), rounds (11),
a helm, and a chart for `helm template`, or a folder of charts as CHARTS/<chart>/<version>.

`lint` is measured over copies of the site's rendering in out/: one file, a hundred, and a hundred with nothing compiled.

This process imports next to nothing: on Linux the peak memory of a child starts with that of its parent.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BIN = os.path.dirname(sys.executable)
GENVALUES = os.path.join(BIN, "genvalues")
SITE = os.environ.get("SITE", os.path.join(ROOT, "profiles", "dc1-h100.yaml"))
WORK = os.path.join(ROOT, "build", "bench")
LIBRARIES = "import click, jinja2, ruamel.yaml, jsonschema"
MB = 1024 * 1024 if sys.platform == "darwin" else 1024  # units of ru_maxrss: bytes there, KiB elsewhere

ENV = ["/usr/bin/env"]

Command = Callable[[int], list[str]]
"""Arguments of a command, by round."""

Sample = tuple[float, float, float]
"""One run: ms of wall time, ms of processor time, MB at the peak."""


def main() -> int:
    """Run all rounds and print the table."""
    os.makedirs(WORK, exist_ok=True)
    commands = dict(found_commands())
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    failed: dict[str, int] = {}
    for turn in range(-1, int(os.environ.get("RUNS", "11"))):  # the first warms the disk cache and is not counted
        for name, command in commands.items():
            sample, code = measure(command(turn))
            if code != 0:
                failed[name] = code
            if turn >= 0:
                samples[name].append(sample)
    print(table(samples, failed))
    return 1 if failed else 0


def found_commands() -> list[tuple[str, Command]]:
    """What there is to measure on this machine, with its name in the table."""
    python = sys.executable
    out = os.path.join(WORK, "out")
    files = lint_files()
    found: list[tuple[str, Command]] = [
        ("python -c pass", lambda _: [python, "-c", "pass"]),
        ("imports", lambda _: [python, "-c", LIBRARIES]),
        ("genvalues check", lambda _: [GENVALUES, "check", SITE]),
        ("genvalues render, new folder", lambda turn: [GENVALUES, "render", SITE, "-o", f"{out}-{os.getpid()}-{turn}"]),
        ("genvalues render, unchanged", lambda _: [GENVALUES, "render", SITE, "-o", f"{out}-{os.getpid()}--1"]),
    ]
    if files:
        many, unused = f"genvalues lint, {len(files)} files", os.path.join(WORK, "cold")
        found.append(("genvalues lint, 1 file", lambda _: [GENVALUES, "lint", files[0]]))
        found.append((many, lambda _: [GENVALUES, "lint", *files]))
        # Cold: nothing compiled, not even Python's own modules, as right after an installation.
        found.append(
            (f"{many}, cold", lambda turn: [*ENV, f"PYTHONPYCACHEPREFIX={unused}-{turn}", GENVALUES, "lint", *files])
        )
    helm, chart = found_helm()
    if helm and chart:
        found.append(("helm template", lambda _: [helm, "template", "bench", chart]))
    return found


def found_helm() -> tuple[str | None, str | None]:
    """A helm and a chart, each None where there is none."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), os.path.join(ROOT, ".tools", "bin")]
    programs = [os.environ.get("HELM", ""), *(os.path.join(folder, "helm") for folder in folders)]
    base = os.environ.get("GENVALUES_CHARTS", "")
    charts = [os.environ.get("CHART", ""), os.path.join(base, "gpu-operator", "v25.10.1") if base else ""]
    helm = next((program for program in programs if os.access(program, os.X_OK)), None)
    return helm, next((chart for chart in charts if os.path.isfile(os.path.join(chart, "Chart.yaml"))), None)


def lint_files(count: int = 100) -> list[str]:
    """That many files: copies of the site's renderings, each in a folder of its own; none where there is no `lint` or rendering."""
    site = os.path.join(ROOT, "out", os.path.basename(SITE).removesuffix(".yaml"))
    found = [
        os.path.join(folder, name) for folder, _, names in os.walk(site) for name in names if name.endswith(".yaml")
    ]
    found.sort(key=lambda file: (not file.endswith(os.path.join("gpu-operator", "values.yaml")), file))
    if not found or measure([GENVALUES, "lint", site])[1] != 0:
        return []
    made = []
    for index in range(count):
        file = found[index % len(found)]
        made.append(os.path.join(WORK, "lint", str(index // len(found)), os.path.relpath(file, site)))
        os.makedirs(os.path.dirname(made[-1]), exist_ok=True)
        with open(file, encoding="utf-8") as source, open(made[-1], "w", encoding="utf-8") as copy:
            copy.write(source.read())
    return made


def measure(command: list[str]) -> tuple[Sample, int]:
    """One run, its output thrown away, and its exit code."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    started = time.perf_counter()
    pid = os.posix_spawn(command[0], command, environment, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    wall, busy = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    return (wall * 1000, busy * 1000, usage.ru_maxrss / MB), os.waitstatus_to_exitcode(status)


def median(values: Sequence[float]) -> float:
    """The middle one, or the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def table(samples: dict[str, list[Sample]], failed: dict[str, int]) -> str:
    """The medians, and how each command compares with the imports and with a bare Python in the same round."""
    lines = [
        f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {len(samples['imports'])} rounds; {LIBRARIES}",
        "",
        "| command | median ms | fastest ms | CPU ms | peak MB | to imports | CPU to imports | to python |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, runs in samples.items():
        wall, busy, memory = ([run[column] for run in runs] for column in range(3))
        ratios = [
            ratio(runs, samples[base], what) for base, what in (("imports", 0), ("imports", 1), ("python -c pass", 0))
        ]
        label = f"{name} (exit {failed[name]})" if name in failed else name
        lines.append(
            f"| {label} | {median(wall):.1f} | {min(wall):.1f} | {median(busy):.1f} | {median(memory):.1f} "
            f"| {ratios[0]:.2f} | {ratios[1]:.2f} | {ratios[2]:.1f} |"
        )
    return "\n".join(lines)


def ratio(runs: list[Sample], others: list[Sample], what: int) -> float:
    """The median of the rounds' ratios: of wall time (0) or of processor time (1)."""
    return median([mine[what] / other[what] for mine, other in zip(runs, others, strict=True)])


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        import shutil  # only now: see above

        shutil.rmtree(WORK, ignore_errors=True)
