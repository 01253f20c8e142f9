#!/bin/bash
# Files of checkpoints: none is ever half written, and a file that is not a checkpoint of this run is refused.
#
#   files.sh DIDEROTC FOLDER TIMES
#
# TIMES is how often a run is killed.
set -eu
diderotc=$1 folder=$2 times=$3 here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"

fail() { echo "$1" >&2; exit 1; }

image() { # SAMPLES
  printf 'NRRD0004\ntype: float\ndimension: 1\nsizes: 6\nspace dimension: 1\nspace directions: (1)\nspace origin: (0)\nencoding: ascii\n\n%s\n' "$1"
}
image "1 2 4 8 16 32" >img.nrrd
image "1 2 4 8 16 33" >other-img.nrrd

compile() { # NAME SOURCE OPTIONS...
  local name=$1 source=$2
  shift 2
  "$diderotc" --exec --no-warning=no-proxy --target=parallel "$@" -o "$name" "$source" >compile.log 2>&1 || fail "$(cat compile.log)"
}
compile diary "$here/diary/diary.diderot"
sed 's/0\.03125/0.0625/' "$here/diary/diary.diderot" >other.diderot
compile other other.diderot
sed '1a const int unused = 1;' "$here/diary/diary.diderot" >constant.diderot
compile constant constant.diderot --no-warning=unused
compile changed constant.diderot --no-warning=unused --Cunused=2
compile double "$here/diary/diary.diderot" --double
cat >fixed.diderot <<'TEXT'
#version 2.0
input int count = 5;
int day = 0;
strand w (int i) {
  int c = 9;
  int first = 7/count;
  output int s = i;
  update { s += i % 3 + c + first; if (s > 60) { stabilize; } }
}
update { day += 1; }
create_collection { w(i) | i in 0..count-1 }
TEXT
compile fixed fixed.diderot
compile apart fixed.diderot --no-uniform-state
compile traced fixed.diderot --trace

outputs="from.nrrd n_odd.nrrd n_words.nrrd number.nrrd sum.nrrd way-data.nrrd way-len.nrrd"
mkdir whole
(cd whole && ../diary -img ../img.nrrd -print text)
same() { # WHAT
  for file in $outputs text; do cmp "whole/$file" "$file" >&2 || fail "$1: another $file"; done
}

# --- a run that is killed at any moment: what there is then is whole, or nothing -----------------------------
for time in $(seq "$times"); do
  rm -rf left && mkdir left
  (cd left && exec ../diary -img ../img.nrrd -print text -checkpoint kept:0) 2>said &
  starter=$!
  sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
  kill -9 "$starter" 2>/dev/null || true
  wait "$starter" 2>/dev/null || true
  rm -f left/kept.*.tmp # killed between two names; the last check of this script is about other runs
  cd left
  if [ -e kept ]; then
    ../diary -img ../img.nrrd -print text -resume kept || fail "killed, time $time: it does not go on"
    for file in $outputs text; do cmp "../whole/$file" "$file" >&2 || fail "killed, time $time: another $file"; done
  fi
  cd ..
done

# --- what is refused: one line, no output, and a text that nobody touched ------------------------------------
refuses() { # WHAT MESSAGE WORDS...
  local what=$1 message=$2 status=0
  shift 2
  rm -f $outputs
  echo "kept" >text
  "$@" -print text >out 2>err || status=$?
  [ "$status" -eq 1 ] || fail "$what: status $status"
  printf '%s\n' "Error resuming:" "[DIDEROT] $message" | diff - err >&2 || fail "$what: another message"
  for file in $outputs; do [ ! -e "$file" ] || fail "$what: there is $file"; done
  echo "kept" | cmp - text >&2 || fail "$what: the text is another"
}
rm -f text
./diary -img img.nrrd -print text -l 4 -checkpoint four
cp text text-of-four
refuses "no file" 'cannot read the checkpoint "none": No such file or directory' ./diary -img img.nrrd -resume none
refuses "an image" '"img.nrrd" is not a checkpoint' ./diary -img img.nrrd -resume img.nrrd
refuses "a folder" '"whole" is not a regular file' ./diary -img img.nrrd -resume whole
: >empty
refuses "an empty file" '"empty" is not a checkpoint' ./diary -img img.nrrd -resume empty
refuses "another program" '"four" is a checkpoint of another program' ./other -img img.nrrd -resume four
./constant -img img.nrrd -l 4 -checkpoint four-constant >/dev/null
refuses "another constant" '"four-constant" is a checkpoint of another program' ./changed -img img.nrrd -resume four-constant
refuses "other reals" '"four" is of this program with reals of 4 bytes and ints of 4, not 8 and 4' ./double -img img.nrrd -resume four
refuses "another number" 'n_steps: "four" was written with 7, not 8' ./diary -img img.nrrd -n_steps 8 -resume four
refuses "a number that globals change" 'patience: "four" was written with 9, not 8' ./diary -img img.nrrd -patience 8 -resume four
refuses "another string" 'title: "four" was written with once, not twice' ./diary -img img.nrrd -title twice -resume four
refuses "another image" 'img: "four" was written with a different value' ./diary -img other-img.nrrd -resume four
./fixed -l 3 -checkpoint three 2>/dev/null || true # no strand is stable yet
refuses "other variables of a strand" '"three" is a checkpoint of another program' ./apart -resume three
./fixed -o fixed-whole.nrrd
./traced -resume three -o fixed-parts.nrrd
cmp fixed-whole.nrrd fixed-parts.nrrd >&2 || fail "how a program is executed changes its checkpoints"
cat four img.nrrd >longer
refuses "a longer file" '"longer" is damaged' ./diary -img img.nrrd -resume longer
size=$(stat -c %s four)
for k in $(seq 1 19); do
  n=$((size * k / 20))
  head -c "$n" four >cut
  refuses "cut at $n of $size" "\"cut\" is cut off: it has $n of $size bytes" ./diary -img img.nrrd -resume cut
done
head -c 20 four >cut
refuses "cut in its head" '"cut" is cut off' ./diary -img img.nrrd -resume cut
for k in $(seq 1 20); do # a byte that is another
  n=$((size * k / 20 - 1 - RANDOM % (size / 30)))
  [ "$n" -ge 64 ] || continue
  byte=$(tail -c +$((n + 1)) four | head -c 1 | od -An -tu1)
  { head -c "$n" four; printf "\\x$(printf %x $((255 - byte)))"; tail -c +$((n + 2)) four; } >damaged
  refuses "another byte at $n" '"damaged" is damaged' ./diary -img img.nrrd -resume damaged
done
head -c 10 text-of-four >text
./diary -img img.nrrd -print text -resume four 2>err && fail "a text that is too short is not refused"
grep -q "\"text\" has 10 bytes; when \"four\" was written, $(stat -c %s text-of-four) were printed" err || fail "$(cat err)"

# --- what was printed after the checkpoint is printed again --------------------------------------------------
{ cat text-of-four; echo "more"; } >text
./diary -img img.nrrd -print text -resume four
same "a text that is too long"

# --- a checkpoint that cannot be written: the one before stays, and the run ends -----------------------------
fails() { # WHAT MESSAGE WORDS...
  local what=$1 message=$2 status=0
  shift 2
  rm -f $outputs
  "$@" >out 2>err || status=$?
  [ "$status" -eq 1 ] || fail "$what: status $status"
  printf '%s\n' "Error saving checkpoint:" "[DIDEROT] $message" | diff - err >&2 || fail "$what: another message"
  for file in $outputs; do [ ! -e "$file" ] || fail "$what: there is $file"; done
}
cp four before
fails "no folder" 'cannot write the checkpoint "nowhere/x": No such file or directory' ./diary -img img.nrrd -l 2 -checkpoint nowhere/x
fails "a full disk" 'cannot write the checkpoint "/dev/full": No space left on device' ./diary -img img.nrrd -l 2 -checkpoint /dev/full
fails "a full file" 'cannot write the checkpoint "four": File too large' bash -c 'ulimit -f 1; exec ./diary -img img.nrrd -checkpoint four:0'
cmp before four || fail "a full file: the checkpoint before is another one"
[ -z "$(find . -name '*.tmp')" ] || fail "a temporary file is left"
./diary -img img.nrrd -l 2 -checkpoint - >out 2>err && fail "standard output is taken for a file"
grep -q "a checkpoint needs a file" err || fail "$(cat err)"
for word in :5 four:-1; do
  ./diary -img img.nrrd -checkpoint $word >out 2>err && fail "$word is taken for a file and a time"
  grep -q "couldn't parse \"$word\" as FILE:SECONDS" err || fail "$word: $(cat err)"
done

# --- a world in a file is the same bytes, whoever wrote it ---------------------------------------------------
./diary -img img.nrrd -print text -n 2 -l 4 -checkpoint again
cmp four again || fail "two threads write another checkpoint"
./diary -img img.nrrd -print text -l 2 -checkpoint two 2>err || grep -q "no stable strands" err || fail "$(cat err)"
./diary -img img.nrrd -print text -resume two -l 4 -checkpoint again
cmp four again || fail "a run that goes on writes another checkpoint"
