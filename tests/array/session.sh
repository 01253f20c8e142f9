#!/bin/sh
# session.sh AWK FILE FOLDER BIN: the commands that FILE shows print what it shows, in their order, in
# an empty FOLDER; BIN comes first in the path. What a command ends with, unless it is 0, is its last
# line: [1]. Read session.awk.
set -u
awk=$1 file=$2 folder=$3 PATH=$4:$PATH
here=$(dirname "$0")
rm -rf "$folder"
mkdir -p "$folder"
"$awk" -v OUT="$folder" -f "$here/session.awk" "$file" || { echo "$file shows no commands"; exit 1; }
cd "$folder" || exit 1
n=1 n_wrong=0
while [ -e ".$n.sh" ]; do
  sh ".$n.sh" >".$n.found" 2>&1 </dev/null
  status=$?
  [ $status -eq 0 ] || echo "[$status]" >>".$n.found"
  if ! cmp -s ".$n.want" ".$n.found"; then
    n_wrong=$((n_wrong + 1))
    printf '%s: $ ' "$file"
    cat ".$n.sh"
    diff -u ".$n.want" ".$n.found" | tail -n +3
  fi
  n=$((n + 1))
done
[ $n_wrong -eq 0 ]
