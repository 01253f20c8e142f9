# run.streamed: a grid that does not fit into the allowed memory writes and prints the same
# bytes as with enough memory.
#   cmake -DDIDEROTC=... -DFOLDER=... -P streamed.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(WRITE ${FOLDER}/wide.diderot "#version 2.0
input int width = 300;
input int steps = 3;
function int born (int row, int column) {
  if (row % 50 == 7 && column == 3) { print(\"born in \", row, \"\\n\"); }
  return row;
}
strand s (int row, int column) {
  real x = born(row, column);
  int k = 0;
  output vec2 place = [-1, 0];
  output int count = 0;
  output bool odd = false;
  update {
    x += sqrt(row + 0.5*column);
    k += 1;
    if (row % 40 == 7 && column == 5) { print(\"step \", k, \" in \", row, \"\\n\"); }
    place = [x, x*x];
    count = row*column + k;
    odd = count % 2 == 1;
    if (k > (row + column) % steps) { stabilize; }
  }
}
create_array { s(row, column) | row in 0..199, column in 0..width }
")
set(outputs -o-place place.nrrd -o-count count.nhdr -o-odd odd.nrrd)
set(files place.nrrd count.nhdr count.raw odd.nrrd)

# One run has all strands in memory; the other makes, runs and writes some at a time.
function(check_same name) # OPTION-OF-DIDEROTC... -- ARGUMENT...
  list(FIND ARGN -- at)
  list(SUBLIST ARGN 0 ${at} options)
  list(SUBLIST ARGN ${at} -1 arguments)
  list(POP_FRONT arguments)
  must(${DIDEROTC} --exec --warnings=none ${options} -o ${FOLDER}/wide ${FOLDER}/wide.diderot)
  must(${FOLDER}/wide -v ${arguments} ${outputs})
  if(err MATCHES "while strands run")
    message(SEND_ERROR "${name}: all strands fit, but were given up")
  endif()
  if(NOT err MATCHES "writing \"odd.nrrd\"\n[^\n]*: at most [0-9.]+ MiB of memory")
    message(SEND_ERROR "${name}: memory is said before outputs are written:\n${err}")
  endif()
  if(NOT out MATCHES "born in 157\nstep 1 in 7\n.*step 1 in 167\n")
    message(SEND_ERROR "${name}: another text:\n${out}")
  endif()
  set(text "${out}")
  foreach(file IN LISTS files)
    file(RENAME ${FOLDER}/${file} ${FOLDER}/whole-${file})
  endforeach()
  must(${FOLDER}/wide -v --memory=700K ${arguments} ${outputs})
  if(NOT err MATCHES "outputs go to their files while strands run")
    message(SEND_ERROR "${name}: the strands were kept:\n${err}")
  endif()
  check("${name}: text" "${out}" "${text}")
  foreach(file IN LISTS files)
    file(SHA256 ${FOLDER}/${file} found)
    file(SHA256 ${FOLDER}/whole-${file} expected)
    check("${name}: ${file}" ${found} ${expected})
  endforeach()
endfunction()

check_same(lanes --)
check_same(scalar --scalar --)
check_same(double --double --)
check_same(threads --target=parallel -- -n 2)
check_same(limit -- -l 2)

# Other outputs need all strands in memory; then the message is that of the memory limit.
function(check_kept what)
  run(${FOLDER}/wide --memory=20K ${ARGN})
  check("${what}: status" ${status} 1)
  if(NOT err MATCHES "cannot allocate memory for [0-9]+ strands: the memory limit is")
    message(SEND_ERROR "${what}:\n${err}")
  endif()
endfunction()
check_kept("a picture" -o-place place.png -o-count count.nrrd -o-odd odd.nrrd)
check_kept("a pipe" -o-place - -o-count count.nrrd -o-odd odd.nrrd)

# A suffix that promises another format than nrrd is noted once, as at the end of a run.
must(${DIDEROTC} --exec --warnings=none -o ${FOLDER}/wide ${FOLDER}/wide.diderot)
foreach(memory 700K 100M)
  must(${FOLDER}/wide --memory=${memory} -o-place place.jpg -o-count count.nrrd -o-odd odd.of.nrrd)
  string(REGEX MATCHALL "[^\n]+" notes "${err}")
  list(FILTER notes INCLUDE REGEX "\"place.jpg\": files cannot be written as .jpg, so its content is nrrd$")
  list(LENGTH notes n_notes)
  check("notes about a suffix, with ${memory}" ${n_notes} 1)
endforeach()

# A nrrd file cannot hold values without components: refused before strands run.
file(WRITE ${FOLDER}/nothing.diderot "#version 2.0
strand s (int i) { output real[0] none = {}; output vec4 x = [i, 0, 0, 0]; update { stabilize; } }
create_array { s(i) | i in 0..99999 }
")
must(${DIDEROTC} --exec -o ${FOLDER}/nothing ${FOLDER}/nothing.diderot)
run(${FOLDER}/nothing --memory=700K)
check("values of nothing: status" ${status} 1)
check("values of nothing" "${err}"
  "Error in global initialization:\n[DIDEROT] none: values of no components cannot be saved\n")

file(GLOB left ${FOLDER}/*.tmp)
check("files that are left" "${left}" "")
