"""Checks the accesses that --dump=memory prints against the components that LOW reads, and against rows of
samples, by evaluating the formulas.

    memory_accesses.py DIDEROTC PROGRAM
"""
import itertools
import re
import subprocess
import sys

from checks import check, finish


def entries(text):
    """Name of what is accessed, its indices, its place, its lines of LOW."""
    text = text.split("\naccesses")[1]
    for entry in re.split(r"\n  (?=\d)", text)[1:]:
        lines = entry.split("\n")
        told = {"is": [], "at": [], "low": []}
        for line in lines[1:]:
            if line.strip():
                word, rest = line.split(None, 1)
                told[word].append(rest)
        yield told["is"][0], told["at"][0], told["low"]


def number_of(name):
    tail = name.rsplit("_", 1)[1]
    return "xyz".index(tail) if tail in "xyz" else int(tail)


def check_components(formula, place, low):
    """Values called NAME_0, NAME_1, ... are the places in the order in which they are read."""
    name = formula.split("[")[0]
    values = low[0].split()
    if not all(re.match(name + r"_(\d+|[xyz])$", value) for value in values):
        return 0
    ranges = [int(text) for text in re.findall(r"(\d+) :", place)]  # of all indices, slowest first
    order = re.search(r"perm ([\d ]+) of", place)
    if order:
        ranges = [ranges[int(k)] for k in order.group(1).split()]
    letters = "ijklmn"[:len(ranges)]
    found = []
    for at in itertools.product(*map(range, ranges)):
        found.append(eval(place.split(", in its")[0], dict(zip(letters, at))))
    want = list(dict.fromkeys(found))
    check([number_of(value) for value in values] == want, formula, place, low, want)
    return 1


def check_rows(formula, place, low):
    """The last row lies where its first sample does; rows of several components come in chunks."""
    told = dict(line.split(" = ", 1) for line in low)
    strides = {"stride_y": 1000, "stride_z": 1000000}
    taps = [int(n) for n in re.findall(r"CONS\[[ijk] < (\d+)", formula)]
    corner = {"corner_x": 3, "corner_y": 5, "corner_z": 7}
    at = dict(strides, **corner, c=0, i=0, j=0, k=0)
    first = eval(place, at)
    n = int((re.findall(r"CONS\[c < (\d+)", formula) or ["1"])[0])
    last = eval(place, dict(at, j=taps[0] - 1, k=taps[0] - 1)) + (n - 1) * taps[0]
    ops = {"offset_add": lambda a, b: a + b, "offset_mul": lambda a, b: a * b,
           "addr_add": lambda a, b: a + b, "row_load": lambda a: a, "corner": 0}
    steps = {"step_%s%d" % (axis, tap): tap * strides["stride_" + axis]
             for axis in "yz" for tap in range(1, 6)}
    names = dict(ops, **steps, **corner)

    def value(text):
        return eval(re.sub(r"image_st(?:ride|ep)<(\d)(?:,\d)?>\(\w+\)",
                           lambda axis: str(strides["stride_" + "xyz"[int(axis.group(1))]]), text),
                    names)
    check(value(told["corner_offset"]) == first, formula, told)
    check(value(told["first row"]) == 0, formula, told)
    check(value(told["last row"]) == last - first, formula, told)


compiled = subprocess.run([sys.argv[1], "--warnings=none", "--dump=memory", sys.argv[2]],
                          stdout=subprocess.PIPE, check=True, universal_newlines=True)
n_components = n_probes = 0
for entry_is, entry_at, entry_low in entries(compiled.stdout):
    if entry_is.startswith("CONS[c <") or re.match(r"CONS\[[ijk] <", entry_is):
        n_probes += 1
        check_rows(entry_is, entry_at, entry_low)
    elif "in its block" in entry_at:
        n_components += check_components(entry_is, entry_at, entry_low)
check(n_components >= 8, "components", n_components)
check(n_probes == 2, "probes", n_probes)
finish()
