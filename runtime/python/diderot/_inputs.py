"""How inputs are set: for each input a function of a world and a value.

Read next: _placed.py (images of other packages); _values.py.
"""

from __future__ import annotations

import ctypes
import math
import os
from operator import index

from ._device import DeviceMemory
from ._errors import Error
from ._images import Frame, Image
from ._memory import (LISTS, are_ints, count_of, has_arrays, memory_named, memory_of,
                      packed_strides, size_of, spare_of)
from ._shown import least_and_most
from ._types import c_type, is_array, shape_of
from ._values import c_path, c_string, reals, shaped_reals, utf_8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Optional, Union

    from ._library import Library
    from ._memory import Memory
    from ._world import World

    Entry = dict[str, Any]
    Setter = Callable[[World, Any], None]

_FLT_MAX = (2 - 2.0**-23) * 2.0**127


def setter_of(library: Library, entry: Entry) -> Setter:
    """The setter of an input."""
    if is_array(entry["type"]):
        is_image = entry["type"]["kind"] == "image"
        return (_ImageSetter if is_image else _SequenceSetter)(library, entry).set
    function = library.function(entry["set"])
    if entry["type"] == "string":
        return _text_setter(entry["name"], function)
    return _number_setter(entry, function)


# ---- values -----------------------------------------------------------------------------------


def _text_setter(name: str, function: Any) -> Setter:
    def set_text(world: World, value: Any) -> None:
        text = c_string(name, utf_8(name, value))
        world.call(function, ctypes.addressof(text))

    return set_text


def _checked_numbers(entry: Entry, value: Any) -> list[Any]:
    """Numbers of the input's type, as many as it needs."""
    shape, scalar = shape_of(entry["type"])
    name, count = entry["name"], count_of(shape)
    given, numbers = shaped_reals(name, value, "bool" if scalar == "bool" else "number")
    if len(numbers) != count:
        raise Error("%s: %d values, expected %d" % (name, len(numbers), count))
    if len(given) > 1 and given != shape:
        raise Error("%s: values of shape %s, expected %s" % (name, given, shape))
    convert: Any = {"int": int, "bool": bool, "real": float}[scalar]
    try:
        if scalar == "int" and not all(float(number).is_integer() for number in numbers):
            raise Error("%s: an int is expected" % name)
        if scalar == "bool" and not all(number in (0, 1) for number in numbers):
            raise Error("%s: a bool is expected" % name)
        return [convert(number) for number in numbers]
    except OverflowError:
        raise Error("%s: no %s of the program is that large" % (name, scalar)) from None


def _check_held(name: str, numbers: Iterable[Any], held: Iterable[float]) -> None:
    """Refuses finite numbers that are infinite as reals of the program."""
    if any(math.isinf(kept) and not math.isinf(given) for given, kept in zip(numbers, held)):
        raise Error("%s: no real of the program is that large" % name)


def _number_setter(entry: Entry, function: Any) -> Setter:
    parameter = entry["set"]["params"][1]["param-ty"]
    is_one = not isinstance(parameter, dict)
    count, scalar = count_of(shape_of(entry["type"])[0]), shape_of(entry["type"])[1]
    kind = c_type(parameter if is_one else parameter["arg"])

    def set_real(world: World, value: Any) -> None:
        number = value if type(value) is float else _checked_numbers(entry, value)[0]
        _check_held(entry["name"], [number], [kind(number).value])
        world.call(function, number)

    def set_numbers(world: World, value: Any) -> None:
        numbers = _checked_numbers(entry, value)
        held = (kind * count)(*numbers)
        if scalar == "int" and list(held) != numbers:
            wrong = next(given for given, kept in zip(numbers, held) if given != kept)
            raise Error("%s: %d is not an int of the program" % (entry["name"], wrong))
        if scalar == "real":
            _check_held(entry["name"], numbers, held)
        world.call(function, held[0] if is_one else ctypes.addressof(held))

    return set_real if is_one and scalar == "real" else set_numbers


# ---- arrays -----------------------------------------------------------------------------------


def _is_plain(value: Any) -> bool:
    """Whether it exports numbers in the machine's representation, or consists of numbers."""
    if isinstance(value, LISTS):
        return not has_arrays(value)
    if type(value).__module__ != "numpy" or not hasattr(value, "__array_interface__"):
        return False
    return value.dtype.isnative and value.dtype.char in "?bBhHiIlLqQfd"


def view_of(library: Library, name: str, memory: Memory) -> Any:
    """The library's struct for a view of memory."""
    view = library.new_view()
    if len(memory.shape) > len(view.shape):
        raise Error("%s: the array has %d axes, expected at most %d" % (
            name, len(memory.shape), len(view.shape)))
    view.data, view.type = memory.address, library.codes[memory.kind]
    view.rank, view.spare = len(memory.shape), spare_of(memory)
    for axis, (extent, stride) in enumerate(zip(memory.shape, memory.strides)):
        view.shape[axis], view.strides[axis] = extent, stride
    return view


def _key_for(memory: Memory, on_host: str) -> str:
    """The key in the description of the function for such memory."""
    return "set-device" if isinstance(memory, DeviceMemory) else on_host


def _stream_of(memory: Memory) -> tuple[int, ...]:
    """The additional argument of functions for device memory."""
    return (memory.stream,) if isinstance(memory, DeviceMemory) else ()


def _check_known(name: str, given: Any, known: Any, what: str) -> Any:
    if given not in known:
        raise Error("%s: %r is not a %s of a frame, expected one of %s" % (
            name, given, what, ", ".join(known)))
    return known[given]


def _is_position(number: Any) -> bool:
    try:
        return -1e300 < float(number) < 1e300
    except OverflowError:
        return False


def _check_fits(name: str, what: str, given: int, held: int) -> None:
    """Check that a C type can hold the number."""
    if index(given) != held:
        raise Error("%s: %s of a frame cannot be %s" % (name, what, given))


def frame_of(library: Library, name: str, value: Frame, memory: Memory) -> Any:
    """The library's struct for a frame in memory."""
    if not memory.is_packed():
        raise Error("%s: the buffer of a frame has gaps" % name)
    described = library.description["frame"]
    kind = memory.kind if value.kind is None else value.kind
    frame = library.new_frame()
    frame.layout = _check_known(name, value.layout.replace("D", ""), described["layouts"], "layout")
    frame.siting = _check_known(name, value.siting, described["sitings"], "siting")
    frame.type = _check_known(name, kind, library.codes, "kind")
    for numbers, what in ((value.dims, "dims"), (value.pitches, "pitches")):
        if len(numbers) > len(frame.dims):
            raise Error("%s: the frame has %d %s, expected at most %d" % (
                name, len(numbers), what, len(frame.dims)))
        for axis, number in enumerate(numbers):
            getattr(frame, what)[axis] = number
            _check_fits(name, what, number, getattr(frame, what)[axis])
    n_bytes = size_of(memory.kind) * count_of(memory.shape) + memory.spare
    if not 0 <= value.offset < n_bytes:
        raise Error("%s: the frame begins at byte %d, but its buffer has %d" % (
            name, value.offset, n_bytes))
    frame.data, frame.n_bytes = memory.address + value.offset, n_bytes - value.offset
    frame.rank, frame.n_pitches = len(value.dims), len(value.pitches)
    frame.number = value.number
    frame.component, frame.n_components = value.component, value.components
    for what, given, held in (("number", value.number, frame.number),
                              ("component", value.component, frame.component),
                              ("components", value.components, frame.n_components)):
        _check_fits(name, what, given, held)
    return frame


class _ArraySetter:
    """A setter for images and sequences, which may also be files."""

    def __init__(self, library: Library, entry: Entry) -> None:
        self.library = library
        self.entry = entry
        self.name: str = entry["name"]
        self.load = library.function(entry["set"][0])

    def set(self, world: World, value: Any) -> None:
        """Set the input to a file or an array."""
        if isinstance(value, (str, os.PathLike)):
            text = c_path(self.name, value)
            world.call(self.load, ctypes.addressof(text))
            return
        world.keep(self.name, self.set_memory(world, value))

    def set_memory(self, world: World, value: Any) -> Memory:
        """Set the input to an array, and keep its memory alive as long as the world."""
        raise NotImplementedError


class _SequenceSetter(_ArraySetter):
    def set_memory(self, world: World, value: Any) -> Memory:
        is_plain = _is_plain(value)
        memory = memory_named(self.name, value) if is_plain else self._placed(value)
        shape, scalar = shape_of(self.entry["type"]["elem-ty"])
        if scalar == "int" and 0 not in memory.shape:
            self._check_ints(value, memory)
        if scalar == "real" and isinstance(value, LISTS) and is_plain and 0 not in memory.shape:
            self._check_reals(memory)
        if memory.shape == (0,):  # no elements, of any shape
            memory = memory.with_axes((0,) + shape, packed_strides((0,) + shape, 8))
        view = view_of(self.library, self.name, memory)
        entry = self.entry
        key = "lend-view" if "lend-view" in entry else "set-view"
        key = _key_for(memory, key)
        world.call(self.library.function(entry[key]), ctypes.addressof(view), *_stream_of(memory))
        return memory

    def _check_reals(self, memory: Memory) -> None:
        """Check that numbers of lists are reals of the program; arrays have types that say so."""
        if self.library.description["float-size"] == "64" or memory.kind != "float64":
            return
        least, most = least_and_most(memory)
        if not -_FLT_MAX <= least <= most <= _FLT_MAX:  # or there is a nan
            given = (ctypes.c_double * count_of(memory.shape)).from_address(memory.address)
            _check_held(self.name, given, (ctypes.c_float * len(given))(*given))

    def _check_ints(self, value: Any, memory: Memory) -> None:
        """Check that these are ints of the program; on a device only their type is checked."""
        n_bits = int(self.library.description["int-size"])
        if memory.kind.startswith("float"):
            if are_ints(value):
                raise Error("%s: no int of the program is that large" % self.name)
            raise Error("%s: ints are expected, found %s" % (self.name, memory.kind))
        is_wider = 8 * size_of(memory.kind) > n_bits or memory.kind == "uint%d" % n_bits
        if not is_wider or isinstance(memory, DeviceMemory):
            return
        for number in least_and_most(memory):
            if not -2**(n_bits - 1) <= number < 2**(n_bits - 1):
                raise Error("%s: %d is not an int of the program" % (self.name, number))

    def _placed(self, value: Any) -> Memory:
        """The memory of a value of some package."""
        from . import _placed
        return _placed.memory_of_array(self.entry, value)


class _ImageSetter(_ArraySetter):
    def set_memory(self, world: World, value: Any) -> Memory:
        if isinstance(value, Frame):
            return self._set_frame(world, value)
        memory, image = self._placed(value)
        self._set_placed(world, _key_for(memory, "set-view"),
                         view_of(self.library, self.name, memory), image, *_stream_of(memory))
        return memory

    def _placed(self, value: Any) -> tuple[Memory, Image]:
        if _is_plain(value):
            return memory_named(self.name, value), Image(value)
        from . import _placed
        return _placed.memory_of_image(self.entry, value)

    def _set_frame(self, world: World, value: Frame) -> Memory:
        if "set-frame" not in self.entry:
            raise Error("%s: only images of two and three dimensions are frames" % self.name)
        memory = memory_of(value.data)
        frame = frame_of(self.library, self.name, value, memory)
        self._set_placed(world, "set-frame", frame, value)
        return memory

    def _set_placed(self, world: World, key: str, struct: Any, value: Union[Image, Frame],
                    *stream: int) -> None:
        dimension = self.entry["type"]["dimension"]
        places = [self._doubles("origin", value.origin, dimension),
                  self._doubles("steps", value.steps, dimension * dimension)]
        addresses = [None if place is None else ctypes.addressof(place) for place in places]
        world.call(self.library.function(self.entry[key]), ctypes.addressof(struct), *addresses,
                   *stream)

    def _doubles(self, what: str, given: Optional[Any], count: int) -> Any:
        if given is None:
            return None
        numbers = reals(self.name, given)
        if len(numbers) != count:
            raise Error("%s: %s has %d numbers, expected %d" % (self.name, what, len(numbers),
                                                                 count))
        if not all(map(_is_position, numbers)):
            raise Error("%s: %s has numbers that are no positions: %s" % (self.name, what, numbers))
        return (ctypes.c_double * count)(*numbers)
