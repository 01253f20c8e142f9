#!/bin/bash
# The plug-in of Open MPI whose code one of its threads runs at any time is mapped until the process ends: it would be
# unloaded before that thread ends.
#
#   parts.sh DIDEROTC FOLDER
#
# The loader of glibc says what it unloads.
set -eu
diderotc=$1 folder=$2 plug_in=mca_errmgr_default_app.so
. "$(dirname "$0")/mpi.bash"
export ASAN_OPTIONS=detect_leaks=0
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
cat >one.diderot <<'TEXT'
#version 2.0
strand S (int i) {
  output int x = i;
  update { stabilize; }
}
create_array { S(i) | i in 0..9 }
TEXT
"$diderotc" --exec --target=mpi -o one one.diderot
# shellcheck disable=SC2086
LD_DEBUG=files LD_DEBUG_OUTPUT=$PWD/loader $DDR_MPIRUN -n 2 ./one
mapfile -t ranks < <(grep -l 'file=/proc/self/fd/' loader.*)
[ ${#ranks[@]} -eq 2 ] || { echo "expected the loader's notes of 2 ranks, found ${#ranks[@]}"; exit 1; }
if ! grep -q "file=.*/$plug_in .*generating link map" "${ranks[@]}"; then
  echo "skipped: this MPI has no $plug_in"
  exit 77
fi
if grep "file=.*/$plug_in .*destroying link map" "${ranks[@]}"; then
  echo "it is unloaded while threads run"
  exit 1
fi
