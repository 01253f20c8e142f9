"""ptx.on-device: a library whose worlds hand memory of the device to each other, with three schedules.

  on_device.py FOLDER SOURCE CC FLAG...

FOLDER is for what it makes, by that compiler of C; the program and its client, which knows the results, are
tests/library/chain.diderot and chain.c of SOURCE.
"""
import os
import subprocess
import sys

import device


def must(*command, **how):
    made = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if made.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {made.returncode}\n{made.stdout}{made.stderr}")
    return made.stdout


def main(folder, source, *compiler):
    device.need_tools()
    os.makedirs(folder, exist_ok=True)
    library, client, log = (os.path.join(folder, name) for name in ("chain_lib", "chain", "log"))
    programs = os.path.join(source, "tests/library")
    os.environ["DIDEROT_CFLAGS"] = " ".join(compiler[1:])
    must(os.environ["DIDEROTC"], "--target=cuda", "--namespace=chain", "-o", library,
         os.path.join(programs, "chain.diderot"))
    must(*compiler, "-I" + folder, os.path.join(programs, "chain.c"), library + ".o", "-lteem",
         "-lstdc++", "-lm", "-lpthread", "-ldl", "-lrt", "-o", client)
    for seed in device.SEEDS:
        open(log, "w").close()
        said = must(client, env=device.on_device(seed, log, None, **device.DETECTORS))
        reports = open(log).read()
        if not said.strip() or reports:
            sys.exit(f"seed {seed}: {said}{reports}")


main(*sys.argv[1:])
