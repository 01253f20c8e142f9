# library.film: examples/video in C and in Python, from different layouts: the pictures are the same.
#   cmake -DFILM=... -DSCRIPT=... -DPYTHON=... -DPRELOAD=... -DMODULES=... -DTEST=... -P film.cmake
#   in the folder of video.json; PYTHON may be empty
cmake_minimum_required(VERSION 3.25)
function(run) # COMMAND...
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}\n${out}")
  endif()
endfunction()

run(${FILM} film.png)
set(pictures film.png)
if(PYTHON)
  run(${CMAKE_COMMAND} -E env "LD_PRELOAD=${PRELOAD}" ASAN_OPTIONS=detect_leaks=0
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${MODULES} ${PYTHON} ${SCRIPT} NCHW planes.png)
  list(APPEND pictures planes.png)
endif()
run(${TEST} ${pictures})
