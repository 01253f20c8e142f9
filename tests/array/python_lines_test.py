"""Reductions along an axis whose lines are adjacent in memory, and bools of any bytes, beside Python's own."""

import array as plain
import itertools
import math
import random

from common import Case, main, needs_numpy, numpy  # which finds the package
from diderot import array

if numpy is not None:
    import definitions


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
        """Both parts by themselves, by their definition; small integers exactly."""
        rng = numpy.random.default_rng(12)
        odd = [numpy.nan, -numpy.nan, numpy.inf, -numpy.inf, -0.0, 0.0]
        for part, kind in (("f4", "c8"), ("f8", "c16")):
            for shape in ((5, 37), (70, 3), (3, 40, 9), (1100, 2), (0, 4), (4, 1, 6), (1, 5)):
                ints = rng.integers(-99, 99, (2, *shape))
                exact = definitions.joined(*ints).astype(kind)
                parts = rng.uniform(-9, 9, (*shape, 2))
                is_odd = rng.random(parts.shape) < 0.02
                parts[is_odd] = rng.choice(odd, is_odd.sum())
                numbers = parts.astype(part).view(kind)[..., 0]
                for turn in (lambda x: x, lambda x: x[::-1], lambda x: x.T):
                    for axis in range(len(shape)):
                        want = definitions.reduction("sum", turn(numbers), axis)
                        sums = [turn(some).sum(axis) for some in ints]
                        for threads in (1, 3):
                            found = numpy.asarray(array.sum(turn(numbers), axis=axis, threads=threads))
                            self.assertEqual(found.dtype, numpy.dtype(kind))
                            self.assertEqual(found.shape, want.shape)
                            self.assertEqual(found.tobytes(), definitions.bits_of(want), (shape, axis))
                            found = numpy.asarray(array.sum(turn(exact), axis=axis, threads=threads))
                            self.assertTrue(numpy.array_equal(found, definitions.joined(*sums)))

    def check_axis(self, function, operands, axis, want, **options):
        found = numpy.asarray(function(*operands, axis=axis, **options))
        self.assertEqual(found.shape, want.shape)
        self.assertTrue(found.flags.c_contiguous)
        self.assertEqual(found.tobytes(), definitions.bits_of(want.astype(found.dtype)),
                         (function, want.shape, axis))

    @needs_numpy
    def test_axes_in_any_order(self):
        """Each line along each axis of turned and flipped arrays, by its definition."""
        rng = numpy.random.default_rng(13)
        for shape in ((2, 17, 3), (18, 2, 3, 2), (5, 1, 40), (1, 33, 1, 2), (0, 20, 3), (3, 90, 2)):
            all_of = (rng.uniform(-9, 9, shape), rng.uniform(-9, 9, shape), rng.integers(-99, 99, shape).astype("f4"),
                      rng.random(shape) < 0.7, rng.random(shape) < 0.5)
            for order in itertools.permutations(range(len(shape))):
                x, other, ints, mask, truths = (some.transpose(order)[::-1 if order[0] else 1]
                                                for some in all_of)
                for axis in range(x.ndim):
                    for name in ("sum", "l2", "mean", "l0", "max_element"):
                        if x.size or name not in ("mean", "max_element"):
                            want = definitions.reduction(name, x, axis)
                            self.check_axis(getattr(array, name), [x], axis, want)
                    self.check_axis(array.sum, [ints], axis, ints.astype("i8").sum(axis))
                    self.check_axis(array.count, [truths], axis, truths.sum(axis))
                    self.check_axis(array.dot, [x, other], axis,
                                    definitions.reduction("sum", x * other, axis))
                    self.check_axis(array.sum, [x], axis, definitions.selected("sum", x, mask, axis), where=mask)
                    self.check_axis(array.dot, [x, other], axis,
                                    definitions.selected("sum", x * other, mask, axis), where=mask)

    @needs_numpy
    def test_sums_of_turned_arrays(self):
        """In canonical order, by the definition; the same bits as of a packed copy."""
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
                    want = definitions.reduction("sum", turned)
                    self.assertEqual(array.sum(turned), want)

    @needs_numpy
    def test_sums_of_columns(self):
        """Turned arrays whose blocks begin at other rows of each column, or at the same: forwards and backwards,
        from any address; blocks that end in the next column, or in the one after; several arrays of columns."""
        rng = numpy.random.default_rng(15)
        for kind, least in (("f4", 65536), ("f8", 32768), ("c8", 32768), ("c16", 16384)):
            for n_rows in (512, 515, 700, 1000, 1023, 1024, 1025, 1536, 2100, 4096, (27, 41), (3, 1024), (400, 3)):
                inside = n_rows if isinstance(n_rows, tuple) else (n_rows,)
                n_columns = least // math.prod(inside) + int(rng.integers(1, 80))
                n_columns = max(n_columns, 17)
                for outside in (1, 3):
                    room = rng.uniform(-9, 9, (outside, *inside, n_columns + 3)).astype(kind)
                    if kind[0] == "c":
                        room += 1j * rng.uniform(-9, 9, room.shape).astype(kind)
                    first = int(rng.integers(0, 4))
                    numbers = numpy.moveaxis(room[..., first:first + n_columns], -1, 1)
                    if rng.random() < 0.5:
                        numbers = numbers[:, ::-1]
                    if rng.random() < 0.5:
                        numbers = numbers[..., ::-1]
                    numbers = numbers[0] if outside == 1 else numbers
                    for threads in (1, 3):
                        for name in ("l1", "squared_l2", "variance") if kind[0] == "f" else ("squared_l2",):
                            self.assertEqual(getattr(array, name)(numbers, threads=threads),
                                             definitions.reduction(name, numbers), (name, kind, inside, outside))
                        self.assertEqual(array.sum(numbers, threads=threads), definitions.reduction("sum", numbers),
                                         (kind, inside, outside))

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
