#!/bin/bash
# --target=cuda,mpi: cases alone on a device, and on ranks with one device each; the shim simulates the devices.
#
#   devices.sh DIDEROTC RUN-CASE ROOT FOLDER CASE...
#
# A CASE is a path below ROOT, without ".case", and behind a colon the numbers of ranks: "tests/run/sums/bits:1,3". Then
# devices are tested: which rank takes which, what is printed, and what happens if there are too few.
set -eu
diderotc=$1 run_case=$2 root=$3 folder=$4
shift 4
. "$(dirname "$0")/mpi.bash"
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"

both() { # NAME SOURCE OPTION...: NAME.cuda and NAME.cuda,mpi
  local name=$1 source=$2 way
  shift 2
  for way in cuda cuda,mpi; do
    "$diderotc" --exec "$@" --no-warning=no-proxy --target=$way -o "$name.$way" "$source"
  done
}

export DDR_SHIM_DEVICES=2
for word; do
  case=${word%:*}
  DDR_RANKS=$(echo "${word##*:}" | tr , ' ')
  export DDR_RANKS
  name=$(basename "$(dirname "$case")")
  options=$(cat "$root/$(dirname "$case")/options" 2>/dev/null || true)
  # shellcheck disable=SC2086
  [ -e "$name.sh" ] || both "$name" "$root/$(dirname "$case")/$name.diderot" $options
  printf '#!/bin/sh\nexec %s %s %s "$@"\n' "$root/tests/ranks/as-alone.sh" "$folder/$name.cuda" "$folder/$name.cuda,mpi" >"$name.sh"
  chmod +x "$name.sh"
  "$run_case" "$root/$case.case" "$folder/$name.sh" float "$folder/scratch-$name" "$diderotc" || { echo "$case"; exit 1; }
done

# --- devices --------------------------------------------------------------------------------------
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"
cat >one.diderot <<'END'
#version 2.0
strand one (int i) {
  output int n = i;
  update { stabilize; }
}
create_array { one(i) | i in 1..5000 }
END
cat >neighbours.diderot <<'END'
#version 2.0
strand one (int i) {
  output vec2 pos = [real(i) * 0.1, 0];
  int n = 0;
  update {
    int all = 0;
    foreach (one other in sphere(0.35)) { all += 1; }
    pos += [0.01 * real(all), 0.001 * real(i % 7)];
    n += 1;
    if (n == 3 && i % 5 == 0) stabilize;
    if (n == 4) stabilize;
  }
}
create_collection { one(i) | i in 1..3000 }
END
both one one.diderot
both neighbours neighbours.diderot

# A reduction after each superstep; and ranks of which one has much less to do soon.
cat >sums.diderot <<'END'
#version 2.0
real all = 0;
strand one (int i) {
  output int n = 0;
  real x = real(i);
  update { x += all; n += 1; if (n == 4) stabilize; }
}
update { all = sum { each.x | each in one.all } * 0.001; }
create_array { one(i) | i in 1..3000 }
END
cat >uneven.diderot <<'END'
#version 2.0
strand one (int i) {
  vec2 pos = [real(i) * 0.1, 0];
  output int n = 0;
  int age = 0;
  update {
    pos += [0.01, 0];
    foreach (one other in sphere(0.35)) { n += 1; }
    age += 1;
    if (age == 2 && i < 12000) stabilize;
    if (age == 5) stabilize;
  }
}
create_array { one(i) | i in 1..24000 }
END
both sums sums.diderot
both uneven uneven.diderot

fails=0
check() { # STATUS TEXT COMMAND...: which says the text on standard error
  local expected=$1 text=$2 status=0
  shift 2
  rm -f n.nrrd
  # shellcheck disable=SC2086
  timeout 60 $DDR_MPIRUN "$@" >out 2>said || status=$?
  if [ "$status" -ne "$expected" ] || ! grep -q -- "$text" said; then
    echo "$*: status $status, expected $expected and '$text':"
    cat said
    fails=1
  fi
  if [ "$expected" -ne 0 ] && [ -e n.nrrd ]; then
    echo "$*: there is an output"
    fails=1
  fi
}

check 0 "^3 of 3 ranks use GPUs" -n 3 ./one.cuda,mpi -v -o n.nrrd
check 0 "^0 of 3 ranks use GPUs" -n 3 ./one.cuda,mpi -v -gpu none -o n.nrrd
check 0 "^using loops of the host, number 1" -n 2 ./one.cuda,mpi -v -gpu 1 -o n.nrrd

# Each rank of a machine takes the next device; one that cannot use its own does the work on its processors.
limited=(env DDR_SHIM_MEMORY=100 ./one.cuda,mpi -gpu required -o n.nrrd)
check 1 "^Error: rank 1: cannot use a GPU: device 1: cannot allocate" -n 1 ./one.cuda,mpi -gpu required -o n.nrrd : -n 1 "${limited[@]}"
check 1 "^Error: rank 2: cannot use a GPU: device 0: cannot allocate" -n 2 ./one.cuda,mpi -gpu required -o n.nrrd : -n 1 "${limited[@]}"
for program in one neighbours; do
  "./$program.cuda" -o alone.nrrd 2>said
  check 0 "^2 of 3 ranks use GPUs" -n 2 "./$program.cuda,mpi" -v -o n.nrrd : -n 1 env DDR_SHIM_DEVICES=0 "./$program.cuda,mpi" -v -o n.nrrd
  cmp alone.nrrd n.nrrd || fails=1
  check 0 "^2 of 3 ranks use GPUs" -n 1 env DDR_SHIM_DEVICES=0 "./$program.cuda,mpi" -v -o n.nrrd : -n 2 "./$program.cuda,mpi" -v -o n.nrrd
  cmp alone.nrrd n.nrrd || fails=1
done

# A device that fails while strands run ends all.  Strands of a grid go to whoever is free, so a rank may have none.
check 1 "rank 1: device 1: cannot" -n 1 ./neighbours.cuda,mpi -o n.nrrd : -n 1 env DDR_SHIM_FAIL=45 ./neighbours.cuda,mpi -o n.nrrd
check 1 "device [01]: cannot begin the strands" -n 2 env DDR_SHIM_FAIL=38 ./one.cuda,mpi -o n.nrrd

# Each rank creates its own strands and no others, also where they are taken in pieces.
created() { # PROGRAM: how many strands the two ranks have created together
  DDR_SHIM_TELL=create_kernel check 0 "^2 of 2 ranks use GPUs" -n 2 "./$1.cuda,mpi" -v -o n.nrrd
  sed -n 's/^create_kernel: \([0-9]*\) threads$/\1/p' said | awk '{ n += $1 } END { print n }'
}
for pair in one:5000 neighbours:3000 sums:3000; do
  n=$(created "${pair%:*}")
  [ "$n" = "${pair#*:}" ] || { echo "${pair%:*}: $n strands are created, expected ${pair#*:}"; fails=1; }
done

# Whichever call fails when states are asked for between phases, no rank waits for one that has ended.
for program in sums:41:49 uneven:111:118; do
  IFS=: read -r name first last <<<"$program"
  "./$name.cuda" -o alone.nrrd
  check 0 "^2 of 2 ranks use GPUs" -n 2 "./$name.cuda,mpi" -v -o n.nrrd
  cmp alone.nrrd n.nrrd || fails=1
  for ((k = first; k <= last; k++)); do
    check 1 "rank 1: device 1: cannot" -n 1 "./$name.cuda,mpi" -o n.nrrd : -n 1 env DDR_SHIM_FAIL=$k "./$name.cuda,mpi" -o n.nrrd
  done
done

# A checkpoint of ranks with devices goes on with and without them.
"./neighbours.cuda" -o alone.nrrd
check 0 "3 ranks use GPUs" -n 3 ./neighbours.cuda,mpi -v -l 3 -checkpoint half:600 -o n.nrrd
check 0 "2 ranks use GPUs" -n 2 ./neighbours.cuda,mpi -v -resume half -o n.nrrd
cmp alone.nrrd n.nrrd || fails=1
check 0 "0 of 2 ranks use GPUs" -n 2 ./neighbours.cuda,mpi -v -gpu none -resume half -o n.nrrd
cmp alone.nrrd n.nrrd || fails=1

# Strands that print stay on processors.
sed 's/n += 1;/n += 1; if (i == 7) { print("here"); }/' neighbours.diderot >printing.diderot
"$diderotc" --exec --target=cuda,mpi -o printing printing.diderot
check 0 "^no GPU is used: of several ranks, strands that print" -n 2 ./printing -v -o n.nrrd
cmp alone.nrrd n.nrrd || fails=1
check 1 "^Error: cannot use a GPU: of several ranks, strands that print" -n 2 ./printing -gpu required -o n.nrrd

# Libraries have none.
status=0
"$diderotc" --target=mpi,cuda -o one one.diderot 2>said || status=$?
[ "$status" -eq 1 ] && grep -q -- "--target=cuda,mpi needs --exec" said || { cat said; fails=1; }
exit $fails
