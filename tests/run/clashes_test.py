"""run.clashes: no run writes a file twice, or one that it also reads; what is there stays as it was.

    clashes_test.py DIDEROTC FOLDER
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAM = '''#version 2.0
input image(1)[] img;
input real[] list = load_sequence("list.nrrd");
field#0(1)[] F = img ⊛ tent;

strand s (int i) {
   output real a = F(i);
   output int b = 0;
   output int[] c = {};
   update {
      b += numActive();
      c = c @ b;
      if (b > 8) stabilize;
   }
}
create_array { s(i) | i in 0..length(list) }
'''
# It loads two files in globals, and writes one of them.
OWN = '''#version 2.0
image(1)[] m = load_image("m.nrrd");
real[] list = load_sequence("sub/list.nrrd");
field#0(1)[] M = m ⊛ tent;
strand s (int i) {
   output real m = 0;
   update { m = 2*M(i) + list[0]; stabilize; }
}
create_array { s(i) | i in 0..3 }
'''
ROW = b'NRRD0004\ntype: float\ndimension: 1\nsizes: 4\nencoding: ascii\n\n1 2 3 4\n'

# Words of the command line, and what is said of which file.
CLASHES = [
    ('-img a.nrrd', 'a.nrrd', 'the file of input "img" and also the file of output "a"'),
    ('-img row.nrrd -o-a row.nrrd', 'row.nrrd', 'the file of input "img" and also the file of output "a"'),
    ('-img row.nrrd -o-a sub/../row.nrrd', 'sub/../row.nrrd', 'the file of input "img" and also the file of output "a"'),
    ('-img link.nrrd -o-b row.nrrd', 'row.nrrd', 'the file of input "img" and also the file of output "b"'),
    ('-img row.nrrd -o-b list.nrrd', 'list.nrrd', 'the file of input "list" and also the file of output "b"'),
    ('-img row.nrrd -print row.nrrd', 'row.nrrd', 'the file of input "img" and also the file of -print'),
    ('-img row.nrrd -o-a x.nrrd -o-b sub/../x.nrrd', 'sub/../x.nrrd',
     'the file of output "a" and also the file of output "b"'),
    ('-img row.nrrd -o-a c-len.nrrd', 'c-len.nrrd', 'the file of output "a" and also the file of output "c"'),
    ('-img row.nrrd -o-a y.nhdr -o-b y.raw', 'y.raw', 'the data of output "a" and also the file of output "b"'),
    ('-img a-0012.nrrd -s 1', 'a-0012.nrrd', 'the file of input "img" and also one of the snapshots of "a"'),
    ('-img row.nrrd -s 1 -o-b c-data-0000.nrrd', 'c-data-0000.nrrd',
     'the file of output "b" and also one of the snapshots of "c"'),
    ('-img row.nrrd -checkpoint b.nrrd:0', 'b.nrrd', 'the file of output "b" and also the checkpoint'),
    ('-img row.nrrd -resume kept -o-b kept', 'kept', 'the checkpoint to resume from and also the file of output "b"'),
    ('-img who.profile.html', 'who.profile.html', 'the file of input "img" and also the profile'),
]

# These are no clashes.
TOGETHER = [
    '-img a-0012.nrrd',
    '-img row.nrrd -list row.nrrd',
    '-img row.nrrd -o-a /dev/null -o-b /dev/null',
    '-img row.nrrd -o-a sub/b.nrrd',
    '-img row.nrrd -l 1 -checkpoint kept',
    '-img row.nrrd -resume kept -checkpoint kept',
]


def check(is_right, what):
    if not is_right:
        sys.exit(f'clashes_test: {what}')


def files_of(folder):
    return {path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}


def main():
    diderotc, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'sub').mkdir(parents=True)
    (folder / 'who.diderot').write_text(PROGRAM, encoding='utf-8')
    for name in ('row.nrrd', 'a.nrrd', 'list.nrrd', 'a-0012.nrrd', 'who.profile.html'):
        (folder / name).write_bytes(ROW)
    os.symlink('row.nrrd', folder / 'link.nrrd')
    os.chdir(folder)
    subprocess.run([diderotc, '--exec', '--snapshot', '--profile', '--warnings=none', 'who.diderot'], check=True)
    before = files_of(Path('.'))
    for words, name, what in CLASHES:
        done = subprocess.run(['./who', *words.split()], capture_output=True, text=True, check=False)
        wanted = f'Error in the names of files:\n[DIDEROT] "{name}" is {what}\n'
        check(done.returncode == 1 and done.stderr == wanted, f'{words}\n{done.stderr}expected\n{wanted}')
        check(files_of(Path('.')) == before, f'{words}: files have changed')
    for words in TOGETHER:
        done = subprocess.run(['./who', *words.split()], capture_output=True, text=True, check=False)
        check(done.returncode == 0, f'{words}\n{done.stderr}')
    check((Path('row.nrrd').read_bytes(), Path('a-0012.nrrd').read_bytes()) == (ROW, ROW), 'an input has changed')
    check_own(diderotc)


def check_own(diderotc):
    """A file that a global loads may be written over, but not without a word, unless it is asked for."""
    Path('own.diderot').write_text(OWN, encoding='utf-8')
    Path('m.nrrd').write_bytes(ROW)
    Path('sub/list.nrrd').write_bytes(ROW)
    subprocess.run([diderotc, '--exec', '--warnings=none', 'own.diderot'], check=True)
    said = 'Warning: "m.nrrd" is the file of global "m", and the file of output "m" replaces it'
    for words, wanted in (('-o x.nrrd', ''), ('', said), ('-o m.nrrd', '')):
        Path('m.nrrd').write_bytes(ROW)
        done = subprocess.run(['./own', *words.split()], capture_output=True, text=True, check=False)
        check(done.returncode == 0 and done.stderr.count('\n') == bool(wanted) and wanted in done.stderr,
              f'own {words}: {done.stderr}')
        check((Path('m.nrrd').read_bytes() == ROW) == (words == '-o x.nrrd'), f'own {words}: m.nrrd')


main()
