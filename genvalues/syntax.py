"""What libyaml refuses, in words for people who do not know its grammar (GV001, GV003), at the place to change.

libyaml says where it was stuck, which is often behind the fault: a quote that is never closed is found at the end of the
file. Its problems are those of `scanner.c` and `parser.c` in libyaml 0.2.5.
"""

import re
from typing import Any

from genvalues.compose import finding
from genvalues.faults import Fault
from genvalues.finding import Finding, Related
from genvalues.place import locate
from genvalues.record import NamedTuple
from genvalues.wording import cut, quoted


class _Stuck(NamedTuple):
    """Where libyaml was stuck (`at`), in what construct (which starts at `since`), and with what problem."""

    text: str
    problem: str
    context: str
    at: int
    since: int | None

    def line(self, offset: int) -> str:
        """The line that `offset` is on."""
        return self.text[self.line_start(offset) : self.line_end(offset)]

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def number(self, offset: int) -> int:
        """The number of the line that `offset` is on."""
        return self.text.count("\n", 0, offset) + 1


class _Spot(NamedTuple):
    """From where to where to point, what to say and what to type; perhaps a second spot."""

    start: int
    end: int
    message: str
    fix: str
    second: tuple[int, str] | None = None


def explain(error: Exception, file: str, text: str) -> Finding:
    """The finding that an error of libyaml about `text` becomes."""
    if not isinstance(error.args[0], str) or error.args[0].startswith(("while ", "did ", "found ")):
        context, since, problem, at = (*error.args, None, None, None)[:4]
        stuck = _Stuck(text, problem or "", context or "", at.index if at else 0, since.index if since else None)
        spot = _spot(stuck)
        related: tuple[Related, ...] = ()
        if spot.second is not None:
            offset, message = spot.second
            related = (Related(locate(file, text, offset, offset + 1), message),)
        return finding(Fault("GV001", spot.message, spot.fix), locate(file, text, spot.start, spot.end), (), related)
    return _character(error, file, text)


def _character(error: Any, file: str, text: str) -> Finding:
    if isinstance(error, UnicodeEncodeError):
        position = error.start
    else:      # arguments: name, offset in UTF-8 bytes, character, encoding, reason
        position = len(text.encode()[: error.args[1]].decode(errors="ignore"))
    fault = Fault("GV003", f"character U+{ord(text[position]):04X} here: YAML has no such characters", "remove it")
    return finding(fault, locate(file, text, position, position + 1))


def _spot(stuck: _Stuck) -> _Spot:
    for words in (_tab, _template, _quote, _flow, _colon, _start, _indent, _list_item, _rest):
        if (spot := words(stuck)) is not None:
            return spot
    raise AssertionError      # _rest answers always


def _tab(stuck: _Stuck) -> _Spot | None:
    for offset in (stuck.at, stuck.at - 1):
        start = stuck.line_start(max(offset, 0))
        blank = re.compile(r"[ \t]*").match(stuck.text, start)
        tab = stuck.text.find("\t", start, blank.end() if blank else start)
        if tab >= 0:
            return _Spot(tab, tab + 1, "a tab stands here; YAML indents with spaces only", "replace the tab with spaces")
    return None


def _template(stuck: _Stuck) -> _Spot | None:
    found = re.search(r"\{\{", stuck.line(stuck.at))
    if found is None:
        return None
    start = stuck.line_start(stuck.at) + found.start()
    message = "`{{` here is the start of a template, and a template is no YAML"
    return _Spot(start, start + 2, message, "render the template first, or quote the text")


def _quote(stuck: _Stuck) -> _Spot | None:
    if "quoted scalar" not in stuck.context or stuck.since is None:
        return None
    mark = stuck.text[stuck.since]
    if stuck.problem == "found unknown escape character" or "Unicode" in stuck.problem or "hexdecimal" in stuck.problem:
        start = max(stuck.text.rfind("\\", 0, stuck.at + 1), stuck.since)
        typed = stuck.text[start : start + 2]
        message = f"`{typed}` here means nothing between double quotes"
        return _Spot(start, start + 2, message, rf"\{typed} for a backslash, or single quotes around the text")
    if stuck.problem.startswith("found unexpected"):
        line = stuck.text[stuck.since : stuck.line_end(stuck.since)].rstrip()
        return _Spot(stuck.since, stuck.since + 1, f"this {mark} is never closed", f"{cut(line)}{mark}")
    return None


def _flow(stuck: _Stuck) -> _Spot | None:
    if "flow" in stuck.context and not stuck.text[stuck.at :].strip():
        start = _open_bracket(stuck.text)
        closing = "]" if stuck.text[start] == "[" else "}"
        return _Spot(start, start + 1, f"this `{stuck.text[start]}` is never closed", f"close it with {closing}")
    if stuck.since is None or not stuck.problem.startswith("did not find expected ','"):
        return None
    bracket = stuck.text[stuck.since]
    closing = "]" if bracket == "[" else "}"
    if stuck.number(stuck.at) == stuck.number(stuck.since):
        return _Spot(stuck.at, stuck.at + 1, f"`,` or `{closing}` is missing before this", f"put , or {closing} before it")
    second = (stuck.at, f"up to here no `{closing}` was found, nor a `,`")
    return _Spot(stuck.since, stuck.since + 1, f"this `{bracket}` is never closed", f"close it with {closing}", second)


def _open_bracket(text: str) -> int:
    """The last bracket that nothing closes; brackets in quotes and comments do not count."""
    opened: list[int] = []
    for match in re.finditer(r"""\"(?:\\.|[^\"\\])*\"|'[^']*'|(?<!\S)\#[^\n]*|([\[{])|[\]}]""", text):
        if match[1]:
            opened.append(match.start())
        elif match[0] in "]}" and opened:
            opened.pop()
    return opened[-1] if opened else len(text) - 1


def _colon(stuck: _Stuck) -> _Spot | None:
    if stuck.problem == "could not find expected ':'" and stuck.since is not None:
        word = stuck.text[stuck.since : stuck.line_end(stuck.since)].split("#")[0].strip()
        end = stuck.since + len(word)
        if re.match(r"-[^\s-]", word):
            return _Spot(stuck.since, end, "a space is missing behind the `-` of a list item", f"- {cut(word[1:])}")
        return _Spot(stuck.since, end, f"`{cut(word)}` is followed by no `:`, and a key is expected here", f"{cut(word)}:")
    if stuck.problem != "mapping values are not allowed in this context":
        return None
    start = stuck.line_start(stuck.at)
    before = stuck.text[start : stuck.at]
    if found := re.match(r"\s*(?:- )*(?:\"[^\"]*\"|'[^']*'|[^\s:]+):\s+(?=\S)", before):
        value = stuck.text[start + found.end() : stuck.line_end(stuck.at)].rstrip()
        message = "a second `: ` in one line; a text with `: ` in it stands in quotes"
        return _Spot(stuck.at, stuck.at + 1, message, f"{found[0].strip()} {quoted(cut(value))}")
    above = stuck.text[:start].rstrip()
    joined = re.search(r"^[ ]*(?:- )?[\w./-]+(:)[^\s:/]\S*$", stuck.line(len(above)))
    if above and joined:
        colon = stuck.line_start(len(above)) + joined.start(1)
        word = joined[0].strip()
        return _Spot(colon, colon + 1, f"`{cut(word)}` is one word: a space is missing behind the `:`",
                     cut(word.replace(":", ": ", 1)))  # fmt: skip
    if stuck.at - start > 1024:
        return _Spot(start, stuck.at, "a key is at most 1024 characters long", "shorten it")
    message = f"no key can stand here: the value that starts on line {stuck.number(len(above))} goes on to this line"
    first = start + len(before) - len(before.lstrip())
    return _Spot(first, stuck.at, message, "give it the indentation of the keys that it belongs to")


def _start(stuck: _Stuck) -> _Spot | None:
    """A value that starts with a character which means something to YAML."""
    if stuck.problem == "found character that cannot start any token":
        start = stuck.at
    elif "alias" in stuck.context or "anchor" in stuck.context:
        start = stuck.since or 0
    else:
        return None
    value = stuck.text[start : stuck.line_end(start)].split(" #")[0].rstrip()
    message = f"a text that starts with {stuck.text[start]} stands in quotes"
    return _Spot(start, start + len(value), message, quoted(cut(value)))


def _indent(stuck: _Stuck) -> _Spot | None:
    if stuck.since is None or not re.match(r"did not find expected (key|'-' indicator)", stuck.problem):
        return None
    start = stuck.line_start(stuck.at)
    before = stuck.text[start : stuck.at]
    if stuck.text[: stuck.at].endswith("\ufeff"):
        return _Spot(stuck.at - 1, stuck.at, "a byte-order mark stands here, within the text", "remove it")
    if before.strip() and not before.strip("- "):
        before = before[: before.index("-")]
    if before.strip():
        message = "this cannot follow what stands before it on the line"
        return _Spot(stuck.at, stuck.line_end(stuck.at), message, "put the whole value between one pair of quotes")
    column = stuck.since - stuck.line_start(stuck.since)
    is_list = "-" in stuck.problem
    what = f"{'list' if is_list else 'mapping'} that starts on line {stuck.number(stuck.since)}"
    second = (stuck.since, "it starts here")
    first = start + len(before)
    if stuck.text[stuck.at : stuck.at + 1] == ":":
        return _Spot(stuck.at, stuck.at + 1, "no key stands before this colon", "write a key before it")
    if len(before) == column:
        message = f"a {'key' if is_list else 'list item'} stands here, amid the {what}"
        return _Spot(first, stuck.line_end(first), message, "indent it to where it belongs, or give it a key", second)
    message = f"the indentation here ({_spaces(len(before))}) fits neither the {what} nor anything around it"
    fix = f"indent it by {_spaces(column)}, as line {stuck.number(stuck.since)}"
    above = stuck.line(len(stuck.text[:start].rstrip()))
    if (beside := len(above) - len(above.lstrip())) != column:
        fix += f", or by {_spaces(beside)}, as the line before"
    return _Spot(first, stuck.line_end(first), message, fix, second)


def _list_item(stuck: _Stuck) -> _Spot | None:
    if stuck.problem != "block sequence entries are not allowed in this context":
        return None
    item = stuck.text[stuck.at : stuck.line_end(stuck.at)].rstrip()
    fix = f"put `{cut(item)}` on a line of its own, or quote it where it is a text"
    return _Spot(stuck.at, stuck.at + len(item), "a list item cannot start on the line of its key", fix)


def _rest(stuck: _Stuck) -> _Spot:
    typed = cut(stuck.text[stuck.at : stuck.line_end(stuck.at)])
    end = stuck.at + 1
    if stuck.problem == "did not find expected node content":
        message = f"a value is missing before `{typed}`" if typed else "a value is missing at the end of the file"
        return _Spot(stuck.at, end, message, '"" where the value is empty')
    if stuck.problem == "did not find expected comment or line break" and "block scalar" in stuck.context:
        return _Spot(stuck.at, stuck.line_end(stuck.at), "a text after `|` or `>` starts on the next line", f"move {typed} there")
    if stuck.problem == "did not find expected <document start>":
        if re.search(r"^\.\.\.", stuck.text[: stuck.at], re.MULTILINE):
            return _Spot(stuck.at, end, "text after the end of the document (`...`)", "remove it, or the line ...")
        message = "the document ends before this line, which is indented less than its first"
        return _Spot(stuck.at, stuck.line_end(stuck.at), message, "indent both alike")
    problem = stuck.problem.removeprefix("found ") or "it is not well-formed"
    return _Spot(stuck.at, end, f"this is no YAML: {problem}", "correct it, or quote the text")


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces" if count else "no space"
