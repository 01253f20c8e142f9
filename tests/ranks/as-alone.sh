#!/bin/bash
# A program for ranks in the place of one: each run of it is compared with one without ranks.
#
#   as-alone.sh ALONE RANKS WORDS...
#
# ALONE is the program for one process, RANKS the same with --target=mpi. It runs alone, and on each number of
# ranks in $DDR_RANKS, each time in a copy of the working directory; files, text, messages and status must
# be the same. MPI itself leaks memory, which is not looked for. Then all is here as if it had run here. $DDR_MPIRUN starts ranks: words, without -n.
set -u
alone=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HWLOC_HIDE_ERRORS=2 UCX_LOG_LEVEL=fatal # what they say of a machine that shows no /sys
scratch=$(mktemp -d) || exit 98
trap 'rm -rf "$scratch"' EXIT

run() { # NAME COMMAND...
  local name=$1 status=0
  shift
  mkdir "$scratch/$name" && cp -a . "$scratch/$name/" || exit 98
  (cd "$scratch/$name" && exec "$@" </dev/null) >"$scratch/$name.out" 2>"$scratch/$name.err" || status=$?
  echo "$status" >"$scratch/$name.status"
}

# Messages without what depends on ranks: who has it, how many there are, times and memory.
plain() {
  sed -E 's/rank [0-9]+: //; s/, [0-9]+ (ranks|threads)//g; s/in [0-9.]+ seconds \(cpu=[0-9.]+\)//; s/[0-9.]+ MiB/MiB/g; s/(means the default.*default: )"[0-9]+"/\1/
    /every rank does all the work/d' "$1"
}

differ() { # NAME: what of it is not as alone, on standard error
  local name=$1 what
  for what in out err status; do
    diff <(plain "$scratch/alone.$what") <(plain "$scratch/$name.$what") >"$scratch/diff" && continue
    echo "$name: other $what than alone"
    cat "$scratch/diff"
    return 0
  done
  ! diff -rq "$scratch/alone" "$scratch/$name"
}

run alone bash -c 'exec -a program "$0" "$@"' "$alone" "$@"
for n in $DDR_RANKS; do
  # shellcheck disable=SC2086
  run "ranks-$n" env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" $DDR_MPIRUN -n "$n" bash -c 'exec -a program "$0" "$@"' "$ranks" "$@"
  differ "ranks-$n" >"$scratch/difference" || continue
  cat "$scratch/difference" >&2
  exit 97
done
cp -a "$scratch/alone/." .
cat "$scratch/alone.out"
cat "$scratch/alone.err" >&2
exit "$(cat "$scratch/alone.status")"
