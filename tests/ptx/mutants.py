"""mutants.py FOLDER RUN_CASE ROOT [NAME...]: faults put into device code are found.

Each row changes one place of the runtime for devices, compiles that file again and runs a program of
tests/run as agree.py does. There must be trouble: a report, another result or a failure. Without names
all are tried.
"""
import glob
import os
import shutil
import subprocess
import sys

import device
from agree import run_case

# name, file below the root, what stands there, what shall, the program that shows it
MUTANTS = [
    ("atomic-count", "runtime/cuda/births.cu", "(void)DDR_DEVICE_ADD(&n_made[birth_at(&strands, thread)->creator], 1ULL);",
     "n_made[birth_at(&strands, thread)->creator] += 1;", "lineage"),
    ("atomic-heap", "runtime/include/ddr/device/device.h",
     "(uint64_t)ddr_warp_add(heap->n_taken, (unsigned long long)n_bytes);",
     "(uint64_t)*heap->n_taken; *heap->n_taken += n_bytes;", "lineage"),
    ("last-of-compaction", "runtime/cuda/commit.cu", "if (k > n_columns) return;",
     "if (k > n_columns || (k == n_columns && slot == n_kept - 1)) return;", "lineage"),
    ("column-forgotten", "runtime/cuda/births.cu", "if (at > n_columns) return;",
     "if (at > n_columns || at == 0) return;", "lineage"),
    ("same-place", "runtime/cuda/births.cu", "(int64_t)made_before[birth->creator] + birth->number;",
     "(int64_t)made_before[birth->creator];", "lineage"),
    ("last-word", "runtime/cuda/sequences.cu", "for (size_t word = (size_t)lane; word < n_words;",
     "for (size_t word = (size_t)lane; word + 1 < n_words;", "sequences"),
    ("beyond-elements", "runtime/cuda/sequences.cu", "if (at + sizeof word <= used) return",
     "if (at <= used) return", "sequences"),
    ("moved-before-copied", "runtime/cuda/sequences.cu",
     "DDR_LAUNCH(copy_kernel, &device->launch, held->n_held * WARP, *held, offsets, to);\n"
     "  DDR_LAUNCH(move_kernel, &device->launch, held->n_held, *held, offsets, to);",
     "DDR_LAUNCH(move_kernel, &device->launch, held->n_held, *held, offsets, to);\n"
     "  DDR_LAUNCH(copy_kernel, &device->launch, held->n_held * WARP, *held, offsets, to);", "sequences"),
    ("header-padding", "runtime/cuda/sequences.cu",
     "memset(buffer, 0, sizeof *buffer); /* its padding, too */", "", "sequences"),
    ("last-block", "runtime/include/ddr/device/device.h",
     "return (uint32_t)((n + size - 1) / size);", "return (uint32_t)((n + size - 2) / size);", "teams"),
    ("strand-twice", "runtime/include/ddr/device/tiles.h", "return thread - k +",
     "return thread - k - (thread == 5) +", "grids"),
    ("lane-missing", "runtime/include/ddr/base/gpu.h", "return __shfl_down_sync(0xffffffffu, word, distance, n);",
     "return __shfl_down_sync(0x7fffffffu, word, distance, n);", "nearby"),
    ("flag-of-all", "runtime/cuda/near.cu", "if (!is_same) ddr_warp_max(has_moved, 1);",
     "if (!is_same) *has_moved = 1;", "lattice"),
    ("atomic-cells", "runtime/cuda/near.cu", "(void)DDR_DEVICE_ADD(&counts[cell], 1u);", "counts[cell] += 1;", "nearby"),
    ("end-uncounted", "runtime/include/ddr/device/team.h",
     "if (now != DDR_ACTIVE) atomicAdd(&report->n_ended, 1u);", "", "teams"),
    ("death-uncounted", "runtime/include/ddr/device/team.h",
     "if (now == DDR_DEAD) atomicAdd(&report->n_dead, 1u);", "", "teams"),
    ("ends-plain", "runtime/include/ddr/device/team.h", "atomicAdd(&report->n_ended, 1u);", "report->n_ended += 1;", "teams"),
    ("report-early", "runtime/include/ddr/device/team.h",
     "  ddr_block_wait();\n  if (threadIdx.x > 0) return;", "  if (threadIdx.x > 0) return;", "teams"),
    ("steps-of-one-lane", "runtime/include/ddr/device/team.h",
     "strands->n_steps[team->slot] = n_all;", "if (threadIdx.x % 32 == 0) strands->n_steps[team->slot] = n_all;", "teams"),
    ("steps-of-former-strand", "runtime/include/ddr/device/team.h", "team->n_steps = team->pause;", "", "teams"),
    ("stripe-of-neighbour", "runtime/include/ddr/device/sort.h",
     "return ddr_team_words + first * DDR_STRIPE_PLACES + lane;",
     "return ddr_team_words + first * DDR_STRIPE_PLACES + lane / 2 * 2;", "hops"),
    ("team-order", "runtime/include/ddr/device/team.h", "number += ddr_warp_sum(lane < warp ? counts[lane] : 0);",
     "number += 32 * warp;", "teams"),
    ("team-given-twice", "runtime/include/ddr/device/team.h", "takes = threadIdx.x < team->n_left;",
     "takes = threadIdx.x <= team->n_left;", "teams"),
    ("print-padding", "runtime/include/ddr/device/prints.h", "if (n_bytes % 8 > 0) *(uint64_t *)",
     "if (n_bytes % 8 > 8) *(uint64_t *)", "printing"),
]


def changed(root, folder, path, before, after):
    """A folder of include paths in which the file has the fault."""
    text = open(os.path.join(root, path)).read()
    if text.count(before) < 1:
        raise RuntimeError(f"{path} has no '{before}'")
    inside = path.removeprefix("runtime/include/")
    target = os.path.join(folder, "include", inside)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w") as file:
        file.write(text.replace(before, after, 1))
    return target


def users_of(root, path):
    """The files of the runtime that have to be compiled again."""
    if path.endswith(".cu"):
        return [path]
    name = os.path.basename(path)
    if name in ("team.h", "sort.h", "tiles.h"):
        return []  # for programs alone
    direct = "warp.h" if name == "warp.h" else "device.h"
    files = glob.glob(os.path.join(root, "runtime/cuda/*.cu"))
    own = [os.path.relpath(file, root) for file in files if os.path.basename(file) != "cub.cu"]
    return own if direct == "device.h" else [f for f in own if path in open(os.path.join(root, f)).read()]


def runtime_with(root, folder, path, mutant):
    """The archive with the fault in it."""
    archive = os.path.join(folder, "libddr-runtime-cuda.a")
    shutil.copy(os.environ["DIDEROT_CUDA_RUNTIME"], archive)
    objects, running = [], []
    for source in users_of(root, path):
        at = mutant if source == path else os.path.join(root, source)
        objects.append(os.path.join(folder, os.path.basename(source).replace(".cu", ".o")))
        running.append(subprocess.Popen(
            [os.path.join(os.environ["PTX_TOOLS"], "nvcc"), "-std=c++17", "-O3", "-Xcompiler=-fPIC",
             "-Xcompiler=-fvisibility=hidden", f"-I{folder}/include", f"-I{root}",
             f"-I{root}/runtime/include", "-c", at, "-o", objects[-1]],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        if len(running) == 2 or source == users_of(root, path)[-1]:
            for process in running:
                said, _ = process.communicate()
                if process.returncode != 0:
                    raise RuntimeError(f"{path} with the fault does not compile:\n{said}")
            running = []
    subprocess.run(["ar", "rcs", archive] + objects, check=True)
    return archive


def is_found(row, root, scratch, run_case_program):
    name, path, before, after, program = row
    folder = os.path.join(scratch, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    mutant = changed(root, folder, path, before, after)
    archive = runtime_with(root, folder, path, mutant)
    nvcc = os.environ["DIDEROT_NVCC"]
    os.environ["DIDEROT_NVCC"] = f"{nvcc} -I{folder}/include"
    os.environ["PAIR_LONGEST"] = "20"
    where = os.path.join(root, "tests/run", program)
    executable = os.path.join(folder, program)
    try:
        device.compile_program(os.path.join(where, program + ".diderot"), executable, runtime=archive)
    finally:
        os.environ["DIDEROT_NVCC"] = nvcc
    for case in sorted(glob.glob(os.path.join(where, "*.case"))):
        said = run_case(case, executable, os.path.join(folder, "scratch"), run_case_program)
        if said:
            print(f"{name}: {os.path.basename(case)}: {[s for s in said.splitlines() if s][-1][:150]}", flush=True)
            shutil.rmtree(folder)
            return True
    print(f"{name}: NOBODY NOTICES", flush=True)
    return False


def main():
    device.need_tools()
    folder, run_case_program, root, *names = sys.argv[1:]
    rows = [row for row in MUTANTS if not names or row[0] in names]
    n_found = sum([is_found(row, root, folder, run_case_program) for row in rows])
    print(f"{n_found} of {len(rows)} faults are found")
    sys.exit(n_found < len(rows) or not rows)


if __name__ == "__main__":
    main()
