"""Programs in Diderot from Python: values in, arrays out.

    import diderot

    iso = diderot.compile("iso.diderot")            # or the text of a program
    print(iso(img=samples, level=0.5).pos)

    iso = diderot.Library("iso.json")               # of diderotc --json; iso.so is beside it
    with iso.world(img=samples, level=0.5) as world:
        world.run()
        print(world["pos"])

Arrays of their own, views, transforms, reductions and convolutions are in diderot.array.

Needs the standard library alone. Arrays go in from whatever shows its memory (numpy, array.array,
memoryview) or from nested lists, and come out as arrays of numpy where that is installed, else as
memoryviews. Shapes are slowest axis first, the axes of vectors and tensors last.
"""

import array as _array
import ctypes
import json
import os
import sys

__all__ = ["CompileError", "CompileWarning", "Error", "Frame", "Image", "Library", "Program", "Result",
           "Sequences", "World", "empty"]  # and compile, which is also a name of Python's


class Error(Exception):
    """What the library recorded, newest first, or what is wrong with a value."""


class CompileError(Error):
    """What the command line prints of a program that does not compile.

    diagnostics  the same as data: a list of messages with severity, text, span, hint, ...
    """

    def __init__(self, text, diagnostics=()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)


class CompileWarning(UserWarning):
    """What the compiler finds doubtful in a program."""


def unknown_name(what, name, known):
    """The error for a name that a program does not have, with the nearest one that it has."""
    from difflib import get_close_matches
    near = get_close_matches(name, list(known), 1)
    return Error("the program has no %s %r%s" % (
        what, name, "; did you mean %r?" % near[0] if near else ""))


def __getattr__(name):
    """What is loaded when it is wanted."""
    if name == "interact":
        from . import _notebook
        return _notebook.interact
    if name not in ("compile", "Program", "Result"):
        raise AttributeError("module 'diderot' has no attribute %r" % name)
    from . import _program
    return getattr(_program, name)


def __dir__():
    return sorted(set(globals()) | {"compile", "interact", "Program", "Result"})


def load_ipython_extension(shell):
    """%load_ext diderot: the magics %%diderot and %diderot_doc."""
    from . import _notebook
    _notebook.load(shell)


def _numpy():
    try:
        import numpy
    except ImportError:
        return None
    return numpy


# ---- arrays -----------------------------------------------------------------------------------

# Name of a type in the description: code of struct and memoryview, ctype.
_TYPES = {
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

_NATIVE = "<" if sys.byteorder == "little" else ">"


class _Memory:
    """Where an array lies: address, type, shape, strides in bytes, readable bytes behind it, and
    what must live as long as that is so."""

    def __init__(self, address, kind, shape, strides, spare, owner):
        self.address = address
        self.kind = kind
        self.shape = tuple(shape)
        self.strides = tuple(strides)
        self.spare = spare
        self.owner = owner


def _size_of(kind):
    return ctypes.sizeof(_TYPES[kind][1])


def _packed_strides(shape, size):
    strides = []
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))


def _kind_of_code(letter, size):
    """The name of a type that is called by a letter and a size, such as f and 4."""
    family = {"f": "float", "d": "float", "i": "int", "u": "uint", "b": "uint"}.get(letter)
    name = "%s%d" % (family, 8 * size)
    if name not in _TYPES:
        raise Error("arrays of type %s%d are no arrays of numbers" % (letter, size))
    return name


def _bounds(interface):
    """First and last but one byte of an array that shows its interface."""
    address, size = interface["data"][0], int(interface["typestr"][2:])
    shape = interface["shape"]
    strides = interface["strides"] or _packed_strides(shape, size)
    low = high = address
    for extent, stride in zip(shape, strides):
        reach = (extent - 1) * stride
        low, high = low + min(0, reach), high + max(0, reach)
    return low, high + size


def _memory_of_interface(value):
    interface = value.__array_interface__
    order, letter, size = interface["typestr"][0], interface["typestr"][1], int(
        interface["typestr"][2:])
    if order not in (_NATIVE, "|"):
        raise Error("arrays must have the byte order of this machine")
    owner = value
    while hasattr(getattr(owner, "base", None), "__array_interface__"):
        owner = owner.base
    spare = _bounds(owner.__array_interface__)[1] - _bounds(interface)[1]
    shape = interface["shape"]
    strides = interface["strides"] or _packed_strides(shape, size)
    return _Memory(interface["data"][0], _kind_of_code(letter, size), shape, strides,
                   max(0, spare), value)


def _memory_of_buffer(value):
    shown = memoryview(value)
    letter = shown.format.lstrip("@=")
    family = {"f": "f", "d": "f", "?": "b"}.get(letter, "i" if letter.islower() else "u")
    kind = _kind_of_code(family, shown.itemsize)
    if shown.readonly or not shown.c_contiguous:
        held = (ctypes.c_char * max(1, shown.nbytes)).from_buffer_copy(shown.tobytes() or b"\0")
    else:
        held = (ctypes.c_char * shown.nbytes).from_buffer(shown)
    return _Memory(ctypes.addressof(held), kind, shown.shape,
                   _packed_strides(shown.shape, shown.itemsize), 0, (held, value))


def _shape_of_lists(value):
    shape = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        if not value:
            break
        value = value[0]
    return shape


def _flatten(value, shape, numbers):
    if not shape:
        numbers.append(value)
        return
    if not isinstance(value, (list, tuple)) or len(value) != shape[0]:
        raise Error("nested lists must have the same length everywhere")
    for element in value:
        _flatten(element, shape[1:], numbers)


def _memory_of_lists(value):
    shape, numbers = _shape_of_lists(value), []
    _flatten(value, shape, numbers)
    letter = "q" if all(isinstance(number, int) for number in numbers) else "d"
    try:
        flat = _array.array(letter, numbers)
    except (TypeError, OverflowError) as error:
        raise Error("not an array of numbers: %s" % error) from error
    memory = _memory_of_buffer(flat) if numbers else _Memory(0, "float64", (0,), (8,), 0, flat)
    memory.shape = tuple(shape)
    memory.strides = _packed_strides(shape, flat.itemsize)
    return memory


def _memory_of(value):
    if hasattr(value, "__array_interface__"):
        return _memory_of_interface(value)
    if isinstance(value, (list, tuple)):
        return _memory_of_lists(value)
    try:
        return _memory_of_buffer(value)
    except TypeError:
        raise Error("%s is no array" % type(value).__name__) from None


def _writable_memory_of(name, value):
    """Likewise, of what may be written, never a copy."""
    if hasattr(value, "__array_interface__"):
        if value.__array_interface__["data"][1]:
            raise Error("%s: the array may not be written" % name)
        return _memory_of_interface(value)
    try:
        shown = memoryview(value)
    except TypeError:
        raise Error("%s: %s is no array" % (name, type(value).__name__)) from None
    if shown.readonly or not shown.c_contiguous:
        raise Error("%s: the buffer may not be written, or has gaps" % name)
    return _memory_of_buffer(value)


def _merge_last(name, memory, n_axes):
    """With the last axes as one."""
    shape, strides = memory.shape[-n_axes:], memory.strides[-n_axes:]
    if strides != _packed_strides(shape, strides[-1]):
        raise Error("%s: the components of a tensor must be equally far apart" % name)
    count = 1
    for extent in shape:
        count *= extent
    return _Memory(memory.address, memory.kind, memory.shape[:-n_axes] + (count,),
                   memory.strides[:-n_axes] + strides[-1:], memory.spare, memory.owner)


def empty(shape, kind="float32"):
    """An array of numpy that an image input of that type can use in place: with some memory to
    spare behind it."""
    numpy = _numpy()
    if numpy is None:
        raise Error("diderot.empty needs numpy")
    count = 1
    for extent in shape:
        count *= extent
    return numpy.empty(count + 64, dtype=kind)[:count].reshape(shape)


# ---- arrays that come out ---------------------------------------------------------------------


class _Shown:
    """Memory of a world for numpy; keeps the world."""

    def __init__(self, interface, world):
        self.__array_interface__ = interface
        self.world = world


def _pack(address, shape, strides, size):
    """The bytes of an array, row-major."""
    if shape and 0 in shape:
        return b""
    if strides == _packed_strides(shape, size):
        count = size
        for extent in shape:
            count *= extent
        return ctypes.string_at(address, count)
    return b"".join(
        _pack(address + k * strides[0], shape[1:], strides[1:], size) for k in range(shape[0]))


def _array_of(memory, tail, is_bool, copy, world):
    """The array of a view; `tail` are the axes of one element, which the view has as one."""
    numpy = _numpy()
    size = ctypes.sizeof(_TYPES[memory.kind][1])
    shape, strides = memory.shape, memory.strides
    if len(tail) > 1:
        shape = shape[:-1] + tuple(tail)
        strides = strides[:-1] + _packed_strides(tail, size)
    if numpy is not None:
        code = "b1" if is_bool else {"f": "f", "i": "i", "u": "u"}[memory.kind[0]] + str(size)
        interface = {"version": 3, "typestr": ("|" if size == 1 else _NATIVE) + code,
                     "shape": shape, "strides": strides, "data": (memory.address or 1, False)}
        if 0 in shape:
            return numpy.empty(shape, dtype=interface["typestr"])
        shown = numpy.asarray(_Shown(interface, world))
        return shown.copy() if copy else shown
    if not copy:
        raise Error("arrays in place need numpy")
    letter = "?" if is_bool else _TYPES[memory.kind][0]
    flat = memoryview(bytearray(_pack(memory.address, shape, strides, size)))
    return flat.cast(letter, shape) if shape and 0 not in shape else flat.cast(letter)


class Sequences:
    """An output of sequences: sequences[i] or sequences[i, j] is that of one strand.

    lengths  for each strand offset and length, in elements of data
    data     all elements
    """

    def __init__(self, lengths, data):
        self.lengths = lengths
        self.data = data

    def __getitem__(self, strand):
        index = strand if isinstance(strand, tuple) else (strand,)
        offset, length = int(self.lengths[index + (0,)]), int(self.lengths[index + (1,)])
        return self.data[offset:offset + length]

    def __len__(self):
        return self.lengths.shape[0]


class Image:
    """Samples and where they lie.

    samples  an array; its first axes are spatial, the last ones those of vectors and tensors
    origin   the position of the first sample
    steps    for each spatial axis of the samples the way to the next one
    affine   instead of both: a matrix from (i, j, ..., 1) to positions, with a last row or without,
             whose columns belong to x, y and z
    axes     for each spatial axis of the samples its letter: "zyx" is samples[z, y, x]
    """

    def __init__(self, samples, origin=None, steps=None, affine=None, axes=None):
        self.samples = samples
        self.origin = origin
        self.steps = steps
        self.axes = axes
        if affine is not None:
            if origin is not None or steps is not None:
                raise Error("an image has an affine matrix, or origin and steps, not both")
            self._place(affine)

    def _place(self, affine):
        rows = affine.tolist() if hasattr(affine, "tolist") else [list(row) for row in affine]
        dimension = len(rows[0]) - 1 if rows else 0
        if not 1 <= dimension <= 3 or len(rows) not in (dimension, dimension + 1) or any(
                len(row) != dimension + 1 for row in rows):
            raise Error("the affine matrix has %d rows of %d numbers, expected 3 or 4 of 4, or 2 or "
                        "3 of 3" % (len(rows), len(rows[0]) if rows else 0))
        rows = rows[:dimension]
        self.origin = [row[-1] for row in rows]
        letters = self.axes or "zyx"[3 - dimension:]
        self.steps = [[row["xyz".index(letter)] for row in rows] for letter in letters]


class Frame:
    """A frame of video in a buffer, as cameras and decoders lay it out.

    data        the buffer: whatever shows its memory, without gaps
    layout      "NHWC" (interleaved), "NCHW" (planar), with D before H for volumes; "420SP" (luma,
                then pairs of chroma at half the resolution)
    dims        in the order of the layout's letters; of 420SP 3, height, width
    kind        type of its samples, such as "uint8"; None: that of the data
    pitches     bytes of the whole, of one step along axis 0, along axis 1, ...; None: packed
    offset      bytes of the buffer before the frame
    number      which of the N frames
    component   the first one that the image takes; of 420SP 0 is luma, 1 and 2 are chroma
    components  how many it takes; 0: all from there on, of 420SP those of the plane
    siting      of chroma: "centred" amid four samples of luma, or amid two at the "left"
    origin, steps  where its samples at full resolution are, as of an Image
    """

    def __init__(self, data, layout, dims, kind=None, pitches=None, offset=0, number=0,
                 component=0, components=0, siting="centred", origin=None, steps=None):
        self.data = data
        self.layout = layout
        self.dims = tuple(dims)
        self.kind = kind
        self.pitches = tuple(pitches or ())
        self.offset = offset
        self.number = number
        self.component = component
        self.components = components
        self.siting = siting
        self.origin = origin
        self.steps = steps


# ---- descriptions -----------------------------------------------------------------------------

_C_TYPES = {
    "int": ctypes.c_int32,
    "long long int": ctypes.c_longlong,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "bool": ctypes.c_bool,
    "uint32_t": ctypes.c_uint32,
    "size_t": ctypes.c_size_t,
    "ptrdiff_t": ctypes.c_ssize_t,
    "char": ctypes.c_char,
    "void*": ctypes.c_void_p,
    "void": None,
}


def _c_type(kind):
    """The ctype of a type as the description has it; pointers are addresses."""
    if not isinstance(kind, dict):
        return _C_TYPES.get(kind, ctypes.c_void_p)
    if kind["kind"] == "const":
        return _c_type(kind["arg"])
    if kind["kind"] == "*()":
        parameters = [_c_type(parameter["param-ty"]) for parameter in kind["params"]]
        return ctypes.CFUNCTYPE(_c_type(kind["return-ty"]), *parameters)
    return ctypes.c_void_p


def _struct_type(description):
    fields = []
    for field in description["fields"]:
        kind = _C_TYPES[field["type"]]
        fields.append((field["name"], kind * field["size"] if "size" in field else kind))
    return type("Struct", (ctypes.Structure,), {"_fields_": fields})


class Library:
    """A generated library, by its description, a file or what is in it; the shared object is beside
    it, or given.

    inputs, outputs  dictionaries of what the description says of each
    """

    def __init__(self, description, shared=None):
        if isinstance(description, dict):
            self.description = description
        else:
            path = os.fspath(description)
            with open(path, encoding="utf-8") as file:
                self.description = json.load(file)
            shared = shared or os.path.splitext(path)[0] + ".so"
        self._functions = {}
        self._printer_type = None
        self._shared = ctypes.CDLL(os.path.abspath(shared))
        self.inputs = {entry["name"]: entry for entry in self.description["inputs"]}
        self.outputs = {entry["name"]: entry for entry in self.description["outputs"]}
        self._view = _struct_type(self.description["view"])
        self._frame = _struct_type(self.description.get("frame", {"fields": []}))
        self._codes = self.description["view"]["types"]
        self._names = {code: name for name, code in self._codes.items()}
        self._free = ctypes.CDLL(None).free
        self._free.argtypes, self._free.restype = [ctypes.c_void_p], None
        self._runtime = {}
        for entry in self.description["runtime"]:
            for key in ("func", "get", "set"):
                if key in entry:
                    self._runtime[entry["name"], key] = self.function(entry[key])

    def function(self, description):
        """A function of the library, ready to be called."""
        found = self._functions.get(description["name"])
        if found is not None:
            return found
        found = getattr(self._shared, description["name"])
        found.argtypes = [_c_type(parameter["param-ty"]) for parameter in description["params"]]
        found.restype = _c_type(description["return-ty"])
        self._functions[description["name"]] = found
        return found

    def printer_type(self):
        """What set_printer_cb takes, as a ctype."""
        if self._printer_type is None:
            description = next(entry for entry in self.description["runtime"]
                               if entry["name"] == "printer_cb")["set"]
            self._printer_type = _c_type(description["params"][1]["param-ty"])
        return self._printer_type

    def world(self, **inputs):
        """A new world with these inputs."""
        world = World(self)
        try:
            for name, value in inputs.items():
                world.set(name, value)
        except BaseException:
            world.close()
            raise
        return world


# ---- worlds -----------------------------------------------------------------------------------


def _shape_of(kind):
    """Extents of a value of fixed size, and the type of its scalars."""
    if isinstance(kind, dict) and kind["kind"] == "seq":
        inner, scalar = _shape_of(kind["elem-ty"])
        return ((kind["size"],) if kind["size"] > 1 else ()) + inner, scalar
    if isinstance(kind, dict):
        return tuple(kind["shape"]), "real"
    return (), kind


class World:
    """One run of the program: set inputs, run, look at outputs. Close it, or use `with`."""

    def __init__(self, library):
        self.library = library
        self._kept = {}
        self._is_created = False
        self._is_running = False
        self._failure = None
        self._printer = None
        self._world = library._runtime["new_world", "func"]()
        if not self._world:
            raise Error("there is no memory for a world")
        self._call(library._runtime["init_world", "func"])

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.close()

    def __del__(self):
        if getattr(self, "_world", None):
            self.close()

    def close(self):
        """Release everything; arrays in place and borrowed ones are not used any more."""
        if self._is_running:
            raise Error("a world that runs cannot be closed")
        if self._world:
            self.library._runtime["shutdown", "func"](self._world)
        self._world = None
        self._kept = {}

    def _handle(self):
        if not self._world:
            raise Error("the world is closed")
        return self._world

    def _errors(self):
        address = self.library._runtime["get_errors", "get"](self._handle())
        text = ctypes.string_at(address).decode("utf-8", "replace") if address else ""
        self.library._free(address)
        return text.strip() or "out of memory"  # also to say more

    def _call(self, function, *arguments):
        if function(self._handle(), *arguments):
            raise Error(self._errors())

    def _work(self, function, *arguments):
        """Calls what calls the printer, which must not take away what is in use."""
        was_running, self._is_running = self._is_running, True
        try:
            return function(self._handle(), *arguments)
        finally:
            self._is_running = was_running

    # ---- inputs ----

    def default(self, name):
        """The value of an input that is no image and no sequence; None: it has none yet."""
        entry = self.library.inputs[name]
        kind = entry["type"]
        is_array = isinstance(kind, dict) and kind["kind"] in ("image", "dynseq")
        if is_array or not entry["has-default"]:
            return None
        if kind == "string":
            held = ctypes.c_char_p()
            self.library.function(entry["get"])(self._handle(), ctypes.addressof(held))
            return (held.value or b"").decode("utf-8", "replace")
        parameter = entry["get"]["params"][1]["param-ty"]
        held = (_c_type(parameter["arg"]) * parameter.get("size", 1))()
        self.library.function(entry["get"])(self._handle(), ctypes.addressof(held))
        numbers = [_shortest(number) if parameter["arg"] == "float" else number for number in held]
        return _nested(numbers, _shape_of(kind)[0])

    def set(self, name, value):
        """Set an input. Images and sequences take an array or the name of a file; an image may
        be an Image, which places it in space, or a Frame."""
        if name not in self.library.inputs:
            raise unknown_name("input", name, self.library.inputs)
        entry = self.library.inputs[name]
        kind = entry["type"]
        if isinstance(kind, dict) and kind["kind"] in ("image", "dynseq"):
            self._set_array(entry, value)
        elif kind == "string":
            text = _c_string(name, str(value).encode("utf-8"))
            self._call(self.library.function(entry["set"]), ctypes.addressof(text))
        else:
            self._set_value(entry, value)

    def __setitem__(self, name, value):
        self.set(name, value)

    def _set_array(self, entry, value):
        if isinstance(value, (str, os.PathLike)):
            text = _c_string(entry["name"], os.fsencode(value))
            self._call(self.library.function(entry["set"][0]), ctypes.addressof(text))
            return
        if isinstance(value, Frame):
            self._set_frame(entry, value)
            return
        is_image = entry["type"]["kind"] == "image"
        memory, image = _placed_memory(entry, value) if is_image else (
            _memory_of(_shown(entry["name"], value)), None)
        elements = None if is_image else _shape_of(entry["type"]["elem-ty"])[1]
        if elements == "int" and memory.kind.startswith("float") and 0 not in memory.shape:
            raise Error("%s: ints are expected, found %s" % (entry["name"], memory.kind))
        if not is_image and memory.shape == (0,):  # no elements, of whatever shape
            memory.shape += _shape_of(entry["type"]["elem-ty"])[0]
            memory.strides = _packed_strides(memory.shape, 8)
        view = self._view_of(entry["name"], memory)
        if is_image:
            self._set_placed(entry, "set-view", view, image)
        else:
            self._call(self.library.function(entry["set-view"]), ctypes.addressof(view))
        self._kept[entry["name"]] = memory

    def _set_frame(self, entry, value):
        name = entry["name"]
        if "set-frame" not in entry:
            raise Error("%s: only images of two and three dimensions are frames" % name)
        memory = _memory_of(value.data)
        if memory.strides != _packed_strides(memory.shape, _size_of(memory.kind)):
            raise Error("%s: the buffer of a frame has gaps" % name)
        self._set_placed(entry, "set-frame", self._frame_of(name, value, memory), value)
        self._kept[name] = memory

    def _frame_of(self, name, value, memory):
        described = self.library.description["frame"]
        kind = memory.kind if value.kind is None else value.kind
        for given, known, what in ((value.layout.replace("D", ""), described["layouts"], "layout"),
                                   (value.siting, described["sitings"], "siting"),
                                   (kind, self.library._codes, "kind")):
            if given not in known:
                raise Error("%s: %r is no %s of a frame, expected one of %s" % (
                    name, given, what, ", ".join(known)))
        frame = self.library._frame()
        for numbers, what in ((value.dims, "dims"), (value.pitches, "pitches")):
            if len(numbers) > len(frame.dims):
                raise Error("%s: the frame has %d %s, expected at most %d" % (
                    name, len(numbers), what, len(frame.dims)))
            for axis, number in enumerate(numbers):
                getattr(frame, what)[axis] = number
        n_bytes = _size_of(memory.kind)
        for extent in memory.shape:
            n_bytes *= extent
        n_bytes += memory.spare
        if not 0 <= value.offset < n_bytes:
            raise Error("%s: the frame begins at byte %d, but its buffer has %d" % (
                name, value.offset, n_bytes))
        frame.data, frame.n_bytes = memory.address + value.offset, n_bytes - value.offset
        frame.layout = described["layouts"][value.layout.replace("D", "")]
        frame.siting = described["sitings"][value.siting]
        frame.type = self.library._codes[kind]
        frame.rank, frame.n_pitches = len(value.dims), len(value.pitches)
        frame.number = value.number
        frame.component, frame.n_components = value.component, value.components
        return frame

    def _set_placed(self, entry, key, struct, value):
        places = [self._doubles(entry, value.origin, "origin"),
                  self._doubles(entry, value.steps, "steps")]
        addresses = [ctypes.addressof(place) if place is not None else None for place in places]
        self._call(self.library.function(entry[key]), ctypes.addressof(struct), *addresses)

    def _doubles(self, entry, given, what):
        if given is None:
            return None
        dimension = entry["type"]["dimension"]
        numbers = _reals(entry["name"], given)
        count = dimension if what == "origin" else dimension * dimension
        if len(numbers) != count:
            raise Error("%s: %s has %d numbers, expected %d" % (entry["name"], what, len(numbers),
                                                                 count))
        if not all(-1e300 < number < 1e300 for number in numbers):
            raise Error("%s: %s has numbers that are no positions: %s" % (
                entry["name"], what, numbers))
        return (ctypes.c_double * count)(*numbers)

    def _view_of(self, name, memory):
        view = self.library._view()
        if len(memory.shape) > len(view.shape):
            raise Error("%s: the array has %d axes, expected at most %d" % (
                name, len(memory.shape), len(view.shape)))
        view.data, view.type = memory.address, self.library._codes[memory.kind]
        view.rank, view.spare = len(memory.shape), memory.spare
        for axis, (extent, stride) in enumerate(zip(memory.shape, memory.strides)):
            view.shape[axis], view.strides[axis] = extent, stride
        return view

    def _set_value(self, entry, value):
        shape, scalar = _shape_of(entry["type"])
        parameter = entry["set"]["params"][1]["param-ty"]
        count = 1
        for extent in shape:
            count *= extent
        numbers = _reals(entry["name"], value)
        if len(numbers) != count:
            raise Error("%s: %d values, expected %d" % (entry["name"], len(numbers), count))
        given = tuple(_shape_of_value(value))
        if len(given) > 1 and given != shape:
            raise Error("%s: values of shape %s, expected %s" % (entry["name"], given, shape))
        if scalar == "int" and not all(float(number).is_integer() for number in numbers):
            raise Error("%s: an int is expected" % entry["name"])
        convert = {"int": int, "bool": bool, "real": float}[scalar]
        numbers = [convert(number) for number in numbers]
        function = self.library.function(entry["set"])
        if isinstance(parameter, dict):
            held = (_c_type(parameter["arg"]) * count)(*numbers)
            self._call(function, ctypes.addressof(held))
            return
        held = _c_type(parameter)(numbers[0])
        if scalar == "int" and held.value != numbers[0]:
            raise Error("%s: %d is no int of the program" % (entry["name"], numbers[0]))
        self._call(function, held)

    def on_print(self, function):
        """Call function(text) with what each print statement says; None: standard output. What
        it raises ends the run, which raises it again."""
        kind = self.library.printer_type()

        def printer(_, text):
            try:
                function(ctypes.string_at(text).decode("utf-8", "replace"))
            except BaseException as failure:  # raised again by run
                self._failure = failure
                return True
            return False

        callback = kind(printer) if function else kind()
        self._call(self.library._runtime["printer_cb", "set"], callback, None)
        self._printer = callback  # until then the old one may be called

    def set_num_workers(self, count):
        """Threads of a library for the parallel target; 0: all cores."""
        if ("num_workers", "set") not in self.library._runtime:
            raise Error("the library is not for the parallel target")
        self._call(self.library._runtime["num_workers", "set"], _c_count("workers", count))

    def set_gpu(self, which, block_size=0):
        """Of a library for --target=cuda: "any", "none", "required", or the number of a GPU; None:
        what $DIDEROT_GPU says. Blocks of so many threads, 0: chosen."""
        if ("gpu", "set") not in self.library._runtime:
            raise Error("the library is not for the target cuda")
        text = None if which is None else _c_string("gpu", str(which).encode("utf-8"))
        address = None if text is None else ctypes.addressof(text)
        self._call(self.library._runtime["gpu", "set"], address, _c_count("block_size", block_size))

    @property
    def gpu(self):
        """The name of the GPU that does the work; empty: the CPU does."""
        if ("gpu", "get") not in self.library._runtime:
            return ""
        return ctypes.string_at(self.library._runtime["gpu", "get"](self._handle())).decode()

    # ---- running ----

    def create(self):
        """Make the strands; run does it too. Inputs are fixed from now on."""
        self._failure = None
        if self._work(self.library._runtime["create_strands", "func"]):
            self._raise_failure()
            raise Error(self._errors())
        self._is_created = True

    def run(self, max_steps=0):
        """At most that many supersteps (0: to the end). The number done. KeyboardInterrupt ends the
        run after the superstep, or the strands that are under way; the next one goes on."""
        _c_count("max_steps", max_steps)
        if not self._is_created:
            self.create()
        self._listen()
        total = 0
        while True:  # a signal whose handler raises nothing ends the call, but not the run
            count = self._run_once(max_steps - total if max_steps else 0)
            total += count
            if not count or 0 < max_steps <= total or not self.num_active:
                return total

    def _run_once(self, max_steps):
        self._failure = None
        count = self._work(self.library._runtime["run", "func"], max_steps)
        self._raise_failure()
        if self.library._runtime["any_errors", "get"](self._world):
            raise Error(self._errors())
        return count

    def _listen(self):
        """Signals are for the main thread."""
        from threading import current_thread, main_thread
        listen = self.library._runtime.get(("make_interruptible", "func"))
        if listen and current_thread() is main_thread():
            listen(self._handle())

    def _raise_failure(self):
        failure, self._failure = self._failure, None
        if failure is not None:
            self._errors()
            raise failure

    def _count(self, which):
        return self.library._runtime[which, "get"](self._handle())

    @property
    def num_strands(self):
        return self._count("num_strands")

    @property
    def num_active(self):
        return self._count("num_active_strands")

    @property
    def num_stable(self):
        return self._count("num_stable_strands")

    # ---- outputs ----

    def output(self, name, copy=True):
        """An output: an array, or Sequences. copy=False: memory of the world, which holds until
        the next look at the same output, run or close."""
        return self._look(name, "get-view", copy)

    def __getitem__(self, name):
        return self.output(name)

    def write(self, name, out):
        """Write an output into memory that `out` shows and return it: an array of the output's
        shape, with any strides and of any type, to which values are converted; or a Frame, of a
        program whose strands are a grid of two or three axes."""
        if name not in self.library.outputs:
            raise unknown_name("output", name, self.library.outputs)
        entry = self.library.outputs[name]
        if isinstance(out, Frame):
            if "write-frame" not in entry:
                raise Error("%s: only outputs of grids of two and three axes are frames" % name)
            memory = _writable_memory_of(name, out.data)
            struct, key = self._frame_of(name, out, memory), "write-frame"
        else:
            if "write-view" not in entry:
                raise Error("%s: sequences are no array" % name)
            memory = _writable_memory_of(name, out)
            shape = _shape_of(entry["type"])[0]
            if len(shape) > 1 and memory.shape[-len(shape):] == shape:  # one axis of the view
                memory = _merge_last(name, memory, len(shape))
            struct, key = self._view_of(name, memory), "write-view"
        self._call(self.library.function(entry[key]), ctypes.addressof(struct))
        return out

    def snapshot(self, name, copy=True):
        """The same of all living strands, while the program runs; of libraries that were compiled
        with --snapshot."""
        return self._look(name, "snapshot-view", copy)

    def _look(self, name, key, copy):
        if name not in self.library.outputs:
            raise unknown_name("output", name, self.library.outputs)
        entry = self.library.outputs[name]
        if key not in entry:
            raise Error("the library was compiled without --snapshot")
        kind = entry["type"]
        is_dynamic = isinstance(kind, dict) and kind["kind"] == "dynseq"
        views = [self.library._view() for _ in range(2 if is_dynamic else 1)]
        self._call(self.library.function(entry[key]), *map(ctypes.addressof, views))
        shape, scalar = _shape_of(kind["elem-ty"] if is_dynamic else kind)
        data = _array_of(self._memory(views[-1]), shape, scalar == "bool", copy, self)
        if not is_dynamic:
            return data
        return Sequences(_array_of(self._memory(views[0]), (2,), False, copy, self), data)

    def _memory(self, view):
        return _Memory(view.data, self.library._names[view.type], view.shape[:view.rank],
                       view.strides[:view.rank], 0, self)


def _c_string(what, text):
    if b"\0" in text:
        raise Error("%s: a string cannot hold a NUL character" % what)
    return ctypes.create_string_buffer(text)


def _shortest(number):
    """A float as the shortest double that is the same float."""
    for digits in range(6, 10):
        told = float("%.*g" % (digits, number))
        if ctypes.c_float(told).value == number:
            return told
    return number


def _nested(numbers, shape):
    if not shape:
        return numbers[0]
    part = len(numbers) // shape[0]
    return tuple(_nested(numbers[k * part:(k + 1) * part], shape[1:]) for k in range(shape[0]))


def _shape_of_value(value):
    return value.shape if hasattr(value, "shape") else _shape_of_lists(value)


def _reals(name, value):
    """All numbers of a value, or what is wrong with it."""
    numbers = _numbers(value)
    for number in numbers:
        if isinstance(number, (str, bytes, complex)) or not hasattr(number, "__float__"):
            raise Error("%s: %r is no number" % (name, number))
    return numbers


def _is_plain(value):
    """Whether it shows numbers of this machine, or has them itself."""
    if isinstance(value, (list, tuple)):
        return True
    if type(value).__module__ != "numpy" or not hasattr(value, "__array_interface__"):
        return False
    return value.dtype.isnative and value.dtype.char in "?bBhHiIlLqQfd"


def _shown(name, value):
    """What shows its memory, of whatever library it is."""
    if _is_plain(value):
        return value
    from . import _placed
    return _placed.array_of(name, value)


def _placed_memory(entry, value):
    """Memory of an image, and where it is."""
    if _is_plain(value):
        return _memory_of(value), Image(value)
    from . import _placed
    return _placed.memory_of(entry, value)


def _c_count(what, number):
    if not 0 <= number < 2**32:
        raise Error("%s: %s is no number from 0 to 2**32 - 1" % (what, number))
    return number


def _numbers(value):
    """All numbers of a value, row-major."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [number for element in value for number in _numbers(element)]
    return [value]
