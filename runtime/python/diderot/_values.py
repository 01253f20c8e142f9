"""Checks numbers, texts and counts before they are passed to the library."""

from __future__ import annotations

import ctypes
import os
from operator import index

from ._errors import Error
from ._memory import LISTS, check_mask, flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn


def c_string(what: str, text: bytes) -> Any:
    """Bytes as a C string for the library."""
    if b"\0" in text:
        raise Error("%s: a string cannot hold a NUL character" % what)
    return ctypes.create_string_buffer(text)


def _encoded(what: str, text: Any, encode: Callable[[Any], bytes]) -> bytes:
    try:
        return encode(text)
    except UnicodeEncodeError:
        raise Error("%s: %r has characters that cannot be encoded" % (what, text)) from None


def utf_8(what: str, text: Any) -> bytes:
    """The bytes of a text, or of a path."""
    if not isinstance(text, (str, os.PathLike)):
        raise Error("%s: expected a string, found %s" % (what, type(text).__name__))
    return _encoded(what, text, str.encode if isinstance(text, str) else os.fsencode)


def c_path(what: str, path: Any) -> Any:
    """A file name for the library."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise Error("%s: expected the name of a file, found %s" % (what, type(path).__name__))
    return c_string(what, _encoded(what, path, os.fsencode))


def c_count(what: str, number: Any) -> int:
    """A number within uint32_t."""
    try:
        count = index(number)
    except TypeError:
        count = -1
    if not 0 <= count < 2**32:
        raise Error("%s: %r is not a whole number from 0 to 2**32 - 1" % (what, number))
    return count


def shortest(number: float) -> float:
    """The shortest double that rounds to the same float."""
    for digits in range(6, 10):
        told = float("%.*g" % (digits, number))
        if ctypes.c_float(told).value == number:
            return told
    return number


def nested(numbers: Sequence[Any], shape: Sequence[int]) -> Any:
    """A number, or nested tuples of that shape."""
    if not shape:
        return numbers[0]
    part = len(numbers) // shape[0]
    return tuple(nested(numbers[k * part:(k + 1) * part], shape[1:]) for k in range(shape[0]))


def _as_lists(value: Any) -> Any:
    """An array, or lists of arrays, as nested lists."""
    check_mask(value)
    if hasattr(getattr(value, "values", None), "tolist"):  # xarray
        value = value.values
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(map(_as_lists, value)) if isinstance(value, LISTS) else value


def _is_number(value: Any) -> bool:
    """Whether it converts to a float, though perhaps out of range."""
    if isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
        return False
    try:
        float(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):  # Decimal("sNaN")
        return False
    return True


def shaped_reals(name: str, value: Any,
                 wanted: str = "number") -> tuple[tuple[int, ...], list[Any]]:
    """Shape and numbers of a value, row-major; raises if they are invalid."""
    def refuse() -> NoReturn:
        raise Error("%s: nested lists must have the same length everywhere" % name)

    try:
        lists = _as_lists(value)
    except Error as error:
        raise Error("%s: %s" % (name, error)) from None
    shape, numbers = flatten(lists, refuse)
    for number in numbers:
        if not _is_number(number):
            raise Error("%s: %r is not a %s" % (name, number, wanted))
    return tuple(shape), numbers


def reals(name: str, value: Any) -> list[Any]:
    """All numbers of a value."""
    return shaped_reals(name, value)[1]
