"""Makes the table of runtime/conv/costs/costs.c from times of convolutions on this machine: nonnegative
costs whose sums are nearest to the measured times in ratio; a few outliers count less. Then it prints how
good the choices by them are: for all shapes, and for half of them by costs from the other half.
--judge: only how good the choices by the table are, as it is in costs.c.

    bench-conv-costs 1000 | python3 tests/bench/convolution_costs.py [--judge]

Takes numpy and scipy.
"""

import os
import re
import sys

import numpy
from scipy.optimize import nnls

N_DIRECT, N_FFT = 8, 9  # counts, as costs.h has them
NEAR = 0.08  # errors beyond it count less
TRIFLE = 100.0  # nanoseconds for which direct sums are preferred, as fft.c has them
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "runtime", "conv", "costs", "costs.c")
DIRECT = ("DIRECT_OF_DOUBLES", "DIRECT_OF_FLOATS", "DIRECT_FILTER", "DIRECT_OF_COMPLEXES",
          "DIRECT_OF_COMPLEX_FLOATS")
FFT = ("FFT_DOUBLES", "FFT_FLOATS", "FFT_COMPLEX_DOUBLES", "FFT_COMPLEX_FLOATS")


class Way:
    """One way of a shape: its kind, its counts, its time."""

    def __init__(self, words, n_counts):
        self.kind, self.time = int(words[0]), float(words[n_counts + 1])
        self.counts = numpy.array([float(word) for word in words[1:n_counts + 1]])


def read(lines):
    """(direct, fft, shape) of each line."""
    shapes = []
    for line in lines:
        words = line.split()
        end = N_DIRECT + 2
        shapes.append((Way(words[:end], N_DIRECT), Way(words[end:end + N_FFT + 2], N_FFT),
                       " ".join(words[end + N_FFT + 2:])))
    return shapes


def fit(ways):
    """Costs whose sums are nearest to the times."""
    ratios = numpy.array([way.counts / way.time for way in ways])
    costs = nnls(ratios, numpy.ones(len(ways)))[0]
    for _ in range(10):
        weights = (1 + ((ratios @ costs - 1) / NEAR) ** 2) ** -0.5
        costs = nnls(ratios * weights[:, None], weights)[0]
    return costs


def fit_all(shapes):
    tables = []
    for which, names in enumerate((DIRECT, FFT)):
        tables.append([])
        for kind in range(len(names)):
            ways = [shape[which] for shape in shapes if shape[which].kind == kind]
            if len(ways) < 2 * (N_DIRECT, N_FFT)[which]:
                sys.exit("convolution_costs.py: %d shapes of %s, expected at least %d: measure more"
                         % (len(ways), names[kind], 2 * (N_DIRECT, N_FFT)[which]))
            tables[which].append(fit(ways))
    return tables


def loss(shape, tables):
    """The time of the chosen way over that of the better."""
    direct, fft = ((way.counts @ table[way.kind], way.time) for way, table in zip(shape, tables))
    return (direct if direct[0] <= fft[0] + TRIFLE else fft)[1] / min(direct[1], fft[1])


def report(title, shapes, tables):
    losses = sorted(((loss(shape, tables), shape[2]) for shape in shapes), reverse=True)
    n_over = sum(its_loss > 1.1 for its_loss, _ in losses)
    print("%s: %d shapes, %.1f %% over 1.1, mean %.3f, worst:" % (
        title, len(losses), 100 * n_over / len(losses), numpy.mean([one[0] for one in losses])))
    for its_loss, shape in losses[:5]:
        print("    %.2f  %s" % (its_loss, shape))


def table_of_the_source():
    with open(TABLE, encoding="utf-8") as file:
        rows = dict(re.findall(r"\[DDR_(\w+)\] = \{(.*?)\}", file.read()))
    return [[numpy.array([float(cost) for cost in rows[name].split(",")]) for name in names]
            for names in (DIRECT, FFT)]


def main():
    shapes = read(sys.stdin)
    if "--judge" in sys.argv[1:]:
        report("these", shapes, table_of_the_source())
        return
    tables = fit_all(shapes)
    for names, table in zip((DIRECT, FFT), tables):
        for name, costs in zip(names, table):
            print("    [DDR_%s] = {%s}," % (name, ", ".join("%.3g" % cost for cost in costs)))
    report("these", shapes, tables)
    report("half of them, by the others", shapes[1::2], fit_all(shapes[::2]))


if __name__ == "__main__":
    main()
