#!/bin/sh
# lint.sh FOLDER SOURCE DOCUMENT...: no document has a block that nothing tries (blocks.awk), and every
# picture beside them is less than 60 kB and shown by one.
set -u
folder=$1 source=$2
here=$(dirname "$0")
shift 2
n_wrong=0
mkdir -p "$folder"
for document; do
  awk -v OUT="$folder" -f "$here/blocks.awk" "$document" || n_wrong=$((n_wrong + 1))
done
for picture in "$source"/doc/*.png "$source"/doc/tutorial/*.png; do
  [ -e "$picture" ] || continue
  if [ "$(wc -c <"$picture")" -ge 60000 ]; then
    echo "$picture has 60 kB or more"
    n_wrong=$((n_wrong + 1))
  fi
  if ! grep -qF "${picture#"$source/doc/"})" "$@"; then
    echo "no document shows $picture"
    n_wrong=$((n_wrong + 1))
  fi
done
[ $n_wrong -eq 0 ]
