# lint.words: the files of editors/ have the words of the compiler's tables, and every character that
# programs may have besides ASCII has a row that says how to type it.
#   cmake -DROOT=... -DDIDEROTC=... -DAWK=... -DFOLDER=... [-DBLESS=ON] -P words.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/made.cmake)
set(words ${FOLDER}/words)
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${DIDEROTC} --doc=words OUTPUT_FILE ${words} COMMAND_ERROR_IS_FATAL ANY)

foreach(file vim/syntax/diderot.vim vim/ftplugin/diderot.vim emacs/diderot-mode.el XCompose kate/diderot.xml
    vscode/syntaxes/diderot.tmLanguage.json vscode/snippets/diderot.json ../runtime/python/diderot/_lexer.py)
  set(path ${ROOT}/editors/${file})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK} -f ${ROOT}/editors/words.awk ${words} ${path}
    OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
  check_made(${path} "${made}" "has other words than the compiler")
endforeach()

# Rules of the lexer and rows of tokens.def, less what has a row in unicode.def.
file(READ ${words} known)
file(READ ${ROOT}/frontend/syntax/tokens.def tokens)
string(REGEX MATCHALL "(OPERATOR|SPELLING)\\([^\"]*\"[^\"]*\"" spellings "${tokens}")
file(STRINGS ${ROOT}/frontend/syntax/lexer.l letters REGEX "^(GREEK|\"inf\")" ENCODING UTF-8)
set(rest "${spellings}${letters}")
string(REGEX MATCHALL "character [^ ]+" rows "${known}")
list(TRANSFORM rows REPLACE "character " "")
foreach(character IN LISTS rows)
  string(REPLACE "${character}" "" rest "${rest}")
endforeach()
string(REGEX REPLACE "[ -~;\n\t]" "" rest "${rest}")
list(LENGTH rows n)
if(NOT rest STREQUAL "" OR n LESS 20)
  message(SEND_ERROR "unicode.def says of ${n} characters how to type them, but not of '${rest}'")
endif()
