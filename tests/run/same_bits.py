"""slow.same-bits: each case of tests/run and examples leaves the same files, however its program was compiled.

    same_bits.py DIDEROTC RUN_CASE FOLDER [NAME...]

Compiles each program in lanes, in as many gangs as gain and in three, and one strand at a time, by gcc and clang, for several
instruction sets, for threads, and so that it can be traced;
runs its cases (run_case.c, which also checks what is in the files), and compares the folders that remain.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# name: C compiler, options of diderotc; the first is what others are compared with
WAYS = {
    'lanes': ('gcc', []),
    'scalar': ('gcc', ['--scalar']),
    'clang': ('clang', []),
    'clang-scalar': ('clang', ['--scalar']),
    'gangs': ('gcc', ['--gangs=3']),
    'v3': ('gcc', ['--arch=x86-64-v3']),
    'v2-clang': ('clang', ['--arch=x86-64-v2']),
    'threads': ('gcc', ['--target=parallel']),
    'traced': ('gcc', ['--trace']),
    'threads-scalar-v3-clang': ('clang', ['--target=parallel', '--scalar', '--arch=x86-64-v3']),
}


def cases():
    """Programs and their case files."""
    for case in sorted([*ROOT.glob('tests/run/*/*.case'), *ROOT.glob('examples/*/*.case')]):
        program = case.parent / f'{case.parent.name}.diderot'
        if program.exists() and case.parent.name != 'must-fail':
            yield program, case


def compiled(diderotc, source, way, folder):
    cc, options = WAYS[way]
    program = folder / f'{source.stem}-{way}'
    more = source.parent / 'options'
    extra = more.read_text(encoding='utf-8').split() if more.exists() else []
    words = [diderotc, '--exec', '--warnings=none', *options, *extra, '-o', program, source.name]
    done = subprocess.run([str(word) for word in words], cwd=source.parent, capture_output=True, text=True,
                          env=os.environ | {'DIDEROT_CC': cc})
    if done.returncode:
        sys.exit(f'{source} ({way}): status {done.returncode}\n{done.stderr}')
    return program


def digest(folder):
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob('*') if path.is_file()):
        total.update(str(path.relative_to(folder)).encode() + b'\0' + path.read_bytes())
    return total.hexdigest()


def result(run_case, case, program, diderotc, folder):
    """Of one case: a digest of its files, and what was wrong with them."""
    scratch = folder / 'scratch'
    done = subprocess.run([str(word) for word in (run_case, case, program, 'float', scratch, diderotc)],
                          capture_output=True, text=True)
    return digest(scratch), done.stderr if done.returncode else ''


def main():
    diderotc, run_case, folder = (Path(word).resolve() for word in sys.argv[1:4])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    ways = [way for way in WAYS if shutil.which(WAYS[way][0])]
    n_compared = n_different = 0
    by_program = {}
    for source, case in cases():
        if not sys.argv[4:] or source.stem in sys.argv[4:]:
            by_program.setdefault(source, []).append(case)
    for source, its_cases in by_program.items():
        programs = {way: compiled(diderotc, source, way, folder) for way in ways}
        for case in its_cases:
            results = {way: result(run_case, case, program, diderotc, folder) for way, program in programs.items()}
            for way in ways:
                text = results[way][1] or ('' if results[way][0] == results[ways[0]][0] else 'other bytes\n')
                n_different += bool(text)
                if text:
                    print(f'{source.stem}, {case.stem} ({way}): {text}', end='', flush=True)
            n_compared += len(ways)
        for program in programs.values():
            program.unlink()
    print(f'{n_compared} results compared, {n_different} differ')
    return n_different > 0 or n_compared == 0


if __name__ == '__main__':
    sys.exit(main())
