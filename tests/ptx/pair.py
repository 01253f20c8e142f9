#!/usr/bin/env python3
"""pair: stands for a program (run-case), and runs it on the host and on the device.

  pair.py ARGUMENT...    PAIR_PROGRAM: the executable; PAIR_TROUBLE: a file that gets what is wrong

The device has three schedules under both detectors. Each must end as the host does, with the same
texts and the same bytes in all files, and without a report. What the first one did remains.
PAIR_OTHER_BITS, a regular expression: names of files (and `messages`) that may differ from the host's.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import device

# Seconds that a run may take, which otherwise takes one or two.
LONGEST = float(os.environ.get("PAIR_LONGEST", "120"))


def files_of(folder):
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(base, name), "rb") as file:
                found[os.path.relpath(os.path.join(base, name), folder)] = file.read()
    return found


def execute(folder, env):
    shutil.copytree(".", folder)
    program = os.environ["PAIR_PROGRAM"]
    try:
        run = subprocess.run([program] + sys.argv[1:], cwd=folder, env=env, capture_output=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"status": "none in time", "output": b"", "messages": b""}
    return {"status": run.returncode, "output": run.stdout, "messages": run.stderr, **files_of(folder)}


def where(a, b):
    n = next((k for k in range(min(len(a), len(b))) if a[k] != b[k]), min(len(a), len(b)))
    return f"{len(a)} and {len(b)} bytes, other ones from {n} on"


def without_sizes(value):
    """Messages without what changes from run to run."""
    return re.sub(rb"\d+\.\d+", b"", value) if isinstance(value, bytes) else value


def differences(host, found, first):
    """Lines about them. What PAIR_OTHER_BITS matches is compared with the first schedule alone."""
    other_bits = os.environ.get("PAIR_OTHER_BITS") or "(?!)"
    for name in sorted(set(host) | set(found)):
        a, b = (first if re.fullmatch(other_bits, name) else host).get(name), found.get(name)
        if a == b or (name == "messages" and without_sizes(a) == without_sizes(b)):
            continue
        if isinstance(a, bytes) and isinstance(b, bytes) and name != "messages":
            yield f"{name}: {where(a, b)}"
        else:
            yield f"{name}: {str(a)[:300]} on the host, {str(b)[:300]} on the device"


def main():
    scratch = tempfile.mkdtemp(prefix="pair-")
    host = execute(os.path.join(scratch, "host"), device.on_host())
    trouble, first = [], None
    for seed in device.SEEDS:
        log = os.path.join(scratch, "log")
        found = execute(os.path.join(scratch, seed), device.on_device(seed, log, **device.DETECTORS))
        first = first or found
        if isinstance(found["status"], str):
            trouble.append(f"schedule {seed}: no end in {LONGEST:.0f} seconds")
            break
        trouble += [f"schedule {seed}: {line}" for line in differences(host, found, first)]
        if os.path.exists(log):
            trouble += [f"schedule {seed}: {line}" for line in open(log, errors="replace").read().splitlines()]
            os.remove(log)
    if trouble:
        with open(os.environ["PAIR_TROUBLE"], "a") as file:
            file.write("\n".join([" ".join(sys.argv[1:]) + ":"] + trouble) + "\n")
    for name, data in first.items():
        if name not in ("status", "output", "messages"):
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            with open(name, "wb") as file:
                file.write(data)
    shutil.rmtree(scratch)
    sys.stdout.buffer.write(first["output"])
    sys.stderr.buffer.write(first["messages"])
    status = first["status"]
    sys.exit(status if isinstance(status, int) and status >= 0 else 99)


if __name__ == "__main__":
    main()
