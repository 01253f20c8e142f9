# ptx.prepare: the interpreter of PTX in FOLDER, and the target ptx-runtime of the BUILD.
#   cmake -DTOOLS=... -DNVCC=... -DBUILD=... -DFOLDER=... -P prepare.cmake
if(NOT NVCC)
  message("skipped: there is no nvcc")
  return()
elseif(NOT EXISTS ${TOOLS}/Makefile)
  message("skipped: there is no interpreter of PTX in ${TOOLS} (DDR_PTX_RUN)")
  return()
endif()
execute_process(COMMAND make -C ${TOOLS} BUILD=${FOLDER} NVCC=${NVCC} all
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(ENV{PTX_RUN_NVCC} ${NVCC})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ptx-runtime
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
