# lint.soup: a back end builds trees and streams statements; its string literals are identifiers,
# operators and type names. None may hold ; { } or a newline. emit.c, which writes the characters,
# is the one exception.   cmake -DROOT=... -P soup.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/backend-*/*.[ch] ${ROOT}/backend-*/*.def)
list(FILTER files EXCLUDE REGEX "/emit\\.c$")
if(NOT files)
  return()
endif()
# From the start of the line over whole literals, into one that holds a forbidden character.
set(closed [["([^"\\]|\\.)*"]])
set(soup [["([^"\\]|\\.)*([;{}]|\\n)]])
execute_process(
  COMMAND grep -nH "" ${files}
  COMMAND sed "s/'\"'/'q'/g" # the character is no literal's beginning
  COMMAND grep -E "^([^\"]|${closed})*${soup}"
  WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found RESULT_VARIABLE status)
if(status EQUAL 0)
  message(FATAL_ERROR "C source in string literals:\n${found}")
elseif(NOT status EQUAL 1)
  message(FATAL_ERROR "grep failed with ${status}")
endif()
