#!/bin/sh
# run.sh DOCUMENT FOLDER: tries in FOLDER what DOCUMENT shows, block after block (blocks.awk): files are
# written, commands run, what they print compared. Each block has a shell of its own, which goes on in
# the folder and with the environment that the last one left. Then every picture of the document that
# is kept beside it must have been made, in its size.
#
# $NEW_PICTURES: they need not be there yet. $MISSING names commands that are not there: blocks that use one are left out, with a message, and the
# status is 77 if all else is as it should be. The steps are kept in FOLDER/.steps.
set -u
document=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
steps=$(mkdir -p "$folder" && cd "$folder" && pwd)/.steps
n_wrong=0 n_left_out=0

rm -rf "$steps"
mkdir -p "$steps"
awk -v OUT="$steps" -f "$here/blocks.awk" "$document" || exit 1
[ -s "$steps/steps" ] || { echo "$document shows nothing to try"; exit 1; }
(cd "$folder" && pwd) >"$steps/folder"
export -p >"$steps/environment"

wrong() { # WHERE WHAT
  printf '%s:%s: %s\n' "$document" "$1" "$2"
  n_wrong=$((n_wrong + 1))
}

missing() { # FILE: prints which command it uses that is not there
  for tool in ${MISSING:-}; do
    if grep -qwF -e "$tool" "$1"; then
      echo "$tool"
      return
    fi
  done
}

run() { # N: runs N.sh as its own shell does; prints its status
  cat >"$steps/$1.shell" <<TEXT
. '$steps/environment'
cd "\$(cat '$steps/folder')"
trap 'export -p >"$steps/environment"; pwd >"$steps/folder"' EXIT
set -e
$(cat "$steps/$1.sh")
TEXT
  env -i sh "$steps/$1.shell" >"$steps/$1.found" 2>&1 </dev/null
  echo $?
}

while read -r n line want_status name; do
  if [ -n "$name" ]; then
    made=$(cat "$steps/folder")/$name
    rm -f "$made" && cp "$steps/$n.file" "$made" || exit 1
    continue
  fi
  tool=$(missing "$steps/$n.sh")
  if [ -n "$tool" ]; then
    echo "$document:$line: left out, there is no $tool"
    n_left_out=$((n_left_out + 1))
    continue
  fi
  status=$(run "$n")
  if [ "$status" -ne "$want_status" ]; then
    wrong "$line" "the status is $status instead of $want_status"
    cat "$steps/$n.sh" "$steps/$n.found"
    break
  fi
  if [ -e "$steps/$n.want" ] && ! awk -f "$here/matches.awk" "$steps/$n.want" "$steps/$n.found"; then
    wrong "$line" "this prints something else"
    cat "$steps/$n.sh"
    diff -u --label shown --label printed "$steps/$n.want" "$steps/$n.found"
  fi
done <"$steps/steps"

# A picture that the document shows was made by it; those of the gallery by examples, *view.png by
# tests/view/screenshot.py.
size() { od -A n -t x1 -j 16 -N 8 "$1" 2>/dev/null; }
if [ $n_wrong -eq 0 ] && [ $n_left_out -eq 0 ]; then
  made=$(cat "$steps/folder")
  for picture in $(grep -o '!\[[^]]*\]([^)]*\.png)' "$document" | sed 's/.*(\(.*\))/\1/'); do
    case $picture in gallery/* | doc/gallery/* | *view.png) continue ;; esac
    name=$(basename "$picture")
    if [ ! -e "$made/$name" ]; then
      wrong 1 "it shows $picture and does not make $name"
    elif [ -z "${NEW_PICTURES:-}" ] && [ "$(size "$made/$name")" != "$(size "$(dirname "$document")/$picture")" ]; then
      wrong 1 "$name has another size than $picture"
    fi
  done
fi

[ $n_wrong -eq 0 ] || exit 1
[ $n_left_out -eq 0 ] || exit 77
