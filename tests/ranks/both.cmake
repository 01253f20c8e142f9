# The tests run.NAME and slow.NAME of a command, whose last words are a folder and how often it does its work.
function(add_often name run_times slow_times)
  foreach(label run slow)
    add_test(NAME ${label}.${name} COMMAND ${ARGN} ${bin}/scratch/${label}.${name} ${${label}_times})
    set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} TIMEOUT 600)
  endforeach()
endfunction()

# The program of a case: its source, the name of that, and the title of the case.
macro(program_of case)
  cmake_path(GET case PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  cmake_path(GET case STEM title)
  set(source ${folder}/${name}.diderot)
endmacro()

# The program NAME for one process and, where there is an MPI, for ranks: made once, by tests LABEL.compile.NAME.WAY, of
# the fixture LABEL.both.NAME; LABEL is run or slow. In its place ${bin}/NAME.sh runs: SCRIPT with the two programs, - for
# one that there is not, and then the words of the command line.
function(add_both name source label script)
  set(folder ${PROJECT_BINARY_DIR}/tests/ranks)
  set(alone ${folder}/${name}.alone)
  set(ranks -)
  set(ways alone)
  if(TARGET ddr-mpi)
    set(ranks ${folder}/${name}.ranks)
    list(APPEND ways ranks)
  endif()
  get_property(is_made GLOBAL PROPERTY ${label}.both.${name})
  if(NOT is_made)
    set_property(GLOBAL PROPERTY ${label}.both.${name} ON)
    foreach(way IN LISTS ways)
      add_way(${name} ${source} ${label} ${way} ${${way}})
    endforeach()
  endif()
  file(CONFIGURE OUTPUT ${bin}/${name}.sh @ONLY CONTENT
    "#!/bin/sh\nexec @script@ @alone@ @ranks@ \"$@\"\n")
  file(CHMOD ${bin}/${name}.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

function(add_way name source label way program)
  cmake_path(GET source PARENT_PATH folder)
  set(options --no-warning=no-proxy)
  if(EXISTS ${folder}/options)
    file(STRINGS ${folder}/options more)
    list(APPEND options ${more})
  endif()
  set(target --target=parallel)
  if(way STREQUAL "ranks")
    set(target --target=mpi)
  endif()
  set(test ${label}.compile.${name}.${way})
  add_test(NAME ${test} WORKING_DIRECTORY ${folder}
    COMMAND ${CMAKE_COMMAND} -E env "DIDEROT_CC=${DDR_BRIEF_CC}"
      $<TARGET_FILE:diderotc> --exec ${options} ${target} -o ${program} ${source})
  set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT 120 FIXTURES_SETUP ${label}.both.${name})
endfunction()
