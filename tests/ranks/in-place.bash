# For scripts that take the place of a program and run it, alone and on ranks.
#
#   $scratch             a folder for all of this, which is removed when the script ends
#   fresh NAME           a folder there, a copy of the working directory
#   run NAME COMMAND...  in that folder; leaves NAME.out, NAME.err and NAME.status beside it
#   alone_words ALONE    the array `starter`: words before those of the command line, for one process
#   ranks_words N RANKS  likewise for N ranks
#   as_here NAME         makes the working directory as if NAME had run here, and returns its status
#   plain FILE           messages without what depends on ranks: their numbers, times and memory
#
# $DDR_MPIRUN starts ranks: words, without -n. MPI itself leaks memory, which is not looked for.
scratch=$(mktemp -d) || exit 98
trap 'rm -rf "$scratch"' EXIT
folder=$scratch
. "$(dirname "${BASH_SOURCE[0]}")/mpi.bash"

fresh() { # NAME: a copy of the working directory
  rm -rf "${scratch:?}/$1"
  mkdir "$scratch/$1" && cp -a . "$scratch/$1/" || exit 98
}

run() { # NAME COMMAND...
  local name=$1 status=0
  shift
  (cd "$scratch/$name" && exec "$@" </dev/null) >"$scratch/$name.out" 2>"$scratch/$name.err" || status=$?
  echo "$status" >"$scratch/$name.status"
}

# The program's name is the same for all, since messages show it.
alone_words() { starter=(bash -c 'exec -a program "$0" "$@"' "$1"); }
ranks_words() { # N RANKS
  # shellcheck disable=SC2086,SC2206
  starter=(env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" $DDR_MPIRUN -n "$1" bash -c 'exec -a program "$0" "$@"' "$2")
}

# The mpirun of Open MPI ends its own pipes twice now and then, where all ranks fail at once, and says so.
plain() {
  sed -E 's/rank [0-9]+: //; s/, [0-9]+ (ranks|threads)//g; s/in [0-9.]+ seconds \(cpu=[0-9.]+\)//; s/[0-9.]+ MiB/MiB/g
    /every rank does all the work|ranks have nothing to do|ranks use GPUs|: in memory once for |^\[warn\] Epoll MOD/d' "$1"
}

as_here() { # NAME
  cp -a "$scratch/$1/." .
  cat "$scratch/$1.out"
  cat "$scratch/$1.err" >&2
  exit "$(cat "$scratch/$1.status")"
}
