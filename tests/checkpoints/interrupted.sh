#!/bin/bash
# Takes the place of a program and interrupts its runs: they must give the same results as without interruption.
#
#   interrupted.sh ALONE RANKS WORDS...
#
# ALONE is the program for one process, RANKS the same with --target=mpi, or - if there is none; WORDS are its arguments.
# It runs without interruption; then up to superstep 1, 2, and so on, at most $DDR_MOST, and from the checkpoint of that
# superstep to the end, on other threads and ranks. Text, files, status and reasons must be the same. $DDR_WAYS has pairs
# FIRST/SECOND, used in turn, which say how the two parts run: tN on N threads, rN on N ranks. $DDR_MPIRUN is the command
# that starts ranks, without -n.
set -u
shopt -s nullglob
alone=$1 ranks=$2
shift 2
. "$(dirname "$0")/../ranks/in-place.bash"
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

run_way() { # NAME WAY WORDS...
  local name=$1 way=$2
  shift 2
  if [ "${way#r}" != "$way" ]; then
    ranks_words "${way#r}" "$ranks"
  else
    alone_words "$alone"
    if [ "$way" != as-given ]; then set -- "$@" -n "${way#t}"; fi
  fi
  run "$name" "${starter[@]}" "$@"
}

# Reasons without what depends on how much was left to do, too.
part() { plain "$1" | sed '/going on after/d; /^using the code/d'; }

failed() { # WHAT
  echo "interrupted after superstep $step, $first/$second: $1" >&2
  exit 97
}

fresh whole
run_way whole as-given "$@"
limit=$(value_of l limit "$@") print=$(value_of print print "$@")
is_known=$("$alone" -h 2>&1 | grep -c -- '-resume,--resume')
step=1
while [ "$is_known" -gt 0 ] && [ "$step" -le "${DDR_MOST:-12}" ] && [ "$step" -ne "${limit:-0}" ]; do
  way=${ways[$((step % ${#ways[@]}))]}
  first=${way%/*} second=${way#*/}
  fresh begun
  fresh ended
  run_way begun "$first" "$@" -l "$step" -checkpoint "$scratch/checkpoint"
  [ -e "$scratch/checkpoint" ] || break # it has ended before
  find "$scratch/begun" -maxdepth 1 -name '*-[0-9][0-9][0-9][0-9]*.nrrd' -exec cp {} "$scratch/ended/" \;
  if [ -n "$print" ] && [ -f "$scratch/begun/$print" ]; then cp "$scratch/begun/$print" "$scratch/ended/"; fi
  run_way ended "$second" "$@" -resume "$scratch/checkpoint"
  cat "$scratch/begun.out" "$scratch/ended.out" | cmp - "$scratch/whole.out" >&2 || failed "other text"
  for what in err status; do
    diff <(part "$scratch/whole.$what") <(part "$scratch/ended.$what") >&2 || failed "other $what"
  done
  for file in "$scratch"/whole/*; do
    cmp "$file" "$scratch/ended/$(basename "$file")" >&2 || failed "another file"
  done
  rm "$scratch/checkpoint"
  step=$((step + 1))
done
if [ -n "${DDR_COUNT-}" ] && [ "$step" -gt 1 ]; then echo "$((step - 1)) $alone" >>"$DDR_COUNT"; fi
as_here whole
