"""diderot.array: what its functions take as arguments, and refuse without having written anything."""

import array as plain
import gc
import inspect
import itertools

from common import Case, needs_numpy, numpy, main  # which finds the package
from diderot import Error, _hints, array


# ---- numbers ----------------------------------------------------------------------------------


class Numbers(Case):
    def test_none_is_cut_to_what_c_holds(self):
        view = array.View([[1, 2, 3], [4, 5, 6]])
        self.refused("EINDEX", view.fix, 0, 2**32)
        self.refused("EINDEX", view.fix, 0, 2**70)
        self.refused("EINDEX", lambda: view[2**64 + 1])
        self.refused("EDIM", view.fix, 2**32, 0)
        self.refused("EDIM", view.flip, 2**64)
        self.refused("ERANK", view.permute, 2**32 + 1, 0)
        self.refused("ERANGE", view.slice, 1, 2**64, 2)
        self.refused("EOVERFLOW", view.repeat, 0, 2**64 + 3)
        self.refused("EDIM", array.sum, view, axis=2**32)
        self.refused("EDIM", array.sum, view, axis=(0, 2**64 + 1))
        self.refused("EOVERFLOW", array.pitches_of, (2, 3), 2**64)
        self.refused("EOVERFLOW", array.decimate, [1.0, 2, 3], [2**64 + 1])
        self.refused("ERANGE", array.prefilter, [1.0, 2, 3], 2**32 + 3)
        self.refused("ETYPE", view.cast, 2**32)
        self.assertEqual(view.step(1, 2**70).tolist(), [[1], [4]])  # as with lists
        self.assertEqual(view.step(1, -2**70).tolist(), [[3], [6]])
        self.assertEqual(array.sum(view, threads=2**40), 21)

    def test_ranges_are_lists(self):
        view = array.View([range(3), range(9, 3, -2)])
        self.assertEqual((view.type, view.tolist()), ("int64", [[0, 1, 2], [9, 7, 5]]))
        self.assertEqual(array.sum(range(5)), 10)
        self.assertEqual(array.View(range(0)).shape, (0,))
        self.refused("ETYPE", array.neg, view, out=range(3))
        self.refused("ESHAPE", array.View, [range(3), range(2)])
        for too_long in (range(2**70), [range(2**70)], [range(3), range(2**70)]):
            with self.assertRaisesRegex(Error, r"range\(0, 1180591620717411303424\) is too long"):
                array.View(too_long)

    def test_none_is_rounded(self):
        view = array.View([1, 2, 3])
        for call in (lambda: view.fix(0, 1.0), lambda: array.zeros((2.5, 3)),
                     lambda: array.pitches_of((5.5, 5), 1), lambda: array.sum(view, axis=0.0),
                     lambda: array.sum(view, axis=[0.0]), lambda: view[True]):
            with self.assertRaises(TypeError):
                call()

    def test_of_views_as_of_lists(self):
        """Views alone, with numbers, into a view, take a shorter way to the library."""
        x, y = [[1.0, -2.5], [4.0, 0.5]], [[2.0, 3.0], [-1.0, 0.25]]
        for name in ("add", "sub", "mul", "div", "cwise_max", "cwise_min", "eq", "lt", "ge"):
            function = getattr(array, name)
            for other in (y, 3, 2.5, True):
                want = function(x, other)
                out = array.zeros((2, 2), want.type)
                its = other if other is not y else array.View(y)
                self.assertIs(function(array.View(x), its, out=out), out)
                self.assertEqual(out.tolist(), want.tolist(), name)
        for call in (lambda v, **out: array.clip(v, -1, 2.5, **out), array.sqrt, array.sign,
                     lambda v, **out: array.maximum(v, 1, **out)):
            out = array.zeros((2, 2), "float64")
            self.assertIs(call(array.View(y).step(0, -1), out=out), out)
            self.assertEqual(str(out.tolist()), str(call(y[::-1]).tolist()))

    def test_of_views_refused(self):
        """... and what is refused there, or wants a cast, goes the longer one."""
        x, whole = array.View([1.0, 2, 3]), array.View([1, 2, 3])
        out = array.full(3, 7.0, "float64")
        self.refused("ESHAPE", array.add, x, array.View([1.0, 2]), out=out)
        self.refused("ERANGE", array.clip, x, 2, 1, out=out)
        self.refused("EOVERFLOW", array.mul, whole, 2**64, out=out)
        constant = array.View(b"ab")
        for other in (array.View(bytearray(b"\1\1")), 1):
            self.refused("EALIAS", array.add, constant, other, out=constant)
        self.assertEqual(constant.tolist(), [97, 98])
        self.refused("ETYPE", array.add, x, 1j, out=out)
        self.refused("EDIV0", array.div, whole, 0, out=array.View([9, 9, 9]))
        self.assertEqual(out.tolist(), [7, 7, 7])
        array.add(whole, whole, out=out)
        self.assertEqual(out.tolist(), [2, 4, 6])
        array.add(out, 1, out=out.flip(0))
        self.assertEqual(out.tolist(), [7, 5, 3])
        self.refused("ETYPE", array.mean, array.View([1j]))

    @needs_numpy
    def test_of_numpy(self):
        """A number of numpy shows memory that is gone at once, so it is copied, in its type."""
        for kind in "?bBhHiIqQfdFD":
            views = [array.View(numpy.dtype(kind).type(k)) for k in (0, 1, 0, 1)]
            self.assertEqual([view.item() for view in views], [0, 1, 0, 1])
            self.assertEqual(views[0].type, numpy.dtype(kind).name)
        self.assertEqual(array.sum(numpy.float32(3.25)), 3.25)
        self.refused("ETYPE", array.View, numpy.float16(1))
        self.refused("ETYPE", array.View, numpy.datetime64("2001-01-01"))

    @needs_numpy
    def test_arrays_without_axes(self):
        two, half = numpy.array(2, "int16"), numpy.array(0.5, "float32")
        self.assertEqual(array.mul(two, two).type, "int16")
        self.assertEqual(array.mul(two, half).tolist(), 1.0)
        for x, y in ((two, half), (array.View(two), half), (half, array.View(two))):
            self.assertEqual(array.add(x, y).type, "float32")
        self.assertEqual(array.add([1, 2], half).type, "float64")
        out = numpy.array(0.0)
        self.assertIs(array.add(half, half, out=out), out)
        self.assertEqual(out, 1.0)
        self.assertEqual(array.add([1.0, 2.0], half).tolist(), [1.5, 2.5])
        self.refused("ESHAPE", array.add, numpy.float64(1), 2)
        axes = numpy.array([0, 1])
        self.assertEqual(array.sum([[1, 2], [3, 4]], axis=axes).item(), 10)


# ---- habits of numpy --------------------------------------------------------------------------


class Habits(Case):
    def test_one_extent_is_what_the_others_leave(self):
        view = array.View([[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]])
        self.assertEqual(view.reshape(-1, 3).tolist(), [[1, 2, 3], [4, 5, 6], [7, 8, 9],
                                                        [10, 11, 12]])
        self.assertEqual(view.reshape(-1).shape, (12,))
        self.assertEqual(view.reshape((2, -1, 3)).shape, (2, 2, 3))
        with self.assertRaisesRegex(Error, r"reshape\(-1, 5\) of 12 elements"):
            view.reshape(-1, 5)
        self.refused("EDIM", view.reshape, -1, -1)
        self.refused("EDIM", view.reshape, -1, 0)
        self.refused("EDIM", view.reshape, -2, 6)
        self.refused("ESHAPE", view.transpose().reshape, -1)  # which would need a copy

    def test_short_names_of_types(self):
        for name, expected in (("b1", "bool"), ("u1", "uint8"), ("i8", "int64"), ("f4", "float32"),
                               ("c16", "complex128")):
            self.assertEqual(array.zeros((1,), name).type, expected)
        self.refused("ETYPE", array.zeros, (1,), "f2")
        self.refused("ETYPE", array.zeros, (1,), "b8")

    def test_names_of_numpy(self):
        for name, own in (("max", "max_element"), ("abs", "cwise_abs"), ("prod", "product")):
            with self.assertRaisesRegex(AttributeError, "no attribute '%s'; it is %s here$" % (name, own)):
                getattr(array, name)
            self.assertTrue(hasattr(array, own))
        with self.assertRaisesRegex(AttributeError, "has no attribute 'sinc'$"):
            getattr(array, "sinc")
        for own in " ".join(_hints._NAMES.values()).split():  # pylint: disable=protected-access
            if own.isidentifier() and own not in ("or", "of", "an", "operation", "here"):
                self.assertTrue(hasattr(array, own), own)

    def test_what_was_reduced_is_named(self):
        image = array.zeros((2, 3, 4))
        for mask in (array.zeros((3, 4), "bool"), array.zeros((2, 4, 3), "bool"),
                     array.zeros((2, 1, 12), "bool"), array.zeros((2, 12), "bool")):
            what = r"sum of <View of 2 x 3 x 4, float32> along \(1, 2\) where %r: the shapes" % mask
            with self.assertRaisesRegex(Error, what):
                array.sum(image, axis=(1, 2), where=mask)
        with self.assertRaisesRegex(Error, "sum of <View of 2 x 3 x 4, float32> along 3: there is no"):
            array.sum(image, axis=3)
        with self.assertRaisesRegex(Error, "mean of .* where <View of 2 x 3 x 4, float32>: the element"):
            array.mean(image, where=image)

    def test_one_number_for_all_axes(self):
        image = [[1.0, 2, 3, 4], [5, 6, 7, 8]]
        for one, each in (({"decimation": 2}, {"decimation": (2, 2)}), ({"start": 1}, {"start": [1, 1]}),
                          ({"shape": 2}, {"shape": [2, 2]}), ({"origins": (1, None)},
                                                              {"origins": ([1, 1], [0, 0])})):
            results = [array.Convolution([[1, 2], [3, 4]], **more)(image) for more in (one, each)]
            self.assertEqual(results[0].tolist(), results[1].tolist())
        self.assertEqual(array.decimate(image, 2).tolist(), array.decimate(image, (2, 2)).tolist())
        with self.assertRaisesRegex(TypeError, "shape 'same', expected a number for each axis"):
            array.Convolution([1, 2, 1], shape="same")([1.0, 2, 3])
        self.refused("EDECIMATION", array.Convolution([1, 2, 1], decimation=0), [1.0, 2, 3])

    @needs_numpy
    def test_arrays_of_a_number_for_each_axis(self):
        image, two = numpy.arange(16.0).reshape(4, 4), numpy.array([2, 2])
        expected = array.decimate(image, (2, 2)).tolist()
        self.assertEqual(array.decimate(image, two).tolist(), expected)
        self.assertEqual(array.decimate(image, numpy.int64(2)).tolist(), expected)
        for option in ("decimation", "start", "shape"):
            results = [array.Convolution([[1, 2], [3, 4]], **{option: each})(image)
                       for each in (two, (2, 2), numpy.int32(2))]
            self.assertEqual(*(one.tolist() for one in results[:2]))
            self.assertEqual(*(one.tolist() for one in results[1:]))

    @needs_numpy
    def test_masked_elements_are_not_shown_silently(self):
        masked = numpy.ma.masked_array([1.0, 2, 3], [False, True, False])
        with self.assertRaisesRegex(Error, "found a masked array: its filled"):
            array.sum(masked)
        self.assertEqual(array.sum(masked.filled(0)), 4)
        self.assertEqual(array.sum(masked.data, where=~masked.mask), 4)
        self.assertEqual(array.sum(numpy.ma.masked_array([1.0, 2, 3])), 6)


# ---- memory -----------------------------------------------------------------------------------


class Shown:
    """An image as some libraries show theirs: in an object of its own, which is made when asked for."""

    def __init__(self, numbers, extents, **more):
        self.numbers, self.extents, self.more = numbers, extents, more

    @property
    def __array_interface__(self):
        data = plain.array("B", self.numbers)
        return dict({"version": 3, "typestr": "|u1", "shape": self.extents,
                     "data": data.tobytes()}, **self.more)


class Memory(Case):
    def test_data_of_an_interface_may_be_an_object(self):
        view = array.View(Shown(range(6), (2, 3)))
        others = [array.View(Shown([k] * 6, (2, 3))) for k in range(50)]
        gc.collect()
        self.assertEqual(view.tolist(), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(others[7].tolist(), [[7] * 3] * 2)
        self.refused("EALIAS", view.assign, 0)
        view = array.View(Shown(range(6), (2,), strides=(3,), offset=1))
        self.assertEqual(view.tolist(), [1, 4])
        for bad in ({"shape": (7,)}, {"shape": (6,), "offset": 1}, {"offset": -1}, {"data": None},
                    {"shape": (2,), "strides": (-1,)}, {"data": memoryview(bytes(12))[::-2]},
                    {"data": 5}):
            self.refused("ELENGTH", array.View, Shown(range(6), (6,), **bad))
        self.assertEqual(array.View(Shown([], (0, 3))).shape, (0, 3))
        writable = bytearray(range(4))
        array.View(Shown([], (4,), data=writable)).assign(9)
        self.assertEqual(bytes(writable), b"\t\t\t\t")

    def test_outputs_are_no_copies(self):
        for out in ([0, 0, 0], (0, 0, 0), 5, [[0]]):
            self.refused("ETYPE", array.add, [1, 2, 3], 1, out=out)
            self.refused("ETYPE", array.sum, [1, 2, 3], out=out)
            self.refused("ETYPE", array.fill, out, 1)
            self.refused("ETYPE", array.Convolution([1.0]), [1.0, 2], out=out)
            self.refused("ETYPE", array.Convolution([1.0]).bind, out=out)
            self.refused("ETYPE", array.decimate, [1.0, 2], [2], out=out)
            self.refused("ETYPE", array.prefilter, [1.0, 2], 3, out=out)

    def test_one_bool_as_a_mask(self):
        x, out = array.View([[1, 2], [3, 4]]), array.full((2, 2), -1, "int64")
        self.assertEqual(array.add(x, 1, where=True).tolist(), [[2, 3], [4, 5]])
        self.assertEqual(array.add(x, 1, where=False).tolist(), [[0, 0], [0, 0]])
        array.add(x, 1, out=out, where=False)
        self.assertEqual(out.tolist(), [[-1, -1], [-1, -1]])
        self.assertEqual(array.sum(x, where=True), 10)
        self.assertEqual(array.sum(x, axis=0, where=False).tolist(), [0, 0])
        self.assertEqual(array.fill(out, 7, where=True).tolist(), [[7, 7], [7, 7]])
        self.refused("ETYPE", array.sum, x, where=1)
        self.refused("ETYPE", array.add, x, 1, where=0.5)


# ---- every function ---------------------------------------------------------------------------


class EveryFunction(Case):
    """Each argument in turn is something that no function takes there."""

    BAD = [None, "a", b"ab", object(), {}, [1, [2]], [None], ["a"], float("nan"), 2**70, -1, 1.5,
           2j, [1.0] * 5, (0, 0), ..., slice(1), int]
    GOOD = {"x": [1.0, 2, 3, 4], "y": [1.0, 2, 3, 4], "a": 1.0, "b": 2.0, "low": 1, "high": 2,
            "number": 1, "shape": (4,), "value": 1, "begin": [0], "end": [4], "factors": [1],
            "degree": 3, "data": bytearray(64), "row": 100}
    OF_BOOLS = ("all", "any", "count", "not_", "and_", "or_")

    def arguments(self, name):
        """What the function takes, and an output that it could write."""
        parameters = inspect.signature(getattr(array, name)).parameters
        given = dict(self.GOOD, type="uint8" if name in ("pitched", "pitches_of") else "float64")
        if name in self.OF_BOOLS:
            given["x"] = given["y"] = [True, False, True, True]
        out = array.full((4,), 7, "float64")
        if name in ("not_", "and_", "or_", "eq", "ne", "lt", "le", "gt", "ge"):
            out = array.full((4,), True)
        elif "axis" in parameters:
            out = array.full((), 1, {"l0": "int64", "count": "int64", "all": "bool",
                                     "any": "bool"}.get(name, "float64"))
        given["out"] = out
        return {name: given[name] for name in parameters if name in given}, out

    def call(self, function, given, out):
        """Nothing but these errors, and nothing is written then."""
        before = out.tolist()
        try:
            function(**given)
        except (array.ArrayError, TypeError, ValueError):
            self.assertEqual(out.tolist(), before, given)
            return 1
        return 0

    def test_bad_arguments(self):
        n_refused = n_calls = 0
        for name in array.__all__:
            function = getattr(array, name)
            if isinstance(function, type) or name in ("use_device", "devices"):
                continue
            names = list(inspect.signature(function).parameters)
            function(**self.arguments(name)[0])  # which is good
            for bad, argument in itertools.product(self.BAD, names):
                given, out = self.arguments(name)
                given[argument] = bad
                n_refused += self.call(function, given, out)
                n_calls += 1
        self.assertGreater(n_refused, n_calls // 2)
        print("%d of %d calls were refused" % (n_refused, n_calls))

    def test_bad_settings_of_convolutions(self):
        n_refused = 0
        names = [name for name in inspect.signature(array.Convolution).parameters]
        for bad, argument in itertools.product(self.BAD, names):
            given = {"kernel": [1.0, 2]}
            given[argument] = bad
            out = array.full((5,), 7, "float64")
            try:
                array.Convolution(**given)([1.0, 2, 3, 4], out=out)
            except (array.ArrayError, TypeError, ValueError):
                self.assertEqual(out.tolist(), [7] * 5, given)
                n_refused += 1
        self.assertGreater(n_refused, 100)

    def test_bad_arguments_of_views(self):
        for name in ("fix", "slice", "permute", "flip", "step", "repeat", "reshape", "mask", "cast",
                     "to", "assign"):
            for bad in self.BAD:
                view = array.full((4,), 7, "float64")
                method = getattr(view, name)
                names = [name for name, parameter in inspect.signature(method).parameters.items()
                         if parameter.kind is not inspect.Parameter.VAR_POSITIONAL]
                for argument in names:
                    given = {"axis": 0, "where": 0, "begin": 0, "end": 1, "step": 1, "times": 1}
                    given = {key: value for key, value in given.items() if key in names}
                    self.call(method, dict(given, **{argument: bad}), view)
                if not names:
                    try:
                        method(bad)
                    except (array.ArrayError, TypeError, ValueError):
                        pass


if __name__ == "__main__":
    main()
