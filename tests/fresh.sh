#!/usr/bin/env bash
# fresh.sh [COMMAND...]: runs the commands of the README, or COMMAND, in a root that has nothing but
# Debian's smallest system and a clone of the committed tree: what `./dev fresh` is. Nothing comes from this
# machine but its package sources, the committed files and, read-only, shared/ beside the repository.
#
#   fresh.sh --possible    make the root only; where that cannot be, say why in a line, status 1
#   fresh.sh all           every command of ./dev, in short forms
#   fresh.sh wheel         tries the wheel that `./dev wheel` made, with Debian's Python and no compiler
#
# build/fresh/base is the system, made anew when it is older than a day or the package lists have changed;
# each run has a copy. Downloaded packages are kept in build/fresh/packages. All mounts, and all
# processes, are in namespaces of their own, which end with this script however it ends.
set -eu
cd "$(dirname "$0")/.."
here=$PWD
base=build/fresh/base root=$here/build/fresh/root packages=$here/build/fresh/packages
gigabytes=12 # of disk that a run of the tests takes

say() { printf 'dev: %s\n' "$*"; }
fail() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# ---- inside ---------------------------------------------------------------------------------------
# The namespaces: --inside COMMAND...
if [ "${1:-}" = --inside ]; then
  shift
  mount -t proc proc "$root/proc"
  mkdir -p "$packages" "$root/var/cache/apt/archives"
  mount --bind "$packages" "$root/var/cache/apt/archives"
  if [ -d ../shared ]; then
    mkdir -p "$root/work/shared"
    mount --bind ../shared "$root/work/shared"
    mount -o remount,ro,bind "$root/work/shared"
  fi
  if [ -d build/wheel/dist ]; then # and where pip finds what it needs, as here
    mkdir -p "$root/work/diderot/build/wheel"
    cp -R build/wheel/dist "$root/work/diderot/build/wheel"
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    cp /etc/pip.conf "$root/etc/pip.conf" 2>/dev/null || true
  fi
  exec env -i HOME=/root ${PIP_CERT:+PIP_CERT=/etc/ssl/certs/ca-certificates.crt} ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    TERM="${TERM:-dumb}" ${CI:+CI="$CI"} chroot "$root" /bin/bash -c 'cd /work/diderot && exec "$@"' bash "$@"
fi

# ---- the system -----------------------------------------------------------------------------------

# Of the first source with packages of this system's release: MIRROR and SUITE.
find_source() {
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  source_line=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk -v codename="$codename" '$2 == codename && $3 == "main" { print $1, $2; exit }')
  mirror=${source_line% *} suite=${source_line#* }
}

# What is missing for a root, or nothing.
what_is_missing() {
  [ "$(id -u)" -eq 0 ] || { echo "only the user root can make one"; return; }
  command -v apt-get >/dev/null || { echo "this is not Debian or Ubuntu"; return; }
  command -v debootstrap >/dev/null || { echo "debootstrap is missing (apt-get install debootstrap)"; return; }
  unshare --mount true 2>/dev/null || { echo "this system allows no mounts"; return; }
  find_source
  [ -n "$mirror" ] || { echo "apt has no source of packages for this release"; return; }
  mkdir -p build/fresh
  local free
  free=$(df -Pk build/fresh | awk 'NR == 2 { print int($4 / 1048576) }')
  [ "$free" -ge "$gigabytes" ] || echo "build/ has $free GB left, a run takes $gigabytes"
}

lists_sum() { cat /var/lib/apt/lists/*InRelease 2>/dev/null | cksum; }

is_current() {
  [ -f build/fresh/stamp ] && [ -z "$(find build/fresh/stamp -mmin +1440)" ] &&
    [ "$(cat build/fresh/stamp)" = "$mirror $suite $(lists_sum)" ]
}

# Keys and proxies of apt are as here.
make_base() {
  say "making a root of $suite (build/fresh)"
  rm -rf --one-file-system "$base" build/fresh/stamp
  mkdir -p build/log
  if ! unshare --mount --pid --fork --kill-child debootstrap --variant=minbase --include=ca-certificates \
      "$suite" "$base" "$mirror" >build/log/fresh-base.log 2>&1; then
    rm -rf --one-file-system "$base"
    grep -q 'No space left' build/log/fresh-base.log && fail "no root could be made: the disk is full"
    fail "no root of $suite could be made: $(tail -n 1 build/log/fresh-base.log) (build/log/fresh-base.log)"
  fi
  apt-config dump | grep -iE '^Acquire::(https?|ftp)::Proxy' >"$base/etc/apt/apt.conf.d/00proxy" || true
  echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true"; APT::Keep-Downloaded-Packages "true";' \
    >"$base/etc/apt/apt.conf.d/01keep"
  rm -f "$base"/var/cache/apt/archives/*.deb
  echo "$mirror $suite $(lists_sum)" >build/fresh/stamp
}

# ---- a run ----------------------------------------------------------------------------------------

remove_root() { rm -rf --one-file-system "$root"; }

make_root() {
  remove_root
  cp -a --reflink=auto "$base" "$root"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/work"
  git -c safe.directory='*' clone -q --no-hardlinks . "$root/work/diderot" || fail "the tree cannot be cloned"
  [ -z "$(git status --porcelain)" ] || say "the clone has only committed changes"
}

# The first process of a namespace takes no signals: Ctrl-C ends the one that waits for it.
child=
end_child() { [ -z "$child" ] || kill -KILL "$child" 2>/dev/null || true; }

# NAME COMMAND...: its output is kept, and shown where it was asked for or fails.
run() {
  local name=$1 status=0 begin=$SECONDS log
  shift
  log=build/log/fresh-$name.log
  mkdir -p build/log
  : >"$log" # which tail may open before the child does
  say "in the root: $*"
  unshare --mount --pid --fork --kill-child "$here/tests/fresh.sh" --inside "$@" >"$log" 2>&1 </dev/null &
  child=$!
  [ "$is_shown" = no ] || tail -n +1 -f --pid="$child" "$log"
  wait "$child" || status=$?
  child=
  [ "$status" -eq 0 ] || [ "$is_shown" = yes ] || tail -n 60 "$log" >&2
  [ "$status" -eq 0 ] || fail "failed: $* (status $status; all of it: $log)"
  grep -E '^[0-9]+% tests passed' "$log" || true
  say "done in $((SECONDS - begin)) s ($log)"
}

run_all() {
  run demo ./dev demo
  run volume ./dev volume
  run gallery ./dev gallery
  run build ./dev build release
  run test ./dev test
  run fuzz ./dev fuzz 1
  run cover ./dev cover '^unit$'
  run bench ./dev bench --quick
  run package ./dev package
  run bless ./dev bless
  run format ./dev format
  run tidy ./dev tidy
}

is_shown=no
missing=$(what_is_missing)
[ -z "$missing" ] || fail "no fresh root: $missing"
find_source
is_current || make_base
[ "${1:-}" != --possible ] || exit 0

trap 'end_child; remove_root' EXIT
trap 'exit 130' INT TERM
make_root
case ${1:-} in
"")
  run demo ./dev demo
  run test ./dev test
  ;;
all) run_all ;;
wheel)
  run python apt-get -q -y update
  run python apt-get -q -y --no-install-recommends install python3 python3-venv
  run wheel bash -c 'tests/python/wheel.sh build/wheel/dist/*.whl "$PWD/build/wheel/try" /usr/bin/python3'
  ;;
*)
  is_shown=yes
  run command "$@"
  ;;
esac
