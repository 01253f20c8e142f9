# run.shim.choice: the GPU that a program uses is the one it was told to use.
#   cmake -DDIDEROTC=... -DFOLDER=... -P choice.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(WRITE ${FOLDER}/one.diderot [=[
#version 2.0
strand one (int i) {
  output int n = i;
  update { stabilize; }
}
create_array { one(i) | i in 1..3 }
]=])
execute_process(COMMAND ${DIDEROTC} --target=cuda --exec -o ${FOLDER}/one ${FOLDER}/one.diderot
  COMMAND_ERROR_IS_FATAL ANY)

function(check status text) # VARIABLE=VALUE... -- ARGUMENT...
  string(REPLACE ";--;" ";./one;-v;-o;n.txt;" command "${ARGN}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${command}
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE found ERROR_VARIABLE said)
  if(NOT found EQUAL status OR NOT said MATCHES "${text}")
    message(FATAL_ERROR "${ARGN}: status ${found}, expected ${status}; \"${text}\" is not in:\n${said}")
  endif()
endfunction()

check(0 "using loops of the host, number 0" DIDEROT_GPU= -- -l 0)
check(0 "using loops of the host, number 1" DDR_SHIM_DEVICES=2 -- -gpu 1)
check(0 "using loops of the host, number 1" DDR_SHIM_DEVICES=2 DIDEROT_GPU=1 -- -l 0)
check(0 "using loops of the host, number 0" DIDEROT_GPU=none -- --gpu any -b 64)
check(0 "no GPU is used: none is wanted" DIDEROT_GPU= -- -gpu none)
check(0 "no GPU is used: none is wanted" DIDEROT_GPU= -- --gpu=none)
check(0 "using loops of the host, number 1" DDR_SHIM_DEVICES=2 -- --gpu=1 --blocksize=32)
check(1 "cannot use a GPU: there is no usable device\n$" DDR_SHIM_DEVICES=0 -- --gpu=required)
check(0 "no GPU is used: none is wanted" DIDEROT_GPU=none -- -l 0)
check(0 "no GPU is used: there is no device of that number" DIDEROT_GPU= -- -gpu 7)
check(0 "no GPU is used: there is no usable device" DDR_SHIM_DEVICES=0 -- -l 0)
check(1 "cannot use a GPU: there is no usable device\n$" DDR_SHIM_DEVICES=0 -- -gpu required)
check(1 "cannot use GPU \"x\" \\(expected a number, any, none or required\\)\n$" DIDEROT_GPU= -- -gpu x)
check(1 "cannot have 33 of them \\(expected 32 to 1024, a multiple of 32\\)\n$" DIDEROT_GPU= -- -b 33)

# A device that is there and cannot be used is told of without -v, too; where there is none, nothing is.
function(run_one status expected) # VARIABLE=VALUE... ./one ARGUMENT...
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ARGN}
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE found ERROR_VARIABLE said)
  if(NOT found EQUAL status OR NOT said MATCHES "^${expected}$")
    message(FATAL_ERROR "${ARGN}: status ${found}; expected \"${expected}\", found:\n${said}")
  endif()
endfunction()

function(check_told expected) # VARIABLE=VALUE...
  run_one(0 "${expected}" ${ARGN} ./one -o n.txt)
endfunction()

check_told("" DDR_SHIM_DEVICES=1)
check_told("" DDR_SHIM_DEVICES=0)
check_told("" DDR_SHIM_DRIVER=0)
check_told("" DIDEROT_GPU=none)
check_told("no GPU is used: CUDA driver version is insufficient\n" DDR_SHIM_DRIVER=12000)
check_told("no GPU is used: unspecified launch failure\n" DDR_SHIM_FAIL=1)
check_told("no GPU is used: device 0: cannot allocate memory[^\n]*: out of memory[^\n]*\n" DDR_SHIM_MEMORY=100)
check(1 "cannot use a GPU: CUDA driver version is insufficient\n$" DDR_SHIM_DRIVER=12000 -- -gpu required)

# One that is required and cannot be used: a line, and no file.
function(check_refused why) # VARIABLE=VALUE...
  file(REMOVE ${FOLDER}/refused.txt)
  run_one(1 "Error: cannot use a GPU: ${why}\n" ${ARGN} ./one -gpu required -o refused.txt)
  if(EXISTS ${FOLDER}/refused.txt)
    message(FATAL_ERROR "${ARGN}: there is a file")
  endif()
endfunction()

check_refused("device 0: cannot allocate memory[^\n]*: out of memory[^\n]*" DDR_SHIM_MEMORY=100)
check_refused("CUDA driver version is insufficient" DDR_SHIM_DRIVER=12000)
check_refused("there is no usable device" DDR_SHIM_DEVICES=0)
