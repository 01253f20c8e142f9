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
    for _ in range(60):
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


views()
convolutions()
print("all are as expected")
