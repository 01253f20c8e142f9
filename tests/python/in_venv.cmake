# Runs Python of the environment that python.venv made.
#   cmake -DPYTHON=... -DARGUMENTS=... -P in_venv.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT EXISTS ${PYTHON})
  message("skipped: there is no environment, see python.venv")
  return()
endif()
execute_process(COMMAND ${PYTHON} ${ARGUMENTS} COMMAND_ERROR_IS_FATAL ANY)
