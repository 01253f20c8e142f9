# valgrind.NAME: memcheck finds nothing in the compiler when it compiles a program, nor in the program when
# it runs its cases, in lanes and one strand after the other.
#   cmake -DVALGRIND=valgrind -DDIDEROTC=... -DRUN_CASE=... -DCC=... -DPROGRAM=NAME.diderot -DFOLDER=...
#     -P program.cmake
# Without valgrind or on other processors it says that it is skipped.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/memcheck.cmake)
end_where_skipped()

cmake_path(GET PROGRAM PARENT_PATH source)
file(GLOB cases ${source}/*.case)
file(MAKE_DIRECTORY ${FOLDER})

foreach(form lanes scalar)
  set(options "")
  if(form STREQUAL scalar)
    set(options --scalar)
  endif()
  set(executable ${FOLDER}/${form})
  check_under_valgrind(${DIDEROTC} ${source} "compiling, ${form}"
    ${wrapper} --exec ${options} -o ${executable} ${PROGRAM})
  foreach(case IN LISTS cases)
    cmake_path(GET case STEM title)
    check_under_valgrind(${executable} ${source} "${title}, ${form}"
      ${RUN_CASE} ${case} ${wrapper} float ${FOLDER}/scratch ${DIDEROTC})
  endforeach()
endforeach()
