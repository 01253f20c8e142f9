# Functions for tests that are scripts: they run commands in FOLDER and compare what these print.
function(run) # COMMAND...: sets out, err, status
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

function(must) # COMMAND...: sets out, err; what fails ends the test
  run(${ARGN})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: status ${status}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
endfunction()

function(check what found expected)
  if(NOT found STREQUAL expected)
    message(SEND_ERROR "${what}: '${found}', expected '${expected}'")
  endif()
endfunction()
