"""Arrays of other packages, and the placement of their samples in space.

No package is imported that is not loaded already: a value is recognised by its members.

    package            index           position
    numpy, DLPack      [z, y, x]       the index, x first
    diderot.Image      as axes say     origin and steps, or an affine matrix
    xarray             names of dims   coordinates of the dims, x first
    nibabel            [i, j, k]       the affine matrix
    SimpleITK          [z, y, x]       origin, spacing and direction
    zarr, h5py         [z, y, x]       the index
"""

from __future__ import annotations

import sys
from itertools import count, islice

from . import _device
from ._errors import Error
from ._images import Image
from ._memory import (LISTS, Memory, check_mask, count_of, has_arrays, memory_of, numpy_if_any,
                      packed_strides, refuse_lists)
from ._types import is_array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Optional

# ---- arrays -----------------------------------------------------------------------------------


def _must_have_numpy(name: str, value: Any) -> Any:
    numpy = numpy_if_any()
    if numpy is None:
        raise Error("%s: a %s needs numpy" % (name, _called(value)))
    return numpy


def _called(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else "%s.%s" % (
        kind.__module__.split(".")[0], kind.__name__)


def _native(array: Any) -> Any:
    """The array in the byte order of this machine, with numbers that programs support."""
    check_mask(array)
    if array.dtype.kind not in "biuf":
        raise Error("expected numbers, found an array of %s" % array.dtype)
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        return array.astype("f4" if array.dtype.itemsize < 4 else "f8")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _from_dlpack(name: str, value: Any) -> Any:
    numpy = _must_have_numpy(name, value)
    if tuple(value.__dlpack_device__())[0] not in (1, 3):  # host memory, perhaps pinned
        raise Error("%s: the %s is not in memory of the host" % (name, _called(value)))
    return numpy.from_dlpack(value)


def _shape_in(numpy: Any, value: Any) -> tuple[int, ...]:
    """The shape of nested lists of arrays; none of their numbers may be masked."""
    if not isinstance(value, LISTS):
        check_mask(value)
        return () if isinstance(value, (int, float)) else tuple(numpy.shape(value))
    shapes = {_shape_in(numpy, part) for part in value}
    if len(shapes) > 1:
        refuse_lists()
    return (len(value), *(shapes.pop() if shapes else ()))


def _of_lists(name: str, value: Any) -> Any:
    numpy = _must_have_numpy(name, value)
    _shape_in(numpy, value)
    return numpy.asarray(value)


def _indexed(value: Any) -> bool:
    """Whether it is read by indexing, like arrays in files."""
    return all(hasattr(value, member) for member in ("shape", "dtype", "__getitem__"))


def array_of(name: str, value: Any) -> Any:
    """An object that exports its memory: the value itself, or a numpy array of its numbers."""
    numpy = numpy_if_any()
    try:
        if numpy is not None and isinstance(value, numpy.ndarray):
            return _native(value)
        if isinstance(value, LISTS):  # nested lists of arrays
            return _native(_of_lists(name, value))
        if isinstance(value, (memoryview, bytes, bytearray)) or type(value).__module__ == "array":
            return value
        if hasattr(value, "__dlpack__"):
            return _native(_from_dlpack(name, value))
        if hasattr(value, "__array_interface__"):
            return value if numpy is None else _native(numpy.asarray(value))
        if _indexed(value):
            return _native(_must_have_numpy(name, value).asarray(value[...]))
        if hasattr(value, "__array__"):
            return _native(_must_have_numpy(name, value).asarray(value))
        memoryview(value)
    except Error as error:
        text = str(error)
        raise Error(text if text.startswith(name + ":") else "%s: %s" % (name, text)) from None
    except Exception as error:  # its package may raise anything
        why = "" if isinstance(error, TypeError) else " (%s)" % error
        raise Error("%s: %s is not an array%s, expected one of numbers, or the name of a file" % (
            name, _called(value), why)) from error
    return value


def memory_of_array(entry: Mapping[str, Any], value: Any) -> Memory:
    """The memory of an array of some package, without a placement, for an input."""
    name = entry["name"]
    if _device.is_on_device(value):
        if "set-device" not in entry:
            raise Error("%s: the %s is not in memory of the host, and the library is not for the "
                        "target cuda or hip" % (name, _called(value)))
        return _device.memory_on_device(name, value)
    try:
        is_plain = isinstance(value, LISTS) and not has_arrays(value)
        return memory_of(value if is_plain else array_of(name, value))
    except Error as error:
        text = str(error)
        raise Error(text if text.startswith(name + ":") else "%s: %s" % (name, text)) from None


# ---- where samples are ------------------------------------------------------------------------


class _Placed:
    """Samples, origin, steps of their spatial axes, letters of these; None: the default."""

    def __init__(self, samples: Any, origin: Any = None, steps: Any = None,
                 axes: Optional[str] = None) -> None:
        self.samples = samples
        self.origin = origin
        self.steps = steps
        self.axes = axes


def _is_data_array(value: Any) -> bool:
    return all(hasattr(value, member) for member in ("dims", "coords", "values", "transpose")) and (
        not hasattr(value, "data_vars"))  # a Dataset has this


def _is_nibabel(value: Any) -> bool:
    return hasattr(value, "affine") and hasattr(value, "dataobj")


def _is_itk(value: Any) -> bool:
    return all(hasattr(value, member) for member in ("GetSpacing", "GetOrigin", "GetDirection"))


def _letters_of_dims(name: str, dims: Sequence[Any], dimension: int) -> tuple[list[Any], str]:
    """The spatial dims, and their letters: those called x, y and z, else the first ones, the last
    of which is x."""
    wanted = "xyz"[:dimension]
    called = {str(dim).lower(): dim for dim in dims}
    if all(letter in called for letter in wanted):
        spatial = [dim for dim in dims if str(dim).lower() in wanted]
        return spatial, "".join(str(dim).lower() for dim in spatial)
    if len(dims) < dimension:
        raise Error("%s: the DataArray has the dimensions %s, expected %d" % (
            name, ", ".join(map(str, dims)), dimension))
    return list(dims[:dimension]), "zyx"[3 - dimension:]


def _line(name: str, value: Any, dim: Any) -> tuple[float, float]:
    """The first coordinate and the step along a dimension."""
    if dim not in value.coords:
        return 0.0, 1.0
    numbers = value.coords[dim].values
    if numbers.ndim != 1 or numbers.dtype.kind not in "iuf":
        raise Error("%s: the coordinates of dimension %s are not numbers" % (name, dim))
    numbers = numbers.astype("f8")
    if len(numbers) < 2:
        return float(numbers[0]) if len(numbers) else 0.0, 1.0
    step = float(numbers[-1] - numbers[0]) / (len(numbers) - 1)
    error = abs(numbers - (numbers[0] + step * numpy_if_any().arange(len(numbers)))).max()
    if not step or not error <= 1e-3 * abs(step):
        raise Error("%s: the coordinates of dimension %s are not evenly spaced" % (name, dim))
    return float(numbers[0]), step


def _of_data_array(name: str, value: Any, dimension: int) -> _Placed:
    spatial, axes = _letters_of_dims(name, value.dims, dimension)
    others = [dim for dim in value.dims if dim not in spatial]
    samples = value.transpose(*spatial, *others).values
    lines = {letter: _line(name, value, dim) for letter, dim in zip(axes, spatial)}
    unit = "xyz"[:dimension]
    return _Placed(samples, [lines[letter][0] for letter in unit],
                   [[lines[letter][1] if letter == other else 0.0 for other in unit]
                    for letter in axes], axes)


def _of_nibabel(name: str, value: Any, dimension: int) -> _Placed:
    if dimension != 3:
        raise Error("%s: an image of nibabel has three dimensions, the input has %d" % (
            name, dimension))
    samples = _must_have_numpy(name, value).asanyarray(value.dataobj)
    if samples.ndim == 5 and samples.shape[3] == 1:  # components of vectors
        samples = samples[:, :, :, 0]
    placed = Image(samples, affine=value.affine, axes="xyz")
    return _Placed(samples, placed.origin, placed.steps, "xyz")


def _of_itk(name: str, value: Any, dimension: int) -> _Placed:
    package: Any = sys.modules.get(type(value).__module__.split(".")[0])
    if not hasattr(package, "GetArrayViewFromImage"):
        raise Error("%s: expected an image of SimpleITK, found a %s" % (name, _called(value)))
    samples = package.GetArrayViewFromImage(value)
    spacing, direction = value.GetSpacing(), value.GetDirection()
    if len(spacing) != dimension:
        raise Error("%s: the image has %d dimensions, expected %d" % (
            name, len(spacing), dimension))
    steps = [[direction[row * dimension + axis] * spacing[axis] for row in range(dimension)]
             for axis in reversed(range(dimension))]
    return _Placed(samples, list(value.GetOrigin()), steps, None)


def _is_image(value: Any) -> bool:
    """Whether it is not an array itself, but contains one."""
    return isinstance(value, Image) or _is_nibabel(value) or _is_itk(value)


def _of_image(name: str, image: Image, dimension: int) -> _Placed:
    axes = image.axes
    if axes is not None and sorted(axes) != sorted("xyz"[:dimension]):
        raise Error("%s: axes %r, expected %s in some order" % (
            name, axes, ", ".join("xyz"[:dimension])))
    samples, origin, steps = image.samples, image.origin, image.steps
    is_elsewhere = origin is not None or steps is not None
    if not isinstance(samples, LISTS) and (not is_elsewhere or _is_image(samples)):
        placed = _found(name, samples, dimension)  # which may have a placement
        if placed.origin is not None and axes is None and not is_elsewhere:
            return placed
        samples = placed.samples
        axes = placed.axes if axes is None and steps is None else axes
    if steps is None and axes is not None:
        steps = [[float(letter == other) for other in "xyz"[:dimension]] for letter in axes]
    return _Placed(samples, origin, steps, axes)


def _found(name: str, value: Any, dimension: int) -> _Placed:
    if isinstance(value, Image):
        return _of_image(name, value, dimension)
    if _is_data_array(value):
        return _of_data_array(name, value, dimension)
    if _is_nibabel(value):
        return _of_nibabel(name, value, dimension)
    if _is_itk(value):
        return _of_itk(name, value, dimension)
    return _Placed(value)


# ---- as the runtime takes them ----------------------------------------------------------------


def _turned(memory: Memory, steps: Any, dimension: int) -> tuple[Memory, Any]:
    """The array with the fastest spatial axis last, so that rows can be read in place; needs
    steps."""
    if steps is None or len(memory.shape) < dimension:
        return memory, steps
    order = sorted(range(dimension), key=lambda axis: -abs(memory.strides[axis]))
    rest = list(range(dimension, len(memory.shape)))
    turned = memory.with_axes([memory.shape[k] for k in order + rest],
                              [memory.strides[k] for k in order + rest])
    return turned, [steps[k] for k in order]


def _merged(memory: Memory, dimension: int) -> Memory:
    """The array with the axes of tensors merged, if their strides allow it."""
    shape, strides = memory.shape[dimension:], memory.strides[dimension:]
    if len(shape) < 2 or strides != packed_strides(shape, strides[-1]):
        return memory
    return memory.with_axes(memory.shape[:dimension] + (count_of(shape),),
                            memory.strides[:dimension] + strides[-1:])


def _is_row(step: Any) -> bool:
    return hasattr(step, "__len__")


def memory_of_image(entry: Mapping[str, Any], value: Any) -> tuple[Memory, Image]:
    """The memory of the samples, and an Image with their placement."""
    name, dimension = entry["name"], entry["type"]["dimension"]
    placed = _found(name, value, dimension)
    memory = memory_of_array(entry, placed.samples)
    steps = placed.steps
    if hasattr(steps, "tolist"):
        steps = steps.tolist()
    if _is_row(steps) and len(steps) == dimension and all(map(_is_row, steps)):
        memory, steps = _turned(memory, list(steps), dimension)
    return _merged(memory, dimension), Image(memory.owner, placed.origin, steps)


def prepared(entry: Mapping[str, Any], value: Any) -> Any:
    """An Image of an array that exports its memory, for setting it several times."""
    if not hasattr(value, "samples") and isinstance(value, (str, bytes, list, tuple)):
        return value
    if hasattr(value, "layout") or hasattr(value, "__fspath__"):  # a Frame, a file
        return value
    placed = _found(entry["name"], value, entry["type"]["dimension"])
    samples = placed.samples
    if not isinstance(samples, LISTS) and not _device.is_on_device(samples):
        samples = array_of(entry["name"], samples)
    return Image(samples, placed.origin, placed.steps, axes=placed.axes)


def is_on_device(value: Any) -> bool:
    """Whether samples are in device memory: those of an Image, or the value itself."""
    return _device.is_on_device(getattr(value, "samples", value))


# ---- outputs like inputs ----------------------------------------------------------------------


class Like:
    """DataArrays as models for outputs, each with the dims of its grid, slowest first."""

    def __init__(self, known: Sequence[tuple[Any, Sequence[Any]]]) -> None:
        self.known = known
        self.type = type(known[0][0])

    def grid_of(self, shape: Sequence[int]) -> Optional[tuple[list[Any], dict[Any, Any]]]:
        """Dims and coordinates of the first one of this shape; None: there is none."""
        for value, dims in self.known:
            if dims and tuple(value.sizes[dim] for dim in dims) == tuple(shape):
                return list(dims), {dim: value.coords[dim] for dim in dims if dim in value.coords}
        return None


def _dims_of_grid(entry: Mapping[str, Any], value: Any) -> Sequence[Any]:
    """The dims of the grid: z, y, x for an image, whatever its memory layout; the first for a
    sequence."""
    if not is_array(entry["type"]) or not value.dims:
        return ()
    if entry["type"]["kind"] != "image":
        return list(value.dims[:1])
    spatial, axes = _letters_of_dims(entry["name"], value.dims, entry["type"]["dimension"])
    return [dim for _, dim in sorted(zip(axes, spatial), key=lambda pair: pair[0], reverse=True)]


def like_of(entries: Mapping[str, Any], inputs: Mapping[str, Any]) -> Optional[Like]:
    """The inputs that are DataArrays, images first; None: there are none."""
    found = [(entries[name], value) for name, value in inputs.items()
             if not isinstance(value, (int, float, str, list, tuple)) and _is_data_array(value) and (
                 name in entries)]
    found.sort(key=lambda pair: not (is_array(pair[0]["type"]) and (
        pair[0]["type"]["kind"] == "image")))
    known = [(value, _dims_of_grid(entry, value)) for entry, value in found]
    return Like(known) if known else None


def as_like(like: Like, found: Any, name: str, output: Any) -> Any:
    """An output on a grid as a DataArray; with the coordinates of an input if one has the same
    shape."""
    if output.shape is None or not hasattr(found, "ndim"):
        return found
    n_axes = found.ndim - len(output.shape)
    grid = like.grid_of(found.shape[:n_axes])
    if n_axes < 2 and grid is None:  # it may be a collection
        return found
    dims, coords = grid or (["axis_%d" % k for k in range(n_axes)], {})
    free = (tail for tail in map("component_%d".__mod__, count()) if tail not in dims)
    tails = list(islice(free, len(output.shape)))
    return like.type(found, coords=coords, dims=dims + tails, name=name)
