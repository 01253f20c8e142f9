# lint.format: C sources are as clang-format 14 leaves them with .clang-format; other versions differ in
# details and are not asked. Golden texts are what the compiler prints.
#   cmake -DROOT=... -DFORMAT=clang-format -P format.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/*.c ${ROOT}/*.h ${ROOT}/*.cu)
list(FILTER sources INCLUDE REGEX "^(frontend|ir|backend-[a-z]+|runtime|tools|tests|examples)/")
list(FILTER sources EXCLUDE REGEX "^tests/golden/|/build/")
execute_process(COMMAND ${FORMAT} --dry-run -Werror ${sources}
  WORKING_DIRECTORY ${ROOT} RESULT_VARIABLE status ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  string(REGEX MATCHALL "[^\n]+: error: code should be clang-formatted" places "${text}")
  list(JOIN places "\n" places)
  message(FATAL_ERROR "./dev format makes it right:\n${places}")
endif()
