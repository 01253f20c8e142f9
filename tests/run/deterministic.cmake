# run.deterministic: the compiler's output does not depend on addresses. Every example is compiled to C
# twice, with different contents of fresh memory and environments of different size.
#   cmake -DROOT=... -DDIDEROTC=... -P deterministic.cmake
cmake_minimum_required(VERSION 3.25)
file(GLOB programs ${ROOT}/examples/*/*.diderot)
if(NOT programs)
  message(FATAL_ERROR "no example found under ${ROOT}/examples")
endif()

foreach(program IN LISTS programs)
  cmake_path(GET program PARENT_PATH folder)
  cmake_path(GET program FILENAME file)
  foreach(turn 1 170)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env MALLOC_PERTURB_=${turn} PADDING_${turn}=${program}
        "ASAN_OPTIONS=$ENV{ASAN_OPTIONS}:max_malloc_fill_size=1048576:malloc_fill_byte=${turn}"
        ${DIDEROTC} --emit-c ${file}
      WORKING_DIRECTORY ${folder}
      OUTPUT_VARIABLE text_${turn} ERROR_VARIABLE errors RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${program}: the compiler ended with ${status}\n${errors}")
    endif()
  endforeach()
  if(NOT text_1 STREQUAL text_170)
    message(SEND_ERROR "${program}: two compilations differ")
  endif()
endforeach()
