# library.document: what doc/libraries.md shows is true: the library compiles, the clients in C and in
# Python run and print what the page says.
#   cmake -DDOCUMENT=... -DDIDEROTC=... -DCC=... -DFLAGS=... -DTEEM=... -DPYTHON=... -DMODULES=...
#     -DFOLDER=... -P document.cmake      PYTHON may be empty; PRELOAD: what it must load first
cmake_minimum_required(VERSION 3.25)
file(READ ${DOCUMENT} text)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# The block of that language, to a file. Lists would split C at its semicolons.
function(extract language file)
  string(FIND "${text}" "```${language}\n" begin)
  if(begin LESS 0)
    message(FATAL_ERROR "${DOCUMENT} shows no ${language}")
  endif()
  string(LENGTH "```${language}\n" n)
  math(EXPR begin "${begin} + ${n}")
  string(SUBSTRING "${text}" ${begin} -1 rest)
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  file(WRITE ${FOLDER}/${file} "${block}")
endfunction()

function(run result) # COMMAND...
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER}
    RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}\n${errors}")
  endif()
  set(${result} "${out}" PARENT_SCOPE)
endfunction()

function(check client found)
  file(READ ${FOLDER}/output want)
  if(NOT found STREQUAL want)
    message(SEND_ERROR "the client in ${client} prints\n${found}instead of\n${want}")
  endif()
endfunction()

extract(diderot edges.diderot)
extract(c client.c)
extract(python client.py)
extract(output output)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run(nothing ${DIDEROTC} --namespace=edges --json --warnings=none edges.diderot)
run(nothing ${CC} -Wall -Wextra -Werror ${flags} client.c edges.o ${TEEM} -lm -lpthread -o client)
run(found ${FOLDER}/client)
check(C "${found}")
if(PYTHON)
  # world["edge"] of numpy and of the standard library are both indexed by [2, 3]
  run(found ${CMAKE_COMMAND} -E env "LD_PRELOAD=${PRELOAD}" ASAN_OPTIONS=detect_leaks=0
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${MODULES} ${PYTHON} client.py)
  check(Python "${found}")
else()
  message("the client in Python is left out: there is no python3 to run it with")
endif()
