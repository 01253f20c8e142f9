"""What a second thread gains in diderot.array, on a machine that others use, too: the processor time of one
thread over that of the longer of two, and over the half of both, the least of some calls each. Not a test:
nothing is compared with a limit.

    DIDEROT_ARRAY_LIBRARY=.../libddr-array.so python3 tests/bench/array_threads.py

Threads take parts of the work in turn, so on two idle processors both would be busy as long as the
longer one. Where others keep a processor busy, the second thread begins late and the first one does more:
the half says what there would be to gain. It takes numpy.
"""

import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime",
                                "python"))
# pylint: disable=wrong-import-position,import-error
import numpy  # noqa: E402

from diderot import array  # noqa: E402


def processor_times(call):
    """Of this thread, and of all others."""
    whole, here = time.process_time(), time.thread_time()
    call()
    here = time.thread_time() - here
    return here, time.process_time() - whole - here


def row(name, call):
    one = two = half = float("inf")
    for _ in range(25):
        one = min(one, sum(processor_times(lambda: call(1))))
        both = processor_times(lambda: call(2))
        two, half = min(two, max(both)), min(half, sum(both) / 2)
    print("%-36s %9.3f ms %9.3f ms %7.2f %9.3f ms %7.2f" % (
        name, 1e3 * one, 1e3 * two, one / two, 1e3 * half, one / half), flush=True)


def convolution(name, kernel, image, **settings):
    tasks = [array.Convolution(kernel, threads=n, **settings) for n in (1, 2)]
    out = tasks[0](image)
    row(name, lambda n: tasks[n - 1](image, out=out))


def main():
    rng = numpy.random.default_rng(1)
    print("%-36s %12s %12s %7s %12s %7s" % ("", "one thread", "two", "ratio", "half of both", "ratio"))
    for kind in ("f4", "f8"):
        view = array.View(rng.uniform(0.1, 9, 1 << 22).astype(kind))
        out = array.empty(view.shape, view.type)
        for name in ("exp", "log", "bessel_log_0"):
            function = getattr(array, name)
            row("%s %s" % (name, kind), lambda n: function(view, out=out, threads=n))
    view = array.View(rng.uniform(-9, 9, 1 << 21) + 1j * rng.uniform(1, 9, 1 << 21))
    row("l1 c16", lambda n: array.l1(view, threads=n))
    view = array.View(rng.uniform(0, 1, 1 << 22))
    row("compensated sum f8", lambda n: array.sum(view, compensated=True, threads=n))
    view = array.View(rng.uniform(0, 1, (300,) * 3).astype("f4"))
    for axis in range(3):
        row("sum along axis %d of 300^3 f4" % axis, lambda n: array.sum(view, axis=axis, threads=n))
    for kernel, image, mode in (((7,) * 3, (128,) * 3, "direct"), ((15,) * 2, (1024,) * 2, "direct"),
                                ((23,), (1 << 22,), "direct"), ((2047,), (10**6,), "fft"),
                                ((31,) * 2, (1024,) * 2, "fft")):
        parts = [rng.uniform(-1, 1, shape).astype("f4") for shape in (kernel, image)]
        convolution("%d^%d f4 in %d^%d, %s" % (kernel[0], len(kernel), image[0], len(image), mode),
                    *parts, mode=mode)
    view = array.View(rng.uniform(-1, 1, (128,) * 3).astype("f4"))
    out = array.empty(view.shape, view.type)
    for how in (False, True):
        row("prefilter of 128^3 f4, %s" % ("recursion" if how else "taps"),
            lambda n: array.prefilter(view, 5, recursion=how, out=out, threads=n))


if __name__ == "__main__":
    main()
