#!/bin/bash
# Cases with the runtime made for another MPI, which DIDEROT_MPI_RUNTIME names.
#
#   other.sh DIDEROTC RUN-CASE ROOT MPICC MPIRUN FOLDER
set -eu
diderotc=$1 run_case=$2 root=$3 mpicc=$4 mpirun=$5 folder=$6
. "$(dirname "$0")/mpi.bash"
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
. "$root/tests/ranks/other.bash"

export DDR_RANKS="1 2" DDR_MPIRUN="$mpirun"

for case in tests/run/chronology/snapshots tests/run/sums/bits examples/mip/line-of-sight; do
  name=$(basename "$(dirname "$case")")
  options=$(cat "$root/$(dirname "$case")/options" 2>/dev/null || true)
  for way in parallel mpi; do
    # shellcheck disable=SC2086
    "$diderotc" --exec $options --no-warning=no-proxy --target=$way -o "$name.$way" \
      "$root/$(dirname "$case")/$name.diderot"
  done
  printf '#!/bin/sh\nexec %s %s %s "$@"\n' "$root/tests/ranks/as-alone.sh" "$folder/$name.parallel" "$folder/$name.mpi" >"$name.sh"
  chmod +x "$name.sh"
  "$run_case" "$root/$case.case" "$folder/$name.sh" float "$folder/scratch-$name" "$diderotc"
done

# Started by the mpirun of Open MPI.
if command -v mpirun.openmpi >openmpi; then
  export ASAN_OPTIONS=detect_leaks=0
  status=0
  mpirun.openmpi -q --oversubscribe -n 2 ./sums.mpi >said 2>&1 || status=$?
  if [ "$status" -ne 1 ] || [ "$(grep -c . said)" -ne 1 ] ||
      ! grep -q '^Error starting ranks: the mpirun of Open MPI has started 2 processes, .* MPICH Version: 4' said; then
    echo "under another mpirun: status $status" >&2
    cat said >&2
    exit 1
  fi
fi

# Libraries, and outputs that all write.
DIDEROT_CC=$DIDEROT_CC_OF_CLIENTS DIDEROT_CFLAGS=$FLAGS "$root/tests/ranks/library/clients.sh" "$diderotc" "$root" "$mpicc" "$mpirun" "$folder/library"
"$root/tests/ranks/written.sh" "$diderotc" "$folder/written"

# Several machines, where namespaces can be made.
status=0
"$root/tests/ranks/nodes.sh" "$diderotc" "$folder/nodes" mpich "$mpirun" || status=$?
[ "$status" -eq 0 ] || [ "$status" -eq 77 ]
