"""runtime/python/diderot: arrays of every kind go in and come out, with numpy and without it.

    python_test.py MODULE-FOLDER LIBRARY-FOLDER
"""

import array
import os
import sys
import unittest

MODULE, FOLDER = sys.argv[1], sys.argv[2]
sys.argv[1:3] = []
sys.dont_write_bytecode = True
sys.path.insert(0, MODULE)
import diderot  # noqa: E402  pylint: disable=wrong-import-position,import-error

try:
    import numpy
except ImportError:
    numpy = None

LINEAR = [[10 * x + y for x in range(8)] for y in range(7)]


def library(name):
    return diderot.Library(os.path.join(FOLDER, name + "_lib.json"))


def as_lists(found):
    return found.tolist()


class Values(unittest.TestCase):
    """What needs no numpy."""

    def world(self, samples=None, **inputs):
        world = library("field").world(img=LINEAR if samples is None else samples, **inputs)
        world.on_print(lambda text: None)
        self.addCleanup(world.close)
        return world

    def check_values(self, world, scale=1.5, shift=(0, 0)):
        self.assertEqual(world.run(), 3)
        found = as_lists(world["value"])
        self.assertEqual((len(found), len(found[0])), (3, 2))
        for i, row in enumerate(found):
            for j, value in enumerate(row):
                want = scale * (10 * (i + 2 + shift[0]) + j + 2 + shift[1])
                self.assertAlmostEqual(value, want, places=3)

    def test_lists_and_scalars(self):
        world = self.world(scale=2, shift=[0.5, 0.25])
        self.check_values(world, 2, (0.5, 0.25))
        self.assertEqual((world.num_strands, world.num_active, world.num_stable), (6, 0, 6))
        for row in as_lists(world["slope"]):
            for pair in row:
                self.assertAlmostEqual(pair[0], 10, places=3)
                self.assertAlmostEqual(pair[1], 1, places=3)

    def test_buffers(self):
        flat = array.array("h", [value for row in LINEAR for value in row])
        self.check_values(self.world(memoryview(flat).cast("B").cast("h", (7, 8))))
        read_only = memoryview(flat.tobytes()).cast("h", (7, 8))
        self.check_values(self.world(read_only))

    def test_files(self):
        name = os.path.join(FOLDER, "by_name.nrrd")
        with open(name, "w", encoding="ascii") as file:
            file.write("NRRD0001\ntype: short\ndimension: 2\nsizes: 8 7\nencoding: ascii\n\n")
            file.write(" ".join(str(value) for row in LINEAR for value in row))
        self.check_values(self.world(name))
        os.remove(name)
        with self.assertRaisesRegex(diderot.Error, "by_name.nrrd.*No such file"):
            self.world(name)

    def test_placed_images(self):
        """Turned and at half the distance: the world looks the same."""
        samples = [[10 * (0.5 * a - 1) + 0.5 * b - 2 for b in range(24)] for a in range(24)]
        placed = diderot.Image(samples, origin=[-1, -2], steps=[[0.5, 0], [0, 0.5]])
        self.check_values(self.world(placed))
        with self.assertRaisesRegex(diderot.Error, "steps has 2 numbers, expected 4"):
            self.world(diderot.Image(samples, steps=[1, 1]))

    def test_bools_and_sequences(self):
        world = self.world(flags=[False, True, False], weights=[1, 2.5, 3], points=[])
        lines = []
        world.on_print(lines.append)
        self.check_values(world)
        self.assertEqual(lines, ["one 1 3 0\n", "one 2 3 0\n", "one 3 3 0\n"])
        self.assertEqual(as_lists(world["flag"]), [[True, False]] * 3)
        trail = world["trail"]
        self.assertEqual(len(trail), 3)
        self.assertEqual(as_lists(trail[2, 1]), [31, 32, 33])
        self.assertEqual(as_lists(trail.data)[:3], [11, 11, 21])

    def test_ranges_are_lists(self):
        lines = []
        for weights, points in (([1, 2, 3], [[0, 1], [2, 3]]),
                                (range(1, 4), [range(2), (2, 3)]), (range(1, 4), [range(2), [2, 3]])):
            world = self.world(weights=weights, points=points, shift=range(2))
            world.on_print(lines.append)
            self.check_values(world, shift=(0, 1))
        self.assertEqual(lines[:3], lines[3:6])
        self.assertEqual(lines[:3], lines[6:])
        with self.assertRaisesRegex(diderot.Error, "points"):
            self.world(points=[range(2), range(3)])

    def test_strings(self):
        lines = []
        world = self.world(word="α β")
        world.on_print(lines.append)
        world.run()
        self.assertEqual(lines[0], "α β 1 2 0\n")

    def test_steps_and_snapshots(self):
        world = self.world()
        world.create()
        self.assertEqual(as_lists(world.snapshot("steps")), [[0, 0]] * 3)
        self.assertEqual(as_lists(world.snapshot("trail").data), [])
        self.assertEqual(world.run(1), 1)
        self.assertEqual(as_lists(world.snapshot("steps")), [[1, 1]] * 3)
        self.assertEqual(world.run(), 2)
        self.assertEqual(as_lists(world["steps"]), [[1, 1], [2, 2], [3, 3]])

    def test_collections(self):
        with library("swarm").world(first_count=5) as world:
            world.on_print(lambda text: None)
            world.set_num_workers(1)
            world.create()
            self.assertEqual(as_lists(world["name"]), [])
            self.assertEqual(world.run(1), 1)
            self.assertEqual(as_lists(world["name"]), [0, 2, 4])
            self.assertEqual(as_lists(world.snapshot("name")), [0, 2, 4, 100, 102, 104])
            world.run()
            self.assertEqual(as_lists(world["at"]), [0, 1, 2, 50, 51, 52])
            self.assertEqual([as_lists(world["marks"][k]) for k in (2, 3)], [[2, 3], []])

    def test_a_world_goes_on_from_a_file(self):
        path = os.path.join(FOLDER, "python.checkpoint")
        said = []
        with library("swarm").world(first_count=6) as world:
            world.on_print(said.append)
            world.run(1)
            world.checkpoint(path)
            begun = len(said)
            world.run()
            names = as_lists(world["name"])
        with library("swarm").world(first_count=6) as world:
            world.on_print(said.append)
            world.resume(path)
            self.assertEqual(world.run(), 1)
            self.assertEqual(as_lists(world["name"]), names)
            self.assertEqual(names, [0, 2, 4, 100, 102, 104])
        self.assertEqual(said[begun:begun + 3], said[begun + 3:])
        with library("swarm").world(first_count=7) as world:
            with self.assertRaisesRegex(diderot.Error, "written with 6, not 7"):
                world.resume(path)
            os.remove(path)
            with self.assertRaisesRegex(diderot.Error, "multiple calls|cannot read"):
                world.resume(path)

    def test_frames(self):
        """The same picture in every layout, as bytes with rows of 16."""
        def planes(order):
            flat = bytearray()
            for n in range(2):
                if order == "NCHW":
                    for c in range(2):
                        for row in LINEAR:
                            flat += bytes((n + 1)*(value + 100*c) % 256 for value in row) + b"z"*8
                else:
                    for row in LINEAR:
                        flat += b"".join(bytes(((n + 1)*(value + 100*c) % 256) for c in range(2))
                                         for value in row) + b"z"*16
            return flat
        for world in (
                self.world(diderot.Frame(planes("NCHW"), "NCHW", (2, 2, 7, 8), component=0,
                                         components=1, pitches=(448, 224, 112, 16))),
                self.world(diderot.Frame(b"x" + planes("NHWC"), "NHWC", (2, 7, 8, 2), component=0,
                                         components=1, pitches=(448, 224, 32, 2), offset=1)),
                self.world(diderot.Frame(planes("NCHW"), "420SP", (3, 7, 8),
                                         pitches=(448, 112, 16)))):
            self.check_values(world)

    def test_frames_that_do_not_fit(self):
        for arguments, reason in (
                ({"layout": "NWHC"}, "'NWHC' is not a layout of a frame, expected one of NHWC, NCHW"),
                ({"siting": "right"}, "'right' is not a siting of a frame"),
                ({"kind": "float16"}, "'float16' is not a kind of a frame"),
                ({"dims": (1, 1, 7, 8, 1, 1)}, "the frame has 6 dims, expected at most 5"),
                ({"dims": (1, 7, 8)}, "the frame has 3 axes, expected 4: NCHW"),
                ({"offset": 56}, "the frame begins at byte 56, but its buffer has 56"),
                ({"offset": 1}, "the frame ends at byte 56, but its buffer has 55"),
                ({"dims": (2**64 + 1, 1, 7, 8)}, "dims of a frame cannot be 18446744073709551617"),
                ({"pitches": (2**64 + 56, 56, 56, 8)}, "pitches of a frame cannot be 18446744"),
                ({"number": 2**64}, "number of a frame cannot be 18446744073709551616"),
                ({"component": 2**64}, "component of a frame cannot be 18446744073"),
                ({"data": memoryview(bytearray(112))[::2]}, "the buffer of a frame has gaps"),
                ({"pitches": (56, 56, 56, 7)}, "pitch 3 .W. of the frame is 7 bytes, expected at")):
            given = {"data": bytearray(56), "layout": "NCHW", "dims": (1, 1, 7, 8)}
            given.update(arguments)
            with self.assertRaisesRegex(diderot.Error, "img: .*" + reason):
                self.world(diderot.Frame(**given))

    def test_mistakes_are_errors_with_reasons(self):
        for inputs, reason in (
                ({"nothing": 1}, "no input 'nothing'"),
                ({"shift": [1, 2, 3]}, "shift: 3 values, expected 2"),
                ({"count": 1.5}, "count: an int is expected"),
                ({"count": 2**40}, "count: 1099511627776 is not an int"),
                ({"word": "a\0b"}, "word: a string cannot hold a NUL character"),
                ({"flow": "flow.nrrd\0"}, "flow: a string cannot hold a NUL character"),
                ({"img": [1, 2, 3]}, "the view has rank 1, expected 2"),
                ({"img": [[1, 2], [3]]}, "the same length everywhere"),
                ({"img": [["a"]]}, "not an array of numbers"),
                ({"img": 7}, "int is not an array"),
                ({"points": [[1, 2, 3]]}, "3 values per element, expected 2")):
            with self.assertRaisesRegex(diderot.Error, reason):
                self.world(**inputs) if "img" not in inputs else self.world(inputs["img"])
        world = library("field").world()
        with self.assertRaisesRegex(diderot.Error, 'undefined input "img"'):
            world.run()
        with self.assertRaisesRegex(diderot.Error, "max_steps: -1 is not a whole number from 0 to 2"):
            world.run(-1)
        with self.assertRaisesRegex(diderot.Error, "workers: 4294967296 is not a whole number from 0"):
            library("swarm").world().set_num_workers(2**32)
        with self.assertRaisesRegex(diderot.Error, "before field_output_view_value"):
            world["value"]  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(diderot.Error, "no output 'nothing'"):
            world.output("nothing")
        with self.assertRaisesRegex(diderot.Error, "not for the parallel target"):
            world.set_num_workers(1)
        world.close()
        world.close()
        with self.assertRaisesRegex(diderot.Error, "the world is closed"):
            world.run()

    def test_what_a_callback_raises_comes_back(self):
        world = self.world()

        def fail(text):
            raise KeyError(text)

        world.on_print(fail)
        with self.assertRaises(KeyError):
            world.run()

    def test_a_callback_cannot_take_its_world_away(self):
        world = self.world()
        refused = []

        def meddle(_):
            for act in (world.close, world.run, lambda: world.on_print(None),
                        lambda: world.set("scale", 2), world.close):
                try:
                    act()
                except diderot.Error as error:
                    refused.append(str(error))

        world.on_print(meddle)
        self.check_values(world)
        self.assertEqual(len(refused), 15)
        self.assertEqual(refused[0], "a world that runs cannot be closed")
        self.assertRegex(refused[2], "the world runs, and cannot be changed by a print callback")

    def test_worlds_come_and_go(self):
        field = library("field")
        for _ in range(200):
            world = field.world(img=LINEAR, word=".")
            world.on_print(lambda text: None)
            world.run(1)
            world.output("trail")
        del world

    def test_outputs_into_memory_of_the_client(self):
        world = self.world()
        world.run()
        values = array.array("d", [0] * 6)
        shown = memoryview(values).cast("B").cast("d", (3, 2))
        self.assertIs(world.write("value", shown), shown)
        for found, wanted in zip(values, [33, 34.5, 48, 49.5, 63, 64.5]):
            self.assertAlmostEqual(found, wanted, 4)
        frame = diderot.Frame(bytearray(64), "NCHW", (1, 3, 3, 2), "uint8", (63, 63, 21, 7),
                              component=1, components=1)
        world.write("value", frame)
        self.assertEqual(sum(1 for byte in frame.data if byte), 6)
        self.assertEqual([frame.data[21 + 7 * i + j] for i in range(3) for j in range(2)],
                         [int(value) for value in values])
        before = values.tolist()
        for out in (b"abc", [1, 2], array.array("d", [0] * 6), memoryview(values)[::2],
                    diderot.Frame(bytes(64), "NCHW", (1, 3, 3, 2), "uint8"),
                    diderot.Frame(bytearray(64), "NCHW", (1, 3, 3, 2), "uint8")):
            self.assertRaises(diderot.Error, world.write, "value", out)
        self.assertRaises(diderot.Error, world.write, "trail", shown)
        self.assertRaises(diderot.Error, world.write, "nothing", shown)
        self.assertEqual(values.tolist(), before)


class Gpus(unittest.TestCase):
    """On the shim, whose device is called "loops of the host"."""

    def test_two_programs_in_one_process(self):
        with library("slope").world(img=LINEAR, scale=2) as slope, library("tally").world() as tally:
            slope.set_gpu("required")
            tally.set_gpu(0, block_size=64)
            self.assertEqual(slope.gpu, "")
            self.assertEqual((tally.run(), slope.run()), (3, 4))
            self.assertEqual((slope.gpu, tally.gpu), ("loops of the host, number 0",) * 2)
            self.assertEqual(as_lists(tally["age"]), [1, 2, 3, 3, 3])
            self.assertEqual(as_lists(slope["steps"]), [[1, 2, 3, 4]] * 3)
            for row in as_lists(slope["slope"]):
                for pair in row:
                    self.assertAlmostEqual(pair[0], 20, places=3)
                    self.assertAlmostEqual(pair[1], 2, places=3)

    def test_choices(self):
        world = library("tally").world()
        with self.assertRaisesRegex(diderot.Error, 'cannot use GPU "fast" .expected a number, any'):
            world.set_gpu("fast")
        with self.assertRaisesRegex(diderot.Error, "cannot have 7 of them"):
            world.set_gpu("any", 7)
        world.set_gpu("none")
        self.assertEqual((world.run(), world.gpu), (3, ""))
        with self.assertRaisesRegex(diderot.Error, "between tally_init_world and tally_create_str"):
            world.set_gpu(None)
        with self.assertRaisesRegex(diderot.Error, "not for the target cuda"):
            library("field").world().set_gpu("any")
        self.assertEqual(library("field").world().gpu, "")

    def test_what_to_link(self):
        self.assertEqual(library("swarm").description["libraries"], ["teem", "m", "pthread"])
        self.assertEqual(library("tally").description["libraries"],
                         ["teem", "m", "pthread", "stdc++", "dl", "rt"])
        self.assertEqual(library("tally").description["target"], "DIDEROT_TARGET_CUDA")


class Numpy(Values):
    """All of that once more, and what numpy can do besides."""

    def test_arrays_in_any_layout(self):
        samples = numpy.array(LINEAR, dtype="f4")
        for given in (samples, samples.astype("f8"), numpy.asfortranarray(samples),
                      samples.astype("u1"), numpy.array(samples[::-1])[::-1],
                      numpy.repeat(samples, 2, axis=1)[:, ::2], samples.astype("f2"),
                      samples.astype(">f4" if sys.byteorder == "little" else "<f4")):
            self.check_values(self.world(given))
        for wrong in ("c8", "O"):
            with self.assertRaisesRegex(diderot.Error, "img: expected numbers, found an array of"):
                self.world(samples.astype(wrong))

    def test_images_are_read_in_place(self):
        samples = diderot.empty((7, 8))
        samples[:] = LINEAR
        world = self.world(samples)
        samples += 10
        self.check_values(world, shift=(1, 0))

    def test_parts_of_arrays_are_read_in_place(self):
        whole = numpy.zeros((40, 30), dtype="f4")
        part = whole[5:12, 3:11]
        part[:] = LINEAR
        world = self.world(part)
        part += 10
        self.check_values(world, shift=(1, 0))

    def test_outputs_in_place(self):
        world = self.world()
        world.create()
        steps = world.output("steps", copy=False)
        kept = world["steps"]
        world.run(2)
        self.assertEqual(steps.tolist(), [[1, 1], [2, 2], [2, 2]])
        self.assertEqual(kept.tolist(), [[0, 0]] * 3)
        self.assertEqual(world["flag"].dtype, bool)
        self.assertEqual(world["slope"].shape, (3, 2, 2))


class Plain(Values):
    """All of that as if numpy were not there."""

    def setUp(self):
        self.module = sys.modules.get("numpy")
        sys.modules["numpy"] = None  # imports fail

    def tearDown(self):
        if self.module is None:
            del sys.modules["numpy"]
        else:
            sys.modules["numpy"] = self.module

    def test_arrays_in_place_need_numpy(self):
        world = self.world()
        world.create()
        with self.assertRaisesRegex(diderot.Error, "need numpy"):
            world.output("steps", copy=False)


if numpy is None:
    del Numpy
    print("without numpy: its arrays are not tested")
del Values

if __name__ == "__main__":
    unittest.main()
