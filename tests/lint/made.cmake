# Files of the tree that are made from tables of the compiler.

# An error unless `file` is `made`; with BLESS it is written.
function(check_made file made what)
  set(kept "")
  if(EXISTS ${file})
    file(READ ${file} kept)
  endif()
  if(kept STREQUAL made)
    return()
  elseif(BLESS)
    message("${file}")
    file(WRITE ${file} "${made}")
  else()
    message(SEND_ERROR "${file} ${what}; ./dev bless writes it")
  endif()
endfunction()
