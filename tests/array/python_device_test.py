"""diderot.array with memory of devices, by a library in which loops of the host stand for a device
($DIDEROT_ARRAY_CUDA_LIBRARY): AddressSanitizer finds what touches such memory but the device."""

import gc
import os
import subprocess
import sys

from common import ROOT, Case, main, needs_numpy, numpy  # which finds the package
from diderot import array


class Interface:
    """Nothing but memory of a device, as CuPy and Numba show it."""

    def __init__(self, view, **changed):
        self.view = view
        self.__cuda_array_interface__ = dict(view.__cuda_array_interface__, **changed)


class Tensor:
    """Nothing but DLPack, as PyTorch and JAX have it."""

    def __init__(self, view):
        self.view, self.streams = view, []

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.view.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.view.__dlpack_device__()


def on_device(numbers, kind="float32", memory="cuda"):
    return array.View(numbers).cast(kind).to(memory)


class Memory(Case):
    def test_there_is_a_device(self):
        self.assertEqual(array.devices(), 1)
        array.use_device(0)
        self.refused("ENODEVICE", array.use_device, 1)
        self.refused("ENODEVICE", array.use_device, -1)

    def test_arrays_go_there_and_back(self):
        there = on_device([[1, 2, 3], [4, 5, 6]])
        self.assertEqual(there.memory, "cuda")
        self.assertEqual(there.to("host").memory, "host")
        self.assertEqual(there.tolist(), [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(there[1, ::-2].tolist(), [6, 4])
        self.assertEqual((there[0, 1].item(), float(there[1, 2])), (2, 6))
        self.assertEqual(there.copy().memory, "cuda")
        self.assertEqual(there.to("unified").memory, "unified")
        self.refused("ERESIDENCY", there.to, "moon")
        self.refused("ERESIDENCY", array.empty, (2, 3), pitches=(24, 12), memory="cuda")

    def test_interfaces_are_not_copied(self):
        view = on_device([[1, 2, 3], [4, 5, 6]])
        shown = array.View(Interface(view.permute(1, 0).flip(0)))
        self.assertEqual((shown.memory, shown.tolist()), ("cuda", [[3, 6], [2, 5], [1, 4]]))
        shown[0] = 9
        self.assertEqual(view.tolist(), [[1, 2, 9], [4, 5, 9]])
        waiting = array.View(Interface(view, stream=1))  # CUDA's first stream
        self.assertEqual(waiting.tolist(), view.tolist())
        self.refused("ETYPE", array.View, Interface(view, mask=view))
        self.refused("ETYPE", array.View, Interface(view, typestr="<f2"))
        constant = array.View(Interface(view, data=(view.__cuda_array_interface__["data"][0], True)))
        self.refused("EALIAS", constant.assign, 0)
        packed = array.View(Interface(view, strides=None))
        self.assertEqual(packed.strides, (3, 1))

    def test_interfaces_are_of_one_memory(self):
        host, device, both = (on_device([1, 2], memory=m) for m in ("host", "cuda", "unified"))
        found = [(hasattr(v, "__array_interface__"), hasattr(v, "__cuda_array_interface__"))
                 for v in (host, device, both)]
        self.assertEqual(found, [(True, False), (False, True), (True, True)])
        self.assertIsNone(device.__cuda_array_interface__["stream"])
        empty = array.zeros((0, 3), memory="cuda")
        self.assertEqual(empty.__cuda_array_interface__["data"][0], 0)

    def test_dlpack_leads_in_and_out(self):
        for memory, kind in (("cuda", 2), ("unified", 13)):
            view = on_device([[1, 2, 3], [4, 5, 6]], memory=memory)
            tensor = Tensor(view[:, ::-1])
            self.assertEqual(tensor.__dlpack_device__(), (kind, 0))
            shown = array.View(tensor)
            self.assertEqual(tensor.streams, [1])
            self.assertEqual((shown.memory, shown.tolist()), (memory, [[3, 2, 1], [6, 5, 4]]))
            del tensor
            gc.collect()
            shown[:, 0] = 0
            self.assertEqual(view.tolist(), [[1, 2, 0], [4, 5, 0]])

        class Elsewhere:
            def __dlpack__(self):
                raise AssertionError("it was asked")

            def __dlpack_device__(self):
                return (10, 0)  # ROCm

        self.refused("ERESIDENCY", array.View, Elsewhere())

    @needs_numpy
    def test_numpy_gets_no_memory_of_devices(self):
        self.refused("ERESIDENCY", numpy.asarray, on_device([1, 2]))
        both = on_device([1, 2], memory="unified")
        self.assertEqual(numpy.asarray(both).tolist(), [1, 2])
        self.assertEqual(numpy.asarray(array.View([1, 2])).tolist(), [1, 2])


class Work(Case):
    def test_results_are_where_operands_are(self):
        there = on_device([[1, -2, 3], [4, 5, -6]])
        for found, want in [
                (there * 2 + 1, [[3, -3, 7], [9, 11, -11]]),
                (abs(there), [[1, 2, 3], [4, 5, 6]]),
                (array.clip(there, -1, 4), [[1, -1, 3], [4, 4, -1]]),
                (array.sum(there, axis=0), [5, 3, -3]),
                (array.max_element(there, axis=1), [3, 5]),
                (array.add(there, 1, where=there > 0), [[2, 0, 4], [5, 6, 0]]),
                (array.div(there, there, where=there > 4), [[0, 0, 0], [0, 1, 0]]),
                (there.cast("int16"), [[1, -2, 3], [4, 5, -6]])]:
            self.assertEqual((found.memory, found.tolist()), ("cuda", want))
        self.assertEqual(array.sum(there), 5)
        self.assertEqual(array.sum(there, where=there < 0), -8)
        self.assertEqual(array.dot(there, there), 91)

    def test_outputs(self):
        there = on_device([[1, 2, 3], [4, 5, 6]])
        out = array.zeros((3, 2), "float64", memory="cuda")
        self.assertIs(array.neg(there.permute(1, 0), out=out), out)
        self.assertEqual(out.tolist(), [[-1, -4], [-2, -5], [-3, -6]])
        total = array.zeros((), "float64", memory="cuda")
        array.sum(there, out=total)
        self.assertEqual(total.item(), 21)
        means = array.zeros(2, "float32", memory="host")  # from one memory to the other
        array.mean(there, axis=1, out=means)
        self.assertEqual(means.tolist(), [2, 5])
        there[there > 4] = 0
        there[0, 0] = 7
        there += 1
        self.assertEqual(there.tolist(), [[8, 3, 4], [5, 1, 1]])
        array.fill(there, 2, where=there < 2)
        self.assertEqual(there.tolist(), [[8, 3, 4], [5, 2, 2]])

    def test_memories_do_not_mix_unasked(self):
        there, here = on_device([1, 2, 3]), on_device([1, 2, 3], memory="host")
        self.refused("ERESIDENCY", array.add, there, here)
        self.refused("ERESIDENCY", array.add, here, here, out=there)
        self.refused("ERESIDENCY", array.Convolution([1.0, 2]), there)
        self.refused("ERESIDENCY", array.decimate, there, [2])
        there.assign(here)
        here[::2] = there[1:]
        self.assertEqual(here.tolist(), [2, 2, 3])


class Missing(Case):
    """Another process, without the library or without a device."""

    def said(self, **env):
        program = ("import sys\nsys.path.insert(0, sys.argv[1])\nfrom diderot import array\n"
                   "print(array.devices())\n"
                   "class Shown:\n"
                   "  __cuda_array_interface__ = {'shape': (1,), 'typestr': '|u1', 'data': (4096, False), "
                   "'version': 3}\n"
                   "for make in (lambda: array.View(Shown()), lambda: array.zeros(2, memory='cuda')):\n"
                   "  try:\n    make()\n  except array.ArrayError as error:\n"
                   "    print(error.status, '|', error)\n")
        made = subprocess.run([sys.executable, "-c", program, os.path.join(ROOT, "runtime", "python")],
                              env=dict(os.environ, **env), capture_output=True, text=True, check=True)
        return made.stdout.splitlines()

    def test_library(self):
        n_devices, *errors = self.said(DIDEROT_ARRAY_CUDA_LIBRARY="/nowhere/lib.so")
        self.assertEqual((n_devices, len(errors)), ("0", 2))
        for line in errors:
            self.assertRegex(line, r"^ERESIDENCY \| an array of a device needs libddr-array-cuda\.so "
                                   r"\(DIDEROT_ARRAY_CUDA_LIBRARY says where it is\): /nowhere/lib\.so: ")

    def test_device(self):
        self.assertEqual(self.said(DDR_SHIM_DEVICES="0"), [
            "0", *["ENODEVICE | device 0: there is no such device, or no driver for it"] * 2])


main()
