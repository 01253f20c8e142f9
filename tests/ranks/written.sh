#!/bin/bash
# Outputs that ranks write together: the bytes of one process, memory for a rank's share only, and no file at all if
# one of them cannot write, or sees other folders than the first.
#
#   written.sh DIDEROTC FOLDER
#
# $DDR_MPIRUN starts ranks: words, without -n. $DIDEROT_MPI_RUNTIME may name the runtime of another MPI.
set -eu
diderotc=$1 folder=$2
. "$(dirname "$0")/mpi.bash"
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1
rm -rf "$folder" && mkdir -p "$folder/elsewhere" && cd "$folder"
read -r -a mpirun <<<"$DDR_MPIRUN"

# Strands that take steps together are in two halves; those that do not are taken as they come.
cat >together.diderot <<'TEXT'
#version 2.0
input int rows = 32;
int step = 0;
strand S (int i, int j) {
   output tensor[4,4] a = zeros[4,4];
   output tensor[4,4] b = zeros[4,4];
   output tensor[4,4] c = zeros[4,4];
   output tensor[4,4] d = zeros[4,4];
   update { a = [i, j, i*j, 0.5]⊗[1, 2, 3, i-j]; b = 2*a; c = a•a; d = a•b; stabilize; }
}
update { step = step + 1; }
create_array { S(i, j) | i in 0..rows-1, j in 0..2047 }
TEXT
grep -v step together.diderot >apart.diderot
# A third of them is shown, and not all at the same time.
cat >some.diderot <<'TEXT'
#version 2.0
int step = 0;
strand S (int i) {
   output vec2 x = [i, i/0.0];
   output int k = 7*i;
   update {
      x *= 2;
      if (i % 3 == 1) { die; }
      if (i % 3 == 2 && step > i/2000) { stabilize; }
   }
}
update { step = step + 1; }
create_collection { S(i) | i in 0..9999 }
TEXT
for name in together apart some; do
  "$diderotc" --exec --double --snapshot --target=mpi --warnings=none -o $name.ranks $name.diderot 2>log || { cat log >&2; exit 1; }
  "$diderotc" --exec --double --snapshot --target=parallel --warnings=none -o $name.alone $name.diderot 2>log || { cat log >&2; exit 1; }
done

fail() { echo "$1" >&2; [ ! -e said ] || cat said >&2; exit 1; }
same() { cmp "$1" "$2" >&2 || fail "$1 is not as alone"; }

# How much memory the first rank needed at most, in KiB, to MOST; for few strands with a grid of one row.
cat >measured.py <<'TEXT'
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:], close_fds=False).returncode
if "0" in (os.environ.get("OMPI_COMM_WORLD_RANK"), os.environ.get("PMI_RANK")):
    with open("most", "w") as file:
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=file)
sys.exit(status)
TEXT
whole=$((32 * 2048 * 16 * 4 * 8 / 1024)) # KiB of outputs
mkdir alone
for name in together apart; do
  "${mpirun[@]}" -n 2 python3 measured.py ./$name.ranks -n 1 -rows 1
  few=$(cat most)
  "${mpirun[@]}" -n 2 python3 measured.py ./$name.ranks -n 1
  most=$(cat most)
  (cd alone && ../$name.alone -n 1)
  for file in a b c d; do same $file.nrrd alone/$file.nrrd; done
  # The first may have come twice where the other came once.
  [ $name = apart ] || [ $((most - few)) -le $((whole * 9 / 10)) ] || fail "$name: $((most - few)) KiB for a half of $whole"
  [ $((most - few)) -le $((whole * 3 / 2)) ] || fail "$name: $((most - few)) KiB for a part of $whole"
done

# What does not fit in memory is written while strands run, by ranks with several threads, too.
small=(-v -n 2 --memory 2M)
rm ./*.nrrd
"${mpirun[@]}" -n 3 ./apart.ranks "${small[@]}" >said 2>&1 || fail "in little memory"
grep -qx "outputs go to their files while strands run" said || fail "not while strands run"
grep -q "65536 strands stable, 0 active" said || fail "other numbers of strands"
for file in a b c d; do same $file.nrrd alone/$file.nrrd; done
rm ./*.nrrd alone/*
left() { ls -A | grep 'nrrd\|tmp$' || true; }
status=0 # none may write beyond 6 MiB
"${mpirun[@]}" -n 3 bash -c 'ulimit -f 6144 && exec "$0" "$@"' ./apart.ranks "${small[@]}" >said 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "the status is 0"
grep -qxE '\[DIDEROT\] (rank [12]: )?Error saving "[abcd].nrrd": File too large' said || fail "no message"
[ -z "$(left)" ] || fail "there is $(left)"
status=0 # the second is in another folder
"${mpirun[@]}" -n 1 ./apart.ranks "${small[@]}" : -n 1 -wdir "$folder/elsewhere" ../apart.ranks "${small[@]}" >said 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "the status is 0"
grep -qx '\[DIDEROT\] Error saving "a.nrrd": it does not fit in memory, and not all ranks see its folder' said || fail "no message"
[ -z "$(left)" ] || fail "there is $(left)"

# Snapshots, and what a collection shows in the end.
run=(-n 1 -l 5 -s 2 -sp-x sx -sp-k sk -o-x x.nhdr -o-k k.txt)
(cd alone && ../some.alone "${run[@]}")
"${mpirun[@]}" -n 3 ./some.ranks "${run[@]}"
[ "$(ls alone | wc -l)" -eq 11 ] || fail "alone there are $(ls alone)"
for file in alone/*; do
  same "$(basename "$file")" "$file"
  rm "$(basename "$file")" "$file"
done

# One line, and nothing is left.
status=0 # the second may not write beyond 6 MiB
"${mpirun[@]}" -n 1 ./together.ranks -n 1 : -n 1 bash -c 'ulimit -f 6144 && exec "$0" "$@"' ./together.ranks -n 1 \
  >said 2>&1 || status=$?
sed -i '/^$/d; /^===\|^=  /d' said # what an mpirun adds
[ "$status" -ne 0 ] || fail "the status is 0"
grep -qx 'rank 1: Error saving "a.nrrd": File too large' said || fail "no message"
[ "$(grep -cvx "Error generating output:" said)" -eq 1 ] || fail "there are more lines"
[ -z "$(ls -A | grep nrrd || true)" ] || fail "there is $(ls -A | grep nrrd)"

# Not even what they need of MPI can be written.
status=0
"${mpirun[@]}" -n 2 bash -c 'ulimit -f 4 && exec "$0" "$@"' ./together.ranks -n 1 >said 2>&1 || status=$?
sed -i '/^$/d; /^===\|^=  /d' said
[ "$status" -eq 1 ] || fail "the status is $status"
grep -q '^Error starting ranks: .*: it cannot be written' said || fail "no message: $(cat said)"
[ "$(wc -l <said)" -eq 1 ] || fail "there are more lines"
[ -z "$(ls -A | grep nrrd || true)" ] || fail "there is $(ls -A | grep nrrd)"

# Values that no file can hold are refused by the first.
cat >nothing.diderot <<'TEXT'
#version 2.0
strand S (int i) { output real[0] none = {}; update { stabilize; } }
create_array { S(i) | i in 0..99 }
TEXT
"$diderotc" --exec --target=mpi -o nothing.ranks nothing.diderot
status=0
"${mpirun[@]}" -n 2 ./nothing.ranks -n 1 >said 2>&1 || status=$?
sed -i '/^$/d; /^===\|^=  /d' said
[ "$status" -eq 1 ] || fail "the status is $status"
grep -qx 'none: values of no components cannot be saved' said || fail "no message"
[ "$(grep -cvx "Error generating output:" said)" -eq 1 ] || fail "there are more lines"

# The second is in another folder: then the first writes all of it.
options=(-v -n 1 -rows 3 -o-d other.nrrd)
"${mpirun[@]}" -n 1 ./apart.ranks "${options[@]}" : -n 1 -wdir "$folder/elsewhere" ../apart.ranks "${options[@]}" >said 2>&1
grep -qx '"other.nrrd" is written by the first rank: others do not see its folder' said || fail "not by the first rank"
(cd alone && ../apart.alone "${options[@]}" 2>/dev/null)
for file in a b c other; do same $file.nrrd alone/$file.nrrd; done
[ -z "$(ls -A elsewhere)" ] || fail "elsewhere there is $(ls -A elsewhere)"
[ -z "$(ls -A | grep tmp || true)" ] || fail "there is $(ls -A | grep tmp)"
rm ./*.nrrd alone/*
