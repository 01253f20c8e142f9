# For tests of headers: those of clients are C and C++, alone and without a warning.
function(check_strict compiler language standard) # FILE OPTION...
  execute_process(
    COMMAND ${compiler} -x ${language} -std=${standard} -Wall -Wextra -pedantic -Werror
      -fsyntax-only -I. ${ARGN}
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${ARGN} as ${standard}:\n${errors}")
  endif()
endfunction()

if(NOT CXX)
  message("C++ is left out: there is no compiler for it")
endif()
