# lint.format: C sources are as clang-format 14 leaves them with .clang-format; other versions differ in
# details and are not asked. Golden texts are what the compiler prints. STAMP is touched when all are
# well; the next time only those that are newer are asked.
#   cmake -DROOT=... -DFORMAT=clang-format -DSTAMP=file -P format.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/*.c ${ROOT}/*.h ${ROOT}/*.cu)
list(FILTER sources INCLUDE REGEX "^(frontend|ir|backend-[a-z]+|driver|runtime|tools|tests|examples)/")
list(FILTER sources EXCLUDE REGEX "^tests/golden/|/build/")
if(NOT ${ROOT}/.clang-format IS_NEWER_THAN ${STAMP})
  set(all ${sources})
  set(sources "")
  foreach(source IN LISTS all)
    if(${ROOT}/${source} IS_NEWER_THAN ${STAMP})
      list(APPEND sources ${source})
    endif()
  endforeach()
endif()
if(NOT sources)
  return()
endif()
file(TOUCH ${STAMP}.next) # what is changed from here on is newer
execute_process(COMMAND ${FORMAT} --dry-run -Werror ${sources}
  WORKING_DIRECTORY ${ROOT} RESULT_VARIABLE status ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  string(REGEX MATCHALL "[^\n]+: error: code should be clang-formatted" places "${text}")
  list(JOIN places "\n" places)
  message(FATAL_ERROR "./dev format makes it right:\n${places}")
endif()
file(RENAME ${STAMP}.next ${STAMP})
