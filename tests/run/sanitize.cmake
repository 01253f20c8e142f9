# run.sanitize: programs compiled with --sanitize have the same results as without, and have sanitizers in
# themselves and in their runtime, which report a fault.
#   cmake -DDIDEROTC=... -DCC=... -DTEEM=include;library -DFOLDER=... -P sanitize.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{DIDEROT_CC} "${CC}")
set(ENV{XDG_CACHE_HOME} ${FOLDER}/cache)
separate_arguments(CC UNIX_COMMAND "${CC}")
file(COPY ${CMAKE_CURRENT_LIST_DIR}/ramp.diderot DESTINATION ${FOLDER})
file(WRITE ${FOLDER}/squares.diderot "#version 2.0
strand square (int i) {
  output real x = i*i;
  update { print(x, \"\\n\"); stabilize; }
}
create_array { square(i) | i in 1..3 }
")

# Results are right with all options.
foreach(options "" "--debug" "--target=parallel" "--double;--scalar")
  must(${DIDEROTC} --exec --sanitize ${options} squares.diderot)
  must(./squares)
  check("output with --sanitize ${options}" "${out}" "1\n4\n9\n")
endforeach()

# `diderotc run` does not mistake an executable with sanitizers for one without.
foreach(options "--sanitize" "" "--sanitize")
  must(${DIDEROTC} run ${options} squares.diderot)
  check("output of diderotc run ${options}" "${out}" "1\n4\n9\n")
endforeach()
file(GLOB entries ${FOLDER}/cache/diderot/*)
list(LENGTH entries n)
if(IS_ALWAYS) # the program is the same with the option and without
  check("entries of the cache" ${n} 1)
else()
  check("entries of the cache" ${n} 2)
endif()

# A client gives the library too little memory: the runtime's read beyond its end is reported.
list(POP_FRONT TEEM include teem)
must(${DIDEROTC} --sanitize --static --namespace=ramp --no-warning=no-proxy ramp.diderot)
must(${CC} -g -fsanitize=address,undefined -fno-sanitize-recover=all -I. -I${include}
  ${CMAKE_CURRENT_LIST_DIR}/overrun.c ramp.o ${teem} -lm -lpthread -o overrun)
must(./overrun 16)
check("output of the client that is right" "${out}" "1 supersteps\n")
run(./overrun 12)
if(status EQUAL 0 OR NOT err MATCHES "AddressSanitizer: heap-buffer-overflow")
  message(SEND_ERROR "a client with too few samples: status ${status}\n${out}${err}")
endif()
if(NOT err MATCHES "#0 [^\n]* in [^\n]* [^ \n]*runtime/src/[a-z]+/[a-z_]+[.]c:[0-9]+")
  message(SEND_ERROR "the fault is not in the runtime, with its file and line:\n${err}")
endif()

# Without sanitizers the same read is not noticed, so it is they that report it.
if(NOT IS_ALWAYS)
  must(${DIDEROTC} --static --namespace=ramp --no-warning=no-proxy ramp.diderot)
  must(${CC} -g -I. -I${include} ${CMAKE_CURRENT_LIST_DIR}/overrun.c ramp.o ${teem} -lm -lpthread -o overrun)
  must(./overrun 12)
endif()
