#!/bin/sh
# In place of ssh: a machine of its own name, with shared memory and a folder $DDR_MACHINES/local of its own. The
# folder begins with what is in $DDR_MACHINES/NAME.files, and is in $DDR_MACHINES/NAME.left at the end, when there is NAME.ended.
#
#   machine.sh [OPTIONS] NAME WORDS...      what a shell there is to do
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
