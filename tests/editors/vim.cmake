# run.editors.vim: runs editor_test.vim, which writes what fails to a file.
#   cmake -DVIM=... -DEDITORS=... -DTESTS=... -DDIDEROTC=... -DFOLDER=... -P vim.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env EDITORS=${EDITORS} SAMPLE=${TESTS}/sample.diderot DIDEROTC=${DIDEROTC}
    FOLDER=${FOLDER} REPORT=${FOLDER}/report TERM=dumb
    ${VIM} -es -N -u NONE -i NONE -n -S ${TESTS}/editor_test.vim
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 100)
set(report "it wrote no report\n")
if(EXISTS ${FOLDER}/report)
  file(READ ${FOLDER}/report report)
endif()
if(NOT status EQUAL 0 OR NOT report STREQUAL "0 failures\n")
  message(FATAL_ERROR "Vim ended with ${status}\n${report}${said}")
endif()
