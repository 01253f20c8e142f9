"""run.bench.report: the report is there, in both forms, and compares with another.   report_test.py DIDEROTC FOLDER"""

import copy
import json
import subprocess
import sys
from pathlib import Path

from report import markdown

diderotc, folder = sys.argv[1], Path(sys.argv[2])
words = [Path(__file__).parent / 'run', 'report', '--quick', '--rounds', '2', '--only', 'mandelbrot',
         '--diderotc', diderotc, '--out', folder / 'report']
text = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout
assert text.strip() == (folder / 'report.md').read_text(encoding='utf-8').strip()

result = json.loads((folder / 'report.json').read_text(encoding='utf-8'))
times = result['benchmarks'][0]['times']
assert {'lanes', 'scalar', 'double', 'one thread', 'two threads'} <= set(times), times
assert all(time['ms'] > 0 and time['spread'] >= 0 for time in times.values()), times
assert result['circumstances']['compiler'].startswith('diderotc '), result
assert '| `mandelbrot` |' in text and f'| cpu | {result["circumstances"]["cpu"]} |' in text, text

before = copy.deepcopy(result)
before['circumstances']['cpu'] = 'another'
for time in before['benchmarks'][0]['times'].values():
    time['ms'] /= 4
comparison = markdown(result, before).partition('Against')[2]
rows = [line.split('|')[1:-1] for line in comparison.splitlines() if '`mandelbrot`' in line]
assert len(rows) == len(times) and all(row[-1].strip() == '4.00' for row in rows), comparison
assert 'another machine' in comparison, comparison
