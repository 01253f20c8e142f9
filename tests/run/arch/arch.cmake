# run.arch: --arch. A result for several kinds of processors has the code for all of them, runs that which
# DIDEROT_ARCH names, and computes the same with each. run.arch.emulated: on older processors, which QEMU
# emulates, it chooses the best code that runs there; a result without such code says so in one line.
#   cmake -DDIDEROTC=... -DCC=... "-DFLAGS=..." "-DLIBRARIES=..." -DNM=... -DFOLDER=... [-DRUNTIME=... -DHAS_DEVICE=ON | -DQEMU=...]
#     -P arch.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../commands.cmake)
set(source ${CMAKE_CURRENT_LIST_DIR})
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{DIDEROT_CC} ${CC})
set(ENV{XDG_CACHE_HOME} ${FOLDER}/cache)
unset(ENV{DIDEROT_ARCH})
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
separate_arguments(LIBRARIES UNIX_COMMAND "${LIBRARIES}")

# 1² + 2² + .. + i²
set(sums "")
foreach(i RANGE 0 99)
  math(EXPR sum "${i} * (${i} + 1) * (2*${i} + 1) / 6")
  string(APPEND sums "${sum}\n")
endforeach()

# Removes what the emulator itself prints from the program's messages.
function(run_on processor) # COMMAND...: sets out, err, status
  set(emulator "")
  if(processor)
    set(emulator ${QEMU} -cpu ${processor})
  endif()
  execute_process(COMMAND ${emulator} ${ARGN} WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status TIMEOUT 60)
  string(REGEX REPLACE "qemu-x86_64: warning: [^\n]*\n" "" err "${err}")
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

function(check_runs processor arch program)
  file(REMOVE ${FOLDER}/x.txt)
  run_on("${processor}" ${FOLDER}/${program} -v -o x.txt)
  string(REGEX MATCH "[^\n]*" first "${err}")
  check("status of ${program} on ${processor}" "${status}" 0)
  check("${program} on ${processor}" "${first}" "using the code for ${arch}")
  if(EXISTS ${FOLDER}/x.txt)
    file(READ ${FOLDER}/x.txt found)
    check("sums of ${program} on ${processor}" "${found}" "${sums}")
  endif()
endfunction()

function(check_refuses processor program message)
  file(REMOVE ${FOLDER}/x.txt)
  run_on("${processor}" ${FOLDER}/${program} -v -o x.txt)
  check("status of ${program} on ${processor}" "${status}" 1)
  check("${program} on ${processor}" "${out}${err}" "${message}\n")
  if(EXISTS ${FOLDER}/x.txt)
    message(SEND_ERROR "${program} wrote a file")
  endif()
endfunction()

function(make program archs) # OPTION...
  must(${DIDEROTC} --exec --arch=${archs} ${ARGN} -o ${FOLDER}/${program} ${source}/squares.diderot)
endfunction()

function(make_client program archs) # OPTION...
  file(MAKE_DIRECTORY ${FOLDER}/${program}.library)
  set(base ${FOLDER}/${program}.library/squares)
  must(${DIDEROTC} --static --namespace=squares --arch=${archs} ${ARGN} -o ${base}
    ${source}/squares.diderot)
  must(${CC} ${FLAGS} -I${FOLDER}/${program}.library ${source}/client.c ${base}.o ${LIBRARIES}
    -o ${FOLDER}/${program})
endfunction()

function(check_client processor program expected_status expected)
  run_on("${processor}" ${FOLDER}/${program})
  check("status of the client ${program} on ${processor}" "${status}" ${expected_status})
  check("the client ${program} on ${processor}" "${out}${err}" "${expected}\n")
endfunction()

# --- this processor --------------------------------------------------------------------------------

function(check_both program)
  foreach(arch native generic)
    set(ENV{DIDEROT_ARCH} ${arch})
    check_runs("" ${arch} ${program})
  endforeach()
  unset(ENV{DIDEROT_ARCH})
endfunction()

function(try_here)
  make(one "generic")
  check_runs("" generic one)
  make(list "generic,native" --keep)
  check_both(list)
  set(options --double --debug --scalar --target=parallel --shared-runtime)
  if(HAS_DEVICE)
    list(APPEND options --target=cuda)
  endif()
  foreach(option IN LISTS options)
    make(with${option} "native,generic" ${option})
    check_both(with${option})
  endforeach()

  # The source is one for all processors and does not name them; the object has the code for all.
  must(${DIDEROTC} --exec --emit-c ${source}/squares.diderot)
  file(READ ${FOLDER}/list.c text)
  check("the source of a list" "${text}" "${out}")
  must(${NM} ${FOLDER}/list.o)
  string(REGEX MATCHALL " [A-Z] ddr_program[^\n]*" programs "${out}")
  list(FILTER programs EXCLUDE REGEX " U ")
  list(LENGTH programs n)
  check("programs in the object" ${n} 2)
  must(${CC} ${FLAGS} ${FOLDER}/list.o ${RUNTIME} ${LIBRARIES} -o ${FOLDER}/linked)
  check_both(linked)

  # DIDEROT_ARCH may only name kinds that the executable was made for.
  set(ENV{DIDEROT_ARCH} x86-64-v9)
  check_refuses("" one "squares: DIDEROT_ARCH is \"x86-64-v9\", but this executable was made with --arch=generic")
  check_refuses("" list
    "squares: DIDEROT_ARCH is \"x86-64-v9\", but this executable was made with --arch=generic,native")
  make_client(client "native,generic")
  check_client("" client 1
    "[DIDEROT] DIDEROT_ARCH is \"x86-64-v9\", but this library was made with --arch=native,generic")
  foreach(arch generic native)
    set(ENV{DIDEROT_ARCH} ${arch})
    check_client("" client 0 328350)
  endforeach()
  unset(ENV{DIDEROT_ARCH})

  # All names of a library are private, also those that occur once for each kind of processor.
  must(${NM} --defined-only --extern-only ${FOLDER}/client.library/squares.o)
  string(REGEX MATCHALL " [A-Z] [^\n]+" names "${out}")
  list(FILTER names EXCLUDE REGEX " squares_")
  check("public names of the library" "${names}" "")

  # diderotc run keeps an executable for each --arch.
  foreach(arch generic native generic,native generic)
    must(${DIDEROTC} run --arch=${arch} ${source}/squares.diderot -- -n 3)
  endforeach()
  file(GLOB entries ${FOLDER}/cache/diderot/*)
  list(LENGTH entries n)
  check("executables kept" ${n} 3)
endfunction()

# --- other processors ------------------------------------------------------------------------------

# Of vectors of 128 bits too few strands gain by groups if some have methods or children.
function(check_groups arch are_there)
  must(${DIDEROTC} --arch=${arch} --emit-c ${source}/../../golden/emit-c/groups-of-newborn.diderot)
  string(REGEX MATCH "ddr_gang_take_group" found "${out}")
  check("groups for ${arch}" "${found}" "${are_there}")
endfunction()

function(try_elsewhere)
  check_groups(x86-64-v2 "")
  check_groups(x86-64-v3 ddr_gang_take_group)
  set(all x86-64-v2,x86-64-v3,x86-64-v4)
  make(all ${all})
  foreach(arch generic x86-64-v2 x86-64-v3 x86-64-v4)
    make(${arch} ${arch})
  endforeach()
  make(odd x86-64-v4,generic)
  check_refuses(core2duo all "squares: this executable needs a processor with SSE4.1, SSE4.2 and POPCNT \
(made with --arch=${all}); this one lacks them")
  check_runs(Nehalem x86-64-v2 all)
  check_runs(Haswell x86-64-v3 all)
  check_runs(core2duo generic generic)
  check_runs(Haswell generic odd)
  check_runs(Nehalem x86-64-v2 x86-64-v2)
  check_refuses(Nehalem x86-64-v3 "squares: this executable needs a processor with AVX, AVX2, FMA, F16C, \
BMI1 and 3 more (made with --arch=x86-64-v3); this one lacks them")
  check_refuses(Haswell x86-64-v4 "squares: this executable needs a processor with AVX512F, AVX512CD, \
AVX512BW, AVX512DQ and AVX512VL (made with --arch=x86-64-v4); this one lacks them")
  check_refuses(Haswell,-movbe x86-64-v3 "squares: this executable needs a processor with MOVBE (made with \
--arch=x86-64-v3); this one has none")
  check_runs(Haswell,-movbe x86-64-v2 all)
  set(ENV{DIDEROT_ARCH} x86-64-v2)
  check_runs(Haswell x86-64-v2 all)
  set(ENV{DIDEROT_ARCH} x86-64-v3)
  check_refuses(Nehalem all "squares: this executable needs a processor with AVX, AVX2, FMA, F16C, BMI1 \
and 3 more (DIDEROT_ARCH=x86-64-v3); this one lacks them")
  unset(ENV{DIDEROT_ARCH})

  # Flags of the C compiler may also demand a feature.
  set(ENV{DIDEROT_CFLAGS} -mavx)
  make(flags generic)
  unset(ENV{DIDEROT_CFLAGS})
  check_refuses(Nehalem flags "squares: this executable needs a processor with AVX (made with \
--arch=generic); this one has none")

  make_client(old-and-new x86-64-v2,x86-64-v3)
  check_client(Nehalem old-and-new 0 328350)
  check_client(Haswell old-and-new 0 328350)
  make_client(new x86-64-v3)
  check_client(Nehalem new 1 "[DIDEROT] this library needs a processor with AVX, AVX2, FMA, F16C, BMI1 \
and 3 more (made with --arch=x86-64-v3); this one lacks them")
  check_client(Haswell new 0 328350)
endfunction()

if(DEFINED QEMU)
  try_elsewhere()
else()
  try_here()
endif()
