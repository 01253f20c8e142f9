#!/bin/sh
# fuzz.corpus: every byte is packed and unpacked unchanged, at any place, and so is every corpus; a file that is
# not a corpus is refused.   corpus_test.sh CORPUS-TEXT FOLDER TEXT ...
set -eu
tool=$1 work=$2
shift 2
rm -rf "$work"
mkdir -p "$work/bytes"

same_again() { # FOLDER: packed and unpacked
  rm -rf "$work/again"
  mkdir "$work/again"
  "$tool" pack "$1"/* >"$work/text"
  "$tool" unpack "$work/text" "$work/again"
  diff -r "$1" "$work/again"
}

: >"$work/bytes/none"
for high in 0 1 2 3; do
  for middle in 0 1 2 3 4 5 6 7; do
    for low in 0 1 2 3 4 5 6 7; do
      byte=$high$middle$low
      printf "a\\$byte\\${byte}41\n@ \\$byte\n\\$byte" >>"$work/bytes/all"
    done
  done
done
tr '\n' ' ' <"$work/bytes/all" >"$work/bytes/long"
for byte in 000 012 040 100 134 200; do
  printf "\\$byte" >"$work/bytes/alone-$byte"
done
printf '\n\n∇⊗F \\\\xE2\\\n \n' >"$work/bytes/lines"
same_again "$work/bytes"
for text in "$@"; do
  mkdir "$work/inputs"
  "$tool" unpack "$text" "$work/inputs"
  same_again "$work/inputs"
  rm -r "$work/inputs"
done

refuses() { # WHAT IS EXPECTED, TEXT
  mkdir "$work/refused"
  printf '%s' "$2" >"$work/text"
  if "$tool" unpack "$work/text" "$work/refused" 2>"$work/why"; then
    echo "taken for a corpus: $2"
    exit 1
  fi
  grep -q "$1" "$work/why" || { cat "$work/why"; exit 1; }
  rm -r "$work/refused"
}
refuses 'cannot read' ''
refuses 'text:2: expected an input' 'a comment
'
refuses "text:1: expected '@ NAME'" '@name
'
refuses "text:1: expected a name" '@ a/b
'
refuses 'text:3: expected \\xHH' '@ one
a
\x4'
refuses 'called so' '@ one
@ one
'
