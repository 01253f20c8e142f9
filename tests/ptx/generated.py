"""generated.py FOLDER SLOT/SLOTS COUNT: random programs on the device as on the host (pair.py).

The first COUNT programs of tests/generator/check.py, every SLOTS-th of them from number SLOT + 1 on, with the inputs'
defaults and with other values. What the host does with them is compared with what they mean there.
"""
import os
import shutil
import subprocess
import sys

import device

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "generator"))
import check  # noqa: E402  (its folder is known only here)


def runs_of(program, number):
    """The words of each run."""
    other = check.with_other_inputs(program, number) if program.inputs else None
    given = {name: check.plain(value) for name, value in other[1].given.items()} if other else {}
    words = [word for name, value in given.items() for word in ["-" + name] + check.as_words(value)]
    return [[], words] if words else [[]]


def trouble_of(where, executable, words):
    """What is wrong with a run, in a folder with its inputs."""
    told = os.path.join(where, "..", "trouble")
    if os.path.exists(told):
        os.remove(told)
    env = dict(os.environ, PAIR_PROGRAM=executable, PAIR_TROUBLE=told)
    run = subprocess.run([sys.executable, os.path.join(HERE, "pair.py"), "-print", "printed", *words], cwd=where,
                         env=env, capture_output=True, text=True, check=False)
    if os.path.exists(told):
        return open(told, errors="replace").read()
    return f"status {run.returncode}\n{run.stderr}" if run.returncode != 0 else ""


def try_program(number, folder):
    """How many runs there were, and how many were in trouble; None: the program is for the host."""
    program, _ = check.fit_program(number)
    shutil.rmtree(folder, ignore_errors=True)
    where = os.path.join(folder, "run")
    os.makedirs(where)
    executable = os.path.join(folder, "p")
    check.write_program(program, folder)
    check.write_inputs(program, where)
    obstacle = device.compile_program(os.path.join(folder, "p.diderot"), executable)
    if obstacle:
        print(f"program {number} is for the host: {obstacle}")
        return None
    runs, n_wrong = runs_of(program, number), 0
    for words in runs:
        said = trouble_of(where, executable, words)
        if said:
            n_wrong += 1
            print(f"program {number}: {said}\n{program.text()}", flush=True)
    return len(runs), n_wrong


def main():
    device.need_tools()
    folder, slot, count = sys.argv[1:]
    kth, n_slots = map(int, slot.split("/"))
    numbers = range(1 + kth, 1 + int(count), n_slots)
    found = [try_program(number, folder) for number in numbers]
    on_device = [counts for counts in found if counts]
    n_runs, n_wrong = map(sum, zip(*on_device)) if on_device else (0, 0)
    print(f"{len(on_device)} of {len(found)} programs on the device, {n_runs} runs in three schedules, {n_wrong} in trouble")
    sys.exit(n_wrong > 0 or 2 * len(on_device) < len(found))


if __name__ == "__main__":
    main()
