"""generated.py FOLDER SLOT/SLOTS COUNT COMMAND...: nvcc takes the device code of random programs as cuda.compile wants it:
no warning, no spills, no doubles in programs of floats.

Strands that reduce reals (ddr_reals) may need local memory, for 32 partial results in doubles: one of five programs; these
are named.
The first COUNT programs of tests/generator/check.py, every SLOTS-th of them from number SLOT + 1 on; COMMAND is that of
compile.cmake without the program's name.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "generator"))
import check  # noqa: E402  (its folder is known only here)


def why_refused(number, folder, command):
    """None, 'local memory' or 'refused'; what was said is printed."""
    program, _ = check.fit_program(number)
    os.makedirs(folder, exist_ok=True)
    check.write_program(program, folder)
    made = subprocess.run([*command[:-2], f"-DNAME=p{number}", f"-DPROGRAM={folder}/p.diderot", f"-DFOLDER={folder}",
                           *command[-2:]], capture_output=True, text=True, check=False)
    print(f"program {number}:\n{made.stdout}{made.stderr}", flush=True)
    if made.returncode == 0:
        return None
    with open(os.path.join(folder, f"p{number}.cu"), encoding="utf-8") as text:
        reduces = "ddr_reals" in text.read()
    return "local memory" if reduces and "local memory, of arrays" in made.stderr else "refused"


def main():
    folder, slot, count, *command = sys.argv[1:]
    kth, n_slots = map(int, slot.split("/"))
    found = [why_refused(number, folder, command) for number in range(1 + kth, 1 + int(count), n_slots)]
    n_local, n_refused = found.count("local memory"), found.count("refused")
    print(f"{len(found)} programs, {n_local} with local memory, {n_refused} refused")
    sys.exit(n_refused > 0 or n_local > len(found) // 5)


main()
