#!/bin/bash
# Strands on a GPU cannot be saved in checkpoints, and a message says so; in the same executable, strands on the CPU can.
#
#   device.sh DIDEROTC ROOT FOLDER
#
# The environment names the compiler for a device that the host simulates.
set -eu
diderotc=$1 root=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
fail() { echo "$1" >&2; exit 1; }

"$diderotc" --exec --target=cuda -o reaction "$root/examples/reaction/reaction.diderot" >compile.log 2>&1 || fail "$(cat compile.log)"
run() { ./reaction -width 9 -height 8 -steps 5 "$@"; }
refuses() { # PHRASE WORDS...
  local phrase=$1
  shift
  run "$@" >out 2>err && fail "$*: status 0"
  printf '%s\n' "$phrase" "[DIDEROT] strands on a GPU cannot be saved in a checkpoint; use --gpu=none" | diff - err >&2 || fail "$*: another message"
}
refuses "Error saving checkpoint:" --gpu=required -l 2 -checkpoint kept
[ ! -e kept ] || fail "there is a checkpoint"
run --gpu=none -l 2 -checkpoint kept
refuses "Error resuming:" --gpu=required -resume kept
run --gpu=none -resume kept -o-u parts.nrrd
run --gpu=none -o-u whole.nrrd
cmp whole.nrrd parts.nrrd
