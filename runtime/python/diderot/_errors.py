"""Errors and warnings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._compiler import Diagnostic


class Error(Exception):
    """Errors that the library recorded, newest first, or a problem with a value."""


class CompileError(Error):
    """The messages about a program that does not compile, as on the command line.

    diagnostics  the same as data: a list of messages with severity, text, span, hint, ...
    """

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.diagnostics = list(diagnostics)


class CompileWarning(UserWarning):
    """The warnings of the compiler about a program."""


def nearest(name: Any, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known one."""
    from difflib import get_close_matches
    near = get_close_matches(str(name), list(known), 1)
    return "; did you mean %r?" % near[0] if near else ""


def unknown_name(what: str, name: Any, known: Iterable[str]) -> Error:
    """The error for a name that a program does not have."""
    return Error("the program has no %s %r%s" % (what, name, nearest(name, known)))
