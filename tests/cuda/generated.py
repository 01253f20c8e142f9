"""generated.py FOLDER SLOT/SLOTS COUNT COMMAND...: nvcc takes the device code of random programs as cuda.compile wants it:
no warning, no local memory, no spills, no doubles in programs of floats.

The first COUNT programs of tests/generator/check.py, every SLOTS-th of them from number SLOT + 1 on; COMMAND is that of
compile.cmake without the program's name.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "generator"))
import check  # noqa: E402  (its folder is known only here)


def is_taken(number, folder, command):
    """Whether it is; what was said is printed."""
    program, _ = check.fit_program(number)
    os.makedirs(folder, exist_ok=True)
    check.write_program(program, folder)
    made = subprocess.run([*command[:-2], f"-DNAME=p{number}", f"-DPROGRAM={folder}/p.diderot", f"-DFOLDER={folder}",
                           *command[-2:]], capture_output=True, text=True, check=False)
    print(f"program {number}:\n{made.stdout}{made.stderr}", flush=True)
    return made.returncode == 0


def main():
    folder, slot, count, *command = sys.argv[1:]
    kth, n_slots = map(int, slot.split("/"))
    found = [is_taken(number, folder, command) for number in range(1 + kth, 1 + int(count), n_slots)]
    n_refused = found.count(False)
    print(f"{len(found)} programs, {n_refused} refused")
    sys.exit(n_refused > 0 or not found)


main()
