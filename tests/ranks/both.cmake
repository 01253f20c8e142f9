# The tests run.NAME and slow.NAME of a command, whose last words are a folder and how often it does its work.
function(add_often name run_times slow_times)
  foreach(label run slow)
    add_test(NAME ${label}.${name} COMMAND ${ARGN} ${bin}/scratch/${label}.${name} ${${label}_times})
    set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} TIMEOUT 600)
  endforeach()
endfunction()

# The program NAME for one process and, where there is an MPI, for ranks, as tests LABEL.compile.NAME.WAY. In its place
# NAME.sh runs: SCRIPT with the two programs, - for one that there is not, and then the words of the command line. All are in ${bin}.
function(add_both name source label script)
  cmake_path(GET source PARENT_PATH folder)
  set(options --no-warning=no-proxy)
  if(EXISTS ${folder}/options)
    file(STRINGS ${folder}/options more)
    list(APPEND options ${more})
  endif()
  set(alone ${bin}/${name}.alone)
  set(ranks -)
  set(ways alone)
  if(TARGET ddr-mpi)
    set(ranks ${bin}/${name}.ranks)
    list(APPEND ways ranks)
  endif()
  foreach(way IN LISTS ways)
    set(target --target=parallel)
    if(way STREQUAL "ranks")
      set(target --target=mpi)
    endif()
    add_test(NAME ${label}.compile.${name}.${way} WORKING_DIRECTORY ${folder}
      COMMAND ${CMAKE_COMMAND} -E env "DIDEROT_CC=${DDR_BRIEF_CC}"
        $<TARGET_FILE:diderotc> --exec ${options} ${target} -o ${${way}} ${source})
    set_tests_properties(${label}.compile.${name}.${way} PROPERTIES
      LABELS ${label} TIMEOUT 120 FIXTURES_SETUP ${label}.${name})
  endforeach()
  file(CONFIGURE OUTPUT ${bin}/${name}.sh @ONLY CONTENT
    "#!/bin/sh\nexec @script@ @alone@ @ranks@ \"$@\"\n")
  file(CHMOD ${bin}/${name}.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
