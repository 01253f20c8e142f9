"""conformance.py FOLDER SUITE: the programs of the conformance suite on the interpreted device, three
schedules under both detectors: results as the suite expects, and no reports.
"""
import os
import subprocess
import sys

import device


def run_suite(folder, suite, seed):
    log = os.path.join(folder, "log")
    if os.path.exists(log):
        os.remove(log)
    env = device.on_device(seed, log, **device.DETECTORS)
    env["DIDEROT_GPU"] = "any"  # some programs are for the host
    run = subprocess.run([os.path.join(suite, "run"), "--diderotc", env["DIDEROTC"], "--target-flags",
                          "--target=cuda --no-warning=no-device", "--jobs", "2", "--timeout", "300"],
                         env=env, capture_output=True, text=True)
    said = open(log, errors="replace").read() if os.path.exists(log) else ""
    print(f"schedule {seed}: {run.stdout}{run.stderr}{said}")
    return run.returncode != 0 or said != ""


def main():
    device.need_tools()
    folder, suite = sys.argv[1:]
    if not os.path.exists(os.path.join(suite, "run")):
        print(f"skipped: there is no conformance suite in {suite}")
        sys.exit(77)
    os.makedirs(folder, exist_ok=True)
    sys.exit(sum([run_suite(folder, suite, seed) for seed in device.SEEDS]) > 0)


main()
