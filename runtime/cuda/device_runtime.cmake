# ddr_device_runtime(TARGET NVCC SOURCES VIEW_SOURCES): TARGET makes TARGET/libddr-runtime-cuda.a of
# the sources by the command NVCC, which is looked up in PATH when it is run, and TARGET-arrays
# TARGET/libddr-array-cuda.a. When another nvcc is found than before, all is made anew.
function(ddr_device_runtime target nvcc sources view_sources)
  set(folder ${PROJECT_BINARY_DIR}/${target})
  file(MAKE_DIRECTORY ${folder})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/cuda/*.h
    ${PROJECT_SOURCE_DIR}/runtime/include/ddr/*.h)
  set(flags -std=c++17 -O3 -DNDEBUG --objdir-as-tempdir -gencode=arch=compute_80,code=sm_80
    -gencode=arch=compute_90,code=[sm_90,compute_90] -Xcompiler=-fPIC -Xcompiler=-fvisibility=hidden
    -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/runtime/include)
  if(DDR_CUDA_NO_GNU_UNIQUE)
    list(APPEND flags -Xcompiler=-fno-gnu-unique)
  endif()
  add_custom_target(${target}-nvcc BYPRODUCTS ${folder}/nvcc.txt VERBATIM
    COMMAND ${CMAKE_COMMAND} -DNVCC=${nvcc} -DFILE=${folder}/nvcc.txt
      -P ${PROJECT_SOURCE_DIR}/runtime/cuda/which_nvcc.cmake)
  set(objects "")
  set(view_objects "")
  foreach(source IN LISTS sources view_sources)
    cmake_path(GET source STEM stem)
    set(object ${folder}/${stem}.o)
    set(own "")
    if(source IN_LIST array_sources)
      set(own -fmad=false)
    endif()
    add_custom_command(OUTPUT ${object} COMMAND ${nvcc} ${flags} ${own} -c ${source} -o ${object}
      DEPENDS ${source} ${headers} ${folder}/nvcc.txt COMMENT "Compiling ${stem}.cu by ${nvcc}" VERBATIM)
    if(source IN_LIST view_sources)
      list(APPEND view_objects ${object})
    else()
      list(APPEND objects ${object})
    endif()
    if(source MATCHES "/array/(terms|levels)\\.cu$")
      list(APPEND view_objects ${object})
    endif()
  endforeach()
  _ddr_device_archive(${target} ${folder}/libddr-runtime-cuda.a ${objects})
  _ddr_device_archive(${target}-arrays ${folder}/libddr-array-cuda.a ${view_objects})
endfunction()

function(_ddr_device_archive target archive) # OBJECT...
  add_custom_command(OUTPUT ${archive} DEPENDS ${ARGN} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive} COMMAND ${CMAKE_AR} rcs ${archive} ${ARGN})
  add_custom_target(${target} DEPENDS ${archive})
endfunction()
