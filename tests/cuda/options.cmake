# `options`: the lines of the file of that name beside a program, which say how it is compiled.
function(options_beside program options)
  cmake_path(GET program PARENT_PATH where)
  set(lines "")
  if(EXISTS ${where}/options)
    file(STRINGS ${where}/options lines)
  endif()
  set(${options} ${lines} PARENT_SCOPE)
endfunction()
