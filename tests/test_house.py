"""What review would ask for in any case: small rooms, and nothing written twice."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GENERATED = {"verdict.py", "compiled.py"}
MODULES = [
    file
    for folder in ("genvalues", "tools")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if file.name not in GENERATED
]
MAX_FILE, MAX_FUNCTION, MIN_TWIN = 300, 40, 3
"""Lines of a file, of a function, and from how many on a function may not stand twice."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(file: Path) -> list[Function]:
    return [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, Function)]


def says_why(node: Function | ast.Module) -> bool:
    return re.search(r"\blong(er)?\b", ast.get_docstring(node) or "") is not None


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_is_long_says_why(file: Path) -> None:
    """A file or a function beyond the limits gives the reason in its docstring: "long because", "as long as"."""
    module = ast.parse(file.read_text("utf-8"))
    lines = file.read_text("utf-8").count("\n")
    long = [one.name for one in functions(file) if (one.end_lineno or 0) - one.lineno >= MAX_FUNCTION and not says_why(one)]

    assert long == []
    assert lines <= MAX_FILE or says_why(module)


class _Anonymous(ast.NodeTransformer):
    """Takes the names of a function's own parameters away."""

    def __init__(self, function: Function) -> None:
        arguments = function.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        self._names = {one.arg: f"_{position}" for position, one in enumerate(every)}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def body(function: Function) -> str:
    """What a function does, whatever it and its parameters are called."""
    statements = function.body[1:] if ast.get_docstring(function) else function.body
    return "\n".join(ast.unparse(_Anonymous(function).visit(statement)) for statement in statements)


def test_no_function_stands_twice() -> None:
    """The second module that needs one imports it."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in MODULES:
        for function in functions(file):
            places[body(function)].append(f"{file.relative_to(ROOT)}:{function.lineno} {function.name}")

    assert [twins for text, twins in places.items() if len(twins) > 1 and text.count("\n") + 1 >= MIN_TWIN] == []
