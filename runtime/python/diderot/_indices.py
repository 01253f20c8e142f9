"""Indexing of views: v[1, ::-2], v[..., None]."""

from __future__ import annotations

from ._arrays import refuse
from ._elements import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._views import View


def _sliced(view: View, axis: int, index: slice) -> View:
    extent = view.shape[axis]
    begin, _, step = index.indices(extent)
    count = len(range(*index.indices(extent)))
    if step == 1:
        return view.slice(axis, min(begin, extent), min(begin, extent) + count)
    part = view.slice(axis, 0, 0)
    if count:
        last = begin + (count - 1) * step
        part = view.slice(axis, min(begin, last), max(begin, last) + 1).step(axis, step)
    return part


def _check_axis(view: View, axis: int, key: Sequence[Any]) -> None:
    if not 0 <= axis < view.ndim:
        refuse("ERANK", "%d indices of %s" % (len(key) - 1, text_of(view.shape)))


def part_at(view: View, key: Any) -> View:
    """The part given by ints, slices, None and ..., as in numpy; axes that are not indexed are
    whole."""
    key = list(key) if isinstance(key, tuple) else [key]
    n_axes = sum(part is not None and part is not Ellipsis for part in key)
    if Ellipsis not in [part for part in key if part is None or part is Ellipsis]:
        key.append(Ellipsis)
    whole, axis = view, 0
    for part in key:
        if part is Ellipsis:
            axis += whole.ndim - n_axes
        elif part is None:
            view = view.repeat(axis, 1)
            axis += 1
        elif isinstance(part, slice):
            _check_axis(view, axis, key)
            view = _sliced(view, axis, part)
            axis += 1
        elif getattr(part, "ndim", 0):
            raise TypeError("an array as an index, a mask, selects what is assigned, not what is read")
        elif hasattr(part, "__index__") and not isinstance(part, bool):
            where = part.__index__()
            _check_axis(view, axis, key)
            view = view.fix(axis, where + view.shape[axis] if where < 0 else where)
        else:
            raise TypeError("an index is an int, a slice, None or ..., not %s" %
                            type(part).__name__)
    return view
