"""Reductions by their definitions, in numpy: of the elements along the last axis of an array. Ints are
summed in 64 bits, where they wrap; reals in double, in the one order that depends on their number alone.
"""

import fractions
import math

import numpy


def tree(terms, combine=numpy.add, identity=0.0):
    """Blocks of 1024 in 32 lanes, which are folded by halves; then blocks in pairs."""
    *rest, n = terms.shape
    n_blocks, n_rows = max(1, -(-n // 1024)), 32 if n > 1024 else max(1, -(-n // 32))
    padded = numpy.full((*rest, n_blocks * n_rows * 32), identity)
    padded[..., :n] = terms
    rows = padded.reshape(*rest, n_blocks, n_rows, 32)
    lanes = numpy.full((*rest, n_blocks, 32), identity)
    for row in range(n_rows):
        lanes = combine(lanes, rows[..., row, :])
    while lanes.shape[-1] > 1:
        half = lanes.shape[-1] // 2
        lanes = combine(lanes[..., :half], lanes[..., half:])
    blocks = lanes[..., 0]
    while blocks.shape[-1] > 1:
        n_paired = blocks.shape[-1] // 2 * 2
        pairs = combine(blocks[..., 0:n_paired:2], blocks[..., 1:n_paired:2])
        blocks = numpy.concatenate((pairs, blocks[..., n_paired:]), -1)
    return blocks[..., 0]


def joined(real, imag):
    made = numpy.empty(real.shape, "c16")
    made.real, made.imag = real, imag
    return made


def magnitude(x):
    """As uint64, for ints."""
    wide = x.astype("u8")
    return numpy.where(x < 0, 0 - wide, wide) if x.dtype.kind == "i" else wide


def exactly(function, x):
    """By fractions, rounded once."""
    lines = [[fractions.Fraction(int(number)) for number in line] for line in x.reshape(-1, x.shape[-1])]
    return numpy.array([float(function(line)) for line in lines]).reshape(x.shape[:-1])


def exact_mean(line):
    return sum(line) / len(line)


def exact_variance(line):
    mean = exact_mean(line)
    return sum((x - mean) ** 2 for x in line) / len(line)


def wrapped(terms, combine=numpy.add):
    return combine.reduce(terms.astype("u8"), axis=-1, dtype="u8").view("i8")


WHOLE = {
    "sum": wrapped,
    "product": lambda x: wrapped(x, numpy.multiply),
    "min_element": lambda x: x.min(-1),
    "max_element": lambda x: x.max(-1),
    "l0": lambda x: numpy.count_nonzero(x, -1),
    "l1": lambda x: wrapped(magnitude(x)).view("u8"),
    "linf": lambda x: magnitude(x).max(-1),
    "squared_l2": lambda x: wrapped(x.astype("u8") ** 2),
    "mean": lambda x: exactly(exact_mean, x),
    "variance": lambda x: exactly(exact_variance, x),
}


def extreme(x, sign):
    """NaN if there is one; -0 is less than +0."""
    found = x.max(-1) if sign > 0 else x.min(-1)
    has_sign = (numpy.signbit(x) == (sign < 0)) & (x == 0)
    zero = numpy.where(has_sign.any(-1), sign * 0.0, -sign * 0.0).astype(x.dtype)
    return numpy.where(found == 0, zero, found)


def mean(x):
    return tree(x) / x.shape[-1]


def variance(x):
    away = x - mean(x)[..., None]
    return (tree(away * away) - tree(away) ** 2 / x.shape[-1]) / x.shape[-1]


REAL = {
    "sum": tree,
    "product": lambda x: tree(x, numpy.multiply, 1.0),
    "min_element": lambda x: extreme(x, -1),
    "max_element": lambda x: extreme(x, 1),
    "l0": lambda x: numpy.count_nonzero(x, -1),
    "l1": lambda x: tree(numpy.abs(x)),
    "l2": lambda x: numpy.sqrt(tree(x * x)),
    "linf": lambda x: numpy.abs(x).max(-1),
    "squared_l2": lambda x: tree(x * x),
    "mean": mean,
    "variance": variance,
}

COMPLEX = {
    "sum": lambda x: joined(tree(x.real), tree(x.imag)),
    "l0": lambda x: numpy.count_nonzero(x, -1),
    "squared_l2": lambda x: tree(x.real * x.real + x.imag * x.imag),
}

TRUTHS = {
    "all": lambda x: x.all(-1),
    "any": lambda x: x.any(-1),
    "count": lambda x: numpy.count_nonzero(x, -1),
    "sum": lambda x: numpy.count_nonzero(x, -1),
    "l0": lambda x: numpy.count_nonzero(x, -1),
}

OF_KIND = {"b": TRUTHS, "i": WHOLE, "u": WHOLE, "f": REAL, "c": COMPLEX}
IN_DOUBLE = {"f": "f8", "c": "c16"}


def lines_of(x, axis):
    """Each line along an axis, along several, or all elements, along a last axis."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    rest = [k for k in range(x.ndim) if k not in axes]
    turned = x.transpose(rest + list(axes))
    return turned.reshape(*turned.shape[:len(rest)], math.prod(turned.shape[len(rest):]))


def plain_nan(x):
    """Without sign and payload, in either part."""
    if x.dtype.kind == "c":
        return joined(plain_nan(x.real), plain_nan(x.imag)).astype(x.dtype)
    return numpy.where(x == x, x, numpy.array(numpy.nan, x.dtype)) if x.dtype.kind == "f" else x


def bits_of(x):
    return plain_nan(numpy.ascontiguousarray(x)).tobytes()


def reduction(name, x, axis=None):
    """The results, rounded once to the type of the elements or of their parts."""
    lines = lines_of(x, axis)
    with numpy.errstate(all="ignore"):
        made = OF_KIND[x.dtype.kind][name](lines.astype(IN_DOUBLE.get(x.dtype.kind, x.dtype)))
        if made.dtype.kind == "c":
            return made.astype(x.dtype)
        return made.astype(x.real.dtype) if made.dtype.kind == "f" and x.dtype.kind in "fc" else made


def selected(name, x, mask, axis):
    """Sums or the like of those elements alone whose mask is true."""
    lines, masks = lines_of(x, axis), lines_of(mask, axis)
    made = numpy.empty(lines.shape[:-1], x.dtype)
    for place in numpy.ndindex(made.shape):
        made[place] = reduction(name, lines[place][masks[place]])
    return made
