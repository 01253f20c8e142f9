"""runtime/python/diderot with memory of a device, for which loops of the host stand (tests/shim).

    python_device_test.py MODULE-FOLDER LIBRARY-FOLDER

The memory is that of worlds: their outputs on the device are shown as CuPy and PyTorch show theirs.
"""

import array
import gc
import os
import signal
import sys
import time
import unittest

MODULE, FOLDER = sys.argv[1], sys.argv[2]
sys.argv[1:3] = []
sys.dont_write_bytecode = True
sys.path.insert(0, MODULE)
import diderot  # noqa: E402  pylint: disable=wrong-import-position,import-error
from diderot import _dlpack  # noqa: E402  pylint: disable=wrong-import-position,import-error
from diderot._program import made  # noqa: E402  pylint: disable=wrong-import-position,import-error

N = 8
FLOW = [[float(k * k), 100.0 - k] for k in range(N)]


def library(name):
    return diderot.Library(os.path.join(FOLDER, name + "_lib.json"))


class Interface:
    """Nothing but memory of a device, as CuPy and Numba show it."""

    def __init__(self, shown, **changed):
        self.shown = shown
        self.__cuda_array_interface__ = dict(shown.__cuda_array_interface__, **changed)


class Tensor:
    """Nothing but DLPack, as PyTorch and JAX have it."""

    def __init__(self, shown, device=None):
        self.shown, self.streams, self.device = shown, [], device

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.shown.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.device or self.shown.__dlpack_device__()


def summed(values):
    """What chain.diderot makes of an image."""
    return [[one + other for one, other in zip(values[k], values[min(k + 1, N - 1)])] for k in range(N)]


class Case(unittest.TestCase):
    def run_chain(self, flow, gpu="required"):
        world = library("chain").world()
        self.addCleanup(world.close)
        world.set_gpu(gpu)
        world["flow"] = flow
        self.assertEqual(world.run(), 1)
        return world

    def refused(self, text, call, *arguments, **named):
        with self.assertRaises(diderot.Error) as caught:
            call(*arguments, **named)
        self.assertEqual(str(caught.exception), text)

    def refused_flow(self, text, flow):
        world = library("chain").world()
        self.addCleanup(world.close)
        self.refused(text, world.set, "flow", flow)
        world["flow"] = FLOW  # it goes on
        self.assertEqual(world.run(), 1)
        self.assertEqual(world["found"].tolist(), summed(FLOW))


class Inputs(Case):
    def test_outputs_are_inputs(self):
        want, flow = FLOW, FLOW
        for wrapped in (lambda shown: shown, Interface, Tensor, diderot.Image):
            world = self.run_chain(flow)
            want = summed(want)
            self.assertEqual(world["found"].tolist(), want)
            flow = wrapped(world.output("found", memory="cuda"))
        self.assertEqual(self.run_chain(flow)["found"].tolist(), summed(want))
        self.assertEqual(self.run_chain(flow, "none")["found"].tolist(), summed(want))

    def test_streams_are_waited_for(self):
        shown = self.run_chain(FLOW).output("found", memory="cuda")
        tensor = Tensor(shown)
        self.run_chain(tensor)
        self.assertEqual(tensor.streams, [1])
        self.run_chain(Interface(shown, stream=1))
        self.refused_flow("[DIDEROT] flow: cannot use the given array: its stream cannot be waited for: "
                          "invalid argument", Interface(shown, stream=self.stream_of_another_device()))

    def stream_of_another_device(self):
        self.streams = array.array("i", [7])  # as the shim has streams: the number of their device
        return self.streams.buffer_info()[0]

    def test_any_strides(self):
        shown = self.run_chain(FLOW).output("found", memory="cuda")
        interface = shown.__cuda_array_interface__
        (step, other), (address, _) = shown.strides, interface["data"]
        turned = Interface(shown, data=(address + 7 * step, False), strides=(-step, other))
        self.assertEqual(self.run_chain(turned)["found"].tolist(), summed(summed(FLOW)[::-1]))

    def test_tensors_are_given_back(self):
        shown = self.run_chain(FLOW).output("found", memory="cuda")
        world = self.run_chain(Tensor(shown))
        self.assertEqual(len(_dlpack._lent), 1)  # pylint: disable=protected-access
        world.close()
        gc.collect()
        self.assertEqual(len(_dlpack._lent), 0)  # pylint: disable=protected-access

    def test_sequences_are_copied(self):
        worlds = [library("there").world(flow=FLOW, once=[5.0] * N) for _ in range(2)]
        for world in worlds:
            self.addCleanup(world.close)
        worlds[0].run(2)
        both = worlds[0].output("both", memory="cuda")
        numbers = Interface(both, shape=(4,), strides=(both.strides[0],),
                            data=(both.address + both.strides[1], False))
        worlds[1]["numbers"] = numbers  # 0, 10, 20, 30
        worlds[1].run(2)
        self.assertEqual(worlds[1]["found"].tolist()[1][1], 10)
        self.refused("[DIDEROT] numbers: cannot use the given array: it is not memory of a device",
                     worlds[1].library.world, flow=FLOW, once=[5.0] * N,
                     numbers=Interface(numbers, data=(64, False)))
        self.refused("numbers: ints are expected, found float32", worlds[1].library.world,
                     numbers=worlds[0].output("base", memory="cuda"))

    def test_runs_in_a_row(self):
        program = made(library("chain"), "chain.diderot")
        flows = [[[float(k * n), 1.0] for k in range(N)] for n in range(5)]
        results = program.run_many({"flow": flow} for flow in flows)
        for flow, result in zip(flows, results):
            self.assertEqual(result["found"].tolist(), summed(flow))
            self.assertEqual((result.stats.steps, result.stats.stable), (1, N))
        self.refused("the world is closed", results[0].on_device, "found")
        for gpu in ("required", "none"):
            os.environ["DIDEROT_GPU"] = gpu
            try:
                for result in program.run_many([{}, {}, {}], flow=FLOW):
                    self.assertEqual(result["found"].tolist(), summed(FLOW))
            finally:
                del os.environ["DIDEROT_GPU"]
        with self.assertRaisesRegex(diderot.Error, "the view has 3 values per element, expected 2"):
            program.run_many([{"flow": FLOW}, {"flow": [[1.0, 2.0, 3.0]] * N}])

    def test_a_row_closes_its_worlds(self):
        program, opened = made(library("chain"), "chain.diderot"), []
        world_of = program.library.world_of

        def noted(inputs, comm=None):
            opened.append(world_of(inputs, comm))
            return opened[-1]

        def flows():
            yield {}
            yield {"flow": flow}
            raise KeyError("no more")

        program.library.world_of = noted
        flow = [[1.0, 2.0]] * N
        results = program.run_many([{}, {"flow": flow}, {}, {}], flow=FLOW)
        self.assertEqual([result["found"].tolist() for result in results],
                         [summed(FLOW), summed(flow), summed(FLOW), summed(FLOW)])
        with self.assertRaises(KeyError):
            program.run_many(flows(), flow=FLOW)
        with self.assertRaisesRegex(diderot.Error, "the view has 3 values per element"):
            program.run_many([{"flow": FLOW}, {"flow": [[1.0, 2.0, 3.0]] * N}])
        self.assertEqual(len(opened), 5 + 3 + 2)
        for world in opened:
            self.refused("the world is closed", lambda world=world: world.num_strands)

    def test_runs_that_are_started(self):
        first, second = library("chain").world(flow=FLOW), library("chain").world()
        self.addCleanup(first.close)
        self.refused("[DIDEROT] flow: the other world is this one", first.share, "flow", first)
        first.start()
        second.share("flow", first)
        second.start(1)
        self.assertEqual((first.wait(), second.wait()), (1, 1))
        self.assertEqual(second["found"].tolist(), summed(FLOW))
        second.close()
        self.assertEqual(first["found"].tolist(), summed(FLOW))
        world = library("field").world(img=[[0.0] * N] * N)
        self.addCleanup(world.close)
        for call in (world.start, world.wait, lambda: world.share("img", world)):
            self.refused("the library is not for the target cuda or hip", call)

    def test_an_image_that_is_shared_by_its_name_in_other_letters(self):
        chain = library("chain")
        self.addCleanup(chain.spelled_inputs.clear)
        chain.spelled_inputs["φ"] = "flow"
        first, second = chain.world(flow=FLOW), chain.world()
        for world in (first, second):
            self.addCleanup(world.close)
        second.share("φ", first)
        second.run(1)
        self.assertEqual(second["found"].tolist(), summed(FLOW))

    def test_the_printer_of_a_started_run(self):
        world, said, refused = library("ticks").world(), [], []

        def meddle(text):
            said.append(text)
            for act in (world.close, world.wait):
                try:
                    act()
                except diderot.Error as error:
                    refused.append(str(error))

        world.on_print(meddle)
        world.start()
        self.assertEqual(world.wait(), 6)
        self.assertEqual(said, ["tick %d\n" % (k + 1) for k in range(6)])
        self.assertEqual(refused, ["a world that runs cannot be closed",
                                   "a world that runs cannot be waited for"] * 6)
        self.assertEqual(world["ticks"].tolist(), [6] * 3)
        world.close()
        world = library("ticks").world()
        said.clear()
        world.on_print(said.append)
        world.start()
        world.close()  # once it has ended
        self.assertEqual(len(said), 6)

    def test_signals_do_not_end_a_started_run(self):
        world, caught = library("ticks").world(), []
        self.addCleanup(world.close)

        def interrupt(text):
            if text == "tick 2\n":
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.05)  # the main thread takes it meanwhile

        world.on_print(interrupt)
        before = signal.signal(signal.SIGINT, lambda *_: caught.append(1))
        try:
            world.start()
            self.assertEqual((world.wait(), world.wait(), caught), (6, 6, [1]))
            self.assertEqual(world["ticks"].tolist(), [6] * 3)
            other = library("ticks").world()
            self.addCleanup(other.close)
            other.start(3)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # which the end of the run leaves
            self.assertEqual(other.wait(), 3)
            with open("/proc/self/status", encoding="ascii") as status:
                ignored = next(int(line.split()[1], 16) for line in status if line.startswith("SigIgn"))
            self.assertTrue(ignored >> (signal.SIGINT - 1) & 1)
            self.assertEqual(other.run(), 3)
        finally:
            signal.signal(signal.SIGINT, before)

    def test_shared_images_outlive_their_owner(self):
        for flow in (FLOW, array.array("f", sum(FLOW, []))):
            first, second, third = (library("chain").world() for _ in range(3))
            self.addCleanup(second.close)
            self.addCleanup(third.close)
            first["flow"] = memoryview(flow).cast("B").cast("f", (N, 2)) if flow is not FLOW else flow
            del flow
            second.share("flow", first)
            third.share("flow", second)
            first["flow"] = [[0.0, 0.0]] * N
            first.close()
            gc.collect()
            for world in (second, third):
                world.run()
                self.assertEqual(world["found"].tolist(), summed(FLOW))

    def test_runs_share_them(self):
        program = made(library("chain"), "chain.diderot")
        first = program(flow=FLOW)
        shown = first.on_device("found")
        for result in program.run_many([{"flow": shown}, {"flow": diderot.Image(shown)}]):
            self.assertEqual(result["found"].tolist(), summed(summed(FLOW)))


class Refusals(Case):
    def setUp(self):
        self.shown = self.run_chain(FLOW).output("found", memory="cuda")

    def test_memory(self):
        lead = "[DIDEROT] flow: cannot use the given array: "
        held = array.array("f", [0.0] * 16)
        host = Interface(self.shown, data=(held.buffer_info()[0], False))
        self.refused_flow(lead + "it is not memory of a device", host)
        self.refused_flow(lead + "the view begins at an address that is not a multiple of the sample's 4",
                          Interface(self.shown, data=(self.shown.address + 1, False)))
        self.refused_flow(lead + "the stride of axis 0 of the view is 6 bytes, expected a multiple of the "
                          "sample's 4", Interface(self.shown, strides=(6, 4)))
        self.refused_flow(lead + "the view has 3 values per element, expected 2",
                          Interface(self.shown, shape=(N, 3)))
        world = library("chain").world()
        self.addCleanup(world.close)
        with self.assertRaisesRegex(diderot.Error, "the view has [0-9]+ bytes from byte [0-9]+ on of memory "
                                    "of a device that has [0-9]+"):
            world["flow"] = Interface(self.shown, shape=(100000, 2), strides=(4, 4))

    def test_memory_that_is_gone(self):
        shown = Interface(self.shown)
        world = library("chain").world(flow=shown)
        self.addCleanup(world.close)
        self.shown.world.close()
        lead = "[DIDEROT] flow: cannot use the given array: "
        self.refused(lead + "it is not memory of a device", world.run)
        self.refused_flow(lead + "it is not memory of a device", shown)

    def test_types(self):
        self.refused_flow("flow: expected numbers everywhere, found an array of a device with a mask",
                          Interface(self.shown, mask=self.shown))
        self.refused_flow("flow: arrays of type f2 are no arrays of numbers",
                          Interface(self.shown, typestr="<f2"))
        self.refused_flow("flow: arrays must have the byte order of this machine",
                          Interface(self.shown, typestr=">f4"))

    def test_packages_that_fail(self):
        class Failing:
            def __dlpack__(self, stream=None):
                raise BufferError("it needs a gradient")

            def __dlpack_device__(self):
                return (2, 0)

        self.refused_flow("flow: the Failing does not show its memory: it needs a gradient", Failing())

    def test_libraries_for_the_host(self):
        self.refused("img: the __main__.Interface is not in memory of the host, and the library is not for the target "
                     "cuda or hip", library("field").world, img=Interface(self.shown))
        world = library("field").world(img=[[0.0] * N] * N)
        self.addCleanup(world.close)
        self.refused("value: the library is not for the target cuda or hip", world.output, "value",
                     memory="cuda")


class Outputs(Case):
    def test_they_are_shown(self):
        world = self.run_chain(FLOW)
        shown = world.output("found", memory="cuda")
        interface = shown.__cuda_array_interface__
        self.assertEqual((shown.shape, shown.strides[0], shown.kind), ((N, 2), 4, "float32"))
        self.assertEqual((interface["typestr"], interface["shape"], interface["stream"]),
                         ("<f4" if sys.byteorder == "little" else ">f4", (N, 2), None))
        self.assertEqual(shown.__dlpack_device__(), (2, 0))
        self.assertIn("(8, 2) of float32", repr(shown))
        self.assertFalse(hasattr(shown, "__array_interface__"))

    def test_the_number_of_the_device(self):
        os.environ["DDR_SHIM_DEVICES"] = "3"
        try:
            shown = self.run_chain(FLOW, 2).output("found", memory="cuda")
            self.assertEqual(shown.__dlpack_device__(), (2, 2))
            self.assertEqual(self.run_chain(shown, 2)["found"].tolist(), summed(summed(FLOW)))
            world = library("chain").world(flow=shown)
            self.addCleanup(world.close)
            self.refused("[DIDEROT] flow: cannot use the given array: it is memory of device 2, but the "
                         "strands run on device 0", world.run)
        finally:
            del os.environ["DDR_SHIM_DEVICES"]

    def test_what_is_not_there(self):
        world = self.run_chain(FLOW, "none")
        self.refused("[DIDEROT] found: the CPU does the work, so the output is in memory of the host",
                     world.output, "found", memory="cuda")
        self.refused('memory: expected "host" or "cuda", found \'moon\'', world.output, "found",
                     memory="moon")

    def test_they_keep_their_world(self):
        world = library("chain").world(flow=FLOW)
        world.run()
        shown = world.output("found", memory="cuda")
        del world
        gc.collect()
        self.assertEqual(self.run_chain(shown)["found"].tolist(), summed(summed(FLOW)))


if __name__ == "__main__":
    unittest.main(verbosity=0)
