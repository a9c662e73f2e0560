"""Who may import whom, and what a `check` loads at all: the layers of the design, and its speed, as tables."""

import ast
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import genvalues
from genvalues import rules
from genvalues.rules.rule import Rule

PACKAGE = Path(genvalues.__file__).resolve().parent
SITE = Path(__file__).resolve().parents[1] / "profiles" / "dc1-h100.yaml"

# From the ground up: a part of the package imports nothing of a layer above its own. Facts know no rules, a plan no
# artefacts, rules no reports and no command line.
LAYERS = (
    {"record", "paths", "visible", "libyaml", "re2", "verdict"},
    {"finding", "name_pattern"},
    {"scalar", "place", "document", "facts"},
    {"wording", "model"},
    {"faults", "compose", "syntax", "structure", "mismatch", "misread", "emit", "header", "index", "kubeconform", "contracts"},
    {"source", "shape", "swap"},
    {"extends", "tree", "plan"},
    {"attachments", "artefacts"},
    {"rules"},
    {"judge", "report"},
    {"pipeline", "lint"},
    {"conformance"},
    {"cli"},
)  # fmt: skip
RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}

# Libraries, and the only modules that know them.
LIBRARIES = {
    "click": "genvalues.cli",
    "jinja2": "genvalues.artefacts",
    "jsonschema": "genvalues.mismatch",
    "_ruamel_yaml": "genvalues.libyaml",
    "ruamel": "genvalues.libyaml",
}

# What takes long to load or talks to the world outside, and what only those with something to say need.
NOT_TO_CHECK = {
    "argparse", "asyncio", "attr", "attrs", "concurrent", "ctypes", "dataclasses", "decimal", "difflib", "email", "fractions",
    "hashlib", "http", "importlib.metadata", "importlib.resources", "ipaddress", "jinja2", "json.tool", "jsonschema", "logging",
    "markupsafe", "multiprocessing", "packaging", "pathlib", "pickle", "pkg_resources", "random", "referencing", "ruamel.yaml",
    "ruamel.yaml.loader", "ruamel.yaml.main", "select", "shutil", "socket", "ssl", "string", "subprocess", "tempfile", "typing_extensions",
    "unittest", "urllib", "xml", "yaml", "zipfile",
    "genvalues.artefacts.compiled", "genvalues.artefacts.host", "genvalues.artefacts.jinja", "genvalues.artefacts.readme",
    "genvalues.conformance", "genvalues.kubeconform", "genvalues.lint", "genvalues.mismatch", "genvalues.name_pattern",
    "genvalues.report.github", "genvalues.report.json", "genvalues.report.junit", "genvalues.report.sarif",
    "genvalues.syntax", "genvalues.tree",
}  # fmt: skip

# Patterns that every run needs may be compiled when their module is loaded; all others are when they are first used.
COMPILED_AT_ONCE = {"genvalues.scalar", "genvalues.facts.store"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Each module of the package with its syntax tree; generated ones are left out."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("genvalues", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        if name not in ("genvalues.verdict", "genvalues.artefacts.compiled"):
            yield name, ast.parse(path.read_text("utf-8"))


MODULES = dict(modules())
NAMES = {*MODULES, "genvalues.verdict", "genvalues.artefacts.compiled"}


def imported(tree: ast.Module) -> Iterator[str]:
    """What a module imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if below in NAMES else node.module


IMPORTED = {name: set(imported(tree)) for name, tree in MODULES.items()}


def part(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_part_has_its_layer() -> None:
    """The table names each part of the package once, and nothing else."""
    assert sorted(
        part(name) for name in {name.split(".")[1]: name for name in NAMES if "." in name}.values()
    ) == sorted(RANK)


@pytest.mark.parametrize("name", [name for name in MODULES if "." in name])
def test_imports_go_down(name: str) -> None:
    """No module imports from a layer above its own."""
    upward = [
        other for other in IMPORTED[name] if other.startswith("genvalues.") and RANK[part(other)] > RANK[part(name)]
    ]

    assert [] == upward


@pytest.mark.parametrize("library", LIBRARIES)
def test_library_is_known_to_one_part(library: str) -> None:
    """Each library is imported by the part that wraps it, and by no other."""
    users = {name for name, found in IMPORTED.items() if library in {other.split(".")[0] for other in found}}

    assert not [name for name in users if not (name + ".").startswith(LIBRARIES[library] + ".")]


def test_only_the_command_line_prints() -> None:
    """print, sys.stdout and exit codes are the business of cli alone."""
    printing = {
        name
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == "print")
        or (
            isinstance(node, ast.Attribute)
            and node.attr in ("stdout", "stderr", "_exit")
            and isinstance(node.value, ast.Name)
        )
    }

    assert {name for name in printing if part(name) != "cli"} <= {"genvalues.kubeconform"}  # the output of its child


def test_tuples_are_made_the_cheap_way() -> None:
    """Named tuples come from `record`: those of typing take five times as long to make."""
    assert ["genvalues.record"] == [
        name
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("typing", "collections")
        if {alias.name for alias in node.names} & {"NamedTuple", "namedtuple"}
    ]


def test_patterns_wait_for_their_use() -> None:
    """`re.compile` at import costs every run; `re` keeps what it compiled, so a pattern can be a text until then."""
    assert COMPILED_AT_ONCE == {
        name
        for name, tree in MODULES.items()
        if name in loaded("check")
        for node in tree.body
        for call in ast.walk(node)
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and isinstance(call, ast.Call)
        and ast.unparse(call.func) == "re.compile"
    }


def loaded(*arguments: str) -> set[str]:
    """The modules that a process has loaded at the end of a command over a clean site."""
    if arguments not in _LOADED:
        program = (
            "import sys\n"
            "from genvalues.cli.main import run\n"
            f"code = run([*{list(arguments)!r}, {str(SITE)!r}, '--today', '2026-11-30'])\n"
            "import json\n"
            "print('\\n' + json.dumps([code, sorted(sys.modules)]))\n"
        )
        _LOADED[arguments] = _modules_after(program)
    return _LOADED[arguments]


_LOADED: dict[tuple[str, ...], set[str]] = {}


def _modules_after(program: str) -> set[str]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    environment.pop("COVERAGE_PROCESS_START", None)
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    code, names = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stdout + done.stderr
    return set(names)


def test_check_loads_nothing_that_it_can_do_without() -> None:
    """A clean site is judged without what takes long to load."""
    assert set() == loaded("check") & NOT_TO_CHECK


def test_check_loads_two_libraries() -> None:
    """Beside Python's own modules just click and the parser of ruamel.yaml.clib, with the classes that it makes."""
    roots = {name.split(".")[0] for name in loaded("check")} - set(sys.stdlib_module_names)

    assert roots <= {
        "click",
        "genvalues",
        "ruamel",
        "_ruamel_yaml",
        "cython_runtime",
        "_distutils_hack",
        "__main__",
    } | {
        root
        for root in roots
        if root.startswith(("_cython", "__editable__", "_virtualenv", "sitecustomize", "usercustomize"))
    }


def test_render_adds_jinja_and_what_writes(tmp_path: Path) -> None:
    """What `render` loads beyond `check` is jinja2 with all it brings, hashes, file locks, and our own modules."""
    brought = _modules_after(
        "import sys, json, jinja2, hashlib, fcntl, shlex\nprint(json.dumps([0, sorted(sys.modules)]))"
    )
    added = loaded("render", f"--out={tmp_path}") - loaded("check") - brought

    # jinja2 reads the escapes in templates with this; compiled ones, as an installed wheel has them, need no reading
    assert {"encodings.unicode_escape"} >= {name for name in added if not name.startswith("genvalues.")}
    assert {
        "genvalues.artefacts.compiled", "genvalues.artefacts.host", "genvalues.artefacts.jinja", "genvalues.artefacts.readme",
        "genvalues.artefacts.readme_faults", "genvalues.artefacts.readme_host", "genvalues.artefacts.readme_tables",
        "genvalues.cli.render", "genvalues.swap", "genvalues.tree",
    } >= {name for name in added if name.startswith("genvalues.")}  # fmt: skip


def held(value: object) -> list[Rule]:
    """The rules that the value of a module's name is or holds."""
    if isinstance(value, Rule):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    return [item for item in items if isinstance(item, Rule)]


def test_all_rules_are_those_that_are_defined() -> None:
    """A rule that is written runs: `ALL` holds every `Rule` of the package once, and each has a code of its own."""
    families = [importlib.import_module(name) for name in NAMES if name.startswith("genvalues.rules.")]
    defined = {
        (rule.code, rule.title) for family in families for value in vars(family).values() for rule in held(value)
    }

    assert sorted(defined) == sorted((rule.code, rule.title) for rule in rules.ALL)
    assert len({rule.code for rule in rules.ALL}) == len(rules.ALL)
