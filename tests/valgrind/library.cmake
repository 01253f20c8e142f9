# valgrind.library: memcheck finds nothing in clients in C of tests/library, nor in the libraries they use.
#   cmake -DVALGRIND=valgrind -DDIDEROTC=... -DCC=... -DROOT=... -DIMAGES=FOLDER -DFOLDER=... -P library.cmake
# The clients read the images of tests/library. Not tried here: memory_test.c, whose allocations are its
# own, and frames_test.c, whose thousands of worlds would take too long. Without valgrind or on other
# processors it says that it is skipped.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/memcheck.cmake)
end_where_skipped()

set(source ${ROOT}/tests/library)
file(GLOB images ${IMAGES}/*.nrrd)
file(COPY ${images} DESTINATION ${FOLDER})

set(objects "")
function(make_library name) # OPTION...
  check_under_valgrind(${DIDEROTC} ${FOLDER} "compiling ${name}"
    ${wrapper} --static --snapshot --namespace=${name} --warnings=none ${ARGN}
    -o ${name}_lib ${source}/${name}.diderot)
  list(APPEND objects ${name}_lib.o)
  set(objects ${objects} PARENT_SCOPE)
endfunction()
make_library(field)
make_library(swarm --target=parallel --double --long-int)
make_library(frames --target=parallel)

foreach(test life inputs outputs worlds frames_refused)
  execute_process(
    COMMAND ${CC} -std=c17 -g -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I${ROOT} -I. ${source}/${test}_test.c
      ${objects} -lteem -lm -lpthread -o ${test}
    WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
  check_under_valgrind(${FOLDER}/${test} ${FOLDER} ${test} ${wrapper})
endforeach()
