"""Arrays with padded rows: pitches, and buffers filled by cameras and decoders."""

# pylint: disable=protected-access

from __future__ import annotations

from ctypes import byref, c_size_t
from operator import index

from . import _arrays
from ._arrays import C, ELEMENTS, Layout, NdView, c_pitches, check, int64s, refuse
from ._elements import code_of, text_of
from ._memory import packed_strides
from ._views import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional, Union


def pitches_of(shape: Sequence[int], type: Any, alignments: Optional[Sequence[int]] = None,
               layout: Optional[str] = None) -> tuple[int, ...]:  # pylint: disable=redefined-builtin
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
    what = "pitches of %s" % text_of(shape)
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


def row_align(row: int, type: Any, align: int = 64) -> int:  # pylint: disable=redefined-builtin
    """An alignment for rows of so many bytes: `align`, no less than an element, or its half, and so on,
    until padding is at most a quarter of the row; never below the element."""
    row, align = index(row), index(align)
    what = "rows of %d bytes, aligned to %d" % (row, align)
    if not 0 <= row < 2**63:
        refuse("EDIM", what)
    if not 1 <= align < 2**63:
        refuse("EALIGN", what)
    return int(C.ddr_pitch_row_align(row, align, ELEMENTS[code_of(type)][1]))


def _named(layout: Optional[str], shape: Sequence[int]) -> None:
    expected = {None: range(1, 17), "NHWC": (4, 5), "NCHW": (4, 5), "420SP": (3,)}
    if layout not in expected:
        refuse("EOPERATION", "layout %r, expected NHWC, NCHW or 420SP" % (layout,))
    if len(shape) not in expected[layout]:
        refuse("ELEN", "%s of %s" % (layout or "pitches", text_of(shape)))


def pitched(data: Any, shape: Sequence[int], type: Any = None,
            pitches: Optional[Sequence[int]] = None, layout: Optional[str] = None,
            offset: int = 0) -> Union[View, tuple[View, ...]]:  # pylint: disable=W0622
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
        refuse("ELEN", "%d pitches of %s" % (len(pitches), text_of(shape)))
    n_bytes = ELEMENTS[memory.code][1]
    if memory.strides != packed_strides(memory.shape, n_bytes):
        refuse("EPITCH", "the buffer has gaps")
    for extent in memory.shape:
        n_bytes *= extent
    if offset < 0 or offset % size or n_bytes - offset < pitches[0]:
        refuse("ELENGTH", "%d bytes from %d on, of %d" % (pitches[0], offset, n_bytes))
    layouts = [Layout(), Layout()] if layout == "420SP" else [Layout()]
    function = C.ddr_pitch_to_layouts_420sp if layout == "420SP" else C.ddr_pitch_to_layout
    given = [int64s(shape), size, c_pitches(pitches), *map(byref, layouts)]
    check(function(*([len(shape)] if layout != "420SP" else []), *given),
          lambda: "pitches %r of %s" % (pitches, text_of(shape)))
    views = [View._of(NdView(code, memory.address + offset, one, 0, None), memory,
                      memory.is_constant) for one in layouts]
    return tuple(views) if layout == "420SP" else views[0]
