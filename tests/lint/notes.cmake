# lint.notes: long reasoning stands once, in a comment that opens with its title in the form
# "Note [Title]"; everything else that names the title refers to it. Each reference has its note,
# each note a reference, no title stands twice.   cmake -DROOT=... -P notes.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT}
  ${ROOT}/frontend/* ${ROOT}/ir/* ${ROOT}/backend-*/* ${ROOT}/driver/* ${ROOT}/runtime/* ${ROOT}/tools/*
  ${ROOT}/doc/*.md
  ${ROOT}/tests/oracle/*)

# Prepares the texts for grep by a command, then collects the titles, with repetitions.
function(collect pattern result)
  execute_process(COMMAND cat ${files} COMMAND ${ARGN} COMMAND grep -oE "${pattern}"
    WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found ERROR_VARIABLE errors)
  if(errors)
    message(FATAL_ERROR "${errors}")
  endif()
  string(REGEX REPLACE "[^\n]*Note[^\n[]*\\[([^]\n]*)\\]" "\\1" found "${found}")
  string(STRIP "${found}" found)
  string(REPLACE "\n" ";" found "${found}")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

set(title [=[Note[ */#]+\[[^]]+\]]=]) # a mention may be broken between two lines of a comment
collect("^ *(/\\*|//|#|<!--) *${title}" notes cat)
collect("${title}" mentions tr "\n" " ")
set(seen "")
foreach(title IN LISTS notes)
  if(title IN_LIST seen)
    message(SEND_ERROR "two notes are called [${title}]")
  endif()
  list(APPEND seen "${title}")
  list(FIND mentions "${title}" at)
  list(REMOVE_AT mentions ${at}) # the note itself
endforeach()
foreach(title IN LISTS mentions)
  if(NOT title IN_LIST notes)
    message(SEND_ERROR "Note [${title}] is referred to but stands nowhere")
  endif()
endforeach()
foreach(title IN LISTS notes)
  if(NOT title IN_LIST mentions)
    message(SEND_ERROR "Note [${title}] is never referred to")
  endif()
endforeach()
