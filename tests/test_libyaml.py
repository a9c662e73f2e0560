"""libyaml without the rest of ruamel.yaml."""

import subprocess
import sys


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_loaders_and_dumpers_of_ruamel_stay_unloaded() -> None:
    """Importing the parser brings neither ruamel.yaml's main module nor its constructor."""
    code = "import sys, genvalues.libyaml; print([m for m in sys.modules if m.endswith(('.main', '.constructor'))])"

    assert "[]\n" == _run(code)


def test_ruamel_works_as_ever_afterwards() -> None:
    """Whoever imports ruamel.yaml later gets the real package, with the C parser and with its own."""
    code = (
        "import genvalues.libyaml\nfrom ruamel.yaml import YAML\n"
        "print(YAML(typ='safe').load('a: [1, {b: 2}]'), YAML().load('a: [1, {b: 2}]')['a'][1]['b'])"
    )

    assert "{'a': [1, {'b': 2}]} 2\n" == _run(code)


def test_the_usual_import_comes_first() -> None:
    """Where ruamel.yaml is loaded already, its parser is used as it is."""
    code = (
        "import ruamel.yaml\nimport genvalues.libyaml as l\nfrom genvalues.source import read\n"
        "print(read('a: [1', 'f').findings[0].code, l.SyntaxErrors[0].__module__)"
    )

    assert "GV001 ruamel.yaml.scanner\n" == _run(code)


def test_a_parser_that_asks_for_more_is_imported_the_usual_way() -> None:
    """Where a stand-in lacks what the C module wants, the whole of ruamel.yaml is loaded instead."""
    code = (
        "import sys\nfrom importlib.util import find_spec\nsource = open(find_spec('genvalues.libyaml').origin).read()\n"
        "names = {'__name__': 'again'}\n"
        "exec(compile(source.replace('\"ReaderError\"', '\"OtherError\"'), 'again', 'exec'), names)\n"
        "parser = names['Parser']('a: 1')\n"
        "print(type(parser.get_event()).__name__, 'ruamel.yaml.main' in sys.modules)"
    )

    assert "StreamStartEvent True\n" == _run(code)
