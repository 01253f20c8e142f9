"""What the tests of device code in an interpreter share: where its tools are, and how a program is made.

The environment names them (CMakeLists.txt): PTX_TOOLS is the folder of the interpreter's nvcc,
PTX_RUN_BUILD that of its library, DIDEROT_CUDA_RUNTIME the runtime that this nvcc made, DIDEROTC the
compiler, DIDEROT_NVCC and DIDEROT_CC what it calls.
"""
import os
import shutil
import subprocess
import sys

# The detectors, and three schedules: two on a small device, the last on a device with as many
# multiprocessors as an H200, for which blocks are smaller, and strands stay in them to their end.
DETECTORS = {"PTX_RACES": "1", "PTX_UNINIT": "1"}
SEEDS = os.environ.get("PTX_SEEDS", "1 2 3").split()


def skip_if(missing):
    """Ends the test, which counts as skipped, where something is missing, which is said."""
    if missing:
        print("skipped:", missing)
        sys.exit(77)


def need_tools():
    missing = None
    if not os.path.exists(os.path.join(os.environ.get("PTX_TOOLS", ""), "nvcc")):
        missing = "there is no interpreter of PTX (PTX_TOOLS)"
    elif not shutil.which(os.environ.get("PTX_RUN_NVCC", "nvcc")):
        missing = "there is no nvcc"
    skip_if(missing)


def must(*command, **how):
    """Runs it, or ends the test; what it said."""
    made = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if made.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {made.returncode}\n{made.stdout}{made.stderr}")
    return made.stdout + made.stderr


def compile_program(source, target, *options, runtime=None):
    """Makes the executable `target`. What stands in a device's way if it is for the host alone."""
    folder, name = os.path.split(source)
    path = os.path.join(folder, "options")
    more = open(path).read().split() if os.path.exists(path) else []
    env = dict(os.environ)
    if runtime:
        env["DIDEROT_CUDA_RUNTIME"] = runtime
    made = subprocess.run([env["DIDEROTC"], "--exec", "--target=cuda", *more, *options, "-o", target, name],
                          cwd=folder, env=env, capture_output=True, text=True)
    if made.returncode != 0:
        raise RuntimeError(f"{name} does not compile:\n{made.stderr}")
    obstacle = [line for line in made.stderr.splitlines() if "runs on the CPU" in line]
    return obstacle[0].split("CPU: ")[-1] if obstacle else None


def on_host(env=None):
    return dict(env or os.environ, DIDEROT_GPU="none")


def multiprocessors(seed):
    return os.environ.get("PTX_SMS") or ("132" if seed == SEEDS[-1] else "4")


def on_device(seed, log, env=None, **more):
    """The environment in which the program runs on the device, and what is said of it goes to `log`."""
    return dict(env or os.environ, DIDEROT_GPU="required", PTX_SEED=seed, PTX_LOG=log,
                PTX_MEMORY="512", PTX_SMS=multiprocessors(seed), **more)
