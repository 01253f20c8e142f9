"""Views of arrays: the class View of diderot.array, and how arrays are made."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_bool

from . import _arrays
from ._arrays import C, ELEMENTS, Layout, NdView, Number, c_pitches, check, int64s, refuse
from ._elements import (C_TYPES, code_of, extents_of, is_cell, is_number, memory_of_lists,
                        number_of, text_of)
from ._indices import part_at
from ._lending import Lending
from ._memory import LISTS, check_mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Optional

# ---- views ------------------------------------------------------------------------------------


class _Block:
    """An array made by the library, as long as this object lives."""

    def __init__(self, made: NdView) -> None:
        self.made = made

    def __del__(self) -> None:
        C.ddr_ndview_release(byref(self.made))


_pointer = ctypes.POINTER(NdView)  # like ctypes.pointer, without looking up the type


class View(Lending):
    """An array: a type, a shape and strides over memory, which it keeps alive and does not copy.

    View(value) shows the memory of an array of numpy, of whatever has DLPack or the buffer
    protocol, or of another view; nested lists and numbers are copied. Parts of a view (fix, slice,
    permute, flip, step, repeat, reshape, or indices as in v[1, ::-2]) show the same memory.
    numpy.asarray(view), view.__dlpack__ and view.tolist() lead out again.

    shape    extents, the slowest axis first
    strides  elements from one index to the next; may be negative, 0 along what repeats
    type     "bool", "int8" to "uint64", "float32", "float64", "complex64", "complex128"
    memory   "host", "cuda", "unified": who can reach the elements
    """

    _c: NdView
    _ref: Any  # a pointer to _c
    _owner: Any
    is_constant: bool

    if TYPE_CHECKING:  # defined in array.py, which imports this module

        def _operator(self, other: Any) -> View: ...

        __add__ = __radd__ = __iadd__ = __sub__ = __rsub__ = __isub__ = _operator
        __mul__ = __rmul__ = __imul__ = __truediv__ = __rtruediv__ = __itruediv__ = _operator
        __and__ = __rand__ = __iand__ = __or__ = __ror__ = __ior__ = _operator
        __lt__ = __le__ = __gt__ = __ge__ = _operator

        def __eq__(self, other: Any) -> View: ...  # type: ignore[override]
        def __ne__(self, other: Any) -> View: ...  # type: ignore[override]
        def __neg__(self) -> View: ...
        def __invert__(self) -> View: ...
        def __abs__(self) -> View: ...

    _operand: Any = None
    _convolved: Any = None  # as an operand of convolutions, once it has been one
    _shape: Optional[tuple[int, ...]] = None

    def __init__(self, value: Any, type: Any = None) -> None:  # pylint: disable=redefined-builtin
        if isinstance(value, View):
            self._c, self._owner, self.is_constant = value._c, value._owner, value.is_constant
            self._ref = value._ref
        else:
            check_mask(value)
            memory = _arrays.memory_of(value)
            if memory is None:
                memory = memory_of_lists(value, type)
            self._wrap(memory)
        if type is not None and code_of(type) != self._c.type:
            refuse("ETYPE", "elements are %s, expected %s" % (self.type, ELEMENTS[code_of(type)][0]))

    def _wrap(self, memory: _arrays.Memory) -> None:
        size = ELEMENTS[memory.code][1]
        if len(memory.shape) > _arrays.MAX_RANK:
            refuse("ERANK", "%d axes" % len(memory.shape))
        for extent, stride in zip(memory.shape, memory.strides):
            if stride % size and extent > 1:
                refuse("EPITCH", "a stride of %d bytes for elements of %d" % (stride, size))
        layout = Layout(len(memory.shape), 0, memory.shape,
                        tuple([stride // size for stride in memory.strides]))
        check(C.ddr_layout_check(byref(layout)), lambda: text_of(memory.shape))
        self._c = NdView(memory.code, memory.address or None, layout, memory.residency, None)
        self._ref = byref(self._c)
        self._owner, self.is_constant = memory.owner, memory.is_constant

    @classmethod
    def _of(cls, c_view: NdView, owner: Any, is_constant: bool = False) -> View:
        view = cls.__new__(cls)
        view._c, view._ref, view._owner, view.is_constant = c_view, byref(c_view), owner, is_constant
        return view

    @classmethod
    def _made(cls, made: NdView) -> View:
        """A view of an array made by the library, which lives as long as some view of it."""
        shown = NdView.from_buffer_copy(made)
        shown.cleanup = None
        return cls._of(shown, _Block(made))

    def _as_operand(self) -> Any:
        """The view as an operand; created once, which takes as long as a small operation."""
        if self._operand is None:
            self._operand = _arrays.Operand(_pointer(self._c))
        return self._operand

    # ---- what it is like ----

    @property
    def shape(self) -> tuple[int, ...]:
        if self._shape is None:
            self._shape = tuple(self._c.layout.len[:self._c.layout.rank])
        return self._shape

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(self._c.layout.stride[:self._c.layout.rank])

    @property
    def ndim(self) -> int:
        """Axes."""
        return int(self._c.layout.rank)

    @property
    def type(self) -> str:
        return str(ELEMENTS[self._c.type][0])

    @property
    def memory(self) -> str:
        return str(_arrays.MEMORIES[self._c.residency])

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(ELEMENTS[self._c.type][1])

    @property
    def size(self) -> int:
        """Elements, with repetitions."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def is_contiguous(self) -> bool:
        """Whether its elements fill an interval of memory, in any order."""
        return bool(C.ddr_layout_is_contiguous(byref(self._c.layout)))

    @property
    def is_canonical(self) -> bool:
        """Whether its elements follow one another in memory, the last axis fastest."""
        return bool(C.ddr_layout_is_canonical(byref(self._c.layout)))

    @property
    def is_injective(self) -> bool:
        """Whether no two indices have the same element."""
        result = c_bool()
        check(C.ddr_layout_is_injective(byref(self._c.layout), byref(result)), repr(self))
        return bool(result.value)

    def __repr__(self) -> str:
        return "<View of %s, %s>" % (text_of(self.shape), self.type)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("a view of no axes has no length")
        return self.shape[0]

    # ---- parts ----

    def _part(self, function: str, *arguments: Any) -> View:
        layout = Layout()
        status = getattr(C, "ddr_layout_" + function)(byref(self._c.layout), *arguments,
                                                      byref(layout))
        if status:
            shown = [list(a) if hasattr(a, "__len__") else a for a in arguments]
            check(status, "%s%r of %s" % (function, tuple(shown), text_of(self.shape)))
        return self._with(layout)

    def _with(self, layout: Layout) -> View:
        part = NdView(self._c.type, self._c.data, layout, self._c.residency, None)
        return View._of(part, self._owner, self.is_constant)

    def _axis(self, axis: int) -> int:
        return axis + self.ndim if -self.ndim <= axis < 0 else axis

    def fix(self, axis: int, where: int) -> View:
        """Index `where` of an axis, which goes."""
        return self._part("fix", self._axis(axis), where)

    def slice(self, axis: int, begin: int, end: int) -> View:
        """Indices begin to end-1 of an axis."""
        return self._part("slice", self._axis(axis), begin, end)

    def permute(self, *order: Any) -> View:
        """Axis k of the result is axis order[k]."""
        order = order[0] if len(order) == 1 and hasattr(order[0], "__len__") else order
        if len(order) != self.ndim:
            refuse("ERANK", "permute%r of %s" % (tuple(order), text_of(self.shape)))
        return self._part("permute", _arrays.ints(map(self._axis, order)))

    def transpose(self) -> View:
        """The axes in the opposite order."""
        return self.permute(*range(self.ndim - 1, -1, -1))

    def flip(self, axis: int) -> View:
        """An axis backwards."""
        return self._part("flip", self._axis(axis))

    def step(self, axis: int, step: int) -> View:
        """Every step-th index of an axis, from the first on; for a negative step from the last."""
        return self._part("step", self._axis(axis), step)

    def repeat(self, axis: int, times: int) -> View:
        """A new axis before `axis` (after the last for ndim), along which elements repeat."""
        return self._part("repeat", axis, times)

    def reshape(self, *shape: Any) -> View:
        """Other extents for the same order of elements, where that needs no copy; one may be -1."""
        shape = shape[0] if len(shape) == 1 and hasattr(shape[0], "__len__") else shape
        return self._part("reshape", len(shape), int64s(extents_of(shape, self.size)))

    def mask(self, chosen: Any) -> Masked:
        """The elements where a bool array is true, to be assigned: v.mask(v < 0).assign(0)."""
        return Masked(self, chosen)

    def __getitem__(self, key: Any) -> View:
        return part_at(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, View) or getattr(key, "dtype", None) == "bool":
            self.mask(key).assign(value)
        else:
            self[key].assign(value)

    def __iter__(self) -> Iterator[View]:
        return (self.fix(0, k) for k in range(len(self)))

    # ---- elements ----

    def assign(self, value: Any) -> View:
        """Every element from an array of the same shape and type, or a number."""
        if is_number(value):
            value = View._number(number_of(value, self._c.type), self)
        source = as_view(value)
        output_of(self, "assign")
        status = apply("assign", [source], self, 1)
        if status and _arrays.STATUSES[status] == "EALIAS" and self.is_injective:
            status = apply("assign", [source.copy()], self, 1)
        check(status, lambda: "assign %r to %r" % (source, self))
        return self

    @staticmethod
    def _number(number: Number, like: View) -> View:
        """A number everywhere, in the type and shape of a view."""
        made = NdView()
        check(C.ddr_ndview_new(like._c.type, 0, None, like._c.residency, byref(made)), "a number")
        cell = View._made(made)
        check(apply("fill", [number], cell, 1), "fill")
        for extent in reversed(like.shape):
            cell = cell.repeat(0, extent)
        return cell

    def copy(self) -> View:
        """A fresh array without gaps, in the same memory."""
        return self.to(self.memory)

    def to(self, memory: str) -> View:
        """A fresh array without gaps in memory of the "host", of the device ("cuda") or of both
        ("unified")."""
        made = empty(self.shape, self._c.type, memory=memory)
        check(apply("assign", [self], made, 1), lambda: "copy of %r" % self)
        return made

    def cast(self, type: Any) -> View:  # pylint: disable=redefined-builtin
        """A fresh array of another type: reals to ints are cut, the nearest int if out of range."""
        made = NdView()
        check(C.ddr_transform_make_cast(byref(self._c), code_of(type), 1, byref(made)),
              lambda: "cast %r to %s" % (self, ELEMENTS[code_of(type)][0]))
        return View._made(made)

    def item(self) -> Any:
        """The number that a view of one element has."""
        if self.size != 1:
            refuse("ESHAPE", "item of %s" % text_of(self.shape))
        return self.reshape(1).tolist()[0]

    def tolist(self) -> Any:
        """Nested lists of Python's numbers; without axes one number."""
        if self.ndim and self.size == 0:
            return [part.tolist() for part in self] if self.shape[0] else []
        if self._c.residency == _arrays.CUDA:
            return self.to("host").tolist()
        packed = self if self.is_canonical else self.copy()
        kind = ELEMENTS[self._c.type][2]
        n = self.size * (2 if kind == "complex" else 1)
        data = (packed._c.data or 0) + packed._c.layout.offset * self.itemsize
        c_type = C_TYPES[self.type]
        numbers = list((c_type * n).from_address(data))
        if kind == "complex":
            numbers = [complex(*parts) for parts in zip(numbers[::2], numbers[1::2])]
        for extent in reversed(self.shape):
            numbers = [numbers[k:k + extent] for k in range(0, len(numbers), extent)]
        return numbers[0]

    def __bool__(self) -> bool:
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())


class Masked:
    """Elements of a view where a mask is true, as the left-hand side of an assignment."""

    def __init__(self, view: View, chosen: Any) -> None:
        self.view, self.chosen = view, as_view(chosen)

    def assign(self, value: Any) -> View:
        """From an array of the view's shape and type, of which the same elements are taken, or a
        number. What is read is read completely before anything is written."""
        view, chosen = self.view, self.chosen
        output_of(view, "masked assignment")
        if is_number(value):
            status = C.ddr_masked_assign_number(byref(view._c), byref(chosen._c),
                                                number_of(value, view._c.type))
        else:
            value = as_view(value)
            status = C.ddr_masked_assign(byref(view._c), byref(chosen._c), byref(value._c))
        check(status, lambda: "%r where %r := %r" % (view, chosen, value))
        return view


# ---- making and asking ------------------------------------------------------------------------


def as_view(value: Any) -> View:
    """The value itself if it is a view, else a view of its memory."""
    return value if isinstance(value, View) else View(value)


def output_of(value: Any, what: str) -> View:
    """A view of writable memory that a value exports."""
    view = as_view(value)
    if view is not value and (
            isinstance(value, LISTS) or is_number(value) and not is_cell(value)):
        refuse("ETYPE", "%s into a copy of the %s" % (what, value.__class__.__name__))
    if view.is_constant:
        raise _arrays.ArrayError("EALIAS", "%s: the memory may not be written" % what)
    return view


def transform_id(form: str) -> int:
    """The number of the transform of a form."""
    if form not in _ids:
        _ids[form] = C.ddr_transform_find(form.encode()).contents.transform
    return _ids[form]


_ids: dict[str, int] = {}


def operands_of(values: Sequence[Any]) -> Any:
    """Views and numbers as operands."""
    return _arrays.OPERANDS[len(values)](*[
        value._as_operand() if value.__class__ is View else _arrays.Operand(None, value)
        for value in values])


def apply(form: str, values: Sequence[Any], out: View, threads: int) -> int:
    """Transform into an existing array; returns the status."""
    return int(C.ddr_transform_apply(transform_id(form), len(values), operands_of(values),
                                     out._ref, _arrays.nearest(threads)))


def empty(shape: Any, type: Any = "float32", pitches: Optional[Sequence[int]] = None,  # pylint: disable=redefined-builtin
          memory: str = "host") -> View:
    """A fresh array, uninitialised; with pitches (pitches_of), in padded rows, zeroed, of the host."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    made, code, residency = NdView(), code_of(type), _arrays.residency_of(memory)
    if pitches is None:
        status = C.ddr_ndview_new(code, len(shape), int64s(shape), residency, byref(made))
    elif residency != _arrays.HOST:
        refuse("ERESIDENCY", "pitches in %s memory" % memory)
    elif len(pitches) != len(shape):
        refuse("ELEN", "%d pitches of %s" % (len(pitches), text_of(shape)))
    else:
        status = C.ddr_ndview_new_pitched(code, len(shape), int64s(shape), c_pitches(pitches),
                                          byref(made))
    check(status, lambda: "an array of %s" % text_of(shape))
    return View._made(made)


def full(shape: Any, value: Any, type: Any = None, memory: str = "host") -> View:  # pylint: disable=redefined-builtin
    """A fresh array of one number everywhere."""
    code = code_of(value.__class__) if type is None else code_of(type)
    number = number_of(value, code)
    made = empty(shape, code, memory=memory)
    check(apply("fill", [number], made, 1), "full")
    return made


def zeros(shape: Any, type: Any = "float32", memory: str = "host") -> View:  # pylint: disable=redefined-builtin
    """A fresh array of zeros."""
    return full(shape, False, type, memory)
