"""Images in: samples in any layout, placed in space. Every image here is of a linear function of the
position, so that value and gradient are known wherever and however it is sampled.
"""

import array
import itertools
import math
import unittest
import warnings
from decimal import Decimal

from common import PROBE_2, PROBE_3, as_lists, numpy
import common
import diderot

SLOPE, OFFSET = (2.0, -3.0, 0.5), 7.0
# Columns i, j, k and the origin: turned, skewed, one axis backwards.
AFFINE = [[0.5, 0.1, 0.0, -1.0], [-0.1, 0.6, 0.05, 2.0], [0.0, 0.0, -0.8, 5.0], [0, 0, 0, 1]]
SIZE = (9, 10, 11)  # along i, j, k


def position(index):
    return [sum(row[axis] * index[axis] for axis in range(3)) + row[3] for row in AFFINE[:3]]


def linear(pos):
    return OFFSET + sum(slope * x for slope, x in zip(SLOPE, pos))


def indexed(axes):
    """Nested lists, samples[k][j][i] for "zyx"."""
    sizes = {letter: SIZE["xyz".index(letter)] for letter in axes}

    def level(known, rest):
        if not rest:
            return linear(position([known[letter] for letter in "xyz"]))
        return [level(dict(known, **{rest[0]: k}), rest[1:]) for k in range(sizes[rest[0]])]

    return level({}, axes)


INSIDE = [position(index) for index in ((4, 4, 5), (3.5, 5.25, 4.75), (5, 4.1, 6))]


class Placing:
    """What images in space have in common: a linear function, probed at places."""

    @classmethod
    def setUpClass(cls):
        cls.probe = diderot.compile(PROBE_3)
        cls.flat = diderot.compile(PROBE_2)

    def check(self, image, at=None, program=None):
        at = INSIDE if at is None else at
        result = (program or self.probe)(img=image, at=at)
        for found, slope, pos in zip(as_lists(result.value), as_lists(result.slope), at):
            self.assertAlmostEqual(found, linear(pos), places=3)
            for component, expected in zip(slope, SLOPE):
                self.assertAlmostEqual(component, expected, places=3)
        return result


class Placed(Placing, unittest.TestCase):

    def test_affine(self):
        for axes in ("zyx", "xyz", "yxz"):
            self.check(diderot.Image(indexed(axes), affine=AFFINE, axes=axes))
        self.check(diderot.Image(indexed("zyx"), affine=AFFINE))
        self.check(diderot.Image(indexed("zyx"), affine=AFFINE[:3]))

    def test_origin_and_steps(self):
        columns = list(zip(*AFFINE[:3]))
        self.check(diderot.Image(indexed("zyx"), columns[3], [columns[2], columns[1], columns[0]]))

    def test_axes_alone(self):
        """Samples [x, y] at the index."""
        samples = [[linear([x, y, 0]) for y in range(9)] for x in range(8)]
        self.check(diderot.Image(samples, axes="xy"), [[3, 4], [2.5, 4.5]], self.flat)

    def test_two_dimensions(self):
        affine = [[0, 0.5, -1], [0.25, 0, 2], [0, 0, 1]]
        samples = [[linear([0.5 * y - 1, 0.25 * x + 2, 0]) for x in range(9)] for y in range(8)]
        self.check(diderot.Image(samples, affine=affine), [[0.5, 3], [0.75, 3.25]], self.flat)

    def test_what_is_no_place(self):
        samples = indexed("zyx")
        for arguments, reason in (
                ({"affine": [[1, 2], [3]]}, "affine: nested lists must have the same length"),
                ({"affine": []}, r"the affine matrix has the shape \(0\), expected"),
                ({"affine": 3}, r"the affine matrix has the shape \(\), expected"),
                ({"affine": [1, 2, 3]}, r"the affine matrix has the shape \(3\), expected"),
                ({"affine": "abc"}, "affine: 'abc' is not a number"),
                ({"affine": AFFINE[:3] + [[0.5, 0, 0, 1]]}, r"the last row of the affine matrix is \[0.5, 0"),
                ({"affine": AFFINE, "axes": "yx"}, "axes 'yx', but the affine matrix is for 3"),
                ({"affine": AFFINE, "axes": "ijk"}, "axes 'ijk', expected x, y and z"),
                ({"axes": 3}, "axes 3, expected x, y and z"),
                ({"steps": 3}, "img: steps has 1 numbers, expected 9"),
                ({"affine": AFFINE, "origin": [0, 0, 0]}, "not both"),
                ({"axes": "zyy"}, "axes 'zyy', expected x, y and z"),
                ({"axes": "yx"}, "img: axes 'yx'"),
                ({"origin": [0, 0, math.nan]}, "img: origin has numbers that are no positions"),
                ({"origin": [0, 0, "a"]}, "img: 'a' is not a number"),
                ({"origin": [0, 0, Decimal("NaN")]}, "img: origin has numbers that are no positions"),
                ({"origin": [0, 0, Decimal("sNaN")]}, "img: Decimal.'sNaN'. is not a number"),
                ({"origin": [0, 0, 10**400]}, "img: origin has numbers that are no positions"),
                ({"steps": [[1, 0, 0], [0, math.inf, 0], [0, 0, 1]]}, "img: steps has numbers"),
                ({"steps": [[1, 0, 0], [2, 0, 0], [0, 0, 1]]}, "img"),
                ({"steps": [1, 2, 3]}, "img: steps has 3 numbers, expected 9")):
            with self.assertRaisesRegex(diderot.Error, reason):
                self.probe(img=diderot.Image(samples, **arguments), at=INSIDE)

    def test_array_of_the_standard_library(self):
        samples = array.array("f", [0] * 72)
        for y in range(8):
            for x in range(9):
                samples[9 * y + x] = linear([x, y, 0])
        view = memoryview(samples).cast("B").cast("f", (8, 9))
        self.check(view, [[3, 4]], self.flat)
        held = self.flat.world(img=view, at=[])
        with self.assertRaises(BufferError):
            samples.append(1)  # an array that changes its size while it is bound
        held.close()

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_layouts_of_numpy(self):
        samples = numpy.array(indexed("zyx"))
        twice = numpy.repeat(samples, 2, axis=2)
        for given in (samples, samples.astype("f4"), numpy.asfortranarray(samples), twice[:, :, ::2],
                      samples[::-1][::-1], samples.astype(">f8"), samples.astype("g")):
            self.check(diderot.Image(given, affine=AFFINE))
        for axes in ("xyz", "yzx"):
            turned = samples.transpose(["zyx".index(letter) for letter in axes])
            for given in (turned, numpy.ascontiguousarray(turned), turned.astype("f4")):
                self.check(diderot.Image(given, affine=numpy.array(AFFINE), axes=axes))

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_lists_of_arrays(self):
        """Slices, and rows of positions."""
        samples = numpy.array(indexed("zyx"))
        self.check(diderot.Image(list(samples), affine=AFFINE), [numpy.array(pos) for pos in INSIDE])
        self.check(diderot.Image([list(part) for part in samples.astype("f2")], affine=AFFINE), [])
        self.check(diderot.Image(samples, affine=AFFINE), [list(INSIDE[0]), numpy.array(INSIDE[0])])
        hidden = numpy.ma.masked_less(numpy.zeros(3), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of numpy 1.23
            for at, reason in (([numpy.zeros(3), numpy.zeros(2)], "nested lists must have the same length"),
                               ([[0.0, 0, 0], numpy.zeros(2)], "nested lists must have the same length"),
                               ([numpy.zeros(3), [0.0, 0]], "nested lists must have the same length"),
                               ([numpy.zeros(3), 1.0], "nested lists must have the same length"),
                               ([numpy.zeros(3), "abc"], "nested lists must have the same length"),
                               ([numpy.zeros(3), ["a", "b", "c"]], "expected numbers, found an array of <U"),
                               ([hidden, hidden], "found a masked array"),
                               ([[0.0, 0, 0], hidden], "found a masked array"),
                               ([list(hidden)], "found a masked array")):
                with self.assertRaisesRegex(diderot.Error, "^at: .*" + reason):
                    self.probe(img=samples, at=at)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_columns_are_read_in_place(self):
        """samples[x, y, z] whose x is the fastest: what changes after binding is seen."""
        memory = diderot.empty(SIZE[::-1], "float32")
        memory[:] = indexed("zyx")
        world = self.probe.world(img=diderot.Image(memory.T, affine=AFFINE, axes="xyz"), at=INSIDE)
        memory += 10
        world.run()
        for found, pos in zip(as_lists(world["value"]), INSIDE):
            self.assertAlmostEqual(found, linear(pos) + 10, places=3)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_arrays_are_read_in_place(self):
        """Whole ones and parts of them, also without a byte behind them and with rows backwards: what
        changes after binding is seen. Kernels of six taps load more, and their samples are copied."""
        whole = numpy.zeros(tuple(2 * extent for extent in SIZE[::-1]), dtype="f4")
        plain = numpy.zeros(SIZE[::-1], dtype="f4")
        for given in (plain, plain[::-1, ::-1], whole[SIZE[2]:, SIZE[1]:, SIZE[0]:],
                      whole[::-2, 1::2, SIZE[0]:]):
            self.check_seen(self.probe, given, 10)
        self.check_seen(diderot.compile(PROBE_3.replace("ctmr", "bspln5")), plain, 0)

    def check_seen(self, program, samples, change):
        samples[:] = indexed("zyx")
        world = program.world(img=diderot.Image(samples, affine=AFFINE), at=INSIDE)
        samples += 10
        world.run()
        for found, pos in zip(as_lists(world["value"]), INSIDE):
            self.assertAlmostEqual(found, linear(pos) + change, places=3)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_copies_are_exact(self):
        """Every sample, of arrays whose axes lie in any order, backwards and with gaps."""
        program = diderot.compile("""#version 2.0
input image(3)[] img;
input int[3] size;
field#0(3)[] F = clamp(img) ⊛ tent;
strand sample (int z, int y, int x) {
   output real value = F([x, y, z]);
   update { stabilize; }
}
create_array { sample(z, y, x) | z in 0..size[0]-1, y in 0..size[1]-1, x in 0..size[2]-1 }
""")
        shape = (7, 66, 131)
        for order in itertools.permutations(range(3)):
            for kind in ("f4", "f8", "i2", "u1"):
                lying = numpy.arange(7 * 66 * 131).reshape([shape[k] for k in order]).astype(kind)
                given = lying.transpose(numpy.argsort(order))
                self.assertEqual(given.shape, shape)
                for part in (given, given[::-1, :, ::-1], given[:, ::2, 1::2]):
                    found = program(img=part, size=part.shape).value
                    self.assertTrue(numpy.array_equal(found, part.astype("f4")), (order, kind))

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_memory_maps(self):
        import os
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "samples")
            numpy.array(indexed("zyx"), dtype="f4").tofile(path)
            mapped = numpy.memmap(path, dtype="f4", mode="r", shape=SIZE[::-1])
            self.check(diderot.Image(mapped, affine=AFFINE))

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_memory_maps_are_used_in_place(self):
        """Whether the file ends with a page or not: what changes after binding is seen."""
        import mmap
        import os
        import tempfile
        n_bytes = 4 * SIZE[0] * SIZE[1] * SIZE[2]
        for before in (0, 64, mmap.PAGESIZE - n_bytes % mmap.PAGESIZE):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "samples")
                with open(path, "wb") as file:
                    file.write(bytes(before))
                    file.write(numpy.array(indexed("zyx"), dtype="f4").tobytes())
                mapped = numpy.memmap(path, dtype="f4", mode="r+", shape=SIZE[::-1], offset=before)
                world = self.probe.world(img=diderot.Image(mapped, affine=AFFINE), at=INSIDE)
                mapped += 10
                world.run()
                for found, pos in zip(as_lists(world["value"]), INSIDE):
                    self.assertAlmostEqual(found, linear(pos) + 10, places=3)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_dlpack(self):
        class Shown:  # as torch and jax have it
            def __init__(self, samples):
                self.samples = samples

            def __dlpack__(self, **options):
                return self.samples.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.samples.__dlpack_device__()

        class Elsewhere(Shown):
            def __dlpack_device__(self):
                return (2, 0)

        samples = numpy.array(indexed("zyx"), dtype="f4")
        self.check(diderot.Image(Shown(samples), affine=AFFINE))
        with self.assertRaisesRegex(diderot.Error, "img: the .*Elsewhere is not in memory of the"):
            self.probe(img=Elsewhere(samples), at=INSIDE)

    def test_interfaces_to_an_object(self):
        """Their memory is that of an object, as of images of Pillow."""
        class Shown:
            def __init__(self, shape, data):
                self.__array_interface__ = {"version": 3, "typestr": "<f4", "shape": shape,
                                            "data": data}

        samples = array.array("f", [linear([x, y, 0]) for x in range(8) for y in range(9)])
        for data in (samples.tobytes(), samples):
            shown = Shown((8, 9), data)
            self.check(diderot.Image(shown, axes="xy"), [[3, 4], [2.5, 4.5]], self.flat)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_outputs_are_memory_of_the_world(self):
        result = self.check(diderot.Image(indexed("zyx"), affine=AFFINE))
        self.assertFalse(result.value.flags.owndata)
        self.assertIs(result.value, result["value"])
        kept = result.value.copy()
        found = result.value
        del result
        self.assertTrue((found == kept).all())

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_sequences_are_lent(self):
        """What changes before the run is seen, so nothing was copied; of other types it is not."""
        for kind, is_lent in (("f4", True), ("f8", False), (">f4", False)):
            at = numpy.array([[2, 3, 0], [3, 4, 0]], kind)
            with self.probe.world(img=numpy.array(indexed("zyx"), "f4"), at=at) as world:
                at[1] = at[0]
                world.run()
                first, second = world["value"]
            self.assertEqual(first == second, is_lent, kind)
        columns = numpy.zeros((3, 2), "f4").T  # of two strands, which are not side by side
        self.assertEqual(self.probe(img=indexed("zyx"), at=columns).value.shape, (2,))
        held = array.array("f", [2, 3])
        with self.flat.world(img=indexed("zyx")[0], at=memoryview(held).cast("B").cast("f", (1, 2))):
            with self.assertRaises(BufferError):
                held.append(1)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_outputs_go_into_arrays(self):
        image = diderot.Image(indexed("zyx"), affine=AFFINE)
        expected = self.check(image)
        value, whole = numpy.zeros(6, "f8")[::2], numpy.zeros((3, 4), "f4")
        slope = whole[:, :3]
        result = self.probe(img=image, at=INSIDE, out={"value": value, "slope": slope})
        self.assertIs(result.value, value)
        self.assertIs(result["slope"], slope)
        self.assertEqual(value.tolist(), expected.value.tolist())
        self.assertEqual(slope.tolist(), expected.slope.tolist())
        self.assertEqual(whole[:, 3].tolist(), [0, 0, 0])
        fixed = numpy.zeros(3, "f4")
        fixed.flags.writeable = False
        for out, reason in (({"values": value}, "no output 'values'; did you mean 'value'"),
                            ({"value": fixed}, "value: the array may not be written"),
                            ({"value": bytes(12)}, "value: the buffer may not be written"),
                            ({"value": [0, 0, 0]}, "value: list is not an array, expected one of numpy"),
                            ({"value": numpy.zeros(2)}, "value: .*size 2, expected 3"),
                            ({"value": numpy.zeros((3, 1, 1))}, "value: .*rank 3, expected 1"),
                            ({"slope": numpy.zeros((3, 2))}, "slope: .*size 2, expected 3"),
                            ({"value": numpy.zeros(3, complex)}, "value: .*no arrays of numbers"),
                            ({"value": numpy.zeros(3, object)}, "value: .*no arrays of numbers"),
                            ({"value": numpy.zeros(3, ">f4")}, "value: .*byte order"),
                            ({"value": numpy.broadcast_to(numpy.zeros(1), 3)}, "value: ")):
            with self.assertRaisesRegex(diderot.Error, r"^(the program has |\[DIDEROT\] )?" + reason):
                self.probe(img=image, at=INSIDE, out=out)

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_tensors_go_into_arrays_of_any_strides(self):
        count, turn = diderot.compile(common.COUNT), numpy.arange(6).reshape(2, 3) - 2
        whole = numpy.full((3, 2, 5, 4, 3), 9, "i2")  # column of the tensor, its row, ...
        turned = whole[::-1, :, ::2, :, 1].transpose(2, 3, 1, 0)
        expected = numpy.full(whole.shape, 9, "i2")
        for row, column in itertools.product(range(2), range(3)):
            expected[2 - column, row, ::2, :, 1] = turn[row, column]
        count(turn=turn.tolist(), out={"turned": turned})
        self.assertEqual(whole.tolist(), expected.tolist())
        flat = numpy.zeros((3, 4, 6))  # all components along one axis
        count(turn=turn.tolist(), out={"turned": flat})
        self.assertEqual(flat[2, 3].tolist(), turn.reshape(-1).tolist())
        for shape in ((3, 4, 3, 3), (3, 4, 2, 2), (3, 4, 0, 3), (3, 4, 6, 2), (3, 2, 2, 2, 3),
                      (3, 4, 3, 2), (3, 4, 1, 6), (3, 4, 1, 2, 3), (3, 4, 2, 3, 1)):
            with self.assertRaisesRegex(diderot.Error, "turned: .*expected"):
                count(out={"turned": numpy.zeros(shape)})
        with self.assertRaisesRegex(diderot.Error, "sum: .*rank 3, expected 2"):
            count(out={"sum": numpy.zeros((3, 2, 2))})

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_frames_are_written_where_they_are(self):
        """Not behind a part of an array, nor between its rows."""
        count = diderot.compile(common.COUNT)
        whole, size = numpy.full((2, 100), 9, "u1"), (1, 1, 3, 4)
        count(out={"sum": diderot.Frame(whole[0, :12], "NCHW", size)})
        self.assertEqual(whole[0, :12].tolist(), [2] * 4 + [5] * 4 + [7] * 4)
        self.assertTrue((whole[0, 12:] == 9).all() and (whole[1] == 9).all())
        before = whole.copy()
        for part, reason in ((whole[0, :11], "the frame ends at byte 12, but its buffer has 11"),
                             (whole[:, :12], "the buffer of a frame has gaps")):
            with self.assertRaisesRegex(diderot.Error, "sum: .*" + reason):
                count(out={"sum": diderot.Frame(part, "NCHW", size)})
        self.assertTrue((whole == before).all())

    @unittest.skipIf(numpy is None, "there is no numpy")
    def test_what_is_no_array_of_numbers(self):
        for given, reason in ((numpy.zeros(SIZE, complex), "found an array of complex128"),
                              (numpy.zeros(SIZE, object), "found an array of object"),
                              (numpy.zeros(SIZE, "U3"), "found an array of <U3"),
                              (numpy.zeros(SIZE, "M8[s]"), "found an array of datetime64"),
                              (numpy.ma.masked_less(numpy.zeros(SIZE), 1), "found a masked array"),
                              ([[1], [2, 3]], "img: nested lists must have the same length"),
                              ([[["a"]]], "img: not an array of numbers"),
                              (numpy.zeros(3), "rank 1, expected 3"),
                              (numpy.zeros((2, 0, 3)), "img"),
                              ("none.nrrd", "none.nrrd.*No such file")):
            with self.assertRaisesRegex(diderot.Error, reason):
                self.probe(img=given, at=INSIDE)


if __name__ == "__main__":
    common.main()
