"""Widgets of diderot.interact: a slider for each number, boxes for vectors and other tensors.

Read next: _notebook.py.
"""

from __future__ import annotations

import contextlib
import math
import re

from . import _program
from ._errors import unknown_name
from ._memory import count_of
from ._types import is_array, shape_of
from ._values import nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Optional

    from ._described import Input
    from ._program import Program

_HINT = r"\[\s*(log\s+)?([-+.\deE]+)\s*\.\.\s*([-+.\deE]+)\s*\]"


def _ints_in(low: float, high: float, n_bits: int) -> tuple[int, int]:
    """The ints of the program within a range."""
    return max(math.ceil(low), -2**(n_bits - 1)), min(math.floor(high), 2**(n_bits - 1) - 1)


def range_of(known: Input, value: float, n_bits: int) -> tuple[float, float, bool]:
    """The range of a slider, and whether it is logarithmic: from a hint such as [0..1] or [log
    0.1..10] in the description, else around the default, as on the page of diderotc view. Ints have
    n_bits."""
    hint = re.search(_HINT, known.description)
    if hint:
        with contextlib.suppress(ValueError, OverflowError):
            low, high = float(hint[2]), float(hint[3])
            if known.type == "int":
                low, high = _ints_in(low, high, n_bits)
            if low < high and math.isfinite(high - low):
                return low, high, bool(hint[1]) and low > 0
    size = abs(value) or 1
    if known.type == "int":
        return (*_ints_in(-4 * size if value < 0 else 0, max(4 * size, 4), n_bits), False)
    return 0 if value > 0 else -4 * size, 4 * size, False


def step_of(low: float, high: float, value: float) -> float:
    """About a 400th of the range, with few digits, such that steps from the least number reach the
    value: browsers show the nearest value that steps reach."""
    about = (high - low) / 400
    unit = 10.0**math.floor(math.log10(about))
    step = max(k * unit for k in (1, 2, 5) if k * unit <= about * (1 + 1e-9))
    n_steps = (value - low) / step
    return step if abs(n_steps - round(n_steps)) < 1e-6 else (value - low) / round(n_steps + 0.5)


def _slider(widgets: Any, known: Input, value: Optional[float], n_bits: int) -> Any:
    """A slider for a number; without a default it starts in the middle of the hint's range, else at
    0. A box instead if a slider could not have steps: the range is too large or too small."""
    low, high, is_log = range_of(known, value or 0, n_bits)
    if value is None:
        value = low**0.5 * high**0.5 if is_log else low + (high - low) / 2
    low, high = min(low, value), max(high, value)
    if known.type == "int":
        return widgets.IntSlider(value=int(value), min=int(low), max=int(high),
                                 description=known.name)
    is_log = is_log and low > 0
    place: Callable[[float], float] = math.log10 if is_log else float
    least, most = place(low), place(high)
    try:
        step = step_of(least, most, place(value))
    except (ArithmeticError, ValueError):
        return _box(widgets, value, known.name)
    slider = widgets.FloatLogSlider if is_log else widgets.FloatSlider
    return slider(value=value, min=least, max=most, step=step, description=known.name,
                  readout_format=".4g")


_EMPTY = {"real": 0.0, "int": 0, "bool": False, "string": ""}


def _box(widgets: Any, value: Any, label: str) -> Any:
    """A box for a component of an input."""
    kinds = {bool: "Checkbox", int: "IntText", str: "Text"}
    return getattr(widgets, kinds.get(type(value), "FloatText"))(value=value, description=label)


def _parts(value: Any, label: str) -> Iterator[tuple[Any, str]]:
    """The components of a tensor, with labels by their indices."""
    if not isinstance(value, tuple):
        yield value, label
        return
    for k, part in enumerate(value):
        yield from _parts(part, "%s[%d]" % (label, k))


def _boxes(widgets: Any, known: Input, kind: Any, n_bits: int) -> Optional[tuple[list[Any],
           Callable[[Sequence[Any]], Any]]]:
    """Widgets for an input, and a function from their values to the input's; None: unsupported."""
    if is_array(kind):
        return None
    shape, scalar = shape_of(kind)
    value = known.default
    if not shape and scalar in ("real", "int") and (value is None or math.isfinite(value)):
        return [_slider(widgets, known, value, n_bits)], lambda values: values[0]
    if value is None:
        value = nested([_EMPTY[scalar]] * count_of(shape), shape)
    boxes = [_box(widgets, part, label) for part, label in _parts(value, known.name)]
    return boxes, list if shape else lambda values: values[0]


def made_boxes(widgets: Any, program: Program, fixed: Mapping[str, Any]) -> dict[str, Any]:
    """Widgets for each input that is not given, if there are some for its type or it is
    required."""
    for name in fixed:
        if name not in program.inputs:
            raise unknown_name("input", name, program.inputs)
    n_bits = int(program.library.description["int-size"])
    found = {name: _boxes(widgets, known, program.library.inputs[name]["type"], n_bits)
             for name, known in program.inputs.items() if name not in fixed}
    made = {name: boxes for name, boxes in found.items() if boxes}
    _program.check_given(program, {**fixed, **made})
    return made
