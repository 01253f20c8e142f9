# libddr-array-cuda, static and shared: runtime/array/array_cuda.h. The shared library has CUDA's runtime
# in it, so that it needs a driver only, and only once a device is put to use.
find_package(CUDAToolkit QUIET)
set(reductions $<FILTER:$<TARGET_OBJECTS:ddr-runtime-cuda>,INCLUDE,/array/\(terms|levels\)\\.>)
ddr_cuda_library(ddr-array-cuda-static ${view_sources} ${reductions})
target_compile_options(ddr-array-cuda-static PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
add_library(ddr-array-cuda-shared SHARED $<TARGET_OBJECTS:ddr-array-cuda-static>
  ${reductions})
set_target_properties(ddr-array-cuda-shared PROPERTIES LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_libraries(ddr-array-cuda-shared PRIVATE ddr-array-shared CUDA::cudart_static stdc++)
target_link_options(ddr-array-cuda-shared PRIVATE LINKER:-Bsymbolic-functions
  LINKER:--version-script=${CMAKE_CURRENT_LIST_DIR}/library.map)
set_target_properties(ddr-array-cuda-shared PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/library.map)
foreach(kind static shared)
  set_target_properties(ddr-array-cuda-${kind} PROPERTIES OUTPUT_NAME ddr-array-cuda)
  add_dependencies(ddr-array-cuda-${kind} ddr-array-header)
  target_include_directories(ddr-array-cuda-${kind} INTERFACE ${PROJECT_BINARY_DIR}/include)
  if(NOT DDR_CUDA)
    set_target_properties(ddr-array-cuda-${kind} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endforeach()

add_test(NAME slow.cuda.arrays COMMAND ${CMAKE_COMMAND}
  --build ${PROJECT_BINARY_DIR} --target ddr-array-cuda-shared ddr-array-cuda-static)
set_tests_properties(slow.cuda.arrays PROPERTIES LABELS slow TIMEOUT 1800 RUN_SERIAL ON)
