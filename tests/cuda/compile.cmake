# cuda.compile: nvcc takes a program's device code without warnings; programs in floats have no
# double arithmetic in their PTX, but that of sines and powers; samples are read through the
# read-only cache; and no kernel has more registers, stack, spilled bytes or shared memory than
# registers.txt allows, nor fewer warps at once; one that is not there has no local memory. Programs that devices cannot run say so.
#   cmake -DDIDEROTC=... -DNVCC=... -DINCLUDE=... -DTABLE=... -DNAME=... -DPROGRAM=... -DFOLDER=...
#     [-DOPTIONS=...] -P compile.cmake
# PROGRAM may be a file for nvcc itself, NAME.cu.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/nvcc.cmake)
file(MAKE_DIRECTORY ${FOLDER})

file(STRINGS ${TABLE} table REGEX "^(${NAME}|nvcc) ")
if(PROGRAM MATCHES "\\.cu$")
  configure_file(${PROGRAM} ${FOLDER}/${NAME}.cu COPYONLY)
else()
  write_device_code(${NAME} ${PROGRAM} found said ${OPTIONS})
  if(NOT found)
    list(FILTER table EXCLUDE REGEX "^nvcc ")
    if(table OR NOT said MATCHES "runs on the CPU: ([^\n]*)")
      message(FATAL_ERROR "no device code of ${NAME}:\n${said}")
    endif()
    message(NOTICE "on the CPU: ${CMAKE_MATCH_1}")
    return()
  endif()
endif()
compile_device_code(${NAME} rows)

find_doubles(${NAME} found ${OPTIONS})
file(STRINGS ${FOLDER}/${NAME}.cu takes_doubles REGEX "ddr_(sin|cos|tan|pow)\\(")
if(found AND NOT takes_doubles)
  list(JOIN found "\n" found)
  message(FATAL_ERROR "double arithmetic in a program of floats:\n${found}")
endif()
# What ptxas finds registers for after all has no stack.
find_instructions(${NAME} "${local_memory}" found)
set(has_stack "${NAME} [a-z_]+ [0-9]+ [0-9]+ [1-9]")
if(found AND rows MATCHES "${has_stack}" AND NOT table MATCHES "${has_stack}")
  list(JOIN found "\n" found)
  message(FATAL_ERROR "local memory, of arrays indexed at run time:\n${found}")
endif()

file(STRINGS ${FOLDER}/${NAME}.cu found REGEX "DDR_ROW[246]_LOAD")
if(found)
  find_instructions(${NAME} "ld\\.global\\.nc" found)
  if(NOT found)
    message(FATAL_ERROR "samples are not read through the read-only cache (ld.global.nc)")
  endif()
endif()

# Another compiler uses other registers.
nvcc_version(version)
list(JOIN rows "\n" text)
if(NOT "nvcc ${version}" IN_LIST table AND NOT "nvcc any" IN_LIST table)
  message(NOTICE "registers.txt is of another nvcc, not of ${version}:\n${text}")
  return()
endif()
set(slack 8) # registers: they are given out in eights
set(numbers "([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+)$")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([^ ]+ [^ ]+) ([0-9]+) ${numbers}" row "${row}")
  set(key "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}")
  set(machine ${CMAKE_MATCH_2})
  math(EXPR registers "${CMAKE_MATCH_3} - ${slack}")
  set(stack ${CMAKE_MATCH_4})
  set(spilled ${CMAKE_MATCH_5})
  set(shared ${CMAKE_MATCH_6})
  find_occupancy(${machine} ${registers} ${shared} warps)
  set(allowed ${table})
  list(FILTER allowed INCLUDE REGEX "^${key} ")
  if(NOT allowed) # new
    set(allowed "${key} 255 0 0 0 8")
  endif()
  string(REGEX MATCH "${numbers}" allowed "${allowed}")
  if(registers GREATER CMAKE_MATCH_1 OR stack GREATER CMAKE_MATCH_2 OR spilled GREATER CMAKE_MATCH_3
      OR shared GREATER CMAKE_MATCH_4 OR warps LESS CMAKE_MATCH_5)
    message(FATAL_ERROR "registers, stack, spilled, shared, warps: ${row}, more than registers.txt has: ${key} ${allowed}\n"
      "If that is as it should be, build the target bless-registers.")
  endif()
endforeach()
message(NOTICE "${text}")
