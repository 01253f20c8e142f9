# Counting by gcov which lines run (preset cover). Programs that the tests compile add to the counts of
# the runtime in them; what they were compiled from is not counted, as nothing of it stays.
option(DDR_COVERAGE "Count which lines run (gcc)" OFF)
if(DDR_COVERAGE)
  set(DDR_SANITIZE coverage) # unoptimised, as sanitized builds are
  set(DDR_SANITIZE_FLAGS --coverage -fprofile-update=atomic)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:${DDR_SANITIZE_FLAGS}>")
  add_link_options(--coverage)
endif()
