"""diderot.array: memory of others without copies, indices, outputs, masks, reductions, against
sums and numpy where that is."""

import array as plain
import ctypes
import gc
import itertools
import math
import pydoc
import random

from common import Case, needs_numpy, numpy, main  # which finds the package
from diderot import array


# ---- memory -----------------------------------------------------------------------------------


class Memory(Case):
    def test_buffers_are_not_copied(self):
        numbers = plain.array("i", range(6))
        view = array.View(numbers)
        view[2] = 77
        self.assertEqual(numbers[2], 77)
        self.assertEqual((view.type, view.shape), ("int32", (6,)))
        strided = array.View(memoryview(numbers)[::-2])
        self.assertEqual(strided.tolist(), [5, 3, 1])
        square = array.View(memoryview(bytearray(range(6))).cast("B", (2, 3)))
        self.assertEqual(square.tolist(), [[0, 1, 2], [3, 4, 5]])
        rows = (ctypes.c_float * 3 * 2)((1, 2, 3), (4, 5, 6))  # tells no strides
        array.View(rows).permute(1, 0)[2, 0] = 9
        self.assertEqual([list(row) for row in rows], [[1, 2, 9], [4, 5, 6]])
        self.assertEqual(array.View(ctypes.c_int16(-5)).tolist(), -5)

    def test_constants_are_not_written(self):
        view = array.View(b"abc")
        self.assertEqual(view.tolist(), [97, 98, 99])
        self.refused("EALIAS", view.assign, 0)
        self.refused("EALIAS", array.add, view, 1, out=view)
        self.refused("EALIAS", view.flip(0).mask([True] * 3).assign, 0)
        self.assertEqual(view.tolist(), [97, 98, 99])

    def test_lists_are_copied(self):
        self.assertEqual(array.View([[1, 2], [3, 4]]).type, "int64")
        self.assertEqual(array.View([1, 2.5]).type, "float64")
        self.assertEqual(array.View([True, False]).type, "bool")
        self.assertEqual(array.View([1, 2j]).tolist(), [1, 2j])
        self.assertEqual(array.View(3.5).shape, ())
        self.refused("ESHAPE", array.View, [[1, 2], [3]])
        self.refused("ETYPE", array.View, ["a"])
        self.refused("ETYPE", array.View, None)
        self.refused("ETYPE", array.View, [1], "float16")
        self.refused("EOVERFLOW", array.View, [1, 128], "int8")
        self.refused("EOVERFLOW", array.View, [-1], "uint64")
        self.assertRaisesRegex(array.ArrayError, "08 as int64: a number is too large for its type",
                               array.View, [2 ** 63])

    def test_memory_lives_as_long_as_its_parts(self):
        part = array.full((1000, 1000), 7, "int16")[3:5].permute(1, 0)[990:, 1]
        gc.collect()
        self.assertEqual(part.tolist(), [7] * 10)
        part = array.View(plain.array("d", [1.5] * 100000))[5:7]
        gc.collect()
        self.assertEqual(part.tolist(), [1.5, 1.5])

    def test_dlpack_leads_out_and_in(self):
        class Shown:  # nothing but DLPack
            def __init__(self, view):
                self.view = view

            def __dlpack__(self):
                return self.view.__dlpack__()

            def __dlpack_device__(self):
                return self.view.__dlpack_device__()

        for kind in ("bool", "int8", "uint16", "int64", "float32", "float64", "complex64"):
            view = array.full((3, 4), 1, kind)[::-1].permute(1, 0)
            again = array.View(Shown(view))
            self.assertEqual((again.type, again.shape, again.strides),
                             (kind, view.shape, view.strides))
            again[0, 0] = 0
            self.assertEqual(view[0, 0].item(), 0)
        capsule = view.__dlpack__()
        del capsule, again, view  # one that nobody takes
        gc.collect()
        from diderot import _dlpack  # pylint: disable=import-outside-toplevel
        self.assertEqual(len(_dlpack._lent), 0)  # pylint: disable=protected-access

    def test_dlpack_copies_where_that_is_asked_for(self):
        view = array.View([[1.0, 2.0], [3.0, 4.0]]).transpose()

        class Shown:
            def __init__(self, **options):
                self.options = options

            def __dlpack__(self):
                return view.__dlpack__(**self.options)

            def __dlpack_device__(self):
                return view.__dlpack_device__()

        for copy, is_copied in ((None, False), (False, False), (True, True)):
            taken = array.View(Shown(copy=copy, max_version=(1, 0), dl_device=(1, 0)))
            self.assertEqual(taken.tolist(), view.tolist())
            before = view.tolist()
            taken[0, 1] = taken[0, 1].item() + 1
            self.assertEqual(view.tolist() == before, is_copied)
        del taken
        gc.collect()
        from diderot import _dlpack  # pylint: disable=import-outside-toplevel
        self.assertEqual(len(_dlpack._lent), 0)  # pylint: disable=protected-access
        with self.assertRaises(BufferError):
            view.__dlpack__(dl_device=(2, 0))

    def test_memory_of_devices_is_refused(self):
        class Elsewhere:
            def __dlpack__(self):
                raise AssertionError("not asked for")

            def __dlpack_device__(self):
                return (10, 0)  # ROCm; of CUDA in python_device_test.py

        self.refused("ERESIDENCY", array.View, Elsewhere())

    @needs_numpy
    def test_numpy_goes_in_and_out_without_copies(self):
        for kind in "?bBhHiIqQfdFD":
            a = numpy.zeros((4, 5), kind)
            view = array.View(a[::2, ::-1])
            view[1, 0] = 1
            self.assertEqual(a[2, 4], 1)
            out = numpy.asarray(view)
            self.assertEqual((out.dtype, out.shape), (a.dtype, (2, 5)))
            out[0, 0] = 1
            self.assertEqual(a[0, 4], 1)
            self.assertTrue(numpy.shares_memory(out, a))
            if hasattr(numpy, "from_dlpack") and numpy.lib.NumpyVersion(numpy.__version__) >= "1.25.0":
                self.assertTrue(numpy.shares_memory(numpy.from_dlpack(view), a))
        made = numpy.asarray(array.zeros((3, 2)))
        gc.collect()
        made[:] = 5
        self.assertEqual(made.sum(), 30)
        repeated = numpy.asarray(array.View(made).repeat(0, 2))
        self.assertFalse(repeated.flags.writeable)
        self.refused("ETYPE", array.View, numpy.zeros(3, ">i4"))
        self.refused("ETYPE", array.View, numpy.zeros(3, "f2"))
        self.refused("EPITCH", array.View,
                     numpy.zeros(4, [("a", "i1"), ("b", "i4")])["b"])
        constant = numpy.zeros(3)
        constant.flags.writeable = False
        self.refused("EALIAS", array.View(constant).assign, 1)


# ---- views ------------------------------------------------------------------------------------


class Views(Case):
    KEYS = [0, -1, slice(None), slice(1, 3), slice(None, None, -1), slice(3, 0, -2),
            slice(None, None, 2), slice(2, 2), slice(9, 1), Ellipsis, None]

    def pick(self, lists, key):
        """What an index does to nested lists."""
        if not key:
            return lists
        if key[0] is None:
            return [self.pick(lists, key[1:])]
        if isinstance(key[0], slice):
            return [self.pick(part, key[1:]) for part in lists[key[0]]]
        return self.pick(lists[key[0]], key[1:])

    def test_indices(self):
        lists = [[[100 * i + 10 * j + k for k in range(4)] for j in range(3)] for i in range(5)]
        view, n_keys = array.View(lists), 0
        for key in itertools.product(self.KEYS, repeat=3):
            n_axes = sum(part is not None and part is not Ellipsis for part in key)
            if sum(part is Ellipsis for part in key) > 1:
                continue
            full_key = []
            for part in key + (() if Ellipsis in key else (Ellipsis,)):
                full_key += [slice(None)] * (3 - n_axes) if part is Ellipsis else [part]
            self.assertEqual(view[key].tolist(), self.pick(lists, full_key), key)
            n_keys += 1
        self.assertGreater(n_keys, 1000)

    def test_bad_indices(self):
        view = array.zeros((2, 3))
        self.refused("EINDEX", lambda: view[2])
        self.refused("EINDEX", lambda: view[0, -4])
        self.refused("ERANK", lambda: view[0, 0, 0])
        self.assertRaises(TypeError, lambda: view["a"])
        self.assertRaises(TypeError, lambda: view[1.0])
        self.assertRaisesRegex(TypeError, "not what is read", lambda: view[view > 1])
        self.refused("EDIM", view.flip, 2)
        self.refused("EDIM", view.fix, -3, 0)
        self.refused("ERANGE", view.slice, 0, 1, 0)
        self.refused("ERANGE", view.step, 0, 0)
        self.refused("ERANK", view.permute, 0)
        self.refused("ERANK", view.permute, 0, 0)
        self.refused("ESHAPE", view.reshape, 5)
        self.refused("ESHAPE", view.transpose().reshape, 6)
        self.refused("EDIM", view.reshape, -1, -6)
        self.refused("EOVERFLOW", view.repeat, 0, 2**62)
        self.refused("EOVERFLOW", array.empty, (2**62, 8))
        self.refused("EOVERFLOW", array.empty, (2**80,))
        self.refused("EDIM", array.empty, (-1,))
        self.refused("ERANK", array.empty, (1,) * 17)
        self.refused("ESHAPE", view.item)

    def test_assignment(self):
        view = array.full((3, 4), 1, "int32")
        view[1] = array.View([5, 6, 7, 8], "int32")
        view[:, 0] = 9
        view[2, ::2] = view[1, 1:3]
        self.assertEqual(view.tolist(), [[9, 1, 1, 1], [9, 6, 7, 8], [6, 1, 7, 1]])
        view[view > 6] = 0
        self.assertEqual(view.tolist(), [[0, 1, 1, 1], [0, 6, 0, 0], [6, 1, 0, 1]])
        line = array.View(list(range(6)))
        line[1:] = line[:-1]  # as if read before it is written
        self.assertEqual(line.tolist(), [0, 0, 1, 2, 3, 4])
        self.refused("ETYPE", line.assign, array.zeros(6))
        self.refused("ESHAPE", line.assign, array.View([1, 2]))
        self.refused("EALIAS", array.zeros(3).repeat(0, 2).assign, 1)
        self.refused("ESHAPE", line.mask([True]).assign, 0)
        self.refused("ETYPE", line.mask([1] * 6).assign, 0)

    @needs_numpy
    def test_random_parts_as_of_numpy(self):
        rng = random.Random(4)
        for _ in range(400):
            shape = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
            a = numpy.arange(math.prod(shape)).reshape(shape)
            v = array.View(a)
            for _ in range(rng.randint(1, 5)):
                axis = rng.randrange(a.ndim) if a.ndim else 0
                choice = rng.randrange(6)
                if choice == 0 and a.ndim > 1:
                    where = rng.randrange(a.shape[axis])
                    a, v = a[(slice(None),) * axis + (where,)], v.fix(axis, where)
                elif choice == 1 and a.ndim:
                    begin = rng.randint(0, a.shape[axis] - 1)
                    end = rng.randint(begin + 1, a.shape[axis])
                    a = a[(slice(None),) * axis + (slice(begin, end),)]
                    v = v.slice(axis, begin, end)
                elif choice == 2:
                    order = rng.sample(range(a.ndim), a.ndim)
                    a, v = a.transpose(order), v.permute(*order)
                elif choice == 3 and a.ndim:
                    a, v = numpy.flip(a, axis), v.flip(axis)
                elif choice == 4 and a.ndim:
                    step = rng.choice([-3, -2, -1, 1, 2, 3])
                    a = a[(slice(None),) * axis + (slice(None, None, step),)]
                    v = v.step(axis, step)
                elif choice == 5:
                    a, v = numpy.expand_dims(a, axis).repeat(2, axis), v.repeat(axis, 2)
            self.assertEqual(v.tolist(), a.tolist())
            self.assertTrue((numpy.asarray(v) == a).all())


# ---- pitches ----------------------------------------------------------------------------------


class Pitches(Case):
    def test_frames_of_video(self):
        pitches = array.pitches_of((1, 4, 6, 3), "uint8", (1, 1, 32, 4), "NHWC")
        self.assertEqual(pitches, (128, 128, 32, 4))
        buffer = bytearray(200)
        pixels = array.pitched(buffer, (1, 4, 6, 3), "uint8", pitches, "NHWC", offset=8)
        pixels[0, 2, 5, 1] = 9
        self.assertEqual(buffer[8 + 2 * 32 + 5 * 4 + 1], 9)
        pitches = array.pitches_of((3, 5, 7), "uint8", (1, 1, 16), "420SP")
        luma, chroma = array.pitched(bytearray(pitches[0]), (3, 5, 7), None, pitches, "420SP")
        self.assertEqual((luma.shape, chroma.shape), ((5, 7), (2, 3, 4)))
        self.assertEqual(chroma.strides, (1, 16, 2))

    def test_bad_pitches(self):
        self.refused("ELEN", array.pitches_of, (2, 3), "uint8", (1,))
        self.refused("EALIGN", array.pitches_of, (2, 3), "uint8", (1, 0))
        self.refused("EDIM", array.pitches_of, (0, 3), "uint8")
        self.refused("ETYPE", array.pitches_of, (2, 3), 0)
        self.refused("EOPERATION", array.pitches_of, (2, 3), 1, None, "NHCW")
        self.refused("ELEN", array.pitches_of, (2, 3), 1, None, "NHWC")
        self.refused("EDIM", array.pitches_of, (2, 3, 4), 1, None, "420SP")
        self.refused("EOVERFLOW", array.pitches_of, (2**62, 3), 8)
        self.refused("EPITCH", array.empty, (2, 3), "uint8", (6, 2))
        self.refused("ELEN", array.empty, (2, 3), "uint8", (6,))
        self.refused("ELENGTH", array.pitched, bytearray(5), (2, 3))
        self.refused("ELENGTH", array.pitched, bytearray(8), (2, 3), None, None, None, 3)
        self.refused("EPITCH", array.pitched, bytearray(80), (2, 3), None, (6, 2))
        self.refused("EPITCH", array.pitched, memoryview(bytearray(80))[::2], (2, 3))


# ---- transforms and reductions ----------------------------------------------------------------


class Transforms(Case):
    def test_outputs(self):
        x, y = array.View([1.0, 2, 3]), array.View([10.0, 20, 30])
        out = array.zeros(3, "float64")
        self.assertIs(array.add(x, y, out=out), out)
        self.assertIs(array.sub(y, x, out=(out,)), out)
        self.assertEqual(out.tolist(), [9, 18, 27])
        wide = array.zeros(3, "complex128")
        self.assertEqual(array.add(x, y, out=wide).tolist(), [11, 22, 33])
        single = array.zeros(3, "float32")
        self.assertEqual(array.mul(x, 0.5, out=single).tolist(), [0.5, 1, 1.5])
        self.refused("ETYPE", array.add, x, y, out=array.zeros(3, "int32"))
        self.refused("ESHAPE", array.add, x, y, out=array.zeros(4, "float64"))
        self.refused("ESHAPE", array.add, x, [1, 2])
        self.refused("ESHAPE", array.add, 1, 2)
        self.assertEqual(single.tolist(), [0.5, 1, 1.5])

    def test_outputs_that_overlap(self):
        line = array.View([1, 2, 3, 4, 5])
        array.add(line[:-1], line[:-1], out=line[1:])
        self.assertEqual(line.tolist(), [1, 2, 4, 6, 8])
        self.refused("EALIAS", array.add, [[1, 2]] * 2, 1, out=array.zeros(2, "int64").repeat(0, 2))

    def test_where(self):
        x = array.View([4, 9, 16, 25])
        odd = array.View([False, True, False, True])
        self.assertEqual(array.mul(x, 2, where=odd).tolist(), [0, 18, 0, 50])
        out = array.full(4, -1, "int64")
        array.mul(x, 2, out=out, where=odd)
        self.assertEqual(out.tolist(), [-1, 18, -1, 50])
        array.div(x, [1, 0, 2, 0], out=out, where=array.not_(odd))
        self.assertEqual(out.tolist(), [4, 18, 8, 50])
        self.refused("EDIV0", array.div, x, [1, 0, 2, 0])
        self.refused("ESHAPE", array.add, x, 1, where=[True])
        self.refused("ETYPE", array.add, x, 1, where=[1, 1, 1, 1])
        self.assertEqual(array.fill(out, 3, where=odd).tolist(), [4, 3, 8, 3])

    def test_casts_into_outputs(self):
        x, odd = array.View([1.9, -1.9, 300.0]), array.View([False, True, True])
        out = array.full(3, 7, "uint8")
        self.assertIs(array.cast(x, out=out), out)
        self.assertEqual(out.tolist(), [1, 0, 255])
        narrow = array.full(3, 7, "int16")
        self.assertEqual(array.cast(x, out=(narrow,), where=odd).tolist(), [7, -1, 300])
        wide = array.full(3, 7, "int64")
        self.assertEqual(array.cast(x, "int8", out=wide, where=odd).tolist(), [7, -1, 127])
        self.assertEqual(array.cast(x, "int8", where=odd).tolist(), [0, -1, 127])
        self.assertEqual(array.cast(x, out=array.zeros(3, "float32"), threads=2).tolist(),
                         x.cast("float32").tolist())
        self.refused("ETYPE", array.cast, x)
        self.refused("ETYPE", array.cast, x, out=[0, 0, 0])
        self.refused("ETYPE", array.cast, x, "int16", out)
        self.refused("ESHAPE", array.cast, x, out=array.zeros(2, "uint8"))
        self.assertEqual(out.tolist(), [1, 0, 255])

    def test_operators(self):
        x = array.View([1, 2, 3])
        self.assertEqual((2 * x - 1).tolist(), [1, 3, 5])
        self.assertEqual((12 / x).tolist(), [12, 6, 4])
        self.assertEqual((-x).tolist(), [-1, -2, -3])
        self.assertEqual(abs(-x).tolist(), [1, 2, 3])
        self.assertEqual((~(x > 1) | (x == 3)).tolist(), [True, False, True])
        x += 1
        x *= x
        self.assertEqual(x.tolist(), [4, 9, 16])
        self.assertEqual((x + 0.5).type, "float64")
        self.assertEqual((x.cast("float32") + 0.1).type, "float32")
        self.assertEqual((x.cast("int8") + 1000).tolist(), [1004, 1009, 1016])
        self.assertEqual((x.cast("uint8") - 5).tolist(), [255, 4, 11])
        self.refused("EOVERFLOW", lambda: x + 2**70)

    def test_results_do_not_depend_on_threads(self):
        x = array.View([math.sin(k) for k in range(200000)])
        self.assertEqual(array.sum(x), array.sum(x, threads=3))
        self.assertEqual(array.exp(x).tolist(), array.exp(x, threads=3).tolist())

    def test_help(self):
        for name in array.__all__:
            thing = getattr(array, name)
            self.assertTrue(thing.__doc__ and len(thing.__doc__) > 20, name)
            self.assertIn(name.split("_")[0], pydoc.render_doc(thing))

    @needs_numpy
    def test_as_numpy(self):
        rng = numpy.random.default_rng(5)
        pairs = [("add", numpy.add), ("sub", numpy.subtract), ("mul", numpy.multiply),
                 ("cwise_max", numpy.maximum), ("cwise_min", numpy.minimum), ("eq", numpy.equal),
                 ("lt", numpy.less), ("ge", numpy.greater_equal)]
        for kind in ("i1", "u1", "i2", "i4", "u4", "i8", "f4", "f8"):
            a = rng.integers(0, 100, (7, 5)).astype(kind)[::-1, ::2]
            b = rng.integers(1, 100, (3, 7)).astype(kind).T
            for name, function in pairs:
                got = numpy.asarray(getattr(array, name)(a, b))
                self.assertEqual(got.dtype, function(a, b).dtype)
                self.assertTrue((got == function(a, b)).all(), (name, kind))
                mask = rng.integers(0, 2, a.shape).astype(bool)
                out = numpy.full(a.shape, 7, got.dtype)
                want = out.copy()
                function(a, b, out=want, where=mask)
                self.assertIs(getattr(array, name)(a, b, out=out, where=mask), out)
                self.assertTrue((out == want).all())
        x = rng.uniform(0.1, 5, (6, 7))
        self.assertTrue((numpy.asarray(array.sqrt(x)) == numpy.sqrt(x)).all())
        self.assertTrue(numpy.allclose(array.log(x), numpy.log(x), rtol=1e-15))
        self.assertTrue((numpy.asarray(array.clip(x, 1, 2)) == numpy.clip(x, 1, 2)).all())

    def test_bounds_beyond_the_type(self):
        """Ints that elements cannot have limit nothing, or everything."""
        for kind in ("int8", "uint8", "int16", "uint32", "int64", "uint64"):
            least, greatest = numpy.iinfo(kind).min, numpy.iinfo(kind).max
            whole = numpy.array([least, 0, 1, greatest], kind)
            for source in (whole, array.View(whole)):
                for low, high in ((-1000, 2**70), (least - 1, greatest + 1), (2**64, 2**65),
                                  (-2**65, -2**64), (numpy.int16(-300), numpy.int64(300))):
                    want = [max(least, min(max(int(e), int(low)), int(high), greatest))
                            for e in whole]
                    self.assertEqual(array.clip(source, low, high).tolist(), want, (low, high))
            out = array.zeros(4, kind)
            self.assertIs(array.clip(array.View(whole), -2**65, 2**65, out=out), out)
            self.assertEqual(out.tolist(), whole.tolist())
            for low, high in ((500, 300), (2**70, 2**69), (5, -1000)):
                with self.assertRaisesRegex(array.ArrayError, "clip .* from %d to %d" % (low, high)):
                    array.clip(whole, low, high)
        self.assertEqual(array.clip([-3.0, 5], -1000, 2).tolist(), [-3, 2])


class Reductions(Case):
    def test_lines_have_the_bits_of_arrays_of_their_own(self):
        rng = random.Random(5)
        for kind, letter, shape in (("float32", "f", (70, 9, 600)), ("float64", "d", (2100, 3, 7)),
                                    ("float32", "f", (2, 700, 520))):
            memory = plain.array(letter, [rng.uniform(-1, 1) for _ in range(math.prod(shape))])
            whole = array.View(memory).reshape(shape)
            for view in (whole, whole.flip(0).permute(2, 0, 1), whole.step(2, 2).flip(1)):
                for axis in range(3):
                    sums = array.sum(view, axis=axis)
                    self.assertEqual(sums.type, kind)
                    variances = array.variance(view, axis=axis)
                    self.assertEqual(sums.shape, view.shape[:axis] + view.shape[axis + 1:])
                    for _ in range(12):
                        at = [rng.randrange(n) for n in sums.shape]
                        line = view[tuple(at[:axis] + [slice(None)] + at[axis:])].copy()
                        self.assertEqual(sums[tuple(at)].item(), array.sum(line))
                        self.assertEqual(variances[tuple(at)].item(), array.variance(line))
                        self.assertAlmostEqual(sums[tuple(at)].item(), math.fsum(line.tolist()), 4)

    def test_axes(self):
        shape = (3, 4, 2)
        numbers = list(range(24))
        view = array.View(numbers).reshape(*shape)
        at = {key: view[key].item() for key in itertools.product(*map(range, shape))}
        for n_axes in range(4):
            for axes in itertools.combinations(range(3), n_axes):
                found = array.sum(view, axis=axes)
                for rest in itertools.product(*(range(shape[k]) for k in range(3)
                                                if k not in axes)):
                    want = builtins_sum(value for key, value in at.items() if tuple(
                        key[k] for k in range(3) if k not in axes) == rest)
                    self.assertEqual(found[rest].item(), want)
        self.assertEqual(array.sum(view, axis=-1).tolist(), array.sum(view, axis=2).tolist())
        self.assertEqual(array.sum(view, axis=[0, -2]).tolist(), [132, 144])
        self.refused("EDIM", array.sum, view, axis=3)
        self.refused("EDIM", array.sum, view, axis=(0, -4))
        self.refused("ERANK", array.sum, view, axis=(1, 1))
        self.refused("ESHAPE", array.dot, view, view[0])
        self.refused("ETYPE", array.all, view)
        self.refused("ERANGE", array.l0, view, tolerance=-1)

    def test_outputs(self):
        view = array.View([[1, 2], [3, 5]])
        out = array.zeros(2, "float32")
        self.assertIs(array.sum(view, axis=1, out=out), out)
        self.assertEqual(out.tolist(), [3, 8])
        cell = array.zeros((), "int64")
        array.sum(view, out=cell)
        self.assertEqual(cell.item(), 11)
        self.refused("ESHAPE", array.sum, view, axis=1, out=array.zeros(3, "int64"))
        self.refused("ETYPE", array.mean, view, axis=1, out=array.zeros(2, "int64"))

    @needs_numpy
    def test_as_numpy(self):
        rng = numpy.random.default_rng(6)
        for kind in ("i1", "u1", "i4", "i8", "f4", "f8"):
            a = rng.integers(0, 50, (5, 6, 7)).astype(kind).transpose(2, 0, 1)[:, ::-1]
            mask = rng.integers(0, 2, a.shape).astype(bool)
            for axis in (None, 0, 1, -1, (0, 1), (0, 2), (1, 2), (0, 1, 2), ()):
                for name, function in (("sum", numpy.sum), ("min_element", numpy.min),
                                       ("max_element", numpy.max)):
                    got = getattr(array, name)(a, axis=axis)
                    self.assertTrue((numpy.asarray(got) == function(a, axis=axis)).all())
                got = array.sum(a, axis=axis, where=mask)
                self.assertTrue((numpy.asarray(got) == numpy.sum(a, axis=axis, where=mask)).all())


builtins_sum = sum  # of Python, beside those of the module


if __name__ == "__main__":
    main()
