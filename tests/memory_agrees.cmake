# The layout of structs that --dump=memory prints is that of the C compiler.
#
#   cmake -DDIDEROTC=... -DCC=... -DINPUT=x.diderot -DINCLUDES="dir;dir" -DSCRATCH=x.c -P memory_agrees.cmake
#
# A line "name: type <... | first [n_strands : stride, ...]" of a struct of so many bytes becomes an
# assertion: the member starts at first * bytes / stride.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${INPUT} options REGEX "^// options: ")
string(REGEX REPLACE "^// options: *" "" options "${options}")
separate_arguments(options UNIX_COMMAND "${options}")

function(compile result)
  execute_process(COMMAND ${DIDEROTC} --warnings=none ${options} ${ARGN} ${INPUT}
    OUTPUT_VARIABLE text RESULT_VARIABLE status COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

compile(program --emit-c)
compile(memory --dump=memory)
file(STRINGS ${INPUT} strand REGEX "^strand ")
string(REGEX MATCH "^strand ([a-z]+)" found "${strand}")
set(tag "struct ${CMAKE_MATCH_1}")

string(REPLACE ";" "," memory "${memory}")
string(REPLACE "[" "(" memory "${memory}")
string(REPLACE "]" ")" memory "${memory}")
string(REPLACE "\n" ";" lines "${memory}")
set(asserts "\n#include <stddef.h>\n")
set(n_members 0)
set(of "")
foreach(line IN LISTS lines)
  if(line MATCHES "^states(.*): ([0-9]+) bytes each")
    set(of ${tag})
    set(bytes ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_1)
      set(of ${tag}_shared)
    endif()
    string(APPEND asserts "_Static_assert(sizeof(${of}) == ${bytes}, \"${of}\")<semicolon>\n")
  elseif(line MATCHES "^[a-z]")
    set(of "")
  elseif(of AND line MATCHES "^  ([a-z_A-Z0-9]+): .* ([0-9]+) .n_strands : ([0-9]+)")
    set(name ${CMAKE_MATCH_1})
    math(EXPR offset "${CMAKE_MATCH_2} * (${bytes} / ${CMAKE_MATCH_3})")
    math(EXPR n_members "${n_members} + 1")
    string(APPEND asserts "_Static_assert(offsetof(${of}, ${name}) == ${offset}, \"${name}\")<semicolon>\n")
  endif()
endforeach()
if(n_members EQUAL 0)
  message(FATAL_ERROR "${INPUT}: no member of a struct in\n${memory}")
endif()
string(REPLACE "<semicolon>" ";" asserts "${asserts}")
file(WRITE ${SCRATCH} "${program}${asserts}")
list(TRANSFORM INCLUDES PREPEND "-I")
execute_process(COMMAND ${CC} -std=gnu17 -w -fsyntax-only -march=native ${INCLUDES} ${SCRATCH}
  RESULT_VARIABLE status ERROR_VARIABLE error)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${INPUT}: ${error}")
endif()
