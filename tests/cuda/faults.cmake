# run.shim.faults: whichever call of CUDA fails, the program either does the work on the CPU or ends
# with one line and without outputs.
#   cmake -DDIDEROTC=... -DFOLDER=... -P faults.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(WRITE ${FOLDER}/steps.diderot [=[
#version 2.0
strand step (int i) {
  output int n = 0;
  update { n += 1; if (n > i) { stabilize; } }
}
create_array { step(i) | i in 0..39 }
]=])
execute_process(COMMAND ${DIDEROTC} --target=cuda --exec -o ${FOLDER}/steps ${FOLDER}/steps.diderot
  COMMAND_ERROR_IS_FATAL ANY)

set(expected "")
foreach(i RANGE 1 40)
  string(APPEND expected "${i}\n")
endforeach()
set(n_on_cpu 0)
set(n_failed 0)
foreach(k RANGE 1 60)
  file(REMOVE ${FOLDER}/n.txt)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env DDR_SHIM_FAIL=${k} ./steps -o n.txt
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status ERROR_VARIABLE said)
  if(status EQUAL 0)
    file(READ ${FOLDER}/n.txt found)
    if(NOT found STREQUAL expected OR NOT said STREQUAL "")
      message(FATAL_ERROR "call ${k}: ${said}${found}")
    endif()
    math(EXPR n_on_cpu "${n_on_cpu} + 1")
  elseif(status EQUAL 1)
    if(EXISTS ${FOLDER}/n.txt OR NOT said MATCHES "device 0: cannot [^\n]+\n")
      message(FATAL_ERROR "call ${k}: ${said}")
    endif()
    math(EXPR n_failed "${n_failed} + 1")
  else()
    message(FATAL_ERROR "call ${k}: status ${status}: ${said}")
  endif()
endforeach()
if(n_on_cpu LESS 10 OR n_failed LESS 5)
  message(FATAL_ERROR "${n_on_cpu} runs were right, ${n_failed} failed: are the calls counted?")
endif()
