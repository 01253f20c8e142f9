# lint.version: the version and its date stand once, in CMakeLists.txt. All else gets them from there;
# the changelog begins with that version, and golden tests show what is printed.
#   cmake -DROOT=... -DVERSION=... -DDATE=... -DDIDEROTC=... -DARRAY=... -P version.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB entries RELATIVE ${ROOT} ${ROOT}/* ${ROOT}/.ci)
list(FILTER entries EXCLUDE REGEX "^(build|\\.git|CHANGELOG\\.md)$")
foreach(literal ${VERSION} ${DATE})
  execute_process(COMMAND grep -rnwIF --exclude-dir=golden -e ${literal} ${entries}
    WORKING_DIRECTORY ${ROOT} OUTPUT_VARIABLE found)
  string(REGEX REPLACE "(^|\n)CMakeLists\\.txt:[^\n]*" "" others "${found}")
  string(STRIP "${others}" others)
  if(others)
    message(SEND_ERROR "${literal} stands outside CMakeLists.txt:\n${others}")
  endif()
endforeach()

foreach(tool ${DIDEROTC} ${ARRAY})
  cmake_path(GET tool FILENAME name)
  execute_process(COMMAND ${tool} --version OUTPUT_VARIABLE said)
  if(NOT said STREQUAL "${name} ${VERSION}\n")
    message(SEND_ERROR "${name} --version says '${said}', expected '${name} ${VERSION}'")
  endif()
endforeach()

file(STRINGS ${ROOT}/CHANGELOG.md headings REGEX "^## ")
list(GET headings 0 first)
if(NOT first STREQUAL "## ${VERSION}, ${DATE}")
  message(SEND_ERROR "CHANGELOG.md begins with '${first}', expected '## ${VERSION}, ${DATE}'")
endif()
