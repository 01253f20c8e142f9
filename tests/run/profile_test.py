"""run.profile: what a program made with --profile reports of its lines, which are run a known number of times.

    profile_test.py DIDEROTC FOLDER
"""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

# Strand i makes i + 1 steps with i rounds of a loop each, and probes at i - 3.5, which is inside for 4 <= i <= 10.
UNBALANCED = '''#version 2.0
input image(1)[] ramp;
field#0(1)[] F = ramp ⊛ tent;

strand walk (int i) {
   int n = 0;
   output real sum = 0.0;
   output real last = 0.0;

   update {
      n += 1;
      foreach (int k in 1..i) {
         sum += k*n;
      }
      last = F(i - 3.5);
      if (n > i && i < 100) {
         last += 1000.0*n;
         stabilize;
      }
   }
}
create_array { walk(i) | i in 0..15 }
'''
RUNS = {'n += 1;': 136, 'sum += k*n;': 1360, 'last = F(i - 3.5);': 136, 'last += 1000.0*n;': 16, 'stabilize;': 16}
PROBES, INSIDE = 136, 56

# Nearly all of its time goes into one line.
HEAVY = '''#version 2.0
strand work (int i) {
   output real x = 0.1*i;
   update {
      foreach (int k in 1..15000) {
         x = sin(x + 0.5)*cos(x - 0.5);
      }
      stabilize;
   }
}
create_array { work(i) | i in 0..511 }
'''

# A loop that becomes its rounds counts as one of them, unless it stays a loop.
UNROLLED = '''#version 2.0
strand s (int i) {
   output real x = 0.1*i;
   update {
      real[] w = {};
      foreach (int k in 0..3) {
         real y = sin(x + k);
         w = w @ y;
      }
      x = w[i];
      stabilize;
   }
}
create_array { s(i) | i in 0..9 }
'''

# A reduction whose values would be computed for several members at once, and a branch that some of them take.
MEMBERS = '''#version 2.0
int total = 0;
function int turned (int a) {
   int x = a;
   foreach (int k in 1..40) {
      x = (x*5 + k) % 64;
      if (x % 3 == 0) {
         x += 2;
      }
   }
   return x;
}
strand member (int i) {
   int a = i;
   output int out = 0;
   update {
      out = total;
      if (total > 0) {
         stabilize;
      }
   }
}
update {
   total = sum { turned(p.a) | p in member.all };
}
create_collection { member(i) | i in 0..39 }
'''

RAMP = b'NRRD0001\ntype: float\ndimension: 1\nsizes: 8\nspacings: 1\nkinds: space\nencoding: ascii\n\n0 1 2 3 4 5 6 7\n'
ROW = re.compile(r' *(\d*) +(?:([0-9.]+)%)? +(\d+)? +(?:([0-9.]+)%)? *(?:(\d+) +([0-9.]+)%)?  (.*)$')


class Page(HTMLParser):
    """The rows of a page, cell by cell."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.title, self.open = [], '', ''
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.open = tag
        if tag == 'tr':
            self.rows.append([])
        elif tag == 'td':
            self.rows[-1].append('')

    def handle_data(self, data):
        if self.open == 'title':
            self.title += data
        elif self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.rstrip('\n')


def check(is_right, what):
    if not is_right:
        sys.exit(f'profile_test: {what}')


def compiled(diderotc, folder, name, source, *options):
    (folder / f'{name}.diderot').write_text(source, encoding='utf-8')
    subprocess.run([diderotc, '--exec', '--warnings=none', *options, f'{name}.diderot'], cwd=folder, check=True)


def executed(folder, *words):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def table(text):
    """Of the lines: time, runs, lanes, probes, outside."""
    rows = (ROW.match(line) for line in text.splitlines())
    return {row[7]: row.groups() for row in rows if row}


def check_counts(folder, text, has_lanes):
    rows = table(text)
    for source, runs in RUNS.items():
        check(source in rows, f'no line "{source}" in\n{text}')
        check(int(rows[source][2]) == runs, f'"{source}" ran {rows[source][2]} times, not {runs}')
    probes = rows['last = F(i - 3.5);']
    check(int(probes[4]) == PROBES, f'{probes[4]} probes, not {PROBES}')
    check(probes[5] == f'{100 - 100*INSIDE/PROBES:.1f}', f'{probes[5]} percent outside')
    share = rows['sum += k*n;'][3]
    check((share is not None) == has_lanes, f'a share of lanes: {share}')
    if has_lanes:
        check(0 < float(share) < 100, f'{share} percent of the lanes are on')
        check(float(share) < float(rows['n += 1;'][3]), 'the loop has more lanes than the step')
    check_page(Page((folder / 'walk.profile.html').read_text(encoding='utf-8')))


def check_page(page):
    lines = UNBALANCED.rstrip('\n').split('\n')
    rows = [row for row in page.rows if row]
    check(page.title.strip() == 'walk: profile', f'title "{page.title}"')
    check([row[-1] for row in rows[:-1]][:len(lines)] == lines, 'the page has not the lines of the source')
    for row in rows:
        if row[-1].strip() in RUNS and row[-1].strip() != 'stabilize;':
            check(int(row[2]) == RUNS[row[-1].strip()], f'the page says {row}')


def check_way(diderotc, folder, options, has_lanes, words=()):
    folder.mkdir()
    (folder / 'ramp.nrrd').write_bytes(RAMP)
    compiled(diderotc, folder, 'walk', UNBALANCED, *options)
    status, text = executed(folder, './walk', '-ramp', 'ramp.nrrd', *words)
    check(status == 0 and text == '', f'without a profile: status {status}, {text}')
    plain = (folder / 'sum.nrrd').read_bytes(), (folder / 'last.nrrd').read_bytes()
    compiled(diderotc, folder, 'walk', UNBALANCED, '--profile', *options)
    status, text = executed(folder, './walk', '-ramp', 'ramp.nrrd', *words)
    check(status == 0, f'status {status}: {text}')
    check(plain == ((folder / 'sum.nrrd').read_bytes(), (folder / 'last.nrrd').read_bytes()), 'other results')
    check_counts(folder, text, has_lanes)


def check_rounds(diderotc, folder):
    for options, runs in ([], 10), (['--no-unroll-sequences'], 40):
        compiled(diderotc, folder, 'rounds', UNROLLED, '--profile', *options)
        status, text = executed(folder, './rounds')
        check(status == 0, f'status {status}: {text}')
        found = table(text)['real y = sin(x + k);'][2]
        check(int(found) == runs, f'{options}: ran {found} times, not {runs}')


def check_members(diderotc, folder):
    compiled(diderotc, folder, 'members', MEMBERS, '--profile')
    status, text = executed(folder, './members')
    check(status == 0, f'status {status}: {text}')
    n_taken = 0
    for x in range(40):
        for k in range(1, 41):
            x = (x*5 + k) % 64
            n_taken += x % 3 == 0
            x += 2*(x % 3 == 0)
    found, n_sums = (int(table(text)[line][2]) for line in ('x += 2;', 'total = sum { turned(p.a) | p in member.all };'))
    check(found == n_taken*n_sums, f'a branch of members ran {found} times, not {n_taken}*{n_sums}')


def check_time(diderotc, folder):
    compiled(diderotc, folder, 'work', HEAVY, '--profile', '--scalar')
    status, text = executed(folder, './work')
    check(status == 0, f'status {status}: {text}')
    share = float(table(text)['x = sin(x + 0.5)*cos(x - 0.5);'][1])
    check(share > 60, f'the loop takes {share} percent of\n{text}')


def check_refusals(diderotc, folder):
    said = HEAVY.replace('15000', '1').replace('update {', 'update { print("ran ");', 1)
    compiled(diderotc, folder, 'work', said, '--profile', '--scalar')
    (folder / 'work.profile.html').unlink()
    (folder / 'work.profile.html').mkdir()
    status, text = executed(folder, './work')
    check(status == 1 and 'cannot write the profile' in text, f'a folder in the way: status {status}: {text}')
    check('ran' not in text, f'found only when all had run: {text}')
    for options, reason in ((['--target=cuda', '--exec'], 'cuda'), (['--target=mpi', '--exec'], 'mpi'), ([], '--profile needs --exec')):
        status, text = executed(folder, diderotc, '--profile', *options, 'work.diderot')
        check(status != 0 and reason in text, f'{options}: status {status}: {text}')


def main():
    diderotc, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    subprocess.run(['rm', '-rf', folder], check=True)
    folder.mkdir(parents=True)
    check_way(diderotc, folder / 'scalar', ['--scalar'], False)
    check_way(diderotc, folder / 'default', [], 'in lanes' in executed(
        folder / 'scalar', diderotc, '--verbose', '--exec', '--warnings=none', '-o', 'again', 'walk.diderot')[1])
    check_way(diderotc, folder / 'threads', ['--scalar', '--target=parallel'], False, ['-n', '2'])
    check_rounds(diderotc, folder)
    check_members(diderotc, folder)
    check_time(diderotc, folder)
    check_refusals(diderotc, folder)


main()
