# lint.docs: every path that README.md and its like or doc/ name in backquotes exists. A path is what starts with
# a top-level folder and has a slash; braces, stars and words in capitals are patterns and are left.
#   cmake -DROOT=... -P docs.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/doc/*.md ${ROOT}/examples/*.md)
foreach(name README.md CONTRIBUTING.md CHANGELOG.md tests/README.md)
  if(EXISTS ${ROOT}/${name})
    list(APPEND files ${name})
  endif()
endforeach()
foreach(file IN LISTS files)
  execute_process(
    COMMAND grep -oE "`(frontend|ir|backend-[a-z]+|runtime|tools|tests|examples|cmake|doc)/[a-zA-Z0-9_./-]+`"
      ${file}
    WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found)
  string(REGEX MATCHALL "[^`\n]+" paths "${found}")
  foreach(path IN LISTS paths)
    if(NOT path MATCHES "[A-Z][A-Z]" AND NOT EXISTS ${ROOT}/${path})
      message(SEND_ERROR "${file} names ${path}, which does not exist")
    endif()
  endforeach()
endforeach()
