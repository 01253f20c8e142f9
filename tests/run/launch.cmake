# run.launch: `diderotc run` compiles only what has changed, and the program that it becomes has the
# given arguments, streams, status and signals.
#   cmake -DDIDEROTC=... -DCC=... -DFOLDER=... -P launch.cmake
#
# The C compiler is a script that notes each compilation in a file.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY "${FOLDER}/a folder")
file(WRITE ${FOLDER}/cc.sh "#!/bin/sh\ncase \" $* \" in *' -c '*) echo x >>${FOLDER}/compiled ;; esac\nexec ${CC} \"$@\"\n")
file(CHMOD ${FOLDER}/cc.sh PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{DIDEROT_CC} ${FOLDER}/cc.sh)
set(ENV{XDG_CACHE_HOME} ${FOLDER}/cache)
set(program "a folder/my program.diderot")

function(write_program factor)
  file(WRITE "${FOLDER}/${program}" "#version 2.0
input int to = 1;
strand s (int i) {
  output real x = ${factor}*i;
  update { print(x, \"\\n\"); if (i >= to) stabilize; }
}
create_array { s(i) | i in 1..2 }
")
endfunction()

macro(launch) # WORD...: sets out, err, status
  run(${DIDEROTC} run ${ARGN})
endmacro()

function(check_compiled times)
  set(lines "")
  if(EXISTS ${FOLDER}/compiled)
    file(STRINGS ${FOLDER}/compiled lines)
  endif()
  list(LENGTH lines n)
  check("number of compilations" ${n} ${times})
endfunction()

function(check_entries expected)
  file(GLOB entries ${FOLDER}/cache/diderot/*)
  list(LENGTH entries n)
  check("number of entries" ${n} ${expected})
endfunction()

# The program is compiled once, leaves nothing beside its source, and writes into the working directory.
write_program(2)
launch(${program})
check("standard output" "${out}" "2\n4\n")
check("standard error" "${err}" "")
launch(${program} -- -o again.nrrd)
check("standard output" "${out}" "2\n4\n")
check_compiled(1)
check_entries(1)
file(GLOB beside RELATIVE "${FOLDER}/a folder" "${FOLDER}/a folder/*")
check("files beside the source" "${beside}" "my program.diderot")
foreach(file x.nrrd again.nrrd)
  if(NOT EXISTS ${FOLDER}/${file})
    message(SEND_ERROR "${file} was not written")
  endif()
endforeach()

# Another text or other options: it is compiled again, and the earlier executable can still be found.
write_program(3)
launch(${program})
check("standard output" "${out}" "3\n6\n")
launch(--double ${program})
check_compiled(3)
write_program(2)
launch(${program})
check("standard output" "${out}" "2\n4\n")
check_compiled(3)
set(ENV{DIDEROT_CFLAGS} -DANOTHER)
launch(${program})
unset(ENV{DIDEROT_CFLAGS})
check_compiled(4)

# Arguments, status and the program's own messages.
launch(${program} -- -to x)
check("status" "${status}" 1)
string(REGEX MATCH "^ERROR: [^\n]*" first "${err}")
check("message" "${first}" "ERROR: couldn't parse \"x\" as int for \"-to\" option")
launch(${program} -- -h)
string(FIND "${err}" "Usage: my program " place)
check("place of its name in the usage" ${place} 1)

# The program reads standard input; the C compiler, which runs before it, must leave all of it.
file(WRITE ${FOLDER}/sum.diderot "#version 2.0
input real[] s;
strand one (int i) {
  output real x = 0;
  update { foreach (real v in s) { x += v; } print(x, \"\\n\"); stabilize; }
}
create_array { one(i) | i in 1..1 }
")
file(WRITE ${FOLDER}/numbers.nrrd "NRRD0001\ntype: float\ndimension: 1\nsizes: 3\nencoding: ascii\n\n1 2 4\n")
execute_process(COMMAND ${DIDEROTC} run sum.diderot -- -s - WORKING_DIRECTORY ${FOLDER}
  INPUT_FILE ${FOLDER}/numbers.nrrd OUTPUT_VARIABLE out ERROR_QUIET)
check("sum of standard input" "${out}" "7\n")
file(REMOVE_RECURSE ${FOLDER}/cache)

# A signal ends the program, and diderotc run has its status.
execute_process(COMMAND timeout --preserve-status -s TERM 1 ${DIDEROTC} run ${program} -- -to 9
  WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET)
check("status after SIGTERM" "${status}" 143)

# If it is interrupted while the C compiler runs, no file is left.
file(WRITE ${FOLDER}/slow.sh "#!/bin/sh\ncase \" $* \" in *' -c '*) exec sleep 60 ;; esac\nexec ${CC} \"$@\"\n")
file(CHMOD ${FOLDER}/slow.sh PERMISSIONS OWNER_READ OWNER_EXECUTE)
file(MAKE_DIRECTORY ${FOLDER}/tmp)
foreach(command "run" "--exec;-o;${FOLDER}/interrupted")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env DIDEROT_CC=${FOLDER}/slow.sh TMPDIR=${FOLDER}/tmp
      timeout --preserve-status -s INT 2 ${DIDEROTC} ${command} ${program}
    WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  check("status after SIGINT" "${status}" 130)
  file(GLOB left ${FOLDER}/tmp/* ${FOLDER}/cache/diderot/diderotc-* ${FOLDER}/interrupted*)
  check("left after SIGINT" "${left}" "")
endforeach()

# Six at once, before anything is kept: each runs, one entry is kept, and no temporary folder is left.
file(REMOVE_RECURSE ${FOLDER}/cache)
set(commands "")
foreach(k RANGE 1 6)
  list(APPEND commands COMMAND ${DIDEROTC} run ${program} -- -print ${k}.txt)
endforeach()
execute_process(${commands} WORKING_DIRECTORY ${FOLDER} RESULTS_VARIABLE statuses OUTPUT_QUIET)
check("statuses" "${statuses}" "0;0;0;0;0;0")
check_entries(1)

# An entry of another program with the same hash is replaced; the least recently used ones are deleted.
file(GLOB key ${FOLDER}/cache/diderot/*/*.key)
file(WRITE ${key} "another")
launch(${program})
check("standard output" "${out}" "2\n4\n")
check_entries(1)
foreach(k RANGE 1 120)
  file(WRITE ${FOLDER}/cache/diderot/${k}/x.key "old")
endforeach()
file(GLOB old ${FOLDER}/cache/diderot/*)
execute_process(COMMAND touch -d 2001-01-01 ${old} COMMAND_ERROR_IS_FATAL ANY)
write_program(5)
launch(${program})
check("standard output" "${out}" "5\n10\n")
check_entries(100)
file(REMOVE ${FOLDER}/compiled)
launch(${program})
check_compiled(0)

# An executable without permission to run, or a file in place of its folder, is made again.
file(REMOVE_RECURSE ${FOLDER}/cache)
launch(${program})
file(REMOVE ${FOLDER}/compiled)
file(GLOB executable "${FOLDER}/cache/diderot/*/my program")
list(GET executable 0 executable)
file(CHMOD "${executable}" PERMISSIONS OWNER_READ)
launch(${program})
check("standard error of what may not be run" "${err}" "")
check("standard output of what may not be run" "${out}" "5\n10\n")
cmake_path(GET executable PARENT_PATH entry)
file(REMOVE_RECURSE ${entry})
file(WRITE ${entry} "a file")
launch(${program})
check("standard error where a file is" "${err}" "")
check("standard output where a file is" "${out}" "5\n10\n")
launch(${program})
check_compiled(2)

# A damaged executable is made again: one that is empty, and one with other bytes.
file(GLOB executables "${FOLDER}/cache/diderot/*/my program")
foreach(damage "" "not an executable" "\n")
  foreach(path IN LISTS executables)
    file(WRITE "${path}" "${damage}")
  endforeach()
  file(REMOVE ${FOLDER}/compiled)
  launch(${program})
  check("standard output of what was damaged" "${out}" "5\n10\n")
  check("standard error of what was damaged" "${err}" "")
  check_compiled(1)
endforeach()

# If nothing may be kept, only the program that runs is. A limit that is no number gives a message.
set(ENV{DIDEROT_CACHE_MB} 0)
write_program(6)
launch(${program})
check_entries(1)
set(ENV{DIDEROT_CACHE_MB} many)
write_program(7)
launch(${program})
check("standard output" "${out}" "7\n14\n")
string(FIND "${err}" "DIDEROT_CACHE_MB is 'many', expected a number" place)
if(place EQUAL -1)
  message(SEND_ERROR "no word of DIDEROT_CACHE_MB: ${err}")
endif()
unset(ENV{DIDEROT_CACHE_MB})
launch(--clean)
check("what --clean says" "${out}" "2 executables removed\n")
check_entries(0)
write_program(5)
launch(${program})
file(REMOVE ${FOLDER}/compiled)

# A program may have a name that the cache uses itself.
file(COPY_FILE "${FOLDER}/${program}" ${FOLDER}/key.diderot)
launch(key.diderot)
launch(key.diderot)
check("standard output" "${out}" "5\n10\n")
check_compiled(1)
file(REMOVE ${FOLDER}/compiled)

# --cached keeps libraries likewise, also of a program from standard input. It prints only the name of the
# library and its description.
function(keep) # WORD...: sets out, err, status, path
  execute_process(COMMAND ${DIDEROTC} --cached ${ARGN} WORKING_DIRECTORY ${FOLDER} INPUT_FILE ${FOLDER}/${program}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  string(REGEX MATCH "^[^\n]*" path "${out}")
  string(LENGTH "${path}" length)
  string(SUBSTRING "${out}" ${length} -1 json)
  string(JSON name ERROR_VARIABLE wrong GET "${json}" program)
  foreach(variable out err status path name)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
write_program(8)
file(REMOVE ${FOLDER}/compiled)
keep(${program})
check("status of --cached" "${status}" 0)
check("program of --cached" "${name}" "my program")
check("standard error of --cached" "${err}" "")
check_compiled(2) # the program and its functions
set(first "${path}")
if(NOT EXISTS "${path}" OR NOT path MATCHES "^${FOLDER}/cache/diderot/[0-9a-f]*/my program[.]so$")
  message(SEND_ERROR "--cached made '${path}'")
endif()
keep(${program})
check("the library that is kept" "${path}" "${first}")
check_compiled(2)
keep(--stdin "a folder/my program.diderot")
check("the library of standard input" "${path}" "${first}")
check_compiled(2)
keep(--double ${program})
check_compiled(4)
if(path STREQUAL first)
  message(SEND_ERROR "a library of doubles is that of floats")
endif()
file(WRITE "${first}" "damaged")
keep(${program})
check("the library that is made again" "${path}" "${first}")
check_compiled(6)
keep(--stdin other.diderot)
check("program that standard input has another name for" "${name}" "other")
check_compiled(8)
write_program(5)
run(${program})
file(REMOVE ${FOLDER}/compiled)

# Where no cache can be, a warning says so, and the program runs.
set(ENV{XDG_CACHE_HOME} relative)
set(ENV{HOME} /dev/null)
launch(${program})
check("standard output" "${out}" "5\n10\n")
string(REGEX MATCH "Warning: [^:]*" warning "${err}")
check("warning" "${warning}" "Warning: the executable is not kept for the next run")
check_compiled(1)

# Without any PATH, as cron and `env -i` may have it; the C compiler is one that PATH would find.
run(${CMAKE_COMMAND} -E env --unset=PATH --unset=DIDEROT_CC --unset=CC ${DIDEROTC} run ${program})
check("standard output without a PATH" "${out}" "5\n10\n")
check("status without a PATH" "${status}" 0)

# A wrong program does not run.
file(WRITE "${FOLDER}/${program}" "#version 2.0\n")
launch(${program})
check("status of a wrong program" "${status}" 1)
check("output of a wrong program" "${out}" "")
