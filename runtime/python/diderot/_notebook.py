"""Notebooks: %load_ext diderot, %%diderot, %diderot_doc, and diderot.interact."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
import warnings
from keyword import iskeyword

from . import _compiler, _controls, _described, _pictures, _program
from ._errors import CompileError, CompileWarning, Error, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional

    from ._program import Program, Result

_MAGIC = """usage: %%diderot NAME [--double] [--long-int] [--snapshot] [--debug] [--target=T] [--CNAME=VALUE]

Compiles the cell to the program NAME."""

_FLAGS = {"--double": "double", "--long-int": "long_int", "--snapshot": "snapshot",
          "--debug": "debug"}


# ---- magics -----------------------------------------------------------------------------------


def _coloured(text: str) -> str:
    """Coloured text for terminals and notebooks: errors red, warnings yellow, places bold."""
    import re
    text = re.sub(r"(?m)^(\[[^\]]*\])", "\033[1m\\1\033[0m", text)
    text = re.sub(r"(?m)(?<= )(Error:)|^(Error:)", "\033[31m\\g<0>\033[0m", text)
    text = re.sub(r"(?<= )(Warning:)", "\033[33m\\1\033[0m", text)
    return re.sub(r"(?m)^( *\| *)([~^]+)$", "\\1\033[31m\\2\033[0m", text)


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:  # unbalanced quotes
        raise Error("%s: %s\n%s" % (line, error, _MAGIC)) from None


def _arguments(line: str) -> tuple[str, dict[str, Any]]:
    """The name and the arguments for compile."""
    given: dict[str, Any] = {}
    constants: dict[str, str] = {}
    name = None
    for word in _split(line):
        if word in _FLAGS:
            given[_FLAGS[word]] = True
        elif word.startswith("--target="):
            given["target"] = word.split("=", 1)[1]
        elif word.startswith("--C") and "=" in word:
            key, value = word[3:].split("=", 1)
            constants[key] = value
        elif name is None and word.isidentifier():
            name = word
        else:
            raise Error("%r is neither an option nor a name\n%s" % (word, _MAGIC))
    if name is None:
        raise Error("the program needs a name\n" + _MAGIC)
    if iskeyword(name):
        raise Error("%r is a word of Python, and cannot be the name of a program" % name)
    return name, dict(given, constants=constants)


def compile_cell(shell: Any, line: str, cell: str) -> None:
    """%%diderot NAME: errors in the cell are shown without a traceback."""
    try:
        name, given = _arguments(line)
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always", CompileWarning)
            made = _program.compile(cell + "\n", name=name, **given)
        for doubt in doubts:
            print(_coloured(str(doubt.message).strip()), file=sys.stderr)
        shell.user_ns[name] = made
    except (CompileError, Error) as error:
        print(_coloured(str(error)), file=sys.stderr)


def _table(name: str) -> list[list[str]]:
    """A table of the compiler's documentation: headings, a separator line, rows."""
    told = subprocess.run([_compiler.find_diderotc(), "--doc=" + name], check=True,
                          stdout=subprocess.PIPE).stdout.decode("utf-8")
    return [[cell.strip("` ").replace("\\|", "|") for cell in line[2:-2].split(" | ")]
            for line in told.splitlines() if line.startswith("|")]


_KINDS = {"type": "a type", "value": "a value", "operator": "an operator",
          "character": "a character"}


def _words() -> list[list[str]]:
    """Kind and spelling of each keyword and operator of the language."""
    told = subprocess.run([_compiler.find_diderotc(), "--doc=words"], check=True,
                          stdout=subprocess.PIPE).stdout.decode("utf-8")
    return [line.split(" ", 1) for line in told.splitlines()]


def lines_about(word: str) -> list[str]:
    """What the compiler's tables say about a builtin, a kernel, a character or a keyword."""
    lines = ["  ".join(row) for row in _table("builtins")[2:] if row[0] == word]
    for name in ("kernels", "unicode"):
        headings, _, *rows = _table(name)
        lines += ["  ".join([row[0], *map(" ".join, zip(headings[1:], row[1:]))])
                  for row in rows if row[0] == word]
    words = _words()
    if not lines:
        lines = ["%s  %s" % (word, _KINDS.get(kind, "a keyword"))
                 for kind, known in words if known == word]
    return lines or ["the language has no %r%s" % (word, nearest(word, (row[1] for row in words)))]


def show_doc(line: str) -> None:
    """%diderot_doc WORD"""
    word = line.strip("` ")
    try:
        lines = lines_about(word) if word else ["usage: %diderot_doc NAME, such as ∇ or ctmr"]
        print("\n".join(lines))
    except Error as error:
        print(error, file=sys.stderr)


def load(shell: Any) -> None:
    """%load_ext diderot"""
    shell.register_magic_function(lambda line, cell: compile_cell(shell, line, cell), "cell",
                                  "diderot")
    shell.register_magic_function(show_doc, "line", "diderot_doc")


# ---- how they look ----------------------------------------------------------------------------


def html_of_program(program: Program) -> str:
    from html import escape
    rows = [(known.name, known.type, _described.default_text(known), known.description)
            for known in program.inputs.values()]
    rows += [("&rarr; " + known.name, known.type, "", known.description)
             for known in program.outputs.values()]
    cells = "".join("<tr>%s</tr>" % "".join(
        "<td style='text-align:left'>%s</td>" % (text if k == 0 else escape(text))
        for k, text in enumerate(row)) for row in rows)
    return "<b>%s</b><table>%s</table>" % (escape(program.name), cells)


def html_of_result(result: Result) -> str:
    from html import escape
    parts = [_pictures.html_of(name, _plain(result[name])) for name in result]
    tail = "<div>%d strands, %d steps, %.3g s</div>" % (
        result.stats.strands, result.stats.steps, result.stats.seconds)
    printed = "<pre>%s</pre>" % escape(result.printed[:4000]) if result.printed else ""
    return "".join(parts) + printed + tail


def _plain(found: Any) -> Any:
    return getattr(found, "values", found)  # a DataArray


def _picture_of(result: Result) -> Any:
    """The first output that is a picture, or None."""
    return next(filter(_pictures.is_picture, (_plain(result[name]) for name in result)), None)


def png_of_result(result: Result) -> Optional[bytes]:
    found = _picture_of(result)
    return None if found is None else _pictures.png_of(found)


# ---- interaction ------------------------------------------------------------------------------


class Latest:
    """Work in a thread of its own, one call at a time; calls that are outdated before they start
    are dropped."""

    def __init__(self, work: Callable[[Any], None]) -> None:
        self._work = work
        self._waiting: Optional[tuple[Any]] = None
        self._is_running = False
        self._lock = threading.Condition()

    def ask(self, value: Any) -> None:
        with self._lock:
            self._waiting = (value,)
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                if self._waiting is None:
                    self._is_running = False
                    self._lock.notify_all()
                    return
                (value,), self._waiting = self._waiting, None
            try:
                self._work(value)
            except BaseException:
                with self._lock:  # the next request starts a new thread
                    self._is_running = False
                    self._lock.notify_all()
                raise

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Wait until nothing is pending; false after a timeout."""
        with self._lock:
            return self._lock.wait_for(lambda: not self._is_running, timeout)


def interact(program: Program, **fixed: Any) -> Any:
    """Sliders for the numbers among the inputs that are not given, boxes for vectors, and the first
    picture among the outputs beside them, made anew when something moves. Descriptions may set the
    range of a slider: [0..1], or [log 0.1..10]."""
    try:
        import ipywidgets as widgets
    except ImportError:
        raise Error("diderot.interact needs ipywidgets") from None
    if not isinstance(program, _program.Program):
        raise Error("interact: expected a program, found %s" % type(program).__name__)
    fixed = program.library.named(fixed)
    made = _controls.made_boxes(widgets, program, fixed)
    picture, said = widgets.Image(format="png"), widgets.HTML()

    def work(inputs: dict[str, Any]) -> None:
        try:
            result = program.run(inputs)
            shown = _picture_of(result)
            picture.layout.display = "none" if shown is None else None
            picture.value = b"" if shown is None else _pictures.png_of(shown)
            if shown is not None:
                picture.width, picture.height = map(str, _pictures.size_of(shown))
            said.value = ("%.3g s" % result.stats.seconds if shown is not None
                          else html_of_result(result))
        except Exception as error:  # its package may raise anything
            from html import escape
            said.value = "<pre>%s</pre>" % escape(str(error) or type(error).__name__)

    latest = Latest(work)

    def ask(_: Any = None) -> None:
        inputs = dict(fixed)
        for name, (boxes, value_of) in made.items():
            inputs[name] = value_of([box.value for box in boxes])
        latest.ask(inputs)

    boxes = [box for all_of_one, _ in made.values() for box in all_of_one]
    for box in boxes:
        box.observe(ask, "value")
    ask()
    whole = widgets.HBox([widgets.VBox(boxes), widgets.VBox([picture, said])])
    whole.diderot_latest = latest
    return whole
