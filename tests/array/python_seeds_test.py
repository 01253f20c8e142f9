"""diderot.array: the tables of index functions, Bessel transforms, row alignments, predicates of views, sampled
grids and cheaper modes once more, as far as views and tasks have them; python_tables_test.py has the others."""

import ctypes
import math
import random
import re
from fractions import Fraction

from common import Case, main  # which finds the package
from diderot import _arrays, array
from python_tables_test import ints, table


# ---- index functions: permute, slice, reshape, repeat of views ---------------------------------


def parts_of(text):
    """What commas separate that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


FUNCTIONS = {"floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "__builtins__": {}}


def number(text, unknowns):
    return eval(text.lstrip("="), FUNCTIONS, unknowns)  # pylint: disable=eval-used


def numbers(text, unknowns):
    return [number(part, unknowns) for part in parts_of(text)]


def iota(lens):
    """Elements that are their offsets."""
    return array.View(list(range(math.prod(lens)))).reshape(*lens)


def sliced(view, text, unknowns):
    axis = 0
    for entry in parts_of(text):
        first, *rest = (number(part, unknowns) for part in entry.split(":"))
        if not rest:
            view = view.fix(axis, first)
            continue
        count, step = rest
        if step == 0:
            view = view.fix(axis, first).repeat(axis, count)
        elif count == 0:
            view = view.slice(axis, 0, 0)
        else:
            low, high = sorted((first, first + (count - 1) * step))
            view = view.slice(axis, low, high + 1).step(axis, step)
        axis += 1
    return view


def repeated(view, text):
    outer, inner = text.split(";")
    for times in numbers(inner.strip()[1:-1], {}):
        view = view.repeat(view.ndim, times)
    for axis, lens in reversed(list(enumerate(parts_of(outer)))):
        for times in reversed(numbers(lens[1:-1], {})):
            view = view.repeat(axis, times)
    return view


def constructed(text, unknowns):
    """The view that a construction is; None: it needs what views do not have."""
    view = None
    if re.search("rotate|rebase|expand", text):
        return None
    for operation in text.split(" . "):
        name, given = re.fullmatch(r"(\w+)[\[(](.*)[\])]", operation.strip()).groups()
        if name == "iota":
            view = iota(numbers(given, unknowns))
        elif name == "slice":
            view = sliced(view, given, unknowns)
        elif name == "repeat":
            view = repeated(view, given)
        elif name == "offset_index":
            view = view.slice(0, number(given, unknowns), view.shape[0])
        elif name == "stride_index":
            view = view.step(0, number(given, unknowns))
        else:
            view = getattr(view, name)(*numbers(given, unknowns))
    return view


class IndexFunctions(Case):
    def test_of_known_sizes(self):
        n_views = n_refused = 0
        for name, text, shape, most, _, contiguous, _, linear, offsets, *_ in table(
                "index/ixfun_vectors.txt"):
            with self.subTest(name):
                try:
                    view = constructed(text, {})
                except array.ArrayError as error:  # a list of descriptors, which a view is not
                    self.assertEqual((error.status, most > "1"), ("ESHAPE", True))
                    n_refused += 1
                    continue
                if view is None:
                    continue
                n_views += 1
                self.assertEqual(list(view.shape), ints(shape))
                found = view.copy().reshape(view.size).tolist()
                self.assertEqual(found, [int(word) for word in offsets.split()])
                if 0 not in view.strides:  # repeats are contiguous there, not here
                    self.assertEqual(view.is_contiguous, contiguous == "yes")
                self.assertEqual(view.is_canonical and 0 not in view.strides,
                                 linear.startswith("L") and 0 not in view.strides)
        self.assertGreater(n_views, 30)
        self.assertGreater(n_refused, 3)
        print("%d index functions are views, %d are lists of them" % (n_views, n_refused))

    def test_of_unknown_sizes(self):
        rng, n_views = random.Random(3), 0
        for name, ranges, text, shape, offset, strides in table("index/ixfun_symbolic.txt"):
            names = set(re.findall(r"[A-Za-z]\w*", ranges))
            with self.subTest(name):
                for _ in range(20):
                    unknowns = {}
                    while not unknowns or not all(number(one, unknowns) for one in parts_of(ranges)):
                        unknowns = {word: rng.randint(0, 30 if word == "P" else 12) for word in names}
                    view = constructed(text, unknowns)
                    if view is None:
                        break
                    want = numbers(strides[1:-1], unknowns)
                    self.assertEqual(list(view.shape), numbers(shape[1:-1], unknowns))
                    self.assertEqual([stride for stride, n in zip(view.strides, view.shape) if n > 1],
                                     [stride for stride, n in zip(want, view.shape) if n > 1])
                    self.assertEqual(view.copy().reshape(view.size)[0].item(),
                                     number(offset, unknowns))
                    n_views += 1
        self.assertGreaterEqual(n_views, 9 * 20)

    def test_rejected(self):
        view = iota([4])
        for order in ((0, 0), (1,), (0, 1)):
            self.refused("ERANK", view.permute, *order)
        self.refused("ERANGE", view.slice, 0, 3, 5)
        self.refused("ERANGE", view.slice, 0, -2, 1)
        self.refused("ESHAPE", iota([2, 3]).reshape, 5)
        self.refused("ERANK", lambda: view[0, 0])


# ---- views ------------------------------------------------------------------------------------


class Predicates(Case):
    def layout(self, text):
        offset, shape, strides = (part.strip() for part in text.split(";"))
        layout = _arrays.Layout(rank=len(ints(shape)), offset=int(offset))
        for axis, (extent, stride) in enumerate(zip(ints(shape), ints(strides))):
            layout.len[axis], layout.stride[axis] = extent, stride
        return layout

    def test_of_views(self):
        for name, text, _, _, _, is_reversed, least, collapsed, _ in table("layout/views.txt"):
            with self.subTest(name):
                view = array.View(list(range(400)), "int16")._with(self.layout(text))
                self.assertEqual(view.transpose().is_canonical, is_reversed == "yes")
                low, high = ctypes.c_int64(), ctypes.c_int64()
                has_some = _arrays.C.ddr_layout_span(view._c.layout, low, high)
                self.assertEqual(str(low.value) if has_some else "-", least)
                found = _arrays.C.ddr_layout_collapse(view._c.layout)
                shape, strides = (ints(part.strip()) for part in collapsed.split(";"))
                self.assertEqual(list(found.len[:found.rank]), shape)
                self.assertEqual(list(found.stride[:found.rank]), strides)

    def test_row_alignments(self):
        types, n_rows = {1: "uint8", 2: "int16", 4: "float32", 8: "float64"}, 0
        for row, align, size, chosen, padded in table("layout/row_align.txt"):
            found = array.row_align(int(row), types[int(size)], int(align))
            self.assertEqual(found, int(chosen))
            shape = (int(row) // int(size),)
            self.assertEqual(array.pitches_of(shape, int(size), (found,)), (int(padded),))
            n_rows += 1
        self.assertEqual(n_rows, 9)


# ---- transforms and convolutions ---------------------------------------------------------------


class Transforms(Case):
    def test_bessel(self):
        n_rows = 0
        for name, x, of_log, of_ratio in table("transform/bessel.txt"):
            for sign in (1, -1):
                with self.subTest(name, sign=sign):
                    view = array.View([sign * float(x)])
                    for found, want, most in (
                            (array.bessel_log_0(view).item(), float.fromhex(of_log), 4),
                            (array.bessel_1_0(view).item(), sign * float.fromhex(of_ratio), 4)):
                        self.assertLessEqual(abs(found - want), most * math.ulp(want))
                    single = view.cast("float32")
                    x_of_it = single.item()
                    if x_of_it == sign * float(x):
                        found = array.bessel_log_0(single).item()
                        want = float.fromhex(of_log)
                        self.assertLessEqual(abs(found - want), 2**-23 * abs(want))
            n_rows += 1
        self.assertGreater(n_rows, 15)


class Grids(Case):
    """Fields of the cubic B-spline on grids: correlations whose results lie apart."""

    DATA = [0.0, 0, 48, 0, 0, 96, 0, 0]

    def test_sampled_grids(self):
        weights = {}
        for kind, *rest in table("conv/grids.txt"):
            if kind == "weights":
                weights[rest[0], Fraction(rest[1])] = [float(Fraction(w)) for w in rest[2].split()]
                continue
            order, start, step, values = rest
            start, step = Fraction(start), Fraction(step)
            want = [float(value) for value in values.split()]
            out = array.full((len(want),), -1, "float64")
            for m in range(step.denominator):  # a pass for each fraction
                at = start + m * step
                first = math.floor(at)
                taps = weights[order, at - first]
                task = array.Convolution(taps, correlate=True, start=[first], origins=([-1], None),
                                         decimation=[step.numerator],
                                         shape=[-(-(len(want) - m) // step.denominator)])
                task(self.DATA, out=out[m::step.denominator])
            for found, value in zip(out.tolist(), want):
                self.assertAlmostEqual(found, value, delta=1e-12)
        self.assertEqual(len(weights), 4)


# ---- which mode of a convolution is cheaper ------------------------------------------------------


class Modes(Case):
    def test_cheaper_modes(self):
        """Which one auto is; executed, because a task says so only then."""
        if not _arrays.C.ddr_conv_has_fft():
            self.skipTest("there are no Fourier transforms")
        names = {"float": "float32", "double": "float64", "cfloat": "complex64",
                 "cdouble": "complex128"}
        n_rows = 0
        for x, y, z, kinds, _, _, _, mode in table("conv/cheaper_mode.txt"):
            kind, _, precision = kinds.partition(" ")
            given = {"precision": precision} if precision else {}
            with self.subTest(x=x, y=y, kinds=kinds):
                views = [array.full(ints(shape), 1, names[kind]) for shape in (x, y)]
                task = array.Convolution(views[0], mode="auto", shape=ints(z), **given)
                task(views[1])
                self.assertEqual(task.mode, mode)
                n_rows += 1
        self.assertGreater(n_rows, 15)


if __name__ == "__main__":
    main()
