# python.types: mypy --strict accepts the package and client.py, and refuses the lines of wrong_client.py
# that say so.
#   cmake -DPYTHON=... -DMODULES=... -DFOLDER=... -P types.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT EXISTS ${PYTHON})
  message("skipped: there is no environment, see python.venv")
  return()
endif()
set(ENV{MYPYPATH} ${MODULES})
set(mypy ${PYTHON} -m mypy --strict --no-color-output --cache-dir ${FOLDER}/mypy
  --config-file ${CMAKE_CURRENT_LIST_DIR}/../../pyproject.toml)
execute_process(COMMAND ${mypy} ${MODULES}/diderot ${CMAKE_CURRENT_LIST_DIR}/client.py
  RESULT_VARIABLE status OUTPUT_VARIABLE out)
if(NOT status EQUAL 0)
  message(SEND_ERROR "${out}")
endif()
execute_process(COMMAND ${mypy} ${CMAKE_CURRENT_LIST_DIR}/wrong_client.py OUTPUT_VARIABLE out)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/wrong_client.py lines)
set(number 0)
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  string(FIND "${out}" "wrong_client.py:${number}: error" place)
  if(line MATCHES "# wrong$" AND place EQUAL -1)
    message(SEND_ERROR "line ${number} is accepted: ${line}")
  elseif(NOT line MATCHES "# wrong$" AND NOT place EQUAL -1)
    message(SEND_ERROR "line ${number} is refused: ${line}")
  endif()
endforeach()
