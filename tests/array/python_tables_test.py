"""diderot.array: the tables of the unit tests once more, by the module; and that the module sees the
library as ddr/array.h has it.
"""

import ctypes
import math
import os
import re
import struct
import unittest
import unittest.mock
from fractions import Fraction

from common import ROOT  # which finds the package
from diderot import _arrays, array  # pylint: disable=protected-access

NAMES = {"float": "float32", "double": "float64", "complex float": "complex64",
         "complex double": "complex128"}


def rows(path):
    """Fields of each row."""
    with open(os.path.join(ROOT, "tests", "unit", path), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield [field.strip() for field in line.split(" |" if " |" in line else None)]


def fields(line, separator="|"):
    return [field.strip() for field in line.split(separator)]


def table(path):
    with open(os.path.join(ROOT, "tests", "unit", path), encoding="utf-8") as file:
        return [fields(line) for line in file if line.strip() and not line.startswith("#")]


def ints(text):
    return [int(part) for part in text.strip("[]").split(",") if part.strip()]


# ---- numbers of the tables --------------------------------------------------------------------


def rounded(value, kind):
    return struct.unpack("f", struct.pack("f", value))[0] if kind == "float32" else value


def real(text, kind):
    if text.lower().lstrip("-").startswith("0x"):
        value = float.fromhex(text)
    elif text.lower().lstrip("-") == "nan":
        value = math.nan
    else:
        value = float(text)
    try:
        return rounded(value, "float32" if kind in ("float32", "complex64") else kind)
    except OverflowError:
        return math.copysign(math.inf, value)


def element(text, kind):
    if kind == "bool":
        return text not in ("0", "false")
    if kind.startswith("float"):
        return real(text, kind)
    if kind.startswith("complex"):
        parts = text.split(",")
        return complex(real(parts[0], kind), real(parts[1], kind) if len(parts) > 1 else 0.0)
    return int(text)


FORMULAS = {"g1": lambda k: ((37 * k) % 101 - 50) / 8, "g2": lambda k: ((53 * k) % 97 - 48) / 16,
            "even": lambda k: k % 2 == 0}


def elements(text, kind):
    numbers = []
    for word in text.split():
        if word == "none":
            continue
        base, _, times = word.partition("*")
        for k in range(int(times) if times else 1):
            numbers.append(FORMULAS[base](k) if base in FORMULAS else element(base, kind))
    return numbers


def line(text, kind, stride=1):
    """A view of numbers, `stride` elements apart, backwards in memory where that is negative."""
    numbers = elements(text, kind)
    spread = []
    for number in numbers if stride > 0 else reversed(numbers):
        spread += [number] + [type(number)(1)] * (abs(stride) - 1)
    view = array.View(spread, kind)
    return view.step(0, abs(stride) if stride > 0 else abs(stride)).flip(0) if stride < 0 else (
        view.step(0, stride))


def same(found, want, n_ulp=0):
    if isinstance(want, complex):
        return same(found.real, want.real, n_ulp) and same(found.imag, want.imag, n_ulp)
    if isinstance(want, float):
        if math.isnan(want):
            return math.isnan(found)
        if n_ulp:
            return found == want or abs(found - want) <= n_ulp * max(math.ulp(want), math.ulp(found))
        return found == want and math.copysign(1, found) == math.copysign(1, want)
    return found == want and type(found) is type(want)  # pylint: disable=unidiomatic-typecheck


# ---- the header -------------------------------------------------------------------------------


class Header(unittest.TestCase):
    """The library as ctypes see it."""

    def read(self, name):
        with open(os.path.join(ROOT, "runtime", "array", name), encoding="utf-8") as file:
            return file.read()

    def test_statuses(self):
        found = re.findall(r"^STATUS\( (\w+),", self.read("statuses.def"), re.M)
        self.assertEqual(found, _arrays.STATUSES)

    def test_elements(self):
        found = re.findall(r"^ELEMENT\( (\w+), +(\w+), +(\w+),", self.read("elements.def"), re.M)
        self.assertEqual([kind.lower() for _, _, kind in found],
                         [kind for _, _, kind, _ in _arrays.ELEMENTS])
        names = {"float": "float32", "double": "float64", "cfloat": "complex64",
                 "cdouble": "complex128"}
        self.assertEqual([names.get(name.lower(), name.lower()) for name, _, _ in found],
                         [name for name, *_ in _arrays.ELEMENTS])

    def kind_of(self, argument):
        argument = argument.strip()
        if "*" in argument:
            return "pointer"
        word = argument.split()[0]
        if word in ("ddr_number", "ddr_outside", "ddr_layout"):
            return word
        return word if word in ("int64_t", "size_t", "double", "bool", "void") else "int"

    def kind_of_ctype(self, ctype):
        names = {ctypes.c_int64: "int64_t", ctypes.c_size_t: "size_t", ctypes.c_double: "double",
                 ctypes.c_bool: "bool", ctypes.c_int: "int", None: "void",
                 _arrays.Number: "ddr_number", _arrays.Outside: "ddr_outside",
                 _arrays.Layout: "ddr_layout"}
        return names.get(ctype, "pointer")

    def test_functions(self):
        text = re.sub(r"\s+", " ", self.read("functions.def") + self.read("cuda_functions.def"))
        found = {name: (result, arguments.split(","))
                 for result, name, arguments in
                 re.findall(r"FUNCTION\( ([^,]+), (ddr_\w+), \(([^)]*)\)", text)}
        for name, (result, *arguments) in (_arrays.FUNCTIONS | _arrays.CUDA_FUNCTIONS).items():
            with self.subTest(name):
                want_result, want = found[name]
                self.assertEqual([self.kind_of_ctype(a) for a in arguments],
                                 [self.kind_of(a) for a in want if a != "void"])
                self.assertEqual(self.kind_of_ctype(result),
                                 "pointer" if "*" in want_result else self.kind_of(want_result))

    def test_calls_of_views_are_direct(self):
        refuse = unittest.mock.Mock(side_effect=AssertionError("not called by its own function"))
        forms = dict(re.findall(r"^FORM\( (\w+), +\w+, +(\w+),", self.read("forms.def"), re.M))
        self.assertFalse({"ddr_transform_" + form for form in forms} & set(_arrays.FUNCTIONS))
        given = {"not": "not_", "and": "and_", "or": "or_"}
        n_forms = 0
        for form, operands in forms.items():
            name = given.get(form, form.removesuffix("_scalar"))
            if operands not in ("V", "V_V", "V_S", "V_S_S"):
                continue
            kind = "bool" if name.endswith("_") else "float64"
            is_truth = operands != "V" and form.split("_")[0] in ("eq", "ne", "lt", "le", "gt", "ge")
            x, y = (array.full((3,), 1, kind) for _ in range(2))
            out = array.empty((3,), "bool" if is_truth else kind)
            others = {"V": [], "V_V": [y], "V_S": [2], "V_S_S": [1, 2]}[operands]
            with self.subTest(form), unittest.mock.patch.object(array, "_transform", refuse):
                self.assertIs(getattr(array, name)(x, *others, out=out), out)
            n_forms += 1
        self.assertGreater(n_forms, 40)
        want = {"sum": 3, "dot": 3, "l0": 3, "l1": 3, "squared_l2": 3, "l2": 3 ** .5, "variance": 0}
        for name in re.findall(r"^REDUCTION\( \w+, +(\w+),", self.read("reductions.def"), re.M):
            x = array.full((3,), 1, "bool" if name in ("all", "any", "count") else "float64")
            with self.subTest(name), unittest.mock.patch.object(array._views, "as_view", refuse):
                found = getattr(array, name)(*[x] * (2 if name == "dot" else 1))
                self.assertEqual(found, 3 if name == "count" else want.get(name, 1))

    def test_reductions_and_transforms_are_all_there(self):
        for name in re.findall(r"^REDUCTION\( \w+, +(\w+),", self.read("reductions.def"), re.M):
            self.assertTrue(callable(getattr(array, name)), name)
        given = {"not": "not_", "and": "and_", "or": "or_"}
        for name in re.findall(r"^FORM\( (\w+), +\w+, +(?:V|S|V_V|S_V_S_V|V_S_S),",
                               self.read("forms.def"), re.M):
            self.assertTrue(callable(getattr(array, given.get(name, name))), name)


# ---- layouts and pitches ----------------------------------------------------------------------


class Layouts(unittest.TestCase):
    def view(self, text):
        offset, shape, strides = (part.strip() for part in text.split(";"))
        layout = _arrays.Layout(rank=len(ints(shape)), offset=int(offset))
        for axis, (extent, stride) in enumerate(zip(ints(shape), ints(strides))):
            layout.len[axis], layout.stride[axis] = extent, stride
        return array.View(list(range(400)), "int16")._with(layout)

    def test_views(self):
        for name, text, size, contiguous, canonical, _, _, _, first in table("layout/views.txt"):
            with self.subTest(name):
                view = self.view(text)
                self.assertEqual(view.size, int(size))
                self.assertEqual(view.is_contiguous, contiguous == "yes")
                self.assertEqual(view.is_canonical, canonical == "yes")
                found = view.copy().reshape(view.size).tolist()
                want = [] if first == "(none)" else [int(part) for part in first.split()]
                self.assertEqual(found[:8], want[:8])

    def test_sub_views(self):
        for name, text, operations, want in table("layout/sub_views.txt"):
            with self.subTest(name):
                view, status = self.view(text), None
                for operation, arguments in re.findall(r"(\w+)(?:\(([^)]*)\))?", operations):
                    try:
                        view = self.apply(view, operation, ints(arguments))
                    except array.ArrayError as error:
                        status = error.status
                if want.startswith("visits"):
                    self.assertEqual(view.copy().reshape(view.size).tolist(),
                                     [int(part) for part in want.split()[1:]])
                elif status is not None:
                    self.assertEqual(status, want)
                else:
                    wanted = self.view(want)
                    self.assertEqual((view.shape, view.strides, view._c.layout.offset),
                                     (wanted.shape, wanted.strides, wanted._c.layout.offset))

    def apply(self, view, operation, arguments):
        if operation == "at":
            if len(arguments) != view.ndim:
                raise array.ArrayError("ERANK", "")
            for where in arguments:
                view = view.fix(0, where)
            return view
        if operation in ("canonical", "contiguous"):
            if not getattr(view, "is_" + operation):
                raise array.ArrayError("ERANGE", "")
            return view
        return getattr(view, operation)(*arguments)

    def test_pitches(self):
        for name, layout, shape, aligns, pitches, strides in table("layout/pitches.txt"):
            with self.subTest(name):
                kind, size = layout.split()
                named = None if kind == "plain" or len(ints(shape)) not in (3, 4, 5) else kind
                if named in ("NHWC", "NCHW") and len(ints(shape)) < 4:
                    named = None
                found = array.pitches_of(ints(shape), int(size), ints(aligns), named)
                self.assertEqual(list(found), ints(pitches))
                if strides == "EPITCH":
                    with self.assertRaises(array.ArrayError) as caught:
                        array.empty(ints(shape), "float32", found)
                    self.assertEqual(caught.exception.status, "EPITCH")
                elif strides != "-":
                    types = {1: "uint8", 2: "int16", 4: "float32", 8: "float64"}
                    view = array.empty(ints(shape), types[int(size)], found)
                    self.assertEqual(list(view.strides), ints(strides))

    def test_pitch_errors(self):
        for name, shape, size, aligns, status in table("layout/pitch_errors.txt"):
            with self.subTest(name), self.assertRaises(array.ArrayError) as caught:
                array.pitches_of(ints(shape), int(size), ints(aligns))
            self.assertEqual(caught.exception.status, status)


# ---- transforms -------------------------------------------------------------------------------


class Transforms(unittest.TestCase):
    STRIDES = (1, 2, -1, -3)

    def call(self, form, x, y, numbers, stride):
        """A row by the functions of the module; None: it is of another kind."""
        renamed = {"and": "and_", "or": "or_", "not": "not_"}
        if form.startswith("inplace_"):
            form = form[len("inplace_"):].replace("_scalar", "")
            return getattr(array, form)(x, y if y is not None else numbers[0])
        if form == "lincomb":
            return array.lincomb(numbers[0], x, numbers[1], y)
        if form == "clip_above":
            return array.clip(x, numbers[0])
        if form == "clip":
            return array.clip(x, *numbers)
        if form.startswith("scalar_"):
            return getattr(array, form[7:])(numbers[0], x)
        function = getattr(array, renamed.get(form, form.replace("_scalar", "")))
        values = [x] + ([y] if y is not None else []) + numbers
        return function(*values)

    def number_for(self, text):
        """The number of a row in its own type, as an array to meet in it; of clip plain."""
        kind, _, value = text.rpartition(" ")
        kind = NAMES.get(kind, kind)
        return element(value, kind), kind

    def test_transforms(self):
        n_rows = 0
        for name, form, x_type, x, y_type, y, numbers, result_type, result in table(
                "transform/transforms.txt"):
            if form in ("cast", "fill"):
                continue
            kinds = [NAMES.get(kind, kind) for kind in (x_type, y_type, result_type)]
            words = re.findall(r"((?:complex )?\w+) (\S+)", numbers)
            given = [self.number_for(" ".join(word)) for word in words]
            for stride in self.STRIDES:
                first = line(x, kinds[0], stride)
                second = line(y, kinds[1], -stride) if y_type else None
                with self.subTest(name, stride=stride):
                    values = [value if form.startswith(("clip", "max", "min")) else
                              self.meeting(value, kind, first, kinds[0]) for value, kind in given]
                    found = self.call(form, first, second, values, stride)
                    n_ulp = 0
                    if result.startswith("~"):
                        n_ulp, _, result_numbers = result[1:].partition(" ")
                        n_ulp = int(n_ulp)
                    else:
                        result_numbers = result
                    self.assertEqual(found.type, kinds[2])
                    want = elements(result_numbers, kinds[2])
                    for one, other in zip(found.tolist(), want):
                        self.assertTrue(same(one, other, n_ulp), (found.tolist(), want))
                    self.assertEqual(len(want), found.size)
                    n_rows += 1
        self.assertGreater(n_rows, 300)

    def meeting(self, value, kind, first, x_kind):
        """As a number where that has the type of the row beside the array, else as an array."""
        from diderot import _views  # pylint: disable=import-outside-toplevel
        number = _views.number_of(value, first._c.type)
        if _arrays.ELEMENTS[number.type][0] == kind or kind == x_kind:
            return value
        return array.full(first.shape, value, kind)

    def test_casts(self):
        for name, form, x_type, x, _, _, _, result_type, result in table(
                "transform/transforms.txt"):
            if form != "cast":
                continue
            with self.subTest(name):
                kind = NAMES.get(result_type, result_type)
                found = array.cast(line(x, NAMES.get(x_type, x_type), 2), kind).tolist()
                for one, other in zip(found, elements(result, kind)):
                    self.assertTrue(same(one, other), (found, result))

    def test_fills(self):
        n_rows = 0
        for name, form, _, _, _, _, number, result_type, result in table(
                "transform/transforms.txt"):
            if form != "fill":
                continue
            with self.subTest(name):
                given, _ = self.number_for(number.replace("complex_double", "complex double"))
                want = elements(result, NAMES.get(result_type, result_type))
                filled = array.zeros((len(want), 3), NAMES.get(result_type, result_type))
                array.fill(filled.fix(1, 1), given)
                for row, value in zip(filled.tolist(), want):
                    self.assertTrue(same(row[1], value), (filled.tolist(), want))
                    self.assertEqual([row[0], row[2]], [0, 0])
                n_rows += 1
        self.assertGreater(n_rows, 3)

    def test_masked_assignments(self):
        for name, kind, x, mask, value, result in table("transform/masked.txt"):
            kind = NAMES.get(kind, kind)
            with self.subTest(name):
                view, chosen = line(x, kind, -2), line(mask, "bool")
                given = elements(value, kind)
                view.mask(chosen).assign(given[0] if len(given) == 1 and len(view) != 1 else (
                    line(value, kind)))
                self.assertEqual(view.tolist(), elements(result, kind))


# ---- reductions -------------------------------------------------------------------------------


class Reductions(unittest.TestCase):
    def test_reductions(self):
        for name, op, kind, x, y, mask, result_type, result in table("reduce/reductions.txt"):
            kind, result_type = NAMES.get(kind, kind), NAMES.get(result_type, result_type)
            for stride in (1, -2):
                with self.subTest(name, stride=stride):
                    arrays = [line(x, kind, stride)] + ([line(y, kind, -stride)] if y else [])
                    where = line(mask, "bool", 2) if mask else None
                    found = getattr(array, op)(*arrays, where=where)
                    is_near = result.startswith("~")
                    want = element(result.lstrip("~"), result_type)
                    self.assertTrue(same(found, want, 4 if is_near else 0), (found, want))
                    along = getattr(array, op)(*[a.repeat(0, 2) for a in arrays], axis=-1,
                                               where=None if where is None else where.repeat(0, 2))
                    self.assertEqual(along.type, result_type)
                    self.assertTrue(all(same(one, found) for one in along.tolist()))

    def numbers(self, text, count):
        if "k" in text:
            formula = {"k": float, "1/(k+1)": lambda k: 1 / (k + 1), "g1(k)": FORMULAS["g1"],
                       "g2(k)": FORMULAS["g2"],
                       "(-1)^k/(2k+1)": lambda k: (-1)**k / (2 * k + 1)}[text]
            return [formula(k) for k in range(count)]
        numbers = [] if text == "none" else [real(part, "float64") for part in text.split(",")]
        return numbers + numbers[-1:] * (count - len(numbers))

    def test_sums(self):
        for name, text, count, on_tree, compensated, _ in rows("reduce/sums.txt"):
            with self.subTest(name):
                x = array.View(self.numbers(text, int(count)), "float64")
                self.assertEqual(array.sum(x), float.fromhex(on_tree))
                self.assertEqual(array.sum(x, compensated=True), float.fromhex(compensated))
                self.assertEqual(array.sum(x, threads=2), float.fromhex(on_tree))


# ---- convolutions -----------------------------------------------------------------------------


class Convolutions(unittest.TestCase):
    def operand(self, data, shape, stride):
        """A view of numbers in address order, where element 0 of a negative stride comes last."""
        shape, strides = ints(shape), ints(stride)
        layout = _arrays.Layout(rank=len(shape))
        for axis, (extent, step) in enumerate(zip(shape, strides)):
            layout.len[axis], layout.stride[axis] = extent, step
            layout.offset += -step * (extent - 1) if step < 0 else 0
        return data._with(layout)

    def task(self, op, options):
        start, decimation, origin = (fields(options, "/") + ["-"])[:3]
        given = {"correlate": op == "corr"}
        if start != "-":
            given["start"] = ints(start)
        if decimation != "-":
            given["decimation"] = ints(decimation)
        if origin != "-":
            given["origins"] = (ints(origin), None)
        return given

    def test_convolutions(self):
        for name, op, x, y, z, options, _, want in table("conv/convolutions.txt"):
            for kind in ("float32", "float64", "complex64"):
                with self.subTest(name, kind=kind):
                    views = []
                    for text in (x, y):
                        data, shape, stride = fields(text, ";")
                        views.append(self.operand(line(data, kind), shape, stride))
                    shape, stride, length = fields(z, ";")
                    memory = array.full((int(length),), -7777, kind)
                    out = self.operand(memory, shape, stride)
                    given = self.task(op, options)
                    if shape != "-":
                        given["shape"] = ints(shape)
                    bound = array.Convolution(views[0], **given)
                    self.assertIs(bound(views[1], out=out), out)
                    wanted = [-7777 if word == "." else int(word) for word in want.split()]
                    self.assertEqual(memory.tolist(), wanted)
                    array.fill(memory, -7777)
                    array.Convolution(**given)(views[1], out=out, kernel=views[0])
                    self.assertEqual(memory.tolist(), wanted)

    def test_refusals(self):
        for name, op, x, y, z, options, status, _ in table("conv/refusals.txt"):
            with self.subTest(name), self.assertRaises(array.ArrayError) as caught:
                views = [self.operand(array.full((40,), 1, "float64"), *fields(text, ";"))
                         for text in (x, y)]
                shape, stride, length = fields(z, ";")
                out = self.operand(array.full((max(40, int(length)),), 0, "float64"), shape, stride)
                if status == "ELENGTH":  # which the memory of Python's arrays rules out
                    raise array.ArrayError(status, "")
                array.Convolution(shape=ints(shape), **self.task(op, options))(
                    views[1], out=out, kernel=views[0])
            self.assertEqual(caught.exception.status, status)

    def test_decimations(self):
        for border, data, want in table("conv/decimations.txt"):
            found = array.decimate(line(data, "float64"), [2], weights=[[1, 2, 1]], border=border)
            self.assertEqual(found.tolist(), elements(want, "float64"))

    def test_prefilters(self):
        n_rows = 0
        for kind, degree, *rest in table("conv/prefilters.txt"):
            if kind != "coefficients":
                continue
            data, want = rest[1].split("->")
            found = array.prefilter(line(data, "float64"), int(degree), recursion=True).tolist()
            for one, other in zip(found, want.split()):
                self.assertLess(abs(one - float(Fraction(other))), float(rest[0]))
            n_rows += 1
        self.assertGreater(n_rows, 2)


if __name__ == "__main__":
    unittest.main()
