"""Widgets of diderot.interact: a slider for each number, boxes for vectors and what else has parts.

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

    from ._program import Input, Program

_HINT = r"\[\s*(log\s+)?([-+.\deE]+)\s*\.\.\s*([-+.\deE]+)\s*\]"


def range_of(known: Input, value: float) -> tuple[float, float, bool]:
    """From where to where a slider goes, and whether in powers: by a hint such as [0..1] or
    [log 0.1..10] in the description, else around the default, as on the page of diderotc view."""
    hint = re.search(_HINT, known.description)
    if hint:
        with contextlib.suppress(ValueError):
            low, high = float(hint[2]), float(hint[3])
            if low < high and math.isfinite(high - low):
                return low, high, bool(hint[1]) and low > 0
    size = abs(value) or 1
    if known.type == "int":
        return -4 * size if value < 0 else 0, max(4 * size, 4), False
    return 0 if value > 0 else -4 * size, 4 * size, False


def step_of(low: float, high: float, value: float) -> float:
    """About a 400th of the range, with few digits, so that steps from the least number meet the
    value: browsers show the nearest one that they meet."""
    about = (high - low) / 400
    unit = 10.0**math.floor(math.log10(about))
    step = max(k * unit for k in (1, 2, 5) if k * unit <= about * (1 + 1e-9))
    n_steps = (value - low) / step
    return step if abs(n_steps - round(n_steps)) < 1e-6 else (value - low) / round(n_steps + 0.5)


def _slider(widgets: Any, known: Input, value: Optional[float]) -> Any:
    """For a number; without a default it begins in the middle of what a hint says, else with 0."""
    low, high, is_log = range_of(known, value or 0)
    if value is None:
        value = (low * high)**0.5 if is_log else (low + high) / 2
    if known.type == "int":
        return widgets.IntSlider(value=int(value), min=int(min(low, value)),
                                 max=int(max(high, value)), description=known.name)
    shown: dict[str, Any] = {"value": value, "description": known.name, "readout_format": ".4g"}
    if is_log and low <= value <= high:
        least, most = math.log10(low), math.log10(high)
        return widgets.FloatLogSlider(min=least, max=most,
                                      step=step_of(least, most, math.log10(value)), **shown)
    low, high = min(low, value), max(high, value)
    return widgets.FloatSlider(min=low, max=high, step=step_of(low, high, value), **shown)


_EMPTY = {"real": 0.0, "int": 0, "bool": False, "string": ""}


def _box(widgets: Any, value: Any, label: str) -> Any:
    """For a part of an input."""
    kinds = {bool: "Checkbox", int: "IntText", str: "Text"}
    return getattr(widgets, kinds.get(type(value), "FloatText"))(value=value, description=label)


def _parts(value: Any, label: str) -> Iterator[tuple[Any, str]]:
    """Each number of a tensor, with its index."""
    if not isinstance(value, tuple):
        yield value, label
        return
    for k, part in enumerate(value):
        yield from _parts(part, "%s[%d]" % (label, k))


def _boxes(widgets: Any, known: Input, kind: Any) -> Optional[tuple[list[Any],
           Callable[[Sequence[Any]], Any]]]:
    """Widgets for an input, and what makes its value of theirs; None: it has none."""
    if is_array(kind):
        return None
    shape, scalar = shape_of(kind)
    value = known.default
    if not shape and scalar in ("real", "int") and (value is None or math.isfinite(value)):
        return [_slider(widgets, known, value)], lambda values: values[0]
    if value is None:
        value = nested([_EMPTY[scalar]] * count_of(shape), shape)
    boxes = [_box(widgets, part, label) for part, label in _parts(value, known.name)]
    return boxes, list if shape else lambda values: values[0]


def made_boxes(widgets: Any, program: Program, fixed: Mapping[str, Any]) -> dict[str, Any]:
    """For each input that is not given, if it can have some, or must be."""
    for name in fixed:
        if name not in program.inputs:
            raise unknown_name("input", name, program.inputs)
    found = {name: _boxes(widgets, known, program.library.inputs[name]["type"])
             for name, known in program.inputs.items() if name not in fixed}
    made = {name: boxes for name, boxes in found.items() if boxes}
    _program.check_given(program, {**fixed, **made})
    return made
