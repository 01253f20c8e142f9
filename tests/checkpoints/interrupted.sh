#!/bin/bash
# A program in the place of itself, whose runs are interrupted: each must come to what it comes to at once.
#
#   interrupted.sh ALONE RANKS WORDS...
#
# ALONE is the program for one process, RANKS the same with --target=mpi, or - if there is none. It runs with these words
# at once; then again up to superstep 1, 2, and so on, at most $DDR_MOST, and from the checkpoint of that
# superstep to the end, on other threads and ranks: text, files, status and reasons must be the same. $DDR_WAYS are pairs FIRST/SECOND of how the two
# parts run, taken in turn: tN on N threads, rN on N ranks. $DDR_MPIRUN starts ranks: words, without -n.
set -u
shopt -s nullglob
alone=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HWLOC_HIDE_ERRORS=2 UCX_LOG_LEVEL=fatal # what they say of a machine that shows no /sys
scratch=$(mktemp -d) || exit 98
trap 'rm -rf "$scratch"' EXIT
read -ra ways <<<"${DDR_WAYS:-t1/t2}"

# The last value of an option, of two spellings.
value_of() { # SHORT LONG WORDS...
  local short=$1 long=$2 value=
  shift 2
  while [ $# -gt 1 ]; do
    if [ "$1" = "-$short" ] || [ "$1" = "--$long" ]; then value=$2; fi
    shift
  done
  echo "$value"
}

# As NAME.out, NAME.err and NAME.status, in the folder NAME.
run() { # NAME WAY WORDS...
  local name=$1 way=$2 status=0
  shift 2
  if [ "${way#r}" != "$way" ]; then
    # shellcheck disable=SC2086
    set -- env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" $DDR_MPIRUN -n "${way#r}" bash -c 'exec -a program "$0" "$@"' "$ranks" "$@"
  elif [ "$way" = as-given ]; then
    set -- bash -c 'exec -a program "$0" "$@"' "$alone" "$@"
  else
    set -- bash -c 'exec -a program "$0" "$@"' "$alone" "$@" -n "${way#t}"
  fi
  (cd "$scratch/$name" && exec "$@" </dev/null) >"$scratch/$name.out" 2>"$scratch/$name.err" || status=$?
  echo "$status" >"$scratch/$name.status"
}

# Reasons without what depends on ranks and on how much was left to do.
plain() {
  sed -E 's/rank [0-9]+: //; s/, [0-9]+ (ranks|threads)//g; s/in [0-9.]+ seconds \(cpu=[0-9.]+\)//; s/[0-9.]+ MiB/MiB/g
    /every rank does all the work|going on after|^using the code/d' "$1"
}

failed() { # WHAT
  echo "interrupted after superstep $step, $first/$second: $1" >&2
  exit 97
}

mkdir "$scratch/whole" && cp -a . "$scratch/whole/" || exit 98
run whole as-given "$@"
limit=$(value_of l limit "$@") print=$(value_of print print "$@")
is_known=$("$alone" -h 2>&1 | grep -c -- '-resume,--resume')
step=1
while [ "$is_known" -gt 0 ] && [ "$step" -le "${DDR_MOST:-12}" ] && [ "$step" -ne "${limit:-0}" ]; do
  way=${ways[$((step % ${#ways[@]}))]}
  first=${way%/*} second=${way#*/}
  rm -rf "$scratch/begun" "$scratch/ended"
  mkdir "$scratch/begun" "$scratch/ended" && cp -a . "$scratch/begun/" && cp -a . "$scratch/ended/" || exit 98
  run begun "$first" "$@" -l "$step" -checkpoint "$scratch/checkpoint"
  [ -e "$scratch/checkpoint" ] || break # it has ended before
  find "$scratch/begun" -maxdepth 1 -name '*-[0-9][0-9][0-9][0-9]*.nrrd' -exec cp {} "$scratch/ended/" \;
  if [ -n "$print" ] && [ -f "$scratch/begun/$print" ]; then cp "$scratch/begun/$print" "$scratch/ended/"; fi
  run ended "$second" "$@" -resume "$scratch/checkpoint"
  cat "$scratch/begun.out" "$scratch/ended.out" | cmp - "$scratch/whole.out" >&2 || failed "other text"
  for what in err status; do
    diff <(plain "$scratch/whole.$what") <(plain "$scratch/ended.$what") >&2 || failed "other $what"
  done
  for file in "$scratch"/whole/*; do
    cmp "$file" "$scratch/ended/$(basename "$file")" >&2 || failed "another file"
  done
  rm "$scratch/checkpoint"
  step=$((step + 1))
done
if [ -n "${DDR_COUNT-}" ] && [ "$step" -gt 1 ]; then echo "$((step - 1)) $alone" >>"$DDR_COUNT"; fi
cp -a "$scratch/whole/." .
cat "$scratch/whole.out"
cat "$scratch/whole.err" >&2
exit "$(cat "$scratch/whole.status")"
