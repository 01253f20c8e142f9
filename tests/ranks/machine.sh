#!/bin/sh
# Takes the place of ssh: simulates a machine with its own name, shared memory and folder $DDR_MACHINES/local. The
# folder begins as a copy of $DDR_MACHINES/NAME.files; at the end its contents are in $DDR_MACHINES/NAME.left, and a file
# NAME.ended is made.
#
#   machine.sh [OPTIONS] NAME WORDS...      the command for a shell there
while [ "${1#-}" != "$1" ]; do shift; done
name=$1
shift
[ "$(id -u)" -eq 0 ] || as_root=--map-root-user
# shellcheck disable=SC2016
exec unshare --uts --mount ${as_root-} sh -c '
  set -e
  name=$1
  shift
  hostname "$name"
  cd "$DDR_MACHINES"
  mount -t tmpfs -o size=64m none /dev/shm
  mount -t tmpfs -o size=1m none local
  mkdir -p "$name.files" "$name.left"
  cp -a "$name.files/." local/
  status=0
  sh -c "$*" || status=$?
  cp -a local/. "$name.left/"
  : >"$name.ended"
  exit $status' machine "$name" "$@"
