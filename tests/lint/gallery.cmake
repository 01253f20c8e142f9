# lint.gallery: doc/gallery.md is what `./dev gallery` makes of the README.md of examples and notebooks; its
# pictures are there, each less than 60 kB, and no others.
#   cmake -DROOT=... -DAWK=... -P gallery.cmake
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${ROOT}/examples/README.md rows REGEX "^\\| \\[")
set(listed "")
foreach(row IN LISTS rows)
  string(REGEX MATCH "\\(([a-z-]+/README\\.md)\\)" found "${row}")
  list(APPEND listed ${ROOT}/examples/${CMAKE_MATCH_1})
endforeach()
set(sorted ${listed})
list(SORT sorted)
file(GLOB examples ${ROOT}/examples/*/README.md)
if(NOT sorted STREQUAL examples)
  message(SEND_ERROR "examples/README.md does not list all examples, each once:\n${examples}")
endif()

execute_process(COMMAND ${AWK} -f ${ROOT}/doc/gallery.awk ${listed}
  ${ROOT}/doc/notebooks/README.md
  OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
file(READ ${ROOT}/doc/gallery.md kept)
if(NOT made STREQUAL kept)
  message(SEND_ERROR "doc/gallery.md is not what the README.md of examples and notebooks say: run ./dev gallery")
endif()

string(REGEX MATCHALL "\\(gallery/[a-z-]+\\.png\\)" named "${kept}")
list(TRANSFORM named REPLACE "\\(gallery/(.*)\\)" "\\1")
list(SORT named)
file(GLOB pictures RELATIVE ${ROOT}/doc/gallery ${ROOT}/doc/gallery/*)
if(NOT named STREQUAL pictures)
  message(SEND_ERROR "doc/gallery.md shows ${named}\nbut doc/gallery holds ${pictures}")
endif()
foreach(picture IN LISTS pictures)
  file(SIZE ${ROOT}/doc/gallery/${picture} size)
  if(size GREATER_EQUAL 60000)
    message(SEND_ERROR "doc/gallery/${picture} has ${size} bytes; less than 60000 are allowed")
  endif()
endforeach()
