# One manual page.
#   cmake -DAWK=awk -DROOT=... -DPAGE=diderotc.1 -DVERSION=1.2.3 -DDATE=2030-05-04 -DRESULT=... -P fill.cmake
cmake_minimum_required(VERSION 3.25)
set(months January February March April May June July August September October November December)
if(NOT DATE MATCHES "^([0-9]+)-0?([0-9]+)-0?([0-9]+)$")
  message(FATAL_ERROR "the date '${DATE}' is not of the form 2030-05-04")
endif()
math(EXPR month "${CMAKE_MATCH_2} - 1")
list(GET months ${month} month)
execute_process(
  COMMAND ${AWK} -v DOC=${ROOT}/doc "-vDATE=${month} ${CMAKE_MATCH_3}, ${CMAKE_MATCH_1}" -v VERSION=${VERSION}
    -f ${CMAKE_CURRENT_LIST_DIR}/fill.awk ${CMAKE_CURRENT_LIST_DIR}/${PAGE}.in
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${RESULT} "${text}")
