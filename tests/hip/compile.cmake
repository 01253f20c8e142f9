# slow.hip.compile: hipcc takes the device code of each program, for warps of 64 threads and of 32, without a
# warning.   cmake -DDIDEROTC=... -DHIPCC=... -DFOLDER=... -DINCLUDE=... -DPROGRAMS=... -P compile.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/options.cmake)
file(MAKE_DIRECTORY ${FOLDER})
set(n_compiled 0)
set(n_refused 0)
foreach(program IN LISTS PROGRAMS)
  options_beside(${program} options)
  cmake_path(GET program PARENT_PATH beside)
  execute_process(COMMAND ${DIDEROTC} --warning=none ${options} --target=hip --dump=device ${program}
    WORKING_DIRECTORY ${beside} OUTPUT_FILE ${FOLDER}/device.cu ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0) # what is for the CPU says so; that is tested elsewhere
    math(EXPR n_refused "${n_refused} + 1")
    continue()
  endif()
  run(${HIPCC} -x hip --offload-arch=gfx90a --offload-arch=gfx1030 -std=c++17 -O1 -ffp-contract=off -Wall
    -Wno-unused-result -Wno-unused-variable -Wno-unused-function -Werror -I${INCLUDE} -c device.cu -o device.o)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${program}:\n${err}")
  endif()
  math(EXPR n_compiled "${n_compiled} + 1")
endforeach()
message("${n_compiled} programs for HIP, ${n_refused} for the CPU alone")
if(n_compiled LESS 100)
  message(SEND_ERROR "expected 100 programs or more")
endif()
