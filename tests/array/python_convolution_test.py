"""diderot.array: convolutions as objects, against sums and numpy where that is."""

import itertools
import math
import os
import random
import subprocess
import sys
import time

from common import Case, needs_numpy, numpy, main  # which finds the package
from diderot import array


WITHOUT_TRANSFORMS = """
import sys
sys.path = sys.argv[1:]
from diderot import array
try:
    array.Convolution([1.0] * 400, mode="fft")([1.0] * 40000)
except array.ArrayError as error:
    print(error.status, error)
task = array.Convolution([1.0] * 400, mode="auto")
result = task([1.0] * 40000).tolist()
print(task.mode, [result[1], result[-2]])
"""


# ---- convolutions -----------------------------------------------------------------------------


def exact(kernel, image, starts, counts, steps, is_correlation):
    """By the definition, in ints, of two axes."""
    results = []
    for i in range(counts[0]):
        results.append([])
        for j in range(counts[1]):
            r = (starts[0] + i * steps[0], starts[1] + j * steps[1])
            total = 0
            for a, row in enumerate(kernel):
                for b, weight in enumerate(row):
                    y, x = (r[0] + a, r[1] + b) if is_correlation else (r[0] - a, r[1] - b)
                    if 0 <= y < len(image) and 0 <= x < len(image[0]):
                        total += weight * image[y][x]
            results[-1].append(total)
    return results


class Convolutions(Case):
    def draw(self, rng, n_rows, n_columns):
        return [[rng.randint(-9, 9) for _ in range(n_columns)] for _ in range(n_rows)]

    def test_random(self):
        rng = random.Random(7)
        for _ in range(60):
            x = self.draw(rng, rng.randint(1, 4), rng.randint(1, 4))
            y = self.draw(rng, rng.randint(4, 9), rng.randint(4, 9))
            is_correlation, kind = rng.random() < 0.5, rng.choice(["full", "same", "valid"])
            steps = [rng.randint(1, 3), rng.randint(1, 3)]
            starts, counts = [], []
            for axis, (p, q) in enumerate(((len(x), len(y)), (len(x[0]), len(y[0])))):
                least = 1 - p if is_correlation else 0
                skipped = {"full": 0, "valid": p - 1,
                           "same": p // 2 if is_correlation else (p - 1) // 2}[kind]
                whole = {"full": p + q - 1, "valid": q - p + 1, "same": q}[kind]
                starts.append(least + skipped)
                counts.append(-(-whole // steps[axis]))
            task = array.Convolution(x, correlate=is_correlation, range=kind, decimation=steps,
                                     mode=rng.choice(["direct", "auto"]))
            want = exact(x, y, starts, counts, steps, is_correlation)
            self.assertEqual(task(y).tolist(), want)
            image = array.View(y).transpose().copy().transpose().cast("float32")
            out = array.zeros((counts[1], counts[0]), task(image).type).transpose()[::-1]
            self.assertEqual(task(image, out=out).tolist(), want)

    def test_is_prepared_once(self):
        rng = random.Random(8)
        taps = [rng.random() for _ in range(4001)]
        image = array.View([rng.random() for _ in range(9001)])
        task = array.Convolution(taps, mode="fft")
        try:
            first = task(image)
        except array.ArrayError as error:
            self.assertEqual(error.status, "EMODE")
            self.skipTest("no FFTW")
        self.assertEqual(task.mode, "fft")
        direct = array.Convolution(taps)(image)
        self.assertLess(array.linf(first - direct), 1e-9)
        handle = task._task  # pylint: disable=protected-access
        out = array.zeros(first.shape, "float64")
        begin = time.perf_counter()
        for _ in range(3):
            task(image, out=out)
        again = (time.perf_counter() - begin) / 3
        begin = time.perf_counter()
        array.Convolution(taps, mode="fft")(image, out=out)
        print("fft of %d and %d: first call %.2f ms, later ones %.2f ms" % (
            len(taps), len(image), 1e3 * (time.perf_counter() - begin), 1e3 * again))
        self.assertEqual(handle, task._task)  # pylint: disable=protected-access
        self.assertEqual(out.tolist(), first.tolist())

    def test_bound_arrays(self):
        image, out = array.View([1.0, 2, 3]), array.zeros(4, "float64")
        task = array.Convolution([1.0, 1.0]).bind(image, out)
        self.assertIs(task(), out)
        self.assertEqual(out.tolist(), [1, 3, 5, 3])
        image[0] = 5
        task()
        self.assertEqual(out.tolist(), [5, 7, 5, 3])
        free = array.Convolution().bind(image=image)
        self.assertEqual(free(kernel=[2.0]).tolist(), [10, 4, 6])
        self.assertEqual(free(kernel=[0.0, 1.0]).tolist(), [0, 5, 2, 3])
        self.refused("ENULL", free)
        self.refused("ENULL", array.Convolution([1.0]))
        self.refused("ESHAPE", task, kernel=[1.0, 1.0])

    def test_conjugates_and_origins(self):
        task = array.Convolution([1j, 2], correlate=True, conj=True)
        self.assertEqual(task([1.0, 0, 0]).tolist(), [2, -1j, 0, 0])
        task = array.Convolution([1.0, 2], origins=([-1], None), start=[0], shape=[2])
        self.assertEqual(task([1.0, 10, 100]).tolist(), [12, 120])

    def test_goes_on_after_errors(self):
        image = array.View([1.0, 2, 3])
        task = array.Convolution([1.0, 1.0])
        self.refused("ESHAPE", task, image, out=array.zeros(3, "float64"))
        self.refused("ETYPE", task, image, out=array.zeros(4, "int32"))
        self.refused("ERANK", task, [[1.0]])
        self.refused("ESTRIDE", task, image, out=array.zeros((), "float64").repeat(0, 4))
        memory = array.zeros(7, "float64")
        self.refused("EALIAS", task, memory[:3], out=memory[1:5])
        self.assertEqual(task(image).tolist(), [1, 3, 5, 3])

    def test_transforms_of_floats(self):
        rng = random.Random(9)
        taps = array.View([rng.uniform(-1, 1) for _ in range(600)]).cast("float32")
        image = array.View([rng.uniform(-1, 1) for _ in range(5000)]).cast("float32")
        exact = array.Convolution(taps, type="float64")(image)
        direct = array.Convolution(taps, precision="float32")(image)  # sums are in double
        self.assertEqual(direct.tolist(), array.Convolution(taps)(image).tolist())
        try:
            found = array.Convolution(taps, mode="fft", precision="float32")(image)
        except array.ArrayError as error:
            self.assertEqual(error.status, "EMODE")
            self.skipTest("no FFTW")
        bound = 4 * 2.0**-24 * math.log2(5599) * array.l2(taps) * array.l2(image)
        self.assertLess(array.linf(exact - found), bound)
        self.assertGreater(array.linf(exact - found), 2e-8)  # they are of floats

    def test_without_transforms(self):
        """In a process that does not find FFTW; it is loaded once."""
        tried = subprocess.run([sys.executable, "-c", WITHOUT_TRANSFORMS] + sys.path, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=dict(os.environ, DIDEROT_FFTW="/nowhere"))
        self.assertEqual(tried.stdout, "EMODE mode 'fft' needs FFTW, which is not in the folder that "
                         "DIDEROT_FFTW names (/nowhere)\ndirect [2.0, 2.0]\n")

    def test_refusals(self):
        image = [1.0, 2, 3]
        self.refused("EMODE", array.Convolution([1.0], precision="float32"), image)
        self.refused("EDECIMATION", array.Convolution([1.0], decimation=[0]), image)
        self.refused("ESTART", array.Convolution([1.0], start=[9]), image)
        self.refused("ERANGE", array.Convolution([1.0], shape=[9]), image)
        self.refused("ESHAPE", array.Convolution([1.0] * 4, range="valid"), image)
        self.refused("ETYPE", array.Convolution([1.0], type="int32"), image)
        self.refused("ETYPE", array.Convolution([1j], type="float64"), image)
        self.refused("ELEN", array.Convolution([1.0], start=[0, 0]), image)
        self.refused("ELEN", array.decimate, image, 2, start=[0, 0])
        self.refused("ELEN", array.decimate, [image, image], 2, weights=[[0.5, 0.5]])
        with self.assertRaisesRegex(array.ArrayError, "weights .*, expected a list for each axis"):
            array.decimate(image, 2, weights=[0.25, 0.5, 0.25])
        self.refused("EOPERATION", array.Convolution, [1.0], range="most")
        self.refused("EOPERATION", array.Convolution, [1.0], mode="quick")
        self.refused("ESHAPE", array.Convolution([1.0]), array.zeros(0, "float64"))

    def test_filters(self):
        self.assertEqual(array.extend([1, 2, 3], [-2], [5], "mirror").tolist(),
                         [2, 1, 1, 2, 3, 3, 2])
        self.assertEqual(array.extend([1, 2], [-1], [3], ("constant", 7)).tolist(), [7, 1, 2, 7])
        self.refused("EOPERATION", array.extend, [1], [0], [1], "reflect")
        self.refused("ERANK", array.extend, [1], [0, 0], [1, 1])
        self.assertEqual(array.decimate([4, 8, 12, 16], [2]).tolist(), [5, 12])
        self.refused("EDECIMATION", array.decimate, [1, 2], [0])
        self.refused("ERANGE", array.decimate, [1, 2], [2], start=[2])
        self.refused("ERANGE", array.decimate, [1, 2], [2], weights=[[1, 1]])
        self.refused("ERANGE", array.prefilter, [1, 2], 4)
        out = array.zeros(2, "float64")
        self.assertIs(array.decimate([4, 8, 12, 16], [2], out=out), out)

    @needs_numpy
    def test_as_numpy(self):
        rng = numpy.random.default_rng(9)
        a, b = rng.integers(-9, 9, 40).astype("f8"), rng.integers(-9, 9, 7).astype("f8")
        for kind in ("full", "same", "valid"):
            got = numpy.asarray(array.Convolution(b, range=kind)(a))
            self.assertTrue((got == numpy.convolve(a, b, kind)).all())
        self.assertTrue((numpy.asarray(array.Convolution(b, correlate=True, range="valid")(a)) ==
                         numpy.correlate(a, b)).all())


# ---- images: a client -------------------------------------------------------------------------


class Pyramid(Case):
    def test_pyramid_of_a_slope(self):
        """Filtered with 1 4 6 4 1, every second sample kept, the result transposed, by one task per
        axis: a slope stays one at every level, away from the ends."""
        n, taps = 64, [1.0, 4, 6, 4, 1]
        level = array.View([[3.0 * y + 5 * x for x in range(n)] for y in range(n)])
        across = array.Convolution([[t / 16 for t in taps]], range="same", decimation=[1, 2])
        step, n_levels = 1, 0
        while level.shape[0] >= 16:
            half = level.shape[0] // 2
            rows = array.zeros((half, level.shape[0]), "float64")
            next_level = array.zeros((half, half), "float64")
            across(level, out=rows.transpose())    # x halved, and stored as columns
            across(rows, out=next_level.transpose())
            step, level, n_levels = 2 * step, next_level, n_levels + 1
            for y, x in itertools.product(range(2, half - 3), repeat=2):
                self.assertEqual(level[y, x].item(), step * (3 * y + 5 * x))
        self.assertEqual(n_levels, 3)


if __name__ == "__main__":
    main()
