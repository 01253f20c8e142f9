"""What must not break: folders that cannot be written to, hundreds of libraries, worlds that nobody
frees, arrays that change while they are bound. Each an exception or a warning, never a crash.
"""

import array
import copy
import ctypes
import gc
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import weakref

from common import COUNT, PROBE_2, as_lists, environment, numpy
import common
import diderot

FLAT = [[10.0 * y + 2.0 * x for x in range(8)] for y in range(7)]


class Caches(unittest.TestCase):
    """Where nothing can be kept, programs are compiled all the same."""

    def check(self, reason, told="is not kept: ", **variables):
        """It warns of that, and once of an input that the program does not use."""
        with environment(**variables), warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always")
            program = diderot.compile(COUNT.replace("const", "input int idle = 1;\nconst"))
        self.assertEqual(as_lists(program(rows=1).sum), [[2.5] * 4])
        self.assertEqual([doubt.category for doubt in doubts], [diderot.CompileWarning] * 2)
        self.assertIn("input 'idle' is not used", str(doubts[0].message))
        self.assertRegex(str(doubts[1].message), "^the program's library " + told + ".*(" + reason + ")")

    def test_no_folder(self):
        self.check("/dev/null/diderot", XDG_CACHE_HOME="/dev/null")
        self.check("neither XDG_CACHE_HOME nor HOME", XDG_CACHE_HOME=None, HOME=None)
        with tempfile.TemporaryDirectory() as folder:
            home = os.path.join(folder, "home")
            self.check("cannot find '" + home, XDG_CACHE_HOME=None, HOME=home)
            self.assertFalse(os.path.exists(home))

    def test_folders_of_others(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "diderot"))
            os.chmod(os.path.join(folder, "diderot"), 0o777)
            self.check("others may write to", XDG_CACHE_HOME=folder)

    @unittest.skipIf(os.geteuid() == 0, "nothing is read-only for root")
    def test_read_only_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o500)
            self.check("cannot make the folder", XDG_CACHE_HOME=folder)

    def test_folders_for_data_only(self):
        """From which the system loads no code."""
        with tempfile.TemporaryDirectory() as folder:
            compiler, data = os.path.join(folder, "diderotc"), os.path.join(folder, "data")
            with open(compiler, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n[ \"$XDG_CACHE_HOME\" = %s ] || exec %s \"$@\"\n%s \"$@\" | sed 1s,.*,%s,\n" % (
                    data, os.environ["DIDEROTC"], os.environ["DIDEROTC"], compiler))
            os.chmod(compiler, 0o700)
            self.check("invalid ELF header|file too short", "cannot be loaded from where it is kept: ",
                       XDG_CACHE_HOME=data, DIDEROTC=compiler)
            with open(compiler, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n%s \"$@\" | sed 1s,.*,%s,\n" % (os.environ["DIDEROTC"], compiler))
            with environment(DIDEROTC=compiler):
                with self.assertRaisesRegex(diderot.Error, "cannot load the program's library: .*diderotc"):
                    diderot.compile(COUNT)

    def test_full_folders(self):
        """Files there may have 512 bytes."""
        with tempfile.TemporaryDirectory() as folder:
            compiler, full = os.path.join(folder, "diderotc"), os.path.join(folder, "full")
            with open(compiler, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n[ \"$XDG_CACHE_HOME\" != %s ] || ulimit -f 1\nexec %s \"$@\"\n" % (
                    full, os.environ["DIDEROTC"]))
            os.chmod(compiler, 0o700)
            self.check(".", XDG_CACHE_HOME=full, DIDEROTC=compiler)
            left = [name for _, _, names in os.walk(full) for name in names]
            self.assertEqual([name for name in left if name.endswith(".so")], [])


class Proxies(unittest.TestCase):

    def check(self, content, problem):
        """Of a proxy, where files may have a few kilobytes."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "proxy.txt"), "wb") as file:
                file.write(content)
            with open(os.path.join(folder, "some.diderot"), "w", encoding="utf-8") as file:
                file.write(PROBE_2.replace("img (\"samples\");", "img (\"samples\") = load_image(\"proxy.txt\");"))
            told = subprocess.run(["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$DIDEROTC\" --check some.diderot"],
                                  cwd=folder, capture_output=True, check=False)
        self.assertIn("proxy image \"proxy.txt\" cannot be read: " + problem, told.stderr.decode("utf-8"))

    def test_a_copy_that_does_not_fit(self):
        self.check(b"1 2 3 4\n" * 4000 + b"5 6 7 8", "File too large")

    def test_no_copy_of_other_files(self):
        self.check(b"1" + bytes(40000) + b"2", "line 1 of the header has a NUL character")


class Libraries(unittest.TestCase):

    def test_hundreds_of_libraries(self):
        """Each with a runtime of its own, all of them in use."""
        program = diderot.compile(COUNT)
        description = program.library.description
        with tempfile.TemporaryDirectory() as folder:
            worlds = []
            for k in range(300):
                path = os.path.join(folder, "%d.so" % k)
                shutil.copy(program.library.path, path)
                worlds.append(diderot.Library(description, path).world(scale=k, rows=1))
                os.remove(path)
        for k, world in enumerate(worlds):
            world.run()
            self.assertEqual(as_lists(world["sum"]), [[k] * 4])
        places = {ctypes.cast(world.library.runtime["run", "func"], ctypes.c_void_p).value
                  for world in worlds}
        self.assertEqual(len(places), 300)

    def test_runtimes_of_several_kinds(self):
        """Runs of one begin while those of another are under way."""
        programs = [diderot.compile(COUNT, **options) for options in (
            {}, {"double": True}, {"target": "sequential"}, {"debug": True}, {"long_int": True})]
        worlds = [program.world(scale=k) for k, program in enumerate(programs)]
        for _ in range(3):
            for world in worlds:
                world.run(1)
        for k, world in enumerate(worlds):
            self.assertEqual(as_lists(world["sum"])[2], [3 * k] * 4)

    def test_no_world(self):
        """As from a library that was made for another runtime."""
        compiler = (os.environ.get("DIDEROT_CC") or "cc").split()
        with tempfile.TemporaryDirectory() as folder:
            source, shared = os.path.join(folder, "none.c"), os.path.join(folder, "none.so")
            with open(source, "w", encoding="utf-8") as file:
                file.write("void *none_new_world(void) { return 0; }\n")
            subprocess.run(compiler + ["-shared", "-fPIC", "-o", shared, source], check=True)
            known = dict(diderot.compile(COUNT).library.description, inputs=[], outputs=[])
            new_world = next(entry for entry in known["runtime"] if entry["name"] == "new_world")
            known["runtime"] = [dict(new_world, func=dict(new_world["func"], name="none_new_world"))]
            library = diderot.Library(known, shared)
            with self.assertRaisesRegex(diderot.Error, "there is no world: .* another version"):
                library.world()
            known["runtime"][0]["func"]["name"] = "no_such_function"
            with self.assertRaises(AttributeError):
                diderot.Library(known, shared)
            with self.assertRaises(OSError):
                diderot.Library(known, source)

    def test_compiled_in_several_threads(self):
        found = []

        def work(k):
            source = COUNT.replace("= 2.5;", "= %d;" % (k % 2 + 10))
            found.append((k % 2 + 10, as_lists(diderot.compile(source)(rows=1).sum)))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(found), [(k, [[k] * 4]) for k in (10, 10, 11, 11)])


class Worlds(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.count = diderot.compile(COUNT)
        cls.probe = diderot.compile(PROBE_2)

    def test_worlds_go_at_once(self):
        """With the last of what shows them, not when cycles are looked for."""
        gc.collect()
        gc.disable()
        try:
            result = self.count(loud=True)
            world = weakref.ref(result._world)  # pylint: disable=protected-access
            found = result.sum
            del result
            self.assertEqual(world() is None, numpy is None)  # memoryviews are copies
            self.assertEqual(as_lists(found)[1], [5.0] * 4)
            del found
            self.assertIsNone(world())
        finally:
            gc.enable()

    def test_a_closed_world(self):
        world = self.count.world()
        world.close()
        world.close()
        for use in (world.run, world.create, lambda: world["sum"], lambda: world.set("scale", 1),
                    lambda: world.num_strands, lambda: world.set_num_workers(1)):
            with self.assertRaisesRegex(diderot.Error, "the world is closed"):
                use()

    def test_copies(self):
        """Of programs, also in another process; not of worlds, whose memory would be freed twice."""
        for made in (copy.copy(self.count), copy.deepcopy(self.count),
                     pickle.loads(pickle.dumps(self.count))):
            self.assertEqual(made.inputs, self.count.inputs)
            self.assertEqual(as_lists(made(scale=3, rows=1).sum), [[3] * 4])
        code = ("import os, pickle, sys; sys.path[:0] = %r\n"
                "program = pickle.load(sys.stdin.buffer)\n"
                "print(program.name, program(word='or', loud=True, rows=1).printed, end='')" % (
                    [] if common.MODULE == "-" else [common.MODULE]))
        with environment(LD_PRELOAD=common.PRELOAD):
            told = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(self.count),
                                  stdout=subprocess.PIPE, check=True)
        self.assertEqual(told.stdout.decode(), "program or 0 7 0\n")
        gone = diderot.compile(COUNT, cache=False)
        for made in (copy.copy(gone), copy.deepcopy([gone])[0]):
            self.assertEqual(as_lists(made(scale=3, rows=1).sum), [[3] * 4])
        with self.assertRaisesRegex(diderot.Error, "library of the program is not kept any more"):
            pickle.loads(pickle.dumps(gone))
        for use in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(diderot.Error, "a world cannot be copied, nor pickled"):
                use(self.count.world())

    def test_the_wrong_order(self):
        world = self.count.world()
        with self.assertRaisesRegex(diderot.Error, "must call .*create_strands before"):
            world["sum"]  # pylint: disable=pointless-statement
        world.run()
        with self.assertRaisesRegex(diderot.Error, "inputs must be set before creating strands"):
            world.set("scale", 3)
        with self.assertRaisesRegex(diderot.Error, "multiple calls"):
            world.create()
        self.assertEqual(world.run(), 0)
        for use in (world.checkpoint, world.resume):
            with self.assertRaisesRegex(diderot.Error, "path: expected the name of a file, found int"):
                use(3)
            with self.assertRaisesRegex(diderot.Error, "path: '.ud800' has characters that cannot be"):
                use("\ud800")
        with self.assertRaisesRegex(diderot.Error, "no input 'scal'; did you mean 'scale'"):
            world.default("scal")

    def test_printers_that_fail(self):
        world = self.count.world(loud=True)

        def fail(text):
            raise ValueError(text)

        world.on_print(fail)
        with self.assertRaisesRegex(ValueError, "it is"):
            world.run()
        with self.assertRaisesRegex(diderot.Error, "on_print: expected a function or None, found 3"):
            world.on_print(3)

    def test_a_world_that_runs(self):
        """Another thread cannot close or change it; the run goes on."""
        begun, go, found = threading.Event(), threading.Event(), []

        def wait(_):
            begun.set()
            go.wait(60)

        with self.count.world(loud=True, rows=1) as world:
            world.on_print(wait)
            thread = threading.Thread(target=lambda: found.append(world.run()))
            thread.start()
            begun.wait(60)
            try:
                for use in (world.run, world.create, lambda: world["sum"], lambda: world.set("scale", 1)):
                    with self.assertRaisesRegex(diderot.Error, "the world runs, and cannot be changed by"):
                        use()
                with self.assertRaisesRegex(diderot.Error, "a world that runs cannot be closed"):
                    world.close()
            finally:
                go.set()
                thread.join()
            self.assertEqual((found, as_lists(world["sum"])), ([1], [[2.5] * 4]))

    def test_what_another_thread_tries(self):
        """Is an error there; the run takes all its steps, and fails only for reasons of its own."""
        begun, go, found = threading.Event(), threading.Event(), []

        def wait(_):
            begun.set()
            go.wait(60)
            if is_bad:
                raise KeyError("bad")

        def run():
            try:
                found.append(world.run())
            except KeyError as error:
                found.append(str(error))

        for is_bad in (False, True):
            begun.clear()
            go.clear()
            with self.count.world(loud=True, rows=3) as world:
                world.on_print(wait)
                thread = threading.Thread(target=run)
                thread.start()
                begun.wait(60)
                try:
                    for _ in range(3):
                        with self.assertRaisesRegex(diderot.Error, "^[^\n]*the world runs, and cannot be"
                                                    " changed by a print callback or another thread$"):
                            world.set("scale", 1)
                finally:
                    go.set()
                    thread.join()
                self.assertEqual(found.pop(), "'bad'" if is_bad else 3)
                if not is_bad:
                    self.assertEqual(as_lists(world["sum"]), [[2.5 * (row + 1)] * 4 for row in range(3)])

    def test_arrays_that_change_their_size(self):
        held = array.array("f", [2, 3])
        at = memoryview(held).cast("B").cast("f", (1, 2))
        with self.probe.world(img=FLAT, at=at) as world:
            with self.assertRaises(BufferError):
                held.append(1)
            world.run()
        del at
        held.append(1)
        if numpy is None:
            return
        at = numpy.zeros((2, 2), "f4")
        with self.probe.world(img=FLAT, at=at):
            with self.assertRaises(ValueError):
                at.resize((4, 2))

    def test_broken_arrays(self):
        """What says of itself what cannot be."""
        class Broken:
            def __init__(self, **interface):
                self.held = (ctypes.c_float * 56)()
                self.__array_interface__ = dict(
                    {"version": 3, "typestr": "<f4", "shape": (7, 8), "strides": None,
                     "data": (ctypes.addressof(self.held), False)}, **interface)

        numbers = "expected numbers|no arrays of numbers"
        self.probe(img=Broken(), at=[])
        for interface, reason in (({"typestr": "|O"}, numbers), ({"shape": (7,)}, "rank 1, expected 2"),
                                  ({"typestr": "<c8"}, numbers), ({"typestr": "|S3"}, numbers),
                                  ({"shape": (7, 0)}, "img"), ({"shape": ()}, "rank 0"),
                                  ({"data": (0, False)}, "no data|NULL|img")):
            with self.assertRaisesRegex(diderot.Error, reason):
                self.probe(img=Broken(**interface), at=[])


if __name__ == "__main__":
    common.main()
