#!/bin/sh
# keep.sh FUZZER SEEDS CORPUS FOUND: copies to the folder CORPUS those files of FOUND that lead the target
# further than CORPUS and the files that SEEDS lists do, as few as may be.
set -eu
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
mkdir "$all/merged" "$3" 2>/dev/null || true
for file in $(tr , ' ' <"$2") "$3"/*; do
  [ ! -f "$file" ] || cp "$file" "$all/merged/$(echo "$file" | sha1sum | cut -c1-40).seed"
done
"$1" -set_cover_merge=1 -timeout=100 -rss_limit_mb=4096 -detect_leaks=0 "$all/merged" "$4"
for file in "$all"/merged/*; do
  case $file in *.seed) ;; *) cp "$file" "$3" ;; esac
done
