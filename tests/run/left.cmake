# run.left: a visit of a block ends early if it would waste lanes, which -v reports; the cases of separate-ways check
# that each strand nevertheless begins and ends once.
#   cmake -DROOT=... -DDIDEROTC=... -DFOLDER=... -P left.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
string(REPEAT "0 " 1728 samples)
file(WRITE ${FOLDER}/img.nrrd "NRRD0004
type: float
dimension: 3
sizes: 12 12 12
space dimension: 3
space directions: (1,0,0) (0,1,0) (0,0,1)
space origin: (0,0,0)
kinds: space space space
encoding: text

${samples}
")

function(expect is_left) # OPTION...
  must(${DIDEROTC} --exec --warnings=none ${ARGN} -o walk ${ROOT}/tests/run/separate-ways/separate-ways.diderot)
  must(${FOLDER}/walk -v -img img.nrrd)
  string(REGEX MATCH "lanes would be wasted: strands went on one at a time in" found "${err}")
  if((is_left AND NOT found) OR (found AND NOT is_left))
    message(SEND_ERROR "${ARGN}: lanes were left: '${found}', wanted: ${is_left}\n${err}")
  endif()
  # If a visit forgot strands, a later one would run them, with the right results but more steps.
  if(NOT err MATCHES ": 10 steps in ")
    message(SEND_ERROR "${ARGN}: not 10 steps in\n${err}")
  endif()
endfunction()
expect(YES)
expect(YES --target=parallel)
expect(NO --scalar)
