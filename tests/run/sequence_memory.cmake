# run.sequence-memory: sequences of strands need memory for their elements, and not whole huge pages.
#   cmake -DDIDEROTC=... -DFOLDER=... -P sequence_memory.cmake
#
# 200 sequences of 1.2 MB, of which half a huge page is left over, and 400 of a quarter of that. --verbose says how
# much memory was used at most.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

file(WRITE ${FOLDER}/hoard.diderot "#version 2.0
input int length = 0;
input int count = 0;
strand hoard (int i) {
  output int sum = 0;
  int[] xs = { i + k | k in 0..length-1 };
  update { sum = xs[0] + xs[length-1]; stabilize; }
}
create_array { hoard(i) | i in 0..count-1 }
")
must(${DIDEROTC} --exec --warnings=none -o ${FOLDER}/hoard ${FOLDER}/hoard.diderot)

function(check_memory count length)
  must(${FOLDER}/hoard --verbose -count ${count} -length ${length} -o ${FOLDER}/sum.nrrd)
  math(EXPR most "16 + ${count} * ${length} * 4 * 5 / 4 / 1048576")
  string(REGEX MATCH "at most ([0-9]+)[.][0-9]* MiB of memory" found "${err}")
  if(NOT found OR CMAKE_MATCH_1 GREATER most)
    message(SEND_ERROR "${count} sequences of ${length} ints: '${found}', expected at most ${most} MiB\n${err}")
  endif()
endfunction()

check_memory(200 300000)
check_memory(400 75000)
