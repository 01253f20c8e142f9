"""Types of elements, numbers of these types, and arrays from nested lists of numbers."""

from __future__ import annotations

import ctypes
import math
import operator
from ctypes import c_bool, c_double, c_float

from . import _arrays
from ._arrays import ELEMENTS, Number, refuse
from ._memory import TYPES, flatten, is_scalar, packed_strides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional, Union

# ---- elements and numbers ---------------------------------------------------------------------

_RANGES = {name: (-2**(8 * size - 1), 2**(8 * size - 1) - 1) if kind == "int" else
           (0, 2**(8 * size) - 1) for name, size, kind, _ in ELEMENTS if kind in ("int", "uint")}


def code_of(kind: Any) -> int:
    """The code of a type, given as a name such as "float32" or "f4", a dtype of numpy, bool, int,
    float, or complex."""
    if kind.__class__ is str and kind in _arrays.CODES:
        return _arrays.CODES[kind]
    if isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind < len(ELEMENTS):
        return kind
    named = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}.get(kind)
    name = named or getattr(kind, "name", None) or getattr(kind, "__name__", None) or kind
    if name not in _arrays.CODES:
        refuse("ETYPE", "there is no type %r; types are %s" % (
            kind, ", ".join(name for name, *_ in ELEMENTS)))
    return _arrays.CODES[name]


def of_each_axis(value: Any, n_axes: int) -> Any:
    """A single number stands for all axes. An array of numpy has an __index__ as well."""
    is_one = hasattr(value, "__index__") and not getattr(value, "ndim", 0)
    return (operator.index(value),) * n_axes if is_one else value


def extents_of(shape: Sequence[int], size: int) -> Sequence[int]:
    """A shape with `size` elements; one extent may be -1, and is computed from the others."""
    others = math.prod(extent for extent in shape if extent != -1)
    if others <= 0 or sum(extent == -1 for extent in shape) != 1:
        return shape
    if size % others != 0:
        refuse("ESHAPE", "reshape%r of %d elements" % (tuple(shape), size))
    return [size // others if extent == -1 else extent for extent in shape]


def _fitting(value: Union[bool, int, float, complex], like: int) -> str:
    """The type of a number that is used together with elements of type `like`."""
    name, _, kind, _ = ELEMENTS[like]
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        if kind in ("real", "complex"):
            return name
        if kind == "bool":
            return "int64"
        least, greatest = _RANGES[name]
        if least <= value <= greatest:
            return name
        return "int64" if -2**63 <= value < 2**63 else "uint64"
    if isinstance(value, float):
        return name if kind in ("real", "complex") else "float64"
    if kind == "complex":
        return name
    return "complex64" if name == "float32" else "complex128"


_RANGES_OF_CODES = [_RANGES.get(name, (0, -1)) for name, *_ in ELEMENTS]
_REALS = {_arrays.CODES["float32"]: c_float, _arrays.CODES["float64"]: c_double}


def number_of(value: Any, like: int) -> Number:
    """A Python number for the library: of type `like` if that can represent it, else of the
    smallest type that can."""
    if value.__class__ is int:  # a fast path for the usual case
        least, greatest = _RANGES_OF_CODES[like]
        if least <= value <= greatest:
            return Number(like, value if value < 2**63 else value - 2**64, 0, 0)
        if like in _REALS and -2**63 <= value < 2**63:
            return Number(like, 0, _REALS[like](value).value, 0)
    elif value.__class__ is float and like in _REALS:
        return Number(like, 0, _REALS[like](value).value, 0)
    if hasattr(value, "item") and not isinstance(value, (bool, int, float, complex)):
        value = value.item()  # a scalar of numpy
    if not isinstance(value, (bool, int, float, complex)):
        refuse("ETYPE", "%s is not a number" % type(value).__name__)
    name = _fitting(value, like)
    if isinstance(value, int) and not -2**63 <= value < 2**64:
        refuse("EOVERFLOW", str(value))
    code = _arrays.CODES[name]
    if isinstance(value, int) and ELEMENTS[code][2] in ("bool", "int", "uint"):
        return Number(code, int(value) - (2**64 if value >= 2**63 else 0), 0, 0)
    parts = complex(value)
    re, im = parts.real, parts.imag
    if name in ("float32", "complex64"):
        re, im = c_float(re).value, c_float(im).value
    return Number(code, 0, re, im)


def _is_int(value: Any) -> bool:
    return hasattr(value, "__index__") and is_number(value)


def are_reversed(low: Any, high: Any) -> bool:
    """Whether bounds that are ints exclude all numbers."""
    return _is_int(low) and _is_int(high) and operator.index(low) > operator.index(high)


def bound_of(value: Any, like: int) -> Any:
    """A bound for elements of ints that is an int: the nearest they have. Others as they are."""
    least, greatest = _RANGES_OF_CODES[like]
    if _is_int(value) and least < greatest:
        return max(least, min(operator.index(value), greatest))
    return value


def value_of(number: Number) -> Union[bool, int, float, complex]:
    """The Python number of a result."""
    name, _, kind, _ = ELEMENTS[number.type]
    if kind == "bool":
        return bool(number.integer)
    if kind == "complex":
        return complex(number.re, number.im)
    if kind == "real":
        return float(number.re)
    return int(number.integer) + (2**64 if name == "uint64" and number.integer < 0 else 0)


def text_of(shape: Sequence[int]) -> str:
    """A shape as text for messages."""
    return " x ".join(str(extent) for extent in shape) or "no axes"


# ---- nested lists -----------------------------------------------------------------------------

C_TYPES = {name: kind for name, (_, kind) in TYPES.items()}
C_TYPES.update({"bool": c_bool, "complex64": c_float, "complex128": c_double})  # parts


NUMBERS = frozenset((bool, int, float, complex))


def is_number(value: Any) -> bool:
    """Whether it is a number of Python or numpy, or a cell."""
    if value.__class__ in NUMBERS:  # the usual case
        return True
    return isinstance(value, (bool, int, float, complex)) or (
        hasattr(value, "item") and hasattr(value, "dtype") and value.shape == ())


def is_cell(value: Any) -> bool:
    """Whether it is an array of another package without axes."""
    return hasattr(value, "dtype") and is_number(value) and not is_scalar(value)


def _type_of_numbers(numbers: Sequence[Any]) -> str:
    for kind, name in ((complex, "complex128"), (float, "float64")):
        if any(isinstance(number, kind) for number in numbers):
            return name
    is_bool = numbers and all(isinstance(number, bool) for number in numbers)
    return "bool" if is_bool else "int64" if numbers else "float64"


def memory_of_lists(value: Any, kind: Optional[Any]) -> _arrays.Memory:
    """Memory with the numbers of nested lists, of a given type or that of the numbers."""
    shape, numbers = flatten(value, lambda: refuse("ESHAPE", "nested lists of different lengths"))
    kind = kind or getattr(value, "dtype", None)
    if not all(is_number(number) for number in numbers):
        refuse("ETYPE", "%s is not an array of numbers" % type(value).__name__)
    numbers = [number.item() if hasattr(number, "item") else number for number in numbers]
    code = code_of(kind or _type_of_numbers(numbers))
    name, size, family, _ = ELEMENTS[code]
    if family == "complex":
        numbers = [part for number in map(complex, numbers) for part in (number.real, number.imag)]
    for number in numbers if name in _RANGES else []:
        if not _RANGES[name][0] <= number <= _RANGES[name][1]:
            refuse("EOVERFLOW", "%s as %s" % (number, name))
    try:
        held = (C_TYPES[name] * max(1, len(numbers)))(*numbers)
    except TypeError as failure:
        return refuse("ETYPE", "numbers as %s: %s" % (name, failure))
    return _arrays.Memory(ctypes.addressof(held), code, shape, packed_strides(shape, size),
                          False, held)
