"""One report of how fast examples run here: build/bench.md for readers, build/bench.json for comparing.

Each example is compiled in some configurations, which differ from the first in one thing. All of them run
by turns, round after round, so that a machine that changes its speed changes it for all. Times are medians
of the CPU time of the running phase; of several threads, of the time on the clock.
"""

import json
import os
import platform
import re
import shutil
import statistics
import subprocess
from datetime import datetime, timezone

from common import ROOT, WORK, running_seconds, tool

# name: arguments, at the quick and at the usual size
EXAMPLES = {
    'mandelbrot': ('-width 90 -height 60', '-width 480 -height 360'),
    'mip': ('-vol volume.nhdr -width 60 -height 45', '-vol volume.nhdr'),
    'vr': ('-vol volume.nhdr -cmap cmap.nrrd -width 60 -height 45', '-vol volume.nhdr -cmap cmap.nrrd'),
    'ridges': ('-vol volume.nhdr -width 40 -height 30', '-vol volume.nhdr'),
    'lic': ('-flow flow.nrrd -noise noise.nrrd -scale 1', '-flow flow.nrrd -noise noise.nrrd'),
    'reaction': ('-steps 20', '-steps 400'),
}

# key: options of diderotc, arguments of the program, whether time is that on the clock
CONFIGURATIONS = {
    'lanes': ([], [], False),
    'scalar': (['--scalar'], [], False),
    'double': (['--double'], [], False),
    'one thread': (['--target=parallel'], ['-n', '1'], True),
    'two threads': (['--target=parallel'], ['-n', '2'], True),
    'clang': ([], [], False),
}

# heading, configuration above and below the line of the ratio
RATIOS = [
    ('lanes are faster by', 'scalar', 'lanes'),
    ('double takes', 'double', 'lanes'),
    ('two threads are faster by', 'one thread', 'two threads'),
    ('clang takes', 'clang', 'lanes'),
]


def first_line(*words):
    """What a command says first; '' where there is none."""
    if not shutil.which(str(words[0])):
        return ''
    return subprocess.run([str(w) for w in words], capture_output=True, text=True).stdout.partition('\n')[0]


def cpu_name():
    found = re.search(r'^model name\s*: (.*)$', open('/proc/cpuinfo', encoding='utf-8').read(), re.M)
    return found[1] if found else platform.machine()


def commit():
    """Short, with a + when files differ from it; '' without a history."""
    if not (ROOT / '.git').exists() or not shutil.which('git'):
        return ''
    changes = subprocess.run(['git', 'status', '--porcelain', '-uno'], cwd=ROOT, capture_output=True, text=True)
    return first_line('git', '-C', ROOT, 'rev-parse', '--short', 'HEAD') + ('+' if changes.stdout else '')


def circumstances(diderotc):
    source = ROOT / 'examples/mandelbrot/mandelbrot.diderot'
    said = tool(diderotc, '--exec', '--verbose', '-o', WORK / 'mandelbrot', source)
    flags = next(line for line in said.splitlines() if ' -c ' in line).split(' -I')[0].split(' ', 1)[1]
    flags = ' '.join(word for word in flags.split() if not word.startswith('-ffile-prefix-map'))
    compiler = os.environ.get('DIDEROT_CC', os.environ.get('CC', 'cc')).split()[0]
    return {
        'compiler': first_line(diderotc, '--version'),
        'commit': commit(),
        'date': datetime.now(timezone.utc).strftime('%Y-%m-%d'),
        'cpu': cpu_name(),
        'cores': os.cpu_count(),
        'system': platform.platform(terse=True),
        'cc': first_line(compiler, '--version'),
        'clang': first_line('clang', '--version'),
        'flags': flags,
        'load': round(os.getloadavg()[0], 1),
    }


# --- measuring ------------------------------------------------------------------------------------


def make_data(diderotc):
    for name in ('make-volume', 'make-flow'):
        tool(diderotc, '--exec', '--warnings=none', '-o', WORK / name, ROOT / f'examples/{name}/{name}.diderot')
    words = '-shape frame -sizeX 96 -sizeY 96 -sizeZ 96 -data volume.nrrd -o volume.nrrd'.split()
    (WORK / 'volume.nhdr').write_text(tool('./make-volume', *words, cwd=WORK), encoding='utf-8')
    tool('./make-flow', cwd=WORK)
    shutil.copy(ROOT / 'examples/vr/cmap.nrrd', WORK)


def compiled(diderotc, name, key):
    """Path of the program in one configuration; None where its compiler is not there."""
    if key == 'clang' and not shutil.which('clang'):
        return None
    program = WORK / f'{name}-{key.replace(" ", "-")}'
    environment = os.environ | ({'DIDEROT_CC': 'clang'} if key == 'clang' else {})
    tool(diderotc, '--exec', '--warnings=none', *CONFIGURATIONS[key][0], '-o', program,
         ROOT / f'examples/{name}/{name}.diderot', env=environment)
    return program


def measured(diderotc, name, rounds, is_quick):
    programs = {key: program for key in CONFIGURATIONS if (program := compiled(diderotc, name, key))}
    words = EXAMPLES[name][0 if is_quick else 1].split()
    times = {key: [] for key in programs}
    for _ in range(rounds):
        for key, program in programs.items():
            _, arguments, is_clock = CONFIGURATIONS[key]
            text = tool(program, '-v', *words, *arguments, cwd=WORK)
            times[key].append(1e3*running_seconds(text, is_clock))
    return {'name': name, 'times': {key: summary(values) for key, values in times.items()}}


def summary(values):
    """Milliseconds; spread: of the longest over the shortest."""
    return {'ms': statistics.median(values), 'spread': max(values)/max(min(values), 1e-9) - 1}


# --- telling --------------------------------------------------------------------------------------


def table(heading, rows):
    lines = ['| ' + ' | '.join(heading) + ' |', '|---' * len(heading) + '|']
    return lines + ['| ' + ' | '.join(row) + ' |' for row in rows]


def ratio(times, above, below):
    if above not in times or not times[below]['ms']:
        return ''
    return f'{times[above]["ms"]/times[below]["ms"]:.2f}'


def widest(times):
    return f'{100*max(time["spread"] for time in times.values()):.0f} %'


def example_rows(benchmarks):
    for bench in benchmarks:
        times = bench['times']
        ratios = [ratio(times, above, below) for _, above, below in RATIOS]
        yield [f'`{bench["name"]}`', f'{times["lanes"]["ms"]:.1f}', *ratios, widest(times)]


def yardstick_rows(records):
    for record in records:
        yield [f'`{record["name"]}`', f'{record["ratio"]:.2f}', f'{record["ms"]:.1f}', f'{record["limit_ms"]:.1f}',
               f'{100*record["spread"]:.0f} %', 'yes' if record['is_right'] else 'NO']


def against_rows(benchmarks, before):
    known = {bench['name']: bench['times'] for bench in before['benchmarks']}
    for bench in benchmarks:
        for key, time in bench['times'].items():
            then = known.get(bench['name'], {}).get(key)
            if then and then['ms']:
                yield [f'`{bench["name"]}`', key, f'{then["ms"]:.1f}', f'{time["ms"]:.1f}',
                       f'{time["ms"]/then["ms"]:.2f}']


def markdown(result, before):
    here = result['circumstances']
    lines = ['# Speed', '', *table(['', ''], [[key, str(value)] for key, value in here.items() if value != '']), '']
    if here['load'] > 0.5:
        lines += [f'The machine was busy when this began (load {here["load"]}): ratios may hold, times do not.', '']
    heading = ['example', 'ms', *(title for title, _, _ in RATIOS), 'spread']
    lines += table(heading, example_rows(result['benchmarks']))
    if result['yardstick']:
        lines += ['', 'Over C tuned by hand for the same work:', '']
        lines += table(['program', 'ratio', 'ms', 'ms by hand', 'spread', 'same results'],
                       yardstick_rows(result['yardstick']))
    if before:
        was = before['circumstances']
        lines += ['', f'Against {was["compiler"]} {was["commit"]} of {was["date"]}:', '']
        if was['cpu'] != here['cpu']:
            lines += [f'That was another machine, {was["cpu"]}.', '']
        lines += table(['example', 'configuration', 'ms then', 'ms now', 'ratio'],
                       against_rows(result['benchmarks'], before))
    return '\n'.join([*lines, ''])


def report(options, yardstick):
    """yardstick: records of programs beside C tuned by hand; none where there is none."""
    before = json.loads(options.against.read_text(encoding='utf-8')) if options.against else None
    result = {'circumstances': circumstances(options.diderotc)}
    names = options.only or list(EXAMPLES)
    if names != ['mandelbrot']: # the one without data
        make_data(options.diderotc)
    result['benchmarks'] = [measured(options.diderotc, name, options.rounds, options.quick) for name in names]
    result['yardstick'] = yardstick
    text = markdown(result, before)
    options.out.with_suffix('.md').write_text(text, encoding='utf-8')
    options.out.with_suffix('.json').write_text(json.dumps(result, indent=2) + '\n', encoding='utf-8')
    print(text)
    return 0 if all(record['is_right'] for record in yardstick) else 1
