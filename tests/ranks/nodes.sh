#!/bin/bash
# Ranks on several machines: results are as alone, one rank of each machine loads an image for the others there, and
# differences between the folders of machines are noticed.
#
#   nodes.sh DIDEROTC FOLDER openmpi|mpich MPIRUN
#
# Machines are namespaces of this one (machine.sh), which MPI takes for others: they have their own names, shared memory
# and folders, and messages go over TCP. If namespaces are not allowed, the test is skipped. $DIDEROT_MPI_RUNTIME may name
# the runtime of another MPI.
set -eu
diderotc=$1 folder=$2 kind=$3 mpirun=$4
here=$(cd "$(dirname "$0")" && pwd)
. "$here/mpi.bash"
export ASAN_OPTIONS=detect_leaks=0 OMPI_MCA_btl=self,vader,tcp DDR_MACHINES=$folder
rm -rf "$folder" && mkdir -p "$folder/local" "$folder/alone/local" && cd "$folder"
if ! "$here/machine.sh" one true 2>said; then
  echo "skipped: no namespaces can be made: $(tail -n 1 said)"
  exit 77
fi

# As many ranks on each of the machines one, two, three ... as the numbers say.
on() { # NUMBERS COMMAND...
  local numbers=$1 hosts="" names=(one two three) n=0 all=0
  shift
  for number in $numbers; do
    hosts+=${hosts:+,}${names[$n]}:$number n=$((n + 1)) all=$((all + number))
  done
  if [ "$kind" = mpich ]; then
    "$mpirun" -launcher ssh -launcher-exec "$here/machine.sh" -hosts "$hosts" -n $all "$@"
  else
    "$mpirun" -q --oversubscribe --mca plm_rsh_agent "$here/machine.sh" --host "$hosts" -n $all "$@"
  fi
}

# A machine may end after its mpirun.
ended() { # NAME...
  for name in "$@"; do
    for _ in $(seq 300); do [ -e "$name.ended" ] && break || sleep 0.1; done
  done
}

fail() { echo "$1" >&2; [ ! -e said ] || cat said >&2; exit 1; }
same() { cmp "$1" "$2" >&2 || fail "$1 is not as alone"; }
says() { grep -qxF -- "$1" said || fail "it does not say: $1"; }
none() { [ -z "$(ls -A . ./*.left | grep 'nrrd\|tmp$' || true)" ] || fail "there is $(ls -A . ./*.left | grep 'nrrd\|tmp$')"; }

cat >picture.diderot <<'TEXT'
#version 2.0
input image(2)[] img;
input int rows = 400;
field#1(2)[] F = img ⊛ ctmr;
strand S (int i, int j) {
  output real x = 0;
  update { x = F([2 + 2.1*i, 2 + 3.2*j]) + |∇F([2 + 2.1*i, 3.2*j + 2])|; stabilize; }
}
create_array { S(i, j) | i in 0..rows-1, j in 0..299 }
TEXT
cat >particles.diderot <<'TEXT'
#version 2.0
input int n = 3000;
int step = 0;
strand P (int i) {
  output vec2 pos = [i*0.002, (i*i % 97)*0.01];
  output int near = 0;
  update {
    vec2 push = [0, 0];
    near = 0;
    foreach (P q in sphere(0.02)) { push += pos - q.pos; near += 1; }
    pos += 0.1*push;
    if (i % 29 == step) { new P(i + 4001); }
    if (i % 31 == step) { die; }
    if (step >= 9) { stabilize; }
  }
}
update {
  step = step + 1;
  print(step, " ", sum { p.pos[0] | p in P.all }, " ", max { p.near | p in P.all }, "\n");
}
create_collection { P(i) | i in 0..n-1 }
TEXT
cat >wide.diderot <<'TEXT'
#version 2.0
int step = 0;
strand S (int i) {
  tensor[4,4] wide = i*identity[4];
  output real x = 0;
  update { wide = wide•identity[4]; x = trace(wide) + x/2; if (step >= 4) { stabilize; } }
}
update { step = step + 1; }
create_array { S(i) | i in 0..65535 }
TEXT
for name in picture particles wide; do
  for way in mpi parallel; do
    "$diderotc" --exec --snapshot --target=$way --warnings=none -o $name.$way $name.diderot 2>said || fail "$name"
  done
done

# Samples whose bytes are swapped are loaded.
header() { # SIZE DATA
  printf 'NRRD0004\ntype: int16\ndimension: 2\nsizes: %s\nspace dimension: 2\nspace directions: (1,0) (0,1)\n' "$1"
  printf 'space origin: (0,0)\nendian: big\nencoding: raw\ndata file: %s\n' "$2"
}
mkdir -p one.files two.files
seq 400000 | head -c 2000000 >img.raw
header "1000 1000" ../img.raw >one.files/img.nhdr
cp one.files/img.nhdr two.files/
cp one.files/img.nhdr alone/local/
ln -s ../img.raw alone/

# One picture of all machines; one rank of each loads the image, and the first says so.
(cd alone && ../picture.parallel -img local/img.nhdr)
for ranks in "2 2" "1 3"; do
  on "$ranks" ./picture.mpi -v -img local/img.nhdr >said 2>&1 || fail "on $ranks"
  same x.nrrd alone/x.nrrd
  rm x.nrrd
  n=${ranks% *}
  [ "$(grep -c 'in memory once for 2 processes of this machine' said || true)" -eq $((n - 1)) ] || fail "not once on the first"
  grep -q '120000 strands, 4 ranks' said || fail "no number of ranks"
done

# Nobody can count for all of them where MPI has no windows on its network; nor is that needed.
if [ "$kind" = openmpi ]; then
  OMPI_MCA_osc=sm on "2 1" ./picture.mpi -img local/img.nhdr >said 2>&1 || fail "without windows"
  same x.nrrd alone/x.nrrd
  rm x.nrrd
fi

# Queries, deaths, births and sums; saved on two machines, and continued on three.
(cd alone && ../particles.parallel >out)
on "2 2" ./particles.mpi >out 2>said || fail "particles"
for file in out pos.nrrd near.nrrd; do same $file alone/$file; done
rm pos.nrrd near.nrrd
on "1 2" ./particles.mpi -l 4 -checkpoint saved:600 >out 2>said || grep -q "no stable strands" said || fail "saving"
on "2 1 1" ./particles.mpi -resume saved >>out 2>said || fail "continuing"
for file in out pos.nrrd near.nrrd; do same $file alone/$file; done
rm pos.nrrd near.nrrd

# States for which one machine alone has no memory; a checkpoint needs all of them on the first.
(cd alone && ../wide.parallel -o wide.nrrd)
on "1 1" ./wide.mpi --memory 3M -o wide.nrrd >said 2>&1 || fail "wide states"
same wide.nrrd alone/wide.nrrd
rm wide.nrrd
! on "2" ./wide.mpi --memory 3M >said 2>&1 || fail "wide states on one machine"
says "[DIDEROT] cannot allocate memory for 65536 strands: the memory limit is 3.0 MiB"
! on "1 1" ./wide.mpi --memory 3M -l 2 -checkpoint wide.saved >said 2>&1 || fail "wide states on the first"
says "[DIDEROT] cannot allocate memory for the 65536 strands of all ranks: the memory limit is 3.0 MiB"
[ ! -e wide.saved ] || fail "there is a checkpoint"
none

# A folder that each has for itself is that of the first.
rm -rf ./*.ended ./*.left
on "1 2" ./picture.mpi -v -img local/img.nhdr -o local/x.nrrd >said 2>&1 || fail "a folder of its own"
says '"local/x.nrrd" is written by the first rank: others do not see its folder'
ended one two
same one.left/x.nrrd alone/x.nrrd
[ ! -e two.left/x.nrrd ] || fail "the second has a file, too"
rm -r ./*.left ./*.ended

# Its disk is full: 1 MiB is all that it has.
! on "1 1" ./picture.mpi -img local/img.nhdr -rows 1000 -o local/x.nrrd >said 2>&1 || fail "no status of a full disk"
grep -qE '^Error saving "local/x.nrrd": it needs .* bytes, there are .* free$' said || fail "no message of a full disk"
ended one two
none

# Another file on the other machine, and none.
header "999 1000" ../img.raw >two.files/img.nhdr
! on "1 2" ./picture.mpi -img local/img.nhdr >said 2>&1 || fail "no status of another file"
says '[DIDEROT] img: "local/img.nhdr" of rank 1 is another file than that of rank 0'
rm two.files/img.nhdr
! on "2 1" ./picture.mpi -img local/img.nhdr >said 2>&1 || fail "no status of a file that is not there"
says '[DIDEROT] rank 2: img: cannot load image "local/img.nhdr": No such file or directory'
none
