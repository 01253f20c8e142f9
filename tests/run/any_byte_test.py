"""run.any-byte: samples that begin at any byte of their file give the same bytes as loaded ones.

    any_byte_test.py DIDEROTC FOLDER [small]

For every type, attached raw files with headers of eight successive lengths are read by programs in
lanes and one strand at a time, with floats and doubles, on one thread and on several. What is
compared with are the same samples in gzip, which are always loaded. small: all images count as
large, so whether they are mapped is asked, too.
"""
import gzip
import os
import random
import shutil
import struct
import subprocess
import sys

TYPES = {"signed char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
         "float": "f", "double": "d"}
IMAGES = {"vol": ([8, 9, 10], 1), "flow": ([9, 8], 2), "table": ([11], 3)}
OUTPUTS = ("scalars", "vectors", "entries")
PROGRAMS = {"lanes": [], "scalar": ["--scalar"], "doubles": ["--double"],
            "scalar-doubles": ["--scalar", "--double"], "threads": ["--target=parallel"]}
RANDOM = random.Random(7)


def samples_of(letter, n):
    """Samples of many values, as bytes, in the order of this machine."""
    if letter in "fd":
        return struct.pack("=%d%s" % (n, letter), *(RANDOM.uniform(-9, 9) for _ in range(n)))
    top = 1 << min(8 * struct.calcsize("=" + letter), 20)
    low = -top // 2 if letter.islower() else 0
    return struct.pack("=%d%s" % (n, letter), *(RANDOM.randrange(low, low + top) for _ in range(n)))


def header_of(type_name, sizes, n_components, encoding, filling):
    """A header that is longer by so many bytes."""
    axes = ([n_components] if n_components > 1 else []) + sizes
    kinds = (["%d-vector" % n_components] if n_components > 1 else []) + ["space"] * len(sizes)
    return ("NRRD0004\n#%s\ntype: %s\ndimension: %d\nsizes: %s\nkinds: %s\nencoding: %s\nendian: %s\n\n" % (
        "x" * filling, type_name, len(axes), " ".join(map(str, axes)), " ".join(kinds), encoding,
        sys.byteorder)).encode()


def write_all(type_name):
    """The images of one type: in gzip, and raw with every filling."""
    for name, (sizes, n_components) in IMAGES.items():
        n = n_components
        for size in sizes:
            n *= size
        samples = samples_of(TYPES[type_name], n)
        with open(name + "-loaded.nrrd", "wb") as file:
            file.write(header_of(type_name, sizes, n_components, "gzip", 0) + gzip.compress(samples, 1))
        for filling in range(8):
            with open("%s-%d.nrrd" % (name, filling), "wb") as file:
                file.write(header_of(type_name, sizes, n_components, "raw", filling) + samples)


def run(program, files, result):
    """Runs a program; returns what it says."""
    command = ["./" + program, "--verbose"]
    for name in IMAGES:
        command += ["-" + name, "%s-%s.nrrd" % (name, files)]
    for name in OUTPUTS:
        command += ["-o-" + name, "%s-%s.nrrd" % (result, name)]
    if program == "threads":
        command += ["-n", "3"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s fails:\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def bytes_of(name):
    """The contents of a file."""
    with open(name, "rb") as file:
        return file.read()


def is_mapped(program, type_name, image):
    """Whether such an image stays in a raw file, if it counts as large."""
    own = "double" if "doubles" in program else "float"
    if image == "table":
        return type_name == own
    return type_name == own or type_name != "double"


def compare(program, type_name, filling, is_small):
    """The number of differences from what was loaded."""
    text = run(program, str(filling), "mapped")
    bad = [name for name in OUTPUTS
           if bytes_of("mapped-%s.nrrd" % name) != bytes_of("loaded-%s.nrrd" % name)]
    for name in IMAGES if is_small else ():
        line = next(line for line in text.splitlines() if '"%s-%d.nrrd"' % (name, filling) in line)
        if ("mapped" in line) != is_mapped(program, type_name, name):
            bad.append(line)
    for what in bad:
        print("%s, %s, header longer by %d: %s" % (program, type_name, filling, what))
    return len(bad)


def main():
    """Compiles, runs, compares."""
    diderotc, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "any_byte.diderot")
    is_small = "small" in sys.argv[3:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    for program, options in PROGRAMS.items():
        subprocess.run([diderotc, "--exec", "--warnings=none", *options, "-o", program, source], check=True)
    n_bad = 0
    for type_name in TYPES:
        write_all(type_name)
        for program in PROGRAMS:
            run(program, "loaded", "loaded")
            n_bad += sum(compare(program, type_name, filling, is_small) for filling in range(8))
    sys.exit(n_bad > 0)


if __name__ == "__main__":
    main()
