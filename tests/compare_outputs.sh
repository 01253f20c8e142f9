#!/usr/bin/env bash
# Compares the outputs of two builds of diderotc for every program of the tree, with several sets of options: for a
# change that must not change outputs. Prints a line for each difference, and the number of equal texts.
#
#   tests/compare_outputs.sh OLD/diderotc NEW/diderotc [SED-PROGRAM]
#
# SED-PROGRAM edits both texts first: it removes intended differences, such as changed names.
set -u
if [ $# -lt 2 ]; then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
old=$1 new=$2 edit=${3:-}
cd "$(dirname "$0")/.." || exit 2
for diderotc in "$old" "$new"; do
  [ -x "$diderotc" ] || { echo "$0: cannot run $diderotc" >&2; exit 2; }
done

option_sets=(
  "--emit-c"
  "--emit-c --double --target=parallel --snapshot"
  "--emit-c --scalar --debug --long-int"
  "--target=cuda --dump=device"
  "--dump=tree"
  "--dump=memory"
  "--dump=json"
  "--dump=header"
)
n_equal=0 n_different=0
text_of() { # DIDEROTC OPTIONS PROGRAM: what it prints, mistakes and status, too
  # shellcheck disable=SC2086  # a list of words
  { "$1" $2 "$3" 2>&1; echo "status $?"; } | sed "$edit"
}
compare() { # OPTIONS PROGRAM
  if cmp -s <(text_of "$old" "$1" "$2") <(text_of "$new" "$1" "$2"); then
    n_equal=$((n_equal + 1))
  else
    n_different=$((n_different + 1))
    echo "differs: diderotc $1 $2"
  fi
}
while IFS= read -r program; do
  for options in "${option_sets[@]}"; do compare "$options" "$program"; done
done < <(find examples tests ../shared/conformance -name '*.diderot' 2>/dev/null | LC_ALL=C sort)
echo "$n_equal texts are equal, $n_different differ"
[ "$n_different" -eq 0 ] && [ "$n_equal" -gt 0 ]
