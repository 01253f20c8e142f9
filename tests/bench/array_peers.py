"""How fast diderot.array is beside numpy, both on one thread, in one run: for each operation the best
processor time of some calls, and the ratio. Not a test: nothing is compared with a limit.

    DIDEROT_ARRAY_LIBRARY=.../libddr-array.so python3 tests/bench/array_peers.py [ELEMENTS [WORD]]

WORD: only rows whose names have it.
"""

import os
import sys
import time

sys.dont_write_bytecode = True
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime",
                                "python"))
# pylint: disable=wrong-import-position,import-error
import numpy  # noqa: E402

from diderot import array  # noqa: E402

SIZE = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1 << 22
WORD = sys.argv[2] if len(sys.argv) > 2 else ""


def best_of(*calls):
    """Milliseconds of each, called in turn, so that a busy machine disturbs them alike."""
    times = [[] for _ in calls]
    for _ in range(31):
        for call, its_times in zip(calls, times):
            begin = time.process_time()
            call()
            its_times.append(time.process_time() - begin)
    return [1e3 * min(its_times) for its_times in times]


def row(name, ours, theirs):
    if WORD not in name:
        return
    mine, other = best_of(ours, theirs)
    print("%-34s %9.3f ms %9.3f ms %7.2f" % (name, mine, other, mine / other), flush=True)


def main():
    rng = numpy.random.default_rng(1)
    print("%d elements; numpy %s%17s %12s %7s" % (SIZE, numpy.__version__, "ours", "numpy", "ratio"))
    for kind in ("u1", "i2", "i4", "i8", "f4", "f8"):
        a = rng.integers(0, 100, SIZE).astype(kind)
        b = rng.integers(1, 100, SIZE).astype(kind)
        out = numpy.empty_like(a)
        view, other, result = map(array.View, (a, b, out))
        row("min " + kind, lambda: array.min_element(view), a.min)
        row("max " + kind, lambda: array.max_element(view), a.max)
        row("linf " + kind, lambda: array.linf(view), lambda: numpy.abs(a).max())
        row("sum " + kind, lambda: array.sum(view), a.sum)
        row("add " + kind, lambda: array.add(view, other, out=result),
            lambda: numpy.add(a, b, out=out))
        row("mul by a number " + kind, lambda: array.mul(view, 3, out=result),
            lambda: numpy.multiply(a, a.dtype.type(3), out=out))
        row("clip " + kind, lambda: array.clip(view, 10, 60, out=result),
            lambda: numpy.clip(a, a.dtype.type(10), a.dtype.type(60), out=out))
    for source, target in (("f4", "u1"), ("u1", "f4"), ("f8", "i4"), ("i4", "f8"), ("f4", "f8")):
        a = rng.integers(0, 100, SIZE).astype(source)
        view, kind = array.View(a), array.View(numpy.empty(1, target)).type
        row("cast %s to %s" % (source, target), lambda: view.cast(kind), lambda: a.astype(target))
    for kind in ("f4", "f8"):
        a = rng.uniform(0.1, 9, SIZE).astype(kind)
        out = numpy.empty_like(a)
        view, result = array.View(a), array.View(out)
        for name in ("sqrt", "exp", "log"):
            row(name + " " + kind, lambda: getattr(array, name)(view, out=result),
                lambda: getattr(numpy, name)(a, out=out))
    for kind in ("c8", "c16"):
        a, b = (rng.uniform(-9, 9, SIZE) + 1j * rng.uniform(1, 9, SIZE) for _ in range(2))
        a, b = a.astype(kind), b.astype(kind)
        out, real = numpy.empty_like(a), numpy.empty_like(a.real)
        view, other, result, part = map(array.View, (a, b, out, real))
        row("abs " + kind, lambda: array.cwise_abs(view, out=part),
            lambda: numpy.abs(a, out=real))
        row("l1 " + kind, lambda: array.l1(view), lambda: numpy.abs(a).sum())
        row("linf " + kind, lambda: array.linf(view), lambda: numpy.abs(a).max())
        row("mul " + kind, lambda: array.mul(view, other, out=result),
            lambda: numpy.multiply(a, b, out=out))
        row("div " + kind, lambda: array.div(view, other, out=result),
            lambda: numpy.divide(a, b, out=out))
    side = round(SIZE ** (1 / 3))
    cube = rng.uniform(0, 1, (side,) * 3).astype("f4")
    view = array.View(cube)
    for axis in range(3):
        row("sum along axis %d of %d^3 f4" % (axis, side), lambda: array.sum(view, axis=axis),
            lambda: cube.sum(axis=axis))


if __name__ == "__main__":
    main()
