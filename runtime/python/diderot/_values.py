"""Numbers, texts and counts that are given, checked before the library sees them."""

from __future__ import annotations

import ctypes
from operator import index

from ._errors import Error
from ._memory import shape_of_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def c_string(what: str, text: bytes) -> Any:
    """A text for the library."""
    if b"\0" in text:
        raise Error("%s: a string cannot hold a NUL character" % what)
    return ctypes.create_string_buffer(text)


def c_count(what: str, number: Any) -> int:
    """A number that is an uint32_t."""
    try:
        count = index(number)
    except TypeError:
        count = -1
    if not 0 <= count < 2**32:
        raise Error("%s: %r is not a whole number from 0 to 2**32 - 1" % (what, number))
    return count


def shortest(number: float) -> float:
    """A float as the shortest double that is the same float."""
    for digits in range(6, 10):
        told = float("%.*g" % (digits, number))
        if ctypes.c_float(told).value == number:
            return told
    return number


def nested(numbers: Sequence[Any], shape: Sequence[int]) -> Any:
    """A number, or tuples of that shape."""
    if not shape:
        return numbers[0]
    part = len(numbers) // shape[0]
    return tuple(nested(numbers[k * part:(k + 1) * part], shape[1:]) for k in range(shape[0]))


def shape_of_value(value: Any) -> tuple[int, ...]:
    """The extents of an array or of nested lists."""
    return tuple(value.shape if hasattr(value, "shape") else shape_of_lists(value))


def _numbers(value: Any) -> list[Any]:
    """All numbers of a value, row-major."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [number for element in value for number in _numbers(element)]
    return [value]


def reals(name: str, value: Any) -> list[Any]:
    """All numbers of a value, or what is wrong with it."""
    numbers = _numbers(value)
    for number in numbers:
        if isinstance(number, (str, bytes, complex)) or not hasattr(number, "__float__"):
            raise Error("%s: %r is not a number" % (name, number))
    return numbers
