# For the scripts beside it: how they compile and run under memcheck. Valgrind 3.19 knows no AVX-512: code is
# for processors without. `skipped` says why nothing can be tried, and is empty otherwise.
set(skipped "")
set(flags "-march=haswell -g")
set(wrapper ${CMAKE_CURRENT_LIST_DIR}/memcheck.sh)
cmake_host_system_information(RESULT processor QUERY OS_PLATFORM)
if(NOT VALGRIND)
  set(skipped "skipped: no valgrind")
elseif(NOT processor STREQUAL x86_64)
  set(skipped "skipped: -march=haswell is for x86_64")
endif()

# Ends the script that calls it where nothing can be tried.
macro(end_where_skipped)
  if(skipped)
    message("${skipped}")
    return()
  endif()
endmacro()

# The command, in which the wrapper stands for the program. What is wrong ends the test.
function(check_under_valgrind program folder what) # COMMAND...
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env DDR_VALGRIND=${VALGRIND} DDR_PROGRAM=${program}
      DIDEROT_CC=${CC} "DIDEROT_CFLAGS=${flags}" ${ARGN}
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: status ${status}\n${text}")
  endif()
endfunction()
