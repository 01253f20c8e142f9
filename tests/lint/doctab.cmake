# lint.doctab: doc/tables are what the compiler, and ddr-tables for the others, print of their tables.
#   cmake -DROOT=... -DDIDEROTC=... -DTABLES=... -DAWK=... -DFOLDER=... [-DBLESS=ON] -P doctab.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/made.cmake)

# The functions of libraries, from the headers of one.
function(print_library)
  file(MAKE_DIRECTORY ${FOLDER})
  set(options_parallel --trace) # which is not for GPUs
  foreach(target parallel cuda mpi)
    execute_process(
      COMMAND ${DIDEROTC} --target=${target} ${options_${target}} --snapshot --namespace=NAME --warnings=none --dump=header
        ${ROOT}/doc/man/library.diderot
      OUTPUT_FILE ${FOLDER}/${target}.h COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(
    COMMAND ${AWK} -f ${ROOT}/doc/man/library.awk ${FOLDER}/parallel.h ${FOLDER}/cuda.h ${FOLDER}/mpi.h
    OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

foreach(table options ops builtins kernels passes errors archs unicode array ddr-array executables library)
  if(table STREQUAL "library")
    print_library()
  elseif(table MATCHES "^(array|ddr-array|executables)$")
    execute_process(COMMAND ${TABLES} ${table} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  else()
    execute_process(COMMAND ${DIDEROTC} --doc=${table} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  endif()
  check_made(${ROOT}/doc/tables/${table}.md "${printed}" "is not what the table gives")
endforeach()
