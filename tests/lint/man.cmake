# lint.man: the manual pages say nothing by themselves that is in a table: they describe no option,
# and name none, nor a function, that is not there.   cmake -DROOT=... -P man.cmake
cmake_minimum_required(VERSION 3.25)

set(known "") # options with their dashes, functions
foreach(table options passes executables array ddr-array library)
  file(READ ${ROOT}/doc/tables/${table}.md text)
  string(REGEX MATCHALL "\n\\| `[^|]*`" keys "${text}")
  foreach(key IN LISTS keys)
    string(REGEX MATCHALL "`--?[A-Za-z-]+|NAME_[A-Za-z_]+\\(|ddr_[a-z0-9_]+\\(" words "${key}")
    list(APPEND known ${words})
  endforeach()
endforeach()
list(TRANSFORM known REPLACE "[`(]" "")
list(APPEND known --version -- --no-)      # of ddr-array, before any command
list(APPEND known -lteem -lstdc++ -lm -lddr-array -lddr-array-cuda) # of the C compiler
list(LENGTH known n)
if(n LESS 100)
  message(FATAL_ERROR "only ${n} options and functions found in doc/tables")
endif()

file(GLOB pages ${ROOT}/doc/man/*.in)
foreach(page IN LISTS pages)
  file(STRINGS ${page} lines REGEX "^\\.(It )?(Fl|Fn) |[ (]Fl ")
  foreach(line IN LISTS lines)
    if(line MATCHES "^\\.It ")
      message(SEND_ERROR "${page} describes what is in a table: ${line}")
    endif()
    string(REGEX MATCHALL "(Fl|Fn) [^ ]+" words "${line}")
    foreach(word IN LISTS words)
      string(REGEX REPLACE "^Fl " "-" word "${word}")
      string(REGEX REPLACE "^Fn " "" word "${word}")
      if(NOT word IN_LIST known)
        message(SEND_ERROR "${page} names ${word}, which no table has")
      endif()
    endforeach()
  endforeach()
endforeach()
