# lint.notes: long reasoning stands once, in a comment that opens with its title in the form
# "Note [Title]"; everything else that names the title refers to it. Each reference has its note,
# each note a reference, no title stands twice.   cmake -DROOT=... -P notes.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT}
  ${ROOT}/frontend/* ${ROOT}/ir/* ${ROOT}/backend-*/* ${ROOT}/runtime/* ${ROOT}/doc/*.md
  ${ROOT}/tests/oracle/*)

function(collect pattern result) # titles matched by the pattern, with repetitions
  execute_process(COMMAND grep -ohE "${pattern}" ${files}
    WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found ERROR_VARIABLE errors)
  if(errors)
    message(FATAL_ERROR "${errors}")
  endif()
  string(REGEX REPLACE "[^\n]*Note \\[([^]\n]*)\\]" "\\1" found "${found}")
  string(STRIP "${found}" found)
  string(REPLACE "\n" ";" found "${found}")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

set(title [=[Note \[[^]]+\]]=])
collect("^ *(/\\*|//|#|<!--) *${title}" notes)
collect("${title}" mentions)
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
