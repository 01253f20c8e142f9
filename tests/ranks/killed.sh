#!/bin/bash
# If a rank is killed, all others end at once and without a result; the message names the rank. That of MPICH names one of
# the processes, which may be one that it has ended itself.
#
#   killed.sh DIDEROTC FOLDER TIMES
#
# $DDR_MPIRUN starts ranks: words, without -n. $DDR_NAMES_PROCESSES: not empty if it is that of MPICH.
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

for time in $(seq "$times"); do
  # shellcheck disable=SC2086
  $DDR_MPIRUN -n 3 ./long -n 1 -o x.nrrd >said 2>&1 &
  starter=$!
  for _ in $(seq 300); do # until all have started
    mapfile -t ranks < <(pgrep -x -P "$starter,$(pgrep -d, -P $starter || echo $starter)" long || true)
    [ "${#ranks[@]}" -eq 3 ] && break
    sleep 0.1
  done
  [ "${#ranks[@]}" -eq 3 ] || fail "not all ranks have started"
  sleep "$((RANDOM % 2)).$((RANDOM % 10))"
  kill -9 "${ranks[$((RANDOM % 3))]}"
  begin=$SECONDS status=0
  wait "$starter" || status=$?
  [ $((SECONDS - begin)) -le 10 ] || fail "the others went on for $((SECONDS - begin)) s"
  [ "$status" -ne 0 ] || fail "the status is 0"
  sleep 0.2
  for rank in "${ranks[@]}"; do
    ! grep -q '^State:[^Z]*$' "/proc/$rank/status" 2>/dev/null || fail "a rank is left"
  done
  [ -z "$(ls | grep x.nrrd)" ] || fail "there is an output"
  named="rank [0-2]"
  [ -z "${DDR_NAMES_PROCESSES:-}" ] || named="PID ($(IFS="|"; echo "${ranks[*]}")) RUNNING AT"
  grep -qiE "$named" said || fail "no message names the rank"
done
