#!/bin/bash
# Takes the place of a program: each run on ranks is compared with one without ranks.
#
#   as-alone.sh ALONE RANKS WORDS...
#
# ALONE is the program for one process, RANKS the same with --target=mpi; WORDS are its arguments. It runs alone, and on
# each number of ranks in $DDR_RANKS, each time in a copy of the working directory; files, text, messages and status
# must be the same. There is no search for leaks, since MPI itself leaks memory. Afterwards the working directory is as
# after one run. $DDR_MPIRUN is the command that starts ranks, without -n.
set -u
alone=$1 ranks=$2
shift 2
. "$(dirname "$0")/in-place.bash"

# The default number of threads is another one, too.
default_less() { plain "$1" | sed -E 's/(means the default.*default: )"[0-9]+"/\1/'; }

differ() { # NAME: what of it is not as alone, on standard error
  local name=$1 what
  for what in out err status; do
    diff <(default_less "$scratch/alone.$what") <(default_less "$scratch/$name.$what") >"$scratch/diff" && continue
    echo "$name: other $what than alone"
    cat "$scratch/diff"
    return 0
  done
  ! diff -rq "$scratch/alone" "$scratch/$name"
}

fresh alone
alone_words "$alone"
run alone "${starter[@]}" "$@"
for n in $DDR_RANKS; do
  fresh "ranks-$n"
  ranks_words "$n" "$ranks"
  run "ranks-$n" "${starter[@]}" "$@"
  differ "ranks-$n" >"$scratch/difference" || continue
  cat "$scratch/difference" >&2
  exit 97
done
as_here alone
