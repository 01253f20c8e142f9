"""Ranks of MPI against one rank, against threads, and against a program without MPI: least times of the running phase.

    tests/bench/run ranks [--rounds 5] [--quick] [--only NAME...]

Ways take turns in each round, so that what else happens on the machine meets all of them. Times are by the clock, except
those of one rank and one thread, which are processor time. Two ranks, or threads, need a core each.
"""

import shutil
import subprocess
import sys

from common import ROOT, running_seconds, tool
from suite import digest, make_data, source_of

# program, arguments of the usual size, small ones added for --quick, least gain of a second rank
RANKED = {
    'mip': ('mip', '-vol volume.nhdr -width 1600 -height 1200', '-width 40 -height 30', 1.95),
    'vr': ('vr', '-vol volume.nhdr -cmap cmap.nrrd -width 1600 -height 1200', '-width 40 -height 30', 1.95),
    'lic': ('lic', '-flow flow.nrrd -noise noise.nrrd -scale 12', '-scale 1', 1.95),
    'particles': ('swarm', '-count 200000 -steps 20 -reach 0.03', '-count 3000 -steps 3', 1.8),
}

# target, ranks, threads of each, time on the clock?
WAYS = {
    'one thread': ('parallel', 0, 1, False),
    'one rank': ('mpi', 1, 1, False),
    'one rank by the clock': ('mpi', 1, 1, True),
    'two threads': ('parallel', 0, 2, True),
    'two ranks': ('mpi', 2, 1, True),
}
COLUMNS = [ # title, over, under; the goal of the first is that of the program, at least; of the others, at most
    ('2 ranks gain', 'one rank by the clock', 'two ranks', None),
    ('1 rank/1 thread', 'one rank', 'one thread', 1.02),
    ('2 ranks/2 threads', 'two ranks', 'two threads', 1.05),
]


def run(name, way, options):
    """Seconds, and a digest of what was printed and written."""
    target, n_ranks, n_threads, is_clock = WAYS[way]
    program, usual, small, _ = RANKED[name]
    folder = options.work / 'run'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = [*usual.split(), *(small.split() if options.quick else []), '-v', '-n', n_threads]
    words = [f'../{word}' if (options.work / str(word)).is_file() else str(word) for word in words]
    starter = [options.mpirun, '-q', '--oversubscribe', '-n', str(n_ranks)] if n_ranks else []
    done = subprocess.run([*starter, options.work / f'{program}-{target}', *words], capture_output=True, text=True,
                          cwd=folder)
    if done.returncode:
        sys.exit(f'{name} ({way}): status {done.returncode}\n{done.stderr}')
    return running_seconds(done.stderr, is_clock), digest(folder)


def judged(name, title, goal, value):
    if goal is None:
        goal = RANKED[name][3]
        return f'{value:>{len(title) + 2}.3f} {"" if value >= goal else "!":1}'
    return f'{value:>{len(title) + 2}.3f} {"" if value <= goal else "!":1}'


def ranks(options):
    """Prints a line per program; the exit status is 1 where results differ. '!': the goal is missed."""
    options.mpirun = shutil.which('mpirun.openmpi') or shutil.which('mpirun')
    if not options.mpirun:
        print('bench: skipped, there is no mpirun')
        return 77
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    make_data(options.diderotc, options.quick, options.work)
    print(f'{"program":<11}{"ms":>9}' + ''.join(f'{title:>{len(title) + 2}}  ' for title, *_ in COLUMNS))
    is_right = True
    for name in options.only or list(RANKED):
        program = RANKED[name][0]
        for target in ('parallel', 'mpi'):
            tool(options.diderotc, '--exec', '--warnings=none', f'--target={target}', '-o',
                 options.work / f'{program}-{target}', source_of(program))
        least, digests = {}, set()
        for _ in range(options.rounds):
            for way in WAYS:
                seconds, found = run(name, way, options)
                least[way] = min(seconds, least.get(way, seconds))
                digests.add(found)
        values = [judged(name, title, goal, least[over]/max(least[under], 1e-6)) for title, over, under, goal in COLUMNS]
        is_right &= len(digests) == 1
        print(f'{name:<11}{1e3*least["one rank by the clock"]:>9.1f}' + ''.join(values) +
              ('' if len(digests) == 1 else '  DIFFERS'), flush=True)
    return 0 if is_right else 1
