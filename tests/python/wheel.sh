#!/usr/bin/env bash
# wheel.sh WHEEL FOLDER [PYTHON]: pip installs the wheel with the extra cc in an empty environment, which
# sees no other program, and so no compiler but that of the extra: diderotc, ddr-array and the module work.
# What is made in FOLDER/venv stays.
set -eu
wheel=$(realpath "$1") folder=$2 python=${3:-python3}
here=$(cd "$(dirname "$0")" && pwd)
fail() { printf 'wheel: %s\n' "$*" >&2; exit 1; }

case $wheel in *-py3-none-manylinux_*.whl) ;; *) fail "$wheel is not called as wheels for many systems are" ;; esac
rm -rf "$folder"
mkdir -p "$folder/home"
"$python" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel[cc,numpy]" mypy pygments
bare() { (cd "$folder" && env -i HOME="$folder/home" PATH="$folder/venv/bin" "$@"); }

expected=$(sed -n 's/^project(diderot VERSION \([0-9.]*\).*/\1/p' "$here/../../CMakeLists.txt")
found=$(bare diderotc --version)
[ "$found" = "diderotc $expected" ] || fail "diderotc --version says '$found'"
found=$(bare python "$here/first.py")
[ "$found" = "the slope is 3.0 4.0" ] || fail "first.py says '$found'"
bare python "$here/arrays_test.py" - >"$folder/arrays.txt" 2>&1 || fail "$(cat "$folder/arrays.txt")"
found=$(bare python -c 'import pygments.lexers as all; print(all.get_lexer_for_filename("x.diderot").name)')
[ "$found" = Diderot ] || fail "Pygments says '$found'"
bare ddr-array --help >"$folder/help.txt" 2>&1 || fail "ddr-array --help: $(cat "$folder/help.txt")"

# Programs on the command line, too.
printf '#version 2.0\nstrand s (int i) { output int x = i; update { print(7*i, "\\n"); stabilize; } }\n%s\n' \
  'create_array { s(i) | i in 6..6 }' >"$folder/seven.diderot"
found=$(bare diderotc run seven.diderot)
[ "$found" = 42 ] || fail "diderotc run says '$found'"

# Without the extra: one sentence with the two ways out.
bare python -m pip uninstall --quiet --yes ziglang
if bare diderotc --exec seven.diderot 2>"$folder/said.txt"; then fail "there is a compiler after all"; fi
grep -q "there is no C compiler (cc, clang, gcc): install one, or name one in DIDEROT_CC (with pip: 'diderot\[cc\]' has one)" \
  "$folder/said.txt" || fail "without a compiler: $(cat "$folder/said.txt")"

# The types are there.
bare python -m mypy --strict "$here/client.py" >"$folder/mypy.txt" || fail "$(cat "$folder/mypy.txt")"
echo "the wheel works: $(basename "$wheel")"
