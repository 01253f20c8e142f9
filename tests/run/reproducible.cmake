# run.reproducible: the same program and options give the same bytes, whenever and wherever they are
# compiled: C, headers, descriptions, objects, executables and libraries. The compiler itself does not
# know where it was built.
#   cmake -DDIDEROTC=... -DRUNTIME=... -DSOURCE=... -DFOLDER=... -DIS_PLAIN=ON -P reproducible.cmake
#
# Where objects are sanitized or for debuggers (IS_PLAIN=OFF) they name the folders of their sources,
# and only texts are compared.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})

function(compile folder) # OPTION...
  execute_process(COMMAND ${DIDEROTC} --warnings=none ${ARGN} WORKING_DIRECTORY ${folder}
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "diderotc ${ARGN}: status ${status}\n${errors}")
  endif()
endfunction()

function(make_all folder)
  file(MAKE_DIRECTORY ${folder} ${folder}.tmp)
  file(COPY ${SOURCE}/examples/vr/vr.diderot ${SOURCE}/tests/library/tally.diderot
    DESTINATION ${folder})
  file(TOUCH ${folder}/vr.diderot ${folder}/tally.diderot)
  set(ENV{TMPDIR} ${folder}.tmp)
  compile(${folder} --exec --keep vr.diderot)
  compile(${folder} --exec --target=parallel --double -o threads tally.diderot)
  compile(${folder} --json --keep --namespace=tally -o libtally.o tally.diderot)
  file(REMOVE_RECURSE ${folder}.tmp)
endfunction()

make_all(${FOLDER}/one)
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1)
set(ENV{TZ} Asia/Tokyo)
set(ENV{LC_ALL} C)
set(ENV{HOME} ${FOLDER})
set(ENV{MALLOC_PERTURB_} 85)
make_all("${FOLDER}/in another folder/two")

file(GLOB files RELATIVE ${FOLDER}/one ${FOLDER}/one/*)
foreach(wanted vr vr.c vr.o threads libtally.c libtally.h libtally.json libtally.o libtally.so)
  if(NOT wanted IN_LIST files)
    message(SEND_ERROR "no ${wanted} was made")
  endif()
endforeach()
foreach(file IN LISTS files)
  if(NOT IS_PLAIN AND NOT file MATCHES "\\.(c|h|json)$")
    continue()
  endif()
  file(SHA256 ${FOLDER}/one/${file} one)
  file(SHA256 "${FOLDER}/in another folder/two/${file}" two)
  if(NOT one STREQUAL two)
    message(SEND_ERROR "${file} is not the same when it is made again")
  endif()
endforeach()

if(IS_PLAIN)
  foreach(file ${DIDEROTC} ${RUNTIME} ${FOLDER}/one/vr ${FOLDER}/one/libtally.so)
    execute_process(COMMAND grep -c -F ${SOURCE} ${file} OUTPUT_VARIABLE count)
    if(count GREATER 0)
      message(SEND_ERROR "${file} names ${SOURCE}, where it was built")
    endif()
  endforeach()
endif()
