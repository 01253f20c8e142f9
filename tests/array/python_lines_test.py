"""Reductions along an axis whose lines are adjacent in memory, and bools of any bytes, beside Python's own."""

import array as plain
import itertools
import math
import random

from common import Case, main, needs_numpy, numpy  # which finds the package
from diderot import array


class Lines(Case):
    def test_sums_of_lines_of_ints(self):
        """In int64, where they wrap."""
        rng = random.Random(7)
        for kind in "bBhHiIqQ":
            bits = 8 * plain.array(kind).itemsize
            least = 0 if kind.isupper() else -2**(bits - 1)
            for n_rows, n_lines in ((1, 3), (9, 40), (5, 2100)):
                rows = [[least + rng.choice((0, 2**bits - 1, rng.getrandbits(bits)))
                         for _ in range(n_lines)] for _ in range(n_rows)]
                want = [(sum(column) + 2**63) % 2**64 - 2**63 for column in zip(*rows)]
                view = array.View(plain.array(kind, itertools.chain(*rows))).reshape(n_rows, n_lines)
                for threads in (1, 3):
                    self.assertEqual(array.sum(view, axis=0, threads=threads).tolist(), want)
                    self.assertEqual(array.sum(view.flip(0).step(1, -2), axis=0).tolist(),
                                     want[::-2])

    def test_bools_of_lines(self):
        rng = random.Random(8)
        for n_rows, n_lines, share in ((1, 3, 0.5), (9, 40, 0.9), (3, 2100, 0.5), (7, 5, 0.1)):
            rows = [[rng.random() < share for _ in range(n_lines)] for _ in range(n_rows)]
            view = array.View(rows)
            for function, of in ((array.all, all), (array.any, any), (array.count, sum)):
                for threads in (1, 3):
                    self.assertEqual(function(view, axis=0, threads=threads).tolist(),
                                     [of(column) for column in zip(*rows)])

    def test_bytes_that_are_counted(self):
        """All but 0 are true, along either axis."""
        rng = random.Random(9)
        for n_rows, n_lines in ((3, 70), (3, 4), (2, 2100)):
            found = bytearray(rng.choices((0, 1, 2, 4, 255), k=n_rows * n_lines))
            want = [sum(byte != 0 for byte in found[k::n_lines]) for k in range(n_lines)]
            view = array.View(memoryview(found).cast("?")).reshape(n_rows, n_lines)
            for threads in (1, 3):
                self.assertEqual(array.count(view, axis=0, threads=threads).tolist(), want)
                self.assertEqual(array.count(view.transpose(), axis=1, threads=threads).tolist(),
                                 want)

    def test_bools_of_any_bytes(self):
        """All but 0 are true, for every function and as masks."""
        rng = random.Random(10)
        for n, values in ((5, (2, 255)), (3000, (0, 1, 2, 4, 255)), (40, (0, 2)), (2100, (128, 3))):
            found, others = (bytearray(rng.choices(values, k=n)) for _ in range(2))
            x, y = (array.View(memoryview(some).cast("?")) for some in (found, others))
            truths, more = ([byte != 0 for byte in some] for some in (found, others))
            plain_x, plain_y = array.View(truths), array.View(more)
            self.assertEqual(array.all(x), all(truths))
            self.assertEqual(array.any(x), any(truths))
            for function in (array.sum, array.count, array.l0, array.l1, array.squared_l2):
                self.assertEqual(function(x), sum(truths), function)
            self.assertEqual(array.dot(x, y), sum(a and b for a, b in zip(truths, more)))
            for function in (array.min_element, array.max_element, array.linf, array.product,
                             array.mean, array.variance, array.l2):
                self.assertEqual(function(x), function(plain_x), function)
            self.assertEqual((x & y).tolist(), [a and b for a, b in zip(truths, more)])
            self.assertEqual((x | y).tolist(), [a or b for a, b in zip(truths, more)])
            self.assertEqual((~x).tolist(), [not a for a in truths])
            self.assertEqual((x == y).tolist(), [a == b for a, b in zip(truths, more)])
            self.assertEqual((x < y).tolist(), (plain_x < plain_y).tolist())
            for kind in ("uint8", "int64", "float32", "complex128"):
                self.assertEqual(x.cast(kind).tolist(), plain_x.cast(kind).tolist())
            numbers = list(range(n))
            view = array.View(plain.array("i", numbers))
            for threads in (1, 3):
                self.assertEqual(array.sum(view, where=x, threads=threads),
                                 sum(k for k in numbers if truths[k]))
            out = array.View(plain.array("i", [-1] * n))
            array.add(view, 1, out=out, where=x)
            self.assertEqual(out.tolist(), [k + 1 if truths[k] else -1 for k in numbers])

    def test_truths_of_lines_of_any_bytes(self):
        rng = random.Random(11)
        for n_rows, n_lines in ((1, 40), (3, 70), (3, 4), (2, 2100), (9, 33)):
            found = bytearray(rng.choices((0, 1, 2, 4, 255), (1, 9, 9, 9, 9), k=n_rows * n_lines))
            columns = [found[k::n_lines] for k in range(n_lines)]
            view = array.View(memoryview(found).cast("?")).reshape(n_rows, n_lines)
            for some, axis in ((view, 0), (view.transpose(), 1)):
                for threads in (1, 3):
                    for function, of in ((array.all, all), (array.any, any)):
                        self.assertEqual(function(some, axis=axis, threads=threads).tolist(),
                                         [of(column) for column in columns])
                    self.assertEqual(array.sum(some, axis=axis, threads=threads).tolist(),
                                     [sum(byte != 0 for byte in column) for column in columns])

    @needs_numpy
    def test_sums_of_complex_lines(self):
        """The same bits as each line alone, both parts by themselves."""
        rng = numpy.random.default_rng(12)
        odd = [numpy.nan, -numpy.nan, numpy.inf, -numpy.inf, -0.0, 0.0]
        for part, kind in (("f4", "c8"), ("f8", "c16")):
            for shape in ((5, 37), (70, 3), (3, 40, 9), (1100, 2), (0, 4), (4, 1, 6), (1, 5)):
                parts = rng.uniform(-9, 9, (*shape, 2))
                is_odd = rng.random(parts.shape) < 0.02
                parts[is_odd] = rng.choice(odd, is_odd.sum())
                numbers = parts.astype(part).view(kind)[..., 0]
                whole = array.View(numbers)
                for view in (whole, whole.flip(0), whole.transpose()):
                    for axis in range(view.ndim):
                        rest = [range(n) for k, n in enumerate(view.shape) if k != axis]
                        lines = [view[(*at[:axis], slice(None), *at[axis:])]
                                 for at in itertools.product(*rest)]
                        want = numpy.array([array.sum(line) for line in lines], kind)
                        for threads in (1, 3):
                            found = numpy.asarray(array.sum(view, axis=axis, threads=threads))
                            self.assertEqual(found.dtype, numpy.dtype(kind))
                            self.assertEqual(found.shape, tuple(map(len, rest)))
                            self.assertEqual(found.tobytes(), want.tobytes(), (shape, axis))

    @needs_numpy
    def test_axes_in_any_order(self):
        """Each line along each axis of turned, flipped and repeated arrays like that line alone."""
        rng = numpy.random.default_rng(13)
        functions = (array.sum, array.max_element, array.l2, array.mean, array.l0)
        for shape in ((2, 17, 3), (18, 2, 3, 2), (5, 1, 40), (1, 33, 1, 2), (0, 20, 3)):
            numbers = rng.uniform(-9, 9, shape)
            masks = array.View(rng.random(shape) < 0.7)
            flags = array.View(rng.random(shape) < 0.5)
            whole = array.View(numbers)
            for order in itertools.permutations(range(len(shape))):
                view, mask, truths = (some.permute(*order) for some in (whole, masks, flags))
                if order[0]:
                    view, mask, truths = (some.flip(0) for some in (view, mask, truths))
                for axis in range(view.ndim):
                    rest = [range(n) for k, n in enumerate(view.shape) if k != axis]
                    places = [(*at[:axis], slice(None), *at[axis:])
                              for at in itertools.product(*rest)]
                    of = [(function, [view], {}) for function in functions]
                    of += [(array.count, [truths], {}), (array.sum, [view], {"where": mask}),
                           (array.dot, [view, whole.permute(*order)], {})]
                    for function, operands, options in of:
                        want = [function(*(some[at] for some in operands),
                                         **{name: some[at] for name, some in options.items()})
                                for at in places]
                        found = numpy.asarray(function(*operands, axis=axis, **options))
                        self.assertEqual(found.shape, tuple(map(len, rest)))
                        self.assertTrue(found.flags.c_contiguous)
                        self.assertEqual(found.tobytes(), numpy.array(want, found.dtype).tobytes(),
                                         (function, shape, order, axis))

    @needs_numpy
    def test_sums_of_turned_arrays(self):
        """In canonical order: the same bits as of a packed copy, next to the exact sum."""
        rng = numpy.random.default_rng(14)
        for kind in ("f4", "f8", "c8", "c16"):
            for shape in ((310, 301), (1024, 256), (33, 65, 130), (20, 19, 17, 40), (70000, 3)):
                numbers = rng.uniform(-9, 9, shape).astype(kind)
                if kind[0] == "c":
                    numbers += 1j * rng.uniform(-9, 9, shape).astype(kind)
                for order in itertools.permutations(range(len(shape))):
                    turned = numbers.transpose(order)
                    if order[0] % 2:
                        turned = turned[::-1]
                    packed = array.View(numpy.ascontiguousarray(turned))
                    for options in ({}, {"threads": 3}, {"compensated": True}):
                        found = array.sum(turned, **options)
                        self.assertEqual(found, array.sum(packed, **options), (shape, order))
                    self.assertEqual(array.l2(turned), array.l2(packed))
                    if kind[0] == "f":
                        self.assertEqual(array.variance(turned), array.variance(packed))
                    total = math.fsum(turned.real.ravel().astype("f8"))
                    self.assertAlmostEqual(array.sum(turned).real, total,
                                           delta=1e-6 * abs(total) + 1e-6)

    def test_extremes_of_lines(self):
        """NaN, with plain bits, if there is one; -0 is less than 0; ints of all types."""
        rng = random.Random(6)
        odd = [float("nan"), -0.0, 0.0, float("inf"), -float("inf"), 1.5, -2.0]

        def extreme(line, sign):
            if any(x != x for x in line):
                return float("nan")
            return max(line, key=lambda x: (sign * x, sign * math.copysign(1, x)))

        for kind, letter in (("float32", "f"), ("float64", "d"), ("int8", "b"), ("uint64", "Q")):
            for shape in ((5, 37), (3, 4, 9), (2, 2100), (26, 45)):
                if letter in "fd":
                    numbers = [rng.choice(odd[rng.random() < .9:]) for _ in range(math.prod(shape))]
                    numbers = [-x if x != x else x for x in numbers]
                else:
                    bits = 8 * plain.array(letter).itemsize
                    least = 0 if letter.isupper() else -2**(bits - 1)
                    numbers = [least + rng.choice((0, 2**bits - 1, rng.getrandbits(bits)))
                               for _ in range(math.prod(shape))]
                whole = array.View(plain.array(letter, numbers)).reshape(shape)
                for view in (whole.flip(0), whole.transpose().step(0, -2)):
                    for axis in range(view.ndim):
                        rest = [[slice(None)] if k == axis else range(n)
                                for k, n in enumerate(view.shape)]
                        lines = [view[at].tolist() for at in itertools.product(*rest)]
                        functions = [(array.min_element, -1), (array.max_element, 1)]
                        if letter in "fd":
                            functions.append((array.linf, 0))
                        for function, sign in functions:
                            of = lines if sign else [list(map(abs, line)) for line in lines]
                            want = plain.array(letter, [extreme(line, sign or 1) for line in of])
                            for threads in (1, 3):
                                found = function(view, axis=axis, threads=threads)
                                self.assertEqual(found.type, kind)
                                numbers = found.reshape(found.size).tolist()
                                self.assertEqual(plain.array(letter, numbers).tobytes(),
                                                 want.tobytes())


if __name__ == "__main__":
    main()
