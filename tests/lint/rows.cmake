# lint.rows: every row of builtins.def is used by a program that tests/run decides by numbers.
#   cmake -DROOT=... -DDIDEROTC=... -P rows.cmake
#
# The typed tree names the row of each call, name<ROW>(...); what is syntax there has a node.
cmake_minimum_required(VERSION 3.25)
set(node_of_AND and)
set(node_of_OR or)
set(node_of_RANGE range)
set(node_of_REAL_I as)

set(trees "")
file(GLOB programs ${ROOT}/tests/run/*/*.diderot)
foreach(program IN LISTS programs)
  cmake_path(GET program PARENT_PATH folder)
  file(GLOB cases ${folder}/*.case)
  if(cases)
    execute_process(COMMAND ${DIDEROTC} --dump=tast ${program} OUTPUT_VARIABLE tree ERROR_QUIET)
    string(APPEND trees "${tree}")
  endif()
endforeach()

file(STRINGS ${ROOT}/frontend/lang/builtins.def rows REGEX "^BUILTIN\\(")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^BUILTIN\\( *([A-Z0-9_]+).*" "\\1" id "${row}")
  set(mark "<${id}>")
  if(DEFINED node_of_${id})
    set(mark "[^A-Za-z_]${node_of_${id}}[(]")
  endif()
  if(NOT trees MATCHES "${mark}")
    message(SEND_ERROR "no program of tests/run uses the row ${id} of frontend/lang/builtins.def")
  endif()
endforeach()
