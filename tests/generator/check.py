"""Random programs, run in all ways, against what they mean (meaning.py).

  check.py [--from SEED] [--count N | --seconds S] [--ways all | N | turn] --diderotc FILE --work FOLDER
           [--compilers 'gcc|clang'] [--shim 'NVCC|RUNTIME|CC'] [--libraries] [--slot K/N] [--passes K/N]

Program number N is the first fit one of seeds 1000 N, 1000 N + 1, ... Each is compiled and run in
lanes and in some of the other ways in turn, the last of these after a rewriting. With `turn` it is only one of these
two, alternately, and with one compiler, alternately, too. It runs with the inputs' defaults and with other values, and
outputs and text must be those that the program means. A program that fails is reduced as long as it fails in the same
way (smaller.py), printed, and kept in WORK/found; then the status is 1. --slot runs every Nth program. With --passes each runs once, by the first
compiler: without one pass or without two, each such choice COUNT times, and of these runs every Nth.
"""
import argparse
import copy
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import time
from fractions import Fraction

import fields
import meaning
import programs
import rewrite
import smaller
from tree import is_seq

HERE = os.path.dirname(os.path.abspath(__file__))
FIXED = ['insert-checks', 'differentiate', 'high-to-mid', 'mid-to-low']  # with --debug alone, or needed


class Failure(Exception):
    """Of one way; `kind` is what stays the same while a program is made smaller."""

    def __init__(self, kind, way, told):
        super().__init__('%s: %s\n%s' % (way, kind, told))
        self.kind, self.way = kind, way


def fit_program(number):
    """The program and its meaning."""
    for seed in range(1000 * number, 1000 * number + 1000):
        program = programs.make(seed)
        try:
            return program, meaning.Run(program)
        except (meaning.Unfit, RecursionError):
            continue
    sys.exit('check.py: no seed gives program %d' % number)


# ---- running ----------------------------------------------------------------------------------------


def write_program(program, folder):
    """p.diderot, and its images."""
    pathlib.Path(folder, 'p.diderot').write_text(program.text(), encoding='utf-8')
    write_inputs(program, folder)


def write_inputs(program, folder):
    for image in program.images:
        path = os.path.join(folder, image.name + '.nrrd')
        pathlib.Path(path).write_text(fields.nrrd_text(image, program.frame), encoding='ascii')


def call(command, folder, environment=None):
    try:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b'', b'does not end')


def read_nrrd(path):
    """Its values, in the order of the file; none where it is missing: a Nrrd holds one at least."""
    if not path.exists():
        return []
    data = path.read_bytes()
    head, _, body = data.partition(b'\n\n')
    ty = [line for line in head.split(b'\n') if line.startswith(b'type: ')][0][6:].decode()
    code = {'float': 'f', 'double': 'd', 'int': 'i', 'unsigned char': 'B', 'signed char': 'b',
            'long long int': 'q', 'int64': 'q'}[ty]
    return list(struct.unpack('<%d%s' % (len(body) // struct.calcsize(code), code), body))


def flat(value):
    return [number for part in value for number in flat(part)] if isinstance(value, tuple) else [value]


# ---- inputs -----------------------------------------------------------------------------------------


def with_other_inputs(program, number):
    """The program with other values in its inputs, and its meaning; None when it has none then."""
    other = copy.deepcopy(program)
    for node in other.inputs:
        node.parts = [programs.Maker('%d %s' % (number, node.name)).leaf(node.ty)]
    try:
        return other, meaning.Run(other)
    except (meaning.Unfit, RecursionError):
        return None


def plain(value):
    """As JSON has it."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return float(value) if isinstance(value, Fraction) else value


def as_words(value):
    """As executables take it."""
    if isinstance(value, list):
        return [word for part in value for word in as_words(part)]
    return [str(value).lower() if isinstance(value, bool) else str(value)]


# ---- running a program ------------------------------------------------------------------------------


def run_executable(folder, given, _):
    """What it prints, and its outputs: lengths, where they are dynamic, and numbers."""
    for path in list(folder.glob('*-*.nrrd')) + [folder / 'printed']:
        path.unlink(missing_ok=True)
    words = [word for name, value in given.items() for word in ['-' + name] + as_words(value)]
    told = finished(call(['./p', '-print', 'printed'] + words, folder))
    if told:
        return told, None, None
    printed = folder / 'printed'
    return None, printed.read_text(encoding='utf-8') if printed.exists() else '', lambda name, is_dynamic: (
        read_nrrd(folder / (name + '-len.nrrd'))[1::2] if is_dynamic else None,
        read_nrrd(folder / (name + ('-data.nrrd' if is_dynamic else '.nrrd'))))


def run_library(folder, given, steps):
    (folder / 'given.json').write_text(json.dumps(given), encoding='utf-8')
    python = os.path.join(HERE, '..', '..', 'runtime', 'python')
    told = finished(call([sys.executable, os.path.join(HERE, 'library.py'), 'p.json', 'given.json', 'result.json',
                          str(steps)], folder, dict(os.environ, PYTHONPATH=python)))
    if told:
        return told, None, None
    result = json.loads((folder / 'result.json').read_text(encoding='utf-8'))
    return None, result['printed'], lambda name, _: result['outputs'][name]


def finished(result):
    """Why it did not, or None."""
    if result.returncode == 0:
        return None
    return 'ends with status %d' % result.returncode, result.stderr.decode(errors='replace')[:3000]


def unsigned_zeros(text):
    """Exact numbers have one zero only."""
    return re.sub(r'(?<![\w.-])-0(?![\w.])', '0', text)


def compare(way, program, run, printed, output):
    printed = unsigned_zeros(printed)
    if printed != run.printed:
        raise Failure('prints something else', way, '--- expected\n%s\n--- found\n%s' % (run.printed, printed))
    for name, values in run.outputs.items():
        ty = next(node.ty for node, is_output in program.state if node.name == name)
        is_dynamic = is_seq(ty) and ty[2] is None
        lengths, found = output(name, is_dynamic)
        if is_dynamic and lengths != [len(v) for v in values]:
            raise Failure('other lengths', way, '%s: expected %s, found %s'
                          % (name, [len(v) for v in values], lengths))
        expected = [number for value in values for number in flat(value)]
        if found != expected:
            raise Failure('other values', way, '%s: expected %s, found %s'
                          % (name, [float(x) for x in expected], found))


class Ways:
    def __init__(self, options):
        self.options = options
        self.compilers = {}
        for compiler in options.compilers.split('|'):
            name = os.path.basename(compiler.split()[0])
            self.compilers[name if name not in self.compilers else '%s %d' % (name, len(self.compilers) + 1)] = compiler
        self.shim = options.shim.split('|') if options.shim else None

    def list(self, names=None):
        """(name, options of diderotc, environment), lanes first; of these compilers, or all."""
        ways = []
        for name in names or self.compilers:
            environment = {'DIDEROT_CC': self.compilers[name]}
            ways += [(name + ' lanes', [], environment), (name + ' scalar', ['--scalar'], environment),
                     (name + ' double', ['--double'], environment),
                     (name + ' parallel', ['--target=parallel'], environment),
                     (name + ' without passes', None, environment)]
            if self.options.libraries:
                ways.append((name + ' library', ['--snapshot'] if len(ways) > 7 else [], environment))
        if self.shim:
            nvcc, runtime, compiler = self.shim
            ways.append(('device', ['--target=cuda', '--no-warning=no-device'],
                         {'DIDEROT_CC': compiler, 'DIDEROT_NVCC': nvcc, 'DIDEROT_CUDA_RUNTIME': runtime,
                          'DDR_SHIM_CC': compiler}))
        return ways

    def chosen(self, number):
        if self.options.ways == 'turn':
            lanes, *others = self.list([list(self.compilers)[number // 4 % len(self.compilers)]])
            return [lanes if number % 2 else others[number // 2 % len(others)]]
        ways = self.list()
        if self.options.ways == 'all':
            return ways
        others = ways[1:]
        n = int(self.options.ways)
        return ways[:1] + [others[(number * n + k) % len(others)] for k in range(n)]


def passes_of(options):
    """That may be left out."""
    table = subprocess.run([options.diderotc, '--doc=passes'], capture_output=True, text=True, check=True).stdout
    return [name for name in re.findall(r'^\| `([a-z-]+)` \|', table, re.M) if name not in FIXED]


def without(passes):
    return ['--no-' + name for name in passes]


def options_of(options, way, number):
    name, own, _ = way
    if own is not None:
        return own
    rng = random.Random(name + str(number))
    left_out = [p for p in options.all_passes if rng.random() < 0.5]
    return without(left_out) + (['--scalar'] if rng.random() < 0.5 else [])


def gist(told):
    """The first error, without places, names and numbers."""
    error = next((line for line in told.split('\n') if 'rror:' in line), told[:200])
    return re.sub(r"['‘].*?['’]|[0-9]+", '_', error.partition('rror:')[2].strip() or error)


def run_way(options, program, run, way, number):
    """Compiles and runs a program; a Failure when it is not what it means."""
    folder = pathlib.Path(options.work) / 'run'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_program(program, folder)
    is_library = way[0].endswith('library')
    kind = ['--namespace=p', '--json'] if is_library else ['--exec']
    command = [options.diderotc, '--warnings=none'] + kind + options_of(options, way, number) + ['-o', 'p', 'p.diderot']
    result = call(command, folder, dict(os.environ, **way[2]))
    if result.returncode != 0:
        told = result.stderr.decode(errors='replace')
        kinds = {1: 'is refused by the compiler', 70: 'is a fault of the compiler'}
        kind = kinds.get(result.returncode, 'ends the compiler with status %d' % result.returncode)
        raise Failure('%s: %s' % (kind, gist(told)), way[0], ' '.join(command) + '\n' + told[:3000])
    other = with_other_inputs(program, number) if program.inputs else None
    for given, expected in [({}, run)] + ([(other[1].given, other[1])] if other else []):
        execute = run_library if is_library else run_executable
        # Stopped between supersteps, strands that need not be in step print in another order.
        steps = number % 3 if expected.is_lockstep() or not expected.printed else 0
        told, printed, output = execute(folder, {n: plain(v) for n, v in given.items()}, steps)
        name = way[0] + (' with %s' % as_words([[n, plain(v)] for n, v in given.items()]) if given else '')
        if told:
            raise Failure(told[0], name, told[1])
        compare(name, program, expected, printed, output)


def check_program(options, ways, number, program, run):
    """The Failure, and what fails: (program, way); or None."""
    for way in ways:
        try:
            run_way(options, program, run, way, number)
        except Failure as failure:
            return failure, way
    return None


# ---- what fails -------------------------------------------------------------------------------------


def shrink(options, program, failure, way, number):
    def fails(candidate):
        try:
            run = meaning.Run(candidate)
            run_way(options, candidate, run, way, number)
        except Failure as other:
            return other.kind == failure.kind
        except Exception:  # not a program any more
            return False
        return False
    return smaller.make(program, fails, time.monotonic() + options.shrink_seconds)


def tell(options, program, failure, way, number, what):
    small = shrink(options, program, failure, way, number)
    found = pathlib.Path(options.work) / 'found'
    found.mkdir(parents=True, exist_ok=True)
    path = found / ('%d.diderot' % number)
    path.write_text(small.text(), encoding='utf-8')
    write_inputs(small, found)
    print('program %d%s, %s\n%s\n%s' % (number, what, failure, small.text(), path), flush=True)


def rewritten(program, number, is_all):
    """(program, meaning, name), the first that has a meaning, or all: it is asked anew, as rewritings are tried,
    too, and some are beyond exact numbers."""
    for turned, name in rewrite.each(program, random.Random(number)):
        try:
            yield turned, meaning.Run(turned), name
        except (meaning.Unfit, RecursionError):
            continue
        if not is_all:
            return


def check_rewritten(options, way, number, before, found):
    turned, run, name = found
    if (rewrite.in_order(turned, run.outputs), run.printed) != (before.outputs, before.printed):
        print('program %d: the rewriting "%s" changes what it means' % (number, name))
        return False
    try:
        run_way(options, turned, run, way, number)
    except Failure as failure:
        tell(options, turned, failure, way, number, ' (%s)' % name)
        return False
    return True


def check_number(options, ways, number):
    program, run = fit_program(number)
    is_all, chosen = options.ways == 'all', ways.chosen(number)
    way = chosen[0] if is_all else chosen[-1]
    in_lanes = way[0].endswith(' lanes') and not is_all
    turned = [] if in_lanes else list(rewritten(program, number, is_all))
    if turned and not is_all:
        chosen.pop()
    failed = check_program(options, chosen, number, program, run)
    if failed:
        tell(options, program, failed[0], failed[1], number, '')
        return False
    return all(check_rewritten(options, way, number, run, found) for found in turned)


def check_passes(options, ways):
    """Program N runs without the Nth choice of one pass or two. Returns how many ran, and failed."""
    kth, n_slots = map(int, options.passes.split('/'))
    choices = [choice for n in (1, 2) for choice in itertools.combinations(options.all_passes, n)]
    name, _, environment = ways.list()[0]
    n_run = n_failed = 0
    for number in range(options.first + kth, options.first + options.count * len(choices), n_slots):
        program, run = fit_program(number)
        way = ('%s without %s' % (name, ' '.join(choices[number % len(choices)])),
               without(choices[number % len(choices)]), environment)
        n_run += 1
        try:
            run_way(options, program, run, way, number)
        except Failure as failure:
            tell(options, program, failure, way, number, '')
            n_failed += 1
    return n_run, n_failed


def check_programs(options, ways):
    slot, n_slots = map(int, options.slot.split('/'))
    end = time.monotonic() + options.seconds
    number, n_run, n_failed = options.first + slot, 0, 0
    while number < options.first + options.count or time.monotonic() < end:
        n_failed += not check_number(options, ways, number)
        n_run += 1
        number += n_slots
    return n_run, n_failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--from', dest='first', type=int, default=1)
    parser.add_argument('--count', type=int, default=0)
    parser.add_argument('--seconds', type=float, default=0)
    parser.add_argument('--shrink-seconds', type=float, default=60)
    parser.add_argument('--ways', default='1')
    parser.add_argument('--slot', default='0/1')
    parser.add_argument('--passes')
    parser.add_argument('--diderotc', required=True)
    parser.add_argument('--work', required=True)
    parser.add_argument('--compilers', default='gcc')
    parser.add_argument('--shim')
    parser.add_argument('--libraries', action='store_true')
    options = parser.parse_args()
    options.work, options.diderotc = os.path.abspath(options.work), os.path.abspath(options.diderotc)
    options.all_passes = passes_of(options)
    check = check_passes if options.passes else check_programs
    n_run, n_failed = check(options, Ways(options))
    print('%d programs, %d failed' % (n_run, n_failed))
    return 1 if n_failed else 0


if __name__ == '__main__':
    sys.exit(main())
