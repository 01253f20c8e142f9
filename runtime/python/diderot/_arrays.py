"""libddr-array through ctypes, and memory that other packages export.

The types and functions are those of ddr/array.h; a test compares them with it.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from operator import index

from . import _dlpack
from ._errors import Error
from ._memory import NATIVE, Buffer, is_scalar, packed_strides, place_of, type_of_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, NoReturn, Optional, Union
    
    What = Union[str, Callable[[], str]]

# ---- types of ddr/array.h ---------------------------------------------------------------------

MAX_RANK, CONV_MAX_RANK = 16, 7

STATUSES = ("OK ERANK EDIM EINDEX ERANGE ESHAPE ETYPE ELEN EALIGN EPITCH EOVERFLOW EALIAS "
            "ERESIDENCY EDIV0 ENOMEM EDEVICE ENULL EOPERATION ESTRIDE ESTART EDECIMATION ELENGTH "
            "EMODE ENODEVICE").split()

# Name here, bytes, kind, letter of the array interface; in the order of the enum.
ELEMENTS = [
    ("bool", 1, "bool", "b"), ("int8", 1, "int", "i"), ("uint8", 1, "uint", "u"),
    ("int16", 2, "int", "i"), ("uint16", 2, "uint", "u"), ("int32", 4, "int", "i"),
    ("uint32", 4, "uint", "u"), ("int64", 8, "int", "i"), ("uint64", 8, "uint", "u"),
    ("float32", 4, "real", "f"), ("float64", 8, "real", "f"),
    ("complex64", 8, "complex", "c"), ("complex128", 16, "complex", "c"),
]
CODES = {name: code for code, (name, *_) in enumerate(ELEMENTS)}
CODES.update({"float": CODES["float32"], "double": CODES["float64"]})
CODES.update({letter + str(size): CODES[name] for name, size, _, letter in ELEMENTS})


class Layout(ctypes.Structure):
    _fields_ = [("rank", c_int), ("offset", c_int64), ("len", c_int64 * MAX_RANK),
                ("stride", c_int64 * MAX_RANK)]


class NdView(ctypes.Structure):
    _fields_ = [("type", c_int), ("data", c_void_p), ("layout", Layout), ("residency", c_int),
                ("cleanup", c_void_p)]


class Number(ctypes.Structure):
    _fields_ = [("type", c_int), ("integer", c_int64), ("re", c_double), ("im", c_double)]


class Operand(ctypes.Structure):
    _fields_ = [("view", POINTER(NdView)), ("number", Number)]


OPERANDS = [Operand * n for n in range(5)]  # arrays of n operands


class Form(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("transform", c_int), ("operands", c_int),
                ("meaning", c_char_p)]


class ReduceOptions(ctypes.Structure):
    _fields_ = [("n_threads", c_int), ("mask", POINTER(NdView)), ("is_compensated", c_bool),
                ("tolerance", c_double)]


class ConvArray(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("length", c_int64), ("stride", c_int64 * CONV_MAX_RANK)]


class Outside(ctypes.Structure):
    _fields_ = [("extension", c_int), ("value", c_double)]


class DecimationAxis(ctypes.Structure):
    _fields_ = [("factor", c_int64), ("start", c_int64), ("n_weights", c_int),
                ("weights", POINTER(c_double))]


class Decimation(ctypes.Structure):
    _fields_ = [("n_axes", c_int), ("axes", DecimationAxis * 7), ("border", Outside),
                ("n_threads", c_int)]


class Prefilter(ctypes.Structure):
    _fields_ = [("n_axes", c_int), ("degree", c_int), ("border", Outside), ("method", c_int),
                ("ends", c_int), ("n_threads", c_int)]


_L, _V, _I = POINTER(Layout), POINTER(NdView), POINTER(c_int64)
_S, _T = POINTER(c_size_t), c_void_p

# For each function its result and arguments.
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "ddr_array_status_text": (c_char_p, c_int),
    "ddr_layout_packed": (c_int, c_int, _I, _L),
    "ddr_layout_check": (c_int, _L),
    "ddr_layout_is_contiguous": (c_bool, _L),
    "ddr_layout_is_canonical": (c_bool, _L),
    "ddr_layout_is_injective": (c_int, _L, POINTER(c_bool)),
    "ddr_layout_span": (c_bool, _L, _I, _I),
    "ddr_layout_overlap": (c_bool, _L, _L),
    "ddr_layout_collapse": (Layout, _L),
    "ddr_layout_fix": (c_int, _L, c_int, c_int64, _L),
    "ddr_layout_slice": (c_int, _L, c_int, c_int64, c_int64, _L),
    "ddr_layout_permute": (c_int, _L, POINTER(c_int), _L),
    "ddr_layout_flip": (c_int, _L, c_int, _L),
    "ddr_layout_step": (c_int, _L, c_int, c_int64, _L),
    "ddr_layout_repeat": (c_int, _L, c_int, c_int64, _L),
    "ddr_layout_reshape": (c_int, _L, c_int, _I, _L),
    "ddr_pitch_compute": (c_int, c_int, _I, c_int, _I, c_size_t, _S),
    "ddr_pitch_compute_420sp": (c_int, _I, _I, c_size_t, _S),
    "ddr_pitch_validate": (c_int, c_int, c_int, _I, c_size_t, c_int, _S),
    "ddr_pitch_to_layout": (c_int, c_int, _I, c_size_t, _S, _L),
    "ddr_pitch_row_align": (c_size_t, c_size_t, c_size_t, c_size_t),
    "ddr_pitch_to_layouts_420sp": (c_int, _I, c_size_t, _S, _L, _L),
    "ddr_ndview_new": (c_int, c_int, c_int, _I, c_int, _V),
    "ddr_ndview_new_pitched": (c_int, c_int, c_int, _I, _S, _V),
    "ddr_ndview_release": (None, _V),
    "ddr_ndview_extend": (c_int, _V, _I, _I, Outside, _V),
    "ddr_transform_find": (POINTER(Form), c_char_p),
    "ddr_transform_type": (c_int, c_int, c_int, POINTER(Operand), POINTER(c_int)),
    "ddr_transform_apply": (c_int, c_int, c_int, POINTER(Operand), _V, c_int),
    "ddr_transform_make": (c_int, c_int, c_int, POINTER(Operand), c_int, _V),
    "ddr_transform_make_cast": (c_int, _V, c_int, c_int, _V),
    "ddr_masked_assign": (c_int, _V, _V, _V),
    "ddr_masked_assign_number": (c_int, _V, _V, Number),
    "ddr_reduce_find": (c_bool, c_char_p, POINTER(c_int)),
    "ddr_reduce": (c_int, c_int, POINTER(_V), POINTER(ReduceOptions), POINTER(Number)),
    "ddr_reduce_axes": (c_int, c_int, POINTER(_V), c_int, POINTER(c_int), POINTER(ReduceOptions),
                        _V),
    "ddr_conv_has_fft": (c_bool,),
    "ddr_conv_task_new": (_T, c_int, c_int, _I, _I, _I, c_int),
    "ddr_conv_task_delete": (None, _T),
    "ddr_conv_task_set_mode": (c_int, _T, c_void_p),
    "ddr_conv_task_set_types": (c_int, _T, c_int, c_int, c_int),
    "ddr_conv_task_set_start": (c_int, _T, _I),
    "ddr_conv_task_set_decimation": (c_int, _T, _I),
    "ddr_conv_task_set_origin": (c_int, _T, _I, _I),
    "ddr_conv_task_set_conj_x": (c_int, _T, c_bool),
    "ddr_conv_task_set_precision": (c_int, _T, c_int),
    "ddr_conv_task_set_threads": (c_int, _T, c_int),
    "ddr_conv_task_commit": (c_int, _T),
    "ddr_conv_task_bind_x": (c_int, _T, POINTER(ConvArray)),
    "ddr_conv_task_exec": (c_int, _T, POINTER(ConvArray), POINTER(ConvArray), POINTER(ConvArray)),
    "ddr_conv_task_mode_name": (c_char_p, _T),
    "ddr_conv_array_of_view": (c_int, _V, POINTER(ConvArray)),
    "ddr_image_decimate": (c_int, _V, POINTER(Decimation), _V),
    "ddr_bspline_prefilter": (c_int, _V, POINTER(Prefilter), _V),
}

# Called without ctypes' conversion of arguments, for speed: callers pass pointers, and ints in
# range. So are transforms and reductions by name, ddr_transform_X and ddr_reduce_X; those that are
# not in the table above return a status.
DIRECT = {"ddr_transform_apply", "ddr_transform_make", "ddr_transform_make_cast", "ddr_reduce",
          "ddr_reduce_axes", "ddr_ndview_release", "ddr_layout_check"}


# ---- errors -----------------------------------------------------------------------------------


class ArrayError(Error):
    """An operation on arrays that was refused; nothing has been written.

    status  such as "ESHAPE", as in ddr/array.h
    """

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status


def refuse(status: str, what: str) -> NoReturn:
    """Raise the error of a status, given by name; `what` was requested."""
    text = call_text(STATUSES.index(status))
    raise ArrayError(status, "%s: %s" % (what, text))


def check(status: int, what: What) -> None:
    """Raise unless the status is OK; `what` was requested, or returns that when it is called."""
    if status:
        refuse(STATUSES[status], what() if callable(what) else what)


# ---- the library ------------------------------------------------------------------------------


def _places(name: str, variable: str) -> list[str]:
    """Paths where a shared library may be."""
    given = os.environ.get(variable)
    if given:
        return [given]
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [here, os.path.join(here, "..", "..")]  # in the package; lib/diderot/diderot
    if os.environ.get("DIDEROT_HOME"):
        folders.append(os.path.join(os.environ["DIDEROT_HOME"], "lib"))
    paths = [os.path.join(folder, name) for folder in folders]
    return [path for path in paths if os.path.exists(path)] + [name]


class _Whole:
    """An argument of an integer type. A number out of range becomes the nearest in range, which the
    library refuses as well; ctypes would take the low bits."""

    def __init__(self, ctype: Any, least: int, greatest: int) -> None:
        self._ctype, self._least, self._greatest = ctype, least, greatest

    def nearest(self, number: Any) -> int:
        return max(self._least, min(index(number), self._greatest))

    def from_param(self, number: Any) -> Any:
        if number.__class__ is int and self._least <= number <= self._greatest:  # the usual case
            return number if self._ctype is c_int else self._ctype(number)
        return self._ctype(self.nearest(number))


_INT = _Whole(c_int, -2**31, 2**31 - 1)
_WHOLE = {c_int: _INT, c_int64: _Whole(c_int64, -2**63, 2**63 - 1),
          c_size_t: _Whole(c_size_t, 0, 2**64 - 1)}


def nearest(number: Any) -> int:
    """The nearest int of C."""
    return 1 if number.__class__ is int and number == 1 else _INT.nearest(number)


class Library:
    """The functions as attributes, each looked up when it is first used."""

    def __init__(self, name: str, variable: str, what: str, functions: Any) -> None:
        self._name, self._variable, self._what = name, variable, what
        self._functions, self._shared = functions, None  # type: Any, Any

    def load(self) -> Any:
        """Load and return the shared library."""
        failures = []
        places = _places(self._name, self._variable) if self._shared is None else []
        for place in places:
            try:
                self._shared = ctypes.CDLL(place)
                break
            except OSError as failure:
                failures.append(str(failure))
        if self._shared is None:
            raise Error("%s needs %s (%s says where it is): %s" % (
                self._what, self._name, self._variable, "; ".join(failures)))
        return self._shared

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.load(), name)
        if name in DIRECT or name not in self._functions:
            setattr(self, name, function)
            return function
        function.restype, *arguments = self._functions[name]
        function.argtypes = [_WHOLE.get(kind, kind) for kind in arguments]

        def call(*values: Any) -> Any:
            try:
                return function(*values)
            except ctypes.ArgumentError as error:
                raise TypeError("%s: %s" % (name, error)) from None

        setattr(self, name, call)
        return call


C = Library("libddr-array.so", "DIDEROT_ARRAY_LIBRARY", "diderot.array", FUNCTIONS)


def call_text(status: int) -> str:
    """The message of a status."""
    return str(C.ddr_array_status_text(status).decode())


def int64s(numbers: Iterable[Any]) -> Any:
    """An array of int64 for the library."""
    numbers = [index(number) for number in numbers]
    for number in numbers:
        if not -2**63 <= number < 2**63:
            refuse("EOVERFLOW", str(number))
    return (c_int64 * max(1, len(numbers)))(*numbers)


def c_pitches(numbers: Sequence[int]) -> Any:
    """Pitches for the library."""
    for number in numbers:
        if not 0 <= number < 2**64:
            refuse("EOVERFLOW", "a pitch of %s" % number)
    return (c_size_t * max(1, len(numbers)))(*numbers)


def ints(numbers: Iterable[Any]) -> Any:
    """An array of int for the library."""
    numbers = [_INT.nearest(number) for number in numbers]
    return (c_int * max(1, len(numbers)))(*numbers)


# ---- devices ----------------------------------------------------------------------------------

CUDA_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "ddr_array_cuda_count": (c_int,),
    "ddr_array_cuda_use": (c_int, c_int),
    "ddr_array_cuda_stop": (c_int,),
    "ddr_array_cuda_number": (c_int,),
    "ddr_array_cuda_wait": (c_int, c_void_p),
}
CUDA_C = Library("libddr-array-cuda.so", "DIDEROT_ARRAY_CUDA_LIBRARY", "an array of a device",
                 CUDA_FUNCTIONS)


def need_device(number: Optional[int]) -> None:
    """Put a device to use; None: the first one, unless one is."""
    C.load()  # the device library needs it
    try:
        CUDA_C.load()
    except Error as error:
        raise ArrayError("ERESIDENCY", str(error)) from None
    if number is None:
        number = max(0, CUDA_C.ddr_array_cuda_number())
    check(CUDA_C.ddr_array_cuda_use(number), "device %d" % number)


# ---- memory of others -------------------------------------------------------------------------


HOST, CUDA, UNIFIED = range(3)
MEMORIES = ["host", "cuda", "unified"]  # names by residency


def residency_of(memory: str) -> int:
    """The residency of a memory by name; opens a device if it needs one."""
    if memory not in MEMORIES:
        refuse("ERESIDENCY", "memory %r, expected one of %s" % (memory, ", ".join(MEMORIES)))
    if memory != "host":
        need_device(None)
    return MEMORIES.index(memory)


class Memory:
    """Where an array is: address, type, shape, strides in bytes, whether it is read-only, what must
    be kept alive while it is used, and its residency."""

    def __init__(self, address: int, code: int, shape: Sequence[int], strides: Sequence[int],
                 is_constant: bool, owner: Any, residency: int = HOST) -> None:
        # pylint: disable=too-many-arguments
        self.residency = residency
        self.address, self.code = address, code
        self.shape, self.strides = tuple(shape), tuple(strides)
        self.is_constant, self.owner = is_constant, owner


_LETTERS = {(letter, size): code for code, (_, size, _, letter) in enumerate(ELEMENTS)}


def _code_of(letter: str, size: int) -> int:
    code = _LETTERS.get((letter, size))
    return refuse("ETYPE", "elements of type %s%d" % (letter, size)) if code is None else code


def _memory_of_interface(interface: Any, value: Any, residency: int = HOST) -> Memory:
    order, letter, size = type_of_interface(interface)
    if order not in ("|", NATIVE):
        refuse("ETYPE", "elements in the order of bytes of another machine")
    shape = interface["shape"]
    try:
        address, is_constant, owner = place_of(interface, value)
    except Error as error:
        return refuse("ELENGTH", str(error))
    return Memory(address, _code_of(letter, size), shape,
                  interface.get("strides") or packed_strides(shape, size), is_constant, owner,
                  residency)


def _memory_of_cuda_interface(value: Any) -> Memory:
    interface = value.__cuda_array_interface__
    if interface.get("mask") is not None:
        refuse("ETYPE", "an array of a device with a mask")
    need_device(None)
    if interface.get("stream"):
        check(CUDA_C.ddr_array_cuda_wait(interface["stream"]), "an array of a device")
    return _memory_of_interface(interface, value, CUDA)


def _memory_of_buffer(value: Any) -> Memory:
    buffer = Buffer(value)
    if buffer.family is None:
        refuse("ETYPE", "elements of format %r" % buffer.format)
    return Memory(buffer.address, _code_of(buffer.family, buffer.size), buffer.shape,
                  buffer.strides, buffer.is_constant, buffer)


# ---- DLPack -----------------------------------------------------------------------------------

_DL_RESIDENCIES = {_dlpack.CPU: HOST, _dlpack.CUDA_HOST: HOST, _dlpack.CUDA: CUDA,
                   _dlpack.CUDA_MANAGED: UNIFIED}
_DL_DEVICES = {HOST: _dlpack.CPU, CUDA: _dlpack.CUDA, UNIFIED: _dlpack.CUDA_MANAGED}


def _memory_of_dlpack(value: Any) -> Memory:
    kind, number = value.__dlpack_device__()
    if kind not in _DL_RESIDENCIES:
        refuse("ERESIDENCY", "an array of a device of DLPack's kind %d" % kind)
    residency = _DL_RESIDENCIES[kind]
    if residency != HOST:
        need_device(number)
    taken = _dlpack.take(value, residency == HOST)
    if not taken.letter:
        refuse("ETYPE", "elements of %s" % taken.element)
    return Memory(taken.address, _code_of(taken.letter, taken.size), taken.shape, taken.strides,
                  False, taken, residency)


def dlpack_of(address: int, code: int, shape: Sequence[int], strides: Sequence[int],
              owner: Any, residency: int = HOST) -> Any:
    """A capsule with a tensor; strides in elements."""
    # pylint: disable=too-many-arguments
    _, size, _, letter = ELEMENTS[code]
    return _dlpack.capsule_of(address, letter, size, shape, strides, owner,
                              dlpack_device(residency))


def dlpack_device(residency: int) -> tuple[int, int]:
    """DLPack's kind and number of the device of an array."""
    number = 0 if residency == HOST else int(CUDA_C.ddr_array_cuda_number())
    return _DL_DEVICES[residency], number


def memory_of(value: Any) -> Optional[Memory]:
    """The memory that a value exports, without a copy; None: it exports none."""
    if is_scalar(value):
        return None
    interface = getattr(value, "__array_interface__", None)  # created on every access
    if interface is not None:
        return _memory_of_interface(interface, value)
    if hasattr(value, "__cuda_array_interface__"):
        return _memory_of_cuda_interface(value)
    if hasattr(value, "__dlpack__"):
        return _memory_of_dlpack(value)
    try:
        return _memory_of_buffer(value)
    except TypeError:
        return None
