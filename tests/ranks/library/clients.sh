#!/bin/bash
# Libraries on ranks of one MPI: client.c on 1, 2 and 3 of them.
#
#   clients.sh DIDEROTC ROOT MPICC MPIRUN FOLDER
#
# MPIRUN are words, without -n. $DIDEROT_MPI_RUNTIME may name the archive for another MPI, $DIDEROT_CC and $FLAGS say how the client is
# compiled. MPI itself leaks memory, which is not looked for.
set -eu
diderotc=$1 root=$2 mpicc=$3 mpirun=$4 folder=$5
. "$(dirname "$0")/../mpi.bash"
export ASAN_OPTIONS=detect_leaks=0
export OMPI_CC=$DIDEROT_CC MPICH_CC=$DIDEROT_CC
mkdir -p "$folder" && cd "$folder"

for name in walkers slopes; do
  "$diderotc" --target=mpi --snapshot --namespace=$name --no-warning=no-proxy -o $name "$root/tests/ranks/library/$name.diderot"
done
# shellcheck disable=SC2086
"$mpicc" -std=c17 $FLAGS -Wall -Wextra -I"$root" -I. "$root/tests/ranks/library/client.c" walkers.o slopes.o -lteem -lm -lpthread -o client

for n in 1 2 3; do
  # shellcheck disable=SC2086
  $mpirun -n $n ./client >said 2>wrong || { echo "$n ranks:"; cat wrong; exit 1; } >&2
done
