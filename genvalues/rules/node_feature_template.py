"""What is wrong with the text of a labelsTemplate or varsTemplate: Go's text/template, one key=value per line.

Not a template engine: it looks at the outline (actions, blocks, lines, which features are named, which functions are called)
and says nothing where that does not decide. Source: node-feature-discovery pkg/apis/nfd/template, text/template of Go.
"""

import re
from collections.abc import Iterator, Mapping

from genvalues.facts.kinds import NfdFeature
from genvalues.facts.version import same_or_newer
from genvalues.rules.nfd_catalogue import domains
from genvalues.rules.node_feature import NodeRule, matcher_lists
from genvalues.wording import listed, quoted

Fault = tuple[str, str]

_STRING = r'"(?:\\.|[^"\\\n])*"|`[^`]*`|\'(?:\\.|[^\'\\\n])+\''
_COMMENT = r"(?s)\{\{-?\s*/\*.*?\*/\s*-?\}\}"
_WORD = r"(?<![\w.$])[A-Za-z_]\w*"
_FIELD = r"(?<![\w.)\]])\.([a-z]+)\.([a-z]+)\b"

_OPENING = ("if", "range", "with", "block", "define")
_MIDDLE = ("else", "break", "continue")
_OTHER_WORDS = ("end", "template", "nil", "true", "false")
_FUNCTIONS = (
    "and", "or", "not", "len", "index", "slice", "print", "printf", "println", "html", "js", "urlquery", "call",
    "eq", "ne", "lt", "le", "gt", "ge",
)  # fmt: skip
_GO = frozenset((*_OPENING, *_MIDDLE, *_OTHER_WORDS, *_FUNCTIONS))

_SPRIG_SINCE = "0.18.0"
_FEWER_SINCE = "0.19.0"
_GONE = ("env", "expandenv", "getHostByName")


def template_faults(text: str, rule: NodeRule, known: Mapping[str, NfdFeature], nfd: str) -> Iterator[Fault]:
    """Everything that keeps a template from expanding; `nfd` is the version that expands it."""
    text = re.sub(_COMMENT, "", text)
    broken = _outline_fault(text)
    if broken is not None:
        yield broken
        return
    actions = [re.sub(_STRING, '""', action) for action, _ in _actions(text)]
    yield from _function_faults(actions, nfd)
    yield from _feature_faults(actions, rule, known)
    yield from _line_faults(text)
    if not rule.has_matchers():
        yield "a template is expanded with what matchers match, and this rule has none", "matchFeatures: [...]"


def _actions(text: str) -> Iterator[tuple[str, int]]:
    """The insides of the actions, with the position behind each; an unclosed one ends the walk with position -1."""
    at = text.find("{{")
    while at >= 0:
        end, inside = at + 2, text[at + 2 :]
        while not text.startswith("}}", end):
            quoted_text = re.compile(_STRING).match(text, end)
            if end >= len(text):
                yield inside, -1
                return
            end = quoted_text.end() if quoted_text is not None else end + 1
        yield text[at + 2 : end].strip("- \t\n\r"), end + 2
        at = text.find("{{", end + 2)


def _outline_fault(text: str) -> Fault | None:
    """An action that does not end, or a block that does not."""
    depth: list[str] = []
    for action, end in _actions(text):
        bare = re.sub(_STRING, '""', action)
        if end < 0 or "{{" in bare or "}" in bare or "{" in bare:
            return f"the action {quoted('{{' + action.split(chr(10))[0][:30])} is not closed by }}}}", "{{ ... }}"
        if not bare:
            return "an empty action {{}}", "remove it"
        word = bare.split(None, 1)[0]
        if word in _OPENING:
            depth.append(word)
        elif word == "end" and not depth:
            return "an {{ end }} that ends no block", "remove it"
        elif word == "end":
            depth.pop()
        elif word == "else" and not depth:
            return "an {{ else }} outside a block", "remove it"
    return (f"the block {{{{ {depth[-1]} ... }}}} has no end", "{{ end }}") if depth else None


def _function_faults(actions: list[str], nfd: str) -> Iterator[Fault]:
    called = {word for action in actions for word in re.findall(_WORD, action)} - _GO
    if not called:
        return
    if same_or_newer(nfd, _SPRIG_SINCE) is False:
        fix = f"NFD {_SPRIG_SINCE.removesuffix('.0')} or newer, or a template without {min(called)}"
        yield f"NFD {nfd} has only the functions of Go's templates, and no {listed(sorted(called))}", fix
    elif same_or_newer(nfd, _FEWER_SINCE) and (gone := sorted(called & set(_GONE))):
        yield f"from NFD 0.19 on templates have no {listed(gone)}", f"a template without {gone[0]}"


def _feature_faults(actions: list[str], rule: NodeRule, known: Mapping[str, NfdFeature]) -> Iterator[Fault]:
    """Features that the template names and some run of it has not: it runs once for each list of matchers that holds."""
    named = {f"{domain}.{feature}" for action in actions for domain, feature in re.findall(_FIELD, action)}
    named = {name for name in named if name.partition(".")[0] in domains(known)}
    lists = [{term.feature for term in matchers} for matchers in matcher_lists(rule)]
    for name in sorted(named):
        without = [present for present in lists if name not in present]
        if not without:
            continue
        where = (
            "the rule matches no such feature"
            if len(without) == len(lists)
            else (
                "it is expanded for each matcher of matchAny by itself, and for matchFeatures, and one of them has no such feature"
            )
        )
        yield f"the template asks for .{name}, and {where}: the rule fails", f"- feature: {name}"


def _line_faults(text: str) -> Iterator[Fault]:
    """Lines of plain text without a sign of equality. Lines that trim marks join are left out."""
    if "{{-" in text or "-}}" in text:
        return
    for line in re.sub(r"\{\{.*?\}\}", "\0", text, flags=re.DOTALL).splitlines():
        plain = line.strip()
        if plain and "\0" not in plain and "=" not in plain:
            yield f"the line {quoted(plain)} is no key=value: the rule fails", f"{plain}=true"
