# run.documents: the program that a document shows compiles, and what the document quotes of the
# compiler's dumps is what it prints. A quotation is a block that opens with ```ir OPTION.
#   cmake -DDOCUMENT=... -DDIDEROTC=... -DFOLDER=... -P documents.cmake
cmake_minimum_required(VERSION 3.25)
file(READ ${DOCUMENT} text)
if(NOT text MATCHES "```diderot[^\n]*\n([^`]*)```")
  message(FATAL_ERROR "${DOCUMENT} shows no program")
endif()
file(MAKE_DIRECTORY ${FOLDER})
file(WRITE ${FOLDER}/shown.diderot "${CMAKE_MATCH_1}")

function(compile result) # OPTION...
  execute_process(COMMAND ${DIDEROTC} ${ARGN} shown.diderot
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the program of ${DOCUMENT} does not compile\n${errors}")
  endif()
  set(${result} "${out}" PARENT_SCOPE)
endfunction()

compile(nothing --exec)
while(text MATCHES "```ir ([^\n]*)\n([^`]*)```(.*)")
  string(REPLACE " " ";" option "${CMAKE_MATCH_1}")
  set(quotation "${CMAKE_MATCH_2}")
  set(text "${CMAKE_MATCH_3}")
  compile(printed ${option})
  string(FIND "${printed}" "${quotation}" place)
  if(place LESS 0)
    message(SEND_ERROR "${DOCUMENT} quotes of diderotc ${option}\n${quotation}which is not in\n${printed}")
  endif()
endwhile()
