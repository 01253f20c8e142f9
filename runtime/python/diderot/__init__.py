"""Programs in Diderot from Python: values in, arrays out.

    import diderot

    iso = diderot.compile("iso.diderot")            # or the text of a program
    print(iso(img=samples, level=0.5).pos)

    iso = diderot.Library("iso.json")               # of diderotc --json; iso.so is beside it
    with iso.world(img=samples, level=0.5) as world:
        world.run()
        print(world["pos"])

The module diderot.array has arrays of its own: views, transforms, reductions and convolutions.

Needs only the standard library. Inputs are objects that export their memory (numpy, array.array,
memoryview) or nested lists. Outputs are numpy arrays where numpy is installed, else
memoryviews. Shapes are slowest axis first, the axes of vectors and tensors last.
"""

from __future__ import annotations

from ._errors import CompileError, CompileWarning, Error
from ._images import Frame, Image
from ._library import Library
from ._memory import empty
from ._shown import Sequences
from ._world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._compiler import Diagnostic as Diagnostic
    from ._described import Input as Input
    from ._described import Output as Output
    from ._live import View as View
    from ._live import view as view
    from ._notebook import interact as interact
    from ._program import Program, Result
    from ._program import Stats as Stats
    from ._program import compile as compile
    from ._progress import Progress as Progress

__all__ = ["CompileError", "CompileWarning", "Error", "Frame", "Image", "Library", "Program", "Result",
           "Sequences", "World", "empty"]  # and compile, which is also a builtin of Python

# Names that are imported on first use, and their modules.
_LATER = {"compile": "_program", "Program": "_program", "Result": "_program", "Input": "_described",
          "Output": "_described", "Stats": "_program", "Progress": "_progress",
          "Diagnostic": "_compiler", "interact": "_notebook", "View": "_live", "view": "_live"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError("module 'diderot' has no attribute %r" % name)
    from importlib import import_module
    found = globals()[name] = getattr(import_module("." + _LATER[name], __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LATER))


def load_ipython_extension(shell: Any) -> None:
    """%load_ext diderot: the magics %%diderot and %diderot_doc."""
    from . import _notebook
    _notebook.load(shell)
