# unit.layout.headers: the headers of layouts are C11 and C++11, alone and without a warning.
#   cmake -DCC=... -DCXX=... -P headers.cmake        from the root; CXX may be missing
cmake_minimum_required(VERSION 3.25)

function(check compiler language standard file)
  execute_process(
    COMMAND ${compiler} -x ${language} -std=${standard} -Wall -Wextra -pedantic -Werror
      -fsyntax-only -I. -include ${file} /dev/null
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${file} as ${standard}:\n${errors}")
  endif()
endfunction()

foreach(file runtime/layout/layout.h runtime/layout/ndview.h runtime/layout/pitch.h)
  check(${CC} c c11 ${file})
  if(CXX)
    check(${CXX} c++ c++11 ${file})
    check(${CXX} c++ c++20 ${file})
  endif()
endforeach()
if(NOT CXX)
  message("C++ is left out: there is no compiler for it")
endif()
