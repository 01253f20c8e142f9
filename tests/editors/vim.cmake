# run.editors.vim and neovim: runs editor_test.vim or neovim_test.lua, which write what fails to a file.
#   cmake -DVIM=... -DEDITORS=... -DTESTS=... -DDIDEROTC=... -DFOLDER=... -P vim.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(arguments -es -N -u NONE -i NONE -n -S ${TESTS}/editor_test.vim)
if(VIM MATCHES "nvim$")
  set(arguments --headless -u NONE -i NONE -n -c "luafile ${TESTS}/neovim_test.lua")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env EDITORS=${EDITORS} SAMPLE=${TESTS}/sample.diderot DIDEROTC=${DIDEROTC}
    FOLDER=${FOLDER} REPORT=${FOLDER}/report TERM=dumb
    ${VIM} ${arguments}
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 100)
set(report "it wrote no report\n")
if(EXISTS ${FOLDER}/report)
  file(READ ${FOLDER}/report report)
endif()
if(NOT status EQUAL 0 OR NOT report STREQUAL "0 failures\n")
  message(FATAL_ERROR "Vim ended with ${status}\n${report}${said}")
endif()
