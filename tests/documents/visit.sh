#!/bin/sh
# visit.sh DOCUMENT SOURCE BUILD FOLDER [WHERE]: tries DOCUMENT as a visitor does who has built this
# repository: FOLDER looks like SOURCE with the finished BUILD as build/release, the home is empty. The
# commands are for FOLDER/WHERE. Where they need the volume of the demo, it is there; where they change
# files, those are copies.
set -eu
document=$1 source=$2 build=$3 folder=$4 where=${5:-}
rm -rf "$folder"
mkdir -p "$folder/build/gallery" "$folder/home"
ln -s "$build" "$folder/build/release"
for entry in dev backend-c backend-cuda cmake doc driver editors examples frontend ir runtime tests tools; do
  ln -s "$source/$entry" "$folder/$entry"
done
if grep -q '^patch ' "$document"; then
  for entry in "$source"/* "$source"/.clang-format; do
    [ "$(basename "$entry")" != build ] || continue
    rm -f "$folder/$(basename "$entry")"
    cp -R "$entry" "$folder"
  done
fi
export HOME="$folder/home"
mkdir -p "$HOME"
unset XDG_CACHE_HOME DIDEROT_COMPAT
if grep -q 'demo/head ' "$document"; then
  (cd "$folder" && ./dev volume)
fi

# What is installed here must not be what `uninstall` removes there.
kept="install_manifest.txt install_folders.txt"
restore() {
  for file in $kept; do
    rm -f "$build/$file"
    [ ! -e "$folder/$file" ] || mv "$folder/$file" "$build/$file"
  done
}
if grep -q '^cmake --install build/release' "$document"; then
  for file in $kept; do
    [ ! -e "$build/$file" ] || mv "$build/$file" "$folder/$file"
  done
  trap restore EXIT
fi
"$(dirname "$0")/run.sh" "$document" "$folder$where"
