#!/bin/bash
# If a rank is killed, all others end at once and without a result, and a message names the rank.
#
#   killed.sh DIDEROTC FOLDER TIMES
#
# $DDR_MPIRUN starts ranks: words, without -n. $DDR_IS_WATCHED: not empty if each has a parent that watches it.
set -eu
diderotc=$1 folder=$2 times=$3
. "$(dirname "$0")/mpi.bash"
export ASAN_OPTIONS=detect_leaks=0
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"

cat >long.diderot <<'TEXT'
#version 2.0
int step = 0;
strand S (int i) {
   output real x = 0;
   update { foreach (int k in 0..1000) { x = x*0.5 + i*k; } }
}
update { step = step + 1; }
create_collection { S(i) | i in 0..999 }
TEXT
"$diderotc" --exec --target=mpi long.diderot 2>compile.log || { cat compile.log >&2; exit 1; }

fail() { echo "time $time: $1" >&2; cat said >&2; exit 1; }
joined() { local IFS=,; echo "$*"; }
children() { mapfile -t ranks < <(pgrep -x -P "$(joined "$@")" long || true); } # with the name of the program

for time in $(seq "$times"); do
  # shellcheck disable=SC2086
  $DDR_MPIRUN -n 3 ./long -n 1 -o x.nrrd >said 2>&1 &
  starter=$!
  for _ in $(seq 300); do # until all have started
    children "$starter" $(pgrep -P $starter || true)
    [ -z "${DDR_IS_WATCHED:-}" ] || children "$starter" "${ranks[@]}"
    [ "${#ranks[@]}" -eq 3 ] && break
    sleep 0.1
  done
  [ "${#ranks[@]}" -eq 3 ] || fail "not all ranks have started"
  sleep "$((RANDOM % 2)).$((RANDOM % 10))"
  process=${ranks[$((RANDOM % 3))]}
  lost=$(tr '\0' '\n' <"/proc/$process/environ" | sed -nE 's/^(PMI|OMPI_COMM_WORLD)_RANK=//p')
  kill -9 "$process"
  begin=$SECONDS status=0
  wait "$starter" || status=$?
  [ $((SECONDS - begin)) -le 10 ] || fail "the others went on for $((SECONDS - begin)) s"
  [ "$status" -ne 0 ] || fail "the status is 0"
  sleep 0.2
  for rank in "${ranks[@]}"; do
    ! grep -q '^State:[^Z]*$' "/proc/$rank/status" 2>/dev/null || fail "a rank is left"
  done
  [ -z "$(ls | grep x.nrrd)" ] || fail "there is an output"
  if [ -n "${DDR_IS_WATCHED:-}" ]; then
    [ "$(grep -F "[DIDEROT]" said)" = "[DIDEROT] rank $lost was ended by signal 9: Killed" ] || fail "rank $lost is not named, or not alone"
  else
    grep -q "process rank $lost with PID" said || fail "no message names rank $lost"
  fi
done
