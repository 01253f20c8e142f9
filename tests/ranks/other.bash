# Another MPI, for scripts that set root, mpicc and mpirun: the runtime made for it in the current folder, which
# DIDEROT_MPI_RUNTIME names, and in place of mpirun one whose ranks sleep while they wait. Sanitizers that are loaded after
# that library do not mind.
"$root/tests/ranks/archive.sh" "$mpicc" "$root" "$PWD"
"$DIDEROT_CC_OF_CLIENTS" -std=gnu17 -D_GNU_SOURCE -O1 -Wall -Wextra -fPIC -shared "$root/tests/ranks/idle.c" -o idle.so
cat >mpirun <<TEXT
#!/bin/sh
export ASAN_OPTIONS="\$ASAN_OPTIONS:verify_asan_link_order=0"
exec $mpirun -genv LD_PRELOAD $PWD/idle.so "\$@"
TEXT
chmod +x mpirun
mpirun=$PWD/mpirun
export DIDEROT_MPI_RUNTIME="$PWD/libddr-mpi.a -lmpich"
