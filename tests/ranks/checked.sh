#!/bin/bash
# One rank of three under valgrind's memcheck, each in turn: nothing is found, and results are as alone. Strands that
# query, are born, die and move to other ranks; a run that goes on from a checkpoint; pictures that are written when
# they are complete, and while strands run.
#
#   checked.sh DIDEROTC FOLDER VALGRIND
#
# $DDR_MPIRUN starts ranks: words, without -n. $DIDEROT_MPI_RUNTIME may name the runtime of another MPI. What MPI itself
# does (tests/ranks/mpi.supp) is not looked at, nor are leaks.
set -eu
diderotc=$1 folder=$2 valgrind=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/mpi.bash"
rm -rf "$folder" && mkdir -p "$folder/alone" && cd "$folder"
read -r -a mpirun <<<"$DDR_MPIRUN"

cat >one.sh <<TEXT
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" = "\$DDR_CHECKED" ] || exec "\$@"
exec "$valgrind" --quiet --error-exitcode=99 --suppressions="$here/mpi.supp" "\$@"
TEXT
chmod +x one.sh

cat >particles.diderot <<'TEXT'
#version 2.0
input int count = 3000;
int step = 0;
strand P (int i) {
  output vec2 pos = [i*0.002, (i*i % 97)*0.01];
  output int near = 0;
  update {
    vec2 push = [0, 0];
    near = 0;
    foreach (P q in sphere(0.2 if step == 5 else 0.02)) { push += pos - q.pos; near += 1; }
    pos += 0.1*push;
    if (i % 29 == step) { new P(i + 4001); }
    if (i < 800 && step == 3) { die; }
    if (i % 31 == step) { print(i, "\n"); stabilize; }
    if (step >= 7) { stabilize; }
  }
}
update {
  step = step + 1;
  print(step, " ", sum { p.pos[0] | p in P.all }, " ", max { p.near | p in P.all }, "\n");
}
create_collection { P(i) | i in 0..count-1 }
TEXT
cat >picture.diderot <<'TEXT'
#version 2.0
input image(2)[] img;
field#1(2)[] F = img ⊛ ctmr;
strand S (int i, int j) {
  output real x = 0;
  output vec2 g = [0, 0];
  update { vec2 at = [2 + 0.9*i, 2 + 0.3*j]; x = F(at); g = ∇F(at); stabilize; }
}
create_array { S(i, j) | i in 0..99, j in 0..299 }
TEXT
{
  printf 'NRRD0004\ntype: uint8\ndimension: 2\nsizes: 100 100\nspace dimension: 2\n'
  printf 'space directions: (1,0) (0,1)\nspace origin: (0,0)\nencoding: raw\n\n'
  seq 4000 | head -c 10000
} >img.nrrd
export DIDEROT_CFLAGS="-march=haswell -g"
for name in particles picture; do
  for way in mpi parallel; do
    "$diderotc" --exec --target=$way --warnings=none -o $name.$way $name.diderot
  done
done

fail() { echo "$1" >&2; [ ! -e said ] || cat said >&2; exit 1; }
same() { for file in "$@"; do cmp "$file" "alone/$file" >&2 || fail "rank $rank: $file is not as alone"; done; }
ranks() { "${mpirun[@]}" -n 3 ./one.sh "$@" -n 1; }

(cd alone && ../particles.parallel >out && ../picture.parallel -img ../img.nrrd)
for rank in 0 1 2; do
  export DDR_CHECKED=$rank
  ranks ./particles.mpi >out 2>said || fail "rank $rank: particles"
  same out pos.nrrd near.nrrd
  ranks ./particles.mpi -l 4 -checkpoint saved:600 >out 2>said || grep -q "no stable strands" said || fail "rank $rank: saving"
  ranks ./particles.mpi -resume saved >>out 2>said || fail "rank $rank: going on"
  same out pos.nrrd near.nrrd
  ranks ./picture.mpi -img img.nrrd 2>said || fail "rank $rank: a picture"
  same x.nrrd g.nrrd
  ranks ./picture.mpi -v -img img.nrrd --memory 400K 2>said || fail "rank $rank: a picture in little memory"
  grep -q "while strands run" said || fail "not while strands run"
  same x.nrrd g.nrrd
  rm ./*.nrrd.tmp x.nrrd g.nrrd pos.nrrd near.nrrd saved 2>/dev/null || true
done
