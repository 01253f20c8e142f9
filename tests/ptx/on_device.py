"""ptx.on-device: a library whose worlds hand memory of the device to each other, with three schedules; and
what it says when a driver, which driver.c stands for, knows that the memory is wrong.

  on_device.py FOLDER SOURCE CC FLAG...

FOLDER is for what it makes, by that compiler of C; the program and its client, which knows the results, are
tests/library/chain.diderot and chain.c of SOURCE.
"""
import os
import subprocess
import sys

import device


# What the driver says of memory, and the library then; driver.c has the words.
TOLD = [
    ("2 0 0 4096", None),
    ("2 0 64 128", "the view has 1056 bytes from byte 64 on of memory of a device that has 128"),
    ("2 1 0 4096", "its stream cannot be waited for: invalid device ordinal"),
    ("1 0 0 4096", "it is not memory of a device"),
    ("", "it is not memory of a device"),
]


def must_refuse(client, env, why):
    done = subprocess.run([client], env=env, capture_output=True, text=True, check=False)
    want = f"[DIDEROT] flow: cannot use the given array: {why}\n" if why else ""
    if (done.returncode, done.stderr) != (1 if why else 0, want):
        sys.exit(f"FAKE_MEMORY={env['FAKE_MEMORY']!r}: status {done.returncode}\n{done.stderr}expected {want}")


def main(folder, source, *compiler):
    device.need_tools()
    os.makedirs(folder, exist_ok=True)
    library, client, log = (os.path.join(folder, name) for name in ("chain_lib", "chain", "log"))
    programs = os.path.join(source, "tests/library")
    os.environ["DIDEROT_CFLAGS"] = " ".join(compiler[1:])
    device.must(os.environ["DIDEROTC"], "--target=cuda", "--namespace=chain", "-o", library,
                os.path.join(programs, "chain.diderot"))
    device.must(*compiler, "-I" + folder, os.path.join(programs, "chain.c"), library + ".o", "-lteem",
                "-lstdc++", "-lm", "-lpthread", "-ldl", "-lrt", "-o", client)
    for seed in device.SEEDS:
        open(log, "w").close()
        said = device.must(client, env=device.on_device(seed, log, None, **device.DETECTORS))
        reports = open(log).read()
        if not said.strip() or reports:
            sys.exit(f"seed {seed}: {said}{reports}")
    device.must(compiler[0], "-shared", "-fPIC", "-o", os.path.join(folder, "libcuda.so.1"),
                os.path.join(source, "tests/ptx/driver.c"))
    for told, why in TOLD:
        env = device.on_device("1", log, None, LD_LIBRARY_PATH=folder, FAKE_MEMORY=told)
        must_refuse(client, env, why)


main(*sys.argv[1:])
