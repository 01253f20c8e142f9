# run.documents.diderotc: the commands of doc/diderotc.md work in their order, as a visitor has them:
# build/release is a finished build, and the home is empty.
#   cmake -DBUILD=... -DSOURCE=... -DCC=... -DAWK=... -DFOLDER=... -P document.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/build ${FOLDER}/home)
file(CREATE_LINK ${BUILD} ${FOLDER}/build/release SYMBOLIC)
execute_process(
  COMMAND ${AWK} -v OUT=${FOLDER} -f ${CMAKE_CURRENT_LIST_DIR}/commands.awk ${SOURCE}/doc/diderotc.md
  COMMAND_ERROR_IS_FATAL ANY)

# What is installed here must not be what `uninstall` removes there.
set(manifest ${BUILD}/install_manifest.txt)
if(EXISTS ${manifest})
  file(RENAME ${manifest} ${FOLDER}/manifest)
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=XDG_CACHE_HOME HOME=${FOLDER}/home PATH=${BUILD}:$ENV{PATH}
    CC=${CC} sh -eux commands.sh
  WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
file(REMOVE ${manifest})
if(EXISTS ${FOLDER}/manifest)
  file(RENAME ${FOLDER}/manifest ${manifest})
endif()
if(NOT status EQUAL 0)
  message(FATAL_ERROR "a command of doc/diderotc.md fails:\n${out}${err}")
endif()
if(NOT out MATCHES "\nvis15:[0-9-]+ " OR NOT EXISTS ${FOLDER}/heart.nrrd
    OR EXISTS ${FOLDER}/home/diderot)
  message(FATAL_ERROR "the commands of doc/diderotc.md do not do what it says:\n${out}${err}")
endif()
