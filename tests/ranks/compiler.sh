#!/bin/bash
# Takes the place of diderotc: the executables that it makes start themselves on $DDR_RANKS ranks.
#
#   compiler.sh WORDS...
#
# $DDR_DIDEROTC is the compiler, $DDR_MPIRUN starts ranks: words, without -n.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
result="" is_exec=false last=""
for word in "$@"; do
  [ "$last" != -o ] || result=$word
  [ "$word" != --exec ] || is_exec=true
  last=$word
done
$is_exec || exec "$DDR_DIDEROTC" "$@"
[ -n "$result" ] || result=./$(basename "$last" .diderot)
"$DDR_DIDEROTC" --target=mpi "$@"
[ -x "$result" ] || exit 0
mv "$result" "$result.ranks"
cat >"$result" <<TEXT
#!/bin/bash
folder=\$(mktemp -d) || exit 98
trap 'rm -rf "\$folder"' EXIT
. '$here/mpi.bash'
export ASAN_OPTIONS="\${ASAN_OPTIONS-}:detect_leaks=0"
$DDR_MPIRUN -n $DDR_RANKS bash -c 'exec -a "\$0" "\$0.ranks" "\$@"' "\$0" "\$@"
TEXT
chmod +x "$result"
