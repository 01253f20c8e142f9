# cuda.compile: nvcc compiles a program for the machines we name, without warnings, and every kernel
# finds room in the registers. Programs that devices cannot run say so.
#   cmake -DDIDEROTC=... -DPROGRAM=... -DFOLDER=... -P compile.cmake
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY ${FOLDER})
cmake_path(GET PROGRAM PARENT_PATH where)
set(machines -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90)
list(JOIN machines " " machines)
set(ENV{DIDEROT_NVCCFLAGS} "${machines} -Werror=all-warnings -Xptxas=-v")
execute_process(
  COMMAND ${DIDEROTC} --target=cuda --exec --no-warning=no-proxy -o ${FOLDER}/program ${PROGRAM}
  WORKING_DIRECTORY ${where} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${said}")
endif()
if(said MATCHES "runs on the CPU: ([^\n]*)")
  message(NOTICE "on the CPU: ${CMAKE_MATCH_1}")
  return()
endif()
string(REGEX MATCHALL "Used [0-9]+ registers" registers "${said}")
string(REGEX MATCHALL "[1-9][0-9]* bytes spill (stores|loads)" spills "${said}")
if(NOT registers OR spills)
  message(FATAL_ERROR "a kernel does not fit its registers:\n${said}")
endif()
message(NOTICE "${registers}")
