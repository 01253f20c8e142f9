"""Finding diderotc, running it, and reading its messages.

Compiled libraries are cached by diderotc itself (--cached), by all that they depend on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from typing import NamedTuple, NoReturn, Optional

from ._errors import CompileError, CompileWarning, Error
from ._memory import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any
    
    from ._library import Library
    
    Load = Callable[[dict[str, Any], str], Library]

SUFFIXES = (".diderot", ".ddro")
_HERE = os.path.dirname(os.path.abspath(__file__))

Span = tuple[tuple[int, int], tuple[int, int]]


class Diagnostic(NamedTuple):
    """A message of the compiler.

    severity  "error", "warning" or "remark"; of notes "note" or "help"
    text      its text
    span      ((line, column), (line, column)), counted from 1, in characters; the second is after
              the last one; None: it is not about a place
    hint      a remedy, or None
    code, name  as in the compiler's table of errors
    file      the name of the program
    notes     further messages, about other places
    """

    severity: str
    text: str
    span: Optional[Span]
    hint: Optional[str]
    code: str
    name: str
    file: Optional[str]
    notes: list[Diagnostic]


# ---- which compiler ---------------------------------------------------------------------------


def prefix() -> Optional[str]:
    """The folder in which a wheel has the compiler and its runtime; None: not from a wheel."""
    own = os.path.join(_HERE, "_prefix")
    return own if os.path.isfile(os.path.join(own, "bin", "diderotc")) else None


def find_diderotc() -> str:
    """$DIDEROTC, the compiler installed with this package, or the first one in $PATH."""
    given = os.environ.get("DIDEROTC")
    installed = os.path.join(prefix() or os.path.join(_HERE, "..", "..", ".."), "bin", "diderotc")
    found = given or (installed if os.path.isfile(installed) else shutil.which("diderotc"))
    if not found:
        raise Error("there is no diderotc, neither with this package nor in PATH: install the "
                    "compiler, or name it in DIDEROTC")
    return os.path.normpath(found) if os.sep in found else found


def _ziglang() -> Optional[str]:
    """The command for clang from the wheel ziglang, or None."""
    from importlib.util import find_spec
    spec = find_spec("ziglang")
    folder = os.path.dirname(spec.origin) if spec and spec.origin else ""
    if not os.path.isfile(os.path.join(folder, "zig")):
        return None
    if any(letter.isspace() for letter in folder):  # the variable is split into words
        return None
    return os.path.join(folder, "zig") + " cc"


def environment() -> dict[str, str]:
    """The environment of diderotc: with the C compiler of the extra cc if there is no other."""
    known = dict(os.environ)
    named = known.get("DIDEROT_CC", "").strip() or known.get("CC", "").strip()
    if not named and not any(map(shutil.which, ("cc", "clang", "gcc"))):
        ziglang = _ziglang()
        if ziglang:
            known["DIDEROT_CC"] = ziglang
    return known


# ---- what it says -----------------------------------------------------------------------------


def _span(entry: Mapping[str, Any]) -> Optional[Span]:
    if "start" not in entry:
        return None
    start, end = entry["start"], entry["end"]
    return (start["line"], start["column"]), (end["line"], end["column"])


def _diagnostic(entry: Mapping[str, Any]) -> Diagnostic:
    notes = [_diagnostic(note) for note in entry.get("notes", ())]
    hints = [note.text for note in notes if note.severity == "help"]
    return Diagnostic(entry["severity"], entry["message"], _span(entry),
                      hints[0] if hints else None, entry["code"], entry["name"],
                      entry.get("file"), notes)


_NOT_MADE = "no library was made: "  # diderotc's words before the reason


class _Job:
    """A program, as a file or as text for standard input, and options."""

    def __init__(self, name: str, text: Optional[str], options: Sequence[str]) -> None:
        self.command = [find_diderotc(), *options]
        self.name = name
        self.text = text

    def _run(self, options: Sequence[str], **variables: str) -> tuple[int, str, str]:
        words = self.command + [*options] + (["--stdin"] if self.text is not None else [])
        known = environment()
        known.update(variables)
        known.pop("DIDEROT_COMPAT", None)  # it changes the format of messages
        try:
            given = (self.text or "").encode("utf-8", "surrogateescape")
            done = subprocess.run(words + [self.name], input=given, env=known, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise Error("cannot run %s: %s" % (words[0], error.strerror)) from error
        except ValueError as error:  # undecodable characters, or NUL in an option
            raise Error("%s: %s" % (self.name, error)) from None
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode(
            "utf-8", "replace").strip()

    def diagnostics(self) -> list[Diagnostic]:
        """All messages about the program, as data."""
        _, told, _ = self._run(["--check", "--diagnostics=json"])
        try:
            return [_diagnostic(entry) for entry in json.loads(told)["diagnostics"]]
        except ValueError:  # not a document: the compiler itself failed
            return []

    def error(self, text: str) -> CompileError:
        known = self.diagnostics()
        return CompileError(text, known)

    def make(self, load: Load, is_kept: bool) -> Library:
        """Compile the library, and return load(description, path)."""
        doubt = ""
        if is_kept:
            status, told, said = self._run(["--cached"])
            if status == 0:
                try:
                    return self._loaded(load, told, said)
                except OSError as error:  # on a file system mounted noexec
                    doubt = "cannot be loaded from where it is kept: %s" % error
            else:
                problem = self.error(said)
                if any(known.severity == "error" for known in problem.diagnostics):
                    raise problem
                doubt = "is not kept: " + said.rpartition(_NOT_MADE)[2]
        with tempfile.TemporaryDirectory(prefix="diderot-") as folder:
            status, told, again = self._run(["--cached"], XDG_CACHE_HOME=folder)
            if status:
                raise self.error(again)
            try:
                made = self._loaded(load, told, again)
            except OSError as error:
                raise Error("cannot load the program's library: %s" % error) from None
            if doubt:
                warnings.warn("the program's library " + doubt, CompileWarning, stacklevel=4)
            return made

    def _loaded(self, load: Load, told: str, said: str) -> Library:
        path, _, description = told.partition("\n")
        try:
            known = json.loads(description)
        except ValueError:
            raise Error("%s describes no library with these options" % self.command[0]) from None
        made = load(known, path)
        if said:
            warnings.warn("\n" + said, CompileWarning, stacklevel=5)
        return made


def _constant(value: Any) -> str:
    """A value as a word of the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        return _constant(value.tolist())
    if isinstance(value, LISTS):
        return "[%s]" % ", ".join(map(_constant, value))
    return repr(value)


def _word(what: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Error("%s: expected a string, found %s" % (what, type(value).__name__))
    return value


def _name_and_text(source: Any, name: str) -> tuple[str, Optional[str]]:
    if isinstance(source, os.PathLike):
        return os.fspath(source), None
    if not isinstance(source, str):
        raise Error("%s is not a program: expected its text, or the name of its file" %
                    type(source).__name__)
    if "\n" not in source and source.endswith(SUFFIXES):
        return source, None
    if not source.strip() or ("\n" not in source and "{" not in source):
        raise Error("%r is neither the text of a program nor the name of a file that ends in "
                    ".diderot" % source)
    if not _word("name", name) or name.startswith("-"):
        raise Error("name: %r cannot be the name of a program" % name)
    return name + ".diderot", source


def make(source: Any, load: Load, *, name: str, target: str, double: bool, long_int: bool,
         snapshot: bool, constants: Optional[Mapping[str, Any]], cache: bool, debug: bool,
         arch: Optional[str], warning: str, options: Sequence[str]) -> tuple[str, Library]:
    """See diderot.compile."""
    words = ["--target=" + _word("target", target), "--no-warning=no-proxy",
             "--warnings=" + _word("warning", warning)]
    words += [word for word, is_given in (("--double", double), ("--long-int", long_int),
                                          ("--snapshot", snapshot), ("--debug", debug)) if is_given]
    words += ["--arch=" + _word("arch", arch)] if arch else []
    if constants is not None and not hasattr(constants, "items"):
        raise Error("constants: expected values by name, in a dictionary, found %s" %
                    type(constants).__name__)
    words += ["--C%s=%s" % (key, _constant(value)) for key, value in (constants or {}).items()]
    if isinstance(options, str) or not hasattr(options, "__iter__"):
        raise Error("options: expected a list of strings, found %r" % (options,))
    words += [_word("options", option) for option in options]
    file, text = _name_and_text(source, name)
    if text is None and not os.path.exists(file):
        raise Error("there is no program '%s'" % file)
    return file, _Job(file, text, words).make(load, cache)


# ---- the commands of a wheel ------------------------------------------------------------------


def _execute(tool: str) -> NoReturn:
    folder = prefix()
    if folder is None:
        sys.exit("%s did not come with this package" % tool)
    path = os.path.join(folder, "bin", tool)
    os.execve(path, [tool] + sys.argv[1:], environment())


def main() -> NoReturn:
    """diderotc, as installed by pip."""
    _execute("diderotc")


def main_array() -> NoReturn:
    """ddr-array, likewise."""
    _execute("ddr-array")
