#!/bin/bash
# Ranks where /dev/shm has room for each array of their index but not for all, as in a container: none is killed, and
# results are as alone.
#
#   room.sh DIDEROTC FOLDER MPIRUN
#
# A namespace has the small /dev/shm. If none is allowed, the test is skipped.
set -eu
diderotc=$1 folder=$2 mpirun=$3
. "$(dirname "$0")/mpi.bash"
export ASAN_OPTIONS=detect_leaks=0
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
[ "$(id -u)" -eq 0 ] || as_root=--map-root-user
# shellcheck disable=SC2016
with_room() { unshare --mount ${as_root-} sh -c 'mount -t tmpfs -o "size=$0" none /dev/shm && exec "$@"' "$@"; }
if ! with_room 1m true 2>said; then
  echo "skipped: no namespace can be made: $(tail -n 1 said)"
  exit 77
fi

# Neighbours in number are far apart in space, so each rank needs all.
cat >points.diderot <<'TEXT'
#version 2.0
input int count = 800000;
strand P (int i) {
  vec3 pos = [fmod(0.8191725*i, 1), fmod(0.6710436*i, 1), fmod(0.5497*i, 1)];
  output int found = 0;
  int steps = 0;
  update {
    foreach (P q in sphere(0.003)) { found += 1; }
    pos += [0.001, 0, 0];
    steps += 1;
    if (steps == 2) { stabilize; }
  }
}
create_collection { P(i) | i in 0..count-1 }
TEXT
"$diderotc" --exec --target=mpi -o points points.diderot
./points -o alone.nrrd
for room in 30m 64m; do
  # shellcheck disable=SC2086
  with_room $room $mpirun -n 2 ./points --nworkers 1 -o "$room.nrrd"
  cmp alone.nrrd "$room.nrrd"
done
