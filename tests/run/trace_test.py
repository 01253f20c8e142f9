"""run.trace: what a program made with --trace tells of a strand, whose values follow from arithmetic.

    trace_test.py DIDEROTC FOLDER
"""

import json
import math
import subprocess
import sys
from pathlib import Path

# The field is 3x + 4y.
WALK = '''#version 2.0
input image(2)[] img;
input real h = 0.5;
field#1(2)[] F = img ⊛ tent#1;
real twiceH = 2.0*h;
function real bent (real x) { if (x > 0.75) { return 2.0*x; } return x + 1.0; }
strand walk (int i, int j) {
   vec2 pos = [h*i, h*j];
   output real r = 0.0;
   int n = 0;
   update {
      real t = bent(pos[0]) + pos[1];
      foreach (int k in 0..2) { t = t + k*n; }
      if (inside(pos, F)) {
         vec2 g = ∇F(pos);
         r = F(pos) + g[0];
      } else {
         r = t if t > 4.0 else 7.0;
      }
      n += 1;
      if (n >= 3) { stabilize; }
   }
}
create_array { walk(i, j) | j in 0..3, i in 0..4 }
'''
PLANE = b'NRRD0001\ntype: float\ndimension: 2\nsizes: 4 4\nspacings: 1 1\nkinds: space space\nencoding: ascii\n\n' \
        b'0 3 6 9\n4 7 10 13\n8 11 14 17\n12 15 18 21\n'

# Who is born and dies is told by numbers of births; 1 has two neighbours until 2 dies.
CELLS = '''#version 2.0
int rounds = 100;
strand cell (int id) {
   real pos = 1.0*id;
   int age = 0;
   output int seen = 0;
   start { seen = 10*id; }
   update {
      age += 1;
      int n = 0;
      foreach (cell c in sphere(1.5)) { n += 1; }
      seen += n;
      if (id == 1 && age == 2) { new cell(20 + age); }
      if (id == 2 && age == 3) { die; }
      if (age == 4) { stabilize; }
   }
   stabilize { seen += 1000; }
}
start { rounds = 7; }
update { rounds += 1; }
create_collection { cell(i) | i in 0..3 }
'''

VALUES = '''#version 2.0
function int firstOver (int[] xs, int most) {
   foreach (int x in xs) { if (x > most) { return x; } }
   return -1;
}
function real inner (real x) { return x + 0.25; }
function real outer (real x) { return 2.0*inner(x); }
strand s (int i) {
   output real out = 0.0;
   real never = 1.0;
   update {
      int[] some = {3, 5, 8};
      int[2] two = {i, i + 1};
      mat2 m = [[1, 2], [3, 0.1]];
      bool isOdd = i % 2 == 1;
      never = (1.0*i - i)/(1.0*i - i);
      real big = 1.0/(1.0*i - i);
      int over = firstOver(some, 4);
      int unused = firstOver(some, 4);
      real o = outer(0.5);
      real total = sum { inner(1.0*k) | k in 1..2 };
      print("at ", i, "\\n");
      out = total;
      stabilize;
   }
}
create_array { s(i) | i in 0..9 }
'''

EMPTY = '''#version 2.0
strand s (int i) { output int n = 0; update { stabilize; } }
create_array { s(i) | i in 1..0 }
'''

# Global code ends the strands, and goes on.
ENDED = '''#version 2.0
int turns = 0;
strand s (int i) {
   output int n = 0;
   update { n += 1; }
   stabilize { n += 100; }
}
update {
   turns += 1;
   if (turns == 2) { stabilize; turns += 10; }
}
create_array { s(i) | i in 0..9 }
'''

ENDLESS = '''#version 2.0
strand s (int i) {
   output int n = 0;
   update { n += 1; }
}
create_array { s(i) | i in 0..9 }
'''


def check(is_right, what):
    if not is_right:
        sys.exit(f'trace_test: {what}')


def run(folder, *words):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def compiled(diderotc, folder, name, source, *options):
    (folder / f'{name}.diderot').write_text(source, encoding='utf-8')
    words = (diderotc, '--exec', '--warnings=none', *options, f'{name}.diderot')
    subprocess.run(words, cwd=folder, check=True)


def trace(folder, name, strand, *options):
    status, out, err = run(folder, f'./{name}', f'--trace={strand}', '--trace-format=json', *options)
    check(status == 0 and err == '', f'{name} {strand}: status {status}, {err}')
    return json.loads(out)


def told(of, method, superstep=0):
    """Kind, name and values of each record there."""
    names = ('at', 'value', 'values')
    records = [record for part in of['parts'] if (part['method'], part['superstep']) == (method, superstep)
               for record in part['records']]
    sites = [of['sites'][record['site']] for record in records]
    return [(site['kind'], site.get('name', ''), *(record[name] for name in names if name in record))
            for site, record in zip(sites, records)]


def same(found, expected, what):
    check(found == expected, f'{what}:\n found    {found}\n expected {expected}')


# --- a grid ---------------------------------------------------------------------------------------

def walk_step(h, i, j, n):
    """What update tells in superstep n + 1; all numbers are exact in float."""
    x, y = h * i, h * j
    bent = 2 * x if x > 0.75 else x + 1
    t = bent + y
    records = [('call', 'bent'), ('assign', 'x', x), ('branch', 'x > 0.75', x > 0.75), ('return', 'bent', bent),
               ('assign', 't', t)]
    for k in range(3):
        t += k * n
        records += [('assign', 'k', k), ('assign', 't', t)]
    is_inside = 0 <= x < 3 and 0 <= y < 3
    records += [('inside', 'F', [x, y], is_inside), ('branch', 'inside(pos, F)', is_inside)]
    if is_inside:
        value = 3 * x + 4 * y
        records += [('probe', '∇F', [x, y], [3, 4]), ('assign', 'g', [3, 4]), ('probe', 'F', [x, y], value),
                    ('assign', 'r', value + 3)]
    else:
        records += [('branch', 't > 4.0', t > 4), ('assign', 'r', t if t > 4 else 7)]
    return [*records, ('assign', 'n', n + 1), ('branch', 'n >= 3', n == 2),
            ('exit', 'stabilize' if n == 2 else 'continue')]


def check_walk(folder):
    for h, i, j in ((0.5, 1, 3), (0.5, 4, 1), (2.0, 3, 2), (-1.0, 1, 1)):
        of = trace(folder, 'walk', f'{i},{j}', '-img', 'plane.nrrd', '-h', str(h))
        same(of['strand'], {'name': 'walk', 'index': [i, j], 'birth': 5 * j + i}, 'whose it is')
        same(of['end'], {'how': 'stable', 'superstep': 3}, 'its end')
        same(told(of, 'globals'), [('assign', 'h', h), ('assign', 'twiceH', 2 * h)], 'globals')
        same(told(of, 'create'), [('assign', 'i', i), ('assign', 'j', j), ('assign', 'pos', [h * i, h * j]),
                                  ('assign', 'r', 0), ('assign', 'n', 0)], 'creation')
        for n in range(3):
            same(told(of, 'update', n + 1), walk_step(h, i, j, n), f'superstep {n + 1} of {i},{j} with h = {h}')
        by_birth = trace(folder, 'walk', f'#{5 * j + i}', '-img', 'plane.nrrd', '-h', str(h))
        same(by_birth, of, 'by its birth')
    check(told(of, 'update', 4) == [], 'a step after the last')


def check_places(folder):
    """Lines and columns are those of the source, whose text there is known."""
    of = trace(folder, 'walk', '0,0', '-img', 'plane.nrrd')
    lines = WALK.splitlines()
    texts = {'bent': 'bent(pos[0])', '∇F': '∇F(pos)', 't > 4.0': 't > 4.0', 'stabilize': 'stabilize', 'continue': '}'}
    for site in of['sites']:
        if site['name'] in texts and site['kind'] != 'return':
            text = lines[site['line'] - 1][site['column'] - 1:site['end_column'] - 1]
            check(text.rstrip(';') == texts[site['name']] and site['line'] == site['end_line'], f'{site} is at "{text}"')
    types = {site['name']: site['type'] for site in of['sites'] if site['kind'] == 'assign'}
    same((types['pos'], types['n'], types['x']), ('vec2', 'int', 'real'), 'types')


def check_text(folder):
    status, out, err = run(folder, './walk', '--trace=1,3', '-img', 'plane.nrrd')
    check(status == 0 and err == '', f'text: status {status}, {err}')
    expected = '''update, superstep 1
   12  real t = bent(pos[0]) + pos[1];               calls bent
    6    function real bent (real x) { if (x > 0.75  x = 0.5
                                                     x > 0.75: false
                                                     returns 1.5
   12  real t = bent(pos[0]) + pos[1];               t = 3
'''
    check(out.startswith('walk #16 (1, 3): stable in superstep 3\n\nglobals\n'), out[:100])
    check(expected in out, f'text of a call:\n{out}')
    check('   14  if (inside(pos, F)) {                         inside F at [0.5, 1.5]: true\n' in out, 'an inside test')
    check('   15  vec2 g = ∇F(pos);                             ∇F at [0.5, 1.5] = [3, 4]\n' in out, 'a probe')


# --- strands that see each other ------------------------------------------------------------------

def check_cells(folder):
    of = trace(folder, 'cells', '#1')
    neighbours = [2, 2, 2, 1]
    same(of['strand'], {'name': 'cell', 'index': None, 'birth': 1}, 'a cell')
    same(told(of, 'global start'), [('assign', 'rounds', 7)], 'the global start')
    same(told(of, 'start', 1), [('assign', 'seen', 10)], 'its start')
    seen = 10
    for step, n in enumerate(neighbours, 1):
        seen += n
        records = told(of, 'update', step)
        same([record for record in records if record[1] == 'n'], [('assign', 'n', k) for k in range(n + 1)], 'neighbours')
        check(('assign', 'seen', seen) in records, f'seen {seen} in superstep {step}')
        same(('new', '', [22]) in records, step == 2, f'a birth in superstep {step}')
        same(told(of, 'global update', step), [('assign', 'rounds', 7 + step)], 'rounds')
    same(told(of, 'stabilize', 4), [('assign', 'seen', seen + 1000)], 'its stabilize')
    same(of['end'], {'how': 'stable', 'superstep': 4}, 'its end')

    dead = trace(folder, 'cells', '#2')
    same(dead['end'], {'how': 'died', 'superstep': 3}, 'a death')
    same(told(dead, 'update', 3)[-1], ('exit', 'die'), 'the last thing before')
    after = trace(folder, 'cells', '#3') # its slot changes when 2 dies
    same([record[2] for record in told(after, 'create') if record[1] == 'id'], [3], 'who it is')
    same(after['end'], {'how': 'stable', 'superstep': 4}, 'one behind the dead')

    child = trace(folder, 'cells', '#4')
    same(told(child, 'create', 2), [('assign', 'id', 22), ('assign', 'pos', 22), ('assign', 'age', 0), ('assign', 'seen', 0)],
         'a child is created')
    same(told(child, 'start', 3), [('assign', 'seen', 220)], 'a child starts')
    same(child['end'], {'how': 'stable', 'superstep': 6}, 'a child ends')
    same(told(child, 'global update', 1), [], 'before it was born')
    same(told(child, 'create'), [], 'nobody else')


def check_ended(folder):
    of = trace(folder, 'ended', '4')
    same(of['end'], {'how': 'stable', 'superstep': 2}, 'ended by global code')
    same(told(of, 'stabilize', 2), [('assign', 'n', 102)], 'stabilize amid global code')
    same(told(of, 'global update', 2), [('assign', 'turns', 2), ('branch', 'turns == 2', True), ('exit', 'stabilize'),
                                        ('assign', 'turns', 12)], 'global code around it')


# --- values ---------------------------------------------------------------------------------------

def check_values(folder):
    of = trace(folder, 'values', '3')
    records = told(of, 'update', 1)
    values = {record[1]: record[2] for record in records if record[0] == 'assign'}
    expected = {'some': [3, 5, 8], 'two': [3, 4], 'm': [[1, 2], [3, 0.1]], 'isOdd': True, 'never': 'nan', 'big': 'inf',
                'over': 5, 'o': 1.5, 'total': 3.5, 'out': 3.5}
    same({name: values[name] for name in expected}, expected, 'values of all types')
    first = records[records.index(('call', 'firstOver')):]
    same(first[:8], [('call', 'firstOver'), ('assign', 'xs', [3, 5, 8]), ('assign', 'most', 4), ('assign', 'x', 3),
                     ('branch', 'x > most', False), ('assign', 'x', 5), ('branch', 'x > most', True),
                     ('return', 'firstOver', 5)], 'a return from a loop')
    same(first[8], ('assign', 'over', 5), 'what it returned')
    same(first[9:18], [*first[:8], ('assign', 'unused', 5)], 'the same call, which nobody needs')
    same([record for record in records if record[0] == 'print'], [('print', '', ['at ', 3, '\n'])], 'what it prints')
    depths = [(of['sites'][r['site']]['kind'], of['sites'][r['site']].get('name'), r.get('depth', 0))
              for part in of['parts'] for r in part['records']]
    begin = depths.index(('call', 'outer', 0))
    same(depths[begin:begin + 6], [('call', 'outer', 0), ('assign', 'x', 1), ('call', 'inner', 1), ('assign', 'x', 2),
                                   ('return', 'inner', 2), ('return', 'outer', 1)], 'calls in calls')
    same([record[2] for record in records if record[:2] == ('return', 'inner')], [0.75, 1.25, 2.25], 'in a reduction, too')
    check(math.isclose(values['m'][1][1], 0.1, rel_tol=1e-15), 'digits')


# --- limits and mistakes --------------------------------------------------------------------------

def check_limits(folder):
    of = trace(folder, 'endless', '2', '-l', '3')
    same(of['end'], {'how': 'active', 'superstep': 3}, 'the limit of steps')
    same([record for step in (1, 2, 3) for record in told(of, 'update', step)],
         [record for step in (1, 2, 3) for record in (('assign', 'n', step), ('exit', 'continue'))], 'three steps')
    # The first records are i and n; each step makes two more. A run ends once ten times the limit are left out:
    # 2 + 2*27 records are 51 more than 5.
    cut = trace(folder, 'endless', '2', '--trace-limit=5')
    same((cut['records'], cut['end']), ({'kept': 5, 'left_out': 51}, {'how': 'active', 'superstep': 27}), 'a limit of records')
    status, out, err = run(folder, './cells', '--trace=#4', '-l', '1')
    check((status, out) == (1, '') and err.endswith('strand #4 is not yet born in superstep 1\n'), f'born later: {err}')
    _, out, _ = run(folder, './endless', '--trace=2', '--trace-limit=5')
    check(out.endswith('\n51 more are left out; --trace-limit says how many are kept\n'), f'what is left out: {out}')


VOLUME = '''#version 2.0
strand s (int i, int j, int k) {
   output int r = 0;
   update { r = i + 10*j + 100*k; stabilize; }
}
create_array { s(i, j, k) | k in -1..2, j in 0..2, i in 5..8 }
'''


def check_axes(folder):
    """An index counts from 0, whatever iterators begin with, the last iterator first."""
    of = trace(folder, 'volume', '1,2,3')
    same(of['strand'], {'name': 's', 'index': [1, 2, 3], 'birth': 1 + 4 * (2 + 3 * 3)}, 'a strand of a volume')
    same(told(of, 'update', 1), [('assign', 'r', 6 + 20 + 200), ('exit', 'stabilize')], 'its value')


MISTAKES = (
    ('walk', '5,0', 'the index is outside: the grid has the sizes 5, 4, fastest axis first'),
    ('walk', '0,4', 'the index is outside: the grid has the sizes 5, 4, fastest axis first'),
    ('walk', '1', 'the index has too few numbers: the grid has the sizes 5, 4, fastest axis first'),
    ('walk', '1,1,1', 'the index has too many numbers: the grid has the sizes 5, 4, fastest axis first'),
    ('walk', '#20', 'there is no strand #20: the last one of the grid is #19'),
    ('walk', '1,x', '"1,x" names no strand: 120,80 is one of a grid by its index, #17 one by its birth'),
    ('walk', '#-1', '"#-1" names no strand: 120,80 is one of a grid by its index, #17 one by its birth'),
    ('walk', '', '"" names no strand: 120,80 is one of a grid by its index, #17 one by its birth'),
    ('walk', '99999999999999999999,1',
     '"99999999999999999999,1" names no strand: 120,80 is one of a grid by its index, #17 one by its birth'),
    ('empty', '#0', 'there is no strand #0: the grid is empty'),
    ('empty', '0', 'the index is outside: the grid has the sizes 0, fastest axis first'),
    ('volume', '1,2', 'the index has too few numbers: the grid has the sizes 4, 3, 4, fastest axis first'),
    ('cells', '1,2', 'there is no grid to look up an index in: name the strand by its birth, such as #17'),
    ('cells', '#5', 'strand #5 is never born'),
)


def check_mistakes(diderotc, folder):
    for name, strand, message in MISTAKES:
        more = ('-img', 'plane.nrrd') if name == 'walk' else ()
        status, out, err = run(folder, f'./{name}', f'--trace={strand}', *more)
        check(status == 1 and out == '' and err == f'Error following a strand:\n[DIDEROT] {message}\n',
              f'{strand} of {name}: status {status}, {out}{err}')
    status, _, err = run(folder, './walk', '--trace=1,1', '--trace-format=xml', '-img', 'plane.nrrd')
    check(status == 1 and 'couldn\'t parse "xml" as text or json for -tf,--trace-format option' in err, err)
    compiled(diderotc, folder, 'plain', ENDLESS)
    status, out, err = run(folder, './plain', '--trace=1')
    check((status, out) == (1, '') and err == 'ERROR: unknown option --trace: this program was made without --trace; '
          'diderotc --exec --trace makes one that has it\n', f'made without: {err}')


# --- results --------------------------------------------------------------------------------------

def check_results(diderotc, folder):
    """A program that can be traced computes the same."""
    for name, source, more in (('walk', WALK, ('-img', 'plane.nrrd')), ('cells', CELLS, ()), ('values', VALUES, ())):
        status, printed, _ = run(folder, f'./{name}', *more, '-o', 'traced.nrrd')
        check(status == 0, f'{name} without --trace')
        compiled(diderotc, folder, f'{name}-plain', source)
        status, plain_printed, _ = run(folder, f'./{name}-plain', *more, '-o', 'plain.nrrd')
        check(status == 0 and printed == plain_printed, f'what {name} prints')
        results = [(folder / f'{which}.nrrd').read_bytes() for which in ('traced', 'plain')]
        check(results[0] == results[1], f'results of {name} are others')


def main():
    diderotc, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    (folder / 'plane.nrrd').write_bytes(PLANE)
    for options in (), ('--double', '--target=parallel'):
        for name, source in (('walk', WALK), ('cells', CELLS), ('values', VALUES), ('ended', ENDED), ('endless', ENDLESS),
                             ('volume', VOLUME), ('empty', EMPTY)):
            compiled(diderotc, folder, name, source, '--trace', *options)
        check_walk(folder)
        check_cells(folder)
        check_ended(folder)
        check_values(folder)
        check_limits(folder)
        check_axes(folder)
        if not options:
            check_places(folder)
            check_text(folder)
            check_mistakes(diderotc, folder)
            check_results(diderotc, folder)


if __name__ == '__main__':
    main()
