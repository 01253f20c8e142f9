# run.left: visits that would waste lanes leave them half way, which -v tells; the cases of separate-ways see that each
# strand begins and ends once all the same.
#   cmake -DROOT=... -DDIDEROTC=... -DFOLDER=... -P left.cmake
cmake_minimum_required(VERSION 3.25)
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
  execute_process(COMMAND ${DIDEROTC} --exec --warnings=none ${ARGN} -o ${FOLDER}/walk
      ${ROOT}/tests/run/separate-ways/separate-ways.diderot
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${FOLDER}/walk -v -img img.nrrd WORKING_DIRECTORY ${FOLDER}
    OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "lanes would be wasted: strands went on one at a time in" found "${said}")
  if((is_left AND NOT found) OR (found AND NOT is_left))
    message(SEND_ERROR "${ARGN}: lanes were left: '${found}', wanted: ${is_left}\n${said}")
  endif()
  # Strands that one visit forgets are made good by another one, which only the number of steps tells.
  if(NOT said MATCHES ": 10 steps in ")
    message(SEND_ERROR "${ARGN}: not 10 steps in\n${said}")
  endif()
endfunction()
expect(YES)
expect(YES --target=parallel)
expect(NO --scalar)
