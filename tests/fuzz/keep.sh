#!/bin/sh
# keep.sh FUZZER SEEDS TEXT FOUND CORPUS-TEXT: chooses the inputs called found-* of the corpus TEXT anew, from the
# present ones and the files in FOUND: as few as reach every edge that these reach, and that neither the files in
# the list SEEDS nor the other inputs of TEXT reach. CORPUS-TEXT is the program of corpus_text.c.
set -eu
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
mkdir "$all/named" "$all/seeds" "$all/choice" "$all/chosen"
"$5" unpack "$3" "$all/named"
for file in "$all"/named/found-* "$4"/*; do
  [ ! -f "$file" ] || cp "$file" "$all/choice"
done
rm -f "$all"/named/found-*
for file in $(tr , ' ' <"$2") "$all"/named/*; do
  [ ! -f "$file" ] || cp "$file" "$all/seeds/$(echo "$file" | sha1sum | cut -c1-40).seed"
done
"$1" -set_cover_merge=1 -use_counters=0 -timeout=100 -rss_limit_mb=4096 -detect_leaks=0 "$all/seeds" "$all/choice"
for file in "$all"/seeds/*; do
  case $file in *.seed) ;; *) mv "$file" "$all/chosen/found-$(sha1sum <"$file" | cut -c1-8)" ;; esac
done
awk '/^@ / { is_found = $2 ~ /^found-/ } !is_found' "$3" >"$all/text"
for file in "$all"/chosen/*; do
  [ ! -f "$file" ] || "$5" pack "$file" >>"$all/text"
done
cp "$all/text" "$3"
