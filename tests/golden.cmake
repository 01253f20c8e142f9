# Golden tests: an input below tests/golden/KIND/ and, beside it, what the compiler must say of it.
#
#   cmake -DDIDEROTC=... -DINPUT=.../x.diderot -P golden.cmake   compares with x.diderot.out
#   cmake -DDIDEROTC=... -DBLESS=ON -P golden.cmake              rewrites all, printing the changes
#
# KIND    input        command                                     compared
# diag    x.diderot    --diagnostics=plain --check                 stderr; status 1 exactly with errors
# json    x.diderot    --diagnostics=json --check                  stdout; status likewise
# sarif   x.diderot    --diagnostics=sarif --check                 stdout without the rules; likewise
# ast     x.diderot    --dump=ast                                  stdout
# tast    x.diderot    --dump=tast                                 stdout
# emit-c  x.diderot    --emit-c                                    stdout
# memory  x.diderot    --dump=memory                               stdout
# memory-cuda ...      --target=cuda --exec --dump=memory          stdout
# emit-cuda  ...       --target=cuda --exec --dump=device          stdout: what is for the GPU
# library x.diderot    --namespace=lib                             stdout
# pass    x.ir         --from=LEVEL --run=PASS --to=LEVEL          stdout, or the conditions below
# command x.args       the file, a word a line; VARIABLE=VALUE     status, stdout, stderr
#
# Comment lines of the input steer a test:
#   // options: --double           more options, after those of the kind
#   // run: dce                    (pass) the pass; several names run in this order
#   // count: voxels 1             (pass) the op occurs so often in the result; several lines may stand
#   // lines: 900               the result has no more lines
#   // equal: other.ir             (pass) the result is what other.ir prints as, unchanged
# An .ir file without a run line is no test, but another's model. LEVEL is the first of the words
# high, mid, low outside comments: the header of the IR text.
cmake_minimum_required(VERSION 3.25)
set(GOLDEN ${CMAKE_CURRENT_LIST_DIR}/golden)
set(options_diag --diagnostics=plain --check)
set(options_json --diagnostics=json --check)
set(options_sarif --diagnostics=sarif --check)
set(options_ast --dump=ast)
set(options_tast --dump=tast)
set(options_emit-c --emit-c)
set(options_memory --dump=memory)
set(options_memory-cuda --target=cuda --exec --dump=memory)
set(options_emit-cuda --target=cuda --exec --dump=device)
set(options_library --namespace=lib)

function(steering input key result) # values of the comment lines "// key: value"
  file(STRINGS ${input} lines REGEX "^// ${key}: ")
  list(TRANSFORM lines REPLACE "^// ${key}: *" "")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

function(level_of input result)
  file(STRINGS ${input} lines REGEX "^[^/].*(high|mid|low)" LIMIT_COUNT 1)
  string(REGEX MATCH "high|mid|low" level "${lines}")
  if(NOT level)
    message(FATAL_ERROR "${input}: its header names no level")
  endif()
  set(${result} ${level} PARENT_SCOPE)
endfunction()

# Runs the compiler in the folder of the input, so that messages name the bare file.
function(compile input)
  cmake_path(GET input PARENT_PATH folder)
  cmake_path(GET input FILENAME file)
  steering(${input} options more)
  separate_arguments(more UNIX_COMMAND "${more}")
  execute_process(COMMAND ${DIDEROTC} ${ARGN} ${more} ${file} WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

function(require_success input)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${input}: the compiler ended with ${status}\n${err}")
  endif()
endfunction()

function(run_pass input result)
  level_of(${input} level)
  steering(${input} run passes)
  separate_arguments(passes UNIX_COMMAND "${passes}")
  list(TRANSFORM passes PREPEND --run=)
  compile(${input} --from=${level} ${passes} --to=${level})
  require_success(${input})
  set(${result} "${out}" PARENT_SCOPE)
endfunction()

function(check_counts input text)
  steering(${input} count rows)
  foreach(row IN LISTS rows)
    separate_arguments(row UNIX_COMMAND "${row}")
    list(GET row 0 op)
    list(GET row 1 want)
    string(REGEX MATCHALL "(^|[\n=,]) *${op}[ <(\n]" found "${text}")
    list(LENGTH found n)
    if(NOT n EQUAL want)
      message(SEND_ERROR "${input}: ${op} occurs ${n} times, not ${want}, in\n${text}")
    endif()
  endforeach()
endfunction()

function(check_lines input text)
  steering(${input} lines most)
  string(REGEX MATCHALL "\n" found "${text}")
  list(LENGTH found n)
  if(most AND n GREATER most)
    message(SEND_ERROR "${input}: ${n} lines, more than ${most}")
  endif()
endfunction()

function(check_equal input text)
  steering(${input} equal models)
  cmake_path(GET input PARENT_PATH folder)
  foreach(model IN LISTS models)
    run_pass(${folder}/${model} other)
    if(NOT text STREQUAL other)
      message(SEND_ERROR "${input}: result\n${text}\ndiffers from ${model}\n${other}")
    endif()
  endforeach()
endfunction()

# The rules are all of diag.def, which is no business of a test, nor is the version.
function(without_rules text result)
  string(REGEX REPLACE "(\"diderotc\",[ \n]+\"version\": )[^,}]*[0-9]\"" "\\1V" text "${text}")
  string(REGEX REPLACE "            {\"id\": [^\n]*\n" "" text "${text}")
  string(REGEX REPLACE "\"ruleIndex\": [0-9]+" "\"ruleIndex\": N" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(run_command input result)
  cmake_path(GET input PARENT_PATH folder)
  file(STRINGS ${input} words)
  set(variables ${words})
  list(FILTER variables INCLUDE REGEX "^[A-Z_]+=")
  list(FILTER words EXCLUDE REGEX "^[A-Z_]+=")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${variables} ${DIDEROTC} ${words} WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  without_rules("${out}" out)
  set(${result} "status ${status}\n${out}${err}" PARENT_SCOPE)
endfunction()

# What the expectation of the input has to be, for the kinds that have one.
function(observe input kind result)
  if(kind STREQUAL pass)
    run_pass(${input} text)
    set(${result} "${text}" PARENT_SCOPE)
    return()
  endif()
  if(kind STREQUAL command)
    run_command(${input} text)
    set(${result} "${text}" PARENT_SCOPE)
    return()
  endif()
  compile(${input} ${options_${kind}})
  set(error_diag "(^|\n)(\\[[^\n]*\\] )?Error: ")
  set(error_json "\"severity\": \"error\"")
  set(error_sarif "N, \"level\": \"error\"")
  if(NOT error_${kind})
    require_success(${input})
    set(${result} "${out}" PARENT_SCOPE)
    return()
  endif()
  without_rules("${out}" out)
  set(want_status 0)
  if("${out}${err}" MATCHES "${error_${kind}}")
    set(want_status 1)
  endif()
  if(NOT status STREQUAL want_status)
    message(FATAL_ERROR "${input}: the compiler ended with ${status}, not ${want_status}\n${err}")
  endif()
  set(${result} "${out}${err}" PARENT_SCOPE)
endfunction()

function(show_change old new) # texts; prints nothing when they are equal
  if(old STREQUAL new)
    return()
  endif()
  string(RANDOM LENGTH 12 suffix)
  set(scratch $ENV{TMPDIR})
  if(NOT scratch)
    set(scratch /tmp)
  endif()
  file(WRITE ${scratch}/golden-${suffix}-old "${old}")
  file(WRITE ${scratch}/golden-${suffix}-new "${new}")
  execute_process(COMMAND diff -u --label expected --label found
    ${scratch}/golden-${suffix}-old ${scratch}/golden-${suffix}-new OUTPUT_VARIABLE change)
  file(REMOVE ${scratch}/golden-${suffix}-old ${scratch}/golden-${suffix}-new)
  message("${change}")
endfunction()

function(run_golden input)
  cmake_path(RELATIVE_PATH input BASE_DIRECTORY ${GOLDEN} OUTPUT_VARIABLE kind)
  string(REGEX REPLACE "/.*" "" kind "${kind}")
  observe(${input} ${kind} text)
  steering(${input} "(count|lines|equal)" conditions)
  check_counts(${input} "${text}")
  check_lines(${input} "${text}")
  check_equal(${input} "${text}")

  set(old "")
  if(EXISTS ${input}.out)
    file(READ ${input}.out old)
  elseif(conditions)
    return()
  elseif(NOT BLESS)
    message(FATAL_ERROR "${input} has no expectation; review what ./dev bless writes")
  endif()
  if(BLESS)
    if(NOT old STREQUAL text OR NOT EXISTS ${input}.out)
      message("${input}.out")
      file(WRITE ${input}.out "${text}")
    endif()
    show_change("${old}" "${text}")
  elseif(NOT old STREQUAL text)
    show_change("${old}" "${text}")
    message(FATAL_ERROR "${input}: the compiler says something else than expected")
  endif()
endfunction()

if(INPUT)
  run_golden(${INPUT})
elseif(BLESS)
  file(GLOB_RECURSE inputs ${GOLDEN}/*.diderot ${GOLDEN}/*.ir ${GOLDEN}/*.args)
  list(FILTER inputs EXCLUDE REGEX "/command/.*\\.(diderot|ir)$") # what the commands name
  foreach(input IN LISTS inputs)
    steering(${input} run passes)
    if(passes OR NOT input MATCHES "\\.ir$")
      run_golden(${input})
    endif()
  endforeach()
endif()
