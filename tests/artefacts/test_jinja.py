"""Compiled templates are the templates: up to date, and the same text comes of both."""

from datetime import date
from pathlib import Path

import jinja2
import make_templates
import pytest

from genvalues import facts, pipeline
from genvalues.artefacts import compiled, jinja, readme

FACTS = facts.load()
PROFILES = Path(__file__).resolve().parents[2] / "profiles"
SAME = jinja2.__version__ == compiled.JINJA2
DIFFERENT = f"compiled with jinja2 {compiled.JINJA2}, and not used with the {jinja2.__version__} that is installed"


@pytest.mark.skipif(not SAME, reason=DIFFERENT)
def test_compiled_templates_are_current() -> None:
    """What is committed is what jinja2 makes of the templates."""
    assert make_templates.generate() == make_templates.COMPILED.read_text("utf-8"), "run: make templates"


@pytest.mark.skipif(not SAME, reason=DIFFERENT)
@pytest.mark.parametrize("site", ["dc1-h100", "dc2-container", "edge-minimal", "lab-shared"])
def test_both_loaders_give_one_text(site: str) -> None:
    """Compiled or not: the same page."""
    checked = pipeline.check(str(PROFILES / f"{site}.yaml"), FACTS, date(2026, 11, 30))
    assert checked.plan is not None
    context = readme._context(checked.plan)
    texts = [
        jinja.make(loader).get_template("README.md.j2").render(context)
        for loader in (jinja2.FileSystemLoader(jinja.TEMPLATES), jinja.Compiled())
    ]

    assert texts[0] == texts[1]


def test_unknown_template_is_none() -> None:
    """A slip in the name of a template is an error of jinja2, and no empty text."""
    with pytest.raises(jinja2.TemplateNotFound):
        jinja.make(jinja.Compiled()).get_template("READ.md.j2")


def test_undefined_name_is_an_error() -> None:
    """StrictUndefined: what a template asks for and nobody gives is no empty text either."""
    with pytest.raises(jinja2.UndefinedError):
        jinja.make(jinja.Compiled()).get_template("README.md.j2").render({})
