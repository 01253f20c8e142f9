"""Values for image inputs besides arrays: samples with a placement, frames of video."""

from __future__ import annotations

from ._errors import Error
from ._values import shaped_reals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Optional


def _letters(axes: Any) -> str:
    """Letters of axes as a string; each may occur once."""
    letters = "".join(map(str, axes)) if isinstance(axes, (str, list, tuple)) else ""
    if sorted(letters) not in (["x"], ["x", "y"], ["x", "y", "z"]):
        raise Error("axes %r, expected x, y and z, those that there are, in some order" % (axes,))
    return letters


class Image:
    """Samples and their positions.

    samples  an array; its first axes are spatial, the last ones those of vectors and tensors
    origin   the position of the first sample
    steps    for each spatial axis of the samples the vector to the next one
    affine   instead of both: a matrix from (i, j, ..., 1) to positions, with a last row or without,
             whose columns belong to x, y and z
    axes     for each spatial axis of the samples its letter: "zyx" is samples[z, y, x]
    """

    def __init__(self, samples: Any, origin: Optional[Any] = None, steps: Optional[Any] = None,
                 affine: Optional[Any] = None, axes: Optional[str] = None) -> None:
        self.samples = samples
        self.origin = origin
        self.steps = steps
        self.axes = None if axes is None else _letters(axes)
        if affine is not None:
            if origin is not None or steps is not None:
                raise Error("an image has an affine matrix, or origin and steps, not both")
            self._place(affine)

    def _place(self, affine: Any) -> None:
        shape, numbers = shaped_reals("affine", affine)
        n_columns = shape[-1] if len(shape) == 2 else 0
        dimension = n_columns - 1
        if not 1 <= dimension <= 3 or shape[0] not in (dimension, dimension + 1):
            raise Error("the affine matrix has the shape (%s), expected 3 or 4 rows of 4, or 2 or 3 "
                        "of 3" % ", ".join(map(str, shape)))
        rows = [numbers[k:k + n_columns] for k in range(0, len(numbers), n_columns)]
        if rows[dimension:] not in ([], [[0.0] * dimension + [1.0]]):
            raise Error("the last row of the affine matrix is %s, expected zeros and a 1" %
                        rows[dimension])
        self.origin = [row[-1] for row in rows[:dimension]]
        letters = self.axes or ("xyz" if hasattr(self.samples, "dataobj") else  # nibabel
                                "zyx"[3 - dimension:])
        if len(letters) != dimension:
            raise Error("axes %r, but the affine matrix is for %d dimensions" % (
                letters, dimension))
        self.steps = [[row["xyz".index(letter)] for row in rows[:dimension]] for letter in letters]


class Frame:
    """A video frame in a buffer, laid out as by cameras and decoders.

    data        the buffer: an object that exports its memory, without gaps
    layout      "NHWC" (interleaved), "NCHW" (planar), with D before H for volumes; "420SP" (luma,
                then pairs of chroma at half the resolution)
    dims        in the order of the layout's letters; of 420SP 3, height, width
    kind        type of its samples, such as "uint8"; None: that of the data
    pitches     bytes of the whole, of one step along axis 0, along axis 1, ...; None: packed
    offset      bytes of the buffer before the frame
    number      which of the N frames
    component   the first one that the image takes; of 420SP 0 is luma, 1 and 2 are chroma
    components  how many it takes; 0: all from there on, of 420SP those of the plane
    siting      of chroma samples: amid four luma samples ("centred"), or amid the two left ones ("left")
    origin, steps  where its samples at full resolution are, as of an Image
    """

    def __init__(self, data: Any, layout: str, dims: Iterable[int], kind: Optional[str] = None,
                 pitches: Optional[Iterable[int]] = None, offset: int = 0, number: int = 0,
                 component: int = 0, components: int = 0, siting: str = "centred",
                 origin: Optional[Any] = None, steps: Optional[Any] = None) -> None:
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
