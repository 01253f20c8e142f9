#!/bin/bash
# Gangs on ranks take the strands of a grid in tiles, with the results of one strand at a time.
#
#   tiles.sh DIDEROTC FOLDER
#
# $DDR_MPIRUN starts ranks: words, without -n.
set -eu
diderotc=$1 folder=$2
. "$(dirname "$0")/mpi.bash"
export ASAN_OPTIONS=detect_leaks=0
rm -rf "$folder" && mkdir -p "$folder/alone" && cd "$folder"
read -r -a mpirun <<<"$DDR_MPIRUN"

# Rows so short that blocks of tiles are possible with small sizes, too; as many as are no multiple of four.
cat >apart.diderot <<'TEXT'
#version 2.0
input int rows = 203;
strand point (int row, int column) {
  vec2 c = [-2 + 0.19*column, -1.3 + 0.013*row];
  output vec2 z = [0, 0];
  output int n = 0;
  update {
    foreach (int k in 0..row % 3) { z = [z[0]*z[0] - z[1]*z[1], 2*z[0]*z[1]] + c; }
    n += 1;
    if (z•z > 4) { stabilize; }
    if (n % 4 == row % 4) { continue; }
    if (n >= 100) { stabilize; }
  }
}
create_array { point(row, column) | row in 0..rows-1, column in 0..14 }
TEXT
sed 's/^strand/int step = 0;\n&/
  s/^create/update { step = step + 1; print(step, " ", sum { P.n | P in point.all }, "\\n"); }\n&/' apart.diderot >together.diderot

for name in apart together; do
  "$diderotc" --exec --scalar --warnings=none -o $name.alone $name.diderot
  "$diderotc" --exec --target=mpi --warnings=none -o $name.ranks $name.diderot
  for words in "" "-rows 1" "-rows 6" "-l 9"; do
    # shellcheck disable=SC2086
    (cd alone && ../$name.alone $words >out)
    for n in 2 3; do
      # shellcheck disable=SC2086
      "${mpirun[@]}" -n $n ./$name.ranks -n $((n - 1)) $words >out
      for file in out z.nrrd n.nrrd; do
        cmp $file alone/$file >&2 || { echo "$name $words, $n ranks: $file is not as alone" >&2; exit 1; }
      done
    done
  done
done
rm -- *.nrrd alone/*
