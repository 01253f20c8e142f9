# lint.docs: every path that README.md and its like, doc/ or a page of runtime/ name in backquotes exists. A
# path is what starts with a top-level folder and has a slash; braces, stars and words in capitals are
# patterns and are left.
#   cmake -DROOT=... -P docs.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/doc/*.md ${ROOT}/examples/*.md ${ROOT}/runtime/*.md)
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

# A room of the runtime has a page, which names its files by their bare names and those of other rooms by
# theirs; as a rule it has no more than 25 files.
file(GLOB rooms RELATIVE ${ROOT} ${ROOT}/runtime/src/*)
foreach(room IN LISTS rooms)
  if(NOT EXISTS ${ROOT}/${room}/README.md)
    message(SEND_ERROR "${room} has no README.md")
    continue()
  endif()
  file(GLOB sources ${ROOT}/${room}/*.[ch] ${ROOT}/${room}/*.def)
  list(LENGTH sources n)
  if(n GREATER 25)
    message(SEND_ERROR "${room} has ${n} files, expected at most 25")
  endif()
  file(READ ${ROOT}/${room}/README.md text)
  string(REGEX MATCHALL "`[a-z_/]+\\.(c|h|def|md)`" names "${text}")
  foreach(name IN LISTS names)
    string(REPLACE "`" "" name "${name}")
    set(exists NO)
    foreach(base IN ITEMS ${room} runtime/src runtime/include .)
      if(EXISTS ${ROOT}/${base}/${name})
        set(exists YES)
      endif()
    endforeach()
    if(NOT exists)
      message(SEND_ERROR "${room}/README.md names ${name}, which does not exist")
    endif()
  endforeach()
endforeach()
