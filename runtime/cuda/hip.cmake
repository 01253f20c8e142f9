# The runtime for devices by HIP's compiler, for GPUs of AMD: the same sources, whose words gpu.h translates.
# By hipcc itself: CMake's support of HIP wants more of ROCm than Debian's packages have.
#   ddr_hip_library(NAME SOURCE...)    a target NAME in ALL that makes libNAME.a beside the runtime
find_program(DDR_HIPCC hipcc)

# MAJOR.MINOR of the compiler, or nothing where it cannot compile for such devices. Asked once per compiler
# and options, since it compiles for seconds.
function(ddr_hip_release variable)
  set(asked "${DDR_HIPCC} ${ARGN}")
  if(NOT "${DDR_HIP_ASKED}" STREQUAL "${asked}")
    ddr_hip_ask(release ${ARGN})
    set(DDR_HIP_ANSWER "${release}" CACHE INTERNAL "the release of hipcc")
    set(DDR_HIP_ASKED "${asked}" CACHE INTERNAL "the compiler and the options that DDR_HIP_ANSWER is about")
  endif()
  set(${variable} "${DDR_HIP_ANSWER}" PARENT_SCOPE)
endfunction()

function(ddr_hip_ask variable)
  set(${variable} "" PARENT_SCOPE)
  if(NOT DDR_HIPCC)
    return()
  endif()
  execute_process(COMMAND ${DDR_HIPCC} --offload-arch=gfx90a --version
    OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE status)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/hip)
  file(WRITE ${probe}/probe.hip
    "#include <hip/hip_runtime.h>\n#include <rocprim/rocprim.hpp>\n__global__ void f(int *x) { *x = 1; }\n")
  execute_process(COMMAND ${DDR_HIPCC} -x hip ${ARGN} -std=c++17 -c probe.hip -o probe.o
    WORKING_DIRECTORY ${probe} OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0 AND text MATCHES "HIP version: ([0-9]+\\.[0-9]+)")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

function(ddr_hip_library name)
  set(optimised -O3 -DNDEBUG)
  if(DDR_SANITIZE)
    set(optimised -O1)
  endif()
  set(objects "")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hip)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM stem)
    set(object ${folder}/${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${DDR_HIPCC} -x hip ${DDR_HIP_MACHINES} -std=c++17 ${optimised} -ffp-contract=off -fPIC
        -fvisibility=hidden -Wall -Wno-unused-result -Wno-unused-function -Werror
        -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/runtime/include
        -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "HIP: ${stem}.cu" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  get_target_property(beside ddr-runtime BINARY_DIR)
  set(library ${beside}/lib${name}.a)
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
    COMMAND ${CMAKE_AR} rcs ${library} ${objects}
    DEPENDS ${objects} COMMENT "HIP: lib${name}.a" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${library})
  set_target_properties(${name} PROPERTIES DDR_FILE ${library})
endfunction()

set(DDR_HIP_MACHINES --offload-arch=gfx90a --offload-arch=gfx1030)
if(DDR_SANITIZE)
  set(DDR_HIP_MACHINES --offload-arch=gfx90a)
endif()
