"""Memory of a world as arrays: numpy arrays in place, else memoryviews of copies."""

from __future__ import annotations

import ctypes

from ._errors import Error
from ._memory import NATIVE, TYPES, Memory, count_of, numpy_if_any, packed_strides, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


class _Shown:
    """Memory of a world for numpy; keeps the world alive."""

    def __init__(self, interface: dict[str, Any], world: Any) -> None:
        self.__array_interface__ = interface
        self.world = world


def _pack(address: int, shape: Sequence[int], strides: Sequence[int], size: int) -> bytes:
    """The bytes of an array in row-major order."""
    if shape and 0 in shape:
        return b""
    if strides == packed_strides(shape, size):
        return ctypes.string_at(address, size * count_of(shape))
    return b"".join(
        _pack(address + k * strides[0], shape[1:], strides[1:], size) for k in range(shape[0]))


def _of_numpy(numpy: Any, memory: Memory, is_bool: bool, world: Any) -> Any:
    size = size_of(memory.kind)
    code = "b1" if is_bool else memory.kind[0] + str(size)
    interface = {"version": 3, "typestr": ("|" if size == 1 else NATIVE) + code,
                 "shape": memory.shape, "strides": memory.strides, "data": (memory.address, False)}
    if 0 in memory.shape:
        return numpy.empty(memory.shape, dtype=interface["typestr"])
    return numpy.asarray(_Shown(interface, world))


def array_of(memory: Memory, tail: Sequence[int], is_bool: bool, copy: bool, world: Any) -> Any:
    """The array of a view; `tail` are the axes of an element, which the view has merged into
    one."""
    size = size_of(memory.kind)
    if len(tail) > 1:
        memory = memory.with_axes(memory.shape[:-1] + tuple(tail),
                                  memory.strides[:-1] + packed_strides(tail, size))
    numpy = numpy_if_any()
    if numpy is not None:
        shown = _of_numpy(numpy, memory, is_bool, world)
        return shown.copy() if copy else shown
    if not copy:
        raise Error("arrays in place need numpy")
    letter: Any = "?" if is_bool else TYPES[memory.kind][0]
    flat = memoryview(bytearray(_pack(memory.address, memory.shape, memory.strides, size)))
    return flat.cast(letter, memory.shape) if memory.shape and 0 not in memory.shape else (
        flat.cast(letter))


def least_and_most(memory: Memory) -> tuple[Any, Any]:
    """The least and the greatest of at least one number; perhaps nan, if one is."""
    numpy = numpy_if_any()
    if numpy is not None:
        shown = _of_numpy(numpy, memory, False, memory)
        return shown.min().item(), shown.max().item()
    packed = _pack(memory.address, memory.shape, memory.strides, size_of(memory.kind))
    numbers = memoryview(packed).cast(TYPES[memory.kind][0])  # type: ignore[call-overload]
    return min(numbers), max(numbers)


class Sequences:
    """An output of sequences: sequences[i] or sequences[i, j] is that of one strand. With numpy
    fewer indices, and slices, are those of some strands.

    lengths  for each strand offset and length, in elements of data
    data     all elements
    """

    def __init__(self, lengths: Any, data: Any) -> None:
        self.lengths = lengths
        self.data = data

    def __getitem__(self, strand: Any) -> Any:
        if hasattr(self.lengths, "dtype"):
            offset, length = self.lengths[..., 0][strand], self.lengths[..., 1][strand]
            if getattr(offset, "ndim", 0):
                return Sequences(self.lengths[strand], self.data)
        else:
            index = strand if isinstance(strand, tuple) else (strand,)
            if len(index) < self.lengths.ndim - 1 or any(isinstance(k, slice) for k in index):
                raise Error("sequences: expected %d indices, of one strand; fewer, and slices, need "
                            "numpy" % (self.lengths.ndim - 1))
            offset, length = self.lengths[index + (0,)], self.lengths[index + (1,)]
        return self.data[int(offset):int(offset) + int(length)]

    def __len__(self) -> int:
        return int(self.lengths.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return "<diderot.Sequences of %s strands, %d elements>" % (
            " x ".join(map(str, self.lengths.shape[:-1])), len(self.data))
