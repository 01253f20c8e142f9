"""Outputs as pictures: PNG of grids, histograms of numbers; no other package is needed."""

from __future__ import annotations

import base64
import struct
import zlib

from ._memory import numpy_if_any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

_PIXELS = 512   # largest side of a picture
_LEGIBLE = 160  # smaller pictures are enlarged to this


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(
        ">I", zlib.crc32(kind + data) & 0xffffffff)


def png_bytes(pixels: Any) -> bytes:
    """A PNG of an array of bytes: [row, column] is grey, [row, column, 3 or 4] is coloured."""
    rows, columns = pixels.shape[:2]
    kind = {1: 0, 3: 2, 4: 6}[1 if pixels.ndim == 2 else pixels.shape[2]]
    numpy = numpy_if_any()
    packed = numpy.zeros((rows, 1 + pixels[0].size), "u1")  # rows begin with a filter type: 0
    packed[:, 1:] = pixels.reshape(rows, -1)
    return b"".join([
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, kind, 0, 0, 0)),
        _chunk(b"IDAT", zlib.compress(packed.tobytes(), 6)),
        _chunk(b"IEND", b"")])


def is_picture(found: Any) -> bool:
    """Whether it is a grid of grey levels or colours: two axes, and perhaps a third of length 1, 3
    or 4."""
    numpy = numpy_if_any()
    if numpy is None or not isinstance(found, numpy.ndarray) or found.dtype.kind not in "biuf":
        return False
    return found.ndim in (2, 3) and min(found.shape[:2]) > 1 and (
        found.ndim == 2 or found.shape[2] in (1, 3, 4))


def range_of(found: Any) -> Optional[tuple[float, float]]:
    """The least and the greatest number, ignoring NaN; None: there are no others."""
    numpy = numpy_if_any()
    known = found[numpy.isfinite(found)]
    return (float(known.min()), float(known.max())) if known.size else None


def _range_text(found: Any) -> str:
    known = range_of(found)
    return "no number" if known is None else "%.4g to %.4g" % known


def size_of(found: Any) -> tuple[int, int]:
    """Width and height at which the picture is shown: small ones are enlarged by integer
    factors."""
    step = _step_of(found)
    rows, columns = (-(-extent // step) for extent in found.shape[:2])
    times = max(1, _LEGIBLE // max(rows, columns))
    return times * columns, times * rows


def scale_of(found: Any) -> tuple[float, float]:
    """The values of black and white: for grey levels their range, for colours 0 and 1, or 0 and the
    greatest if that is larger; for truth values false and true."""
    if found.dtype.kind == "b":
        return 0.0, 1.0
    low, high = range_of(found) or (0.0, 1.0)
    if found.ndim == 3 and found.shape[2] > 1:
        low, high = min(0.0, low), max(1.0, high)
    return low, high if high > low else low + 1.0


def _step_of(found: Any) -> int:
    """The step between rows and columns that are shown."""
    side: int = max(found.shape[:2])
    return max(1, -(-side // _PIXELS))


def pixels_of(found: Any) -> Any:
    """The picture as bytes, of at most _PIXELS rows and columns: every n-th one."""
    numpy = numpy_if_any()
    step = _step_of(found)
    part = found[::step, ::step].astype("f8")
    low, high = scale_of(found)
    part = numpy.clip((numpy.nan_to_num(part, nan=low, posinf=high, neginf=low) - low) /
                      (high - low), 0, 1)
    if part.ndim == 3 and part.shape[2] == 1:
        part = part[..., 0]
    return numpy.rint(255 * part).astype("u1")


def png_of(found: Any) -> bytes:
    return png_bytes(pixels_of(found))


def html_of(name: str, found: Any) -> str:
    """A picture with its range, a histogram, or the shape."""
    from html import escape
    label = "<b>%s</b>" % escape(name)
    if is_picture(found):
        data = base64.b64encode(png_of(found)).decode("ascii")
        return ("<figure style='display:inline-block;margin:4px'><img src='data:image/png;base64,%s' "
                "width='%d' height='%d' style='image-rendering:pixelated;outline:1px solid #8888'>"
                "<figcaption>%s %s, %s</figcaption></figure>" % (data, *size_of(found), label,
                                            "&times;".join(map(str, found.shape)),
                                            _range_text(found)))
    numpy = numpy_if_any()
    is_array = numpy is not None and isinstance(found, numpy.ndarray)
    if is_array and found.dtype.kind in "biuf" and found.size > 1:
        return _histogram(label, found)
    shown = getattr(found, "shape", None) or found
    return "<div>%s %s</div>" % (label, escape(str(shown)[:200]))


def _histogram(label: str, found: Any) -> str:
    numpy = numpy_if_any()
    known = found[numpy.isfinite(found)].astype("f8")
    if known.size == 0:
        return "<div>%s: no number</div>" % label
    counts, edges = numpy.histogram(known, 32)
    bars = "".join(
        "<rect x='%d' y='%.1f' width='5' height='%.1f' fill='currentColor'/>" % (
            6 * k, 60 - 60.0 * count / counts.max(), 60.0 * count / counts.max())
        for k, count in enumerate(counts))
    return ("<figure style='display:inline-block;margin:4px'><svg width='192' height='60'>%s</svg>"
            "<figcaption>%s %s, %.4g to %.4g</figcaption></figure>" % (
                bars, label, "&times;".join(map(str, found.shape)), edges[0], edges[-1]))
