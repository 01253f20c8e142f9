# run.conformance: the cases of the conformance suite that NAMES lists, one per line; # starts a
# comment.
#   cmake -DSUITE=... -DDIDEROTC=... -DNAMES=... -P conformance.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT EXISTS ${SUITE}/run)
  message(NOTICE "skipped: there is no conformance suite in ${SUITE}")
  return()
endif()
file(STRINGS ${NAMES} names REGEX "^[^#]")
list(TRANSFORM names PREPEND "--filter=")
execute_process(COMMAND ${SUITE}/run --diderotc ${DIDEROTC} --jobs 2 ${names}
  OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
message(NOTICE "${text}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the suite ended with ${status}")
endif()
