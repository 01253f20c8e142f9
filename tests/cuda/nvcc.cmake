# What nvcc makes of device code: functions for compile.cmake, bless.cmake and conformance.cmake.
# They need DIDEROTC, NVCC, INCLUDE (the headers of generated code) and FOLDER. MACHINES are
# the compute capabilities without their point that are compiled for from PTX of their own.
set(machines 80 90)
if(MACHINES)
  set(machines ${MACHINES})
endif()

# Of a multiprocessor: warps and blocks that it holds at most, bytes of shared memory.
set(limits_80 64 32 167936)
set(limits_90 64 32 233472)
set(limits_100 64 32 233472)
set(limits_103 64 32 233472)
set(limits_110 48 24 233472)
set(limits_120 48 24 102400)
set(limits_121 48 24 102400)
set(warps_of_block 4) # BLOCK_SIZE of runtime/cuda/device.cu, 128 threads

# The newest machine that nvcc and the limits know. What is compiled for it is the PTX for 90, from which
# drivers make the code of newer machines, too.
function(find_newest newest)
  execute_process(COMMAND ${NVCC} --list-gpu-code OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9]+" known "${said}")
  set(found 90)
  foreach(machine IN LISTS known)
    if(DEFINED limits_${machine} AND machine GREATER found)
      set(found ${machine})
    endif()
  endforeach()
  set(${newest} ${found} PARENT_SCOPE)
endfunction()

# The device's part of a program in ${FOLDER}/NAME.cu; `found` is false where there is none, and
# `said` then says why. OPTIONS...: of diderotc.
function(write_device_code name program found said)
  cmake_path(GET program PARENT_PATH where)
  execute_process(
    COMMAND ${DIDEROTC} --target=cuda --exec --dump=device --no-warning=no-proxy ${ARGN} ${program}
    WORKING_DIRECTORY ${where} OUTPUT_FILE ${FOLDER}/${name}.cu ERROR_VARIABLE error
    RESULT_VARIABLE status)
  file(SIZE ${FOLDER}/${name}.cu size)
  set(is_there OFF)
  if(status EQUAL 0 AND size GREATER 0)
    set(is_there ON)
  endif()
  set(${found} ${is_there} PARENT_SCOPE)
  set(${said} "${error}" PARENT_SCOPE)
endfunction()

# Warps of a kernel that a multiprocessor holds at once: it gives 65536 registers out to warps by 256,
# to four warps alike, and keeps 1 KiB of shared memory for each block.
function(find_occupancy machine registers shared warps)
  if(registers LESS 1)
    set(registers 1)
  endif()
  list(GET limits_${machine} 0 most_warps)
  list(GET limits_${machine} 1 most_blocks)
  list(GET limits_${machine} 2 all_shared)
  math(EXPR by_registers "65536 / ((${registers} * 32 + 255) / 256 * 256) / 4 * 4 / ${warps_of_block}")
  math(EXPR by_shared "${all_shared} / ((${shared} + 127) / 128 * 128 + 1024)")
  math(EXPR by_warps "${most_warps} / ${warps_of_block}")
  set(blocks ${most_blocks})
  foreach(bound ${by_registers} ${by_shared} ${by_warps})
    if(bound LESS blocks)
      set(blocks ${bound})
    endif()
  endforeach()
  math(EXPR found "${blocks} * ${warps_of_block}")
  set(${warps} ${found} PARENT_SCOPE)
endfunction()

# Compiles ${FOLDER}/NAME.cu for all machines, and the newest; warnings are errors. Of each kernel `rows` has "NAME
# kernel machine registers stack spilled shared warps", in bytes; PTX lies in ${FOLDER}/NAME.
function(compile_device_code name rows)
  file(REMOVE_RECURSE ${FOLDER}/${name})
  file(MAKE_DIRECTORY ${FOLDER}/${name})
  set(targets "")
  foreach(machine IN LISTS machines)
    list(APPEND targets -gencode=arch=compute_${machine},code=sm_${machine})
  endforeach()
  find_newest(newest)
  if(NOT newest IN_LIST machines)
    list(APPEND targets -gencode=arch=compute_90,code=sm_${newest})
  endif()
  execute_process(
    COMMAND ${NVCC} -std=c++17 ${targets} -I${INCLUDE} -Werror=all-warnings -Xptxas=-v
      --keep --keep-dir ${FOLDER}/${name} -c ${FOLDER}/${name}.cu -o ${FOLDER}/${name}.o
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "nvcc refuses ${name}:\n${said}")
  endif()
  file(GLOB scrap ${FOLDER}/${name}/* ${FOLDER}/${name}.o)
  list(FILTER scrap EXCLUDE REGEX "\\.ptx$")
  file(REMOVE ${scrap})
  set(found "")
  set(kernel "")
  string(REGEX REPLACE "[][;]" "" said "${said}")
  string(REPLACE "\n" ";" said "${said}")
  foreach(line IN LISTS said)
    if(line MATCHES "Compiling entry function '_Z([0-9]+)([A-Za-z0-9_]+)' for 'sm_([0-9]+)'")
      string(SUBSTRING ${CMAKE_MATCH_2} 0 ${CMAKE_MATCH_1} kernel)
      set(machine ${CMAKE_MATCH_3})
    elseif(line MATCHES "([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores")
      set(stack ${CMAKE_MATCH_1})
      set(spilled ${CMAKE_MATCH_2})
    elseif(kernel AND line MATCHES "Used ([0-9]+) registers")
      set(registers ${CMAKE_MATCH_1})
      if(line MATCHES "([0-9]+) bytes cumulative stack") # of functions that it calls, too
        set(stack ${CMAKE_MATCH_1})
      endif()
      set(shared 0)
      if(line MATCHES "([0-9]+) bytes smem")
        set(shared ${CMAKE_MATCH_1})
      endif()
      find_occupancy(${machine} ${registers} ${shared} warps)
      list(APPEND found "${name} ${kernel} ${machine} ${registers} ${stack} ${spilled} ${shared} ${warps}")
      set(kernel "")
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "nvcc said nothing about the kernels of ${name}:\n${said}")
  endif()
  set(${rows} "${found}" PARENT_SCOPE)
endfunction()

# Instructions of PTX that match; declarations of registers do not count.
function(find_instructions name regex found)
  file(GLOB files ${FOLDER}/${name}/*.ptx)
  if(NOT files)
    message(FATAL_ERROR "nvcc kept no PTX of ${name}")
  endif()
  set(all "")
  foreach(file IN LISTS files)
    file(STRINGS ${file} lines REGEX "${regex}")
    list(FILTER lines EXCLUDE REGEX "^[ \t]*(\\.reg|//)")
    list(APPEND all ${lines})
  endforeach()
  set(${found} "${all}" PARENT_SCOPE)
endfunction()

set(local_memory "(ld|st)\\.local|\\.local[ \t]")

# Double arithmetic of a program in floats. Sums that strands make of many values (ddr_reals) are made
# of doubles everywhere: they shall not depend on who makes them.
function(find_doubles name found) # OPTIONS...
  set(all "")
  file(STRINGS ${FOLDER}/${name}.cu sums REGEX "ddr_reals")
  if(NOT sums AND NOT "--double" IN_LIST ARGN)
    find_instructions(${name} "\\.f64" all)
  endif()
  set(${found} "${all}" PARENT_SCOPE)
endfunction()

function(nvcc_version version)
  execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "release ([0-9.]+)" said "${said}")
  set(${version} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
