#!/bin/sh
# Builds the runtime's part for ranks with a certain MPI: FOLDER/libddr-mpi.a.
#
#   archive.sh MPICC ROOT FOLDER
set -eu
mpicc=$1 root=$2 folder=$3
from=$root/runtime/mpi library=$folder/libddr-mpi-process.so
"$mpicc" -std=c17 -O1 -fPIC -fvisibility=hidden -I"$root" -I"$root/runtime/include" -shared -s \
  "$from/process.c" "$from/engine.c" "$from/file.c" -o "$library"
for name in main load bytes launcher watch library engine file; do
  "$mpicc" -std=c17 -O1 -fPIC -I"$root" -I"$root/runtime/include" "-DDDR_MPI_LIBRARY=\"$library\"" \
    -c "$from/$name.c" -o "$folder/$name.c.o"
done
ar rcs "$folder/libddr-mpi.a" "$folder"/*.c.o
