"""The jinja2 environment that texts are rendered in, and where it takes its templates from.

Templates are files; compiled, they are Python in `compiled.py`, which saves a `render` a quarter of its time.
"""

import os.path
from collections.abc import MutableMapping
from functools import cache
from shlex import quote
from typing import Any

import jinja2

from genvalues import paths

TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")


@cache
def environment() -> jinja2.Environment:
    """The environment with the quickest loader that is right here."""
    return make(_loader())


def make(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """An environment for Markdown: nothing in it is HTML that a browser would run, its values have passed the schema."""
    made = jinja2.Environment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701  for the reason above
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["cell"] = _cell
    made.filters["quote"] = quote
    return made


def _loader() -> jinja2.BaseLoader:
    """Compiled templates where they are for this very jinja2; the files in a checkout, where these may be newer."""
    from genvalues.artefacts import compiled  # noqa: PLC0415  the tool that writes it imports this module

    same = getattr(jinja2, "__version__", None) == compiled.JINJA2
    return Compiled() if same and paths.checkout() is None else jinja2.FileSystemLoader(TEMPLATES)


class Compiled(jinja2.BaseLoader):
    """Templates that are Python already."""

    has_source_access = False

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002  jinja2's name
    ) -> jinja2.Template:
        """The template of that name; jinja2.TemplateNotFound where there is none."""
        from genvalues.artefacts import compiled  # noqa: PLC0415  as above

        if name not in compiled.TEMPLATES:
            raise jinja2.TemplateNotFound(name)
        return environment.template_class.from_module_dict(
            environment, compiled.TEMPLATES[name](environment), globals or {}
        )


def _cell(text: object) -> str:
    """A value inside a Markdown table: a bar would end its cell, a line break the table."""
    return " ".join(str(text).split()).replace("|", "\\|")
