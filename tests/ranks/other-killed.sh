#!/bin/bash
# killed.sh with the runtime made for another MPI.
#
#   other-killed.sh DIDEROTC ROOT MPICC MPIRUN FOLDER TIMES
set -eu
diderotc=$1 root=$2 mpicc=$3 mpirun=$4 folder=$5 times=$6
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
. "$root/tests/ranks/other.bash"
DDR_MPIRUN=$mpirun DDR_IS_WATCHED=yes exec "$root/tests/ranks/killed.sh" "$diderotc" "$folder/killed" "$times"
