#!/bin/bash
# checked.sh with the runtime made for another MPI.
#
#   other-checked.sh DIDEROTC ROOT MPICC MPIRUN FOLDER VALGRIND
set -eu
diderotc=$1 root=$2 mpicc=$3 mpirun=$4 folder=$5 valgrind=$6
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
. "$root/tests/ranks/other.bash"
DDR_MPIRUN=$mpirun exec "$root/tests/ranks/checked.sh" "$diderotc" "$folder/checked" "$valgrind"
