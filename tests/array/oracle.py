"""run.array.oracle: ddr-array against sums and enumerations in Python, on random arrays.

    oracle.py DDR_ARRAY FOLDER          needs nothing but Python 3

Arrays are a list of extents, slowest first, and a list of elements in that order.
"""
import itertools
import os
import random
import struct
import subprocess
import sys
from fractions import Fraction as F

program, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
rng = random.Random(2026)
FORMATS = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
           "int64": "q", "uint64": "Q", "float": "f", "double": "d"}


# --- files ------------------------------------------------------------------------------------------

def write(name, kind, extents, values):
    with open(name, "wb") as out:
        sizes = " ".join(str(n) for n in reversed(extents))
        header = (f"NRRD0004\ntype: {kind}\ndimension: {len(extents)}\nsizes: {sizes}\n"
                  "endian: little\nencoding: raw\n\n")
        out.write(header.encode())
        out.write(struct.pack(f"<{len(values)}{FORMATS[kind]}", *values))


TYPE_NAMES = {"signed char": "int8", "unsigned char": "uint8", "short": "int16", "int": "int32",
              "unsigned short": "uint16", "unsigned int": "uint32", "long long int": "int64",
              "unsigned long long int": "uint64", "uchar": "uint8", "ushort": "uint16",
              "uint": "uint32", "longlong": "int64", "ulonglong": "uint64"}


def read(name):
    data = open(name, "rb").read()
    header, body = data.split(b"\n\n", 1)
    fields = dict(line.split(": ", 1) for line in header.decode().split("\n") if ": " in line
                  and not line.startswith("#"))
    kind = TYPE_NAMES.get(fields["type"], fields["type"])
    extents = [int(n) for n in reversed(fields["sizes"].split())]
    n = 1
    for extent in extents:
        n *= extent
    return kind, extents, list(struct.unpack(f"<{n}{FORMATS[kind]}", body))


def run(*words):
    result = subprocess.run([program, *[str(w) for w in words]], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"ddr-array {' '.join(str(w) for w in words)}\n{result.stderr}")
    return result.stdout


def check(what, found, want):
    if found != want:
        sys.exit(f"{what}\nfound    {str(found)[:600]}\nexpected {str(want)[:600]}")


# --- arrays -----------------------------------------------------------------------------------------

def random_array(kind, most_rank=4, most=5):
    extents = [rng.randint(1, most) for _ in range(rng.randint(1, most_rank))]
    n = 1
    for extent in extents:
        n *= extent
    low, high = (0, 100) if kind.startswith("u") else (-50, 50)
    values = [rng.randint(low, high) for _ in range(n)]
    return extents, [float(v) / 4 for v in values] if kind in ("float", "double") else values


def indices(extents):
    return itertools.product(*[range(n) for n in extents])


def at(extents, values, idx):
    p = 0
    for n, i in zip(extents, idx):
        p = p * n + i
    return values[p]


def pick(extents, values, new_extents, source):
    return new_extents, [at(extents, values, source(idx)) for idx in indices(new_extents)]


def random_part(extents, values):
    """The words of an operation, and what it makes of an array."""
    axis = rng.randrange(len(extents))
    n = extents[axis]

    def along(new, change):
        return pick(extents, values, extents[:axis] + [new] + extents[axis + 1:],
                    lambda i: i[:axis] + (change(i[axis]),) + i[axis + 1:])

    what = rng.choice(["fix", "slice", "flip", "step", "permute", "repeat", "reshape"])
    if what == "fix" and len(extents) > 1:
        where = rng.randrange(n)
        return ["--fix", f"{axis}:{where}"], pick(
            extents, values, extents[:axis] + extents[axis + 1:],
            lambda i: i[:axis] + (where,) + i[axis:])
    if what == "slice":
        begin = rng.randrange(n)
        end = rng.randint(begin + 1, n)
        return ["--slice", f"{axis}:{begin}:{end}"], along(end - begin, lambda i: begin + i)
    if what == "flip":
        return ["--flip", axis], along(n, lambda i: n - 1 - i)
    if what == "step":
        step = rng.choice([-3, -2, -1, 1, 2, 3])
        taken = list(range(n))[::step]
        return ["--step", f"{axis}:{step}"], along(len(taken), lambda i: taken[i])
    if what == "repeat" and len(extents) < 6:
        times = rng.randint(1, 3)
        return ["--repeat", f"{axis}:{times}"], pick(
            extents, values, extents[:axis] + [times] + extents[axis:],
            lambda i: i[:axis] + i[axis + 1:])
    if what == "reshape":
        split = rng.choice([d for d in range(1, n + 1) if n % d == 0])
        new = extents[:axis] + [split, n // split] + extents[axis + 1:]
        if rng.random() < 0.3:
            new = [len(values)]
        return ["--reshape", ",".join(str(k) for k in new)], (new, values)
    order = list(range(len(extents)))
    rng.shuffle(order)
    return ["--permute", ",".join(str(k) for k in order)], pick(
        extents, values, [extents[k] for k in order],
        lambda i: tuple(i[order.index(k)] for k in range(len(order))))


def random_view(name, kind):
    """A file of that name; words that take a random part of it, and that part."""
    extents, values = random_array(kind)
    write(name, kind, extents, values)
    words = []
    for _ in range(rng.randint(0, 4)):
        more, (extents, values) = random_part(extents, values)
        words += more
    return words, extents, values


# --- commands ---------------------------------------------------------------------------------------

def views():
    for _ in range(40):
        kind = rng.choice(list(FORMATS))
        words, extents, values = random_view("in.nrrd", kind)
        run("view", "-i", "in.nrrd", *words, "-o", "out.nrrd")
        check(f"view {words} of {kind}", read("out.nrrd"), (kind, extents, values))


def border_index(rule, i, n):
    if 0 <= i < n:
        return i
    if rule == "clamp":
        return 0 if i < 0 else n - 1
    if rule == "mirror":
        i %= 2 * n
        return i if i < n else 2 * n - 1 - i
    return i % n if rule == "wrap" else None


def convolve(image, kernel, origin, is_correlation, rule, starts, steps, counts):
    """By the definition; elements are multiples of 1/16, so every sum is exact."""
    (extents, values), (k_extents, weights) = image, kernel
    sums = []
    for k in indices(counts):
        r = [s + i * d for s, i, d in zip(starts, k, steps)]
        total = 0.0
        for t, weight in zip(indices(k_extents), weights):
            reached = [ri + (ti + o if is_correlation else -ti - o)
                       for ri, ti, o in zip(r, t, origin)]
            taken = [border_index(rule, i, n) for i, n in zip(reached, extents)]
            if None not in taken:
                total += weight * at(extents, values, taken)
        sums.append(total)
    return sums


def convolutions():
    for _ in range(40):
        kind = rng.choice(["float", "double", "int16", "uint8"])
        words, extents, values = random_view("in.nrrd", kind)
        if "--repeat" in words:  # a convolution wants each sample once
            words, (extents, values) = [], read("in.nrrd")[1:]
        k_extents = [rng.randint(1, 3) for _ in extents]
        n = 1
        for extent in k_extents:
            n *= extent
        weights = [rng.randint(-8, 8) / 4 for _ in range(n)]
        write("kernel.nrrd", "double", k_extents, weights)
        is_correlation = rng.random() < 0.5
        rule = rng.choice(["none", "clamp", "mirror", "wrap"])
        origin = [-((k - 1) // 2) for k in k_extents]
        starts = [rng.randrange(n) for n in extents]
        steps = [rng.randint(1, 2) for _ in extents]
        counts = [(n - 1 - s) // d + 1 for n, s, d in zip(extents, starts, steps)]
        want = convolve((extents, values), (k_extents, weights), origin, is_correlation, rule, starts,
                        steps, counts)

        def listed(numbers):
            return ",".join(str(k) for k in numbers)

        mode = ["--correlate"] if is_correlation else []
        run("conv", "-i", "in.nrrd", *words, "-x", "kernel.nrrd", *mode, "--border", rule, "--start",
            listed(starts), "--decimate", listed(steps), "-o", "out.nrrd")
        kind = "double" if kind == "double" else "float"
        check(f"conv of {extents} with {k_extents}", read("out.nrrd"), (kind, counts, want))


# --- fields on grids --------------------------------------------------------------------------------

# Coefficients of 1, x, ... where p <= x < p + 1, x = |t|; the highest derivative.
KERNELS = {"tent": ([[1, -1]], 0),
           "ctmr": ([[1, 0, F(-5, 2), F(3, 2)], [2, -4, F(5, 2), F(-1, 2)]], 1),
           "bspln3": ([[F(2, 3), 0, -1, F(1, 2)], [F(4, 3), -2, 1, F(-1, 6)]], 2)}


def kernel_at(pieces, order, t):
    x, sign = abs(t), (-1) ** order if t < 0 else 1
    if x >= len(pieces):
        return F(0)
    coeff = [F(c) for c in pieces[int(x)]]
    for _ in range(order):
        coeff = [i * c for i, c in enumerate(coeff)][1:]
    return sign * sum(c * x ** i for i, c in enumerate(coeff))


def samples():
    for _ in range(40):
        extents, values = random_array("double", 3, 6)
        write("in.nrrd", "double", extents, values)
        name, rank = rng.choice(list(KERNELS)), len(extents)
        pieces, most_order = KERNELS[name]
        along = rng.sample(range(rank), rng.randint(1, rank))
        first = [F(rng.randint(-8, 40), 8) for _ in along]
        apart = [F(rng.choice([-1, 1]) * rng.randint(1, 5), rng.randint(1, 4)) for _ in along]
        counts = [rng.randint(1, 6) for _ in along]
        orders = [0] * len(along)
        orders[rng.randrange(len(along))] = rng.randint(0, most_order)
        rule = rng.choice(["clamp", "mirror", "wrap"])
        want, shape = [F(v) for v in values], list(extents)
        for axis, start, step, count, order in zip(along, first, apart, counts, orders):
            made, longer = [], shape[:axis] + [count] + shape[axis + 1:]
            for idx in indices(longer):
                position = start + idx[axis] * step
                below = position.__floor__()
                taps = range(below + 1 - len(pieces), below + 1 + len(pieces))

                def sample(n):
                    where = border_index(rule, n, shape[axis])
                    return at(shape, want, idx[:axis] + (where,) + idx[axis + 1:])

                made.append(sum(kernel_at(pieces, order, position - n) * sample(n) for n in taps))
            want, shape = made, longer
        words = ["--along", ",".join(map(str, along)), "--border", rule,
                 "--first", ",".join(str(float(f)) for f in first), "--apart", ",".join(map(str, apart)),
                 "--extent", ",".join(map(str, counts)), "--derivative", ",".join(map(str, orders))]
        run("sample", name, "-i", "in.nrrd", *words, "-n", rng.randint(1, 3), "-o", "out.nrrd")
        kind, found_shape, found = read("out.nrrd")
        check(f"sample {name} {words}", (kind, found_shape), ("double", shape))
        scale = 1 + max(abs(v) for v in values)
        if any(abs(F(f) - w) > F(1, 10 ** 12) * F(scale) for f, w in zip(found, want)):
            sys.exit(f"sample {name} {' '.join(words)}: {found}, expected {[float(w) for w in want]}")


# --- reductions and maps ----------------------------------------------------------------------------

def tree_sum(values, identity=0.0):
    """In double: 32 lanes of blocks of 1024, folded by halves, then blocks in pairs."""
    sums = []
    for begin in range(0, len(values), 1024):
        lanes = [identity] * 32
        for k, value in enumerate(values[begin:begin + 1024]):
            lanes[k % 32] += value
        half = 16
        while half > 0:
            for k in range(half):
                lanes[k] += lanes[k + half]
            half //= 2
        sums.append(lanes[0])
    while len(sums) > 1:
        odd = [sums[-1]] if len(sums) % 2 else []
        sums = [sums[k] + sums[k + 1] for k in range(0, len(sums) - 1, 2)] + odd
    return sums[0] if sums else 0.0


def long_sums():
    """Numbers with all their digits, where the order of a sum shows in its last ones."""
    for n in [1, 31, 33, 1000, 1025, 5000]:
        values = [rng.gauss(0, 1) * 10 ** rng.randint(-8, 8) for _ in range(n)]
        others = [rng.gauss(0, 1) for _ in range(n)]
        write("in.nrrd", "double", [n], values)
        write("other.nrrd", "double", [n], others)
        for threads in [1, 3]:
            for step, part in [(1, values), (-1, values[::-1]), (3, values[::3])]:
                found = run("reduce", "sum", "-i", "in.nrrd", "--step", f"0:{step}", "-n", threads)
                check(f"sum of {n}, step {step}", float(found), tree_sum(part))
            found = run("reduce", "dot", "-i", "in.nrrd", "-i", "other.nrrd", "-n", threads)
            check(f"dot of {n}", float(found), tree_sum([x * y for x, y in zip(values, others)]))


def lines(extents, values, axis):
    rest = extents[:axis] + extents[axis + 1:]
    return rest, [[at(extents, values, i[:axis] + (k,) + i[axis:]) for k in range(extents[axis])]
                  for i in indices(rest)]


def reductions():
    reduce = {"sum": sum, "min_element": min, "max_element": max,
              "l1": lambda line: sum(abs(x) for x in line),
              "linf": lambda line: max(abs(x) for x in line),
              "squared_l2": lambda line: sum(x * x for x in line)}
    for _ in range(40):
        kind = rng.choice(["int8", "uint8", "int32", "int64", "double"])
        words, extents, values = random_view("in.nrrd", kind)
        name = rng.choice(list(reduce))
        found = run("reduce", name, "-i", "in.nrrd", *words)
        check(f"{name} {words} of {kind}", float(found), float(reduce[name](values)))
        if len(extents) < 2:
            continue
        axis = rng.randrange(len(extents))
        rest, all_lines = lines(extents, values, axis)
        run("reduce", name, "-i", "in.nrrd", *words, "--axis", axis, "-o", "out.nrrd")
        check(f"{name} along {axis}", read("out.nrrd")[1:],
              (rest, [reduce[name](line) for line in all_lines]))


def large_ints():
    """Ints whose sums and squares need more than 64 bits: what is exact is rounded once."""
    kinds = {"int64": (-2**63, 2**63 - 1), "uint64": (0, 2**64 - 1), "int32": (-2**31, 2**31 - 1)}
    for n in [1, 2, 10, 1500]:
        for kind, (least, most) in kinds.items():
            middle = most - most // 5
            values = [rng.choice([least, most, rng.randint(least, most), middle + rng.randint(0, 9)])
                      for _ in range(n)]
            write("in.nrrd", kind, [n], values)
            mean = F(sum(values), n)
            wanted = {"mean": mean, "variance": sum((x - mean) ** 2 for x in values) / n,
                      "l1": sum(abs(x) for x in values) % 2**64,
                      "linf": max(abs(x) for x in values)}
            for name, want in wanted.items():
                found = run("reduce", name, "-i", "in.nrrd")
                is_real = name in ("mean", "variance")
                check(f"{name} of {n} {kind}", float(found) if is_real else int(found),
                      float(want) if is_real else want)


def maps():
    binary = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
              "cwise_max": max, "lt": lambda x, y: int(x < y), "ne": lambda x, y: int(x != y)}
    for _ in range(40):
        words, extents, values = random_view("in.nrrd", "double")
        others = [rng.randint(-50, 50) / 4 for _ in values]
        mask = [rng.randint(0, 1) for _ in values]
        write("other.nrrd", "double", extents, others)
        write("mask.nrrd", "uint8", extents, mask)
        name = rng.choice(list(binary))
        made = [binary[name](x, y) for x, y in zip(values, others)]
        run("map", name, "-i", "in.nrrd", *words, "-i", "other.nrrd", "-o", "out.nrrd", "-t", "double")
        check(f"{name} {words}", read("out.nrrd"), ("double", extents, made))
        run("map", name, "-i", "in.nrrd", *words, "-i", "other.nrrd", "-o", "out.nrrd", "-t", "double",
            "-m", "mask.nrrd")
        want = [made[k] if mask[k] else values[k] for k in range(len(values))]
        check(f"{name} {words} by a mask", read("out.nrrd"), ("double", extents, want))


views()
convolutions()
samples()
long_sums()
reductions()
large_ints()
maps()
print("all are as expected")
