"""Arrays in memory of a GPU: those of CuPy, PyTorch and others, and outputs of worlds."""

from __future__ import annotations

from . import _dlpack
from ._errors import Error
from ._memory import LISTS, NATIVE, Memory, kind_of_code, packed_strides, size_of, type_of_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

_KINDS = (_dlpack.CUDA, _dlpack.ROCM, _dlpack.CUDA_MANAGED)

# ---- in ---------------------------------------------------------------------------------------


class DeviceMemory(Memory):
    """Memory of a device, and the stream whose work on it may not be finished; 0: none."""

    def __init__(self, address: int, kind: str, shape: Sequence[int], strides: Sequence[int],
                 owner: Any, stream: int) -> None:
        # pylint: disable=too-many-arguments
        super().__init__(address, kind, shape, strides, 0, owner)
        self.stream = stream

    def with_axes(self, shape: Sequence[int], strides: Sequence[int]) -> DeviceMemory:
        return DeviceMemory(self.address, self.kind, shape, strides, self.owner, self.stream)


def is_on_device(value: Any) -> bool:
    """Whether a value exports memory of a device and none of the host."""
    if isinstance(value, LISTS) or hasattr(value, "__array_interface__"):
        return False
    try:
        if hasattr(value, "__dlpack_device__"):
            return tuple(value.__dlpack_device__())[0] in _KINDS
        return hasattr(value, "__cuda_array_interface__")
    except Exception:  # its package may raise anything; using the memory reports the error
        return False


def _of_interface(value: Any) -> DeviceMemory:
    interface = value.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise Error("expected numbers everywhere, found an array of a device with a mask")
    order, letter, size = type_of_interface(interface)
    if order not in (NATIVE, "|"):
        raise Error("arrays must have the byte order of this machine")
    shape = interface["shape"]
    return DeviceMemory(interface["data"][0], kind_of_code(letter, size), shape,
                        interface.get("strides") or packed_strides(shape, size), value,
                        interface.get("stream") or 0)


def _of_dlpack(value: Any) -> DeviceMemory:
    stream = _dlpack.first_stream(value)
    taken = _dlpack.take(value, False)
    if not taken.letter:
        raise Error("arrays of %s are no arrays of numbers" % taken.element)
    return DeviceMemory(taken.address, kind_of_code(taken.letter, taken.size), taken.shape,
                        taken.strides, taken, stream)


def memory_on_device(name: str, value: Any) -> DeviceMemory:
    """The device memory that a value exports."""
    try:
        if hasattr(value, "__cuda_array_interface__"):
            return _of_interface(value)
        return _of_dlpack(value)
    except Error as error:
        raise Error("%s: %s" % (name, error)) from None
    except Exception as error:  # its package may raise anything
        raise Error("%s: the %s does not show its memory: %s" % (
            name, type(value).__name__, error)) from error


# ---- out --------------------------------------------------------------------------------------


class DeviceArray:
    """An output in memory of a GPU, for CuPy, PyTorch and others: __cuda_array_interface__ and DLPack.
    Valid until the same output is asked for again, the world runs or is closed; it keeps the world.

    shape    extents; strides  bytes
    kind     "float32", ...
    address  of the first element
    """

    def __init__(self, memory: Memory, tail: Sequence[int], is_bool: bool, world: Any,
                 device: tuple[int, int]) -> None:
        # pylint: disable=too-many-arguments
        self.address, self.kind, self.world = memory.address, memory.kind, world
        self.shape, self.strides = memory.shape, memory.strides
        self._is_bool, self._device = is_bool, device
        if len(tail) > 1:  # the view has these axes merged
            step = self.strides[-1]
            self.shape = self.shape[:-1] + tuple(tail)
            self.strides = self.strides[:-1] + packed_strides(tail, step)

    def __repr__(self) -> str:
        return "<diderot.DeviceArray %s of %s>" % (self.shape, self.kind)

    def _letter(self) -> str:
        return "b" if self._is_bool else self.kind[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        size = size_of(self.kind)
        order = "|" if size == 1 else NATIVE
        address = 0 if 0 in self.shape else self.address
        return {"version": 3, "typestr": "%s%s%d" % (order, self._letter(), size),
                "shape": self.shape, "strides": self.strides, "data": (address, False),
                "stream": None}  # the values are complete

    def __dlpack__(self, stream: Optional[Any] = None, *, max_version: Optional[Any] = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        # pylint: disable=unused-argument
        if copy or dl_device not in (None, self._device):
            raise BufferError("an output in memory of a GPU is lent where it is, not copied")
        size = size_of(self.kind)
        address = 0 if 0 in self.shape else self.address
        return _dlpack.capsule_of(address, self._letter(), size, self.shape,
                                  [stride // size for stride in self.strides], self, self._device)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device
