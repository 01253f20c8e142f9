"""ptx.library: client programs of libraries (tests/library) on the device for which nvcc makes code, with three
schedules under both detectors: they find what they find on the host, and nothing is reported.

  library.py FOLDER SOURCE DATA CC FLAG... -- CLIENT... -- PROGRAM[:OPTION,...]...

FOLDER is for what it makes, by that compiler of C; DATA has the images that clients read. CLIENT stands for
tests/library/CLIENT_test.c of SOURCE, PROGRAM for tests/library/PROGRAM.diderot, which must be for a device.
"""
import glob
import os
import shutil
import subprocess
import sys

import device

LIBRARIES = ["-lteem", "-lstdc++", "-lm", "-lpthread", "-ldl", "-lrt"]


def make_library(row, folder, source):
    """Its object."""
    name, _, options = row.partition(":")
    said = device.must(os.environ["DIDEROTC"], "--target=cuda", "--json", "--snapshot", "--namespace=" + name,
                       *filter(None, options.split(",")), "-o", os.path.join(folder, name + "_lib"),
                       os.path.join(source, "tests/library", name + ".diderot"), cwd=folder)
    if "runs on the CPU" in said:
        sys.exit(f"{name} is for the host: {said}")
    return os.path.join(folder, name + "_lib.o")


def make_client(name, objects, folder, source, compiler):
    client = os.path.join(folder, name)
    device.must(*compiler, "-D_XOPEN_SOURCE=700", "-D_DEFAULT_SOURCE", "-DDDR_INTERPRETED", "-I" + folder,
                "-I" + source, os.path.join(source, "tests/library", name + "_test.c"), *objects, *LIBRARIES, "-o", client)
    return client


def trouble_of(client, seed, folder):
    log = os.path.join(folder, "log")
    open(log, "w").close()
    env = device.on_device(seed, log, None, **device.DETECTORS)
    if client.endswith("shared"):
        env["ASAN_OPTIONS"] = "detect_leaks=0"  # the interpreter in a library that was closed keeps its memory
    done = subprocess.run([client], env=env, cwd=folder, capture_output=True, text=True, check=False)
    reports = open(log).read()
    return f"status {done.returncode}\n{done.stdout}{done.stderr}{reports}" if done.returncode or reports else ""


def main(folder, source, data, *words):
    device.need_tools()
    os.makedirs(folder, exist_ok=True)
    for image in glob.glob(os.path.join(data, "*.nrrd")):
        shutil.copy(image, folder)
    first = words.index("--")
    second = words.index("--", first + 1)
    compiler, clients, programs = words[:first], words[first + 1:second], words[second + 1:]
    os.environ["DIDEROT_CFLAGS"] = " ".join(compiler[1:])
    objects = [make_library(row, folder, source) for row in programs]
    n_wrong = 0
    for name in clients:
        client = make_client(name, objects, folder, source, compiler)
        for seed in device.SEEDS:
            trouble = trouble_of(client, seed, folder)
            n_wrong += trouble != ""
            print(f"{name}, schedule {seed}: {trouble or 'as on the host'}", flush=True)
    print(f"{len(clients)} clients in three schedules, {n_wrong} runs in trouble")
    sys.exit(n_wrong > 0 or not clients)


main(*sys.argv[1:])
