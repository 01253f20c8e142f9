"""cuda.agree: all cases of tests/run and of the examples on the GPU that is there, several at a time: the
host's bytes in all files and texts (tests/ptx/pair.py), and what the cases expect.

  agree.py FOLDER RUN_CASE PROGRAM...

FOLDER is for what it makes; a PROGRAM is a folder with NAME.diderot and *.case. DIDEROTC is the compiler,
DDR_JOBS how many run at a time (otherwise as many as there are cores), NVIDIA_SMI another nvidia-smi.
Skipped where that finds no GPU.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "ptx"))
import agree  # noqa: E402  pylint: disable=wrong-import-position
import device  # noqa: E402  pylint: disable=wrong-import-position


def need_gpu():
    smi = os.environ.get("NVIDIA_SMI", "nvidia-smi")
    has_gpu = shutil.which(smi) and subprocess.run([smi, "-L"], capture_output=True, check=False).stdout.strip()
    device.skip_if(None if has_gpu else "nvidia-smi finds no GPU")
    device.skip_if(None if shutil.which(os.environ.get("DIDEROT_NVCC", "nvcc")) else "there is no nvcc")


def compiled(where, folder):
    """The program, its cases, and what is wrong with it or None; no cases where the CPU does the work."""
    name = os.path.basename(where)
    cases = sorted(glob.glob(os.path.join(where, "*.case")))
    source, program = os.path.join(where, name + ".diderot"), os.path.join(folder, name)
    if os.path.exists(os.path.join(where, "host")) or not os.path.exists(source) or not cases:
        return program, [], None
    try:
        return program, [] if device.compile_program(source, program) else cases, None
    except RuntimeError as error:
        return program, [], str(error)


def run_case(program, case, run_case_program):
    scratch = f"{program}.{os.path.basename(case)}.scratch"
    return f"{os.path.basename(program)}, {os.path.basename(case)}", agree.run_case(case, program, scratch,
                                                                                    run_case_program)


def main():
    need_gpu()
    folder, run_case_program, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    os.environ.setdefault("DIDEROT_NVCCFLAGS", "-arch=native")
    os.environ["PTX_SEEDS"] = "1"  # a GPU has schedules of its own
    n_cases, n_wrong = 0, 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("DDR_JOBS", os.cpu_count()))) as pool:
        runs = []
        for program, cases, error in pool.map(lambda where: compiled(os.path.abspath(where), folder), programs):
            if error:
                n_wrong += 1
                print(error, flush=True)
            runs += [pool.submit(run_case, program, case, run_case_program) for case in cases]
        for run in runs:
            title, said = run.result()
            n_cases += 1
            if said:
                n_wrong += 1
                print(f"{title}:\n{said}", flush=True)
    print(f"{n_cases} cases on the GPU, {n_wrong} in trouble")
    sys.exit(n_wrong > 0 or n_cases == 0)


if __name__ == "__main__":
    main()
