"""How fast diderot.array convolves beside scipy and Intel's MKL, each on one thread, in one run: for each
convolution the best time of some calls, and the ratio to the better peer; with --modes how good the choice
of mode="auto" is for 40 random shapes; with --forms what a result costs by direct sums where arrays have
strides, their axes are turned or results decimated, over that of plain arrays. Not a test: nothing is
compared with a limit.

    DIDEROT_ARRAY_LIBRARY=.../libddr-array.so python3 tests/bench/convolution_peers.py [--modes [SEED] | --forms]

Beyond numpy and scipy it takes mkl (pip install mkl), which it does without where it is not there.
"""

import ctypes
import glob
import os
import random
import sys
import time

sys.dont_write_bytecode = True
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime",
                                "python"))
# pylint: disable=wrong-import-position,import-error
import numpy  # noqa: E402
import scipy.signal  # noqa: E402

from diderot import array  # noqa: E402


def processor_time(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def best_of(*calls):
    """Milliseconds of each, called in turn, so that a busy machine disturbs them alike."""
    times = [[] for _ in calls]
    first = max(processor_time(call) for call in calls)
    for _ in range(max(3, min(15, int(1.5 / (first + 1e-6))))):
        for call, its_times in zip(calls, times):
            its_times.append(processor_time(call))
    return [1e3 * min(its_times) for its_times in times]


def load_mkl():
    found = glob.glob(os.path.join(sys.prefix, "lib", "libmkl_rt.so*"))
    return ctypes.CDLL(found[0]) if found else None


def mkl_convolution(mkl, kernel, image):
    """A call that convolves doubles, or complex floats, along one axis; None where there is no MKL."""
    kinds = {"f8": "d", "f4": "s", "c8": "c", "c16": "z"}
    kind = kinds.get(image.dtype.str[1:])
    if mkl is None or image.ndim > 1 or kind is None:
        return None
    out = numpy.empty(len(kernel) + len(image) - 1, image.dtype)
    task = ctypes.c_void_p()
    new = getattr(mkl, "vsl%sConvNewTask1D" % kind)
    new(ctypes.byref(task), 2, len(kernel), len(image), len(out))  # 2: the mode it thinks is best
    run = getattr(mkl, "vsl%sConvExec1D" % kind)
    pointers = [ctypes.c_void_p(its.ctypes.data) for its in (kernel, image, out)]
    one = ctypes.c_int(1)

    def call():
        status = run(task, pointers[0], one, pointers[1], one, pointers[2], one)
        assert status == 0, status
        return out, kernel, image
    return call


def row(name, kernel, image, mkl, mode="auto", **settings):
    task = array.Convolution(kernel, mode=mode, **settings)
    out = numpy.asarray(task(image))
    view, result = array.View(image), array.View(out)
    peers = {"oaconvolve": lambda: scipy.signal.oaconvolve(image, kernel),
             "fftconvolve": lambda: scipy.signal.fftconvolve(image, kernel)}
    if kernel.size < 100:
        peers["convolve"] = lambda: scipy.signal.convolve(image, kernel, method="direct")
    of_mkl = mkl_convolution(mkl, kernel, image)
    if of_mkl:
        peers["mkl"] = of_mkl
    if not settings:
        scale = numpy.abs(out).max()
        assert numpy.abs(peers["fftconvolve"]() - out).max() < 1e-4 * scale
    mine, *others = best_of(lambda: task(view, out=result), *peers.values())
    least = min(others)
    print("%-44s %-6s %9.3f ms %9.3f ms %-11s %6.2f" % (
        name, task.mode, mine, least, list(peers)[others.index(least)], mine / least), flush=True)


def modes(seed):
    """mode="auto" against the better of both."""
    rng, worst = random.Random(seed), 0.0
    for number in range(40):
        rank = 1 + number % 3
        most = {1: 200000, 2: 700, 3: 80}[rank]
        few = {1: 5000, 2: 60, 3: 14}[rank]
        image = [int(most ** rng.uniform(0.6, 1)) for _ in range(rank)]
        kernel = [max(1, min(side, int(few ** rng.uniform(0.3, 1)))) for side in image]
        kind = rng.choice(("f4", "f8"))
        x, y = numpy.ones(kernel, kind), numpy.ones(image, kind)
        tasks = [array.Convolution(x, mode=mode) for mode in ("direct", "fft", "auto")]
        out = numpy.asarray(tasks[0](y))
        for task in tasks[1:]:
            task(y, out=out)
        view, result = array.View(y), array.View(out)
        direct, fft = best_of(*[lambda task=task: task(view, out=result) for task in tasks[:2]])
        ratio = (direct if tasks[2].mode == "direct" else fft) / min(direct, fft)
        worst = max(worst, ratio)
        print("%-16s %-16s %s direct %9.3f ms fft %9.3f ms auto %-6s %5.2f" % (
            kernel, image, kind, direct, fft, tasks[2].mode, ratio), flush=True)
    print("worst %.2f" % worst)


def per_result(kernel, image, out=None, **settings):
    """A call with bound arrays, and the number of its results."""
    task = array.Convolution(kernel, mode="direct", range="same", **settings)
    result = numpy.asarray(task(image))
    view, given = array.View(image), array.View(result if out is None else out(result))
    return lambda: task(view, out=given), result.size


def form(name, changed, plain):
    times = best_of(changed[0], plain[0])
    cost, plain_cost = (1e6 * spent / its[1] for spent, its in zip(times, (changed, plain)))
    print("%-44s %9.3f ns %9.3f ns %6.2f" % (name, cost, plain_cost, cost / plain_cost), flush=True)


def turned(result):
    return numpy.empty(result.shape[::-1], result.dtype).T


def forms():
    """Direct sums of arrays that are not plain."""
    rng = numpy.random.default_rng(1)
    print("%-44s %12s %12s %6s" % ("a result of direct sums", "", "plain", "ratio"))
    for kind in ("f4", "f8"):
        def some(*shape, kind=kind):
            return rng.uniform(-1, 1, shape).astype(kind)
        cube, square = some(64, 64, 64), some(512, 512)
        form("8*8*9 beside 8*8*8 in 64^3 " + kind, per_result(some(8, 8, 9), cube),
             per_result(some(8, 8, 8), cube))
        for side in (500, 512, 1024):
            image, kernel = some(side, side), some(7, 7)
            plain = per_result(kernel, image)
            form("image turned, 7^2 in %d^2 %s" % (side, kind), per_result(kernel, image.T), plain)
            form("result turned, 7^2 in %d^2 %s" % (side, kind),
                 per_result(kernel, image, turned), plain)
        kernel = some(7, 7)
        plain = per_result(kernel, square)
        for steps in ((2, 2), (1, 2)):
            form("decimation %d, %d, 7^2 in 512^2 %s" % (*steps, kind),
                 per_result(kernel, square, decimation=steps), plain)
        form("image of stride 2, 7^2 in 512^2 " + kind,
             per_result(kernel, some(512, 1024)[:, ::2]), plain)
        row_of, kernel = some(1 << 18), some(23)
        plain = per_result(kernel, row_of)
        form("decimation 2, 23 in 2^18 " + kind, per_result(kernel, row_of, decimation=2), plain)
        form("image of stride 2, 23 in 2^18 " + kind, per_result(kernel, some(1 << 19)[::2]), plain)


def main():
    if "--forms" in sys.argv[1:]:
        forms()
        return
    if "--modes" in sys.argv[1:]:
        modes(int(sys.argv[2]) if len(sys.argv) > 2 else 3)
        return
    rng, mkl = numpy.random.default_rng(1), load_mkl()
    print("%-44s %-6s %12s %12s %-11s %6s" % ("", "mode", "ours", "peer", "", "ratio"))
    for kernel, image, kind in ((2047, 10**6, "f8"), (2047, 10**5, "f8"), (2047, 10**6, "f4"),
                                (23, 10**6, "f8"), (255, 4096, "f8")):
        parts = [rng.uniform(-1, 1, n).astype(kind) for n in (kernel, image)]
        row("%d %s in %d" % (kernel, kind, image), *parts, mkl)
        if kind == "f4":
            row("the same, precision float", *parts, mkl, precision="float32")
    parts = [rng.uniform(-1, 1, n) + 1j * rng.uniform(-1, 1, n) for n in (23, 10**6)]
    parts = [part.astype("c8") for part in parts]
    row("23 complex floats in 1000000", *parts, mkl)
    row("the same, precision float", *parts, mkl, precision="float32")
    row("31^2 f4 in 1024^2", *[rng.uniform(-1, 1, (n, n)).astype("f4") for n in (31, 1024)], mkl)
    row("7^3 f4 in 128^3", *[rng.uniform(-1, 1, (n,) * 3).astype("f4") for n in (7, 128)], mkl)
    row("8*8*9 f4 in 128^3, direct", rng.uniform(-1, 1, (8, 8, 9)).astype("f4"),
        rng.uniform(-1, 1, (128,) * 3).astype("f4"), mkl, mode="direct")
    row("8*8*8 f4 in 128^3, direct", rng.uniform(-1, 1, (8, 8, 8)).astype("f4"),
        rng.uniform(-1, 1, (128,) * 3).astype("f4"), mkl, mode="direct")


if __name__ == "__main__":
    main()
