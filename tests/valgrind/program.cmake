# valgrind.NAME: memcheck finds nothing in the compiler when it compiles a program, nor in the program when
# it runs its cases, in lanes and one strand after the other. Valgrind 3.19 knows no AVX-512: code is for
# processors without.
#   cmake -DVALGRIND=valgrind -DDIDEROTC=... -DRUN_CASE=... -DCC=... -DPROGRAM=NAME.diderot -DFOLDER=...
#     -P program.cmake
# Without valgrind or on other processors it says that it is skipped.
cmake_minimum_required(VERSION 3.25)
if(NOT VALGRIND)
  message("skipped: no valgrind")
  return()
endif()
cmake_host_system_information(RESULT processor QUERY OS_PLATFORM)
if(NOT processor STREQUAL x86_64)
  message("skipped: -march=haswell is for x86_64")
  return()
endif()

set(wrapper ${CMAKE_CURRENT_LIST_DIR}/memcheck.sh)
cmake_path(GET PROGRAM PARENT_PATH source)
cmake_path(GET PROGRAM STEM name)
file(GLOB cases ${source}/*.case)
file(MAKE_DIRECTORY ${FOLDER})

# What is wrong ends the test.
function(check_under_valgrind program what) # ARGUMENT...
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env DDR_VALGRIND=${VALGRIND} DDR_PROGRAM=${program}
      DIDEROT_CC=${CC} "DIDEROT_CFLAGS=${flags}" ${ARGN}
    WORKING_DIRECTORY ${source} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: status ${status}\n${text}")
  endif()
endfunction()

set(flags "-march=haswell -g")
foreach(form lanes scalar)
  set(options "")
  if(form STREQUAL scalar)
    set(options --scalar)
  endif()
  set(executable ${FOLDER}/${form})
  check_under_valgrind(${DIDEROTC} "compiling, ${form}"
    ${wrapper} --exec ${options} -o ${executable} ${PROGRAM})
  foreach(case IN LISTS cases)
    cmake_path(GET case STEM title)
    check_under_valgrind(${executable} "${title}, ${form}"
      ${RUN_CASE} ${case} ${wrapper} float ${FOLDER}/scratch ${DIDEROTC})
  endforeach()
endforeach()
