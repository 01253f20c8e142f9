#!/bin/bash
# ranks_test.py on 1 and 3 processes of an MPI.
#
#   ranks.sh PYTHON ROOT MPIRUN [MPICC]
#
# With MPICC, that of MPICH, the runtime's part for ranks is made for it first, and mpi4py finds its library under the
# name that it looks for, which Debian's has not.
set -eu
python=$1 root=$2 mpirun=$3
shift 3
[ -x "$python" ] || { echo "skipped: there is no environment, see python.venv"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/../ranks/mpi.bash"

if [ $# -gt 0 ]; then
  "$root/tests/ranks/archive.sh" "$1" "$root" "$folder"
  ln -s "$("$1" -print-file-name=libmpich.so)" "$folder/libmpi.so.12"
  export DIDEROT_MPI_RUNTIME="$folder/libddr-mpi.a -lmpich" LD_LIBRARY_PATH=$folder MPI4PY_MPIABI=mpich
fi
for n in 1 3; do
  # shellcheck disable=SC2086
  if ! $mpirun -n $n "$python" "$root/tests/python/ranks_test.py" "$root/runtime/python" >"$folder/said" 2>&1 ||
      ! grep -qx good "$folder/said"; then
    cat "$folder/said" >&2
    exit 1
  fi
done
