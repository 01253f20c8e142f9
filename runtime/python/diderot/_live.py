"""The page of `diderotc view`, from Python: diderot.view("vr.diderot", vol="head.nrrd")."""

from __future__ import annotations

import html
import numbers
import os
import subprocess
import tempfile
import weakref

from . import _compiler
from ._errors import Error
from ._memory import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Optional, Union

    from ._program import Program

    Path = Union[str, os.PathLike[str]]

_WHAT = "numbers, truth values, names of files, and lists of these"


def _words(name: str, value: Any) -> Iterator[str]:
    """An input as words of the command line."""
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, (str, os.PathLike)):
        yield os.fspath(value)
    elif isinstance(value, numbers.Real):
        yield repr(float(value)) if not isinstance(value, numbers.Integral) else str(int(value))
    elif isinstance(value, LISTS) or hasattr(value, "tolist"):
        for part in value if isinstance(value, LISTS) else value.tolist():
            yield from _words(name, part)
    else:
        raise Error("view takes %s; %s is a %s" % (_WHAT, name, type(value).__name__))


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
    process.wait()
    if process.stdout:
        process.stdout.close()


class View:
    """A page that is being served, until it is closed, dropped, or Python ends. Notebooks show it in a frame.

    address    of the page, with its key: who knows it can run the program
    """

    def __init__(self, command: Sequence[str], height: int) -> None:
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            try:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                           stderr=said, env=_compiler.environment(), text=True)
            except OSError as error:
                raise Error("cannot run %s: %s" % (command[0], error.strerror)) from None
            self._close = weakref.finalize(self, _end, process)
            self._height = height
            assert process.stdout
            self.address = process.stdout.readline().strip()
            if not self.address.startswith("http://"):
                self.close()
                said.seek(0)
                raise Error(said.read().strip() or
                            "diderotc view ended with status %d" % process.returncode)

    def close(self) -> None:
        self._close()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<diderot.View %s>" % (self.address if self._close.alive else "closed")

    def _repr_html_(self) -> str:
        if not self._close.alive:
            return "<p>closed</p>"
        return ('<iframe src="%s" width="100%%" height="%d" style="border:0"></iframe>'
                % (html.escape(self.address), self._height))


def view(source: Union[Program, Path], *, files: Optional[Path] = None, options: Sequence[str] = (),
         height: int = 640, **inputs: Any) -> View:
    """The page of `diderotc view`: the picture of a program, with a control for each input.

    source     a file that ends in .diderot, or a Program of one; saving it recomputes the picture
    files      folder from which the page may open files; None: that of the program
    options    further options of diderotc, such as --double
    height     of the frame in notebooks, in pixels
    inputs     initial values of controls: numbers, truth values, names of files, lists of these

    Raises Error when there is no such program, or no page can be served.
    """
    if isinstance(source, (str, os.PathLike)):
        file = os.fspath(source)
    elif not hasattr(source, "file"):
        raise Error("view needs a file or a Program; this is a %s" % type(source).__name__)
    else:
        file, inputs = source.file, source.library.named(inputs)
        if not os.path.isfile(file):
            raise Error("view needs a program of a file, and there is no %s; one of a text has none"
                        % file)
    if not file.endswith(_compiler.SUFFIXES):
        raise Error("view needs a file that ends in .diderot or .ddro, not %r" % file)
    command = [_compiler.find_diderotc(), "view", "--no-browser", *options]
    if files is not None:
        command.append("--files=" + os.fspath(files))
    command += [file, "--"]
    for name, value in inputs.items():
        command += ["-" + name, *_words(name, value)]
    return View(command, height)
