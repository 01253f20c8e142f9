# lint.cppcheck: cppcheck finds nothing in any C source as it is compiled, device code as C for the host.
# What it was told to leave alone is in cppcheck.txt; results are kept in FOLDER, so that a second run
# reads only what has changed.
#   cmake -DROOT=... -DBUILD=... -DCPPCHECK=cppcheck -DFOLDER=... -P cppcheck.cmake
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY ${FOLDER})

# The build's own files: a header compiled alone; what flex, bison and diderotc wrote.
file(GLOB_RECURSE headers_alone LIST_DIRECTORIES true ${BUILD}/*_verify_interface_header_sets)
list(FILTER headers_alone INCLUDE REGEX "_verify_interface_header_sets$")
list(APPEND ignored ${headers_alone} ${BUILD}/frontend/syntax ${BUILD}/tests/fuzz)
list(TRANSFORM ignored PREPEND "-i")

set(here ${ROOT}/tests/lint)
execute_process(
  COMMAND ${CPPCHECK} --quiet --project=${BUILD}/compile_commands.json ${ignored}
    --cppcheck-build-dir=${FOLDER} --enable=warning,style,performance,portability --std=c11
    --library=posix --library=gnu --library=${here}/cppcheck.cfg
    -DO_TMPFILE=1 "-DCPU_COUNT(set)=1"
    --inline-suppr --suppressions-list=${here}/cppcheck.txt --relative-paths=${ROOT}
    "--template={file}:{line}: {message} [{id}]" --error-exitcode=1
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
