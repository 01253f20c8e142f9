"""slow.ptx.arrays: a client of libddr-array-cuda, by the device code that nvcc makes, with three schedules.

  arrays.py FOLDER BUILD SOURCE ARCHIVE

FOLDER is for what it makes; the target ptx-runtime-arrays of BUILD makes the library, ARCHIVE has the functions
of libddr-array, and the client is tests/install/arrays/device.c of SOURCE, which compares device and host.
"""
import os
import sys

import device


def main(folder, build, source, archive):
    device.need_tools()
    os.makedirs(folder, exist_ok=True)
    client, log = os.path.join(folder, "client"), os.path.join(folder, "log")
    device.must("cmake", "--build", build, "--target", "ptx-runtime-arrays")
    device.must(os.environ["DIDEROT_NVCC"], "-o", client, os.path.join(source, "tests/install/arrays/device.c"),
                "-I" + os.path.join(build, "include"), os.path.join(build, "ptx-runtime/libddr-array-cuda.a"), archive,
                "-lcudart_static", "-lm", "-lpthread")
    for seed in device.SEEDS:
        open(log, "w").close()
        said = device.must(client, env=device.on_device(seed, log, None, **device.DETECTORS))
        reports = open(log).read()
        if said != "the device does what the host does\n" or reports:
            sys.exit(f"seed {seed}: {said}{reports}")


main(*sys.argv[1:])
