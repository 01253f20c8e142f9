# lint.docs: every path that README.md and its like, doc/ or a page of runtime/ name in backquotes exists. A
# path is what starts with a top-level folder and has a slash; braces, stars and words in capitals are
# patterns and are left.
# A page that sources name, X.md, exists, and so does the heading after it: doc/X.md, "Heading".
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
    COMMAND grep -oE "`(frontend|ir|backend-[a-z]+|driver|runtime|tools|tests|examples|cmake|doc)/[a-zA-Z0-9_./-]+`"
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

# Sources cite pages of this tree alone, whose readers can look them up.
set(sources frontend ir backend-c backend-cuda driver runtime tools --include=*.c --include=*.h --include=*.def
  --include=*.cu --include=*.l --include=*.y)
execute_process(COMMAND grep -roE "[a-zA-Z0-9_./-]+[.]md" ${sources}
  WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found)
string(REGEX MATCHALL "[^\n]+" citations "${found}")
foreach(citation IN LISTS citations)
  string(REGEX REPLACE "^[^:]+:" "" page "${citation}")
  string(REGEX REPLACE ":.*" "" file "${citation}")
  cmake_path(GET file PARENT_PATH folder)
  if(page MATCHES "^(share|[.][.])/") # installed, or of a page that is printed
    continue()
  endif()
  if(NOT EXISTS ${ROOT}/${page} AND NOT EXISTS ${ROOT}/${folder}/${page})
    message(SEND_ERROR "${file} names ${page}, expected a page of this tree")
  endif()
endforeach()
execute_process(COMMAND grep -rlE "doc/[a-z-]+[.]md, \"" ${sources}
  COMMAND xargs cat COMMAND tr "\n" " " COMMAND sed "s/  [*] / /g" # of comments, too
  COMMAND grep -oE "doc/[a-z-]+[.]md, \"[^\"]+" COMMAND sort -u
  WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found)
string(REGEX MATCHALL "doc/[^\n]+" citations "${found}")
foreach(citation IN LISTS citations)
  string(REPLACE ", \"" ";" words "${citation}")
  list(POP_FRONT words page heading)
  file(STRINGS ${ROOT}/${page} lines ENCODING UTF-8 REGEX "^#+ ${heading}$")
  if(NOT lines)
    message(SEND_ERROR "${page} has no heading \"${heading}\", which sources name")
  endif()
endforeach()
