#!/usr/bin/env bash
# fresh_test.sh FOLDER: the messages of tests/fresh.sh if no root can be made. Each time, $PATH is only a folder of fake
# commands, which do nothing, so that something is missing on the machine.
set -u
fresh=$(cd "$(dirname "$0")" && pwd)/fresh.sh
bin=$1/bin n_wrong=0

stand_in() { # NAME WHAT
  rm -f "$bin/$1"
  printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}

# A machine on which nothing is missing, up to the moment when the system would be made.
whole_machine() {
  rm -rf "$bin"
  mkdir -p "$bin"
  for tool in bash dirname awk mkdir tail cat cksum find rm grep mount umount; do
    ln -s "$(command -v "$tool" || echo /bin/true)" "$bin/$tool"
  done
  stand_in id 'echo 0'
  stand_in apt-get 'echo "http://packages.invalid/debian $(. /etc/os-release; echo $VERSION_CODENAME) main"'
  stand_in unshare '[ "$2" = true ] && exit; echo "E: no network" ; exit 1'
  stand_in df 'printf "head\nx 1 1 99999999 1 /\n"'
  stand_in debootstrap 'exit 1'
}

expect() { # WORDS: the status is 1, one line says so, and the system is not left half made
  local said status=0
  said=$(PATH=$bin "$fresh" --possible 2>&1 >"$1/out") || status=$?
  if [ $status -ne 1 ] || [ "$(wc -l <<<"$said")" -ne 1 ] || [[ $said != *"$2"* ]]; then
    echo "status $status, said: $said; expected: $2"
    n_wrong=$((n_wrong + 1))
  fi
}

grep -q VERSION_CODENAME /etc/os-release 2>/dev/null || { echo "skipped: this is no Debian"; exit 77; }
whole_machine; stand_in id 'echo 1000'; expect "$1" "only the user root can make one"
whole_machine; rm "$bin/apt-get"; expect "$1" "this is not Debian or Ubuntu"
whole_machine; rm "$bin/debootstrap"; expect "$1" "debootstrap is missing"
whole_machine; stand_in unshare 'exit 1'; expect "$1" "this system allows no mounts"
whole_machine; stand_in apt-get 'exit 1'; expect "$1" "apt has no source of packages"
whole_machine; stand_in df 'printf "head\nx 1 1 1048576 1 /\n"'; expect "$1" "build/ has 1 GB left"
[ $n_wrong -eq 0 ]
