"""Memory that values export: numpy arrays, objects with the buffer protocol, nested lists.

Only lists are copied. Read next: _shown.py (outputs).
"""

from __future__ import annotations

import array
import ctypes
import mmap
import sys

from ._errors import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

# For each type of descriptions: its code for struct and memoryview, and its ctype.
TYPES: dict[str, tuple[str, Any]] = {
    "int8": ("b", ctypes.c_int8),
    "uint8": ("B", ctypes.c_uint8),
    "int16": ("h", ctypes.c_int16),
    "uint16": ("H", ctypes.c_uint16),
    "int32": ("i", ctypes.c_int32),
    "uint32": ("I", ctypes.c_uint32),
    "int64": ("q", ctypes.c_int64),
    "uint64": ("Q", ctypes.c_uint64),
    "float32": ("f", ctypes.c_float),
    "float64": ("d", ctypes.c_double),
}

NATIVE = "<" if sys.byteorder == "little" else ">"  # byte order


def numpy_if_any() -> Any:
    """The module numpy, or None."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class Memory:
    """Where an array is: address, type, shape, strides in bytes, readable bytes after it, and the
    object that keeps it alive."""

    def __init__(self, address: int, kind: str, shape: Sequence[int], strides: Sequence[int],
                 spare: int, owner: Any) -> None:
        self.address = address
        self.kind = kind
        self.shape = tuple(shape)
        self.strides = tuple(strides)
        self.spare = spare
        self.owner = owner

    def is_packed(self) -> bool:
        """Whether its elements are contiguous, the last axis fastest."""
        return self.strides == packed_strides(self.shape, size_of(self.kind))

    def with_axes(self, shape: Sequence[int], strides: Sequence[int]) -> Memory:
        """The same with other axes."""
        return Memory(self.address, self.kind, shape, strides, self.spare, self.owner)


def size_of(kind: str) -> int:
    """The size of an element in bytes."""
    return ctypes.sizeof(TYPES[kind][1])


def _rest_of_page(memory: Memory) -> int:
    """Bytes after an array in a mapped file (numpy.memmap), up to the end of a page."""
    owner = memory.owner
    while getattr(owner, "base", None) is not None:
        owner = owner.base
    if not isinstance(owner, mmap.mmap) or 0 in memory.shape:
        return 0
    end = memory.address + size_of(memory.kind) + sum(
        max(0, (extent - 1) * stride) for extent, stride in zip(memory.shape, memory.strides))
    return -end % mmap.PAGESIZE


def spare_of(memory: Memory) -> int:
    """Readable bytes after an array. If they are too few for some programs, the largest number,
    which in a view means: do not copy the array for their sake."""
    spare = max(memory.spare, _rest_of_page(memory))
    return spare if spare >= 16 * size_of(memory.kind) else ctypes.c_size_t(-1).value


def count_of(shape: Sequence[int]) -> int:
    """The number of elements of a shape."""
    count = 1
    for extent in shape:
        count *= extent
    return count


def packed_strides(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """Strides in bytes, without gaps."""
    strides = []
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))


def kind_of_code(letter: str, size: int) -> str:
    """The name of a type with a letter and size of the array interface, such as f and 4."""
    family = {"f": "float", "i": "int", "u": "uint", "b": "uint"}.get(letter)
    name = "%s%d" % (family, 8 * size)
    if name not in TYPES:
        raise Error("arrays of type %s%d are no arrays of numbers" % (letter, size))
    return name


# ---- the array interface ----------------------------------------------------------------------


def is_scalar(value: Any) -> bool:
    """Whether it is a scalar of numpy or others, whose exported memory is temporary."""
    return (hasattr(value, "item") and hasattr(value, "dtype") and
            getattr(value, "shape", None) == () and not hasattr(value, "__setitem__"))


def place_of(interface: Any, value: Any) -> tuple[int, bool, Any]:
    """Address, whether it is read-only, and the object to keep alive, from an array's interface;
    the memory may belong to another object, or be the array's buffer."""
    data = interface.get("data")
    if isinstance(data, tuple):
        return data[0], bool(data[1]), value
    try:
        buffer = Buffer(value if data is None else data)
    except (TypeError, BufferError):
        raise Error("%s shows no memory" % type(value).__name__) from None
    address = buffer.address + interface.get("offset", 0)
    low, high = _bounds(interface, address)
    end = buffer.address + count_of(buffer.shape) * buffer.size
    if buffer.strides != packed_strides(buffer.shape, buffer.size) or (
            0 not in interface["shape"] and not buffer.address <= low <= high <= end):
        raise Error("%s reaches beyond the memory that it shows" % type(value).__name__)
    return address, buffer.is_constant, (buffer, value)


def _bounds(interface: Any, address: int) -> tuple[int, int]:
    """Addresses of the first byte of an array, from its interface, and past the last one."""
    size = type_of_interface(interface)[2]
    shape = interface["shape"]
    strides = interface.get("strides") or packed_strides(shape, size)
    low = high = address
    for extent, stride in zip(shape, strides):
        reach = (extent - 1) * stride
        low, high = low + min(0, reach), high + max(0, reach)
    return low, high + size


def type_of_interface(interface: Any) -> tuple[str, str, int]:
    """Byte order, letter and size of the elements."""
    text = interface["typestr"]
    return text[0], text[1], int(text[2:]) if text[2:].isdigit() else 0  # |O has no size


def _of_interface(value: Any) -> Memory:
    interface = value.__array_interface__
    order, letter, size = type_of_interface(interface)
    if order not in (NATIVE, "|"):
        raise Error("arrays must have the byte order of this machine")
    address, _, owner = place_of(interface, value)
    spare = 0
    if owner is value:
        while hasattr(getattr(owner, "base", None), "__array_interface__"):
            owner = owner.base
        whole = owner.__array_interface__
        end = _bounds(whole, place_of(whole, owner)[0])[1]
        spare, owner = end - _bounds(interface, address)[1], value
    shape = interface["shape"]
    strides = interface.get("strides") or packed_strides(shape, size)
    return Memory(address, kind_of_code(letter, size), shape, strides, max(0, spare), owner)


# ---- the buffer protocol ----------------------------------------------------------------------


class _PyBuffer(ctypes.Structure):
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int),
                ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


_FAMILIES = {"?": "b", "f": "f", "d": "f", "F": "c", "D": "c", "Zf": "c", "Zd": "c"}
_FAMILIES.update({letter: "i" for letter in "bhilqn"})
_FAMILIES.update({letter: "u" for letter in "BHILQN"})


class Buffer:
    """The buffer that an object exports, as long as this lives; until then its size is fixed.

    family  the letter of its type in the array interface; None: it has none
    """

    _STRIDED_WITH_FORMAT = 0x1C  # PyBUF_STRIDES | PyBUF_FORMAT

    def __init__(self, value: Any) -> None:
        self.is_shown = False
        self._raw = _PyBuffer()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(value), ctypes.byref(self._raw),
                                            self._STRIDED_WITH_FORMAT)
        self.is_shown = True
        self.format = (self._raw.format or b"B").decode()
        self.family = _FAMILIES.get(self.format.lstrip("@=|" + NATIVE))
        self.address = self._raw.buf or 0
        self.size = self._raw.itemsize
        self.shape = tuple(self._raw.shape[:self._raw.ndim])
        self.strides = (tuple(self._raw.strides[:self._raw.ndim]) if self._raw.strides else
                        packed_strides(self.shape, self.size))  # ctypes tells no strides
        self.is_constant = bool(self._raw.readonly)

    def __del__(self) -> None:
        if self.is_shown:
            ctypes.pythonapi.PyBuffer_Release(ctypes.byref(self._raw))


def _of_buffer(value: Any) -> Memory:
    buffer = Buffer(value)
    if buffer.family is None:
        raise Error("arrays of format %r are no arrays of numbers" % buffer.format)
    return Memory(buffer.address, kind_of_code(buffer.family, buffer.size), buffer.shape,
                  buffer.strides, 0, buffer)


# ---- nested lists -----------------------------------------------------------------------------

LISTS = (list, tuple, range)


def _length(value: Any) -> int:
    try:
        return len(value)
    except OverflowError:
        raise Error("%r is too long" % (value,)) from None


def shape_of_lists(value: Any) -> list[int]:
    """The extents of nested lists, if lengths are the same everywhere."""
    shape = []
    while isinstance(value, LISTS):
        shape.append(_length(value))
        if not value:
            break
        value = value[0]
    return shape


def has_arrays(value: Any) -> bool:
    """Whether nested lists contain arrays, such as rows, slices or possibly masked numbers."""
    if not isinstance(value, LISTS):
        return bool(getattr(value, "shape", ())) or hasattr(value, "mask")
    return not set(map(type, value)) <= {int, float} and any(map(has_arrays, value))


def check_mask(value: Any) -> None:
    """Check that no number of an array is masked."""
    numpy = sys.modules.get("numpy")
    if numpy is None or value.__class__ is numpy.ndarray:
        return
    mask = getattr(value, "mask", None)
    if mask is not None and isinstance(value, numpy.ndarray) and mask.any():
        raise Error("expected numbers everywhere, found a masked array: its filled() has them")


def flatten(value: Any, refuse: Callable[[], NoReturn]) -> tuple[list[int], list[Any]]:
    """Shape and elements of nested lists; refuse() raises if lengths differ."""
    shape, elements = shape_of_lists(value), [value]
    for extent in shape:
        for part in elements:
            if not isinstance(part, LISTS) or _length(part) != extent:
                refuse()
        elements = [element for part in elements for element in part]
    return shape, elements


def refuse_lists() -> NoReturn:
    """Raise the error for lists whose lengths differ."""
    raise Error("nested lists must have the same length everywhere")


def _is_int(number: Any) -> bool:
    """Whether it is an int of Python or numpy."""
    return isinstance(number, int) or (
        getattr(getattr(number, "dtype", None), "kind", "") in ("b", "i", "u"))


def are_ints(value: Any) -> bool:
    """Whether these are nested lists of nothing but ints."""
    return isinstance(value, LISTS) and all(map(_is_int, flatten(value, refuse_lists)[1]))


def _packed(numbers: Sequence[Any]) -> array.array[Any]:
    """Ints if all are and fit, else reals."""
    if all(map(_is_int, numbers)):
        try:
            return array.array("q", list(map(int, numbers)))
        except OverflowError:
            pass
    try:
        return array.array("d", numbers)
    except OverflowError:
        raise Error("no real of the program is that large") from None


def _of_lists(value: Any) -> Memory:
    shape, numbers = flatten(value, refuse_lists)
    try:
        flat = _packed(numbers)
    except TypeError as error:
        raise Error("not an array of numbers: %s" % error) from error
    memory = _of_buffer(flat) if numbers else Memory(0, "float64", (0,), (8,), 0, flat)
    return memory.with_axes(shape, packed_strides(shape, flat.itemsize))


# ---- all of them ------------------------------------------------------------------------------


def memory_of(value: Any) -> Memory:
    """The memory that a value exports; nested lists are copied."""
    if hasattr(value, "__array_interface__"):
        return _of_interface(value)
    if isinstance(value, LISTS):
        return _of_lists(value)
    try:
        return _of_buffer(value)
    except (TypeError, BufferError):
        raise Error("%s is not an array" % type(value).__name__) from None


def _named(name: str, memory_of_value: Callable[[Any], Memory], value: Any) -> Memory:
    try:
        return memory_of_value(value)
    except Error as error:
        raise Error("%s: %s" % (name, error)) from None


def memory_named(name: str, value: Any) -> Memory:
    """The memory of the value of an input."""
    return _named(name, memory_of, value)


def writable_memory_of(name: str, value: Any) -> Memory:
    """Likewise, but writable and never a copy."""
    if hasattr(value, "__array_interface__"):
        if place_of(value.__array_interface__, value)[1]:
            raise Error("%s: the array may not be written" % name)
        return _named(name, _of_interface, value)
    try:
        shown = memoryview(value)
    except TypeError:
        raise Error("%s: %s is not an array, expected one of numpy, or a buffer, that may be "
                    "written" % (name, type(value).__name__)) from None
    if shown.readonly or not shown.c_contiguous:
        raise Error("%s: the buffer may not be written, or has gaps" % name)
    return _named(name, _of_buffer, value)


def empty(shape: Sequence[int], kind: str = "float32") -> Any:
    """A numpy array that an image input of that type can use in place: with spare memory after
    it."""
    numpy = numpy_if_any()
    if numpy is None:
        raise Error("diderot.empty needs numpy")
    count = count_of(shape)
    return numpy.empty(count + 64, dtype=kind)[:count].reshape(shape)
