"""Programs in the styles people write, each in several ways: what lanes save, and that results are the same bytes.

Times are processor time of the running phase, of two threads on the clock, medians of runs by turns.
"""

import hashlib
import math
import os
import shutil
import statistics
import struct
import subprocess
import sys

from common import ROOT, running_seconds, tool

SUITE = ROOT / 'tests/bench/suite'

VOLUME, FLOW = '-vol volume.nhdr', '-flow flow.nrrd'

# name: arguments at the usual size, small ones added for --quick
PROGRAMS = {
    'walk': ('', '-walks 500 -steps 50'),
    'march': (VOLUME, '-width 24 -height 18'),
    'trace': ('', '-width 32 -height 24'),
    'lyapunov': ('', '-width 20 -height 20 -rounds 40'),
    'palette': ('-data stream.nrrd -cmap cmap.nrrd', '-width 40 -height 30'),
    'contours': ('-data stream.nrrd', '-width 40 -height 30'),
    'points': (f'{VOLUME} -ps points.nrrd', ''),
    'copies': ('-ps points.nrrd', '-count 2000'),
    'drift': (FLOW, '-steps 20'),
    'fibres': ('-tensors diffusion.nrrd', '-count 10'),
    'pair': (f'{VOLUME} -other volume.nhdr', '-width 24 -height 18'),
    'bytes': ('-bytes bytes.nrrd', '-width 24 -height 18'),
    'pendulum': ('', '-count 12 -steps 60'),
    'filters': ('-weights weights.txt', '-count 300'),
    'means': ('', '-count 1000 -steps 5'),
    'swarm': ('', '-count 300 -steps 3 -reach 0.2'),
    'school': ('', '-count 300 -steps 3 -reach 0.2'),
    'isopoints': (VOLUME, '-count 8'),
    'orbits': (VOLUME, '-count 500 -steps 8'),
    'collatz': ('', '-count 500'),
    'primes': ('', '-count 500'),
    'search': ('', '-count 500'),
    'odd': ('', '-count 500'),
    'tracks': ('', '-count 40 -steps 200'),
    'shells': (VOLUME, '-width 24 -height 18'),
    'bursts': ('', '-count 300 -steps 20'),
    'arrivals': (VOLUME, '-count 400 -steps 10'),
    'infection': ('', '-count 400 -steps 12'),
    'labels': ('', '-count 300 -reach 0.15'),
    'relax': ('', '-count 1000 -steps 5'),
    'medians': ('-data stream.nrrd', '-width 40 -height 30'),
    'kepler': ('', '-count 2000'),
    'colours': ('', '-count 2000 -steps 5'),
    # examples
    'mandelbrot': ('', '-width 60 -height 40'),
    'mip': (VOLUME, '-width 40 -height 30'),
    'vr': (f'{VOLUME} -cmap cmap.nrrd', '-width 40 -height 30'),
    'ridges': (VOLUME, '-width 24 -height 18'),
    'surface': (VOLUME, '-grid 4 -births 10 -patience 15'),
    'lic': (f'{FLOW} -noise noise.nrrd -scale 4', '-scale 1'),
    'spread': ('', '-fine 0.25 -coarse 0.4'),
    'isocontour': ('-img stream.nrrd -spacing 6', '-spacing 20'),
    'reaction': ('-steps 300', '-steps 20'),
    'newton': ('-width 720 -height 600', '-width 40 -height 30'),
    'glyphs': ('-tensors diffusion.nrrd', '-width 40 -height 40'),
    'streamlines': (FLOW, '-columns 4 -rows 3'),
    'make-volume': ('', '-sizeX 16 -sizeY 16 -sizeZ 16'),
    'make-flow': ('-width 800 -height 600', '-width 40 -height 30'),
    'make-tensors': ('-count 300', '-count 20'),
}

# key: options of diderotc, C compiler, arguments of the program
WAYS = {
    'lanes': ([], 'gcc', []),
    'scalar': (['--scalar'], 'gcc', []),
    'clang': ([], 'clang', []),
    'clang-scalar': (['--scalar'], 'clang', []),
    'v3': (['--arch=x86-64-v3'], 'gcc', []),
    'v3-scalar': (['--arch=x86-64-v3', '--scalar'], 'gcc', []),
    'v3-clang': (['--arch=x86-64-v3'], 'clang', []),
    'v2': (['--arch=x86-64-v2'], 'gcc', []),
    'v2-scalar': (['--arch=x86-64-v2', '--scalar'], 'gcc', []),
    'one-thread': (['--target=parallel'], 'gcc', ['-n', '1']),
    'two-threads': (['--target=parallel'], 'gcc', ['-n', '2']),
    'eight-threads': (['--target=parallel'], 'gcc', ['-n', '8']),
}

# heading, way above and below the line
RATIOS = [
    ('lanes', 'scalar', 'lanes'),
    ('lanes, v3', 'v3-scalar', 'v3'),
    ('lanes, v2', 'v2-scalar', 'v2'),
    ('lanes, clang', 'clang-scalar', 'clang'),
    ('clang/gcc', 'clang', 'lanes'),
    ('2 threads', 'one-thread', 'two-threads'),
]


# --- data -----------------------------------------------------------------------------------------


def write_nrrd(path, kind, sizes, samples, more=''):
    header = f'NRRD0004\ntype: {kind}\ndimension: {len(sizes)}\n{more}endian: little\n'
    header += f'sizes: {" ".join(map(str, sizes))}\n'
    path.write_bytes(f'{header}encoding: raw\n\n'.encode() + samples)


def make_data(diderotc, is_quick, work):
    """Images by the examples that make them; a volume of bytes, a list of points in the order of a picture."""
    for name in ('make-volume', 'make-flow', 'make-tensors'):
        tool(diderotc, '--exec', '--warnings=none', '-o', work / name, ROOT / f'examples/{name}/{name}.diderot')
    words = '-shape frame -sizeX 96 -sizeY 96 -sizeZ 96 -data volume.nrrd -o volume.nrrd'.split()
    (work / 'volume.nhdr').write_text(tool('./make-volume', *words, cwd=work), encoding='utf-8')
    tool('./make-flow', cwd=work)
    tool('./make-tensors', cwd=work)
    shutil.copy(ROOT / 'examples/vr/cmap.nrrd', work)
    (work / 'weights.txt').write_text(' '.join(f'{0.5/(k + 1)}' for k in range(24)) + '\n', encoding='utf-8')
    n = 48
    placed = 'space dimension: 3\nspace directions: ' + ' '.join(
        '(' + ','.join(str(3/n if i == k else 0) for i in range(3)) + ')' for k in range(3)
    ) + '\nspace origin: (-1.5,-1.5,-1.5)\n'
    byte_of = [(i*i + 3*j*k + 7*k) % 251 for k in range(n) for j in range(n) for i in range(n)]
    write_nrrd(work / 'bytes.nrrd', 'uchar', [n, n, n], bytes(byte_of), placed)
    side = 20 if is_quick else 700
    points = [x for row in range(side) for col in range(side)
              for x in (2.0*col/side - 1.0, 2.0*row/side - 1.0, 0.3*math.sin(7.0*col/side))]
    write_nrrd(work / 'points.nrrd', 'float', [3, side*side], struct.pack(f'<{len(points)}f', *points))


# --- one program ----------------------------------------------------------------------------------


def source_of(name):
    ours = SUITE / f'{name}.diderot'
    return ours if ours.exists() else ROOT / f'examples/{name}/{name}.diderot'


def compiled(diderotc, name, way, work):
    options, cc, _ = WAYS[way]
    program = work / f'{name}-{way}'
    tool(diderotc, '--exec', '--warnings=none', *options, '-o', program, source_of(name),
         env=os.environ | {'DIDEROT_CC': f"{os.environ.get('DDR_COMPILE_WITH', '')} {cc}"})
    return program


def digest(folder):
    """Of all files that a run left in its folder."""
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            total.update(path.name.encode() + b'\0' + path.read_bytes())
    return total.hexdigest()


def run(program, name, way, is_quick, work):
    """Seconds, and a digest of what was printed and written."""
    folder = work / 'run'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    usual, small = PROGRAMS[name]
    words = [*usual.split(), *(small.split() if is_quick else []), *WAYS[way][2]]
    words = [f'../{word}' if (work / word).is_file() else word for word in words]
    done = subprocess.run([program, '-v', *words], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        sys.exit(f'{name} ({way}): status {done.returncode}\n{done.stderr}')
    is_parallel = 'thread' in way
    return running_seconds(done.stdout + done.stderr, is_parallel), digest(folder)


def measured(name, ways, options):
    """Milliseconds by way, and the ways whose results are others than the first's."""
    programs = {way: compiled(options.diderotc, name, way, options.work) for way in ways}
    times, digests = {way: [] for way in ways}, {}
    for _ in range(options.rounds):
        for way, program in programs.items():
            seconds, digests[way] = run(program, name, way, options.quick, options.work)
            times[way].append(1e3*seconds)
    for program in programs.values():
        program.unlink()
    different = [way for way in ways if digests[way] != digests[ways[0]]]
    return {way: statistics.median(values) for way, values in times.items()}, different


# --- all ------------------------------------------------------------------------------------------


class Cores:
    """How soon one core sees what another has written: short supersteps on two threads depend on it."""

    def __init__(self, work):
        self.program = work / 'cores'
        tool('cc', '-O2', '-pthread', ROOT / 'tests/bench/cores.c', '-o', self.program)

    def nanoseconds(self):
        return int(tool(self.program))


def ratio(times, above, below):
    return times[above]/max(times[below], 1e-3) if above in times and below in times else None



def suite(options):
    """Prints a line per program; the exit status is 1 where results differ."""
    names = options.only or list(PROGRAMS)
    ways = [way for way in options.ways if shutil.which(WAYS[way][1])]
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    make_data(options.diderotc, options.quick, options.work)
    shown = [row for row in RATIOS if row[1] in ways and row[2] in ways]
    cores = Cores(options.work) if 'two-threads' in ways else None
    print(f'{"program":<13}{"ms":>9}' + ''.join(f'{title:>13}' for title, _, _ in shown) + ('  core to core' if cores else ''))
    logs, n_different = {title: [] for title, _, _ in shown}, 0
    for name in names:
        times, different = measured(name, ways, options)
        apart = f'{cores.nanoseconds():>11} ns' if cores else ''
        values = [ratio(times, above, below) for _, above, below in shown]
        for (title, _, _), value in zip(shown, values):
            logs[title].append(math.log(max(value, 1e-3)))
        note = f'  DIFFERS: {" ".join(different)}' if different else ''
        n_different += bool(different)
        print(f'{name:<13}{times[ways[0]]:>9.1f}' + ''.join(f'{value:>13.2f}' for value in values) + apart + note, flush=True)
    if shown:
        print(f'{"mean":<22}' + ''.join(f'{math.exp(statistics.mean(logs[title])):>13.2f}' for title, _, _ in shown))
    return n_different > 0
