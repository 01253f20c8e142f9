#!/bin/sh
# compile_with_test.sh CC FOLDER: what tests/compile-with has cached is used for the same text in another folder, but not
# after a change of the text, of a header or of an option. A compilation that fails reports its errors each time.
set -eu
cc=$1 folder=$2 with=$(cd "$(dirname "$0")" && pwd)/compile-with
command -v ccache >/dev/null || { echo "skipped: there is no ccache"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder/include" && cd "$folder"
printf '#!/bin/sh\ncase " $* " in *" -E "*) ;; *) echo >>%s/compiled ;; esac\nexec %s "$@"\n' "$folder" "$cc" >counting
chmod +x counting
echo '#define VALUE 3' >include/value.h
touch -d '1 hour ago' include/value.h # ccache trusts no header that is as new as what it compiles

wrong() {
  echo "$*" >&2
  exit 1
}

# compile WANTED VALUE TEXT OPTION...: a program made in a new folder ends with VALUE; so far WANTED were compiled.
n_folders=0
compile() {
  wanted=$1 value=$2 text=$3
  shift 3
  n_folders=$((n_folders + 1))
  made=$folder/diderotc-$n_folders
  mkdir "$made"
  echo "$text" >"$made/program.c"
  "$with" -DOTHER=1 - "$folder/kept" "$folder/counting" "$@" -I"$folder/include" -c "$made/program.c" -o "$made/native.o"
  "$with" - - "$folder/kept" "$cc" "$made/native.o" -o "$made/program"
  status=0
  "$made/program" || status=$?
  [ $status -eq "$value" ] || wrong "program $n_folders ends with $status, expected $value"
  n=$(wc -l <compiled)
  [ "$n" -eq "$wanted" ] || wrong "after program $n_folders: $n were compiled, expected $wanted"
}

sum='#include "value.h"
int main(void) { return VALUE + OTHER; }'
compile 1 4 "$sum"
compile 1 4 "$sum"
compile 2 4 "$sum" -O2
compile 3 5 "$(echo "$sum" | sed 's/VALUE +/1 + VALUE +/')"
echo '#define VALUE 7' >include/value.h
touch -d '1 minute ago' include/value.h
compile 4 8 "$sum"
compile 4 8 "$sum"

mkdir diderotc-wrong
echo 'int main(void) { return nothing; }' >diderotc-wrong/program.c
for attempt in first second; do
  if "$with" - - "$folder/kept" "$folder/counting" -c "$folder/diderotc-wrong/program.c" -o "$folder/diderotc-wrong/native.o" 2>said; then
    wrong "$attempt attempt: the status is 0, expected another"
  fi
  grep -q "program.c:1.*nothing" said || wrong "$attempt attempt: the compiler's message is missing: $(cat said)"
done

# Without ccache, and where nothing is kept, it is the compiler.
mkdir diderotc-alone
echo "$sum" >diderotc-alone/program.c
"$with" -DOTHER=1 - - "$cc" -Iinclude -c diderotc-alone/program.c -o diderotc-alone/native.o
