"""Runs: by several threads, interrupted, watched, again and again, in a process that has forked."""

import contextlib
import io
import os
import resource
import signal
import sys
import threading
import time
import unittest

import common
from common import COUNT, as_lists
import diderot


class Runs(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.count = diderot.compile(COUNT)

    def test_several_threads(self):
        failures = []

        def work(scale):
            for _ in range(20):
                if as_lists(self.count(scale=scale, threads=1).sum)[1] != [2 * scale] * 4:
                    failures.append(scale)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_interrupts(self):
        """In supersteps and without them: soon, and the world goes on to the right end."""
        source = """#version 2.0
            input int limit = 100000000;  // of which one strand takes seconds
            %s
            strand s (int i, int j) {
               output int n = 0;
               output real x = 0;
               update { x = sin(x + i + j); n += 1; if (n >= limit) { stabilize; } }
            }
            %s
            create_array { s(i, j) | i in 0..399, j in 0..399 }
        """
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells may take away
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for parts, options in ((("", ""), ()), (("", ""), ["--scalar"]),
                               (("int steps = 0;", "update { steps += 1; }"), ())):
            world = diderot.compile(source % parts, warning="none", options=options).world()
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            begin = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                world.run()
            self.assertLess(time.monotonic() - begin, 0.3 + 0.2 + 2)  # of a machine that is busy
            timer.join()
            self.assertGreater(world.num_active, 0)
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
            world.close()

    def test_an_interrupted_run_goes_on(self):
        program = diderot.compile("""#version 2.0
            input int limit;
            strand s (int i, int j) {
               output int n = 0;
               output real x = 0;
               update { x = sin(x + i + j); n += 1; if (n >= limit) { stabilize; } }
            }
            create_array { s(i, j) | i in 0..399, j in 0..399 }
        """)
        limit, seconds = 10, 0
        while seconds < 0.2:  # ten times as long as until the interrupt
            limit *= 2
            begin = time.monotonic()
            expected = program(limit=limit).x
            seconds = time.monotonic() - begin
        seen = []
        before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))  # which raises nothing
        try:
            world = program.world(limit=limit)
            timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            world.run()
            timer.join()
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(seen, [1])
        self.assertEqual(world.num_active, 0)
        self.assertEqual(as_lists(world["x"]), as_lists(expected))

    def test_interrupts_before_the_first_step(self):
        program = diderot.compile(COUNT, warning="none")
        expected = program()
        world = program.world()
        run_once, seen = world._run_once, []

        def ended_at_once(max_steps):
            seen.append(max_steps)
            return 0 if len(seen) == 1 else run_once(max_steps)

        world._run_once = ended_at_once
        world.run()
        self.assertEqual(as_lists(world["sum"]), as_lists(expected.sum))

    def test_interrupts_while_it_prints(self):
        """At whatever place of the functions that are called with the text."""
        program = diderot.compile("""#version 2.0
            strand s (int i) {
               output int n = 0;
               update { n += 1; print("a"); if (n >= 20000) { stabilize; } }
            }
            create_array { s(i) | i in 0..9 }
        """, warning="none")

        def interrupt(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        hook = sys.unraisablehook
        for k in range(30):
            with program.world() as world:
                world.on_print(lambda text: None)
                with self.assertRaises(KeyboardInterrupt):
                    signal.setitimer(signal.ITIMER_REAL, 0.002 + 0.0001*k)
                    world.run()
            self.assertIs(sys.unraisablehook, hook)

    def test_progress(self):
        """Told in order; the result is that of a run in one piece."""
        seen = []
        source = COUNT.replace("rows = 3", "rows = 300").replace("int[3] fixed = {7, 8, 9}",
                                                                  "int[3] fixed = {0, 0, 0}")
        program = diderot.compile(source, warning="none")
        found = program(progress=seen.append)
        expected = program()
        self.assertEqual(as_lists(found.sum), as_lists(expected.sum))
        self.assertEqual((found.stats.steps, expected.stats.steps), (300, 300))
        self.assertGreater(len(seen), 3)
        self.assertEqual([told.steps for told in seen], sorted(told.steps for told in seen))
        self.assertEqual((seen[0].steps, seen[0].active, seen[0].stable), (1, 1196, 4))
        self.assertEqual((seen[-1].steps, seen[-1].active, seen[-1].strands), (300, 0, 1200))
        seen.clear()
        found = program(progress=seen.append, max_steps=5)
        self.assertEqual((found.stats.steps, seen[-1].steps, seen[-1].limit, seen[-1].active),
                         (5, 5, 5, 1180))
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            program(progress=True)
        self.assertRegex(said.getvalue().replace("\r", "\n"), "program: .*(300|100%)")

        def fail(told):
            raise ValueError(told.steps)

        with self.assertRaisesRegex(ValueError, "^1$"):
            program(progress=fail)

    def test_memory_does_not_grow(self):
        before = None
        for k in range(10000):
            self.count(scale=k, threads=1).sum  # pylint: disable=expression-not-assigned
            if k == 2000:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(after - before, 4096)  # KiB; a world is larger than the 0.5 that this allows

    def test_after_fork(self):
        self.count()
        child = os.fork()
        if child == 0:
            status = 1
            with contextlib.suppress(BaseException):
                status = 0 if as_lists(self.count(scale=3).sum)[0] == [3] * 4 else 1
            os._exit(status)  # pylint: disable=protected-access
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    common.main()
