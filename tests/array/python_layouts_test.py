"""diderot.array on arrays of any layout, against numpy: random shapes, some of them empty, with steps,
axes turned and repeated, elements of all types, NaN and infinities among them, memory that overlaps;
and sizes that no memory has.
"""

import math

from common import Case, needs_numpy, numpy, main  # which finds the package
from diderot import array

INTS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
REALS = ["float32", "float64"]
ROUNDS = 150


def some(shape, kind, rng):
    """Elements of a type: small ones, or any of it."""
    kind = numpy.dtype(kind)
    if kind.kind == "b":
        return rng.integers(0, 2, shape).astype(kind)
    if kind.kind in "iu":
        least, most = numpy.iinfo(kind).min, numpy.iinfo(kind).max
        if rng.integers(3):
            least, most = max(least, -9), 9
        return rng.integers(least, most, shape, kind, endpoint=True)
    elements = rng.normal(size=shape).astype(kind)
    if kind.kind == "c":
        return elements + (1j * rng.normal(size=shape)).astype(kind)
    if elements.size and not rng.integers(3):
        for special in (math.nan, math.inf, -math.inf, -0.0, 0.0):
            elements.flat[rng.integers(elements.size)] = special
    return elements


def steps_of(extent, rng):
    """A part of an axis with that many elements, and the least extent that has it."""
    step, lead = int(rng.choice([1, 1, 2, 3, -1, -2])), int(rng.integers(3))
    last = lead + max(extent - 1, 0) * abs(step)
    if extent == 0:
        return slice(lead, lead), lead
    if step > 0:
        return slice(lead, last + 1, step), last + 1
    return slice(last, lead - 1 if lead else None, step), last + 1


def laid_out(shape, kind, rng, is_output=False):
    """An array of a random layout in more memory than it needs."""
    order = rng.permutation(len(shape))
    parts = [steps_of(shape[axis], rng) for axis in order]
    memory = some([extent + int(rng.integers(3)) for _, extent in parts], kind, rng)
    found = memory[tuple(part for part, _ in parts) + (Ellipsis,)].transpose(numpy.argsort(order))
    if shape and not is_output and not rng.integers(6):
        axis = int(rng.integers(len(shape)))
        if shape[axis]:
            found = numpy.broadcast_to(found.take([0], axis), shape)
    assert found.shape == shape
    return found


def common_of(a, b):
    """The type in which two kinds of real numbers meet."""
    a, b = numpy.dtype(a), numpy.dtype(b)
    if "f" in (a.kind, b.kind):
        return max((kind for kind in (a, b) if kind.kind == "f"), key=lambda kind: kind.itemsize)
    if a.itemsize == b.itemsize:
        return a if a.kind == "u" else b
    return a if a.itemsize > b.itemsize else b


@needs_numpy
class Layouts(Case):
    def setUp(self):
        self.rng = numpy.random.default_rng(7)
        state = numpy.seterr(all="ignore")
        self.addCleanup(lambda: numpy.seterr(**state))

    def shapes(self, most_rank=4):
        for _ in range(ROUNDS):
            rank = int(self.rng.integers(most_rank + 1))
            yield tuple(int(self.rng.choice([0, 1, 2, 3, 5, 33], p=[.05, .15, .2, .2, .2, .2]))
                        for _ in range(rank))

    def kind(self, kinds):
        return str(self.rng.choice(kinds))

    def same(self, found, wanted):
        """Equal bits, but for those of NaN."""
        found, wanted = numpy.asarray(found), numpy.asarray(wanted)
        self.assertEqual((found.dtype, found.shape), (wanted.dtype, wanted.shape))
        is_nan = wanted != wanted  # pylint: disable=comparison-with-itself
        numpy.testing.assert_array_equal(found, wanted)
        if wanted.dtype.kind == "f":
            signs = [numpy.signbit(each) | is_nan for each in (found, wanted)]
            numpy.testing.assert_array_equal(*signs)

    def test_one_operand(self):
        for shape in self.shapes():
            kind = self.kind(INTS + REALS)
            x = laid_out(shape, kind, self.rng)
            self.same(array.neg(x), numpy.subtract(numpy.array(0, kind), x) if kind[0] != "f" else -x)
            self.same(array.square(x), x * x)
            self.same(array.real(x), x)
            self.same(array.imag(x), numpy.zeros(shape, kind))
            self.same(array.cwise_abs(x), x if kind[0] == "u" else numpy.abs(x))
            self.same(array.sign(x), numpy.where(x == 0, numpy.array(0, kind), numpy.sign(x)))

    def test_two_operands(self):
        for shape in self.shapes():
            kinds = self.kind(INTS + REALS), self.kind(INTS + REALS)
            x, y = (laid_out(shape, kind, self.rng) for kind in kinds)
            common = common_of(*kinds)
            left, right = x.astype(common), y.astype(common)
            for name, function in (("add", numpy.add), ("sub", numpy.subtract),
                                   ("mul", numpy.multiply), ("lt", numpy.less), ("eq", numpy.equal),
                                   ("ge", numpy.greater_equal)):
                with self.subTest(name=name, kinds=kinds, shape=shape):
                    self.same(getattr(array, name)(x, y), function(left, right))
            if kinds[0] == kinds[1]:
                numpy.testing.assert_array_equal(array.cwise_max(x, y), numpy.maximum(x, y))
                numpy.testing.assert_array_equal(array.cwise_min(x, y), numpy.minimum(x, y))

    def test_complex_operands(self):
        for shape in self.shapes():
            kind = self.kind(["complex64", "complex128"])
            x, y = (laid_out(shape, kind, self.rng) for _ in range(2))
            self.same(array.add(x, y), x + y)
            self.same(array.sub(x, y), x - y)
            self.same(array.real(x), x.real)
            self.same(array.imag(x), x.imag)
            close = {"rtol": 1e-5, "atol": 1e-5} if kind == "complex64" else {"rtol": 1e-13, "atol": 1e-13}
            for found, wanted in ((array.mul(x, y), x * y), (array.div(x, y), x / y),
                                  (array.cwise_abs(x), numpy.abs(x))):
                numpy.testing.assert_allclose(found, wanted, **close)
            self.refused("ETYPE", array.lt, x, y)

    def test_casts(self):
        for shape in self.shapes():
            kind, target = self.kind(INTS + REALS), self.kind(["bool"] + INTS + REALS + ["complex64"])
            x = laid_out(shape, kind, self.rng)
            if target == "bool":
                wanted = x != 0
            elif kind[0] == "f" and target in INTS:  # towards zero, kept in range, NaN is 0
                least, most = numpy.iinfo(target).min, numpy.iinfo(target).max
                wanted = numpy.array(
                    [0 if math.isnan(one) else least if one == -math.inf else most
                     if one == math.inf else max(least, min(most, int(one)))
                     for one in x.ravel().tolist()], target).reshape(shape)
            else:
                wanted = x.astype(target)
            self.same(array.cast(x, target), wanted)

    def test_outputs_in_the_memory_of_operands(self):
        for shape in self.shapes(3):
            if not shape:
                continue
            kind, extent = self.kind(INTS + REALS), shape[0]
            memory = some((extent + 3,) + shape[1:], kind, self.rng)
            x, y, out = memory[1:][:extent], memory[::-1][1:][:extent], memory[2:][:extent]
            if extent > 1 and self.rng.integers(2):
                out = out[::-1]
            beside, wanted = memory.copy(), x.copy() - y.copy()
            self.assertIs(array.sub(x, y, out=out), out)
            self.same(out, wanted)
            beside[2:][:extent] = memory[2:][:extent]
            self.same(memory, beside)

    def test_masks(self):
        for shape in self.shapes():
            kind = self.kind(INTS + REALS)
            mask, x = laid_out(shape, "bool", self.rng), laid_out(shape, kind, self.rng)
            y, out = laid_out(shape, kind, self.rng), laid_out(shape, kind, self.rng, is_output=True)
            wanted = numpy.where(mask, x, out)
            array.View(out).mask(mask).assign(x)
            self.same(out, wanted)
            wanted = numpy.where(mask, x + y, out)
            array.add(x, y, out=out, where=mask)
            self.same(out, wanted)

    def test_exact_reductions(self):
        """Of ints: sums modulo 2^64, with Python's."""
        for shape in self.shapes(3):
            kind = self.kind(INTS)
            x, mask = laid_out(shape, kind, self.rng), laid_out(shape, "bool", self.rng)
            axes = tuple(axis for axis in range(len(shape)) if self.rng.integers(2))
            for index in numpy.ndindex(*(n for axis, n in enumerate(shape) if axis not in axes)):
                kept = iter(index)
                line = tuple(slice(None) if axis in axes else next(kept) for axis in range(len(shape)))
                members = numpy.asarray(x[line])[mask[line]].tolist()
                wanted = {"sum": sum(members), "l1": sum(map(abs, members)),
                          "l0": sum(one != 0 for one in members), "linf": max(map(abs, members), default=0),
                          "min_element": min(members, default=0), "max_element": max(members, default=0),
                          "product": math.prod(members) if members else 0}
                break
            else:
                continue
            for name, value in wanted.items():
                found = getattr(array, name)(x, axis=axes, where=mask)
                with self.subTest(name=name, kind=kind, shape=shape, axes=axes):
                    self.assertEqual((int(found[index].item()) - value) % 2**64, 0)

    def test_real_reductions(self):
        for shape in self.shapes(3):
            kind = self.kind(REALS + ["complex64", "complex128"])
            x = laid_out(shape, kind, self.rng)
            if not numpy.isfinite(x).all():
                continue
            axes = tuple(axis for axis in range(len(shape)) if self.rng.integers(2))
            exact = x.astype("complex128" if kind[0] == "c" else "float64")
            sizes = {"rtol": 1e-5, "atol": 1e-4} if kind in ("float32", "complex64") else {
                "rtol": 1e-12, "atol": 1e-12}
            for name, wanted in (("sum", exact.sum(axes)), ("l1", numpy.abs(exact).sum(axes)),
                                 ("squared_l2", (numpy.abs(exact) ** 2).sum(axes)),
                                 ("linf", numpy.abs(exact).max(axes, initial=0)),
                                 ("l0", numpy.count_nonzero(x, axes))):
                numpy.testing.assert_allclose(getattr(array, name)(x, axis=axes), wanted, **sizes)

    def test_infinite_and_nan(self):
        for kind in REALS:
            for specials, wanted in (([math.nan, 1], math.nan), ([math.inf, 1], math.inf),
                                     ([math.inf, -math.inf], math.nan)):
                x = numpy.ones((5, 40), kind)[::-1, ::2]
                x[3, 7:9] = specials
                numpy.testing.assert_equal(array.sum(x), wanted)
                numpy.testing.assert_equal(array.max_element(x), max(specials) if wanted == wanted
                                           or not math.isnan(specials[0]) else math.nan)

    def test_convolutions(self):
        """With zeros for missing samples, as sums of shifted images; NaN reaches what it must."""
        for shape in self.shapes(3):
            if not shape or 0 in shape:
                continue
            kind = self.kind(REALS)
            image = laid_out(shape, kind, self.rng, is_output=True)  # nothing repeated
            kernel = laid_out(tuple(int(self.rng.integers(1, 4)) for _ in shape), kind, self.rng,
                              is_output=True)
            if not numpy.isfinite(kernel).all():
                continue
            wanted = numpy.zeros([m + n - 1 for m, n in zip(kernel.shape, shape)])
            for at in numpy.ndindex(kernel.shape):
                part = tuple(slice(k, k + n) for k, n in zip(at, shape))
                wanted[part] += float(kernel[at]) * image.astype("float64")
            found = numpy.asarray(array.Convolution(kernel, mode="direct")(image))
            numpy.testing.assert_allclose(found, wanted.astype(kind), rtol=1e-5, atol=1e-6)


class Sizes(Case):
    """What no memory has is refused before anything is counted wrongly."""

    def test_huge_arrays(self):
        for shape in ((2**62, 4), (2**63 - 1,), (2**40, 2**40), (2**31, 2**31, 2)):
            with self.assertRaises(array.ArrayError) as caught:
                array.zeros(shape, "float64")
            self.assertIn(caught.exception.status, ("EOVERFLOW", "ENOMEM"))

    def test_huge_views(self):
        one = array.full((1,), 3, "uint8")
        many = one.repeat(0, 2**40)  # memory of one byte
        self.assertEqual(many.shape, (2**40, 1))
        self.assertEqual(many[2**40 - 1, 0].item(), 3)
        self.assertEqual(many[::2**39].tolist(), [[3], [3]])
        self.refused("EOVERFLOW", lambda: many.repeat(0, 2**40))
        with self.assertRaises(array.ArrayError) as caught:
            array.add(many, 1)
        self.assertIn(caught.exception.status, ("EOVERFLOW", "ENOMEM"))
        self.refused("EALIAS", many.assign, 1)

    def test_huge_pitches(self):
        for shape, alignments in (((2**62, 2), (1, 1)), ((2, 3), (2**63 - 1, 2**62)),
                                  ((2**31, 2**31, 4), (1, 1, 1))):
            self.refused("EOVERFLOW", array.pitches_of, shape, "int32", alignments)

    def test_empty_arrays(self):
        for shape in ((0,), (3, 0), (0, 2**40), (5, 0, 7)):
            empty = array.zeros(shape)
            self.assertEqual(array.add(empty, 1).shape, shape)
            self.assertEqual(array.sum(empty), 0)
            self.assertEqual(array.max_element(empty), 0)
            self.assertEqual(array.sum(empty, axis=-1).shape, shape[:-1])
            self.assertEqual(empty[::-1].transpose().shape, shape[::-1])


if __name__ == "__main__":
    main()
