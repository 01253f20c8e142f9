"""Random reductions beside their definitions, bit by bit: types, shapes, axes in any order of memory, flipped,
with gaps, repeated, before memory that cannot be read; NaN and zeros of either sign; one thread and two.
Every third array is of small integers, whose sums are exact in any order.
"""

import ctypes
import mmap
import random

from common import Case, main, needs_numpy, numpy
from diderot import array

if numpy is not None:
    import definitions

N_ROUNDS = 2500
MOST = 200000  # elements
SIDES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257, 1025]
KINDS = ["f4", "f4", "f8", "c8", "c16", "i4", "u1", "?", "?", "i8", "i2", "u8"]
EXACT_MOST = 3000  # of ints whose mean is exact, by fractions
ODD = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0]


class Draws:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)
        self.held = []

    def chance(self, share):
        return self.rng.random() < share

    def shape(self):
        while True:
            rank = self.rng.choice((1, 2, 2, 3, 3, 4))
            shape = tuple(self.rng.choice(SIDES[:{1: 20, 2: 20, 3: 15}.get(rank, 9)]) for _ in range(rank))
            if numpy.prod(shape) <= MOST:
                return shape

    def reals(self, shape, is_small):
        if is_small:
            return self.numbers.integers(-99, 99, shape).astype("f8")
        made = self.numbers.standard_normal(shape) * 10.0 ** self.numbers.integers(-3, 4, shape)
        if self.chance(0.2):
            places = self.numbers.integers(0, made.size, 3)
            made.flat[places] = self.rng.choices(ODD[self.chance(0.5):], k=3)
        return made

    def elements(self, kind, shape):
        is_small = self.chance(0.33)
        dtype = numpy.dtype(kind)
        if dtype.kind == "f":
            return self.reals(shape, is_small).astype(kind)
        if dtype.kind == "c":
            return definitions.joined(*(self.reals(shape, is_small) for _ in range(2))).astype(kind)
        if dtype.kind == "b":
            share = self.rng.choice((0.5, 0.002, 0.998))
            return self.numbers.random(shape) < share
        of = numpy.iinfo(dtype)
        return self.numbers.integers(of.min, of.max, shape, dtype, endpoint=True)

    def before_a_hole(self, packed):
        """A copy that ends where a page begins that cannot be read."""
        n_bytes = packed.nbytes
        end = -(-n_bytes // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = mmap.mmap(-1, end + mmap.PAGESIZE)
        first = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        if protect(first + end, mmap.PAGESIZE, 0) != 0:
            return packed
        self.held = self.held[-20:] + [pages]
        made = numpy.frombuffer(pages, packed.dtype, packed.size, end - n_bytes).reshape(packed.shape)
        made[...] = packed
        return made

    def laid_out(self, elements):
        """The same elements elsewhere: with axes in any order, some backwards, some with gaps."""
        order = list(range(elements.ndim))
        if self.chance(0.7):
            self.rng.shuffle(order)
        steps = [self.rng.choice((1, -1, 2, -3)) if self.chance(0.2) else 1 for _ in order]
        room = numpy.zeros([elements.shape[k] * abs(steps[k]) for k in order], elements.dtype)
        room = self.before_a_hole(room)
        made = room.transpose(numpy.argsort(order))[tuple(slice(None, None, step) for step in steps)]
        made[...] = elements
        return made

    def axis(self, rank):
        choices = [None, *range(rank), *range(rank)]
        if rank > 1:
            choices.append(tuple(sorted(self.rng.sample(range(rank), 2))))
        return self.rng.choice(choices)


def any_bytes(truths):
    """Bools whose true ones are any byte but 0."""
    places = numpy.arange(truths.size, dtype="u8").reshape(truths.shape)
    return numpy.where(truths, places * 37 % 255 + 1, 0).astype("u1").view("?")


@needs_numpy
class Reductions(Case):
    def check(self, name, elements, axis, found):
        found = numpy.asarray(found)
        want = definitions.reduction(name, elements, axis).astype(found.dtype)
        self.assertEqual(found.shape, want.shape)
        self.assertEqual(found.tobytes(), definitions.bits_of(want),
                         (name, elements.dtype, elements.shape, axis))

    def one(self, draws):
        kind, shape = draws.rng.choice(KINDS), draws.shape()
        elements = draws.elements(kind, shape)
        given = draws.laid_out(any_bytes(elements) if kind == "?" else elements)
        if draws.chance(0.1) and elements.ndim < 4 and elements.size < MOST // 3:
            elements, given = (numpy.broadcast_to(some, (3, *shape)) for some in (elements, given))
        axis, threads = draws.axis(elements.ndim), draws.rng.choice((1, 2))
        names = sorted(definitions.OF_KIND[elements.dtype.kind])
        name = draws.rng.choice(names)
        if name in ("mean", "variance") and kind[0] in "iu" and elements.size > EXACT_MOST:
            name = "sum"
        # numpy's results are arrays or numbers; so are those of the library, views or numbers
        self.check(name, elements, axis, getattr(array, name)(given, axis=axis, threads=threads))

    def test_random_reductions(self):
        draws = Draws(20)
        for _ in range(N_ROUNDS):
            self.one(draws)

    def test_one_that_decides(self):
        """All and any end where the answer is known: one bool at every 64th place, of arrays in one piece, with
        gaps and turned."""
        for room in (numpy.empty((33, 32, 8), "?"), numpy.empty((33, 32, 16), "?")[:, :, ::2],
                     numpy.empty((8, 32, 33), "?").transpose(2, 1, 0), numpy.empty((33, 64, 9), "?")[:, ::2, :8]):
            for place in range(0, room.size, 64):
                where = numpy.unravel_index(place, room.shape)
                for name in ("all", "any"):
                    room[...] = name == "all"
                    room[where] = name != "all"
                    for axis in (None, 1):
                        found = getattr(array, name)(room, axis=axis)
                        self.check(name, room, axis, found)

    def test_lines_of_nothing(self):
        for shape in ((5, 0), (0, 5), (0,)):
            for axis in range(len(shape)):
                for name, of_none in (("all", True), ("any", False)):
                    found = numpy.asarray(getattr(array, name)(numpy.zeros(shape, "?"), axis=axis))
                    want = numpy.full(shape[:axis] + shape[axis + 1:], of_none)
                    self.assertEqual((found.shape, found.tobytes()), (want.shape, want.tobytes()))

    def test_with_masks(self):
        """Selected elements count as if they were the only ones."""
        draws = Draws(21)
        for _ in range(150):
            elements = draws.elements(draws.rng.choice(KINDS), draws.shape()).reshape(-1)[:5000]
            mask = draws.numbers.random(elements.shape) < draws.rng.choice((0.1, 0.5, 0.95))
            mask[0] = True
            name = draws.rng.choice(["sum", "l0"])
            found = getattr(array, name)(draws.laid_out(elements), where=draws.laid_out(mask),
                                         threads=draws.rng.choice((1, 2)))
            self.check(name, elements[mask], None, found)

    def test_the_order_is_that_of_exact_sums(self):
        """Of small integers the definition agrees with the sum in int64."""
        draws = Draws(22)
        for n in (1, 31, 33, 1000, 1025, 5000, 100001):
            numbers = draws.numbers.integers(-999, 999, (2, n))
            self.assertEqual(definitions.tree(numbers).tolist(), numbers.sum(-1).tolist())
            self.assertEqual(array.sum(numbers.astype("f8"), axis=1).tolist(), numbers.sum(-1).tolist())


if __name__ == "__main__":
    main()
