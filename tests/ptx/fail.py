"""fail.py FOLDER PROGRAM[:ARGUMENT,...]...: one call of CUDA after another fails, in programs of tests/run.

Each time the program ends with status 0 and the files that it writes without a fault, or with status 1
and one line that says why. Files that it wrote before are whole. It is done when for some calls in a row nothing has failed on the
device (what frees memory may); the files are those of the host.
"""
import os
import shutil
import subprocess
import sys

import device
from pair import files_of

MOST_CALLS, IN_ROW = 1500, 12


def run(program, arguments, folder, env):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run([program] + arguments, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    return done, files_of(folder)


def check(found, files, expected):
    """What is wrong."""
    if found.returncode == 0:
        return None if files == expected else "other files, and status 0"
    if found.returncode != 1:
        return f"status {found.returncode}"
    lines = [line for line in found.stderr.splitlines() if "device 0: cannot" in line or "[DIDEROT]" in line]
    if len(lines) != 1:
        return f"{len(lines)} lines say why"
    odd = [name for name, data in files.items() if data != expected.get(name)]
    return f"files that are not whole: {', '.join(odd)}" if odd else None


def try_program(source, arguments, folder):
    name = os.path.basename(source)
    program = os.path.join(folder, name)
    if device.compile_program(os.path.join(source, name + ".diderot"), program):
        return 1
    scratch = os.path.join(folder, name + ".scratch")
    _, expected = run(program, arguments, scratch, device.on_host())
    n_right, n_failed, n_in_row, call, n_wrong = 0, 0, 0, 0, 0
    while n_in_row < IN_ROW and call < MOST_CALLS:
        call += 1
        env = dict(os.environ, PTX_FAIL=str(call), PTX_LOG=os.path.join(folder, "log"), DIDEROT_GPU="any")
        found, files = run(program, ["-v"] + arguments, scratch, env)
        what = check(found, files, expected)
        is_whole = found.returncode == 0 and "no GPU is used" not in found.stderr
        n_in_row = n_in_row + 1 if is_whole else 0
        n_right, n_failed = n_right + (found.returncode == 0), n_failed + (found.returncode != 0)
        if what:
            n_wrong += 1
            print(f"{name}, call {call}: {what}\n{found.stderr}")
    print(f"{name}: of {call} calls {n_right} runs were right, {n_failed} failed in an orderly way", flush=True)
    return n_wrong + (call == MOST_CALLS or n_failed < 10)


def main():
    device.need_tools()
    folder, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    n_wrong = 0
    for row in programs:
        source, _, arguments = row.partition(":")
        n_wrong += try_program(os.path.abspath(source), arguments.split(",") if arguments else [], folder)
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
