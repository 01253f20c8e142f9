"""Arrays of numbers: views, pitches, transforms, reductions, convolutions.

    import numpy
    from diderot import array

    a = numpy.arange(12.0).reshape(3, 4)
    turned = array.View(a).permute(1, 0).flip(0)      # the same memory
    print(array.sum(turned, axis=1).tolist())
    array.clip(turned, 2, 9, out=turned, where=array.ne(turned, 5))
    smooth = array.Convolution([[1, 2, 1]], range="same")
    b = numpy.asarray(smooth(a))                      # no copy

Needs the standard library and libddr-array.so. Arrays are objects that export their memory, and are
not copied: numpy, DLPack, the buffer protocol; nested lists are copied. Results are views, which numpy
reads without a copy, too. Axes run from the slowest to the fastest; strides count elements, pitches
bytes. An operation that is refused raises ArrayError and writes nothing.

All transforms take these:

    out      an array for the result, of its shape; returned. It may have another type, of the same
             kind or a wider one; its memory may overlap that of the operands
    where    an array of bools, or one bool for all: elements where it is false stay as they are in
             `out`; without `out` they are 0
    threads  their number; results have the same bits for any number

Arrays may be in memory of a CUDA device (memory="cuda" where they are made, View.to,
__cuda_array_interface__, DLPack), where libddr-array-cuda.so is: the device works with them then.

Reductions take an axis, several, or none for all of the array, `where`, `out` and `threads`.
"""

# pylint: disable=redefined-builtin,protected-access

from __future__ import annotations

import builtins
import functools
from ctypes import POINTER, byref, c_int
from operator import index

from . import _arrays, _views
from ._arrays import CUDA_C, ELEMENTS, STATUSES, ArrayError, C, NdView, Number, check, refuse
from ._convolution import Convolution, decimate, extend, prefilter
from ._errors import Error
from ._hints import hint_for
from ._elements import (NUMBERS, are_reversed, bound_of, code_of, is_cell, is_number, number_of,
                        value_of)
from ._pitches import pitched, pitches_of, row_align
from ._views import Masked, View, empty, full, zeros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Optional, Union
    
    def __getattr__(name: str) -> Any: ...  # defined by the tables below

__all__ = ["ArrayError", "Convolution", "Masked", "View", "decimate", "devices", "empty", "extend",
           "full", "pitched", "pitches_of", "prefilter", "row_align", "use_device", "zeros"]

# ---- devices ----------------------------------------------------------------------------------


def devices() -> int:
    """How many CUDA devices can be used; 0 without libddr-array-cuda.so."""
    C.load()
    try:
        CUDA_C.load()
    except Error:
        return 0
    return int(CUDA_C.ddr_array_cuda_count())


def use_device(number: int = 0) -> None:
    """Have arrays of memory "cuda" and "unified" be on that device; the first, unless this is
    called. Another one only when the arrays of the one before are gone."""
    _arrays.need_device(number)


# ---- transforms -------------------------------------------------------------------------------


def _operands(values: Sequence[Any]) -> list[Any]:
    """Views, and numbers of the type of the first view; an array without axes counts as a number if
    others have axes."""
    views = [value if value.__class__ is View else None if is_number(value) else
             _views.as_view(value) for value in values]
    if not builtins.any(view is not None and view.ndim for view in views):
        views = [_views.as_view(value) if view is None and is_cell(value) else view
                 for value, view in zip(values, views)]
    first = next((view for view in views if view is not None), None)
    if first is None:
        refuse("ESHAPE", "no operand is an array")
    return [number_of(value, first._c.type) if view is None else view
            for value, view in zip(values, views)]


def _described(form: str, operands: Sequence[Any]) -> str:
    return "%s of %s" % (form, ", ".join(
        repr(operand) if isinstance(operand, View) else str(value_of(operand))
        for operand in operands))


def _fresh(form: str, operands: Sequence[Any], threads: int) -> View:
    made = NdView()
    status = C.ddr_transform_make(_views.transform_id(form), len(operands),
                                  _views.operands_of(operands), _arrays.nearest(threads),
                                  byref(made))
    check(status, lambda: _described(form, operands))
    return View._made(made)


def _keeps_kind(source: int, target: int) -> bool:
    """Whether elements of one type may be converted to another implicitly: as in numpy, to the same
    kind or a wider one."""
    order = ["bool", "uint", "int", "real", "complex"]
    return order.index(ELEMENTS[source][2]) <= order.index(ELEMENTS[target][2])


def _convert(made: View, target: View, what: str) -> View:
    """Convert to the type of a target, if that is allowed."""
    if made._c.type == target._c.type:
        return made
    if not _keeps_kind(made._c.type, target._c.type):
        refuse("ETYPE", "%s is %s, the output %s" % (what, made.type, target.type))
    return made.cast(target._c.type)


def _mask(where: Any, operands: Sequence[Any]) -> Optional[View]:
    """A mask of the shape of the first array; a single bool, like numpy's where=True, applies
    everywhere."""
    if where is None or where is True:
        return None
    mask = _views.as_view(where)
    if is_number(where) and not is_cell(where):
        first = next(view for view in operands if isinstance(view, View))
        for extent in reversed(first.shape):
            mask = mask.repeat(0, extent)
    return mask


def _one_outside(divisor: Any, where: View) -> Any:
    """The divisor, with 1 where it is not used."""
    if not isinstance(divisor, View):
        return divisor
    safe = divisor.copy()
    safe.mask(_fresh("not", [where], 1)).assign(1)
    return safe


def _transform(form: str, values: Sequence[Any], out: Any, where: Any, threads: int) -> Any:
    operands = _operands(values)
    where = _mask(where, operands)
    if where is not None and form == "div":
        operands[1] = _one_outside(operands[1], where)
    if out is None and where is None:
        return _fresh(form, operands, threads)
    given = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    target = None if given is None else _views.output_of(given, form)
    if target is not None:
        if where is None:
            status = _views.apply(form, operands, target, threads)
            if status and STATUSES[status] not in ("EALIAS", "ETYPE"):
                check(status, lambda: "%s into %r" % (_described(form, operands), target))
            if not status:
                return given
    made = _fresh(form, operands, threads)
    if target is None:
        given = target = zeros(made.shape, made._c.type, made.memory)
    made = _convert(made, target, _described(form, operands))
    (target if where is None else target.mask(where)).assign(made)
    return given


def _named(name: str, function: Any, text: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text + "\n\nSee the module for out, where and threads."
    __all__.append(name)
    globals()[name] = function


def _at_once(form: str) -> Callable[..., bool]:
    """A fast path: a function that calls the library's own function of a form, and returns whether
    it succeeded. Errors, and forms without such a function, are left to the general path."""
    found: list[Any] = []

    def call(out: View, *operands: Any) -> bool:
        if not found:
            found.append(getattr(C, "ddr_transform_" + form, None))
        function = found[0]
        return not (function is None or out.is_constant or function(*operands, out._ref, 1))
    return call


def _unary(name: str, form: str, text: str) -> None:
    at_once = _at_once(form)

    def function(x: Any, out: Any = None, where: Any = None, threads: int = 1) -> Any:
        if x.__class__ is out.__class__ is View and where is None and threads == 1:
            if at_once(out, x._ref):
                return out
        return _transform(form, [x], out, where, threads)
    _named(name, function, text)


def _binary(name: str, form: str, text: str) -> None:
    takes_number = form in ("maximum", "minimum")
    of_views = _at_once(form)
    of_number = _at_once(form if takes_number else form + "_scalar")

    def function(x: Any, y: Any, out: Any = None, where: Any = None, threads: int = 1) -> Any:
        if x.__class__ is out.__class__ is View and where is None and threads == 1:
            if y.__class__ is View:
                is_done = not takes_number and of_views(out, x._ref, y._ref)
            else:
                is_done = y.__class__ in NUMBERS and of_number(
                    out, x._ref, number_of(y, x._c.type))
            if is_done:
                return out
        return _transform(form, [x, y], out, where, threads)
    _named(name, function, text)


# Name here, form of the library, meaning for an element.
_UNARY = [
    ("cwise_abs", "cwise_abs", "Absolute values, of complex numbers the modulus."),
    ("sign", "sign", "-1, 0 or 1."),
    ("square", "square", "x * x."),
    ("sqrt", "sqrt", "Square root, of reals and complex numbers."),
    ("exp", "exp", "e to the x, of reals and complex numbers."),
    ("log", "log", "Natural logarithm, of reals and complex numbers."),
    ("bessel_log_0", "bessel_log_0", "log I0(x), of reals."),
    ("bessel_1_0", "bessel_1_0", "I1(x) / I0(x), of reals."),
    ("real", "real", "Real parts."),
    ("imag", "imag", "Imaginary parts."),
    ("neg", "neg", "-x."),
    ("not_", "not", "Not x, of bools."),
    ("assign", "assign", "x itself: a copy."),
]
_BINARY = [
    ("add", "add", "x + y; each an array or a number, as in all that follow. Ints wrap."),
    ("sub", "sub", "x - y."),
    ("mul", "mul", "x * y."),
    ("div", "div", "x / y; of ints cut, and an error for a divisor of 0."),
    ("cwise_max", "cwise_max", "The larger one, of complex numbers the larger modulus."),
    ("cwise_min", "cwise_min", "The smaller one, of complex numbers the smaller modulus."),
    ("maximum", "maximum", "x or a number, whichever is larger (of complex numbers by modulus)."),
    ("minimum", "minimum", "x or a number, whichever is smaller."),
    ("eq", "eq", "x == y, as bools."),
    ("ne", "ne", "x != y."),
    ("lt", "lt", "x < y."),
    ("le", "le", "x <= y."),
    ("gt", "gt", "x > y."),
    ("ge", "ge", "x >= y."),
    ("and_", "and", "x and y, of bools."),
    ("or_", "or", "x or y, of bools."),
]
for _row in _UNARY:
    _unary(*_row)
for _row in _BINARY:
    _binary(*_row)


def lincomb(a: Any, x: Any, b: Any, y: Any, out: Any = None, where: Any = None,
            threads: int = 1) -> Any:
    """a*x + b*y for numbers a and b, each step rounded.

    See the module for out, where and threads."""
    return _transform("lincomb", [a, x, b, y], out, where, threads)


def clip(x: Any, low: Any, high: Any = None, out: Any = None, where: Any = None,
         threads: int = 1) -> Any:
    """x, but at least `low` and at most `high`; clip(x, a) is from 0 to a. Of ints and reals; a bound
    that is an int may be beyond the range of x's type.

    See the module for out, where and threads."""
    low, high = (0, low) if high is None else (low, high)
    if x.__class__ is not View and (is_cell(x) or not is_number(x)):
        x = _views.as_view(x)
    if x.__class__ is View:
        if are_reversed(low, high):
            refuse("ERANGE", "clip %r from %r to %r" % (x, low, high))
        low, high = bound_of(low, x._c.type), bound_of(high, x._c.type)
    if x.__class__ is out.__class__ is View and where is None and threads == 1:
        if low.__class__ in NUMBERS and high.__class__ in NUMBERS and _clip_at_once(
                out, x._ref, number_of(low, x._c.type), number_of(high, x._c.type)):
            return out
    return _transform("clip", [x, low, high], out, where, threads)


_clip_at_once, _cast_at_once = _at_once("clip"), _at_once("cast")


def cast(x: Any, type: Any = None, out: Any = None, where: Any = None, threads: int = 1) -> Any:
    """x in another type, that of `out` where none is named: reals are truncated to ints and clamped
    to their range, NaN becomes 0; to bool it is x != 0.

    See the module for out, where and threads."""
    if x.__class__ is out.__class__ is View and type is where is None and threads == 1:
        if _cast_at_once(out, x._ref):
            return out
    view = _views.as_view(x)
    if type is None and out is None:
        refuse("ETYPE", "cast of %r: neither a type nor an output says to what" % (view,))
    if out is not None:
        target = _views.output_of(out[0] if isinstance(out, tuple) and len(out) == 1 else out, "cast")
        kind = target._c.type if type is None else code_of(type)
        if where is None and kind == target._c.type:
            return _transform("cast", [view], out, None, threads)
        type = kind
    return _transform("assign", [view.cast(type)], out, where, threads)


def fill(out: Any, number: Any, where: Any = None) -> Any:
    """A number everywhere in an array, or where a mask is true."""
    view = _views.output_of(out, "fill")
    mask = _mask(where, [view])
    (view if mask is None else view.mask(mask)).assign(number)
    return out


__all__ += ["lincomb", "clip", "cast", "fill"]

# ---- reductions -------------------------------------------------------------------------------


def _axes_of(axis: Any, ndim: int) -> list[int]:
    try:
        axes = [index(axis)]
    except TypeError:  # several axes
        axes = [index(one) for one in axis]
    return sorted(one + ndim if -ndim <= one < 0 else one for one in axes)


def _reduce(name: str, values: Sequence[Any], axis: Any, where: Any, out: Any, threads: int,
            is_compensated: bool = False, tolerance: float = 0.0) -> Any:
    # pylint: disable=too-many-arguments
    if where is out is None and threads == 1 and not is_compensated and tolerance == 0:
        result = _reduce_at_once(name, values, axis)
        if result is not None:
            return result
    views = [_views.as_view(value) for value in values]
    mask = _mask(where, views)
    options = _arrays.ReduceOptions(_arrays.nearest(threads),
                                    None if mask is None else mask._as_operand().view,
                                    is_compensated, tolerance)
    arrays = _Pair(*[view._as_operand().view for view in views])

    def what() -> str:
        along = "" if axis is None else " along %s" % (axis,)
        return _described(name, views) + along + ("" if mask is None else " where %r" % mask)

    if axis is None:
        number = Number()
        check(C.ddr_reduce(_operation(name), arrays, byref(options), byref(number)), what)
        return _into(out, number, what)
    axes, made = _axes_of(axis, views[0].ndim), NdView()
    check(C.ddr_reduce_axes(_operation(name), arrays, len(axes), _arrays.ints(axes), byref(options),
                            byref(made)), what)
    return _into(out, View._made(made), what)


def _reduce_at_once(name: str, values: Sequence[Any], axis: Any) -> Any:
    """Of views, all elements or along one axis; None: others have to look at it."""
    for value in values:
        if value.__class__ is not View:
            return None
    if axis is None:
        number = Number()
        pointers = [value._ref for value in values]
        is_refused = getattr(C, "ddr_reduce_" + name)(*pointers, None, byref(number))
        return None if is_refused else value_of(number)
    rank = values[0]._c.layout.rank
    if axis.__class__ is not int or not -rank <= axis < rank:
        return None
    arrays, made = _Pair(*[value._as_operand().view for value in values]), NdView()
    is_refused = C.ddr_reduce_axes(_operation(name), arrays, 1, _ONE_AXIS[axis % rank], None, byref(made))
    return None if is_refused else View._made(made)


@functools.lru_cache(maxsize=None)
def _operation(name: str) -> int:
    """The number of a reduction."""
    found = c_int()
    C.ddr_reduce_find(name.encode(), byref(found))
    return found.value


_Pair = POINTER(NdView) * 2
_ONE_AXIS = [_arrays.ints([axis]) for axis in range(_arrays.MAX_RANK)]


def _into(out: Any, result: Union[View, Number], what: Callable[[], str]) -> Any:
    if out is None:
        return result if isinstance(result, View) else value_of(result)
    given = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    target = _views.output_of(given, "a reduction")
    if isinstance(result, Number):
        result = full((), value_of(result), result.type, target.memory)
    target.assign(_convert(result, target, what()))
    return given


def _reduction(name: str, text: str) -> None:
    def function(x: Any, axis: Any = None, where: Any = None, out: Any = None,
                 threads: int = 1) -> Any:
        return _reduce(name, [x], axis, where, out, threads)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text + (
        "\n\nOf all elements one number; along an axis, or several as a tuple, a view without "
        "them.\nwhere: an array of bools, of x's shape: only elements where it is true take part.")
    __all__.append(name)
    globals()[name] = function


_REDUCTIONS = [
    ("l1", "Sum of absolute values; of ints uint64."),
    ("squared_l2", "Sum of squared absolute values."),
    ("l2", "Square root of squared_l2, without overflow on the way."),
    ("linf", "Largest absolute value."),
    ("min_element", "Least element; of complex numbers by modulus. Of none 0."),
    ("max_element", "Greatest element; of complex numbers by modulus. Of none 0."),
    ("product", "Product; of ints int64, which wraps."),
    ("mean", "Sum over count; exact of ints until it is rounded."),
    ("variance", "Of the population."),
    ("all", "Whether all are true, of bools."),
    ("any", "Whether one is true, of bools."),
    ("count", "How many are true, of bools."),
]
for _name, _text in _REDUCTIONS:
    _reduction(_name, _text)


def sum(x: Any, axis: Any = None, where: Any = None, out: Any = None, threads: int = 1,
        compensated: bool = False) -> Any:
    """Sum: of reals formed in double on a tree that depends on their number alone, and rounded
    once; of ints in int64, which wraps. compensated: rounding errors are carried along.

    Axes, where and out as in max_element."""
    return _reduce("sum", [x], axis, where, out, threads, compensated)


def dot(x: Any, y: Any, axis: Any = None, where: Any = None, out: Any = None, threads: int = 1,
        compensated: bool = False) -> Any:
    """Sum of conj(x) * y. Axes, where, out and compensated as in sum."""
    return _reduce("dot", [x, y], axis, where, out, threads, compensated)


def l0(x: Any, axis: Any = None, where: Any = None, out: Any = None, threads: int = 1,
       tolerance: float = 0.0) -> Any:
    """How many are not 0; with a tolerance, how many are not nearer to 0 than that."""
    return _reduce("l0", [x], axis, where, out, threads, False, tolerance)


__all__ += ["sum", "dot", "l0"]

# ---- operators --------------------------------------------------------------------------------


def _operator(form: str, is_reflected: bool = False) -> Any:
    def function(self: View, other: Any) -> Any:
        values = [other, self] if is_reflected else [self, other]
        return _transform(form, values, None, None, 1)
    return function


def _inplace(form: str) -> Any:
    def function(self: View, other: Any) -> Any:
        return _transform(form, [self, other], self, None, 1)
    return function


def _prefix(form: str) -> Any:
    def function(self: View) -> Any:
        return _transform(form, [self], None, None, 1)
    return function


for _method, _form in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("truediv", "div"),
                       ("and", "and"), ("or", "or")):
    setattr(View, "__%s__" % _method, _operator(_form))
    setattr(View, "__r%s__" % _method, _operator(_form, True))
    setattr(View, "__i%s__" % _method, _inplace(_form))
for _form in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(View, "__%s__" % _form, _operator(_form))
for _method, _form in (("neg", "neg"), ("invert", "not"), ("abs", "cwise_abs")):
    setattr(View, "__%s__" % _method, _prefix(_form))
setattr(View, "__hash__", None)
setattr(View, "__array_ufunc__", None)  # numpy leaves operators between its arrays and views to the views
assert builtins.len(set(__all__)) == builtins.len(__all__)

if not TYPE_CHECKING:
    def __getattr__(name: str) -> Any:
        raise AttributeError(hint_for(name))
