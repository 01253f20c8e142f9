"""Convolutions as objects, and filters of images."""

# pylint: disable=protected-access

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_bool, c_double

from . import _arrays, _views
from ._arrays import C, ELEMENTS, ArrayError, ConvArray, NdView, check, int64s, refuse
from ._elements import code_of, is_number, of_each_axis, text_of
from ._views import View, as_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional, Union
    
    Border = Union[str, tuple[str, float]]
    Shape = Sequence[int]
    PerAxis = Optional[Union[int, Shape]]

_KERNEL, _IMAGE, _RESULT = range(3)


def _where_it_is_not() -> str:
    """Where FFTW was looked for, and how to get it."""
    folder = os.environ.get("DIDEROT_FFTW")
    if folder:
        return "in the folder that DIDEROT_FFTW names (%s)" % folder
    return ("there (libfftw3.so.3; on Debian and Ubuntu: apt-get install libfftw3-double3 "
            "libfftw3-single3)")


class Convolution:
    """A convolution or correlation of images with a kernel, to be called again and again:

        smooth = Convolution([[1, 2, 1]], range="same")
        result = smooth(image)               # or smooth(image, out=result)

                    convolution                     correlate=True
        result[r]   sum over t of                   sum over t of
                    kernel[t] * image[r - t]        kernel[t] * image[r + t]

    Outside of both there is 0. The second call with arrays of the same shapes and types finds all
    prepared. bind() fixes arrays, so that a call without arguments does it again for what is in
    them by then.

    kernel      copied once, here; None: given with each call
    range       "full": wherever both meet; "same": at every sample of the image; "valid": where all
                of the kernel is inside
    start       of each axis the first r, instead of that of the range
    shape       of each axis how many; None: as far as the range reaches
    decimation  of each axis the distance of results
    origins     the indices of the first elements of kernel and image, None: 0; one number in these
                four stands for all axes
    mode        "direct": sums in double, in their order, rounded once, with the same bits for any
                number of threads; "fft": by Fourier transforms; "auto": the cheaper one, or direct
                where FFTW, which it loads then, is not installed (libfftw3.so.3; on Debian
                and Ubuntu: apt-get install libfftw3-double3 libfftw3-single3)
    precision   of transforms: "float64", or "float32" if the result has no more; direct sums are in
                double
    conj        with the conjugate of the kernel
    type        of the result; None: reals as the image has, an image of ints as the kernel, of two
                of ints float64; complex if one of them is
    """

    def __init__(self, kernel: Any = None, correlate: bool = False, range: str = "full",
                 start: PerAxis = None, shape: PerAxis = None, decimation: PerAxis = None,
                 origins: tuple[PerAxis, PerAxis] = (None, None), mode: str = "direct",
                 precision: Any = "float64", conj: bool = False, type: Any = None,
                 threads: int = 1) -> None:
        # pylint: disable=too-many-arguments,redefined-builtin,too-many-locals
        if range not in ("full", "same", "valid"):
            refuse("EOPERATION", "range %r, expected full, same or valid" % (range,))
        if mode not in ("direct", "fft", "auto"):
            refuse("EOPERATION", "mode %r, expected direct, fft or auto" % (mode,))
        if len(origins) != 2:
            refuse("ELEN", "origins %r, expected those of kernel and image" % (origins,))
        self._range, self._start, self._shape = range, start, shape
        self._decimation, self._origins = decimation, origins
        self._mode, self._precision = mode, code_of(precision)
        self._settings = (bool(correlate), bool(conj), threads)
        self._type = None if type is None else code_of(type)
        self._kernel = None if kernel is None else as_view(kernel).copy()
        self._task: Any = None
        self._key: Any = None
        self._result_shape: tuple[int, ...] = ()
        self._bound: dict[str, View] = {}

    def __del__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        if getattr(self, "_task", None):
            C.ddr_conv_task_delete(self._task)
        self._task = self._key = None

    # ---- geometry ----

    def _per_axis(self, values: PerAxis, otherwise: int, n_axes: int, what: str) -> tuple[int, ...]:
        if isinstance(values, str):
            raise TypeError("%s %r, expected a number for each axis" % (what, values))
        each = tuple(of_each_axis(otherwise if values is None else values, n_axes))
        if len(each) != n_axes:
            refuse("ELEN", "%s %r for %d axes" % (what, each, n_axes))
        return each

    def _geometry(self, kernel: Shape, image: Shape) -> tuple[Any, ...]:
        """The first index and the number of results, on each axis."""
        n_axes = len(image)
        if len(kernel) != n_axes:
            refuse("ERANK", "a kernel of %d axes for an image of %d" % (len(kernel), n_axes))
        steps = self._per_axis(self._decimation, 1, n_axes, "decimation")
        origins = [self._per_axis(origin, 0, n_axes, "origins") for origin in self._origins]
        starts, counts = [], []
        given = self._start if self._start is None else self._per_axis(self._start, 0, n_axes, "start")
        for axis, (x, y, step) in enumerate(zip(kernel, image, steps)):
            p, q = origins[0][axis], origins[1][axis]
            first = q - p - x + 1 if self._settings[0] else p + q
            skipped = {"full": 0, "same": (x - 1) // 2, "valid": x - 1}[self._range]
            if self._range == "same" and self._settings[0]:
                skipped = x // 2
            count = {"full": x + y - 1, "same": y, "valid": y - x + 1}[self._range]
            if count < 1:
                refuse("ESHAPE", "a kernel of %d is nowhere inside an image of %d" % (x, y))
            start = first + skipped if given is None else given[axis]
            rest = first + skipped + count - start
            starts.append(start)
            counts.append(max(1, -(-rest // step)) if step > 0 else 1)
        if self._shape is not None:
            counts = list(self._per_axis(self._shape, 0, n_axes, "shape"))
        return starts, tuple(counts), steps, origins

    def _result_type(self, kernel: int, image: int) -> int:
        if self._type is not None:
            return self._type
        kinds = [ELEMENTS[code][2] for code in (image, kernel)]
        is_complex = "complex" in kinds
        size = 8  # bytes of a real: those of the image, else of the kernel
        for code, kind in zip((kernel, image), reversed(kinds)):
            if kind in ("real", "complex"):
                size = ELEMENTS[code][1] // (2 if kind == "complex" else 1)
        return _arrays.CODES["complex%d" % (16 * size) if is_complex else "float%d" % (8 * size)]

    # ---- the task ----

    def _prepare(self, kernel: View, image: View) -> None:
        starts, counts, steps, origins = self._geometry(kernel.shape, image.shape)
        types = (kernel._c.type, image._c.type, self._result_type(kernel._c.type, image._c.type))
        is_correlation, is_conjugate, threads = self._settings
        if self._mode == "fft" and not C.ddr_conv_has_fft():
            raise ArrayError("EMODE", "mode 'fft' needs FFTW, which is not " + _where_it_is_not())
        task = C.ddr_conv_task_new(is_correlation, len(image.shape), int64s(kernel.shape),
                                   int64s(image.shape), int64s(counts), types[_RESULT])
        if not task:
            refuse("ENOMEM", "a convolution")
        self._task = task
        mode = c_bool.in_dll(C.load(), "ddr_conv_" + self._mode)
        C.ddr_conv_task_set_mode(task, ctypes.addressof(mode))
        C.ddr_conv_task_set_types(task, *types)
        C.ddr_conv_task_set_start(task, int64s(starts))
        C.ddr_conv_task_set_decimation(task, int64s(steps))
        C.ddr_conv_task_set_origin(task, *map(int64s, origins))
        C.ddr_conv_task_set_conj_x(task, is_conjugate)
        C.ddr_conv_task_set_precision(task, self._precision)
        C.ddr_conv_task_set_threads(task, threads)
        status = C.ddr_conv_task_commit(task)
        if not status and self._kernel is not None:
            status = C.ddr_conv_task_bind_x(task, self._operand(self._kernel))
        self._checked(status, kernel, image)
        self._result_shape, self._result_code = counts, types[_RESULT]

    @staticmethod
    def _operand(view: View) -> Any:
        if view._convolved is None:
            array = ConvArray()
            check(C.ddr_conv_array_of_view(byref(view._c), byref(array)), lambda: repr(view))
            view._convolved = byref(array)
        return view._convolved

    def _checked(self, status: int, kernel: View, image: View) -> None:
        if status:  # errors of a task are permanent
            self._forget()
        check(status, lambda: "convolution of %r with a kernel %r" % (image, kernel))

    def _ready(self, kernel: View, image: View) -> None:
        key = (kernel.shape, kernel._c.type, image.shape, image._c.type)
        if key != self._key:
            self._forget()
            self._prepare(kernel, image)
            self._key = key

    def bind(self, image: Any = None, out: Any = None, kernel: Any = None) -> Convolution:
        """Fix arrays for calls without arguments; those given as None stay as they are."""
        for name, value in (("image", image), ("out", out), ("kernel", kernel)):
            if value is not None:
                is_output = name == "out"
                self._bound[name] = (_views.output_of(value, "convolution") if is_output else
                                     as_view(value))
        return self

    def __call__(self, image: Any = None, out: Any = None, kernel: Any = None) -> Any:
        """The convolution with an image, as a fresh view or in `out`, an array of the result's
        shape and type with any strides."""
        image = self._bound.get("image") if image is None else as_view(image)
        kernel = self._bound.get("kernel") if kernel is None else as_view(kernel)
        given = self._bound.get("out") if out is None else out
        if self._kernel is not None:
            if kernel is not None:
                refuse("ESHAPE", "the kernel of this convolution is fixed")
            kernel = self._kernel
        if image is None or kernel is None:
            refuse("ENULL", "a convolution without %s" % ("image" if image is None else "kernel"))
        self._ready(kernel, image)
        if given is None:
            given = _views.empty(self._result_shape, self._result_code)
        result = _views.output_of(given, "convolution")
        self._check_result(result)
        x = None if self._kernel is not None else self._operand(kernel)
        status = C.ddr_conv_task_exec(self._task, x, self._operand(image), self._operand(result))
        self._checked(status, kernel, image)
        return given

    def _check_result(self, result: View) -> None:
        if result.shape != self._result_shape:
            refuse("ESHAPE", "results of %s, an output of %s" % (
                text_of(self._result_shape), text_of(result.shape)))
        if result._c.type != self._result_code:
            refuse("ETYPE", "results are %s, the output %s" % (ELEMENTS[self._result_code][0],
                                                               result.type))

    @property
    def mode(self) -> str:
        """The mode in use, "direct" or "fft"; before the first call the mode that was requested."""
        if self._task is None:
            return self._mode
        return str(C.ddr_conv_task_mode_name(self._task).decode())


# ---- filters ----------------------------------------------------------------------------------

_BORDERS = {"none": 0, "clamp": 1, "mirror": 2, "wrap": 3, "constant": 4}


def _outside(border: Border) -> _arrays.Outside:
    name, value = border if isinstance(border, tuple) else (border, 0.0)
    if name not in _BORDERS:
        refuse("EOPERATION", "border %r, expected %s" % (name, ", ".join(_BORDERS)))
    return _arrays.Outside(_BORDERS[name], value)


def extend(x: Any, begin: Shape, end: Shape, border: Border = "clamp") -> View:
    """A copy of indices begin[k] to end[k]-1 of every axis, which may reach beyond the array.

    border  "none" (0), "clamp", "mirror", "wrap", or ("constant", value)
    """
    x, made = as_view(x), NdView()
    if len(begin) != x.ndim or len(end) != x.ndim:
        refuse("ERANK", "extend %r from %r to %r" % (x, begin, end))
    check(C.ddr_ndview_extend(byref(x._c), int64s(begin), int64s(end), _outside(border),
                              byref(made)), lambda: "extend %r from %r to %r" % (x, begin, end))
    return View._made(made)


def _real_result(x: View, shape: Shape, out: Any) -> Any:
    if out is not None:
        _views.output_of(out, "filter")
        return out
    return _views.empty(shape, "float64" if x.type == "float64" else "float32")


def decimate(x: Any, factors: Union[int, Shape], start: Optional[Shape] = None,
             weights: Optional[Sequence[Any]] = None, border: Border = "clamp", out: Any = None,
             threads: int = 1) -> Any:
    """Every factors[k]-th sample along the last axes, after a low-pass filter; one number: of all axes.

    start    of each of these axes the first sample that is kept; None: 0
    weights  of each axis an odd number of them, None: the tent, for 2 it is 1 2 1 / 4
    border   as of extend
    """
    x = as_view(x)
    each = tuple(of_each_axis(factors, x.ndim))
    n_axes, job = len(each), _arrays.Decimation()
    starts = (0,) * n_axes if start is None else tuple(start)
    weights = (None,) * n_axes if weights is None else tuple(weights)
    if not 1 <= n_axes <= min(x.ndim, 7):
        refuse("ERANGE", "decimate %r by %r" % (x, each))
    if any(taps is not None and is_number(taps) for taps in weights):
        refuse("ELEN", "decimate with weights %r, expected a list for each axis" % (weights,))
    for what, count in (("starts", len(starts)), ("lists of weights", len(weights))):
        if count != n_axes:
            refuse("ELEN", "decimate along %d axes with %d %s" % (n_axes, count, what))
    job.n_axes, job.border, job.n_threads = n_axes, _outside(border), threads
    shape = list(x.shape)
    for k, (factor, first, taps) in enumerate(zip(each, starts, weights)):
        axis, extent = job.axes[k], shape[k - n_axes]
        axis.factor, axis.start = int64s([factor, first])
        if taps is not None:
            axis.n_weights, axis.weights = len(taps), (c_double * len(taps))(*taps)
        if factor < 1 or not 0 <= first < extent:
            refuse("EDECIMATION" if factor < 1 else "ERANGE", "decimate %r by %r" % (x, each))
        shape[k - n_axes] = (extent - 1 - first) // factor + 1
    given = _real_result(x, shape, out)
    check(C.ddr_image_decimate(byref(x._c), byref(job), byref(as_view(given)._c)),
          lambda: "decimate %r by %r" % (x, each))
    return given


def prefilter(x: Any, degree: int, n_axes: Optional[int] = None, border: Border = "mirror",
              recursion: bool = False, out: Any = None, threads: int = 1) -> Any:
    """Coefficients with which a B-spline of a degree (3, 5, 7) goes through the samples, along the
    last n_axes axes, None: all."""
    x = as_view(x)
    n_axes, degree = _arrays.ints([x.ndim if n_axes is None else n_axes, degree])
    job = _arrays.Prefilter(n_axes, degree, _outside(border), int(recursion), 1, threads)
    given = _real_result(x, x.shape, out)
    check(C.ddr_bspline_prefilter(byref(x._c), byref(job), byref(as_view(given)._c)),
          lambda: "prefilter %r for degree %d" % (x, degree))
    return given
