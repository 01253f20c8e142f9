# library.headers: every header, and a client of both (both.c), is C and C++ without a warning.
#   cmake -DCC=... -DCXX=... -DCLIENT=.../both.c -P headers.cmake      CXX may be missing
cmake_minimum_required(VERSION 3.25)

function(check compiler language standard) # FILE OPTION...
  execute_process(
    COMMAND ${compiler} -x ${language} -std=${standard} -Wall -Wextra -pedantic -Werror
      -fsyntax-only -I. ${ARGN}
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${ARGN} as ${standard}:\n${errors}")
  endif()
endfunction()

foreach(file ${CLIENT} "/dev/null -include field_lib.h" "/dev/null -include swarm_lib.h")
  separate_arguments(words UNIX_COMMAND "${file}")
  check(${CC} c c99 ${words})
  check(${CC} c c17 ${words})
  if(CXX)
    check(${CXX} c++ c++11 ${words})
    check(${CXX} c++ c++17 ${words})
  endif()
endforeach()
if(NOT CXX)
  message("C++ is left out: there is no compiler for it")
endif()
