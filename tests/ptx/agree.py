"""agree.py FOLDER RUN_CASE PROGRAM...: the cases of programs, which are folders with NAME.diderot and
*.case, on the device as on the host (pair.py), with the results that the cases expect.

A PROGRAM with a file `host` beside it is for the host, and so is one that the compiler keeps there.
"""
import glob
import os
import subprocess
import sys

import device


# Files that may differ from the host's, and why.
OTHER_BITS = {
    "eigen": r"(frame|residual|values)\.nrrd",  # eigensystems of floats without doubles: eigen_float.h
    "eigen-lanes": r".*\.nrrd",
    "ridges": r"rgb\.nrrd",  # likewise
    "option-names": "messages",  # seconds, and the name of the device
    "reals": r"area\.nrrd",  # erf and erfc are those of CUDA's library
    "too-long": "messages",  # of several limits the device finds another first
}


def run_case(case, program, scratch, run_case_program):
    trouble = scratch + ".trouble"
    if os.path.exists(trouble):
        os.remove(trouble)
    env = dict(os.environ, PAIR_PROGRAM=program, PAIR_TROUBLE=trouble,
               PAIR_OTHER_BITS=OTHER_BITS.get(os.path.basename(os.path.dirname(case)), ""))
    pair = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pair.py")
    run = subprocess.run([run_case_program, case, pair, "float", scratch, env["DIDEROTC"]], env=env,
                         capture_output=True, text=True)
    said = open(trouble, errors="replace").read() if os.path.exists(trouble) else ""
    if run.returncode != 0:
        said += run.stdout + run.stderr
    return said


def run_program(where, folder, run_case_program):
    """The number of cases, and of those in trouble; None: it is for the host."""
    name = os.path.basename(where)
    cases = sorted(glob.glob(os.path.join(where, "*.case")))
    if os.path.exists(os.path.join(where, "host")):
        return None
    program = os.path.join(folder, name)
    try:
        obstacle = device.compile_program(os.path.join(where, name + ".diderot"), program)
    except RuntimeError as error:
        print(error)
        return len(cases), 1
    if obstacle:
        print(f"{name} is for the host: {obstacle}")
        return None
    n_wrong = 0
    for case in cases:
        said = run_case(case, program, os.path.join(folder, name + ".scratch"), run_case_program)
        if said:
            n_wrong += 1
            print(f"{name}, {os.path.basename(case)}:\n{said}", flush=True)
    os.remove(program)
    return len(cases), n_wrong


def main():
    device.need_tools()
    folder, run_case_program, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    found = [run_program(os.path.abspath(where), folder, run_case_program) for where in programs]
    on_device = [counts for counts in found if counts]
    if not on_device:
        print("skipped: nothing is for a device")
        sys.exit(77)
    n_cases, n_wrong = map(sum, zip(*on_device))
    print(f"{n_cases} cases in three schedules, {n_wrong} in trouble")
    sys.exit(n_wrong > 0 or n_cases == 0)


if __name__ == "__main__":
    main()
