"""Views of arrays: the class View of diderot.array, and how arrays and pitches are made."""

import ctypes
from ctypes import byref, c_bool, c_double, c_float, c_int, c_int64, c_size_t

from . import _arrays
from ._arrays import C, ELEMENTS, Layout, NdView, Number, check, int64s, refuse

# ---- elements and numbers ---------------------------------------------------------------------

_RANGES = {name: (-2**(8 * size - 1), 2**(8 * size - 1) - 1) if kind == "int" else
           (0, 2**(8 * size) - 1) for name, size, kind, _ in ELEMENTS if kind in ("int", "uint")}


def code_of(kind):
    """The number of a type: a name such as "float32", a dtype of numpy, bool, int, float, complex."""
    if isinstance(kind, int) and not isinstance(kind, bool):
        return kind
    named = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}.get(kind)
    name = named or getattr(kind, "name", None) or getattr(kind, "__name__", None) or kind
    if name not in _arrays.CODES:
        refuse("ETYPE", "there is no type %r; types are %s" % (
            kind, ", ".join(name for name, *_ in ELEMENTS)))
    return _arrays.CODES[name]


def _fitting(value, like):
    """The type that a number has beside elements of the type `like`, or None: that of the value."""
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


def number_of(value, like):
    """A Python number for the library: of the type `like` where that holds it, else of the smallest
    that does."""
    if hasattr(value, "item") and not isinstance(value, (bool, int, float, complex)):
        value = value.item()  # a scalar of numpy
    if not isinstance(value, (bool, int, float, complex)):
        refuse("ETYPE", "%s is no number" % type(value).__name__)
    name = _fitting(value, like)
    if isinstance(value, int) and not -2**63 <= value < 2**64:
        refuse("EOVERFLOW", str(value))
    code = _arrays.CODES[name]
    kind = ELEMENTS[code][2]
    if kind in ("bool", "int", "uint"):
        return Number(code, int(value) - (2**64 if value >= 2**63 else 0), 0, 0)
    parts = complex(value)
    re, im = parts.real, parts.imag
    if name in ("float32", "complex64"):
        re, im = c_float(re).value, c_float(im).value
    return Number(code, 0, re, im)


def value_of(number):
    """The Python number that a result is."""
    name, _, kind, _ = ELEMENTS[number.type]
    if kind == "bool":
        return bool(number.integer)
    if kind == "complex":
        return complex(number.re, number.im)
    if kind == "real":
        return number.re
    return number.integer + (2**64 if name == "uint64" and number.integer < 0 else 0)


# ---- views ------------------------------------------------------------------------------------


class _Block:
    """An array that the library made, until this goes."""

    def __init__(self, made):
        self.made = made

    def __del__(self):
        C.ddr_ndview_release(byref(self.made))


def _text(shape):
    return " x ".join(str(extent) for extent in shape) or "no axes"


class View:
    """An array: a type, a shape and strides over memory, which it keeps alive and does not copy.

    View(value) shows the memory of an array of numpy, of whatever has DLPack or the buffer
    protocol, or of another view; nested lists and numbers are copied. Parts of a view (fix, slice,
    permute, flip, step, repeat, reshape, or indices as in v[1, ::-2]) show the same memory.
    numpy.asarray(view), view.__dlpack__ and view.tolist() lead out again.

    shape    extents, the slowest axis first
    strides  elements from one index to the next; may be negative, 0 along what repeats
    type     "bool", "int8" to "uint64", "float32", "float64", "complex64", "complex128"
    """

    def __init__(self, value, type=None):  # pylint: disable=redefined-builtin
        if isinstance(value, View):
            self._c, self._owner, self.is_constant = value._c, value._owner, value.is_constant
        else:
            memory = _arrays.memory_of(value)
            if memory is None:
                memory = _memory_of_lists(value, type)
            self._wrap(memory)
        if type is not None and code_of(type) != self._c.type:
            refuse("ETYPE", "elements are %s, expected %s" % (self.type, ELEMENTS[code_of(type)][0]))

    def _wrap(self, memory):
        size = ELEMENTS[memory.code][1]
        layout = Layout(rank=len(memory.shape))
        if len(memory.shape) > _arrays.MAX_RANK:
            refuse("ERANK", "%d axes" % len(memory.shape))
        for axis, (extent, stride) in enumerate(zip(memory.shape, memory.strides)):
            if stride % size and extent > 1:
                refuse("EPITCH", "a stride of %d bytes for elements of %d" % (stride, size))
            layout.len[axis], layout.stride[axis] = extent, stride // size
        check(C.ddr_layout_check(byref(layout)), lambda: _text(memory.shape))
        self._c = NdView(memory.code, memory.address or None, layout, 0, None)
        self._owner, self.is_constant = memory.owner, memory.is_constant

    @classmethod
    def _of(cls, c_view, owner, is_constant=False):
        view = cls.__new__(cls)
        view._c, view._owner, view.is_constant = c_view, owner, is_constant
        return view

    @classmethod
    def _made(cls, made):
        """Of an array that the library made, which goes with the last view of it."""
        block = _Block(made)
        return cls._of(NdView(made.type, made.data, made.layout, made.residency, None), block)

    # ---- what it is like ----

    @property
    def shape(self):
        return tuple(self._c.layout.len[:self._c.layout.rank])

    @property
    def strides(self):
        return tuple(self._c.layout.stride[:self._c.layout.rank])

    @property
    def ndim(self):
        """Axes."""
        return self._c.layout.rank

    @property
    def type(self):
        return ELEMENTS[self._c.type][0]

    @property
    def itemsize(self):
        """Bytes of an element."""
        return ELEMENTS[self._c.type][1]

    @property
    def size(self):
        """Elements, with repetitions."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def is_contiguous(self):
        """Whether its elements fill an interval of memory, in any order."""
        return C.ddr_layout_is_contiguous(byref(self._c.layout))

    @property
    def is_canonical(self):
        """Whether its elements follow one another in memory, the last axis fastest."""
        return C.ddr_layout_is_canonical(byref(self._c.layout))

    @property
    def is_injective(self):
        """Whether no two indices have the same element."""
        result = c_bool()
        check(C.ddr_layout_is_injective(byref(self._c.layout), byref(result)), repr(self))
        return result.value

    def __repr__(self):
        return "<View of %s, %s>" % (_text(self.shape), self.type)

    def __len__(self):
        if not self.ndim:
            raise TypeError("a view of no axes has no length")
        return self.shape[0]

    # ---- parts ----

    def _part(self, function, *arguments):
        layout = Layout()
        status = getattr(C, "ddr_layout_" + function)(byref(self._c.layout), *arguments,
                                                      byref(layout))
        if status:
            shown = [list(a) if hasattr(a, "__len__") else a for a in arguments]
            check(status, "%s%r of %s" % (function, tuple(shown), _text(self.shape)))
        return self._with(layout)

    def _with(self, layout):
        part = NdView(self._c.type, self._c.data, layout, self._c.residency, None)
        return View._of(part, self._owner, self.is_constant)

    def _axis(self, axis):
        return axis + self.ndim if -self.ndim <= axis < 0 else axis

    def fix(self, axis, where):
        """Index `where` of an axis, which goes."""
        return self._part("fix", self._axis(axis), where)

    def slice(self, axis, begin, end):
        """Indices begin to end-1 of an axis."""
        return self._part("slice", self._axis(axis), begin, end)

    def permute(self, *order):
        """Axis k of the result is axis order[k]."""
        order = order[0] if len(order) == 1 and hasattr(order[0], "__len__") else order
        if len(order) != self.ndim:
            refuse("ERANK", "permute%r of %s" % (tuple(order), _text(self.shape)))
        return self._part("permute", (c_int * max(1, len(order)))(*map(self._axis, order)))

    def transpose(self):
        """The axes in the opposite order."""
        return self.permute(*range(self.ndim - 1, -1, -1))

    def flip(self, axis):
        """An axis backwards."""
        return self._part("flip", self._axis(axis))

    def step(self, axis, step):
        """Every step-th index of an axis, from the first on; for a negative step from the last."""
        return self._part("step", self._axis(axis), step)

    def repeat(self, axis, times):
        """A new axis before `axis` (after the last for ndim), along which elements repeat."""
        return self._part("repeat", axis, times)

    def reshape(self, *shape):
        """Other extents for the same order of elements, where that needs no copy."""
        shape = shape[0] if len(shape) == 1 and hasattr(shape[0], "__len__") else shape
        return self._part("reshape", len(shape), int64s(shape))

    def mask(self, chosen):
        """The elements where a bool array is true, to be assigned: v.mask(v < 0).assign(0)."""
        return Masked(self, chosen)

    def _sliced(self, axis, index):
        extent = self.shape[axis]
        begin, _, step = index.indices(extent)
        count = len(range(*index.indices(extent)))
        if step == 1:
            return self.slice(axis, min(begin, extent), min(begin, extent) + count)
        part = self.slice(axis, 0, 0)
        if count:
            last = begin + (count - 1) * step
            part = self.slice(axis, min(begin, last), max(begin, last) + 1).step(axis, step)
        return part

    def __getitem__(self, key):
        key = list(key) if isinstance(key, tuple) else [key]
        n_axes = sum(part is not None and part is not Ellipsis for part in key)
        if Ellipsis not in [part for part in key if part is None or part is Ellipsis]:
            key.append(Ellipsis)
        view, axis = self, 0
        for part in key:
            if part is Ellipsis:
                axis += self.ndim - n_axes
            elif part is None:
                view = view.repeat(axis, 1)
                axis += 1
            elif isinstance(part, slice):
                view._has_axis(axis, key)
                view = view._sliced(axis, part)
                axis += 1
            elif hasattr(part, "__index__"):
                where = part.__index__()
                view._has_axis(axis, key)
                view = view.fix(axis, where + view.shape[axis] if where < 0 else where)
            else:
                raise TypeError("an index is an int, a slice, None or ..., not %s" %
                                type(part).__name__)
        return view

    def _has_axis(self, axis, key):
        if not 0 <= axis < self.ndim:
            refuse("ERANK", "%d indices of %s" % (len(key) - 1, _text(self.shape)))

    def __setitem__(self, key, value):
        if isinstance(key, View) or getattr(key, "dtype", None) == "bool":
            self.mask(key).assign(value)
        else:
            self[key].assign(value)

    def __iter__(self):
        return (self.fix(0, k) for k in range(len(self)))

    # ---- elements ----

    def assign(self, value):
        """Every element from an array of the same shape and type, or a number."""
        if _is_number(value):
            value = View._number(number_of(value, self._c.type), self)
        source = as_view(value)
        _written(self, "assign")
        status = apply("assign", [source], self, 1)
        if status and _arrays.STATUSES[status] == "EALIAS" and self.is_injective:
            status = apply("assign", [source.copy()], self, 1)
        check(status, lambda: "assign %r to %r" % (source, self))
        return self

    @staticmethod
    def _number(number, like):
        """A number everywhere, in the type and shape of a view."""
        made = NdView()
        check(C.ddr_ndview_new(like._c.type, 0, None, 0, byref(made)), "a number")
        cell = View._made(made)
        check(apply("fill", [number], cell, 1), "fill")
        for extent in reversed(like.shape):
            cell = cell.repeat(0, extent)
        return cell

    def copy(self):
        """A fresh array without gaps."""
        made = empty(self.shape, self._c.type)
        check(apply("assign", [self], made, 1), lambda: "copy of %r" % self)
        return made

    def cast(self, type):  # pylint: disable=redefined-builtin
        """A fresh array of another type: reals to ints are cut, the nearest int if out of range."""
        made = NdView()
        check(C.ddr_transform_make_cast(byref(self._c), code_of(type), 1, byref(made)),
              lambda: "cast %r to %s" % (self, ELEMENTS[code_of(type)][0]))
        return View._made(made)

    def item(self):
        """The number that a view of one element has."""
        if self.size != 1:
            refuse("ESHAPE", "item of %s" % _text(self.shape))
        return self.reshape(1).tolist()[0]

    def tolist(self):
        """Nested lists of Python's numbers; without axes one number."""
        if self.ndim and self.size == 0:
            return [part.tolist() for part in self] if self.shape[0] else []
        packed = self if self.is_canonical else self.copy()
        kind = ELEMENTS[self._c.type][2]
        n = self.size * (2 if kind == "complex" else 1)
        data = (packed._c.data or 0) + packed._c.layout.offset * self.itemsize
        c_type = _C_TYPES[self.type]
        numbers = list((c_type * n).from_address(data))
        if kind == "complex":
            numbers = [complex(*parts) for parts in zip(numbers[::2], numbers[1::2])]
        for extent in reversed(self.shape):
            numbers = [numbers[k:k + extent] for k in range(0, len(numbers), extent)]
        return numbers[0]

    def __bool__(self):
        return bool(self.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    # ---- for others ----

    @property
    def __array_interface__(self):
        _, size, _, letter = ELEMENTS[self._c.type]
        order = "|" if size == 1 else _arrays.ORDER
        address = (self._c.data or 0) + self._c.layout.offset * size if self.size else (
            self._c.data or 1)
        return {"version": 3, "typestr": "%s%s%d" % (order, letter, size), "shape": self.shape,
                "strides": tuple(stride * size for stride in self.strides),
                "data": (address, self.is_constant or not self._can_be_written())}

    def _can_be_written(self):
        return all(stride or extent < 2 for extent, stride in zip(self.shape, self.strides))

    def __dlpack__(self, **_):
        address = (self._c.data or 0) + self._c.layout.offset * self.itemsize if self.size else 0
        return _arrays.dlpack_of(address, self._c.type, self.shape, self.strides, self)

    def __dlpack_device__(self):
        return _arrays.DLPACK_DEVICE


_C_TYPES = {"bool": c_bool, "int8": ctypes.c_int8, "uint8": ctypes.c_uint8,
            "int16": ctypes.c_int16, "uint16": ctypes.c_uint16, "int32": ctypes.c_int32,
            "uint32": ctypes.c_uint32, "int64": c_int64, "uint64": ctypes.c_uint64,
            "float32": c_float, "float64": c_double, "complex64": c_float,  # parts
            "complex128": c_double}


class Masked:
    """Elements of a view where a mask is true, as the left-hand side of an assignment."""

    def __init__(self, view, chosen):
        self.view, self.chosen = view, as_view(chosen)

    def assign(self, value):
        """From an array of the view's shape and type, of which the same elements are taken, or a
        number. What is read is read completely before anything is written."""
        view, chosen = self.view, self.chosen
        _written(view, "masked assignment")
        if _is_number(value):
            status = C.ddr_masked_assign_number(byref(view._c), byref(chosen._c),
                                                number_of(value, view._c.type))
        else:
            value = as_view(value)
            status = C.ddr_masked_assign(byref(view._c), byref(chosen._c), byref(value._c))
        check(status, lambda: "%r where %r := %r" % (view, chosen, value))
        return view


# ---- making and asking ------------------------------------------------------------------------


def _is_number(value):
    return isinstance(value, (bool, int, float, complex)) or (
        hasattr(value, "item") and getattr(value, "shape", None) == () and
        not isinstance(value, View))


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
    elif not isinstance(value, (list, tuple)) or len(value) != shape[0]:
        refuse("ESHAPE", "nested lists of different lengths")
    else:
        for element in value:
            _flatten(element, shape[1:], numbers)


def _type_of_numbers(numbers):
    for kind, name in ((complex, "complex128"), (float, "float64")):
        if any(isinstance(number, kind) for number in numbers):
            return name
    is_bool = numbers and all(isinstance(number, bool) for number in numbers)
    return "bool" if is_bool else "int64" if numbers else "float64"


def _memory_of_lists(value, kind):
    shape, numbers = _shape_of_lists(value), []
    _flatten(value, shape, numbers)
    if not all(_is_number(number) for number in numbers):
        refuse("ETYPE", "%s is no array of numbers" % type(value).__name__)
    numbers = [number.item() if hasattr(number, "item") else number for number in numbers]
    code = code_of(kind or _type_of_numbers(numbers))
    name, size, family, _ = ELEMENTS[code]
    if family == "complex":
        numbers = [part for number in map(complex, numbers) for part in (number.real, number.imag)]
    for number in numbers if name in _RANGES else []:
        if not _RANGES[name][0] <= number <= _RANGES[name][1]:
            refuse("EOVERFLOW", "%s as %s" % (number, name))
    try:
        held = (_C_TYPES[name] * max(1, len(numbers)))(*numbers)
    except TypeError as failure:
        return refuse("ETYPE", "numbers as %s: %s" % (name, failure))
    return _arrays.Memory(ctypes.addressof(held), code, shape, _arrays.packed_strides(shape, size),
                          False, held)


def as_view(value):
    """The value, if it is a view, or a view of its memory."""
    return value if isinstance(value, View) else View(value)


def _written(view, what):
    if view.is_constant:
        raise _arrays.ArrayError("EALIAS", "%s: the memory may not be written" % what)


def transform_id(form):
    """The number of the transform that a form does."""
    if form not in _ids:
        _ids[form] = C.ddr_transform_find(form.encode()).contents.transform
    return _ids[form]


_ids = {}


def operands_of(values):
    """Views and numbers as operands."""
    operands = (_arrays.Operand * len(values))()
    for operand, value in zip(operands, values):
        if isinstance(value, View):
            operand.view = ctypes.pointer(value._c)
        else:
            operand.number = value
    return operands


def apply(form, values, out, threads):
    """The status of a transform into an array that is there."""
    return C.ddr_transform_apply(transform_id(form), len(values), operands_of(values),
                                 byref(out._c), threads)


def empty(shape, type="float32", pitches=None):  # pylint: disable=redefined-builtin
    """A fresh array, uninitialised; with pitches (pitches_of), in padded rows, zeroed."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    made, code = NdView(), code_of(type)
    if pitches is None:
        status = C.ddr_ndview_new(code, len(shape), int64s(shape), 0, byref(made))
    elif len(pitches) != len(shape):
        refuse("ELEN", "%d pitches of %s" % (len(pitches), _text(shape)))
    else:
        status = C.ddr_ndview_new_pitched(code, len(shape), int64s(shape), _pitches(pitches),
                                          byref(made))
    check(status, lambda: "an array of %s" % _text(shape))
    return View._made(made)


def full(shape, value, type=None):  # pylint: disable=redefined-builtin
    """A fresh array of one number everywhere."""
    code = code_of(value.__class__) if type is None else code_of(type)
    number = number_of(value, code)
    made = empty(shape, code)
    check(apply("fill", [number], made, 1), "full")
    return made


def zeros(shape, type="float32"):  # pylint: disable=redefined-builtin
    """A fresh array of zeros."""
    return full(shape, False, type)


def _pitches(numbers):
    for number in numbers:
        if not 0 <= number < 2**64:
            refuse("EOVERFLOW", "a pitch of %s" % number)
    return (c_size_t * max(1, len(numbers)))(*numbers)


def pitches_of(shape, type, alignments=None, layout=None):  # pylint: disable=redefined-builtin
    """Bytes of an array in padded rows: of the whole, of one step along axis 0, along axis 1, ...

    shape       extents, the slowest axis first; with layout "420SP" 3, height, width
    type        of the elements, or their size in bytes
    alignments  of each of these pitches, any integers from 1 on; None: no padding
    layout      None, "NHWC", "NCHW" or "420SP"; only the last is computed otherwise

        pitches_of((1, 224, 300, 3), "uint8", (1, 1, 32, 4)) == (272384, 272384, 1216, 4)
    """
    shape = tuple(shape)
    alignments = (1,) * len(shape) if alignments is None else tuple(alignments)
    size = type if isinstance(type, int) else ELEMENTS[code_of(type)][1]
    found = (c_size_t * max(3, len(shape)))()
    _named(layout, shape)
    what = "pitches of %s" % _text(shape)
    if size < 0:
        refuse("ETYPE", what)
    if len(alignments) != len(shape) or len(shape) > _arrays.MAX_RANK:
        refuse("ELEN", what)
    if layout == "420SP":
        check(C.ddr_pitch_compute_420sp(int64s(shape), int64s(alignments), size, found), what)
    else:
        check(C.ddr_pitch_compute(len(shape), int64s(shape), len(alignments), int64s(alignments),
                                  size, found), what)
    return tuple(found[:len(shape)])


def _named(layout, shape):
    expected = {None: range(1, 17), "NHWC": (4, 5), "NCHW": (4, 5), "420SP": (3,)}
    if layout not in expected:
        refuse("EOPERATION", "layout %r, expected NHWC, NCHW or 420SP" % (layout,))
    if len(shape) not in expected[layout]:
        refuse("ELEN", "%s of %s" % (layout or "pitches", _text(shape)))


def pitched(data, shape, type=None, pitches=None, layout=None, offset=0):  # pylint: disable=W0622
    """Views of a buffer as cameras and decoders fill it: of a plain array, "NHWC" or "NCHW" one, of
    "420SP" two: luma [h, w] and chroma [2, ceil(h/2), ceil(w/2)].

    data    whatever shows its memory without gaps; it must have pitches[0] bytes from `offset` on
    """
    memory = _arrays.memory_of(data)
    if memory is None:
        refuse("ETYPE", "%s shows no memory" % data.__class__.__name__)
    shape, code = tuple(shape), memory.code if type is None else code_of(type)
    size = ELEMENTS[code][1]
    _named(layout, shape)
    pitches = pitches_of(shape, size, None, layout) if pitches is None else tuple(pitches)
    if len(pitches) != len(shape):
        refuse("ELEN", "%d pitches of %s" % (len(pitches), _text(shape)))
    n_bytes = ELEMENTS[memory.code][1]
    if memory.strides != _arrays.packed_strides(memory.shape, n_bytes):
        refuse("EPITCH", "the buffer has gaps")
    for extent in memory.shape:
        n_bytes *= extent
    if offset < 0 or offset % size or n_bytes - offset < pitches[0]:
        refuse("ELENGTH", "%d bytes from %d on, of %d" % (pitches[0], offset, n_bytes))
    layouts = [Layout(), Layout()] if layout == "420SP" else [Layout()]
    function = C.ddr_pitch_to_layouts_420sp if layout == "420SP" else C.ddr_pitch_to_layout
    given = [int64s(shape), size, _pitches(pitches), *map(byref, layouts)]
    check(function(*([len(shape)] if layout != "420SP" else []), *given),
          lambda: "pitches %r of %s" % (pitches, _text(shape)))
    views = [View._of(NdView(code, memory.address + offset, one, 0, None), memory,
                      memory.is_constant) for one in layouts]
    return tuple(views) if layout == "420SP" else views[0]
