# lint.manual: every example of doc/language.md is a correct program, without warnings but for names
# that it shows and does not use.   cmake -DROOT=... -DDIDEROTC=... -DAWK=... -DFOLDER=... -P manual.cmake
cmake_minimum_required(VERSION 3.25)

set(manual ${ROOT}/doc/language.md)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(
  COMMAND ${AWK} -v OUT=${FOLDER} -f ${CMAKE_CURRENT_LIST_DIR}/manual.awk ${manual}
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${manual} has no examples")
endif()
file(GLOB programs ${FOLDER}/*.diderot)
foreach(program IN LISTS programs)
  execute_process(
    COMMAND ${DIDEROTC} --check --warnings=error --no-warning=unused --no-warning=no-proxy
      --no-warning=hides ${program}
    WORKING_DIRECTORY ${FOLDER} ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "an example of doc/language.md fails:\n${said}")
  endif()
endforeach()
