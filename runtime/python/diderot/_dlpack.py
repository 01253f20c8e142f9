"""DLPack: tensors that packages pass to each other in capsules, without a copy."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p

from ._memory import packed_strides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

CPU, CUDA, CUDA_HOST, ROCM, CUDA_MANAGED = 1, 2, 3, 10, 13  # kinds of devices


class _Tensor(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", ctypes.c_uint64)]


_DELETER = ctypes.CFUNCTYPE(None, c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", c_void_p), ("deleter", _DELETER)]


_LETTERS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # letters of the array interface
_CODES = {letter: code for code, letter in _LETTERS.items()}
_NAME, _USED = b"dltensor", b"used_dltensor"


def _capsule_function(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(ctypes.pythonapi, name)
    prototype = ctypes.PYFUNCTYPE(result, *arguments)
    return prototype(ctypes.cast(function, c_void_p).value or 0)


_new_capsule = _capsule_function("PyCapsule_New", ctypes.py_object, c_void_p, c_char_p, c_void_p)
_pointer_of = _capsule_function("PyCapsule_GetPointer", c_void_p, ctypes.py_object, c_char_p)
_rename = _capsule_function("PyCapsule_SetName", c_int, ctypes.py_object, c_char_p)
_is_named = _capsule_function("PyCapsule_IsValid", c_int, c_void_p, c_char_p)
_pointer_at = _capsule_function("PyCapsule_GetPointer", c_void_p, c_void_p, c_char_p)


# ---- in ---------------------------------------------------------------------------------------


class Taken:
    """A tensor taken from a capsule, as long as this object lives. Strides are in bytes; `letter`
    and `size` are those of the array interface; `letter` is None if `element` has none."""

    _managed: Any = None

    def __init__(self, capsule: Any) -> None:
        self._managed = _Managed.from_address(_pointer_of(capsule, _NAME))
        _rename(capsule, _USED)
        tensor = self._managed.tensor
        self.letter = _LETTERS.get(tensor.code) if tensor.lanes == 1 and tensor.bits % 8 == 0 else None
        self.element = "code %d, %d bits, %d lanes" % (tensor.code, tensor.bits, tensor.lanes)
        self.size = tensor.bits // 8
        self.shape = tuple(tensor.shape[:tensor.ndim])
        self.strides = packed_strides(self.shape, self.size)
        if tensor.strides:
            self.strides = tuple(self.size * stride for stride in tensor.strides[:tensor.ndim])
        self.address = (tensor.data or 0) + tensor.byte_offset

    def __del__(self) -> None:
        if self._managed is not None and self._managed.deleter:
            self._managed.deleter(ctypes.addressof(self._managed))


def first_stream(value: Any) -> int:
    """The default stream, with which others synchronise, as DLPack numbers it for the device of a
    value: 1 for CUDA, 0 for ROCm."""
    return 0 if value.__dlpack_device__()[0] == ROCM else 1


def take(value: Any, is_on_host: bool) -> Taken:
    """Take the tensor of a value; on a device once its default stream may read it."""
    return Taken(value.__dlpack__() if is_on_host else value.__dlpack__(stream=first_stream(value)))


# ---- out --------------------------------------------------------------------------------------

_lent: dict[int, Any] = {}  # by address, until the consumer releases them


def _forget(address: int) -> None:
    _lent.pop(address, None)


_give_back = _DELETER(_forget)


def _drop(capsule: int) -> None:
    if _is_named(capsule, _NAME):  # not consumed
        _forget(_pointer_at(capsule, _NAME))


_drop_capsule = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def capsule_of(address: int, letter: str, size: int, shape: Sequence[int], strides: Sequence[int],
               owner: Any, device: tuple[int, int]) -> Any:
    """A capsule with a tensor; strides in elements, a type of the array interface, and DLPack's
    kind and number of the device."""
    # pylint: disable=too-many-arguments
    managed = _Managed()
    tensor = managed.tensor
    tensor.data, tensor.ndim = address, len(shape)
    tensor.device_type, tensor.device_id = device
    tensor.code, tensor.bits, tensor.lanes = _CODES[letter], 8 * size, 1
    tensor.shape = (c_int64 * max(1, len(shape)))(*shape)
    tensor.strides = (c_int64 * max(1, len(shape)))(*strides)
    managed.deleter = _give_back
    _lent[ctypes.addressof(managed)] = (managed, owner)
    return _new_capsule(ctypes.addressof(managed), _NAME, ctypes.cast(_drop_capsule, c_void_p))
