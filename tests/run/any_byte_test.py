"""run.any-byte: samples that begin at any byte of their file give the same bytes as loaded ones.

    any_byte_test.py DIDEROTC FOLDER

For every type, attached raw files with headers of successive lengths, as many as a sample has bytes,
are read by programs in lanes and one strand at a time, with floats and doubles, on one thread and on
several, also decimated and prefiltered. What is compared with are the same samples in gzip, which
are always loaded. The build must count all images as large.
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
SOURCES = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {"lanes": [], "scalar": ["--scalar"], "doubles": ["--double"],
            "scalar-doubles": ["--scalar", "--double"], "threads": ["--target=parallel"],
            "in-place": [], "in-place-doubles": ["--double"]}
RANDOM = random.Random(7)

# Decimation and prefilters need aligned samples.
PREPARED = '''#version 2.0
input image(3)[] vol;
input image(2)[2] flow;
field#2(3)[] V = clamp(vol) ⊛ bspln3;
field#2(2)[2] W = bspln3 ⊛ mirror(flow);
strand s (int i) {
   output vec4 scalars = [0.0, 0.0, 0.0, 0.0];
   update {
      vec2 w = W([0.7*i, 0.4*i]);
      scalars = [V([0.5*i, 0.6*i, 0.9*i]), w[0], w[1], 0.0];
      stabilize;
   }
}
create_array { s(i) | i in -2..12 }
'''
CHANGES = (["--decimate", "vol:2,flow:3"], ["--prefilter", "vol,flow"], ["--decimate", "flow:2", "--prefilter", "vol,flow"])


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


def fillings_of(type_name):
    """By how much headers are longer, so that samples begin at every byte of the memory of one."""
    return range(struct.calcsize("=" + TYPES[type_name]))


def write_all(type_name):
    """The images of one type: in gzip, and raw with every filling."""
    for name, (sizes, n_components) in IMAGES.items():
        n = n_components
        for size in sizes:
            n *= size
        samples = samples_of(TYPES[type_name], n)
        with open(name + "-loaded.nrrd", "wb") as file:
            file.write(header_of(type_name, sizes, n_components, "gzip", 0) + gzip.compress(samples, 1))
        for filling in fillings_of(type_name):
            with open("%s-%d.nrrd" % (name, filling), "wb") as file:
                file.write(header_of(type_name, sizes, n_components, "raw", filling) + samples)


def run_with(words):
    """Executes a command; returns what it says."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s fails:\n%s" % (" ".join(words), done.stdout))
    return done.stdout


def run(program, files, result):
    """Runs a program; returns what it says."""
    command = ["./" + program, "--verbose"]
    for name in IMAGES:
        command += ["-" + name, "%s-%s.nrrd" % (name, files)]
    for name in OUTPUTS:
        command += ["-o-" + name, "%s-%s.nrrd" % (result, name)]
    if program == "threads":
        command += ["-n", "3"]
    return run_with(command)


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


def compare(program, type_name, filling):
    """The number of differences from what was loaded."""
    text = run(program, str(filling), "mapped")
    bad = [name for name in OUTPUTS
           if bytes_of("mapped-%s.nrrd" % name) != bytes_of("loaded-%s.nrrd" % name)]
    for name in IMAGES:
        line = next(line for line in text.splitlines() if '"%s-%d.nrrd"' % (name, filling) in line)
        if ("mapped" in line) != is_mapped(program, type_name, name):
            bad.append(line)
    for what in bad:
        print("%s, %s, header longer by %d: %s" % (program, type_name, filling, what))
    return len(bad)


def compare_prepared(type_name):
    """The number of differences from what was loaded, of images that are decimated or prefiltered."""
    n_bad = 0
    for change in CHANGES:
        found = []
        for files in ["loaded"] + list(map(str, fillings_of(type_name))):
            run_with(["./prepared", "-vol", "vol-%s.nrrd" % files, "-flow", "flow-%s.nrrd" % files,
                      *change, "-o", "prepared.nrrd"])
            found.append(bytes_of("prepared.nrrd"))
        bad = [filling for filling in fillings_of(type_name) if found[filling + 1] != found[0]]
        for filling in bad:
            print("%s, %s, header longer by %d" % (" ".join(change), type_name, filling))
        n_bad += len(bad)
    return n_bad


def main():
    """Compiles, runs, compares."""
    diderotc, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    for program, options in PROGRAMS.items():
        source = os.path.join(SOURCES, "in_place.diderot" if "in-place" in program else "any_byte.diderot")
        subprocess.run([diderotc, "--exec", "--warnings=none", *options, "-o", program, source], check=True)
    with open("prepared.diderot", "w", encoding="utf-8") as file:
        file.write(PREPARED)
    subprocess.run([diderotc, "--exec", "--warnings=none", "prepared.diderot"], check=True)
    n_bad = 0
    for type_name in TYPES:
        write_all(type_name)
        for program in PROGRAMS:
            run(program, "loaded", "loaded")
            n_bad += sum(compare(program, type_name, filling) for filling in fillings_of(type_name))
        n_bad += compare_prepared(type_name) if type_name in ("short", "float") else 0
    sys.exit(n_bad > 0)


if __name__ == "__main__":
    main()
