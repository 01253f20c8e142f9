# lint.doctab: doc/tables are what the compiler, and ddr-tables for the others, print of their tables.
#   cmake -DROOT=... -DDIDEROTC=... -DTABLES=... -DAWK=... -DFOLDER=... [-DBLESS=ON] -P doctab.cmake
# BLESS writes them.
cmake_minimum_required(VERSION 3.25)

# The functions of libraries, from the headers of one.
function(print_library)
  file(MAKE_DIRECTORY ${FOLDER})
  foreach(target parallel cuda)
    execute_process(
      COMMAND ${DIDEROTC} --target=${target} --snapshot --namespace=NAME --warnings=none --dump=header
        ${ROOT}/doc/man/library.diderot
      OUTPUT_FILE ${FOLDER}/${target}.h COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(
    COMMAND ${AWK} -f ${ROOT}/doc/man/library.awk ${FOLDER}/parallel.h ${FOLDER}/cuda.h
    OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  set(printed "${printed}" PARENT_SCOPE)
endfunction()

foreach(table options ops builtins kernels passes errors unicode ddr-array executables library)
  set(file ${ROOT}/doc/tables/${table}.md)
  if(table STREQUAL "library")
    print_library()
  elseif(table MATCHES "^(ddr-array|executables)$")
    execute_process(COMMAND ${TABLES} ${table} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  else()
    execute_process(COMMAND ${DIDEROTC} --doc=${table} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  endif()
  set(kept "")
  if(EXISTS ${file})
    file(READ ${file} kept)
  endif()
  if(kept STREQUAL printed)
    continue()
  elseif(BLESS)
    message("${file}")
    file(WRITE ${file} "${printed}")
  else()
    message(SEND_ERROR "${file} is not what the table gives; ./dev bless writes it")
  endif()
endforeach()
